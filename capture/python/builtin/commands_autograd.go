package builtin

import (
	"fmt"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
)

// This file has the commands behind torch.autograd: modes, backward passes,
// forward mode, hooks on saved tensors.

// argument is argument i, if it has the type.
func argument[T any](args []any, i int) (T, error) {
	v, ok := marshal.At[T](args, i)
	if !ok {
		return v, fmt.Errorf("gradtui: internal error: argument %d of a command is a %T", i, args[min(i, len(args)-1)])
	}
	return v, nil
}

func raise(class autograd.ErrorType, text string) error {
	return &autograd.Error{Type: class, Code: autograd.CodeArgument, Text: text}
}

// modes are the modes outside a block of the program that switches them.
type modes struct{ grad, inference bool }

func text(s *string) any {
	if s == nil {
		return nil
	}
	return *s
}

// switching is a command that sets something and returns what it was.
func switching(set func(on bool) bool) command {
	return func(_ *session, args []any, _ []autograd.Option) (any, error) {
		value, ok := marshal.At[bool](args, 0)
		if !ok {
			return nil, raise(autograd.TypeError, fmt.Sprintf("set_grad_enabled(): argument 'enabled' (position 1) must be bool, not %s", autograd.TypeName(args[0])))
		}
		return set(value), nil
	}
}

// looking is a command without arguments.
func looking(look func() any) command {
	return func(*session, []any, []autograd.Option) (any, error) { return look(), nil }
}

