package python_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/lookup"
)

const composed = `
import torch
m = torch.nn.Linear(3, 5)
h = m(torch.ones(4, 3))
torch.nn.functional.cross_entropy(h, torch.tensor([0, 1, 2, 3])).backward()
`

// TestNodesWithinAnOperationHaveShapes: PyTorch tells since 2.1, before that a gradient does.
func TestNodesWithinAnOperationHaveShapes(t *testing.T) {
	eachRelease(t, func(t *testing.T, r *release) {
		tape, _ := r.recordSource(t, composed)
		trace, g := lookup.NewIndex(tape), tape.CursorAt(tape.Len()).Graph()
		got := map[string]string{}
		for n := range g.Nodes() {
			looks := trace.Result(g, graph.Edge{Node: n.ID})
			got[n.Name] = fmt.Sprint(looks.DType, " ", looks.Shape, " ", len(n.Results))
		}
		described := 1
		if r.version == oldest {
			described = 0
		}
		want := map[string]string{
			"AccumulateGrad": "float32 [5] 0", "AddmmBackward0": "float32 [4 5] 0", "NllLossBackward0": "float32 [] 0",
			"TBackward0": fmt.Sprint("float32 [3 5] ", described), "LogSoftmaxBackward0": fmt.Sprint("float32 [4 5] ", described),
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

const scaledGradient = `
import torch
class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 1
    @staticmethod
    def backward(ctx, grad):
        scaled = grad.clone()
        scaled.mul_(2.0)
        return scaled
w = torch.ones(4, requires_grad=True)
for step in range(2):
    Scale.apply(w).sum().backward()
`

// TestAGradientIsKeptAtTheLineOfThePass, not at the line of the operation before, which a Function
// of the program may have called.
func TestAGradientIsKeptAtTheLineOfThePass(t *testing.T) {
	eachRelease(t, func(t *testing.T, r *release) {
		tape, _ := r.recordSource(t, scaledGradient)
		var got []string
		for p := range tape.Len() {
			h, e, err := tape.At(p)
			if err != nil {
				t.Fatal(err)
			}
			line := tape.Stack(h.Stack).Top().Line
			switch e := e.(type) {
			case *graph.TensorCreated:
				if e.Flags&graph.FlagGradient != 0 {
					got = append(got, fmt.Sprint("gradient at line ", line))
				}
			case *graph.Mutated:
				got = append(got, fmt.Sprint("change at line ", line))
			}
		}
		want := []string{"change at line 10", "gradient at line 14", "change at line 10", "change at line 14"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}
