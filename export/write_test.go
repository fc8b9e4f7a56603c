package export_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/export/graphviz"
	"github.com/gradtui/gradtui/graph"
)

func TestFormatsAreFoundByNameAndFile(t *testing.T) {
	for _, f := range export.Formats() {
		for _, name := range []string{string(f.Format), strings.ToUpper(string(f.Format)), f.Extension, f.Extension[1:]} {
			if got, err := export.ParseFormat(name); got != f.Format || err != nil {
				t.Errorf("format %q: %q, %v", name, got, err)
			}
		}
		if got, err := export.FormatOfFile("a.b/c" + f.Extension); got != f.Format || err != nil {
			t.Errorf("file of %s: %q, %v", f.Format, got, err)
		}
		if f.Description == "" {
			t.Errorf("%s has no description", f.Format)
		}
	}
	for _, s := range export.Styles() {
		if got, err := export.ParseStyle(s.String()); got != s || err != nil {
			t.Errorf("style %s: %s, %v", s, got, err)
		}
	}
}

// errorTexts are the errors of this package as people see them.
var errorTexts = []struct {
	want string
	make func() error
}{
	{`unknown format "tiff" (did you mean "gif"?); use one of dot, svg, png, gif, mermaid, json, text`, func() error { _, err := export.ParseFormat("tiff"); return err }},
	{`unknown format ""; use one of dot, svg, png, gif, mermaid, json, text`, func() error { _, err := export.ParseFormat(""); return err }},
	{`cannot tell the format from the file name "a.tiff"; it should end in one of .dot, .svg, .png, .gif, .mmd, .json, .txt`, func() error { _, err := export.FormatOfFile("a.tiff"); return err }},
	{`cannot tell the format from the file name "svg"; it should end in one of .dot, .svg, .png, .gif, .mmd, .json, .txt`, func() error { _, err := export.FormatOfFile("svg"); return err }},
	{`unknown style "fancy"; use one of full, layers, torchviz`, func() error { _, err := export.ParseStyle("fancy"); return err }},
	{`unknown style "unknown"; use one of full, layers, torchviz`, func() error { return writeError(mlpGraph(), export.DOT, export.Options{Style: 9}) }},
	{`unknown format "bmp"; use one of dot, svg, png, gif, mermaid, json, text`, func() error { return writeError(mlpGraph(), "bmp", export.Options{}) }},
	{`nothing to export: the tape is empty; record a program that makes tensors`, func() error { return writeError(newMaker().at(0), export.DOT, export.Options{}) }},
	{`nothing to export: none of the 1 event on the tape made a tensor; record a program that makes tensors`, func() error {
		m := newMaker()
		m.append(&graph.LineReached{})
		return writeError(m.at(1), export.DOT, export.Options{})
	}},
	{`nothing to export: no tensor exists yet at event 0 of 36; choose a later one`, func() error { m, _ := mlp(); return writeError(m.at(0), export.DOT, export.Options{}) }},
	{`no tensor is called "los" here; did you mean "loss"?`, func() error { return writeError(mlpGraph(), export.DOT, export.Options{RootNames: []string{"los"}}) }},
	{`no tensor is called "weight" here; did you mean "model.0.weight" or "model.2.weight"?`, func() error { return writeError(mlpGraph(), export.DOT, export.Options{RootNames: []string{"weight"}}) }},
	{`no tensor is called "t99" here; a root is a name of the program, a tensor such as t12 or a node such as n7`, func() error { return writeError(mlpGraph(), export.DOT, export.Options{Roots: []graph.TensorID{99}}) }},
	{`no tensor is called "" here; a root is a name of the program, a tensor such as t12 or a node such as n7`, func() error { return writeError(mlpGraph(), export.DOT, export.Options{RootNames: []string{""}}) }},
}

func mlpGraph() *graph.Graph {
	m, _ := mlp()
	return m.at(m.tape.Len())
}

// at is the graph at a position.
func (m *maker) at(p graph.Pos) *graph.Graph { return m.tape.CursorAt(p).Graph() }

func writeError(g *graph.Graph, format export.Format, opts export.Options) error {
	_, err := export.Write(context.Background(), io.Discard, g, format, opts)
	return err
}

func TestErrorsSayWhatToDo(t *testing.T) {
	for _, c := range errorTexts {
		if err := c.make(); err == nil || err.Error() != c.want {
			t.Errorf("error %v\nwant  %s", err, c.want)
		}
	}
}

