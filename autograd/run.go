package autograd

import "github.com/gradtui/gradtui/graph"

// This file does for a call what PyTorch's generated code does (VariableType):
// decide whether the call is recorded, make the node with its edges and saved
// tensors, run the kernel, and give the results their history.

// unobserved reports whether calls of operators leave no trace besides their
// results: no nodes, no tangents, no events.
func unobserved() bool {
	return !tracking() && !computesTangents() && (recorder == nil || recorder.muted > 0)
}

// run executes the operator and takes over the arguments.
func (o *Op) run(a *Args, inPlace bool) ([]*Tensor, error) {
	if o.Compose != nil {
		outs, err := o.Compose(a)
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
	if len(o.fixed) > 0 && gradMode() {
		if err := o.checkFixed(a); err != nil {
			return nil, err
		}
	}
	// Views of inference tensors do not count as views and have no history.
	views := o.Views != NoViews && !a.Self().IsInference()
	tracked := tracking() && o.anyNeedsGrad(a) && (views || o.Views == NoViews)
	if inPlace {
		return o.runInPlace(a, tracked)
	}
	var n *Node
	if tracked {
		var err error
		if n, err = o.newNode(a); err != nil {
			return nil, err
		}
	}
	outs, err := o.Forward(a)
	if err != nil {
		return nil, err
	}
	if views {
		kind, t := viewKind(o.Views == MultiView), a.Self()
		for _, v := range outs {
			if v != t {
				v.asView(t, kind)
			}
		}
	}
	if n != nil {
		for i, t := range outs {
			switch {
			case o.constant&(1<<i) != 0:
			case t == nil:
				n.outs = append(n.outs, output{}) // not wanted, but counted
			case t.dtype.IsFloat():
				n.addOutput(t)
			}
		}
		if err := n.saveResults(a, outs); err != nil {
			return nil, err
		}
	}
	if computesTangents() {
		if err := o.forwardTangents(a, outs); err != nil {
			return nil, err
		}
	}
	if recorder != nil {
		recorder.op(a, outs, n, nil, 0)
	}
	a.done(n)
	return outs, nil
}

// checkFixed refuses arguments that require grad if the operator has no
// derivative with respect to them (check_no_requires_grad).
func (o *Op) checkFixed(a *Args) error {
	for _, p := range o.fixed {
		if a.needsGrad(p) {
			if o.schema.Name == "where" { // it looks at the dtype first
				return fail(RuntimeError, CodeDType, "where expected condition to be a boolean tensor, but got a tensor with dtype %s", scalarTypeName(a.Tensor(o.schema.Params[p].Name).dtype))
			}
			return fail(RuntimeError, CodeNoDerivative, "The function '%s' is not differentiable with respect to argument '%s'. This input cannot have requires_grad True.", o.schema.Name, o.schema.Params[p].Name)
		}
	}
	return nil
}

// done releases the arguments after a call. A node keeps the non-tensor
// arguments, if there are any.
func (a *Args) done(n *Node) {
	switch {
	case n == nil:
		a.free()
	case a.plain && a.op.factual == 0 && a.Extra == nil && a.before == nil:
		n.args = a.op.defaultArgs(a)
		a.free()
	case a.op.keepsArgs || a.Extra != nil:
		a.strip()
	default:
		n.args = nil
		a.free()
	}
}

// defaultArgs returns what a node keeps of a call that gave only tensors; all
// such calls share it.
func (o *Op) defaultArgs(a *Args) *Args {
	if !o.keepsArgs {
		return nil
	}
	form := &o.defaults[0]
	if a.inPlace {
		form = &o.defaults[1]
	}
	if *form == nil {
		kept := new(Args)
		kept.reset(o, a.name, a.inPlace)
		copy(kept.values, a.values)
		kept.strip()
		*form = kept
	}
	return *form
}

func (o *Op) anyNeedsGrad(a *Args) bool {
	for i := range o.inputs {
		if a.needsGrad(o.inputs[i].param) {
			return true
		}
	}
	return false
}

// newNode makes the node for a call, with its edges and saved inputs.
func (o *Op) newNode(a *Args) (*Node, error) {
	n := (&Node{op: o, args: a}).init()
	for i := range o.inputs {
		switch x := a.values[o.inputs[i].param].x.(type) {
		case []*Tensor:
			for _, t := range x {
				if err := n.addEdge(t); err != nil {
					return nil, err
				}
			}
		default:
			t, _ := x.(*Tensor)
			if o.inputs[i].formula < 0 && (t == nil || !t.requiresGrad()) {
				continue // a node without a derivative has no edge for it
			}
			if err := n.addEdge(t); err != nil {
				return nil, err
			}
		}
	}
	for i := range o.slots {
		s := &o.slots[i]
		if s.result >= 0 {
			continue
		}
		if err := n.saveInput(a, s); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// saveInput fills a slot with an argument. If an in-place op is about to change
// the tensor, a copy is saved.
func (n *Node) saveInput(a *Args, s *slot) error {
	v := &a.values[s.param]
	if s.list {
		return n.saveList(v)
	}
	t, _ := v.x.(*Tensor)
	if t == nil || !s.needed(a) {
		return n.save(nil, false)
	}
	if !a.inPlace || s.param != 0 {
		return n.save(t, false)
	}
	if err := n.save(t.Clone(), false); err != nil {
		return err
	}
	n.saved[len(n.saved)-1].copied = true
	return nil
}

// saveList saves the tensors of a list or of an index expression.
func (n *Node) saveList(v *value) error {
	for _, t := range v.tensors() {
		if err := n.save(t, false); err != nil {
			return err
		}
	}
	return nil
}

// tensors returns the elements of a list, with nil for non-tensors.
func (v *value) tensors() []*Tensor {
	switch list := v.x.(type) {
	case []*Tensor:
		return list
	case []any:
		ts := make([]*Tensor, len(list))
		for i, item := range list {
			ts[i], _ = item.(*Tensor)
		}
		return ts
	}
	return nil
}

func (n *Node) saveResults(a *Args, outs []*Tensor) error {
	for i := range n.op.slots {
		if s := &n.op.slots[i]; s.result >= 0 {
			var t *Tensor
			if s.result < len(outs) {
				t = outs[s.result]
			}
			if err := n.save(t, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// runInPlace executes the in-place form of an operator in PyTorch's order:
// check, save what the formula needs of the old value, change the data, count
// the change, rewrite the history, save the result.
func (o *Op) runInPlace(a *Args, tracked bool) ([]*Tensor, error) {
	t := a.Self()
	if recorder != nil {
		recorder.meet(t)
	}
	if err := mayWrite(t, o.schema.Name); err != nil {
		return nil, err
	}
	if err := beforeChange(t); err != nil {
		return nil, err
	}
	if err := checkInPlace(t, tracked); err != nil {
		return nil, err
	}
	if o.Views == NoViews {
		if err := a.checkOverlap(); err != nil {
			return nil, err
		}
	}
	var n *Node
	if tracked {
		var err error
		if n, err = o.newNode(a); err != nil {
			return nil, err
		}
	}
	var tangent *Tensor
	if computesTangents() {
		var err error
		if tangent, err = o.inPlaceTangent(a); err != nil {
			return nil, err
		}
	}
	if o.Views != NoViews {
		a.before = a.fact(0)
		t.keepSavedShape()
	}
	if err := o.mutate(a); err != nil {
		return nil, err
	}
	from := t.version.v
	if err := changeAllowed(t); err != nil {
		recordMutated(t, from)
		return nil, err
	}
	if !a.unchanged {
		t.bump()
	}
	if recorder != nil {
		recorder.holdRebases()
		defer recorder.settle()
	}
	outs := t.alone()
	if n != nil {
		n.outs = append(n.outs, output{t.sizes, t.dtype})
		if o.Views == NoViews {
			rebase(t, n, 0, graph.RebasedInPlace)
		} else {
			t.replaceHistory(n, 0, graph.RebasedInPlace)
		}
		if err := n.saveResults(a, outs); err != nil {
			return nil, err
		}
	}
	switch {
	case tangent == nil:
	case o.Views != NoViews:
		setTangent(t, tangent) // it still shows the same memory
	default:
		if err := updateTangent(t, tangent); err != nil {
			return nil, err
		}
	}
	if recorder != nil {
		recorder.op(a, outs, n, t, from)
	}
	a.done(n)
	return outs, nil
}

// mutate changes t: by the operator's own Mutate, or by computing the result
// and storing it.
func (o *Op) mutate(a *Args) error {
	if o.Mutate != nil {
		return o.Mutate(a)
	}
	return a.store(o.Forward)
}

// storeForward is the Mutate of operators that exist only in place and compute
// their result with Forward.
func storeForward(a *Args) error { return a.store(a.op.Forward) }

// store computes the result of an in-place call and stores it in the first
// argument.
func (a *Args) store(forward func(a *Args) ([]*Tensor, error)) error {
	t := a.Self()
	a.into = t
	if t.flags&contiguousFlag != 0 {
		a.result = t
	}
	outs, err := forward(a)
	a.result, a.into = nil, nil
	if err != nil {
		return err
	}
	r := outs[0]
	if r == t {
		return nil
	}
	if a.op.Views != NoViews {
		// In-place forms of view operators change the geometry of t.
		t.setGeometry(r.sizes, r.strides, r.offset)
		if t.ext != nil {
			t.ext.accumulator = nil // later graphs get one for the new shape
		}
		return nil
	}
	if !canCast(r.dtype, t.dtype) {
		return castError(r.dtype, t.dtype)
	}
	if !sameSizes(r.sizes, t.sizes) {
		return fail(RuntimeError, CodeShape, "output with shape %s doesn't match the broadcast shape %s", shapeText(t.sizes), shapeText(r.sizes))
	}
	copyData(t, r)
	return nil
}

func castError(from, to DType) *Error {
	return fail(RuntimeError, CodeDType, "result type %s can't be cast to the desired output type %s", scalarTypeName(from), scalarTypeName(to))
}
