// Package inplace shows the most common error of autograd: a tensor that a node
// saved for its backward formula is modified in place before backward runs.
// PyTorch names the type and shape of the tensor; the tape also knows the line
// that saved it and the one that changed it.
package inplace

import (
	"fmt"
	"io"

	"github.com/gradtui/gradtui/autograd"
)

// integrator moves a particle with a velocity.
type integrator struct{ dt float64 }

// advance changes the caller's position in place, which is the mistake: returning
// pos.Add(...), a new tensor, would leave the saved one alone.
func (in integrator) advance(pos, vel *autograd.Tensor) error {
	return pos.Add_(vel.Mul(in.dt))
}

// Run fails in backward.
func Run(out io.Writer) error {
	stiffness := autograd.New([]float64{0.5, 2}, autograd.RequiresGrad)
	pos := autograd.New([]float64{1, -1})
	vel := autograd.New([]float64{0, 1})
	step := integrator{dt: 0.1}
	loss := autograd.New(0.0)
	for t := range 2 {
		if err := step.advance(pos, vel); err != nil {
			return err
		}
		force := stiffness.Mul(pos) // saves pos
		loss = loss.Add(force.Pow(2).Sum())
		fmt.Fprintf(out, "t=%d pos=%v loss=%.4f\n", t, pos, loss)
	}
	return loss.Backward()
}
