package nn

import (
	"fmt"

	"github.com/gradtui/gradtui/autograd"
)

// hooks are the functions of the program that run with a module.
type hooks struct {
	preForward  []*hook[func(m *Module, args []*autograd.Tensor) []*autograd.Tensor]
	forward     []*hook[func(m *Module, args, outs []*autograd.Tensor) []*autograd.Tensor]
	preBackward []*hook[func(m *Module, gradOutputs []*autograd.Tensor) []*autograd.Tensor]
	backward    []*hook[func(m *Module, gradInputs, gradOutputs []*autograd.Tensor) []*autograd.Tensor]
}

type hook[F any] struct {
	call F
	gone bool
}

// A Handle removes a hook.
type Handle struct{ gone *bool }

// Remove removes the hook. Removing it again has no effect.
func (h Handle) Remove() {
	if h.gone != nil {
		*h.gone = true
	}
}

func add[F any](list *[]*hook[F], f F) Handle {
	h := &hook[F]{call: f}
	*list = append(*list, h)
	return Handle{&h.gone}
}

// live returns the hooks that have not been removed.
func live[F any](list []*hook[F]) []F {
	var fs []F
	for _, h := range list {
		if !h.gone {
			fs = append(fs, h.call)
		}
	}
	return fs
}

func (h *hooks) none() bool {
	return len(h.preForward)+len(h.forward)+len(h.preBackward)+len(h.backward) == 0
}

// RegisterForwardPreHook calls f before the forward pass. The result of f
// replaces the arguments; nil keeps them.
func (m *Module) RegisterForwardPreHook(f func(m *Module, args []*autograd.Tensor) []*autograd.Tensor) Handle {
	if m == nil || f == nil {
		return Handle{}
	}
	return add(&m.hooks.preForward, f)
}

// RegisterForwardHook calls f after the forward pass. The result of f replaces
// the results; nil keeps them.
func (m *Module) RegisterForwardHook(f func(m *Module, args, outs []*autograd.Tensor) []*autograd.Tensor) Handle {
	if m == nil || f == nil {
		return Handle{}
	}
	return add(&m.hooks.forward, f)
}

// RegisterFullBackwardPreHook calls f in backward when the gradients of the
// module's results are complete. The result of f replaces them; nil keeps them.
func (m *Module) RegisterFullBackwardPreHook(f func(m *Module, gradOutputs []*autograd.Tensor) []*autograd.Tensor) Handle {
	if m == nil || f == nil {
		return Handle{}
	}
	return add(&m.hooks.preBackward, f)
}

// RegisterFullBackwardHook calls f in backward when the gradients of the
// module's arguments are complete. The result of f replaces them; nil keeps
// them.
func (m *Module) RegisterFullBackwardHook(f func(m *Module, gradInputs, gradOutputs []*autograd.Tensor) []*autograd.Tensor) Handle {
	if m == nil || f == nil {
		return Handle{}
	}
	return add(&m.hooks.backward, f)
}

// runHooked runs a forward pass with hooks, in the order of Module._call_impl.
func (m *Module) runHooked(x []*autograd.Tensor) ([]*autograd.Tensor, error) {
	for _, f := range live(m.hooks.preForward) {
		if replaced := f(m, x); replaced != nil {
			x = replaced
		}
	}
	var b *backwardHook
	pre, post := live(m.hooks.preBackward), live(m.hooks.backward)
	if len(pre)+len(post) > 0 {
		b = &backwardHook{module: m, pre: pre, post: post}
		var err error
		if x, err = b.watchInputs(x); err != nil {
			return nil, err
		}
	}
	outs, err := m.compute(x)
	if err != nil {
		return nil, err
	}
	for _, f := range live(m.hooks.forward) {
		if replaced := f(m, x, outs); replaced != nil {
			outs = replaced
		}
	}
	if b != nil {
		return b.watchOutputs(outs)
	}
	return outs, nil
}

// passThrough is the function of the nodes before and after a module in the
// graph: BackwardHookFunctionBackward.
var passThrough = &autograd.Function{
	Name: "BackwardHookFunction",
	Forward: func(ctx *autograd.FunctionCtx, inputs []*autograd.Tensor) ([]*autograd.Tensor, error) {
		var constant []*autograd.Tensor
		for _, t := range inputs {
			if !t.RequiresGrad() {
				constant = append(constant, t)
			}
		}
		ctx.MarkNonDifferentiable(constant...)
		return inputs, nil
	},
	Backward: func(_ *autograd.FunctionCtx, grads []*autograd.Tensor) ([]*autograd.Tensor, error) {
		return grads, nil
	},
}

