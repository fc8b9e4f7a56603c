package autograd

import (
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// Hooks run in the order of PyTorch 2.6: first the hooks on tensors, in the
// order of their registration; then retain_grad; then the node's pre-hooks; the
// node; the node's post-hooks. A pass runs the hooks that are registered when
// it reaches the node, including hooks that an earlier hook on the same node
// removes.
//
// The methods RegisterNamed… are for front ends: messages call the hook by
// name, the hook may fail, and its result is checked as in PyTorch. Such a hook
// may keep a gradient beyond its call only if the front end calls Hold.

// A hook is a function of the program that is called with the gradient of a
// tensor.
type hook struct {
	call  func(g *Tensor) (any, error)
	name  string
	keeps bool // it may keep gradients without Hold
}

// A nodeHook is a pre-hook, with one list of gradients, or a post-hook, with two.
type nodeHook struct {
	call  func(gradInputs, gradOutputs []*Tensor) (any, error)
	name  string
	keeps bool
}

// A HookHandle removes a hook.
type HookHandle struct{ remove func() }

// Remove removes the hook. Removing it again has no effect.
func (h HookHandle) Remove() {
	if h.remove != nil {
		h.remove()
	}
}

// add appends a hook to a list and returns the handle that removes it. A pass
// that is running the list continues with the old list.
func add[H any](list *[]*H, h *H) HookHandle {
	*list = append(slices.Clip(*list), h)
	return HookHandle{func() {
		if i := slices.Index(*list, h); i >= 0 {
			*list = slices.Concat((*list)[:i], (*list)[i+1:])
		}
	}}
}

// RegisterHook calls f with the gradient of the tensor in every backward pass,
// after the gradient is complete and before it is sent on. The gradient is nil
// if it is undefined. The result of f replaces the gradient; nil keeps it. It
// is an error if the tensor does not require grad.
func (t *Tensor) RegisterHook(f func(grad *Tensor) *Tensor) (HookHandle, error) {
	return t.registerHook(&hook{name: functionName(f), keeps: true, call: func(g *Tensor) (any, error) { return f(g), nil }})
}

// RegisterNamedHook is RegisterHook for front ends.
func (t *Tensor) RegisterNamedHook(name string, f func(grad *Tensor) (any, error)) (HookHandle, error) {
	return t.registerHook(&hook{name: name, call: f})
}

// hookable checks that a method may register hooks on t, and returns the grad_fn.
func (t *Tensor) hookable(method string) (*Node, error) {
	if err := t.usable(method); err != nil {
		return nil, err
	}
	if !t.RequiresGrad() {
		return nil, t.raise(fail(RuntimeError, CodeNoGrad, "cannot register a hook on a tensor that doesn't require gradient"))
	}
	return t.GradFn()
}

func (t *Tensor) registerHook(h *hook) (HookHandle, error) {
	fn, err := t.hookable("register_hook")
	if err != nil {
		return HookHandle{}, err
	}
	if fn == nil {
		return add(&t.extend().hooks, h), nil
	}
	return add(fn.hooksFor(int(t.outputNr)), h), nil
}

func (n *Node) hooksFor(output int) *[]*hook {
	for _, l := range n.extend().hooked {
		if l.output == output {
			return &l.hooks
		}
	}
	l := &tensorHooks{output: output}
	n.ext.hooked = append(n.ext.hooked, l)
	return &l.hooks
}

// RegisterPostAccumulateGradHook calls f after a gradient was added to the
// leaf's .grad. It is an error if the tensor is not a leaf that requires grad.
func (t *Tensor) RegisterPostAccumulateGradHook(f func(param *Tensor)) (HookHandle, error) {
	return t.RegisterNamedPostAccumulateGradHook(functionName(f), func(t *Tensor) (any, error) { f(t); return nil, nil })
}

// RegisterNamedPostAccumulateGradHook is RegisterPostAccumulateGradHook for front
// ends: f must return None.
func (t *Tensor) RegisterNamedPostAccumulateGradHook(name string, f func(param *Tensor) (any, error)) (HookHandle, error) {
	fn, err := t.hookable("register_post_accumulate_grad_hook")
	if err != nil {
		return HookHandle{}, err
	}
	if fn != nil {
		return HookHandle{}, t.raise(fail(RuntimeError, CodeNotLeaf, "post accumulate grad hooks cannot be registered on non-leaf tensors"))
	}
	h := &hook{name: name, call: func(t *Tensor) (any, error) {
		result, err := f(t)
		if err == nil {
			result, err = checkHook(name, t, result)
		}
		if err == nil && result != t {
			err = fail(RuntimeError, CodeHook, "Tensor post accumulate grad hooks should return None.")
		}
		return nil, err
	}}
	return add(&t.extend().postHooks, h), nil
}

// RegisterPrehook calls f with the gradients that arrived at the node, before
// the node runs. f returns the same number of gradients to replace them, or nil
// to keep them.
func (n *Node) RegisterPrehook(f func(gradOutputs []*Tensor) []*Tensor) HookHandle {
	return n.register(pre, &nodeHook{name: functionName(f), keeps: true, call: func(_, out []*Tensor) (any, error) { return tupleOf(f(out)), nil }})
}

// RegisterNamedPrehook is RegisterPrehook for front ends: f returns a Tuple or
// nil.
func (n *Node) RegisterNamedPrehook(name string, f func(gradOutputs []*Tensor) (any, error)) HookHandle {
	return n.register(pre, &nodeHook{name: name, call: func(_, out []*Tensor) (any, error) { return f(out) }})
}

// RegisterHook calls f after the node ran, with the gradients that it computed
// and the gradients that arrived at it. f returns the same number of gradients
// to replace the computed ones, or nil to keep them.
func (n *Node) RegisterHook(f func(gradInputs, gradOutputs []*Tensor) []*Tensor) HookHandle {
	return n.register(post, &nodeHook{name: functionName(f), keeps: true, call: func(in, out []*Tensor) (any, error) { return tupleOf(f(in, out)), nil }})
}

// RegisterNamedHook is RegisterHook for front ends: f returns a Tuple or nil.
func (n *Node) RegisterNamedHook(name string, f func(gradInputs, gradOutputs []*Tensor) (any, error)) HookHandle {
	return n.register(post, &nodeHook{name: name, call: f})
}

// The lists of hooks of a node.
func pre(x *nodeExtension) *[]*nodeHook  { return &x.pre }
func post(x *nodeExtension) *[]*nodeHook { return &x.post }

func (n *Node) register(list func(*nodeExtension) *[]*nodeHook, h *nodeHook) HookHandle {
	if n == nil {
		return HookHandle{}
	}
	return add(list(n.extend()), h)
}

// functionName returns the name of a Go function as a message shows it. A
// function literal is called <lambda>, as in Python.
func functionName(f any) string {
	name := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
	name = name[strings.LastIndexByte(name, '.')+1:]
	if strings.HasPrefix(name, "func") {
		return "<lambda>"
	}
	return strings.TrimSuffix(name, "-fm")
}

// Hold says that a front end keeps a gradient that a hook or a Function
// received or returned. The engine will not change it in place, reuse its
// memory, or make it the .grad of a leaf without copying. Release undoes one
// Hold. Gradients that Go functions see count as kept forever.
func (t *Tensor) Hold() { hold(t) }

// Release undoes one Hold.
func (t *Tensor) Release() {
	if t != nil && t.refs > 0 {
		t.refs--
	}
}

// outside calls a function of the program in the middle of the engine's work.
// The ops that the function runs belong to the program.
func outside(f func()) {
	if recorder != nil {
		defer recorder.outside()()
	}
	f()
}

// tensorHooks runs the hooks on the tensors whose gradients are complete, and
// retain_grad. The given slice is not changed.
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
		grads = slices.Clone(grads)
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

// retain stores the gradient of a non-leaf tensor in its .grad.
func (p *pass) retain(t, g *Tensor) error {
	if g == nil {
		return nil
	}
	var next *Tensor
	if t.grad == nil {
		next = g.Clone(Kw("memory_format", "contiguous"))
	} else {
		next = t.grad.Add(g)
	}
	if next.err != nil {
		return next.err
	}
	t.setGrad(next)
	if recorder != nil {
		recorder.accumulated(p, t, g, graph.AccumulateRetain, 0)
	}
	return nil
}

// runHooks calls each hook with the result of the one before.
func (p *pass) runHooks(t *Tensor, n *Node, hooks []*hook, g *Tensor) (*Tensor, error) {
	for _, h := range hooks {
		var result any
		var err error
		outside(func() { result, err = h.call(g) })
		if err != nil {
			return nil, err
		}
		next, err := checkHook(h.name, g, result)
		if err != nil {
			return nil, err
		}
		if h.keeps {
			hold(g, next)
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
	case g == nil:
		return nil, fail(RuntimeError, CodeHook, "can't replace a None gradient with a non-None value")
	case !ok:
		return nil, fail(TypeError, CodeHook, "expected Variable, but hook returned '%s'", pythonTypeOf(result))
	case r.err != nil:
		return nil, r.err
	case r.dtype != g.dtype:
		return nil, fail(RuntimeError, CodeHook, "hook '%s' has changed the type of value (was %s got %s)", name, typeString(g.dtype), typeString(r.dtype))
	case !sameSizes(r.sizes, g.sizes):
		return nil, fail(RuntimeError, CodeHook, "hook '%s' has changed the size of value", name)
	}
	return r, nil
}

// checkNodeHook checks that a hook on a node returned nothing, or as many
// gradients as it was called with, with the same metadata.
func checkNodeHook(name string, grads []*Tensor, result any) ([]*Tensor, error) {
	if isNone(result) {
		return grads, nil
	}
	tuple, ok := result.(Tuple)
	if !ok {
		return nil, fail(TypeError, CodeHook, "expected tuple, but hook returned '%s'", pythonTypeOf(result))
	}
	if len(tuple) != len(grads) {
		return nil, fail(RuntimeError, CodeHook, "hook '%s' has returned an incorrect number of values (got %d, but expected %d)", name, len(tuple), len(grads))
	}
	next := make([]*Tensor, len(grads))
	for i, x := range tuple {
		if isNone(x) {
			continue
		}
		g, err := checkHook(name, grads[i], x)
		if err != nil {
			return nil, err
		}
		next[i] = g
	}
	return next, nil
}

func (p *pass) preHooks(n *Node, grads []*Tensor) ([]*Tensor, error) {
	if n.ext == nil || len(n.ext.pre) == 0 {
		return grads, nil
	}
	return p.runNodeHooks(graph.HookNodePre, n, n.ext.pre, grads, grads)
}

func (p *pass) postHooks(n *Node, results, grads []*Tensor) ([]*Tensor, error) {
	if n.ext == nil || len(n.ext.post) == 0 {
		return results, nil
	}
	return p.runNodeHooks(graph.HookNodePost, n, n.ext.post, results, grads)
}

// runNodeHooks calls each hook with the gradients that the one before left. A
// post-hook also gets the gradients that arrived at the node.
func (p *pass) runNodeHooks(kind graph.HookKind, n *Node, hooks []*nodeHook, grads, incoming []*Tensor) ([]*Tensor, error) {
	for _, h := range hooks {
		if kind == graph.HookNodePre {
			incoming = grads
		}
		var result any
		var err error
		outside(func() { result, err = h.call(slices.Clone(grads), slices.Clone(incoming)) })
		if err != nil {
			return nil, err
		}
		next, err := checkNodeHook(h.name, grads, result)
		if err != nil {
			return nil, err
		}
		if h.keeps {
			hold(grads...)
			hold(incoming...)
			hold(next...)
		}
		grads = next
		if recorder != nil {
			var first *Tensor
			if len(grads) > 0 {
				first = grads[0]
			}
			recorder.hookRan(p, kind, nil, n, !isNone(result), first)
		}
	}
	return grads, nil
}

func (p *pass) runPostAccumulate(t *Tensor) error {
	if t.ext == nil {
		return nil
	}
	for _, h := range t.ext.postHooks {
		var err error
		outside(func() { _, err = h.call(t) })
		if err != nil {
			return err
		}
		if recorder != nil {
			recorder.hookRan(p, graph.HookPostAccumulate, t, nil, false, nil)
		}
	}
	return nil
}
