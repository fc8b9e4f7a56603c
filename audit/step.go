package audit

import (
	"cmp"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// steps finds the iterations of a program that have backward passes which reach leaves, in order.
//
// An iteration begins where the innermost loop around its first backward pass comes to its beginning: behind the
// last event of that loop's function that lies behind the pass in the program, and not above the loop. Without a loop
// it begins with the first operation that reads a leaf. Passes with no such beginning between them belong to
// one step.
func steps(h *inspect.History) []Step {
	s := &searcher{tape: h.Tape(), history: h}
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
		earlier := false // there was something before the pass in its iteration
		for p := pass - 1; p >= 0; p-- {
			if s.headers[p].Stack == 0 {
				continue
			}
			at, ok := inCall(s.tape.Stack(s.headers[p].Stack), stack[i:])
			if !ok || at[len(at)-1].Line < loop {
				return p + 1
			}
			switch order := inOrder(at, stack[:i+1]); {
			case order > 0, order == 0 && earlier:
				return p + 1
			case order < 0:
				earlier = true
			}
		}
		return 0
	}
	return max(first, 0)
}

// inCall returns the part of a call stack from a function inwards, if it is in the same call of the function as
// another stack, whose innermost frame is the function's.
func inCall(stack, function graph.Stack) (graph.Stack, bool) {
	i := len(stack) - len(function)
	if i < 0 || stack[i].File != function[0].File || stack[i].Func != function[0].Func {
		return nil, false
	}
	return stack[:i+1], true
}

// inOrder compares the places of two call stacks from the same function inwards, as they stand in the program: -1 if
// the first one comes before the other, 0 if one is within the other. What a line calls before another function is
// taken for its argument.
func inOrder(a, b graph.Stack) int {
	for i, j := len(a)-1, len(b)-1; i >= 0 && j >= 0; i, j = i-1, j-1 {
		switch {
		case a[i].File != b[j].File || a[i].Func != b[j].Func:
			return -1
		case a[i].Line != b[j].Line:
			return cmp.Compare(a[i].Line, b[j].Line)
		}
	}
	return 0
}