func TestErrorsHaveTypes(t *testing.T) {
	var empty *export.EmptyError
	if err := writeError(newMaker().at(0), export.JSON, export.Options{}); !errors.As(err, &empty) {
		t.Errorf("error %v", err)
	}
	var root *export.RootError
	if err := writeError(mlpGraph(), export.JSON, export.Options{RootNames: []string{"h2"}}); !errors.As(err, &root) || root.Near[0] != "h" {
		t.Errorf("error %v", err)
	}
	m, _ := tangle(1500)
	var limit *graphviz.LimitError
	err := writeError(m.graph(t), export.SVG, export.Options{MaxNodes: -1, Graphviz: graphviz.Options{MaxProcessorTime: time.Millisecond}})
	if !errors.As(err, &limit) {
		t.Errorf("error %v", err)
	}
}

func TestRoots(t *testing.T) {
	m, loss := mlp()
	second := m.op("NegBackward0", []int{}, []value{loss})
	m.name("negative", second)
	for _, c := range []struct {
		name string
		opts export.Options
		want []graph.TensorID
	}{
		{"the newest result", export.Options{}, []graph.TensorID{second.id}},
		{"a name", export.Options{RootNames: []string{"loss"}}, []graph.TensorID{loss.id}},
		{"an identifier", export.Options{RootNames: []string{"t11"}}, []graph.TensorID{loss.id}},
		{"each once", export.Options{Roots: []graph.TensorID{loss.id}, RootNames: []string{"loss", "t11", "negative"}}, []graph.TensorID{loss.id, second.id}},
		{"a given name", export.Options{RootNames: []string{"x"}, Names: map[graph.TensorID]string{loss.id: "x"}}, []graph.TensorID{loss.id}},
		{"a node", export.Options{RootNames: []string{"n9"}}, nil},
		{"the tensor of a node", export.Options{RootNodes: []graph.NodeID{loss.node}}, []graph.TensorID{loss.id}},
	} {
		for _, f := range export.Formats() {
			text, report := write(t, m.graph(t), f.Format, c.opts)
			if diff := cmp.Diff(c.want, report.Roots); diff != "" || text == "" {
				t.Errorf("%s, %s: %s", c.name, f.Format, diff)
			}
		}
	}
	m.backward(loss, true, -1)
	if _, report := write(t, m.graph(t), export.DOT, export.Options{}); report.Roots[0] != loss.id {
		t.Errorf("after backward the root is t%d", report.Roots[0])
	}
}

// The outputs of one op that nobody uses are roots together.
func TestResultsOfOneOpAreRootsTogether(t *testing.T) {
	m := newMaker()
	a := m.leaf("a", 2)
	split := m.node("SplitBackward0", 3, []value{a}, nil)
	var parts []value
	for i := range 3 {
		parts = append(parts, m.tensor(graph.TensorCreated{Shape: []int{1}, Node: split, Output: uint32(i)}))
	}
	_, report := write(t, m.graph(t), export.DOT, export.Options{})
	if diff := cmp.Diff([]graph.TensorID{parts[0].id, parts[1].id, parts[2].id}, report.Roots); diff != "" {
		t.Error(diff)
	}
	m.op("NegBackward0", []int{1}, parts[1:2])
	m.data("x", 1)
	_, report = write(t, m.graph(t), export.DOT, export.Options{})
	if diff := cmp.Diff([]graph.TensorID{parts[2].id + 1}, report.Roots); diff != "" {
		t.Error(diff)
	}
}

// Nothing here recurses along the graph.
func TestDeepGraphsNeedNoStack(t *testing.T) {
	before := debug.SetMaxStack(1 << 20)
	defer debug.SetMaxStack(before)
	deep, _ := chain(20_000)
	wide, _ := layers(2_000)
	for _, m := range []*maker{deep, wide} {
		g := m.at(m.tape.Len())
		for _, f := range export.Formats() {
			for _, style := range export.Styles() {
				if f.Format == export.PNG || style == export.Torchviz && f.Format != export.DOT {
					continue // takes the same ways as others
				}
				opts := export.Options{Style: style}
				if f.Format == export.Text || f.Format == export.Mermaid {
					opts.MaxNodes, opts.Depth = -1, -1
				}
				if report, err := export.Write(t.Context(), io.Discard, g, f.Format, opts); err != nil {
					t.Errorf("%s: %v", f.Format, err)
				} else if style != export.Layers && !report.Reduced() && report.Drawn > 0 && report.Drawn < report.Nodes {
					t.Errorf("%s: %d of %d nodes are drawn", f.Format, report.Drawn, report.Nodes)
				}
			}
		}
	}
}

// canceller ends a context at the first byte.
type canceller struct {
	cancel context.CancelFunc
	writes int
}

func (c *canceller) Write(b []byte) (int, error) {
	c.cancel()
	c.writes++
	return len(b), nil
}

