package dotlang

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestPrepareRepairs(t *testing.T) {
	empty := `"` + EmptyLabel + `"`
	for _, tc := range []struct{ name, in, want string }{
		{"nothing to do", "digraph { a -> b }", "digraph { a -> b }"},
		{"generic font", `digraph { node [fontname=monospace] }`, `digraph { node [fontname="Courier"] }`},
		{"quoted generic font", `digraph { "fontname" = "Sans-Serif" }`, `digraph { "fontname" = "Helvetica" }`},
		{"other fonts", `digraph { a [fontname="DejaVu Sans Mono"] }`, `digraph { a [fontname="DejaVu Sans Mono"] }`},
		{"font as a name", `digraph { fontname -> monospace }`, `digraph { fontname -> monospace }`},
		{"font in a label", `digraph { a [label="fontname=monospace"] }`, `digraph { a [label="fontname=monospace"] }`},
		{"font in a comment", "digraph { a // fontname=monospace\n }", "digraph { a // fontname=monospace\n }"},
		{"empty label of a node", `digraph { a [label=""] }`, `digraph { a [label=` + empty + `] }`},
		{"empty default label", `digraph { node [shape=box label="", color=red] }`, `digraph { node [shape=box label=` + empty + `, color=red] }`},
		{"empty label of an edge", `digraph { a -> b [label=""] }`, `digraph { a -> b [label=""] }`},
		{"empty default label of edges", `digraph { edge [label=""] }`, `digraph { edge [label=""] }`},
		{"empty label of a graph", `digraph { graph [label=""] label="" }`, `digraph { graph [label=""] label="" }`},
		{"node after an edge", "digraph { a -> b\nc [label=\"\"] }", "digraph { a -> b\nc [label=" + empty + "] }"},
		{"node after an edge with attributes", `digraph { a -> b [x=y] c [label=""] }`, `digraph { a -> b [x=y] c [label=` + empty + `] }`},
		{"node after defaults", `digraph { edge [x=y] c [label=""] }`, `digraph { edge [x=y] c [label=` + empty + `] }`},
		{"two lists", `digraph { a -> b [x=y] [label=""] }`, `digraph { a -> b [x=y] [label=""] }`},
		{"ports", `digraph { a:p:n -> b:q [label=""] }`, `digraph { a:p:n -> b:q [label=""] }`},
		{"node called label", `digraph { label [label=""] }`, `digraph { label [label=` + empty + `] }`},
		{"glued strings", `digraph { a [label="" + "x"] }`, `digraph { a [label="" + "x"] }`},
		{"byte order mark", "\ufeffdigraph { }", "\ufeffdigraph { }"},
		{"line of the preprocessor", "# 1 \"x\"\ndigraph { }", "# 1 \"x\"\ndigraph { }"},
		{"HTML with brackets", `digraph { a [label=<<b>}</b><!-- > } -->>] }`, `digraph { a [label=<<b>}</b><!-- > } -->>] }`},
		{"not UTF-8", "digraph { \xff }", "digraph { \uFFFD }"},
	} {
		got, err := Prepare([]byte(tc.in))
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		if diff := cmp.Diff(tc.want, string(got.Text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
		if got.EmptyLabels != strings.Contains(tc.want, EmptyLabel) {
			t.Errorf("%s: EmptyLabels is %v", tc.name, got.EmptyLabels)
		}
	}
}

// Messages of Graphviz name lines of the prepared text.
func FuzzPrepareKeepsLines(f *testing.F) {
	for _, s := range []string{
		"digraph {\n a [label=\"\"]\n b [fontname=monospace]\n}",
		"graph { a -- b; /* \n */ // x\n # y\n c [label=<<b>\n</b>>] }",
		"digraph { \"a\\\"\\\nb\" + \"c\" }",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, dot []byte) {
		got, err := Prepare(dot)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Line < 1 || syntax.Line > bytes.Count(dot, []byte("\n"))+1 {
				t.Errorf("error %v (%T) does not name a line", err, err)
			}
			return
		}
		if !utf8.Valid(got.Text) {
			t.Error("the prepared text is not UTF-8")
		}
		if bytes.Count(got.Text, []byte("\n")) != bytes.Count(dot, []byte("\n")) {
			t.Error("the prepared text has another number of lines")
		}
		again, err := Prepare(got.Text)
		if err != nil {
			t.Fatalf("the prepared text does not pass: %v", err)
		}
		if !bytes.Equal(again.Text, got.Text) {
			t.Error("preparing twice changes the text")
		}
	})
}
