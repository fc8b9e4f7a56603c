package autograd

import (
	"reflect"
	"runtime"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// Hooks run in the order of PyTorch 2.6: hooks on tensors, in the order of their
// registration, before everything else that happens at a node; then retain_grad;
// then the node's pre-hooks; the node; the node's post-hooks.

// A hook is a function of the program on the gradient of a tensor.
type hook struct {
	call func(g *Tensor) (any, error)
	name string
	gone bool
}

// A nodeHook is a pre- or post-hook on a node.
type nodeHook struct {
	pre  func(gradOutputs []*Tensor) []*Tensor
	post func(gradInputs, gradOutputs []*Tensor) []*Tensor
	name string
	gone bool
}

// A HookHandle removes a hook.
type HookHandle struct{ gone *bool }

// Remove makes the hook not run any more.
func (h HookHandle) Remove() {
	if h.gone != nil {
		*h.gone = true
	}
}

// RegisterHook calls f with the gradient of the tensor during backward, after it
// was summed and before it goes on. The gradient that f returns takes its place;
// nil leaves it as it is.
func (t *Tensor) RegisterHook(f func(grad *Tensor) *Tensor) (HookHandle, error) {
	return t.RegisterNamedHook(functionName(f), func(g *Tensor) (any, error) { return f(g), nil })
}

// RegisterNamedHook is RegisterHook for front ends: messages call the hook by
// name, it may fail, and what it returns is checked to be a tensor or nil.
func (t *Tensor) RegisterNamedHook(name string, f func(grad *Tensor) (any, error)) (HookHandle, error) {
	if err := t.usable("register_hook"); err != nil {
		return HookHandle{}, err
	}
	if !t.RequiresGrad() {
		return HookHandle{}, t.raise(fail(RuntimeError, CodeNoGrad, "cannot register a hook on a tensor that doesn't require gradient"))
	}
	fn, err := t.GradFn()
	if err != nil {
		return HookHandle{}, err
	}
	h := &hook{call: f, name: name}
	if fn == nil {
		t.extend().hooks = append(t.ext.hooks, h)
		return HookHandle{&h.gone}, nil
	}
	list := fn.hooksFor(int(t.outputNr))
	list.hooks = append(list.hooks, h)
	return HookHandle{&h.gone}, nil
}

func (n *Node) hooksFor(output int) *tensorHooks {
	for _, l := range n.extend().hooked {
		if l.output == output {
			return l
		}
	}
	l := &tensorHooks{output: output}
	n.ext.hooked = append(n.ext.hooked, l)
	return l
}

// RegisterPostAccumulateGradHook calls f after a gradient was added to the
// leaf's .grad.
func (t *Tensor) RegisterPostAccumulateGradHook(f func(param *Tensor)) (HookHandle, error) {
	if err := t.usable("register_post_accumulate_grad_hook"); err != nil {
		return HookHandle{}, err
	}
	if !t.RequiresGrad() {
		return HookHandle{}, t.raise(fail(RuntimeError, CodeNoGrad, "cannot register a hook on a tensor that doesn't require gradient"))
	}
	if !t.IsLeaf() {
		return HookHandle{}, t.raise(fail(RuntimeError, CodeNotLeaf, "post accumulate grad hooks cannot be registered on non-leaf tensors"))
	}
	h := &hook{call: func(g *Tensor) (any, error) { f(g); return nil, nil }}
	t.extend().postHooks = append(t.ext.postHooks, h)
	return HookHandle{&h.gone}, nil
}

// RegisterPrehook calls f with the node's incoming gradients before it runs. f
// may return others of the same number, or nil.
func (n *Node) RegisterPrehook(f func(gradOutputs []*Tensor) []*Tensor) HookHandle {
	if n == nil {
		return HookHandle{}
	}
	h := &nodeHook{pre: f, name: functionName(f)}
	n.extend().pre = append(n.ext.pre, h)
	return HookHandle{&h.gone}
}

// RegisterHook calls f with the node's outgoing and incoming gradients after it
// ran. f may return other outgoing gradients of the same number, or nil.
func (n *Node) RegisterHook(f func(gradInputs, gradOutputs []*Tensor) []*Tensor) HookHandle {
	if n == nil {
		return HookHandle{}
	}
	h := &nodeHook{post: f, name: functionName(f)}
	n.extend().post = append(n.ext.post, h)
	return HookHandle{&h.gone}
}

// functionName is the name of a Go function as a message shows it; a function
// literal has none and is called <lambda>, as in Python.
func functionName(f any) string {
	name := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
	name = name[strings.LastIndexByte(name, '.')+1:]
	if strings.HasPrefix(name, "func") {
		return "<lambda>"
	}
	return strings.TrimSuffix(name, "-fm")
}

// outside calls a function of the program in the middle of the engine's work:
// ops that it runs are its own.
func outside[T any](f func() T) T {
	if recorder != nil {
		defer recorder.outside()()
	}
	return f()
}

// tensorHooks runs the hooks on the tensors whose gradients are complete, and
// retain_grad.
func (p *pass) tensorHooks(n *Node, grads []*Tensor) ([]*Tensor, error) {
	if leaf := n.Variable(); leaf != nil {
		if leaf.ext == nil || len(leaf.ext.hooks) == 0 {
			return grads, nil
		}
		g, err := p.runHooks(leaf, n, leaf.ext.hooks, grads[0])
		return []*Tensor{g}, err
	}
	if n.ext == nil {
		return grads, nil
	}
	if len(n.ext.hooked) > 0 {
		grads = append([]*Tensor(nil), grads...)
	}
	for _, l := range n.ext.hooked {
		g, err := p.runHooks(nil, n, l.hooks, grads[l.output])
		if err != nil {
			return nil, err
		}
		grads[l.output] = g
	}
	for _, t := range n.ext.retainers {
		if err := p.retain(t, grads[t.outputNr]); err != nil {
			return nil, err
		}
	}
	return grads, nil
}

// retain stores the gradient of a tensor that is no leaf.
func (p *pass) retain(t, g *Tensor) error {
	if g == nil {
		return nil
	}
	next := g.Clone()
	if t.grad != nil {
		next = t.grad.Add(g)
	}
	if next.err != nil {
		return next.err
	}
	t.grad = next
	if recorder != nil {
		recorder.accumulated(p, t, g, graph.AccumulateRetain, 0)
	}
	return nil
}

// runHooks lets each hook see, and replace, what the one before it left.
func (p *pass) runHooks(t *Tensor, n *Node, hooks []*hook, g *Tensor) (*Tensor, error) {
	for _, h := range hooks {
		if h.gone || g == nil {
			continue
		}
		hold(g) // the hook may keep it
		var result any
		var err error
		outside(func() int { result, err = h.call(g); return 0 })
		if err != nil {
			return nil, err
		}
		next, err := checkHook(h.name, g, result)
		if err != nil {
			return nil, err
		}
		if recorder != nil {
			recorder.hookRan(p, graph.HookTensor, t, n, next != g, next)
		}
		g = next
	}
	return g, nil
}

// checkHook checks that a hook returned nothing or a tensor like the gradient.
func checkHook(name string, g *Tensor, result any) (*Tensor, error) {
	if isNone(result) {
		return g, nil
	}
	r, ok := result.(*Tensor)
	switch {
	case !ok:
		return nil, fail(TypeError, CodeHook, "expected Variable, but hook returned '%s'", pythonTypeOf(result))
	case r.err != nil:
		return nil, r.err
	case !sameSizes(r.sizes, g.sizes):
		return nil, fail(RuntimeError, CodeHook, "hook '%s' has changed the size of value", name)
	case r.dtype != g.dtype:
		return nil, fail(RuntimeError, CodeHook, "hook '%s' has changed the type of value (was %s got %s)", name, typeString(g.dtype), typeString(r.dtype))
	}
	return r, nil
}

func runPostAccumulate(t *Tensor) error {
	if t.ext == nil {
		return nil
	}
	for _, h := range t.ext.postHooks {
		if h.gone {
			continue
		}
		var err error
		outside(func() int { _, err = h.call(t); return 0 })
		if err != nil {
			return err
		}
		if recorder != nil {
			recorder.hookRan(nil, graph.HookPostAccumulate, t, nil, false, nil)
		}
	}
	return nil
}

func (p *pass) preHooks(n *Node, grads []*Tensor) ([]*Tensor, error) {
	if n.ext == nil {
		return grads, nil
	}
	for _, h := range n.ext.pre {
		if h.gone {
			continue
		}
		holdAll(grads)
		replaced := outside(func() []*Tensor { return h.pre(grads) })
		if replaced != nil {
			if len(replaced) != len(grads) {
				return nil, hookCount(h.name, len(replaced), len(grads))
			}
			grads = replaced
		}
		if recorder != nil {
			recorder.hookRan(p, graph.HookNodePre, nil, n, replaced != nil, grads[0])
		}
	}
	return grads, nil
}

func (p *pass) postHooks(n *Node, results, grads []*Tensor) ([]*Tensor, error) {
	if n.ext == nil {
		return results, nil
	}
	for _, h := range n.ext.post {
		if h.gone {
			continue
		}
		holdAll(results)
		holdAll(grads)
		replaced := outside(func() []*Tensor { return h.post(results, grads) })
		if replaced != nil {
			if len(replaced) != len(results) {
				return nil, hookCount(h.name, len(replaced), len(results))
			}
			results = replaced
		}
		if recorder != nil {
			var first *Tensor
			if len(results) > 0 {
				first = results[0]
			}
			recorder.hookRan(p, graph.HookNodePost, nil, n, replaced != nil, first)
		}
	}
	return results, nil
}

func holdAll(grads []*Tensor) {
	for _, g := range grads {
		hold(g)
	}
}

func hookCount(name string, got, want int) *Error {
	return fail(RuntimeError, CodeHook, "hook '%s' has returned an incorrect number of values (got %d, but expected %d)", name, got, want)
}
