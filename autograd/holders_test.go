package autograd_test

import (
	"slices"
	"testing"

	ag "github.com/gradtui/gradtui/autograd"
)

func TestHoldersAreFoundAsPyTorchHolds(t *testing.T) {
	leaf := func() *ag.Tensor { return ag.Ones([]int{2}).RequiresGrad_(true) }
	x, y, z, data, w := leaf(), leaf(), leaf(), ag.Ones([]int{2}), leaf()
	sum := x.Mul(data).Sum()
	view := y.Select(0, 0)
	exp := w.Exp()
	node, err := exp.Sum().GradFn()
	if err != nil {
		t.Fatal(err)
	}
	roots := []any{x, sum, z, view, node}
	wanted := []*ag.Tensor{x, y, z, data, exp, w}
	want := []any{sum, view, nil, sum, nil, node}
	steps := 1000
	got, all := ag.Holders(wanted, slices.Values(roots), &steps)
	if !all || !slices.Equal(got, want) {
		t.Errorf("got %v, %v", got, all)
	}
	steps = 1
	if got, all = ag.Holders(wanted, slices.Values(roots), &steps); all || steps >= 0 || got[1] != nil {
		t.Errorf("with one step %v, %v, %d left", got, all, steps)
	}
	if err := sum.Backward(); err != nil {
		t.Fatal(err)
	}
	steps = 1000
	got, _ = ag.Holders([]*ag.Tensor{x, data, x.Grad()}, slices.Values([]any{sum, x}), &steps)
	if got[0] != sum || got[1] != nil || got[2] != sum {
		t.Errorf("after the pass %v", got)
	}
	if !z.IsFresh() || x.IsFresh() || data.IsFresh() {
		t.Error("a fresh leaf must require grad and not have been in a graph")
	}
}
