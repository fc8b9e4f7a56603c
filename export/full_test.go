package export_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/graph"
)

// hazard is an in-place change, through a view, of a tensor that exp saved.
func hazard() *maker {
	m := newMaker()
	a := m.leaf("a", 3)
	m.line("main")
	b := m.op("ExpBackward0", []int{3}, []value{a}, keep{name: "result", result: true})
	m.name("b", b)
	m.line("main")
	first := m.view("SelectBackward0", b)
	m.name("first", first)
	m.mutate(b)
	inner := m.node("MulBackward0", 1, []value{b}, []keep{{name: "other", v: first}})
	m.nodes++
	m.append(&graph.NodeCreated{
		Node: m.nodes, Name: m.str("CopySlices"), Sequence: m.sequence, Outputs: 1,
		Edges: []graph.Edge{{Node: b.node}}, Inner: inner,
	})
	m.append(&graph.Rebased{Tensor: b.id, OldNode: b.node, Node: m.nodes, Why: graph.RebasedBase})
	b.node = m.nodes
	m.line("main")
	m.name("part", m.view("SliceBackward0", b, 2))
	return m
}

// composed is an op that others are composed of: of their results the program has none, and
// one of them is described by something else than its node.
func composed() *maker {
	m := newMaker()
	w := m.leaf("w", 6, 3)
	m.line("main")
	within := func(class string, outputs uint32, in graph.NodeID, results ...graph.Result) graph.NodeID {
		m.nodes++
		m.append(&graph.NodeCreated{Node: m.nodes, Name: m.str(class), Sequence: m.sequence, Outputs: outputs, Edges: []graph.Edge{{Node: in}}, Results: results})
		m.sequence++
		return m.nodes
	}
	turned := within("TBackward0", 1, m.edge(w).Node, graph.Result{DType: graph.Float32, Shape: []int{3, 6}})
	split := within("UnsafeSplitBackward0", 2, turned, graph.Result{DType: graph.Float64, Shape: []int{3, 4}}, graph.Result{})
	loss := m.tensor(graph.TensorCreated{Shape: []int{}, Node: within("SumBackward0", 1, split)})
	m.name("loss", loss)
	return m
}

// looksElsewhere says what the results look like that nodes do not describe.
func looksElsewhere(_ *graph.Graph, of graph.Edge) graph.Result {
	return graph.Result{DType: graph.Float32, Shape: []int{int(of.Node), int(of.Input)}}
}

// scenes are graphs with something to see, by the name of their golden files.
var scenes = map[string]struct {
	make func(t *testing.T) *graph.Graph
	opts export.Options
	says []string // in every form for people
}{
	"pending": {
		make: func(t *testing.T) *graph.Graph {
			m, loss := mlp()
			m.backward(loss, false, 5)
			return m.graph(t)
		},
		opts: export.Options{Attrs: true},
		says: []string{"done in backward #1", "ready in backward #1", "pending in backward #1", "freed by backward #1", "model.0 (Linear)", "self_sym_sizes = (4, 1)"},
	},
	"hazard": {
		make: func(t *testing.T) *graph.Graph { return hazard().graph(t) },
		opts: export.Options{Legend: true},
		says: []string{"modified: saved at v0, now v1", "applies MulBackward0 to a part", "base of a view"},
	},
	"second": {
		make: func(t *testing.T) *graph.Graph {
			m, loss := mlp()
			m.backward(loss, false, -1)
			m.passes++
			m.append(&graph.BackwardBegan{Backward: m.passes, Roots: []graph.Root{{Tensor: loss.id, Node: loss.node}}})
			for _, n := range []graph.NodeID{loss.node, loss.node - 1} {
				m.append(&graph.NodeReady{Backward: m.passes, Node: n})
				if n == loss.node {
					m.append(&graph.NodeExecuted{Backward: m.passes, Node: n})
				}
			}
			m.append(&graph.BackwardFailed{Backward: m.passes, Node: loss.node - 1, Type: m.str("RuntimeError"), Message: "Trying to backward through the graph a second time"})
			return m.graph(t)
		},
		says: []string{"failed in backward #2", "done in backward #2", "done in backward #1", "freed by backward #1"},
	},
	"composed": {
		make: func(t *testing.T) *graph.Graph { return composed().graph(t) },
		opts: export.Options{Result: looksElsewhere},
		says: []string{"(3, 6) float32", "result 0: (3, 4) float64", "result 1: (3, 1) float32"},
	},
	"unrolled": {
		make: func(t *testing.T) *graph.Graph { m, _ := lstm(30); return m.graph(t) },
		opts: export.Options{MaxNodes: 75},
		says: []string{"26 more × 14 nodes", "364 nodes", "2 results", "reduced from 424 nodes: 364 nodes in 1 repetition", "×26"},
	},
}

func TestFullStyleShowsWhatTheTapeKnows(t *testing.T) {
	for name, scene := range scenes {
		g := scene.make(t)
		for _, format := range []export.Format{export.DOT, export.Mermaid, export.Text} {
			t.Run(name+"/"+string(format), func(t *testing.T) {
				opts := scene.opts
				if format == export.DOT {
					text, _ := write(t, g, format, opts)
					golden(t, "full/"+name+".brief.dot", text)
					opts.Attrs = true // all there is
				}
				text, _ := write(t, g, format, opts)
				golden(t, "full/"+name+"."+string(format), text)
				plain := strings.ReplaceAll(mermaidEntity.ReplaceAllStringFunc(text, decodeEntity), "</FONT>", "")
				for _, s := range scene.says {
					if !strings.Contains(plain, s) {
						t.Errorf("does not say %q", s)
					}
				}
			})
		}
	}
}

