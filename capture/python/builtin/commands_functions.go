package builtin

import (
	"weak"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
)

// This file serves the subclasses of torch.autograd.Function. What the program
// defines runs in Python: three functions there, named once, get the ctx of a
// call and its tensors.

// customFunctions is what a session knows about them.
type customFunctions struct {
	forward, backward, jvp *callable
	calls                  map[int]weak.Pointer[autograd.FunctionCtx] // by number
	last                   int
}

// ctxAttribute is where a FunctionCtx keeps the Python ctx.
const ctxAttribute = "python"

// contextOf is the Python ctx of a node, or nil.
func contextOf(n *autograd.Node) *object {
	if c := n.Function(); c != nil {
		o, _ := c.Attributes[ctxAttribute].(*object)
		return o
	}
	return nil
}

var functionCommands = map[string]command{
	"autograd.function.callbacks": func(s *session, args []any, _ []autograd.Option) (any, error) {
		for i, f := range []**callable{&s.custom.forward, &s.custom.backward, &s.custom.jvp} {
			var err error
			if *f, err = argument[*callable](args, i); err != nil {
				return nil, err
			}
		}
		s.custom.calls = map[int]weak.Pointer[autograd.FunctionCtx]{}
		return nil, nil
	},
	"autograd.function.apply": func(s *session, args []any, _ []autograd.Option) (any, error) { return s.applyFunction(args) },
	"autograd.function.saved": func(s *session, args []any, _ []autograd.Option) (any, error) {
		c, err := s.functionCall(args)
		if err != nil || c == nil || c.Node() == nil {
			return autograd.Tuple{}, err
		}
		return c.Saved()
	},
	"autograd.function.node": func(s *session, args []any, _ []autograd.Option) (any, error) {
		c, err := s.functionCall(args)
		if err != nil || c == nil {
			return nil, err
		}
		return c.Node(), nil
	},
	"autograd.delayed_error": func(_ *session, args []any, _ []autograd.Option) (any, error) {
		text, err := argument[string](args, 0)
		if err != nil {
			return nil, err
		}
		ts := make([]*autograd.Tensor, len(args)-1)
		for i, v := range args[1:] {
			ts[i], _ = v.(*autograd.Tensor)
		}
		return autograd.DelayedError(text, ts), nil
	},
}

// functionCall is the call of a number; nil when it is forgotten.
func (s *session) functionCall(args []any) (*autograd.FunctionCtx, error) {
	n, err := argument[int](args, 0)
	if err != nil {
		return nil, err
	}
	return s.custom.calls[n].Value(), nil
}

// newCall numbers a call. Numbers of calls that are forgotten are dropped now and
// then.
func (s *session) newCall(c *autograd.FunctionCtx) int {
	f := &s.custom
	f.last++
	if f.last%4096 == 0 {
		for n, p := range f.calls {
			if p.Value() == nil {
				delete(f.calls, n)
			}
		}
	}
	f.calls[f.last] = weak.Make(c)
	return f.last
}

// applyFunction is (name, ctx, arguments): Function.apply. Arguments that are no
// tensors are None. It returns the results that are tensors, None for the others.
func (s *session) applyFunction(args []any) (any, error) {
	name, err := argument[string](args, 0)
	if err != nil {
		return nil, err
	}
	ctx, err := argument[*object](args, 1)
	if err != nil {
		return nil, err
	}
	f := &autograd.Function{
		Name: name,
		Forward: func(c *autograd.FunctionCtx, inputs []*autograd.Tensor) ([]*autograd.Tensor, error) {
			c.Attributes[ctxAttribute] = ctx
			return s.forward(c, ctx, inputs)
		},
		Dynamic: func(_ *autograd.FunctionCtx, grads []*autograd.Tensor) ([]any, error) {
			v, err := s.custom.backward.Call([]any{ctx, grads})
			if list, ok := v.(autograd.Tuple); ok {
				return list, err
			}
			return []any{v}, err
		},
		JVP: func(_ *autograd.FunctionCtx, tangents []*autograd.Tensor) ([]*autograd.Tensor, error) {
			v, err := s.custom.jvp.Call([]any{ctx, tangents})
			return tensorsIn(v), err
		},
	}
	inputs, _ := args[2].(autograd.Tuple)
	return f.Apply(inputs...)
}

// tensorsIn returns the elements of a tuple, nil for an element that is not a tensor.
func tensorsIn(v any) []*autograd.Tensor {
	list, _ := v.(autograd.Tuple)
	ts := make([]*autograd.Tensor, len(list))
	for i := range list {
		ts[i], _ = list[i].(*autograd.Tensor)
	}
	return ts
}

// forward lets Python run forward, which returns (results, what to save, what is
// dirty, what is not differentiable, whether to materialize gradients).
func (s *session) forward(c *autograd.FunctionCtx, ctx *object, inputs []*autograd.Tensor) ([]*autograd.Tensor, error) {
	needs := make(autograd.Tuple, len(inputs))
	for i := range needs {
		needs[i] = c.NeedsInputGrad(i)
	}
	v, err := s.custom.forward.Call([]any{ctx, s.newCall(c), needs})
	if err != nil {
		return nil, err
	}
	said, _ := v.(autograd.Tuple)
	if len(said) != 5 {
		return nil, marshal.Damaged("result of a forward function", nil)
	}
	saved, _ := said[1].(autograd.Tuple)
	if err := c.SaveAnyForBackward(saved...); err != nil {
		return nil, err
	}
	c.MarkDirty(tensorsIn(said[2])...)
	c.MarkNonDifferentiable(tensorsIn(said[3])...)
	c.SetMaterializeGrads(said[4] != false)
	return tensorsIn(said[0]), nil
}
