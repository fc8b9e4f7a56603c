package graphviz

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSyntaxErrorsNameTheLine(t *testing.T) {
	for _, tc := range []struct {
		name, dot string
		want      SyntaxError
	}{
		{"empty text", "", SyntaxError{1, "DOT text contains no graph"}},
		{"only a comment", "// nothing\n", SyntaxError{1, "DOT text contains no graph"}},
		{"not DOT", "hello", SyntaxError{1, "graph is not closed"}},
		{"no head", "digraph {\n  a -> b\n  b -> ;\n}", SyntaxError{3, "syntax error near ';'"}},
		{"undirected edge", "digraph {\n  a -- b\n}", SyntaxError{2, "syntax error near '--'"}},
		{"open string", "digraph {\n\n  a [label=\"x]\n}", SyntaxError{3, "string is not closed"}},
		{"open HTML", "digraph {\n  a [label=<<b>x]\n}", SyntaxError{2, "HTML string is not closed"}},
		{"open comment", "digraph {\n}\n/* and", SyntaxError{3, "comment is not closed"}},
		{"open graph", "digraph {\n  subgraph x {\n    a\n", SyntaxError{4, "graph is not closed: 2 more '}' expected"}},
		{"one brace too many", "digraph {\n}\n}", SyntaxError{3, "text after the end of the graph"}},
		{"second graph", "digraph {}\ndigraph {}", SyntaxError{2, "text after the end of the graph"}},
		{"NUL", "digraph {\n a\x00 }", SyntaxError{2, "DOT text contains a NUL byte"}},
		{"stray byte", "digraph {\n a ! b }", SyntaxError{2, "unexpected character '!'"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Render(t.Context(), []byte(tc.dot), SVG, Options{})
			var got *SyntaxError
			if !errors.As(err, &got) {
				t.Fatalf("error %v (%T), want a *SyntaxError", err, err)
			}
			if tc.name == "not DOT" { // Graphviz words this one
				got = &SyntaxError{got.Line, tc.want.Message}
			}
			if diff := cmp.Diff(&tc.want, got); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

// go-graphviz answers an unknown format with "failed to read wasm memory".
func TestUnknownFormatsAreNamed(t *testing.T) {
	_, err := Render(t.Context(), []byte("digraph {}"), "pdf", Options{})
	want := `graphviz: unsupported format "pdf" (have svg, png)`
	var f *FormatError
	if !errors.As(err, &f) || err.Error() != want {
		t.Errorf("error %v (%T), want %s", err, err, want)
	}
}

func TestEmptyGraphIsAnEmptyPicture(t *testing.T) {
	p := mustRender(t, "digraph {}", PNG)
	if p.Size.Width != 11 || p.Size.Height != 11 { // two margins of 4 points
		t.Errorf("size %v, want 11 x 11", p.Size)
	}
	if svg := mustRender(t, "digraph {}", SVG); !bytes.Contains(svg.Bytes, []byte("<svg ")) {
		t.Errorf("not an SVG: %s", svg.Bytes)
	}
}

// go-graphviz gives a node whose label is the empty string its name.
func TestEmptyLabelsStayEmpty(t *testing.T) {
	d := mustLayout(t, `digraph { a [label=""]; b; a -> b [label=""]; node [label=""] c; d [label=<>, label=""] e [label="" + "e"] }`)
	got := map[string]int{}
	for _, n := range d.Nodes {
		got[n.Name] = len(n.Label)
	}
	want := map[string]int{"a": 0, "b": 1, "c": 0, "d": 0, "e": 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines of label (-want +got):\n%s", diff)
	}
	if len(d.Edges[0].Label) > 0 {
		t.Errorf("the edge has a label")
	}
}

// wantXML checks that an XML parser accepts all of a text.
func wantXML(t *testing.T, text []byte) {
	t.Helper()
	for d := xml.NewDecoder(bytes.NewReader(text)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Errorf("not XML: %v", err)
			return
		}
	}
}

func TestHostileLabelsGiveCleanPictures(t *testing.T) {
	labels := []string{
		"control \x01\x02\x1b[31mred\x1b[0m\x07\x7f\u0085",
		"control by entity &#1;&#27;&#x7;",
		`</text><script>alert(1)</script><!-- ]]> --> & &amp; &lt;`,
		`quotes and backslashes \" \\ \\\" \N \G \l \r`,
		"not UTF-8 \xff\xfe caf\xe9 \xc3(",
		"no characters \ufffe\uffff\ufffd",
		"right to left \u202eabc\u202c שלום",
		"no glyphs 漢字 🎉 \U0010ffff",
		"newlines \n\r\n\n a \n",
	}
	var b strings.Builder
	b.WriteString("digraph {\n")
	for _, l := range labels {
		fmt.Fprintf(&b, "\"%s\" [label=\"%s\"] \"%[1]s\" -> \"%[1]s\" [label=\"%[1]s\"]\n", l, l)
	}
	b.WriteString("}\n")
	svg := mustRender(t, b.String(), SVG)
	wantXML(t, svg.Bytes)
	if bytes.Contains(svg.Bytes, []byte("<script")) {
		t.Error("the SVG has a script")
	}
	mustRender(t, b.String(), PNG)
	if d := mustLayout(t, b.String()); len(d.Nodes) != len(labels) || len(d.Edges) != len(labels) {
		t.Errorf("%d nodes and %d edges, want %d of each", len(d.Nodes), len(d.Edges), len(labels))
	}
}

func TestFilesNamedByGraphsAreNotRead(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.svg")
	if err := os.WriteFile(secret, []byte(`<svg width="300" height="300"/>`), 0o600); err != nil {
		t.Fatal(err)
	}
	d := mustLayout(t, `digraph { a [shape=none label="" image="`+secret+`"] }`)
	if d.Width > 100 {
		t.Errorf("the layout is %g points wide: it has taken the image's size", d.Width)
	}
}

func TestTextsBeyondTheLimitsGiveLimitErrors(t *testing.T) {
	huge := []byte(`digraph { a [label="` + strings.Repeat("x", 10<<20) + `"] }`)
	for _, tc := range []struct {
		name string
		dot  []byte
		opts Options
		what string
	}{
		{"input", huge, Options{MaxInput: 1 << 20}, "input"},
		{"output", huge[:1<<10], Options{MaxOutput: 100}, "output"},
		// Graphviz's lexer takes minutes for a string of this length.
		{"huge label", huge, Options{MaxProcessorTime: 500 * time.Millisecond}, "processor time"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.name == "output" {
				tc.dot = []byte("digraph { a -> b }")
			}
			_, err := Render(t.Context(), tc.dot, SVG, tc.opts)
			var limit *LimitError
			if !errors.As(err, &limit) || limit.What != tc.what {
				t.Errorf("error %v, want a limit on %s", err, tc.what)
			}
		})
	}
}

func TestHugeLabelOfShortLinesIsDrawn(t *testing.T) {
	dot := `digraph { a [label="` + strings.Repeat(strings.Repeat("word ", 20)+`\n`, 2000) + `"] }`
	const limit = 500_000
	p, err := Render(t.Context(), []byte(dot), PNG, Options{PNG: PNGOptions{MaxPixels: limit}})
	if err != nil {
		t.Fatal(err)
	}
	if s := p.Size; !s.Reduced() || s.Height > maxSide || s.Width*s.Height > limit {
		t.Errorf("size %+v, want it reduced to the limits", s)
	}
}

func TestBrokenChildrenGiveErrors(t *testing.T) {
	for _, tc := range []struct{ behaviour, want string }{
		{"garbage", `it wrote something first: unexpected output: "Welcome to my program!`},
		{"garbage after greeting", `unexpected output: "ok forty-two\n"`},
		{"cut short", "layout process ended early (exit status 0)"},
		{"boasts", "limit on output"},
		{"killed", "layout process ended early (signal: killed)"},
	} {
		t.Run(tc.behaviour, func(t *testing.T) {
			t.Setenv(behaviour, tc.behaviour)
			_, err := Render(t.Context(), []byte("digraph {}"), SVG, Options{})
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want one with %q", err, tc.want)
			}
			if tc.behaviour == "garbage" && !errors.Is(err, ErrNoChildMain) {
				t.Errorf("error %v is not ErrNoChildMain", err)
			}
		})
	}
}

func TestProgramsWithoutChildMainAreNotStartedAgain(t *testing.T) {
	out, err := again(t, "no ChildMain").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := strings.TrimSpace(string(out)); got != ErrNoChildMain.Error() {
		t.Errorf("error %q, want %q", got, ErrNoChildMain)
	}
}
