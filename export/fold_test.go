package export_test

import (
	"fmt"
	"image/png"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/graph"
)

// An unrolled LSTM of the engine has long arrows, which Graphviz would need
// minutes for.
func TestAnUnrolledLSTMBecomesAPicture(t *testing.T) {
	g, opts := record(t, func() (drawn, error) {
		h, _, params, err := unrolledLSTM(100)
		if err != nil {
			return drawn{}, err
		}
		loss := h.Sum()
		return drawn{tensors{loss}, params}, loss.Backward()
	})
	svg, report := write(t, g, export.SVG, opts)
	lines := checkSVG(t, svg)
	if got, want := report.String(), "1,404 nodes (3 leaf nodes), 2,099 edges; reduced from 1,404 nodes: 1,344 nodes in 1 repetition"; got != want {
		t.Errorf("report %q, want %q", got, want)
	}
	for _, want := range []string{"96 more × 14 nodes", "2 results to the next", "1,344 done", "×96"} {
		if !lines[want] {
			t.Errorf("the picture does not say %q", want)
		}
	}
	picture, report := write(t, g, export.PNG, opts)
	config, err := png.DecodeConfig(strings.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	if config.Width != report.Picture.Width || config.Height != report.Picture.Height || config.Width < 500 {
		t.Errorf("a picture of %d x %d pixels, reported %+v", config.Width, config.Height, report.Picture)
	}
}

// net calls three modules in each of several blocks.
func net(blocks int) (m *maker, last value) {
	m = newMaker()
	x := m.leaf("input", 4, 8)
	for i := range blocks {
		path := fmt.Sprintf("blocks.%d", i)
		w1, b1 := m.leaf(path+".up.weight", 8, 8), m.leaf(path+".up.bias", 8)
		w2, b2 := m.leaf(path+".down.weight", 8, 8), m.leaf(path+".down.bias", 8)
		m.in(path, "Block", func() {
			y := m.linear(path+".up", x, w1, b1)
			m.in(path+".act", "ReLU", func() {
				y = m.op("ReluBackward0", y.shape, []value{y}, keep{name: "result", result: true})
			})
			y = m.linear(path+".down", y, w2, b2)
			x = m.op("AddBackward0", x.shape, []value{x, y})
		})
	}
	return m, x
}

// unboundLoop is a loop over the parts of a tensor: each step takes another result of
// unbind.
func unboundLoop(steps int) *maker {
	m := newMaker()
	x, w, h := m.leaf("x", steps, 3), m.leaf("w", 3), m.leaf("h", 3)
	parts := m.node("UnbindBackward0", steps, []value{x}, nil)
	for i := range steps {
		part := m.tensor(graph.TensorCreated{Shape: []int{3}, Node: parts, Output: uint32(i)})
		h = m.op("AddBackward0", []int{3}, []value{m.op("MulBackward0", []int{3}, []value{h, w}), part})
		h = m.op("TanhBackward0", []int{3}, []value{h})
	}
	return m
}

// dense calls layers, each with the results of all layers before it.
func dense(layers int) *maker {
	m := newMaker()
	results := []value{m.leaf("input", 4, 8)}
	for i := range layers {
		m.in(fmt.Sprintf("layers.%d", i), "Layer", func() {
			all := m.op("CatBackward0", []int{4, 8 * len(results)}, results)
			results = append(results, m.op("ReluBackward0", []int{4, 8}, []value{all}))
		})
	}
	m.op("CatBackward0", []int{4, 8 * len(results)}, results)
	return m
}

func TestLargeGraphsAreReducedInSteps(t *testing.T) {
	layered, _ := net(3)
	deep, _ := net(40)
	looped, _ := lstm(50)
	random, _ := tangle(400)
	row, _ := chain(100)
	unbound := unboundLoop(50)
	// A chain in which no two operations are alike.
	mixed := newMaker()
	x := mixed.leaf("a", 1)
	for i := range 60 {
		x = mixed.op(fmt.Sprintf("Op%dBackward0", i*i%61), []int{1}, []value{x})
	}
	for _, c := range []struct {
		name   string
		m      *maker
		budget int
		want   []export.Fold
	}{
		{"modules collapse, the inner ones first", layered, 25, []export.Fold{{Kind: export.FoldModules, Boxes: 6, Nodes: 24}}},
		{"and the outer ones if need be", layered, 6, []export.Fold{{Kind: export.FoldModules, Boxes: 3, Nodes: 31}}},
		{"equal modules are repetitions", deep, 20, []export.Fold{{Kind: export.FoldModules, Boxes: 6, Nodes: 24}, {Kind: export.FoldRepeats, Boxes: 1, Nodes: 37 * 10}}},
		{"also if each takes more inputs than the one before", dense(20), 20, []export.Fold{{Kind: export.FoldModules, Boxes: 2, Nodes: 4}, {Kind: export.FoldRepeats, Boxes: 1, Nodes: 18 * 2}}},
		{"and so are the steps of loops", looped, 100, []export.Fold{{Kind: export.FoldRepeats, Boxes: 1, Nodes: 46 * 14}}},
		{"which may take different results of an operation", unbound, 30, []export.Fold{{Kind: export.FoldRepeats, Boxes: 1, Nodes: 47 * 3}}},
		{"and equal operations in a row", row, 20, []export.Fold{{Kind: export.FoldRepeats, Boxes: 1, Nodes: 97}}},
		{"different ones are a chain", mixed, 20, []export.Fold{{Kind: export.FoldChains, Boxes: 1, Nodes: 60}}},
		{"the rest is what is far away", random, 50, []export.Fold{{Kind: export.FoldFar, Boxes: 1, Nodes: 225}}},
		{"and nothing if all fits", random, 1000, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, report := write(t, c.m.graph(t), export.DOT, export.Options{MaxNodes: c.budget})
			if diff := cmp.Diff(c.want, report.Folds); diff != "" {
				t.Errorf("%s\n%s", report, diff)
			}
			if report.Drawn > c.budget {
				t.Errorf("%d boxes, want at most %d", report.Drawn, c.budget)
			}
		})
	}
}

