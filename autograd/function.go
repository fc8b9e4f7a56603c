package autograd

import (
	"fmt"
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// A Function is a differentiable function that the program defines by its
// forward and backward, as torch.autograd.Function. It follows the rules of
// PyTorch 2.6: forward runs with grad mode off, backward runs with grad mode on
// only if the backward pass itself is recorded, and backward returns one
// gradient for each argument of forward.
type Function struct {
	// Name is the name of the function. Its node is called NameBackward.
	Name string

	// Forward computes the results. inputs has an entry for each argument of
	// Apply, nil for a non-tensor; ctx.Arg returns these.
	Forward func(ctx *FunctionCtx, inputs []*Tensor) ([]*Tensor, error)

	// Backward computes the gradient of each argument from the gradients of the
	// results. nil means no gradient.
	Backward func(ctx *FunctionCtx, grads []*Tensor) ([]*Tensor, error)

	// JVP computes the tangents of the results from the tangents of the
	// arguments, for forward mode. It is called right after Forward. A nil
	// result means no tangent. The tangent of a non-tensor is nil; so is a
	// missing tangent, unless gradients are materialized.
	JVP func(ctx *FunctionCtx, tangents []*Tensor) ([]*Tensor, error)

	// OnceDifferentiable says that Backward itself cannot be differentiated. An
	// attempt is an error.
	OnceDifferentiable bool

	// Dynamic replaces Backward for front ends. Its results may have any type
	// and are checked; the front end calls Hold for the gradients that it
	// keeps.
	Dynamic func(ctx *FunctionCtx, grads []*Tensor) ([]any, error)
}

// A FunctionCtx connects the forward and the backward of one call of a Function.
type FunctionCtx struct {
	// Attributes holds values that forward passes to backward. They are never
	// freed.
	Attributes map[string]any

	fn       *Function
	args     []any
	inputs   []*Tensor
	needs    []bool
	save     []*Tensor
	dirty    []*Tensor
	constant []*Tensor
	bare     bool // undefined gradients stay undefined
	node     *Node
}

// Arg is argument i of Apply.
func (c *FunctionCtx) Arg(i int) any {
	if i < 0 || i >= len(c.args) {
		return nil
	}
	return c.args[i]
}

// NeedsInputGrad reports whether argument i requires grad.
func (c *FunctionCtx) NeedsInputGrad(i int) bool { return i >= 0 && i < len(c.needs) && c.needs[i] }

// SaveForBackward saves tensors for Backward, which reads them with Saved. A
// tensor may be nil.
func (c *FunctionCtx) SaveForBackward(ts ...*Tensor) { c.save = ts }

// SaveAnyForBackward is SaveForBackward for front ends: it checks that the
// values are tensors or None.
func (c *FunctionCtx) SaveAnyForBackward(values ...any) error {
	ts := make([]*Tensor, len(values))
	for i, v := range values {
		t, ok := v.(*Tensor)
		if !ok && v != nil {
			return fail(TypeError, CodeFunction, "save_for_backward can only save variables, but argument %d is of type %s", i, pythonTypeOf(v))
		}
		ts[i] = t
	}
	c.SaveForBackward(ts...)
	return nil
}

// Saved returns the tensors of SaveForBackward. It is an error if an earlier
// backward freed the node, or if one of the tensors was modified in place.
func (c *FunctionCtx) Saved() ([]*Tensor, error) {
	n := c.node
	switch {
	case n == nil:
		return c.save, nil
	case n.freed:
		return nil, freedError()
	}
	ts := make([]*Tensor, len(n.saved))
	for i := range n.saved {
		t, err := n.saved[i].reveal(n)
		if err != nil {
			return nil, err
		}
		ts[i] = t
	}
	return ts, nil
}

// MarkDirty says that forward modified the given tensors in place. They must be
// among its results.
func (c *FunctionCtx) MarkDirty(ts ...*Tensor) { c.dirty = ts }

// MarkNonDifferentiable says that the given results do not require grad.
func (c *FunctionCtx) MarkNonDifferentiable(ts ...*Tensor) { c.constant = ts }

// SetMaterializeGrads sets whether Backward gets zeros (the default) or nil for
// undefined gradients.
func (c *FunctionCtx) SetMaterializeGrads(on bool) { c.bare = !on }

// Apply calls the function and returns its results. Tensor arguments take part
// in autograd.
func (f *Function) Apply(args ...any) ([]*Tensor, error) {
	if recorder != nil {
		recorder.enter()
		defer recorder.leave()
	}
	outs, err := f.apply(args)
	if err != nil {
		return nil, noted(err, f.Name)
	}
	return outs, nil
}

// Call is Apply for a function with a single result. An error travels in the
// tensor.
func (f *Function) Call(args ...any) *Tensor {
	outs, err := f.Apply(args...)
	if err != nil {
		return errTensor(err)
	}
	if len(outs) == 0 || outs[0] == nil {
		return errTensor(fail(RuntimeError, CodeFunction, "%s returned no tensor", f.Name))
	}
	return outs[0]
}

func (f *Function) apply(args []any) ([]*Tensor, error) {
	ctx := &FunctionCtx{fn: f, args: args, inputs: make([]*Tensor, len(args)), needs: make([]bool, len(args)), Attributes: map[string]any{}}
	tracked := false
	for i, arg := range args {
		t, ok := arg.(*Tensor)
		if !ok || t == nil {
			continue
		}
		if t.err != nil {
			return nil, t.err
		}
		ctx.inputs[i], ctx.needs[i] = t, t.requiresGrad()
		tracked = tracked || ctx.needs[i]
	}
	var n *Node
	if tracked && tracking() {
		var err error
		if n, err = ctx.newNode(); err != nil {
			return nil, err
		}
	} else {
		current.sequence++ // PyTorch always makes a node
	}
	outs, err := f.callForward(ctx)
	if err != nil {
		return nil, err
	}
	return ctx.finish(n, outs)
}

// newNode makes the node of the call, with an edge for each tensor argument.
func (c *FunctionCtx) newNode() (*Node, error) {
	var edges []Edge
	for _, t := range c.inputs {
		if t == nil {
			continue
		}
		e, err := gradEdge(t)
		if err != nil {
			return nil, err
		}
		edges = append(edges, e)
	}
	n := (&Node{apply: &functionNode{c}}).init()
	n.edges = append(n.edges, edges...)
	return n, nil
}

func (f *Function) callForward(ctx *FunctionCtx) (outs []*Tensor, err error) {
	if f.Forward == nil {
		return nil, fail(NotImplementedError, CodeFunction, "You must implement the forward function for custom autograd.Function.")
	}
	defer quietly(false)()
	defer withoutTangents()()
	outside(func() { outs, err = f.Forward(ctx, slices.Clone(ctx.inputs)) })
	if err != nil {
		return nil, err
	}
	for _, t := range outs {
		if t != nil && t.err != nil {
			return nil, t.err
		}
	}
	return outs, nil
}

// finish gives the results their history (_wrap_outputs in
// torch/csrc/autograd/custom_function.cpp) and their tangents.
func (c *FunctionCtx) finish(n *Node, raw []*Tensor) ([]*Tensor, error) {
	if recorder != nil {
		recorder.holdRebases()
		defer recorder.settle()
	}
	for _, t := range c.dirty {
		if t != nil {
			from := t.version.v
			t.bump()
			recordMutated(t, from)
		}
	}
	outs, err := c.wrap(n, raw)
	if err != nil {
		return nil, err
	}
	if n != nil {
		c.node = n
		for _, t := range c.save {
			if err := c.saveTensor(t); err != nil {
				return nil, err
			}
		}
	}
	if err := c.forwardMode(raw, outs); err != nil {
		return nil, err
	}
	if recorder != nil {
		recorder.function(c, n, outs)
	}
	return outs, nil
}

// saveTensor fills the next slot of the node.
func (c *FunctionCtx) saveTensor(t *Tensor) error {
	if t == nil {
		return c.node.save(nil, false)
	}
	fn, err := t.GradFn()
	if err != nil {
		return err
	}
	return c.node.save(t, fn == c.node)
}

// wrap gives each result its history.
func (c *FunctionCtx) wrap(n *Node, raw []*Tensor) ([]*Tensor, error) {
	outs := make([]*Tensor, len(raw))
	differentiable := 0
	for i, t := range raw {
		if n != nil {
			o := output{}
			if t != nil {
				o = output{t.sizes, t.dtype}
			}
			n.outs = append(n.outs, o)
		}
		if t == nil {
			continue
		}
		wrapped, isDifferentiable, err := c.wrapOutput(n, t, i, len(raw))
		if err != nil {
			return nil, err
		}
		outs[i] = wrapped
		if isDifferentiable {
			differentiable++
		}
	}
	if differentiable > 1 {
		for _, t := range outs {
			if t != nil && t.IsView() {
				t.viewInfo().kind = graph.MultiOutputView
			}
		}
	}
	for _, t := range c.dirty {
		if t != nil && !slices.Contains(raw, t) {
			return nil, fail(RuntimeError, CodeFunction, "Some elements marked as dirty during the forward method were not returned as output. The inputs that are modified inplace must all be outputs of the Function.")
		}
	}
	return outs, nil
}

// wrapOutput makes t result nr of the call. An input that forward returns
// unchanged becomes a view of itself, an input that was modified gets a new
// history, and a new tensor becomes an output of the node.
func (c *FunctionCtx) wrapOutput(n *Node, t *Tensor, nr, count int) (*Tensor, bool, error) {
	isInput, isDirty := slices.Contains(c.inputs, t), slices.Contains(c.dirty, t)
	differentiable := n != nil && t.dtype.IsFloat() && !slices.Contains(c.constant, t)
	old, oldNr, adopted := t.gradFn, t.outputNr, false
	switch {
	case !differentiable && !t.requiresGrad():
		if isInput && !isDirty {
			t = viewOfSelf(t)
		}
	case !differentiable && isInput:
		t = t.shallow(t.sizes, t.strides, t.offset)
	case !differentiable:
		if !t.IsView() {
			t.Detach_()
		}
	case isDirty:
		if err := c.rebaseOutput(n, t, isInput, nr, count); err != nil {
			return nil, false, err
		}
	case isInput:
		t = viewOfSelf(t)
		t.setHistory(n, nr)
	default:
		t.setHistory(n, nr)
		adopted = true
	}
	if t.err != nil {
		return nil, false, t.err
	}
	if t.IsView() && !(isInput && isDirty) {
		t.viewInfo().kind = graph.FunctionView
		adopted = adopted || !isDirty
	}
	if adopted {
		recordAdopted(t, old, oldNr)
	}
	return t, differentiable, nil
}

// rebaseOutput rewrites the history of a tensor that forward modified in place.
func (c *FunctionCtx) rebaseOutput(n *Node, t *Tensor, isInput bool, nr, count int) error {
	if t.plainLeaf() && t.RequiresGrad() {
		return fail(RuntimeError, CodeLeafInPlace, "a leaf Variable that requires grad has been used in an in-place operation.")
	}
	if !isInput {
		warn("UserWarning", "Only input Tensors should be given to ctx.mark_dirty(). If a Tensor is not an input, there is no need to pass it to mark_dirty().")
	}
	if t.IsView() && count > 1 {
		return fail(RuntimeError, CodeFunction, "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot return more than one Tensor. This is not supported by the current autograd engine. You should either make sure the input is not a view (using .clone() for example) or make your Function only return one Tensor (potentially splitting it into two Functions: one doing the inplace that returns a single Tensor and a second one that does the other operations). You can ask on the forum https://discuss.pytorch.org/ if you need help to do this change.")
	}
	if t.IsView() {
		if err := viewError(t, "is being"); err != nil {
			return err
		}
	}
	t.setGrad(nil)
	if t.ext != nil {
		t.ext.hooks = nil
	}
	rebase(t, n, nr, graph.RebasedFunction)
	return nil
}

// viewOfSelf is t.view_as(t) under no_grad.
func viewOfSelf(t *Tensor) *Tensor {
	v := t.shallow(t.sizes, t.strides, t.offset)
	v.asView(t, graph.FunctionView)
	return v
}

// functionNode is the node of a Function.
type functionNode struct{ ctx *FunctionCtx }

func (f *functionNode) className() string { return f.ctx.fn.Name + "Backward" }
func (f *functionNode) fullName() string  { return f.className() }
func (f *functionNode) release(*Node)     {}

func (f *functionNode) slotNames(n *Node) []string {
	names := make([]string, len(n.saved))
	for i := range names {
		names[i] = fmt.Sprintf("saved_tensors[%d]", i)
	}
	return names
}

func (f *functionNode) backward(_ *pass, n *Node, grads []*Tensor) ([]*Tensor, error) {
	in := slices.Clone(grads)
	for i, g := range in {
		if g == nil && !f.ctx.bare && n.outs[i].dtype != graph.NoDType {
			in[i] = zerosFor(n.outs[i])
		}
	}
	keeps := f.ctx.fn.Dynamic == nil // may keep gradients without Hold
	if keeps {
		hold(in...)
	}
	values, err := f.call(in)
	if err != nil {
		return nil, err
	}
	results, err := f.check(n, values)
	if keeps {
		hold(results...)
	}
	return results, err
}

// call runs the program's backward.
func (f *functionNode) call(grads []*Tensor) (values []any, err error) {
	c := f.ctx
	fn := c.fn
	if fn.Backward == nil && fn.Dynamic == nil {
		return nil, fail(NotImplementedError, CodeFunction, "You must implement either the backward or vjp method for your custom autograd.Function to use it with backward mode AD.")
	}
	run := func() (values []any, err error) {
		if fn.Dynamic != nil {
			return fn.Dynamic(c, grads)
		}
		ts, err := fn.Backward(c, grads)
		for _, t := range ts {
			if t == nil {
				values = append(values, nil)
			} else {
				values = append(values, t)
			}
		}
		return values, err
	}
	if !fn.OnceDifferentiable {
		outside(func() { values, err = run() })
		return values, err
	}
	recorded := gradMode()
	func() {
		defer quietly(false)()
		outside(func() { values, err = run() })
	}()
	if err != nil || !recorded || !slices.ContainsFunc(grads, func(g *Tensor) bool { return g != nil && g.requiresGrad() }) {
		return values, err
	}
	return forbidSecond(values), nil
}

// forbidSecond returns gradients that raise when they are differentiated.
func forbidSecond(values []any) []any {
	ts := make([]*Tensor, len(values))
	for i, v := range values {
		ts[i], _ = v.(*Tensor)
	}
	out := slices.Clone(values)
	for i, t := range DelayedError("trying to differentiate twice a function that was marked with @once_differentiable", ts) {
		if t != nil {
			out[i] = t
		}
	}
	return out
}

// delayedError is the node of gradients that cannot be differentiated further.
type delayedError struct{ text string }

func (delayedError) className() string { return "Error" }
func (delayedError) fullName() string  { return "torch::autograd::Error" }
func (delayedError) release(*Node)     {}
func (d delayedError) backward(*pass, *Node, []*Tensor) ([]*Tensor, error) {
	return nil, fail(RuntimeError, CodeFunction, "%s", d.text)
}

// check matches the results of backward with the arguments of forward.
func (f *functionNode) check(n *Node, values []any) ([]*Tensor, error) {
	args := f.ctx.args
	if len(values) > len(args) && !slices.ContainsFunc(values[len(args):], func(v any) bool { return !isNone(v) }) {
		values = values[:len(args)]
	}
	if len(values) != len(args) {
		return nil, fail(RuntimeError, CodeFunction, "function %s returned an incorrect number of gradients (expected %d, got %d)", f.className(), len(args), len(values))
	}
	results := make([]*Tensor, 0, len(n.edges))
	for i, v := range values {
		t, isTensor := v.(*Tensor)
		if _, wasTensor := args[i].(*Tensor); !wasTensor {
			if !isNone(v) {
				return nil, fail(RuntimeError, CodeFunction, "function %s returned a gradient different than None at position %d, but the corresponding forward input was not a Variable", f.className(), i+1)
			}
			continue
		}
		if !isTensor && !isNone(v) {
			return nil, fail(RuntimeError, CodeFunction, "expected Variable or None (got %s)", pythonTypeOf(v))
		}
		if t != nil && t.err != nil {
			return nil, t.err
		}
		results = append(results, t)
	}
	return results, nil
}
