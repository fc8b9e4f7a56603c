package builtin

import (
	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture/python/internal/agent"
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

var optimCommands = map[string]command{
	// optim.begin(class, params) says that an optimizer begins to update the
	// parameters that have gradients. It returns the gradients, with None for
	// parameters that have none.
	"optim.begin": func(s *session, args []any, _ []autograd.Option) (any, error) {
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
		number, err := argument[int](args, 2)
		if err != nil {
			return nil, err
		}
		rates, err := argument[[]any](args, 3)
		if err != nil {
			return nil, err
		}
		s.steps = append(s.steps, autograd.StepOptimizer(autograd.Stepping{
			Class: class, Params: updated, Number: uint32(number), Rates: agent.Floats(rates),
		}))
		return grads, nil
	},
	// optim.end() says that the last update that began is done.
	"optim.end": func(s *session, _ []any, _ []autograd.Option) (any, error) {
		if last := len(s.steps) - 1; last >= 0 {
			s.steps[last]()
			s.steps = s.steps[:last]
		}
		return nil, nil
	},
	"optim.each": each,
	// optim.zero_grad(class, params, set_to_none) clears gradients.
	"optim.zero_grad": func(_ *session, args []any, _ []autograd.Option) (any, error) {
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
	},
}

// each is optim.each(method, lists and constants, keywords): it calls a method for
// the elements of the lists, one after the other, and returns the results; None for
// a method that changes its tensor. The first argument after the name is a list.
func each(_ *session, args []any, keywords []autograd.Option) (any, error) {
	name, err := argument[string](args, 0)
	if err != nil {
		return nil, err
	}
	list, err := argument[[]any](args, 1)
	if err != nil {
		return nil, err
	}
	method := autograd.Resolve("Tensor." + name)
	element := func(arg any, i int) any {
		if list, ok := arg.([]any); ok {
			return list[i]
		}
		return arg
	}
	call, opts := make([]any, len(args)-1), make([]autograd.Option, len(keywords))
	results := make([]any, len(list))
	for i := range list {
		for j, arg := range args[1:] {
			call[j] = element(arg, i)
		}
		for j, o := range keywords {
			opts[j] = autograd.Kw(o.Name, element(o.Value, i))
		}
		result, err := method(call, opts)
		if err != nil {
			return nil, err
		}
		if t, ok := result.(*autograd.Tensor); ok && t.Err() != nil {
			return nil, t.Err()
		}
		if result != list[i] {
			results[i] = result
		}
	}
	return results, nil
}
