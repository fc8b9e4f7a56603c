package python

import (
	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/graph"
)

// This file puts facts on the tape that the engine itself does not see.

// note takes a record of the agent: kind, stack, values.
func (s *session) note(v []any) error {
	kind, ok1 := at[string](v, 0)
	stack, ok2 := at[int](v, 1)
	values, ok3 := at[autograd.Tuple](v, 2)
	make := notes[kind]
	if !ok1 || !ok2 || !ok3 || make == nil {
		return damaged("note", nil)
	}
	s.goTo(s.sites.stack(stack))
	s.recorder.Note(func(n autograd.Notes) graph.Event { return make(n, values) })
	return nil
}

// notes make events of the values of a record. What is missing stays zero.
var notes = map[string]func(n autograd.Notes, v []any) graph.Event{
	// type, text, tensors
	"raised": func(n autograd.Notes, v []any) graph.Event {
		text, _ := at[string](v, 1)
		return &graph.Raised{Type: noted(n, v, 0), Code: n.String("python"), Message: text, Tensors: n.Tensors(tensorsAmong(v[2:]))}
	},
	// type, text
	"failed": func(n autograd.Notes, v []any) graph.Event {
		text, _ := at[string](v, 1)
		return &graph.ProgramFailed{Type: noted(n, v, 0), Message: text}
	},
	// class, parameters
	"optimizer": func(n autograd.Notes, v []any) graph.Event {
		return &graph.OptimizerMade{Optimizer: noted(n, v, 0), Params: n.Tensors(tensorsAmong(v[1:]))}
	},
	// class, parameters
	"parameters": func(n autograd.Notes, v []any) graph.Event {
		return &graph.ModuleParameters{Type: noted(n, v, 0), Params: n.Tensors(tensorsAmong(v[1:]))}
	},
	// function, tensors
	"called": func(n autograd.Notes, v []any) graph.Event {
		return &graph.Called{Function: noted(n, v, 0), Tensors: n.Tensors(tensorsAmong(v[1:]))}
	},
	// kind, function, class of the module, tensor
	"hook": func(n autograd.Notes, v []any) graph.Event {
		e := &graph.HookRegistered{Hook: graph.HookModule, What: noted(n, v, 1), Target: noted(n, v, 2)}
		switch kind, _ := at[string](v, 0); kind {
		case "tensor":
			e.Hook = graph.HookTensor
		case "post_accumulate":
			e.Hook = graph.HookPostAccumulate
		}
		if t, ok := at[*autograd.Tensor](v, 3); ok {
			e.Tensor = n.Tensor(t)
		}
		return e
	},
}

// noted is the number of a string among values.
func noted(n autograd.Notes, v []any, i int) graph.StringID {
	text, _ := at[string](v, i)
	return n.String(text)
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

func init() {
	read := autograd.Resolve("get.grad")
	// The gradient of a tensor. That there is none is an event.
	on("get.grad", func(s *session, args []any, _ []autograd.Option) (any, error) {
		grad, err := read(args, nil)
		t, ok := at[*autograd.Tensor](args, 0)
		if g, isTensor := grad.(*autograd.Tensor); ok && err == nil && (grad == nil || isTensor && g == nil) {
			s.recorder.Note(func(n autograd.Notes) graph.Event { return &graph.GradRead{Tensor: n.Tensor(t)} })
		}
		return grad, err
	})
}
