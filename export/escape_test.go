package export_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/export/graphviz"
	"github.com/gradtui/gradtui/graph"
)

// hostileNames are names that mean something to one of the formats, or to what
// shows them.
var hostileNames = []string{
	`say "hi"`, `'quoted'`, `back\slash`, `\`, `\"`, `\N \G \l \n`, "a\nb", "\r\n\t\v", "<b>", "<b>bold</b>", "</TD></TABLE>", "<<b>x</b>>", "<>", "<a & b>",
	"&", "&amp;", "&lt;script&gt;", "<script>alert(1)</script>", `<TD HREF="javascript:alert(1)">`, `"];evil [label="`, "]]>", "<!-- --", "-->",
	"end", "graph", "node", "subgraph", "style x:y #f00;", "classDef a fill:#fff;", "click n1 href", "%% comment", "%%{init: {}}%%", "--> n2", "|x|", "a;b", "#35;", "#quot;",
	"`code`", "**bold** _it_ __init__", "1. list", "- list", "fa:fa-car", "$$x^2$$", "{curly}", "[square]", "(round)", "a:::b", "@{ shape: x }",
	"\x1b[31mred\x1b[0m\x07", "\u202eright to left\u202c", "\ufeffzero\u200bwidth", "no utf-8 \xff\xc3(", "\ufffe\uffff", "été 漢字 🎉", "", " ", "\x00", strings.Repeat("long ", 60),
}

// hostileGraph has names in every place where a program can put them.
func hostileGraph(t testing.TB, names []string) *graph.Graph {
	m := newMaker()
	var parts []value
	for i, name := range names {
		m.header.Stack = m.tape.InternStack(graph.Stack{{File: name, Line: i + 1, Func: name}})
		m.in(name, name, func() {
			a := m.leaf(name, i+1)
			attr := graph.Attr{Name: m.str(name), AttrValue: graph.AttrValue{Type: graph.AttrText, Text: name}}
			y := m.tensor(graph.TensorCreated{Shape: []int{1}, Node: m.node(name, 1, []value{a}, []keep{{name: name, v: a}}, attr), Device: m.str(name)})
			m.name(name, y)
			parts = append(parts, y)
		})
	}
	m.header.Stack = 0
	loss := m.op("CatBackward0", []int{len(parts)}, parts)
	m.name("loss", loss)
	return m.graph(t)
}

// hostileOptions draw everything that has a name.
func hostileOptions(style export.Style) export.Options {
	return export.Options{Style: style, Saved: true, Attrs: true, Legend: true, MaxNodes: -1}
}

// fuzzNames fuzzes the names of a graph, which zero bytes separate. check gets
// them as the tape holds them.
func fuzzNames(f *testing.F, check func(t *testing.T, g *graph.Graph, names []string)) {
	f.Add(strings.Join(hostileNames, "\x00"))
	f.Fuzz(func(t *testing.T, joined string) {
		names := strings.Split(joined, "\x00")
		names = names[:min(len(names), 60)]
		g := hostileGraph(t, names)
		var held []string
		for b := range g.Bindings() {
			held = append(held, b.Name)
		}
		check(t, g, held)
	})
}

// shown is the text of a label with its white space evened out, as markup does it.
func shown(s string) string { return strings.Join(strings.Fields(s), " ") }

func FuzzDOTIsReadBack(f *testing.F) {
	fuzzNames(f, func(t *testing.T, g *graph.Graph, names []string) {
		for _, style := range export.Styles() {
			text, report := write(t, g, export.DOT, hostileOptions(style))
			d, err := graphviz.Layout(t.Context(), []byte(text), graphviz.Options{})
			if err != nil {
				t.Fatalf("%s: %v", style, err)
			}
			legend := 0
			if style == export.Torchviz {
				legend = 5
			}
			if len(d.Nodes) != report.Drawn+legend || len(d.Edges) != report.DrawnEdges {
				t.Errorf("%s: %d nodes and %d edges, want %d and %d", style, len(d.Nodes), len(d.Edges), report.Drawn+legend, report.DrawnEdges)
			}
			if style == export.Full {
				checkLabels(t, d, names)
			}
			checkNative(t, text)
		}
	})
}

// checkLabels looks for the names in a drawing.
func checkLabels(t *testing.T, d *graphviz.Drawing, names []string) {
	t.Helper()
	texts := map[string]bool{}
	for _, n := range d.Nodes {
		for _, l := range n.Label {
			texts[shown(l.String)] = true
		}
	}
	for _, name := range names {
		if want := shown(export.Label(name)); want != "" && !texts[want] {
			t.Errorf("no label reads %q", want)
		}
	}
}

// checkNative lets the installed dot read a text, if there is one.
func checkNative(t *testing.T, text string) {
	t.Helper()
	path, err := exec.LookPath("dot")
	if err != nil {
		if slices.Contains(strings.Split(os.Getenv("GRADTUI_REQUIRE"), ","), "dot") {
			t.Fatal(err)
		}
		return
	}
	cmd := exec.CommandContext(t.Context(), path, "-Tcanon")
	cmd.Stdin = strings.NewReader(text)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil || stderr.Len() > 0 {
		t.Errorf("dot: %v\n%s", err, &stderr)
	}
}

func FuzzSVGIsCleanXML(f *testing.F) {
	fuzzNames(f, func(t *testing.T, g *graph.Graph, names []string) {
		for _, style := range export.Styles() {
			text, _ := write(t, g, export.SVG, hostileOptions(style))
			lines := checkSVG(t, text)
			for _, name := range names {
				if want := shown(export.Label(name)); style == export.Full && want != "" && !lines[want] {
					t.Errorf("no text reads %q", want)
				}
			}
		}
	})
}

