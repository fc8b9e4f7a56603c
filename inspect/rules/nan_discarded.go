package rules

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// A spread is what was computed from gradients that are not finite and that autograd.grad gave to the
// program. A sampler that rejects a step, or a loop that skips a batch, looks at such values and
// drops them.
type spread struct {
	check *inspect.Checker
	alive map[graph.TensorID]bool // what the program still has
	used  bool                    // a backward pass, a .grad or an array got some of it
}

// add adds a tensor that may not be finite.
func (s *spread) add(t graph.TensorID) {
	g, ok := s.check.Graph().Tensor(t)
	if ok && g.DType != graph.Bool && (!g.Value.Known() || !g.Value.Finite()) {
		s.alive[t] = true
	}
}

func (s *spread) event(e graph.Event) {
	reached := func(ts []graph.TensorID) bool {
		return slices.ContainsFunc(ts, func(t graph.TensorID) bool { return s.alive[t] })
	}
	switch e := e.(type) {
	case *graph.OpRan:
		if !reached(e.Inputs) {
			return
		}
		for _, t := range e.Outputs {
			s.add(t)
		}
		for _, t := range e.Mutated {
			for _, other := range s.check.Sharing(s.check.Tensor(t).Storage) {
				if s.check.Tensor(other).Released < 0 {
					s.add(other)
				}
			}
		}
	case *graph.LineageCut:
		switch {
		case !reached(e.Inputs):
		case e.Output != 0:
			s.add(e.Output)
		default: // a single number may be for a test
			s.used = s.used || slices.ContainsFunc(e.Inputs, func(t graph.TensorID) bool { return numel(s.check.Tensor(t).Shape) > 1 })
		}
	case *graph.Mutated:
		if e.Value.Known() && e.Value.Finite() {
			delete(s.alive, e.Tensor)
		}
	case *graph.TensorReleased:
		delete(s.alive, e.Tensor)
	case *graph.BackwardBegan:
		s.used = s.used || slices.ContainsFunc(e.Roots, func(r graph.Root) bool { return s.alive[r.Tensor] })
	case *graph.GradAssigned:
		s.used = s.used || s.alive[e.Grad]
	}
}

// discarded reports whether the program has dropped everything.
func (s *spread) discarded() bool { return !s.used && len(s.alive) == 0 }
