package autograd_test

import (
	"runtime"
	"testing"

	. "github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/graph"
)

// TestDeepGraphsNeedNoDeepStack runs chains of very many nodes: backward, a
// second backward that runs only the nodes that lead to an input, and releasing
// the graph.
func TestDeepGraphsNeedNoDeepStack(t *testing.T) {
	const depth = 200_000
	x := Ones([]int{1}).RequiresGrad_(true)
	y := x
	for range depth {
		y = y.Mul(1)
	}
	if err := y.Backward(RetainGraph); err != nil {
		t.Fatal(err)
	}
	if got := x.Grad().Float64s()[0]; got != 1 {
		t.Errorf("the gradient is %v, want 1", got)
	}
	if gs, err := Grad([]*Tensor{y}, []*Tensor{x}); err != nil || gs[0].Float64s()[0] != 1 {
		t.Errorf("grad gives %v, %v", gs, err)
	}
	if err := y.Backward(); err == nil {
		t.Error("the graph was not freed")
	}
	y = nil
	runtime.GC()
}

// TestRecordingMeetsADeepGraph starts recording after a long chain exists: the
// whole chain is recorded, and the folded tape is equal to the engine's state.
func TestRecordingMeetsADeepGraph(t *testing.T) {
	const depth = 20_000
	x := Ones([]int{1}).RequiresGrad_(true)
	y := x
	for range depth {
		y = y.Mul(1)
	}
	tape := graph.NewTape(graph.Limits{})
	r, stop := Record(tape)
	defer stop()
	w := NewWitness(tape, r)
	if err := y.Sum().Backward(); err != nil {
		t.Fatal(err)
	}
	checkTape(t, tape, w)
}
