package builtin

import (
	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture/python/internal/agent"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/graph"
)

// This file puts facts on the tape that the engine itself does not see.

// note takes a record of the agent: kind, stack, values.
func (s *session) note(v []any) error {
	kind, ok1 := marshal.At[string](v, 0)
	stack, ok2 := marshal.At[int](v, 1)
	values, ok3 := marshal.At[autograd.Tuple](v, 2)
	if !ok1 || !ok2 || !ok3 {
		return marshal.Damaged("note", nil)
	}
	s.goTo(s.sites.Stack(stack))
	known := false
	s.recorder.Note(func(n autograd.Notes) graph.Event {
		e := agent.Event(numbers{n}, kind, values)
		known = e != nil
		return e
	})
	if !known {
		return marshal.Damaged("note", nil)
	}
	return nil
}

// numbers gives notes the recorder's numbers.
type numbers struct{ autograd.Notes }

// Tensors are those among values, which are announced if need be.
func (n numbers) Tensors(values []any) []graph.TensorID {
	return n.Notes.Tensors(tensorsAmong(values))
}

// operands are the tensors that the function that runs was given.
func (s *session) operands() []*autograd.Tensor { return tensorsAmong(s.given) }

// tensorsAmong are the tensors among values and in the lists among them.
func tensorsAmong(values []any) (found []*autograd.Tensor) {
	for _, v := range values {
		switch x := v.(type) {
		case *autograd.Tensor:
			if x.Err() == nil {
				found = append(found, x)
			}
		case []any:
			found = append(found, tensorsAmong(x)...)
		case autograd.Tuple:
			found = append(found, tensorsAmong(x)...)
		}
	}
	return found
}

var readGrad = autograd.Resolve("get.grad")

var noteCommands = map[string]command{
	// The gradient of a tensor. That there is none is an event.
	"get.grad": func(s *session, args []any, _ []autograd.Option) (any, error) {
		grad, err := readGrad(args, nil)
		t, ok := marshal.At[*autograd.Tensor](args, 0)
		if g, isTensor := grad.(*autograd.Tensor); ok && err == nil && (grad == nil || isTensor && g == nil) {
			s.recorder.Note(func(n autograd.Notes) graph.Event { return &graph.GradRead{Tensor: n.Tensor(t)} })
		}
		return grad, err
	},
}
