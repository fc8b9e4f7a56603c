package lookup_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/internal/testtape"
	"github.com/gradtui/gradtui/inspect/lookup"
)

// ofProgram records a program on a leaf w = [1, 2].
func ofProgram(program func(w *autograd.Tensor)) (*lookup.Index, *graph.Graph) {
	tape := graph.NewTape(graph.Limits{})
	_, stop := autograd.Record(tape)
	defer stop()
	program(autograd.New([]float64{1, 2}, autograd.RequiresGrad).SetName("w"))
	return lookup.NewIndex(tape), tape.CursorAt(tape.Len()).Graph()
}

func partsOf(t *testing.T, tr *lookup.Index, g *graph.Graph, name string) string {
	t.Helper()
	id, _ := g.Lookup(name)
	v, ok := tr.TensorAt(g, id)
	if !ok {
		t.Fatal("no tensor ", name)
	}
	var lines []string
	for _, p := range v.Parts {
		before := fmt.Sprint(p.Before.First)
		if p.None {
			before = "None"
		}
		what := p.Kind.String()
		if p.Kind == graph.KindGradAccumulated {
			what = fmt.Sprintf("pass %d %v %v", p.Pass, p.How, p.Added.Value.First)
		}
		lines = append(lines, fmt.Sprintf("%s: %s = %v", before, what, p.After.First))
	}
	return strings.Join(lines, "\n")
}

