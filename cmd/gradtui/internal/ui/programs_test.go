package ui

import (
	"testing"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/graph"
)

// programs do what the examples do not: each is one thing that can happen to a backward
// pass.
var programs = map[string]func() error{
	"retain_graph": retainGraph,
	"create_graph": createGraph,
	"hooks":        halve,
	"grad":         gradOnly,
	"shared leaf":  sharedLeaf,
}

// retainGraph walks a graph twice; the second pass frees it.
func retainGraph() error {
	w := autograd.New([]float64{1, 2}, autograd.RequiresGrad)
	x := autograd.New([]float64{3, 4})
	loss := w.Mul(x).Pow(2).Sum()
	if err := loss.Backward(autograd.RetainGraph); err != nil {
		return err
	}
	return loss.Backward()
}

// createGraph takes the gradient of a gradient.
func createGraph() error {
	x := autograd.New([]float64{1, 2}, autograd.RequiresGrad)
	y := x.Pow(3).Sum()
	gs, err := autograd.Grad([]*autograd.Tensor{y}, []*autograd.Tensor{x}, autograd.CreateGraph)
	if err != nil {
		return err
	}
	penalty := gs[0].Pow(2).Sum()
	return penalty.Backward()
}

// halve has a hook that halves a gradient on its way.
func halve() error {
	w := autograd.New([]float64{1, 2}, autograd.RequiresGrad)
	h := w.Mul(w)
	if _, err := h.RegisterHook(func(g *autograd.Tensor) *autograd.Tensor { return g.Mul(0.5) }); err != nil {
		return err
	}
	loss := h.Sum()
	return loss.Backward()
}

// gradOnly returns a gradient, and no .grad changes.
func gradOnly() error {
	w := autograd.New([]float64{1, 2}, autograd.RequiresGrad)
	b := autograd.New(0.5, autograd.RequiresGrad)
	h := w.Mul(2)
	loss := h.Add(b).Pow(2).Sum()
	_, err := autograd.Grad([]*autograd.Tensor{loss}, []*autograd.Tensor{h})
	return err
}

// sharedLeaf has a leaf that is used three times gets its gradient in parts, and adds a second
// pass to it.
func sharedLeaf() error {
	w := autograd.New([]float64{1, 2}, autograd.RequiresGrad)
	h := w.Mul(w)
	loss := h.Add(w).Sum()
	if err := loss.Backward(); err != nil {
		return err
	}
	again := w.Exp().Sum()
	return again.Backward()
}

// ran is the tape of a program.
func ran(t testing.TB, name string) *graph.Tape {
	t.Helper()
	tape := graph.NewTape(graph.Limits{})
	if err := capture.Local(tape, nil, nil, programs[name]); err != nil {
		t.Fatal(err)
	}
	return tape
}

// smallTapes are short recordings by name: examples, and the programs.
func smallTapes(t testing.TB) map[string]*graph.Tape {
	tapes := map[string]*graph.Tape{}
	for _, name := range []string{"inplace", "second-backward", "custom"} {
		tapes[name] = recorded(t, name)
	}
	for name := range programs {
		tapes[name] = ran(t, name)
	}
	return tapes
}