// randomGraph draws ops with any inputs, some of them inside modules.
func randomGraph(t *rapid.T) *maker {
	m := newMaker()
	values := []value{m.leaf("a", 1), m.leaf("b", 1)}
	pick := func() value { return values[rapid.IntRange(max(0, len(values)-20), len(values)-1).Draw(t, "input")] }
	op := func() {
		var in []value
		for range rapid.IntRange(1, 3).Draw(t, "inputs") {
			in = append(in, pick())
		}
		class := rapid.SampledFrom([]string{"MulBackward0", "AddBackward0", "ExpBackward0"}).Draw(t, "op")
		values = append(values, m.op(class, []int{1}, in))
	}
	for range rapid.IntRange(1, 20).Draw(t, "parts") {
		n := rapid.IntRange(1, 12).Draw(t, "ops")
		if !rapid.Bool().Draw(t, "in a module") {
			n = 1
		}
		m.in("part", rapid.SampledFrom([]string{"Linear", "Block"}).Draw(t, "class"), func() {
			for range n {
				op()
			}
		})
	}
	return m
}

// Whatever the graph and the budget, a picture has no more boxes than it may, has
// the nodes it reports, and every arrow joins two boxes.
func TestReducedPicturesAreWholePictures(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := randomGraph(rt).graph(t)
		budget := rapid.IntRange(5, 60).Draw(rt, "budget")
		for _, style := range export.Styles() {
			text, report := write(t, g, export.DOT, export.Options{Style: style, MaxNodes: budget})
			boxes, arrows := statements(text)
			if len(boxes) != report.Drawn || len(arrows) != report.DrawnEdges {
				rt.Errorf("%s: %d boxes and %d arrows, reported %d and %d", style, len(boxes), len(arrows), report.Drawn, report.DrawnEdges)
			}
			if report.Drawn > budget {
				rt.Errorf("%s: %d boxes, want at most %d: %s", style, report.Drawn, budget, report)
			}
			for _, a := range arrows {
				if !boxes[a[0]] || !boxes[a[1]] {
					rt.Errorf("%s: arrow %s -> %s has no box", style, a[0], a[1])
				}
			}
			alone := report.Nodes
			for _, f := range report.Folds {
				alone -= f.Nodes
			}
			shown := 0
			for b := range boxes {
				if strings.HasPrefix(b, "n") {
					shown++
				}
			}
			if style != export.Layers && shown != alone {
				rt.Errorf("%s: %d nodes have boxes, want %d: %s", style, shown, alone, report)
			}
		}
	})
}

