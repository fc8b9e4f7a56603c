package python

import (
	"iter"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
)

// What Python hears about a tensor that it asks for: who holds it. site/torch/_kept.py knows
// the same.
const (
	heldByNone   = iota
	heldUnknown  // ask later
	heldByTensor // followed by its handle
	heldByNode   // followed by its handle
)

// The search for holders takes some 50 ns for a step. A program that asks more often than
// it computes has to wait for its answers.
const (
	stepsPerRequest = 8
	mostSteps       = 1 << 20
)

// holders answers autograd.holders(handles, kind, handle): what holds the tensors with these
// handles, beside the program and the holder at the end, which is about to go.
func (s *session) holders(args []any) (any, error) {
	handles, err := argument[[]any](args, 0)
	if err != nil {
		return nil, err
	}
	wanted := make([]*autograd.Tensor, len(handles))
	for i, v := range handles {
		h, _ := v.(int)
		if t, err := s.tensorOf(h); err == nil { // it may be gone meanwhile
			wanted[i], _ = t.(*autograd.Tensor)
		}
	}
	kind, _ := marshal.At[int](args, 1)
	h, _ := marshal.At[int](args, 2)
	s.credit -= (len(s.own) + len(s.tensors) + len(s.nodes)) / 16
	found, all := autograd.Holders(wanted, s.roots(kind, h), &s.credit)
	answer := make(autograd.Tuple, 0, 2*len(found))
	for i, holder := range found {
		switch x := holder.(type) {
		case *autograd.Tensor:
			answer = append(answer, heldByTensor, pythonHandle(x.Handle()))
		case *autograd.Node:
			answer = append(answer, heldByNode, int(x.Handle()))
		default:
			// A pass or an operation that runs now may hold what is in a graph.
			if all && (s.depth == 0 || wanted[i].IsFresh()) {
				answer = append(answer, heldByNone, 0)
			} else {
				answer = append(answer, heldUnknown, 0)
			}
		}
	}
	return answer, nil
}

// roots are the tensors and nodes that the program has, without one.
func (s *session) roots(kind, without int) iter.Seq[any] {
	return func(yield func(any) bool) {
		for _, list := range [][]known{s.own, s.tensors} {
			for i := range list {
				t := list[i].tensor
				if t == nil || kind == heldByTensor && pythonHandle(t.Handle()) == without {
					continue
				}
				if !yield(t) {
					return
				}
			}
		}
		for i, n := range s.nodes {
			if n != nil && !(kind == heldByNode && i == without) && !yield(n) {
				return
			}
		}
	}
}

// pythonHandle is a handle as Python knows it.
func pythonHandle(h uint32) int {
	if h >= ownHandles {
		return -int(h - ownHandles)
	}
	return int(h)
}

func init() {
	on("autograd.holders", func(s *session, args []any, _ []autograd.Option) (any, error) { return s.holders(args) })
}