// Two passes over a picture, one with the colours taken out, differ in nothing
// that words say: what is freed, modified or pending is written out.
func TestColourIsNeverTheOnlySignal(t *testing.T) {
	for name, scene := range scenes {
		opts := scene.opts
		opts.Attrs = true
		text, _ := write(t, scene.make(t), export.DOT, opts)
		for line := range strings.Lines(text) {
			for colour, word := range map[string]string{
				"#c00000": "modified", "#e4e4e4": "freed", "#c8e6c9": "done in", "#ef9a9a": "failed in", "#ffe082": "ready in", "#f5f5f5": "pending in", "#fff3c4": "waiting for",
			} {
				if strings.Contains(line, colour) && !strings.Contains(line, word) {
					t.Errorf("%s: only a colour says that something is %s: %s", name, word, line)
				}
			}
		}
	}
}

// Views, leaves and tuples as roots, nodes of custom functions, several outputs:
// each picture has the boxes and arrows that it reports, each text all nodes.
func TestEveryRecordingCanBeDrawn(t *testing.T) {
	for _, r := range recordings(t) {
		g := parse(t, r.tape)
		opts := r.options("attrs")
		opts.Style, opts.MaxNodes, opts.Depth = export.Full, -1, -1
		for _, style := range []export.Style{export.Full, export.Layers} {
			brief := opts
			brief.Style, brief.Attrs = style, false
			checkBoxes(t, r.name+" in style "+style.String(), g, brief)
		}
		checkBoxes(t, r.name, g, opts)
		write(t, g, export.Mermaid, opts)
		text, report := write(t, g, export.Text, opts)
		nodes := 0
		for _, mark := range []string{"●", "○"} {
			nodes += strings.Count(text, mark)
		}
		if nodes != report.Nodes {
			t.Errorf("%s: the text has %d nodes, want %d:\n%s", r.name, nodes, report.Nodes, text)
		}
	}
}

// checkBoxes checks that a DOT text has the boxes and arrows that it reports, a box for each
// root, and no arrow without boxes.
func checkBoxes(t *testing.T, name string, g *graph.Graph, opts export.Options) {
	t.Helper()
	text, report := write(t, g, export.DOT, opts)
	boxes, arrows := statements(text)
	if len(boxes) != report.Drawn || len(arrows) != report.DrawnEdges {
		t.Errorf("%s: %d boxes and %d arrows, reported %d and %d", name, len(boxes), len(arrows), report.Drawn, report.DrawnEdges)
	}
	for _, a := range arrows {
		if !boxes[a[0]] || !boxes[a[1]] {
			t.Errorf("%s: arrow %s -> %s has no box", name, a[0], a[1])
		}
	}
	for _, root := range report.Roots {
		if !boxes[fmt.Sprintf("t%d", root)] {
			t.Errorf("%s: root t%d has no box", name, root)
		}
	}
}

// A pass that is asked for the gradient of h stops there.
func TestOnlyWhatAPassWillReachIsPending(t *testing.T) {
	m, loss := mlp()
	h, _ := m.at(m.tape.Len()).Lookup("h")
	m.append(&graph.BackwardBegan{Backward: 1, Flags: graph.GradOnly, Roots: []graph.Root{{Tensor: loss.id, Node: loss.node}}, Inputs: []graph.TensorID{h}})
	m.append(&graph.NodeReady{Backward: 1, Node: loss.node})
	text, _ := write(t, m.graph(t), export.JSON, export.Options{})
	var pending []string
	for _, n := range parseJSON(t, text).Nodes {
		if n.Status == "pending" {
			pending = append(pending, n.Name)
		}
	}
	if diff := cmp.Diff([]string{"TanhBackward0", "AddmmBackward0"}, pending); diff != "" {
		t.Error(diff)
	}
}

// torchviz ends with an error at a node whose buffers were freed.
func TestFreedGraphsCanBeDrawn(t *testing.T) {
	m, loss := mlp()
	m.backward(loss, false, -1)
	g := m.graph(t)
	for _, format := range export.Formats() {
		for _, style := range export.Styles() {
			write(t, g, format.Format, export.Options{Style: style, Saved: true, Attrs: true})
		}
	}
	text, _ := write(t, g, export.DOT, export.Options{Style: export.Torchviz, Saved: true, Attrs: true})
	if !strings.Contains(text, "[freed]") {
		t.Error("the labels do not say what was freed")
	}
}

// The errors of two programs of the Go engine are found in their pictures.
func TestPicturesShowWhyBackwardFails(t *testing.T) {
	for name, c := range map[string]struct {
		program func() (drawn, error)
		want    string
	}{
		"in place": {func() (drawn, error) {
			x, w := autograd.New([]float64{1, -1}), ones(2)
			loss := w.Mul(x).Sum()
			if err := x.Add_(1); err != nil {
				return drawn{}, err
			}
			if loss.Backward() == nil {
				t.Error("backward does not fail")
			}
			return drawn{roots: tensors{loss}}, nil
		}, "saved other: t1 (2) float32 <B>modified: saved at v0, now v1</B>"},
		"a second time": {func() (drawn, error) {
			h := ones(2).Exp()
			loss := h.Sum()
			if err := loss.Backward(); err != nil {
				return drawn{}, err
			}
			if loss.Backward() == nil {
				t.Error("backward does not fail")
			}
			return drawn{roots: tensors{loss}}, nil
		}, "freed by backward #1"},
	} {
		g, opts := record(t, c.program)
		text, _ := write(t, g, export.DOT, opts)
		if !strings.Contains(text, c.want) || !strings.Contains(text, "failed in backward") {
			t.Errorf("%s: the picture does not say %q:\n%s", name, c.want, text)
		}
	}
}