// A backwardHook connects the nodes before and after a module, after
// torch.utils.hooks.BackwardHook.
type backwardHook struct {
	module *Module
	pre    []func(m *Module, gradOutputs []*autograd.Tensor) []*autograd.Tensor
	post   []func(m *Module, gradInputs, gradOutputs []*autograd.Tensor) []*autograd.Tensor

	inputs, outputs []int // which arguments and results are tensors; nil if no gradient flows
	nIn, nOut       int
	gradOutputs     []*autograd.Tensor
}

// apply sends tensors through a pass-through node and calls watch with the
// node.
func apply(ts []*autograd.Tensor, watch func(n *autograd.Node)) (outs []*autograd.Tensor, places []int, err error) {
	requires := false
	var args []any
	for i, t := range ts {
		if t != nil {
			places, args = append(places, i), append(args, t)
			requires = requires || t.RequiresGrad()
		}
	}
	if !requires || !autograd.GradEnabled() {
		return ts, nil, nil
	}
	results, err := passThrough.Apply(args...)
	if err != nil {
		return nil, nil, err
	}
	outs = append(outs, ts...)
	var node *autograd.Node
	for i, t := range results {
		outs[places[i]] = t
		fn, err := t.GradFn()
		if err != nil {
			return nil, nil, err
		}
		if node == nil && fn != nil && fn.ClassName() == "BackwardHookFunctionBackward" {
			node = fn
		}
	}
	if node == nil {
		return nil, nil, raise(autograd.RuntimeError, "Error while setting up backward hooks. Please open an issue with a code sample to reproduce this.")
	}
	watch(node)
	return outs, places, nil
}

func (b *backwardHook) watchInputs(x []*autograd.Tensor) ([]*autograd.Tensor, error) {
	outs, places, err := apply(x, func(n *autograd.Node) { n.RegisterHook(b.inputsReady) })
	b.inputs, b.nIn = places, len(x)
	return outs, err
}

func (b *backwardHook) watchOutputs(outs []*autograd.Tensor) ([]*autograd.Tensor, error) {
	replaced, places, err := apply(outs, func(n *autograd.Node) { n.RegisterHook(b.outputsReady) })
	b.outputs, b.nOut = places, len(outs)
	return replaced, err
}

// spread returns n values, with the given values at places and nil elsewhere.
func spread(values []*autograd.Tensor, places []int, n int) []*autograd.Tensor {
	all := make([]*autograd.Tensor, n)
	for i, p := range places {
		all[p] = values[i]
	}
	return all
}

// gather returns the values at places.
func gather(all []*autograd.Tensor, places []int) []*autograd.Tensor {
	values := make([]*autograd.Tensor, len(places))
	for i, p := range places {
		values[i] = all[p]
	}
	return values
}

// inputsReady runs after the node in front of the module: the gradients of the
// arguments are known.
func (b *backwardHook) inputsReady(gradInputs, _ []*autograd.Tensor) []*autograd.Tensor {
	if b.gradOutputs == nil {
		return nil // the gradient did not pass through the module's results
	}
	grads := spread(gradInputs, b.inputs, b.nIn)
	for _, f := range b.post {
		replaced := f(b.module, grads, b.gradOutputs)
		if replaced == nil {
			continue
		}
		if len(replaced) != len(grads) {
			return b.broken(len(gradInputs), fmt.Sprintf("Backward hook returned an invalid number of grad_input, got %d, but expected %d", len(replaced), len(grads)))
		}
		grads = replaced
	}
	b.gradOutputs = nil
	return gather(grads, b.inputs)
}

// outputsReady runs at the node after the module: the gradients of the results
// are known.
func (b *backwardHook) outputsReady(_, gradOutputs []*autograd.Tensor) []*autograd.Tensor {
	b.gradOutputs = spread(gradOutputs, b.outputs, b.nOut)
	for _, f := range b.pre {
		replaced := f(b.module, b.gradOutputs)
		if replaced == nil {
			continue
		}
		if len(replaced) != b.nOut {
			return b.broken(len(gradOutputs), fmt.Sprintf("Backward pre hook returned an invalid number of grad_output, got %d, but expected %d", len(replaced), b.nOut))
		}
		b.gradOutputs = replaced
	}
	grads := b.gradOutputs
	if b.inputs == nil {
		// No argument requires grad, so nothing else will call the hooks.
		for _, f := range b.post {
			for _, g := range f(b.module, make([]*autograd.Tensor, b.nIn), grads) {
				if g != nil {
					return b.broken(len(gradOutputs), "Backward hook for Modules where no input requires gradient should always return None or None for all gradients.")
				}
			}
		}
		b.gradOutputs = nil
	}
	return gather(grads, b.outputs)
}

// broken makes the backward pass fail because a hook returned something
// invalid.
func (b *backwardHook) broken(n int, text string) []*autograd.Tensor {
	failed := make([]*autograd.Tensor, n)
	for i := range failed {
		failed[i] = autograd.Failed(raise(autograd.RuntimeError, text))
	}
	return failed
}
