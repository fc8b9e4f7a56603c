package autograd

// This file answers a program's questions about the backward pass that calls
// it, and holds other graph queries of front ends.

// CurrentPass returns the number of the backward pass that runs in the current
// thread, counted from 1, or 0 if there is none.
func CurrentPass() uint64 {
	if current.pass == nil {
		return 0
	}
	return current.pass.number
}

// CurrentNode returns the node whose backward function or hook runs in the
// current thread, or nil.
func CurrentNode() *Node { return current.running }

// Reentrable reports whether a backward function may start another backward
// pass for all leaves. It may not if gradients are wanted only for certain
// inputs.
func Reentrable() bool { return current.pass == nil || current.pass.reentrable }

// WillRun reports whether the running backward pass executes the node or
// captures a gradient there.
func (n *Node) WillRun() bool {
	if n == nil || current.pass == nil {
		return false
	}
	s := current.pass.state(n)
	return s != nil && (!current.pass.selective || s.wanted())
}

// EdgeOf returns the edge for the gradient of t: an output of its grad_fn, or
// the node that accumulates the gradient of a leaf. The edge has no node if t
// does not require grad.
func EdgeOf(t *Tensor) (Edge, error) { return gradEdge(t) }

// At returns a tensor whose gradient goes to the edge, to represent the edge
// among the roots and inputs of backward. Its values are meaningless.
func (e Edge) At() *Tensor {
	if leaf := e.Node.Variable(); leaf != nil {
		return leaf
	}
	if e.Node == nil || e.Input < 0 || e.Input >= len(e.Node.outs) {
		return errTensor(fail(RuntimeError, CodeArgument, "no output %d of %s", e.Input, e.Node.Name()))
	}
	out := e.Node.outs[e.Input]
	t := alloc(out.dtype, out.sizes)
	t.gradFn, t.outputNr = e.Node, uint32(e.Input)
	return t
}

// An OutputInfo describes a result of a node's forward op.
type OutputInfo struct {
	Sizes []int
	DType DType
}

// Outputs describes the results of the node's forward op.
func (n *Node) Outputs() []OutputInfo {
	list := make([]OutputInfo, len(n.outs))
	for i, o := range n.outs {
		list[i] = OutputInfo{o.sizes, o.dtype}
	}
	return list
}

// Evaluate runs the node by itself, without its hooks, on one gradient for each
// result of the forward op, and returns the gradients that it computes.
func (n *Node) Evaluate(grads []*Tensor) ([]*Tensor, error) {
	if len(grads) != len(n.outs) {
		return nil, noted(fail(TypeError, CodeArgument, "expected %d arguments, got %d instead", len(n.outs), len(grads)), n.Name())
	}
	hold(grads...)
	raw, err := new(pass).call(new(Ctx), n, grads)
	return raw, noted(err, n.Name())
}

// DelayedError returns copies of the given tensors that raise an error with
// this text when they are differentiated.
func DelayedError(text string, ts []*Tensor) []*Tensor {
	n := (&Node{apply: delayedError{text}}).init()
	out := make([]*Tensor, len(ts))
	for i, t := range ts {
		if t == nil || t.err != nil {
			n.outs = append(n.outs, output{})
			n.edges = append(n.edges, Edge{})
			out[i] = t
			continue
		}
		leaf := t.shallow(t.sizes, t.strides, t.offset)
		leaf.flags |= requiresGradFlag
		n.edges = append(n.edges, Edge{accumulatorOf(leaf), 0})
		d := t.shallow(t.sizes, t.strides, t.offset)
		d.version = new(counter)
		n.addOutput(d)
		out[i] = d
	}
	return out
}

// IncrementVersion counts a change of the tensor's elements that was made
// outside the engine.
func (t *Tensor) IncrementVersion() error {
	if t == nil || t.err != nil {
		return t.usable("increment_version")
	}
	from := t.version.v
	t.bump()
	recordMutated(t, from)
	return nil
}

// SetVersion sets the version of the tensor.
func (t *Tensor) SetVersion(v int) { t.version.v = uint32(v) }

// SetForwardEnabled sets whether operators compute tangents and returns the
// previous setting.
func SetForwardEnabled(on bool) bool {
	before := !current.noForward
	current.noForward = !on
	return before
}

// ForwardEnabled reports whether operators may compute tangents.
func ForwardEnabled() bool { return !current.noForward }

// OnChange makes the engine call f before a tensor is changed in place; nil
// removes f.
func OnChange(f func(t *Tensor) error) { current.onChange = f }

// beforeChange calls the function of OnChange.
func beforeChange(t *Tensor) (err error) {
	f := current.onChange
	if f == nil {
		return nil
	}
	current.onChange = nil
	defer func() { current.onChange = f }()
	outside(func() { err = f(t) })
	return err
}