// svgElements are what Graphviz draws with. Links and scripts are not among them.
var svgElements = []string{"svg", "g", "title", "polygon", "polyline", "path", "ellipse", "text", "tspan"}

// checkSVG checks that an XML parser accepts all of a text, that it has nothing
// active in it, and returns its texts.
func checkSVG(t *testing.T, text string) map[string]bool {
	t.Helper()
	lines := map[string]bool{}
	d := xml.NewDecoder(strings.NewReader(text))
	var line strings.Builder
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return lines
		}
		if err != nil {
			t.Fatal(err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			line.Reset()
			if !slices.Contains(svgElements, x.Name.Local) {
				t.Errorf("the SVG has an element %s", x.Name.Local)
			}
			for _, a := range x.Attr {
				if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href" {
					t.Errorf("the SVG has an attribute %s=%q", a.Name.Local, a.Value)
				}
			}
		case xml.CharData:
			line.Write(x)
		case xml.EndElement:
			lines[shown(strings.ReplaceAll(line.String(), "\u00a0", " "))] = true
			line.Reset()
		}
	}
}

func FuzzJSONIsReadBack(f *testing.F) {
	fuzzNames(f, func(t *testing.T, g *graph.Graph, names []string) {
		text, _ := write(t, g, export.JSON, export.Options{})
		doc := parseJSON(t, text)
		got := map[string]bool{}
		for _, x := range doc.Tensors {
			got[x.Name] = true
		}
		for _, name := range names {
			if !got[name] {
				t.Errorf("no tensor is called %q", name)
			}
		}
	})
}

// mermaidLine is what a line of a flowchart looks like.
var mermaidLine = regexp.MustCompile(`^(?:flowchart TD|\t*(?:end|subgraph legend|subgraph m\d+\["[^"]*"\]|` +
	`(?:[ntg]\d+|legend\d|reduced)(?:\["[^"]*"\]|\("[^"]*"\)|\(\["[^"]*"\]\)|\[\["[^"]*"\]\]):::[a-z]+|` +
	`[ntg]\d+ (?:-->|-\.->) (?:\|"[^"]*"\| )?[ntg]\d+|class n\d+ hazard|class g\d+ hazard|classDef [a-z]+ [a-z0-9#:, -]+))$`)

// mermaidLabel is what a label is made of: nothing that Mermaid or Markdown reads
// anything into.
var mermaidLabel = regexp.MustCompile(`^(?:[A-Za-z0-9 _(),=./:]|[^\x00-\x7f]|#\d+;|<br>)*$`)

// mermaidMarkup is what must not be left in a label.
var mermaidMarkup = regexp.MustCompile(`\d\. |\b_|_\b|://`)

// mermaidEntity is a character that was written as a number.
var mermaidEntity = regexp.MustCompile(`#(\d+);`)

func decodeEntity(e string) string {
	n, _ := strconv.Atoi(e[1 : len(e)-1])
	return string(rune(n))
}

func FuzzMermaidIsReadBack(f *testing.F) {
	fuzzNames(f, func(t *testing.T, g *graph.Graph, names []string) {
		text, report := write(t, g, export.Mermaid, hostileOptions(export.Full))
		boxes, lines := 0, map[string]bool{}
		for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
			if !mermaidLine.MatchString(line) {
				t.Errorf("line %q", line)
			}
			if strings.Contains(line, ":::") {
				boxes++
			}
			_, label, ok := strings.Cut(line, `"`)
			if !ok {
				continue
			}
			label, _, _ = strings.Cut(label, `"`)
			if !mermaidLabel.MatchString(label) || mermaidMarkup.MatchString(label) || strings.TrimSpace(label) == "" { // Mermaid refuses empty ones
				t.Errorf("label %q", label)
			}
			for l := range strings.SplitSeq(label, "<br>") {
				lines[mermaidEntity.ReplaceAllStringFunc(l, decodeEntity)] = true
			}
		}
		if boxes != report.Drawn+5 {
			t.Errorf("%d boxes, want %d and 5 of the legend", boxes, report.Drawn)
		}
		for _, name := range names {
			if want := export.Label(name); strings.TrimSpace(want) != "" && !lines[want] {
				t.Errorf("no line reads %q", want)
			}
		}
	})
}

func FuzzTextIsSafeForTerminals(f *testing.F) {
	fuzzNames(f, func(t *testing.T, g *graph.Graph, names []string) {
		text, _ := write(t, g, export.Text, hostileOptions(export.Full))
		if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) }); i >= 0 {
			t.Errorf("the text has a control character: %q", text[i:min(len(text), i+10)])
		}
		if !utf8.ValidString(text) {
			t.Error("the text is not UTF-8")
		}
		for _, name := range names {
			if !strings.Contains(text, strings.TrimSpace(export.Label(name))) {
				t.Errorf("nothing is called %q", export.Label(name))
			}
		}
		narrow, _ := write(t, g, export.Text, export.Options{Width: 50})
		for line := range strings.Lines(narrow) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 50 {
				t.Errorf("a line of %d characters: %q", n, line)
			}
		}
	})
}

// The text of an error may go to a terminal.
func TestErrorsAreSafeForTerminals(t *testing.T) {
	g := hostileGraph(t, hostileNames)
	for i, name := range hostileNames {
		_, err := export.Write(t.Context(), io.Discard, g, export.DOT, export.Options{RootNames: []string{name + "?"}})
		var root *export.RootError
		if !errors.As(err, &root) {
			t.Fatalf("name %d: error %v", i, err)
		}
		if strings.ContainsFunc(fmt.Sprint(err), unicode.IsControl) {
			t.Errorf("error %q", err)
		}
	}
}
