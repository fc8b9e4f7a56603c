package export_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/testing/docparts"
	"pgregory.net/rapid"
)

// parameter makes a leaf that is an nn.Parameter.
func (m *maker) parameter(name string, shape ...int) value {
	v := m.tensor(graph.TensorCreated{Shape: shape, Flags: graph.FlagRequiresGrad | graph.FlagParameter})
	m.name(name, v)
	return v
}

// ran announces that an operation made a result of inputs.
func (m *maker) ran(op string, result value, inputs ...value) value {
	e := &graph.OpRan{Op: m.str(op), Outputs: []graph.TensorID{result.id}, Node: result.node}
	for _, v := range inputs {
		e.Inputs = append(e.Inputs, v.id)
	}
	m.append(e)
	return result
}

// classifier is two layers, one of which is a module of the program, and a loss: of a sliced
// batch, with reshaping on the way.
func classifier() (m *maker, loss value) {
	m = newMaker()
	w, b := m.parameter("model.fc.weight", 8, 3), m.parameter("model.fc.bias", 8)
	scale := m.parameter("model.scale", 8)
	m.line("main")
	batch, y := m.data("batch", 20, 3), m.data("y", 16)
	x := m.ran("slice", m.data("", 16, 3), batch)
	var h value
	m.in("", "Model", func() {
		m.line("Model.forward")
		m.in("fc", "Linear", func() {
			t := m.view("TBackward0", w, 3, 8)
			h = m.ran("addmm", m.op("AddmmBackward0", []int{16, 8}, []value{b, {}, t}), b, x, t)
		})
		m.line("Model.forward")
		h = m.view("ViewBackward0", h, 4, 4, 8)
		m.line("Model.forward")
		h = m.ran("mul", m.op("MulBackward0", []int{4, 4, 8}, []value{h, scale}), h, scale)
		m.line("Model.forward")
		h = m.op("ReluBackward0", []int{4, 4, 8}, []value{h}, keep{name: "result", result: true})
	})
	m.line("main")
	h = m.op("LogSoftmaxBackward0", []int{4, 4, 8}, []value{h})
	loss = m.ran("nll_loss", m.op("NllLossBackward0", []int{}, []value{h}), h, y)
	m.name("loss", loss)
	return m, loss
}

func TestLayersAreDrawnWithTheirParametersAndShapes(t *testing.T) {
	m, loss := classifier()
	m.backward(loss, false, -1)
	g := m.graph(t)
	text, _ := write(t, g, export.DOT, export.Options{Style: export.Layers})
	golden(t, "layers/classifier.dot", text)
	for _, says := range []string{
		"<B>Linear</B>", ">fc<", "weight [8, 3] · bias [8]", "<B>relu</B>", "<B>cross_entropy</B>", "scale [8]",
		"<B>batch</B>", "[20, 3]", `label=" 4×4×8 "`, `label=" 16×3 "`, "<B>y</B>", `label="Model"`, "all 10 nodes done in backward #1",
	} {
		if !strings.Contains(text, says) {
			t.Errorf("does not say %s", says)
		}
	}
	for _, hidden := range []string{"AccumulateGrad", "<B>view</B>", "<B>t</B>", "log_softmax"} {
		if strings.Contains(text, hidden) {
			t.Errorf("draws %s", hidden)
		}
	}
	dark, _ := write(t, g, export.DOT, export.Options{Style: export.Layers, Theme: export.Dark, Direction: export.Right, Legend: true})
	golden(t, "layers/classifier.dark.dot", dark)
}

// A node is in one box. Without a box are only leaves that are parameters, and views of them.
func TestEachNodeIsInOneLayer(t *testing.T) {
	check := func(t testing.TB, name string, g *graph.Graph) {
		boxes, rest := export.LayersOf(t, g)
		in := map[graph.NodeID]int{}
		for i, ids := range boxes {
			for _, id := range ids {
				if at, ok := in[id]; ok {
					t.Errorf("%s: node %d is in boxes %d and %d", name, id, at, i)
				}
				in[id] = i
			}
		}
		given := map[graph.NodeID]bool{}
		for _, id := range rest {
			n, _ := g.Node(id)
			leaf, _ := g.Tensor(n.Variable)
			given[id] = leaf.Flags&graph.FlagParameter != 0
			for _, e := range n.Edges {
				given[id] = given[id] || given[e.Node]
			}
			if !given[id] {
				t.Errorf("%s: node %d (%s) is in no box", name, id, n.Name)
			}
		}
	}
	for _, r := range recordings(t) {
		check(t, r.name, parse(t, r.tape))
	}
	m, _ := classifier()
	check(t, "classifier", m.graph(t))
	rapid.Check(t, func(rt *rapid.T) {
		check(t, "random", randomGraph(rt).graph(t))
	})
}