func TestPartsOfAGradient(t *testing.T) {
	backward := func(w *autograd.Tensor, factor float64) { check(w.Mul(factor).Sum().Backward()) }
	for _, c := range []struct {
		name    string
		program func(w *autograd.Tensor)
		want    string
	}{
		{"None", func(w *autograd.Tensor) { backward(w, 1); w.SetGrad(nil) }, ""},
		{"two passes", func(w *autograd.Tensor) { backward(w, 2); backward(w, 3) },
			"None: pass 1 steal [2 2] = [2 2]\n[2 2]: pass 2 inplace [3 3] = [5 5]"},
		{"None between them", func(w *autograd.Tensor) { backward(w, 2); w.SetGrad(nil); backward(w, 3) },
			"None: pass 2 steal [3 3] = [3 3]"},
		{"zero between them", func(w *autograd.Tensor) {
			backward(w, 2)
			withoutGrad(func() error { return w.Grad().Zero_() })
			backward(w, 3)
			backward(w, 1)
		}, "[0 0]: pass 2 inplace [3 3] = [3 3]\n[3 3]: pass 3 inplace [1 1] = [4 4]"},
		{"scaled between them", func(w *autograd.Tensor) {
			backward(w, 2)
			withoutGrad(func() error { return w.Grad().Mul_(0.5) })
			backward(w, 3)
		}, "None: pass 1 steal [2 2] = [2 2]\n[2 2]: mutated = [1 1]\n[1 1]: pass 2 inplace [3 3] = [4 4]"},
		{"assigned", func(w *autograd.Tensor) {
			backward(w, 2)
			w.SetGrad(autograd.New([]float64{7, 8}))
			backward(w, 3)
		}, "[]: grad-assigned = [7 8]\n[7 8]: pass 2 inplace [3 3] = [10 11]"},
	} {
		tr, g := ofProgram(c.program)
		if diff := cmp.Diff(c.want, partsOf(t, tr, g, "w")); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
	tr, g := ofProgram(func(w *autograd.Tensor) {
		h := w.Mul(2).SetName("h")
		check(h.RetainGrad())
		check(h.Sum().Backward(autograd.RetainGraph))
		check(h.Sum().Backward())
	})
	if diff := cmp.Diff("None: pass 1 retain [1 1] = [1 1]\n[1 1]: pass 2 retain [1 1] = [2 2]", partsOf(t, tr, g, "h")); diff != "" {
		t.Errorf("a tensor that is not a leaf:\n%s", diff)
	}
}

// Operands 1 and 2 are leaves that require grad, 3 and 4 need no gradient.
func TestAnEdgeIsMatchedWithItsOperandOrLeftUnknown(t *testing.T) {
	for _, c := range []struct{ what, inputs, edges, want string }{
		{"both", "[1,2]", "[(node=1),(node=2)]", "1 2"},
		{"one of two", "[1,3]", "[(node=1),()]", "1 3"},
		{"the other one", "[3,1]", "[(),(node=1)]", "3 1"},
		{"twice the same", "[1,1]", "[(node=1),(node=1)]", "1 1"},
		{"twice the same and another", "[1,3,1]", "[(node=1),(),(node=1)]", "1 3 1"},
		{"a condition, which no edge belongs to", "[3,1,2]", "[(node=1),(node=2)]", "1 2"},
		{"a condition, and one operand", "[3,1,4]", "[(node=1),()]", "1 4"},
		{"a condition or an operand", "[3,4,1]", "[(),(node=1)]", "? 1"},
		{"None", "[1,2,0]", "[(node=1),(node=2),()]", "1 2 0"},
		{"statistics behind", "[1,0,0,3,4]", "[(node=1),(),()]", "1 ? ?"},
		{"another order", "[2,1]", "[(node=1),(node=2)]", "1 2"},
		{"not an operand: a step within the operation read it", "[3]", "[(node=1)]", "1"},
	} {
		tape := testtape.FromText(t, `
+0s tensor-created tensor=1 storage=1 counter=1 dtype=float32 flags=requires_grad
+0s tensor-created tensor=2 storage=2 counter=2 dtype=float32 flags=requires_grad
+0s tensor-created tensor=3 storage=3 counter=3 dtype=float32
+0s tensor-created tensor=4 storage=4 counter=4 dtype=float32
+0s node-created node=1 name="AccumulateGrad" outputs=1 variable=1
+0s node-created node=2 name="AccumulateGrad" outputs=1 variable=2
+0s node-created node=3 name="Backward0" outputs=1 edges=`+c.edges+`
+0s op-ran op="f" inputs=`+c.inputs+` node=3
`)
		v, _ := lookup.NewIndex(tape).NodeAt(tape.CursorAt(tape.Len()).Graph(), 3)
		var got []string
		for _, o := range v.Edges {
			if o.Forward.Known {
				got = append(got, fmt.Sprint(o.Forward.Tensor))
			} else {
				got = append(got, "?")
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %s, want %s", c.what, text, c.want)
		}
	}
}

// PyTorch makes several nodes in one operation: only the last of them has a result.
func TestAnEdgeOfAnInnerNodeHasTheTensorWhoseGradientGoesOverIt(t *testing.T) {
	tape := testtape.FromText(t, `
+0s tensor-created tensor=1 storage=1 counter=1 dtype=float32 shape=[4,6] flags=requires_grad
+0s tensor-created tensor=2 storage=2 counter=2 dtype=float32 shape=[2,6] flags=requires_grad
+0s node-created node=1 name="AccumulateGrad" outputs=1 variable=1
+0s node-created node=2 name="AccumulateGrad" outputs=1 variable=2
+0s node-created node=3 name="TanhBackward0" sequence=1 outputs=1 edges=[(node=1)]
+0s tensor-created tensor=3 storage=3 counter=3 dtype=float32 shape=[4,6] node=3
+0s op-ran op="tanh" inputs=[1] outputs=[3] node=3
+0s node-created node=4 name="TBackward0" sequence=2 outputs=1 edges=[(node=2)]
+0s node-created node=5 name="ViewBackward0" sequence=3 outputs=1 edges=[(node=3)]
+0s node-created node=6 name="MmBackward0" sequence=4 outputs=1 edges=[(node=5),(node=4)]
+0s tensor-created tensor=4 storage=4 counter=4 dtype=float32 shape=[4,2] node=6
+0s op-ran op="linear" inputs=[3,2] outputs=[4] node=6
`)
	tr, g := lookup.NewIndex(tape), tape.CursorAt(tape.Len()).Graph()
	for node, want := range map[graph.NodeID][]string{4: {"2 [2, 6]"}, 5: {"3 [4, 6]"}, 6: {"?", "?"}} {
		v, _ := tr.NodeAt(g, node)
		var got []string
		for _, o := range v.Edges {
			if o.Forward.Known {
				got = append(got, fmt.Sprint(o.Forward.Tensor, " ", inspect.ShapeText(o.Forward.Shape)))
			} else {
				got = append(got, "?")
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("n%d (-want +got):\n%s", node, diff)
		}
	}
}

func TestTheHistoryOfATensorIsToldInWords(t *testing.T) {
	tape := testtape.FromText(t, testtape.TwoWays)
	g := tape.CursorAt(tape.Len()).Graph()
	tr := lookup.NewIndex(tape)
	for id, want := range map[graph.TensorID]string{
		1: `made by the program: float32 of shape [2], requires_grad
named w
used by detach, which made d (t3)
its values went into d (t3) without their history (detach)
AccumulateGrad (n1) will collect its gradient
used by mul, which made loss (t4)
backward pass 1 brought norm 5; .grad became norm 5
modified in place, from version 0 to 1
changed by add_
modified in place, from version 1 to 2
changed by mul_`,
		3: `made as the result of detach: float32 of shape [2]
made by detach of w (t1)
its values come from w (t1) without their history (detach)
named d
saved by MulBackward0 (n2) as other, at version 0
used by mul, which made loss (t4)
modified in place through w (t1), from version 0 to 1
modified in place through w (t1), from version 1 to 2`,
		4: `made as the result of mul: float32 of shape [2], grad_fn MulBackward0 (n2)
made by mul of w (t1), d (t3)
named train.loss
backward pass 1 began here`,
	} {
		v, _ := tr.TensorAt(g, id)
		var lines []string
		for _, at := range v.Events {
			lines = append(lines, tr.TensorEvent(g, id, at).Text)
		}
		if diff := cmp.Diff(want, strings.Join(lines, "\n")); diff != "" {
			t.Errorf("t%d:\n%s", id, diff)
		}
	}
}

// A result is described by its tensor, by its node, or by a gradient that came for it.
func TestWhatAResultLooksLikeIsFoundWhereverItIsSaid(t *testing.T) {
	tape := testtape.FromText(t, `
+0s tensor-created tensor=1 storage=1 counter=1 dtype=float32 shape=[4,6] flags=requires_grad
+0s node-created node=1 name="AccumulateGrad" outputs=1 variable=1
+0s node-created node=2 name="TBackward0" outputs=1 edges=[(node=1)] results=[(dtype=float16 shape=[6,4])]
+0s node-created node=3 name="ExpandBackward0" outputs=1 edges=[(node=2)]
+0s node-created node=4 name="SplitBackward0" outputs=2 edges=[(node=3)]
+0s tensor-created tensor=2 storage=2 counter=2 dtype=float64 shape=[6,2] node=4 output=1
+0s op-ran op="f" inputs=[1] outputs=[2] node=4
+0s node-created node=5 name="AddBackward0" outputs=1 edges=[(node=4 input=1)]
+0s rebased tensor=2 old_node=4 old_output=1 node=5 why=inplace
+0s op-ran op="add_" inputs=[2] outputs=[2] mutated=[2] node=5
+0s backward-began backward=1 roots=[(tensor=2 node=5)]
+0s grad-arrived backward=1 node=3 grad=(shape=[2,6,4] dtype=float64 count=48)
`)
	tr := lookup.NewIndex(tape)
	looks := func(end graph.Pos) (got []string) {
		g := tape.CursorAt(end).Graph()
		for _, e := range []graph.Edge{{Node: 1}, {Node: 2}, {Node: 3}, {Node: 4}, {Node: 4, Input: 1}, {Node: 5}, {Node: 6}, {Node: 2, Input: 1}} {
			r := tr.Result(g, e)
			got = append(got, fmt.Sprintf("%d.%d %s %v", e.Node, e.Input, r.DType, r.Shape))
			if v, ok := tr.NodeAt(g, e.Node); ok && int(e.Input) < len(v.Inputs) && !cmp.Equal(v.Inputs[e.Input].Looks, r) {
				t.Errorf("the view of node %d has %v, not %v", e.Node, v.Inputs[e.Input].Looks, r)
			}
		}
		return got
	}
	want := []string{"1.0 float32 [4 6]", "2.0 float16 [6 4]", "3.0 none []", "4.0 none []", "4.1 float64 [6 2]", "5.0 float64 [6 2]", "6.0 none []", "2.1 none []"}
	if diff := cmp.Diff(want, looks(tape.Len()-1)); diff != "" {
		t.Errorf("before a gradient came (-want +got):\n%s", diff)
	}
	want[2] = "3.0 float64 [2 6 4]"
	if diff := cmp.Diff(want, looks(tape.Len())); diff != "" {
		t.Errorf("when one has come (-want +got):\n%s", diff)
	}
	v, _ := tr.NodeAt(tape.CursorAt(tape.Len()).Graph(), 3)
	if s := v.Edges[0].Forward; s.Known || s.DType != graph.Float16 || !cmp.Equal(s.Shape, []int{6, 4}) {
		t.Errorf("what went over an inner edge looks like %v", s)
	}
}

func TestAValueThatIsMissingIsExplained(t *testing.T) {
	recorded, builtin := graph.NewTape(graph.Limits{}), graph.NewTape(graph.Limits{})
	recorded.SetInfo(graph.Info{Engine: "torch 2.6.0"})
	builtin.SetInfo(graph.Info{Engine: "builtin"})
	for _, c := range []struct {
		tape *graph.Tape
		of   graph.Tensor
		want string
	}{
		{recorded, graph.Tensor{Device: "cpu", DType: graph.Float32, Shape: []int{2, 4}}, "like earlier ones; the debugger reads it (gradtui run PROGRAM), and --values full records it"},
		{recorded, graph.Tensor{Device: "cpu", DType: graph.Float32, Shape: []int{3, 3}}, "it has more than 8 elements; the debugger reads it (gradtui run PROGRAM), and --values full records it"},
		{recorded, graph.Tensor{Device: "cpu", DType: graph.Float32, Shape: []int{5000, 1000}}, "it has more than 4194304 elements; the debugger reads it while you step"},
		{recorded, graph.Tensor{Device: "cuda:0", DType: graph.Float32}, "it is on cuda:0, and reading it would wait for the device; the debugger reads it (gradtui run PROGRAM), and --values full records it"},
		{recorded, graph.Tensor{Device: "meta", DType: graph.Float32}, "tensors on meta have no elements"},
		{recorded, graph.Tensor{Device: "cpu", DType: graph.Complex64}, "gradtui does not read elements of dtype complex64"},
		{builtin, graph.Tensor{Device: "cpu", DType: graph.Float32, Shape: []int{3, 3}}, "not recorded"},
	} {
		if got := lookup.NoValue(c.tape, c.of); !strings.HasPrefix(got, "not recorded") || !strings.HasSuffix(got, c.want) {
			t.Errorf("%v: %q, want %q", c.of, got, c.want)
		}
	}
}
