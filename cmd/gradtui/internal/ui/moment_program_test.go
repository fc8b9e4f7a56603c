package ui

import (
	"testing"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/optim"
	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/graph"
)

// steps is a training of three steps; the third has an operation more, and the second prints.
func steps(factor float64) func() error {
	return func() error {
		w := autograd.New([]float64{1, 2}, autograd.RequiresGrad)
		opt, err := optim.NewSGD([]*autograd.Tensor{w}, optim.LR(0.1))
		if err != nil {
			return err
		}
		for step := range 3 {
			if err := opt.ZeroGrad(); err != nil {
				return err
			}
			h := w.Mul(factor)
			if step == 2 {
				h = h.Exp()
			}
			loss := h.Pow(2).Sum()
			if err := loss.Backward(); err != nil {
				return err
			}
			if err := opt.Step(); err != nil {
				return err
			}
		}
		return nil
	}
}

func trainedBy(t testing.TB, program func() error) *graph.Tape {
	t.Helper()
	tape := graph.NewTape(graph.Limits{})
	if err := capture.Local(tape, nil, nil, program); err != nil {
		t.Fatal(err)
	}
	return tape
}