// norms runs a chain backward whose gradients have these norms.
func norms(values ...float64) *maker {
	m := newMaker()
	x := m.leaf("x", 1)
	for range values {
		x = m.op("MulBackward0", []int{1}, []value{x})
	}
	m.append(&graph.BackwardBegan{Backward: 1, Roots: []graph.Root{{Tensor: x.id, Node: x.node}}})
	in := 1.0
	for i, v := range values {
		node := x.node - graph.NodeID(i)
		if i == len(values)-1 {
			node = 2 // the leaf is node 1
		}
		grad := func(v float64) []graph.Grad {
			return []graph.Grad{{Shape: []int{1}, Value: graph.Value{DType: graph.Float32, Count: 1, First: []float64{v}}.Completed()}}
		}
		m.append(&graph.NodeReady{Backward: 1, Node: node})
		m.append(&graph.NodeExecuted{Backward: 1, Node: node, In: grad(in), Out: grad(v)})
		in = v
	}
	return m
}

func TestArrowsShowTheNormOfGradients(t *testing.T) {
	g := norms(1, 10, 2e4, 30, 0).graph(t)
	for _, style := range []export.Style{export.Full, export.Layers} {
		text, _ := write(t, g, export.DOT, export.Options{Style: style, Gradients: export.GradientsOn})
		for says, times := range map[string]int{"gradient ×2.0e+03": 1, "gradient 0": 1, "gradient norm, 1 to 2e+04": 1} {
			if n := strings.Count(text, says); n != times {
				t.Errorf("%s: says %q %d times, want %d:\n%s", style, says, n, times, text)
			}
		}
		widths := map[string]bool{}
		for _, w := range regexp.MustCompile(`penwidth=\S+`).FindAllString(text, -1) {
			widths[w] = true
		}
		if len(widths) != 5 { // 1, 10 and 30; the jump; nothing
			t.Errorf("%s: %d widths of arrows", style, len(widths))
		}
		off, _ := write(t, g, export.DOT, export.Options{Style: style, Gradients: export.GradientsOff})
		if strings.Contains(off, "penwidth") {
			t.Errorf("%s: arrows differ although they should not", style)
		}
	}
	plain, _ := write(t, g, export.DOT, export.Options{})
	if strings.Contains(plain, "penwidth") {
		t.Error("the full style shows gradients although it was not asked to")
	}
}

// What boxes leave out is the title of their element in the SVG, escaped like all else.
func TestPointingAtABoxInAnSVGSaysMore(t *testing.T) {
	m, loss := mlp()
	m.backward(loss, false, -1)
	text, _ := write(t, m.graph(t), export.SVG, export.Options{})
	for _, says := range []string{"AddmmBackward0 n4", "seq ", "freed by backward #1"} {
		if !regexp.MustCompile(`(?s)<title>[^<]*` + regexp.QuoteMeta(says) + `[^<]*</title>`).MatchString(text) {
			t.Errorf("no title says %q", says)
		}
	}
	checkSVG(t, text)
}

func TestDirectionsTurnPictures(t *testing.T) {
	m, _ := chain(8)
	g := m.graph(t)
	for _, style := range export.Styles() {
		for direction, tall := range map[export.Direction]bool{export.Down: true, export.Up: true, export.Left: false, export.Right: false} {
			d := drawing(t, g, export.Options{Style: style, Direction: direction})
			if (d.Height > d.Width) != tall {
				t.Errorf("%s, %s: %.0f x %.0f", style, direction, d.Width, d.Height)
			}
		}
	}
}

func TestTheStylesAreDocumented(t *testing.T) {
	var table strings.Builder
	table.WriteString("| style | what it shows |\n| --- | --- |\n")
	for _, s := range export.Styles() {
		fmt.Fprintf(&table, "| %s | %s |\n", s, s.Description())
	}
	docparts.Check(t, "../docs/use/export.md", map[string]string{"styles": table.String()}, *update)
}