var autogradCommands = map[string]command{
	"autograd.set_grad_enabled":    switching(autograd.SetGradEnabled),
	"autograd.set_forward_enabled": switching(autograd.SetForwardEnabled),
	"autograd.set_autocast":        switching(autograd.SetAutocast),

	"autograd.is_grad_enabled":      looking(func() any { return autograd.GradEnabled() }),
	"autograd.is_inference":         looking(func() any { return autograd.InferenceEnabled() }),
	"autograd.forward_enabled":      looking(func() any { return autograd.ForwardEnabled() }),
	"autograd.anomaly":              looking(func() any { return autograd.Tuple{autograd.AnomalyEnabled(), autograd.AnomalyChecksNaN()} }),
	"autograd.reentrable":           looking(func() any { return autograd.Reentrable() }),
	"autograd.current_node":         looking(func() any { return autograd.CurrentNode() }),
	"autograd.current_pass":         looking(func() any { return int(autograd.CurrentPass()) - 1 }),
	"autograd.saved_hooks_disabled": looking(func() any { return text(autograd.SavedTensorHooksDisabled()) }),
	"autograd.pop_saved_hooks":      looking(func() any { autograd.PopSavedTensorHooks(); return nil }),

	// autograd.enter_mode(token, grad, inference) switches modes for a block;
	// None leaves one as it is. autograd.leave_mode(token) ends the block.
	"autograd.enter_mode": func(s *session, args []any, _ []autograd.Option) (any, error) {
		token, ok := marshal.At[int](args, 0)
		if !ok {
			return nil, marshal.Damaged("mode", nil)
		}
		s.modes[token] = modes{autograd.GradEnabled(), autograd.InferenceEnabled()}
		if on, ok := marshal.At[bool](args, 2); ok {
			autograd.SetInferenceMode(on)
		}
		if on, ok := marshal.At[bool](args, 1); ok {
			autograd.SetGradEnabled(on)
		}
		return nil, nil
	},
	"autograd.leave_mode": func(s *session, args []any, _ []autograd.Option) (any, error) {
		token, _ := marshal.At[int](args, 0)
		if before, ok := s.modes[token]; ok { // not one that was left before
			delete(s.modes, token)
			autograd.SetInferenceMode(before.inference)
			autograd.SetGradEnabled(before.grad)
		}
		return nil, nil
	},
	"autograd.set_anomaly": func(_ *session, args []any, _ []autograd.Option) (any, error) {
		mode, ok1 := marshal.At[bool](args, 0)
		checkNaN, ok2 := marshal.At[bool](args, 1)
		if !ok1 || !ok2 {
			return nil, raise(autograd.TypeError, "enabled must be a bool")
		}
		autograd.SetDetectAnomaly(mode, checkNaN)
		return nil, nil
	},
	"autograd.set_dual_level": func(_ *session, args []any, _ []autograd.Option) (any, error) {
		if args[0] == true {
			return nil, autograd.EnterDualLevel()
		}
		return nil, autograd.ExitDualLevel()
	},
	"autograd.make_dual": func(_ *session, args []any, _ []autograd.Option) (any, error) {
		primal, err := argument[*autograd.Tensor](args, 0)
		if err != nil {
			return nil, err
		}
		tangent, err := argument[*autograd.Tensor](args, 1)
		if err != nil {
			return nil, err
		}
		return autograd.MakeDual(primal, tangent), nil
	},
	"autograd.unpack_dual": func(_ *session, args []any, _ []autograd.Option) (any, error) {
		t, err := argument[*autograd.Tensor](args, 0)
		if err != nil {
			return nil, err
		}
		primal, tangent := autograd.UnpackDual(t)
		return autograd.Tuple{primal, tangent}, nil
	},
	"autograd.push_saved_hooks": func(_ *session, args []any, _ []autograd.Option) (any, error) {
		hooks, err := savedHooks(args)
		if err != nil {
			return nil, raise(autograd.TypeError, "_push_saved_tensors_default_hooks(): incompatible function arguments. The following argument types are supported:\n    1. (arg0: Callable, arg1: Callable) -> None")
		}
		return nil, autograd.PushSavedTensorHooks(hooks)
	},
	"autograd.disable_saved_hooks": func(_ *session, args []any, _ []autograd.Option) (any, error) {
		var message *string
		if s, ok := marshal.At[string](args, 0); ok {
			message = &s
		}
		_, err := autograd.DisableSavedTensorHooks(message)
		return nil, err
	},
	"autograd.on_change": func(_ *session, args []any, _ []autograd.Option) (any, error) {
		autograd.OnChange(nil)
		if f, ok := marshal.At[*callable](args, 0); ok {
			autograd.OnChange(func(t *autograd.Tensor) error { _, err := f.Call([]any{t}); return err })
		}
		return nil, nil
	},
	"autograd.backward": func(s *session, args []any, _ []autograd.Option) (any, error) {
		return nil, s.runBackward(args)
	},
	// tensor.backward(t) is autograd.backward((t,), None, False, False, None).
	"tensor.backward": func(s *session, args []any, _ []autograd.Option) (any, error) {
		t, err := argument[*autograd.Tensor](args, 0)
		if err != nil {
			return nil, err
		}
		return nil, s.backward([]*autograd.Tensor{t}, nil)
	},
	"autograd.grad": func(_ *session, args []any, _ []autograd.Option) (any, error) { return runGrad(args) },
	"autograd.increment_version": func(_ *session, args []any, _ []autograd.Option) (any, error) {
		t, err := argument[*autograd.Tensor](args, 0)
		if err != nil {
			return nil, err
		}
		return nil, t.IncrementVersion()
	},
	"autograd.set_version": func(_ *session, args []any, _ []autograd.Option) (any, error) {
		t, err := argument[*autograd.Tensor](args, 0)
		if err != nil {
			return nil, err
		}
		v, err := argument[int](args, 1)
		if err == nil {
			t.SetVersion(v)
		}
		return nil, err
	},
	"autograd.reaches_others": func(_ *session, args []any, _ []autograd.Option) (any, error) {
		t, err := argument[*autograd.Tensor](args, 0)
		if err != nil {
			return nil, err
		}
		leaves, _ := args[1].([]any)
		known := make([]*autograd.Tensor, len(leaves))
		for i := range leaves {
			known[i], _ = leaves[i].(*autograd.Tensor)
		}
		return t.ReachesOthers(known)
	},
}

// savedHooks are the two functions that keep saved tensors. What pack returns
// stays in Python unless it is a tensor.
func savedHooks(args []any) (autograd.SavedTensorHooks, error) {
	pack, err := argument[*callable](args, 0)
	if err != nil {
		return autograd.SavedTensorHooks{}, err
	}
	unpack, err := argument[*callable](args, 1)
	if err != nil {
		return autograd.SavedTensorHooks{}, err
	}
	return autograd.SavedTensorHooks{
		Pack: func(t *autograd.Tensor) (any, error) { return pack.Call([]any{t}) },
		Unpack: func(packed any) (*autograd.Tensor, error) {
			v, err := unpack.Call([]any{packed})
			if err != nil {
				return nil, err
			}
			t, ok := v.(*autograd.Tensor)
			if !ok {
				return nil, raise(autograd.TypeError, "Output of saved tensor unpack_hook expected to be a Tensor but got result of type "+autograd.TypeName(v))
			}
			return t, nil
		},
	}, nil
}