func TestWriteStopsWithItsContext(t *testing.T) {
	m, _ := chain(5_000)
	g := m.graph(t)
	for _, f := range export.Formats() {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := export.Write(ctx, io.Discard, g, f.Format, export.Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", f.Format, err)
		}
	}
	for _, style := range export.Styles() {
		ctx, cancel := context.WithCancel(t.Context())
		w := &canceller{cancel: cancel}
		if _, err := export.Write(ctx, w, g, export.DOT, export.Options{Style: style}); !errors.Is(err, context.Canceled) || w.writes != 1 {
			t.Errorf("%s: error %v after %d writes", style, err, w.writes)
		}
	}
}

type brokenWriter struct{}

var errBroken = errors.New("no room")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestWriteErrorsArePassedOn(t *testing.T) {
	for _, f := range export.Formats() {
		if _, err := export.Write(t.Context(), brokenWriter{}, mlpGraph(), f.Format, export.Options{}); !errors.Is(err, errBroken) {
			t.Errorf("%s: error %v", f.Format, err)
		}
	}
}

func TestTheSameGraphGivesTheSameBytes(t *testing.T) {
	m, loss := mlp()
	m.backward(loss, false, 5)
	for _, f := range export.Formats() {
		a, _ := write(t, m.graph(t), f.Format, export.Options{})
		b, _ := write(t, m.graph(t), f.Format, export.Options{})
		if a != b {
			t.Errorf("%s differs from one time to the next", f.Format)
		}
	}
}

// A layout that exceeds a limit (of time, usually) is tried again with less.
func TestPicturesThatAreTooMuchAreReducedFurther(t *testing.T) {
	m, _ := tangle(1500)
	_, report := write(t, m.graph(t), export.SVG, export.Options{Graphviz: graphviz.Options{MaxInput: 100_000}})
	if !report.Reduced() || report.Drawn > 400 || report.Drawn < 90 {
		t.Errorf("%d boxes: %s", report.Drawn, report)
	}
	var limit *graphviz.LimitError
	err := writeError(m.graph(t), export.SVG, export.Options{MaxNodes: 1000, Graphviz: graphviz.Options{MaxInput: 100_000}})
	if !errors.As(err, &limit) {
		t.Errorf("asked for 1,000 boxes: error %v", err)
	}
}

// A picture of a few pixels for each box could not be read.
func TestPicturesThatAreTooCoarseAreReducedFurther(t *testing.T) {
	m := newMaker()
	x := m.leaf("a", 1)
	var roots []graph.TensorID
	for i := range 110 { // no two alike, so that none are repetitions
		x = m.op(fmt.Sprintf("Op%dBackward0", i), []int{1}, []value{x, m.leaf("", 1)})
		roots = append(roots, x.id)
	}
	g := m.graph(t)
	coarse := graphviz.Options{PNG: graphviz.PNGOptions{MaxPixels: 200_000}}
	_, report := write(t, g, export.PNG, export.Options{Graphviz: coarse})
	if _, svg := write(t, g, export.SVG, export.Options{Graphviz: coarse}); svg.Drawn != report.Drawn {
		t.Errorf("an SVG has %d boxes, a PNG %d", svg.Drawn, report.Drawn)
	}
	if !report.Reduced() || report.Picture.DPI < report.Picture.AskedDPI/2 && report.Drawn > 100 {
		t.Errorf("%d boxes, %.0f dpi", report.Drawn, report.Picture.DPI)
	}
	// Roots are drawn in any case.
	if _, report = write(t, g, export.PNG, export.Options{Graphviz: coarse, Roots: roots}); report.Drawn < len(roots) {
		t.Errorf("%d boxes for %d roots", report.Drawn, len(roots))
	}
	_, report = write(t, g, export.PNG, export.Options{Graphviz: coarse, MaxNodes: -1})
	if report.Reduced() || !report.Picture.Reduced() {
		t.Errorf("asked for all: %d boxes, %.0f dpi", report.Drawn, report.Picture.DPI)
	}
}

// The documentation has the same table of formats as the package.
func TestTheFormatsAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("../docs/use/export.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range export.Formats() {
		bound := "never"
		if f.MaxNodes > 0 {
			bound = strings.Replace(fmt.Sprint(f.MaxNodes), "1500", "1,500", 1)
		}
		row := regexp.MustCompile(fmt.Sprintf(`(?m)^\| %s \| \%s \| .* \| %s( boxes| entries)? \|$`, f.Format, f.Extension, bound))
		if !row.Match(doc) {
			t.Errorf("docs/use/export.md has no row like %s", row)
		}
	}
}