// boxID is the identifier of a box.
var boxID = regexp.MustCompile(`^[ntg][0-9]+(s[0-9]+)?$`)

// statements are the boxes and arrows of a DOT text of this package.
func statements(text string) (boxes map[string]bool, arrows [][2]string) {
	boxes = map[string]bool{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) >= 3 && words[1] == "->":
			from, _, _ := strings.Cut(words[0], ":")
			to, _, _ := strings.Cut(words[2], ":")
			arrows = append(arrows, [2]string{from, to})
		case len(words) >= 2 && strings.HasPrefix(words[1], "[label=") && boxID.MatchString(words[0]):
			boxes[words[0]] = true
		}
	}
	return boxes, arrows
}

// A picture that is reduced says so itself, in each format.
func TestReducedPicturesSayWhatIsMissing(t *testing.T) {
	m, _ := lstm(50)
	g := m.graph(t)
	for _, format := range []export.Format{export.DOT, export.SVG, export.Mermaid, export.Text} {
		for _, style := range export.Styles() {
			text, report := write(t, g, format, export.Options{MaxNodes: 80, Style: style})
			want := "reduced from 704 nodes"
			if style == export.Layers && (format == export.DOT || format == export.SVG) {
				want = "reduced from 704 layers"
			}
			if !report.Reduced() || !strings.Contains(mermaidEntity.ReplaceAllStringFunc(strings.ReplaceAll(text, "&#160;", " "), decodeEntity), want) {
				t.Errorf("%s in style %s does not say that it is %s: %s", format, style, want, report)
			}
		}
	}
	text, report := write(t, g, export.DOT, export.Options{})
	if boxes, _ := statements(text); report.Reduced() || len(boxes) != report.Nodes+1 {
		t.Errorf("DOT has %d boxes by default: %s", len(boxes), report)
	}
}

func TestTextGoesSoDeep(t *testing.T) {
	m, _ := chain(30)
	text, report := write(t, m.graph(t), export.Text, export.Options{Depth: 5})
	if n := strings.Count(text, "●"); n != 5 {
		t.Errorf("%d operations, want 5:\n%s", n, text)
	}
	if !strings.Contains(text, "1 deeper branch left out") || !strings.Contains(text, "… [0] MulBackward0 n26") {
		t.Errorf("it does not say what is missing:\n%s", text)
	}
	if diff := cmp.Diff([]export.Fold{{Kind: export.FoldDepth, Boxes: 1}}, report.Folds); diff != "" {
		t.Error(diff)
	}
	text, _ = write(t, m.graph(t), export.Text, export.Options{Depth: -1})
	if n := strings.Count(text, "●"); n != 30 {
		t.Errorf("%d operations, want 30", n)
	}
}

// Branches within branches are listed further down once they are too deep.
func TestTextIsNotIndentedForEver(t *testing.T) {
	m := newMaker()
	// Each op has two inputs: a chain, and something less deep that branches in
	// turn.
	branch, depth := m.leaf("", 1), 1
	for range 25 {
		x := m.leaf("", 1)
		for range depth {
			x = m.op("ExpBackward0", []int{1}, []value{x})
		}
		branch = m.op("MulBackward0", []int{1}, []value{branch, x})
		depth += 2
	}
	text, report := write(t, m.graph(t), export.Text, export.Options{MaxNodes: -1, Depth: -1})
	widest := 0
	for line := range strings.Lines(text) {
		widest = max(widest, len([]rune(line)))
	}
	if widest > 130 {
		t.Errorf("a line of %d columns", widest)
	}
	if n := strings.Count(text, " below\n"); n == 0 {
		t.Error("nothing is listed further down")
	}
	if n := strings.Count(text, "●") + strings.Count(text, "○"); n != report.Nodes {
		t.Errorf("%d nodes are listed of %d", n, report.Nodes)
	}
}
