package python

import (
	"github.com/gradtui/gradtui/autograd"
)

// This file has the commands behind torch.optim. The steps themselves are
// operations that Python calls.

// parameters is argument i, a list of tensors.
func parameters(args []any, i int) ([]*autograd.Tensor, error) {
	list, err := argument[[]any](args, i)
	if err != nil {
		return nil, err
	}
	params := make([]*autograd.Tensor, len(list))
	for j := range list {
		if params[j], err = argument[*autograd.Tensor](list, j); err != nil {
			return nil, err
		}
	}
	return params, nil
}

func init() {
	// optim.begin(class, params) says that an optimizer begins to update the
	// parameters that have gradients. It returns the gradients, with None for
	// parameters that have none.
	on("optim.begin", func(s *session, args []any, _ []autograd.Option) (any, error) {
		class, err := argument[string](args, 0)
		if err != nil {
			return nil, err
		}
		params, err := parameters(args, 1)
		if err != nil {
			return nil, err
		}
		grads := make([]any, len(params))
		updated := make([]*autograd.Tensor, 0, len(params))
		for i, p := range params {
			if g := p.Grad(); g != nil {
				grads[i] = g
				updated = append(updated, p)
			}
		}
		s.steps = append(s.steps, autograd.StepOptimizer(class, updated))
		return grads, nil
	})
	// optim.end() says that the last update that began is done.
	on("optim.end", func(s *session, _ []any, _ []autograd.Option) (any, error) {
		if last := len(s.steps) - 1; last >= 0 {
			s.steps[last]()
			s.steps = s.steps[:last]
		}
		return nil, nil
	})
	// optim.each(method, lists and constants, keywords) calls a method that changes
	// its tensor for the elements of the lists, one after the other. The first
	// argument after the name is a list.
	on("optim.each", func(_ *session, args []any, keywords []autograd.Option) (any, error) {
		name, err := argument[string](args, 0)
		if err != nil {
			return nil, err
		}
		tensors, err := argument[[]any](args, 1)
		if err != nil {
			return nil, err
		}
		method := autograd.Resolve("Tensor." + name)
		call := make([]any, len(args)-1)
		for i := range tensors {
			for j, arg := range args[1:] {
				if list, ok := arg.([]any); ok {
					arg = list[i]
				}
				call[j] = arg
			}
			result, err := method(call, keywords)
			if err != nil {
				return nil, err
			}
			if t, ok := result.(*autograd.Tensor); ok && t.Err() != nil {
				return nil, t.Err()
			}
		}
		return nil, nil
	})
	// optim.zero_grad(class, params, set_to_none) clears gradients.
	on("optim.zero_grad", func(_ *session, args []any, _ []autograd.Option) (any, error) {
		class, err := argument[string](args, 0)
		if err != nil {
			return nil, err
		}
		params, err := parameters(args, 1)
		if err != nil {
			return nil, err
		}
		toNone, err := argument[bool](args, 2)
		if err != nil {
			return nil, err
		}
		return nil, autograd.ZeroGrads(class, params, toNone)
	})
}
