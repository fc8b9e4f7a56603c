// Package nbody trains a particle simulation: marbles are attracted by heavy
// nodes, and the masses and starting velocities are parameters. The loss asks a
// marble to end at a given place, so the gradient flows back through all time
// steps. This is the kind of program for which reading a graph by eye ends and a
// debugger begins: the graph has one block for each step.
package nbody

import (
	"fmt"
	"io"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/optim"
)

const (
	steps    = 8
	dt       = 0.1
	softness = 0.1 // keeps close encounters finite
	epochs   = 30
)

// system holds the particles: positions [n, 2], velocities [n, 2], masses [n].
type system struct{ pos, vel, mass *autograd.Tensor }

// acceleration is Newton's law for all pairs at once: [n, 2].
func (s system) acceleration() *autograd.Tensor {
	diff := s.pos.Unsqueeze(0).Sub(s.pos.Unsqueeze(1)) // [n, n, 2]: from i to j
	dist2 := diff.Pow(2).Sum(autograd.Dim(-1)).Add(softness)
	pull := s.mass.Div(dist2.Pow(1.5)) // [n, n]
	return diff.Mul(pull.Unsqueeze(-1)).Sum(autograd.Dim(1))
}

// advance takes one step and returns a new system: nothing is changed in place,
// so every step stays in the graph.
func (s system) advance() system {
	vel := s.vel.Add(s.acceleration().Mul(dt))
	pos := s.pos.Add(vel.Mul(dt))
	return system{pos, vel, s.mass}
}

// simulate runs the system and returns the final positions.
func simulate(s system) *autograd.Tensor {
	for range steps {
		s = s.advance()
	}
	return s.pos
}

// miss is how far from the target particle 0 ends, squared: a scalar. Its
// gradient says how a heavier node or a faster start would have changed that.
func miss(s system, target *autograd.Tensor) *autograd.Tensor {
	return simulate(s).Select(0, 0).Sub(target).Pow(2).Sum()
}

// Run trains the simulation.
func Run(out io.Writer) error {
	start := autograd.New([][]float64{{0, 0}, {1, 0.5}, {-0.5, 1}})
	velocity := autograd.New([][]float64{{0, 0}, {0, 0}, {0, 0}}, autograd.RequiresGrad)
	mass := autograd.New([]float64{0.1, 1, 1}, autograd.RequiresGrad)
	target := autograd.New([]float64{0.8, 0.9})
	adam, err := optim.NewAdam([]*autograd.Tensor{velocity, mass}, optim.LR(0.05))
	if err != nil {
		return err
	}
	for epoch := range epochs {
		if err := adam.ZeroGrad(); err != nil {
			return err
		}
		loss := miss(system{start, velocity, mass}, target)
		if err := loss.Backward(); err != nil {
			return err
		}
		if epoch%10 == 0 || epoch == epochs-1 {
			fmt.Fprintf(out, "epoch %2d  loss %.4f  mass.grad %v\n", epoch, loss, mass.Grad())
		}
		if err := adam.Step(); err != nil {
			return err
		}
	}
	fmt.Fprintln(out, "masses:", mass.Detach())
	return nil
}
