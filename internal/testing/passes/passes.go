// Package passes runs random programs with backward passes on package autograd, for tests
// that predict in which order nodes run.
package passes

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/autograd"
)

// Random runs operators on tensors of two elements, and two backward passes: from one root
// or several, for all leaves, for some, or for gradients that are returned.
func Random(t *rapid.T) error {
	pool := []*autograd.Tensor{}
	for range rapid.IntRange(1, 4).Draw(t, "leaves") {
		pool = append(pool, autograd.New([]float64{1, 2}, autograd.RequiresGrad))
	}
	leaves := slices.Clone(pool)
	pick := func() *autograd.Tensor { return rapid.SampledFrom(pool).Draw(t, "tensor") }
	for range rapid.IntRange(1, 30).Draw(t, "operators") {
		var made []*autograd.Tensor
		switch rapid.IntRange(0, 4).Draw(t, "operator") {
		case 0:
			made = append(made, pick().Mul(pick()))
		case 1:
			made = append(made, pick().Add(pick()))
		case 2:
			made = append(made, pick().Sin())
		case 3:
			var parts []*autograd.Tensor
			for range rapid.IntRange(1, 5).Draw(t, "parts") {
				parts = append(parts, pick())
			}
			made = append(made, autograd.Stack(parts).Sum(autograd.Dim(0)))
		case 4:
			parts, err := pick().Unbind()
			if err != nil {
				return err
			}
			for _, p := range parts {
				made = append(made, p.Mul(pick()))
			}
		}
		pool = append(pool, made...)
	}
	for range 2 {
		var roots, grads []*autograd.Tensor
		for range rapid.IntRange(1, 3).Draw(t, "roots") {
			roots = append(roots, pick())
			grads = append(grads, autograd.Ones([]int{2}))
		}
		opts := []autograd.Option{autograd.RetainGraph}
		var err error
		switch rapid.IntRange(0, 2).Draw(t, "pass") {
		case 0:
			err = autograd.BackwardAll(roots, grads, opts...)
		case 1:
			opts = append(opts, autograd.Inputs(rapid.SampledFrom(leaves).Draw(t, "input")))
			err = autograd.BackwardAll(roots, grads, opts...)
		case 2: // inputs may be results
			opts = append(opts, autograd.GradOutputs(grads...), autograd.AllowUnused)
			_, err = autograd.Grad(roots, []*autograd.Tensor{pick(), pick()}, opts...)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