// ends are tensors and edges of the graph, an edge in the form of a tuple (node,
// number of the output); wrong is the error about other values.
func ends(values any, wrong func(class string) error) (ts []*autograd.Tensor, edges []bool, err error) {
	list, ok := values.(autograd.Tuple)
	if !ok {
		return nil, nil, wrong(autograd.TypeName(values))
	}
	for _, v := range list {
		switch v := v.(type) {
		case *autograd.Tensor:
			ts, edges = append(ts, v), append(edges, false)
			continue
		case autograd.Tuple:
			node, ok1 := marshal.At[*autograd.Node](v, 0)
			nr, ok2 := marshal.At[int](v, 1)
			if ok1 && ok2 {
				t := autograd.Edge{Node: node, Input: nr}.At()
				ts, edges = append(ts, t), append(edges, true)
				if err := t.Err(); err != nil {
					return nil, nil, err
				}
				continue
			}
		}
		return nil, nil, wrong(autograd.TypeName(v))
	}
	return ts, edges, nil
}

func notARoot(string) error { return raise(autograd.AssertionError, "") }

func notAnInput(class string) error {
	return raise(autograd.RuntimeError, "all inputs have to be Tensors or GradientEdges, but got "+class)
}

// passOptions are the arguments that backward and grad have in common: the roots
// and the gradients to begin with, retain_graph and create_graph.
func passOptions(args []any) (roots, grads []*autograd.Tensor, opts []autograd.Option, err error) {
	if roots, _, err = ends(args[0], notARoot); err != nil {
		return nil, nil, nil, err
	}
	if list, ok := args[1].(autograd.Tuple); ok {
		grads = make([]*autograd.Tensor, len(list))
		for i, v := range list {
			if grads[i], ok = v.(*autograd.Tensor); !ok && v != nil {
				return nil, nil, nil, raise(autograd.TypeError, "gradients can be either Tensors or None, but got "+autograd.TypeName(v))
			}
		}
	}
	return roots, grads, []autograd.Option{autograd.Kw("retain_graph", args[2]), autograd.Kw("create_graph", args[3])}, nil
}

// runBackward is backward(tensors, gradients, retain_graph, create_graph, inputs).
func (s *session) runBackward(args []any) error {
	roots, grads, opts, err := passOptions(args)
	if err != nil {
		return err
	}
	if args[4] != nil {
		inputs, _, err := ends(args[4], notAnInput)
		if err != nil {
			return err
		}
		opts = append(opts, autograd.Inputs(inputs...))
	}
	return s.backward(roots, grads, opts...)
}

// backward lets the program go as soon as the pass cannot fail any more.
func (s *session) backward(roots, grads []*autograd.Tensor, opts ...autograd.Option) error {
	if s.depth == 0 && !s.gated {
		opts = append(opts, autograd.WhenCertain(s.letGo))
	}
	return autograd.BackwardAll(roots, grads, opts...)
}

// runGrad is grad(outputs, inputs, gradients, retain_graph, create_graph,
// allow_unused, materialize_grads).
func runGrad(args []any) (any, error) {
	inputs := args[1]
	args = append(args[:1:1], args[2:]...)
	roots, grads, opts, err := passOptions(args)
	if err != nil {
		return nil, err
	}
	targets, isEdge, err := ends(inputs, notAnInput)
	if err != nil {
		return nil, err
	}
	if grads != nil {
		opts = append(opts, autograd.GradOutputs(grads...))
	}
	opts = append(opts, autograd.Kw("allow_unused", args[4]))
	results, err := autograd.Grad(roots, targets, opts...)
	if err != nil || args[5] != true {
		return results, err
	}
	for i, g := range results {
		switch {
		case g != nil:
		case isEdge[i]:
			return nil, raise(autograd.RuntimeError, "materialize_grads cannot be used when the given input is a GradientEdge")
		default:
			results[i] = targets[i].ZerosLike(autograd.Kw("requires_grad", true))
		}
	}
	return results, nil
}
