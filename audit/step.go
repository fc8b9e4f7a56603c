package audit

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// Steps finds the iterations of a program that have backward passes which reach leaves, in order.
//
// An iteration begins where the innermost loop around its first backward pass comes to its beginning: behind the
// last event of that loop's function that lies at the pass's line or below, and not above the loop. Without a loop
// it begins with the first operation that reads a leaf. Passes with no such beginning between them belong to
// one step.
func Steps(tape *graph.Tape) []Step {
	s := &searcher{tape: tape, history: inspect.ReadHistory(tape, tape.Len(), inspect.Options{})}
	return s.steps()
}

type searcher struct {
	tape    *graph.Tape
	history *inspect.History
	headers []graph.Header
}

func (s *searcher) steps() (steps []Step) {
	dec := s.tape.NewDecoder()
	ids := map[graph.BackwardID]graph.Pos{}
	s.headers = make([]graph.Header, s.tape.Len())
	first := graph.Pos(-1) // operation that reads a leaf
	leaves := map[graph.TensorID]bool{}
	var began []graph.Pos
	ends := map[graph.Pos]graph.Pos{}
	for p := range s.tape.Len() {
		h, e, err := dec.Brief(p)
		if err != nil {
			break
		}
		s.headers[p] = h
		switch e := e.(type) {
		case *graph.TensorCreated:
			leaves[e.Tensor] = e.Flags&graph.FlagRequiresGrad != 0 && e.Node == 0
		case *graph.RequiresGrad:
			leaves[e.Tensor] = e.To
		case *graph.OpRan:
			if first < 0 && len(e.Mutated) == 0 && slices.ContainsFunc(e.Inputs, func(t graph.TensorID) bool { return leaves[t] }) {
				first = p
			}
		case *graph.BackwardBegan:
			ids[e.Backward] = p
		case *graph.GradAccumulated:
			if b, ok := ids[e.Backward]; ok && !slices.Contains(began, b) {
				began = append(began, b)
			}
		case *graph.BackwardEnded:
			ends[ids[e.Backward]] = p + 1
		}
	}
	for _, b := range began {
		end, ok := ends[b]
		if !ok {
			continue // it failed
		}
		begin := s.begin(b, first)
		if n := len(steps); n > 0 && begin < steps[n-1].End {
			steps[n-1].End = end
			continue
		}
		steps = append(steps, Step{len(steps) + 1, begin, end})
	}
	return steps
}

// begin returns where the iteration of a backward pass begins.
func (s *searcher) begin(pass, first graph.Pos) graph.Pos {
	stack := s.tape.Stack(s.headers[pass].Stack)
	for i, f := range stack {
		if inspect.IsLibrary(f.File) {
			continue
		}
		loop, ok := s.history.LoopAround(f.File, f.Line)
		if !ok {
			continue
		}
		outer := stack[i+1:]
		for p := pass - 1; p >= 0; p-- {
			if s.headers[p].Stack == 0 {
				continue
			}
			line, ok := lineIn(s.tape.Stack(s.headers[p].Stack), f, outer)
			if !ok || line < loop || line >= f.Line && !s.sameVisit(p, pass, f, outer) {
				return p + 1
			}
		}
		return 0
	}
	return max(first, 0)
}

// sameVisit reports whether all events between two are at the same line: a loop in one line, or a call that
// takes several backward passes.
func (s *searcher) sameVisit(p, pass graph.Pos, f graph.Frame, outer graph.Stack) bool {
	for q := p; q < pass; q++ {
		if s.headers[q].Stack == 0 {
			continue
		}
		if line, ok := lineIn(s.tape.Stack(s.headers[q].Stack), f, outer); !ok || line != f.Line {
			return false
		}
	}
	return true
}

// lineIn returns the line that a call stack has in a function that was called as outer says.
func lineIn(stack graph.Stack, f graph.Frame, outer graph.Stack) (line int, ok bool) {
	i := len(stack) - len(outer) - 1
	if i < 0 || stack[i].File != f.File || stack[i].Func != f.Func {
		return 0, false
	}
	return stack[i].Line, true
}
