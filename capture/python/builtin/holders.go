package builtin

import (
	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/capture/python/protocol"
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
			answer = append(answer, protocol.HeldByTensor, pythonHandle(x.Handle()))
		case *autograd.Node:
			answer = append(answer, protocol.HeldByNode, int(x.Handle()))
		default:
			// A pass or an operation that runs now may hold what is in a graph.
			if all && (s.depth == 0 || wanted[i].IsFresh()) {
				answer = append(answer, protocol.HeldByNone, 0)
			} else {
				answer = append(answer, protocol.HeldUnknown, 0)
			}
		}
	}
	return answer, nil
}

var holderCommands = map[string]command{
	"autograd.holders": func(s *session, args []any, _ []autograd.Option) (any, error) { return s.holders(args) },
}
