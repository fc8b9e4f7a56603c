package autograd

import (
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// Forward mode: a dual number is a tensor with a tangent, and every operator
// computes the tangents of its results from the tangents of its arguments. As
// in torch.autograd.forward_ad there is one level; tangents vanish when it
// ends.

// A JVP computes the tangents of an operator's results.
type JVP func(c *JCtx) ([]*Tensor, error)

// A JCtx is the context of a JVP: a call with its results.
type JCtx struct {
	op   *Op
	args *Args
	outs []*Tensor
}

// Primal returns a tensor argument.
func (c *JCtx) Primal(name string) *Tensor { return c.args.Tensor(name) }

// Args returns the arguments of the call.
func (c *JCtx) Args() *Args { return c.args }

// Out is result i.
func (c *JCtx) Out(i int) *Tensor { return c.outs[i] }

// Tangent returns the tangent of a tensor argument, or nil.
func (c *JCtx) Tangent(name string) *Tensor { return tangentOf(c.args.Tensor(name)) }

// TangentOrZeros returns the tangent of a tensor argument, or zeros.
func (c *JCtx) TangentOrZeros(name string) *Tensor { return tangentOrZeros(c.args.Tensor(name)) }

// tangentOf returns the tangent of a tensor, or nil. The tangent of a view that
// was not given one is a part of its base's tangent.
func tangentOf(t *Tensor) *Tensor {
	if len(current.duals) == 0 || t == nil || t.ext == nil {
		return nil
	}
	v := t.ext.view
	if t.ext.tangent != nil || v == nil || v.unseen || v.base == t {
		return t.ext.tangent
	}
	whole := tangentOf(v.base)
	if whole == nil {
		return nil
	}
	part := partOf(whole, t)
	setTangent(t, part)
	return part
}

// partOf returns the part of a base's tangent that belongs to a view.
func partOf(whole, view *Tensor) *Tensor {
	part := whole.shallow(view.sizes, view.strides, whole.offset+view.offset-view.viewInfo().base.offset)
	part.asView(whole, graph.PlainView)
	return part
}

func tangentOrZeros(t *Tensor) *Tensor {
	if t == nil {
		return nil
	}
	if d := tangentOf(t); d != nil {
		return d
	}
	return filled(t.sizes, t.dtype, 0)
}

// EnterDualLevel turns forward mode on, as
// torch.autograd.forward_ad.enter_dual_level does. There is only one level;
// nesting is an error.
func EnterDualLevel() error {
	if current.dual {
		return noted(fail(RuntimeError, CodeUnsupported, "Nested forward mode AD is not supported at the moment"), "enter_dual_level")
	}
	current.dual = true
	return nil
}

// ExitDualLevel turns forward mode off and drops the tangents that were set
// since. It is an error if forward mode is off.
func ExitDualLevel() error {
	if !current.dual {
		return noted(fail(RuntimeError, CodeArgument, "Trying to exit a forward AD level that was not the last one that was created. This is not supported."), "exit_dual_level")
	}
	for _, t := range current.duals {
		t.ext.tangent = nil
	}
	current.dual, current.duals = false, nil
	return nil
}

// DualLevel calls f with forward mode on.
func DualLevel(f func() error) error {
	if err := EnterDualLevel(); err != nil {
		return err
	}
	defer ExitDualLevel()
	return f()
}

// withoutTangents turns forward mode off until restore is called. Tangents are
// kept.
func withoutTangents() (restore func()) {
	th := current
	before := th.dual
	th.dual = false
	return func() { th.dual = before }
}

// computesTangents reports whether operators compute tangents: at least one
// tensor has one.
func computesTangents() bool {
	return current.dual && len(current.duals) > 0 && !current.inference && !current.noForward
}

// setTangent makes a tensor dual. The tangent gets the tensor's layout.
func setTangent(t, tangent *Tensor) {
	if !slices.Equal(t.strides, tangent.strides) {
		tangent = laidOutLike(tangent, t)
	}
	t.extend().tangent = tangent
	current.duals = append(current.duals, t)
}

// laidOutLike copies a tangent into memory of the same size as t's, to the same
// positions. Positions that elements share cannot be written.
func laidOutLike(tangent, t *Tensor) *Tensor {
	if overlaps(t.sizes, t.strides) {
		return tangent
	}
	d := alloc(tangent.dtype, []int{t.st.len()}).shallow(t.sizes, t.strides, t.offset)
	defer withoutTangents()()
	if err := d.Copy_(tangent); err != nil {
		return errTensor(err)
	}
	return d
}

// MakeDual returns a view of primal that carries a tangent of the same shape.
// Both must be floating point, and forward mode must be on.
func MakeDual(primal, tangent *Tensor) *Tensor {
	d, err := makeDual(primal, tangent)
	if err != nil {
		return errTensor(noted(err, "make_dual"))
	}
	return d
}

func makeDual(primal, tangent *Tensor) (*Tensor, error) {
	for _, t := range []*Tensor{primal, tangent} {
		if err := t.usable("is_floating_point"); err != nil {
			return nil, err
		}
	}
	switch {
	case !current.dual:
		return nil, fail(RuntimeError, CodeArgument, "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first.")
	case !primal.dtype.IsFloat():
		return nil, fail(ValueError, CodeDType, "Expected primal to be floating point or complex, but got: torch.%s", primal.dtype)
	case !tangent.dtype.IsFloat():
		return nil, fail(ValueError, CodeDType, "Expected tangent to be floating point or complex, but got: torch.%s", tangent.dtype)
	case tangentOf(primal) != nil:
		return nil, fail(RuntimeError, CodeArgument, "Making a dual Tensor based on a Tensor that already has a forward gradient at the same level 0 is not supported.")
	case tangentOf(tangent) != nil:
		return nil, fail(RuntimeError, CodeArgument, "Setting a forward grad that itself has a forward gradient at the same level0 is not supported.")
	case !sameSizes(primal.sizes, tangent.sizes):
		return nil, tangentSizeError(primal, tangent)
	}
	d := viewWithoutTangent(primal)
	if d.err != nil {
		return nil, d.err
	}
	if primal.st.len() != tangent.st.len() {
		tangent = laidOutLike(tangent, primal)
	}
	setTangent(d, tangent)
	return d, nil
}

func tangentSizeError(t, tangent *Tensor) *Error {
	return fail(RuntimeError, CodeShape, "Trying to set a forward gradient that has a different size than that of the original Tensor, this is not supported. Tensor is of size %s while the given forward gradient is of size %s.", shapeText(t.sizes), shapeText(tangent.sizes))
}

// UnpackDual returns the value and the tangent of a dual number. The tangent is
// nil for an ordinary tensor.
func UnpackDual(t *Tensor) (primal, tangent *Tensor) {
	if err := t.usable("unpack_dual"); err != nil {
		return errTensor(err), nil
	}
	return viewWithoutTangent(t), tangentOf(t)
}

// viewWithoutTangent returns a view of t for backward, but not for forward
// mode.
func viewWithoutTangent(t *Tensor) *Tensor {
	defer withoutTangents()()
	v := t.ViewAs(t)
	if info := v.viewInfo(); v.err == nil && info != nil {
		info.unseen = true
	}
	return v
}

// ForwardJVP evaluates f at the primals, and the derivative of f there in the
// direction of the tangents. primals and tangents have the same length and,
// pairwise, the same shapes; outTangents holds a tangent for each of outs.
func ForwardJVP(f func(in []*Tensor) []*Tensor, primals, tangents []*Tensor) (outs, outTangents []*Tensor, err error) {
	if len(primals) != len(tangents) {
		return nil, nil, noted(fail(RuntimeError, CodeArgument, "got %d primals and %d tangents", len(primals), len(tangents)), "jvp")
	}
	err = DualLevel(func() error {
		in := make([]*Tensor, len(primals))
		for i := range in {
			if in[i] = MakeDual(primals[i], tangents[i]); in[i].err != nil {
				return in[i].err
			}
		}
		for _, t := range f(in) {
			if err := t.usable("jvp"); err != nil {
				return err
			}
			primal, tangent := UnpackDual(t)
			if tangent == nil {
				tangent = filled(t.sizes, t.dtype, 0)
			}
			outs, outTangents = append(outs, primal), append(outTangents, tangent)
		}
		return nil
	})
	return outs, outTangents, err
}

// forwardTangents sets the tangents of the results of a call.
func (o *Op) forwardTangents(a *Args, outs []*Tensor) error {
	tangents, err := o.tangents(a, outs)
	if err != nil {
		return err
	}
	for i, d := range tangents {
		if d == nil || i >= len(outs) || outs[i] == nil || !outs[i].dtype.IsFloat() || o.constant&(1<<i) != 0 {
			continue
		}
		if d.err != nil {
			return d.err
		}
		if o.Views == NoViews {
			d = a.ownTangent(d)
		}
		setTangent(outs[i], d)
	}
	return nil
}

func (o *Op) tangents(a *Args, outs []*Tensor) ([]*Tensor, error) {
	if len(o.inputs) == 0 || !a.dual() {
		return nil, nil
	}
	if o.JVP == nil {
		return nil, o.noForwardMode(a.inPlace)
	}
	// The formulas work on values only.
	defer withoutTangents()()
	return o.JVP(&JCtx{op: o, args: a, outs: outs})
}

// noForwardMode returns the error about a missing JVP. Operators without any
// derivative have a different text.
func (o *Op) noForwardMode(inPlace bool) *Error {
	if name := o.fullName(inPlace); strings.Contains(name, ":") {
		return fail(NotImplementedError, CodeNoDerivative, "Trying to use forward AD with %s that does not support it.", name)
	}
	help := "prioritize its implementation or submit a PR adding the implementation to derivatives.yaml"
	if inPlace {
		help = "prioritize its implementation."
	}
	return fail(NotImplementedError, CodeNoDerivative, "Trying to use forward AD with %s that does not support it because it has not been implemented yet.\nPlease file an issue to PyTorch at https://github.com/pytorch/pytorch/issues/new?template=feature-request.yml so that we can %s", o.formName(inPlace), help)
}

// fullName returns the operator's name in messages about a missing derivative.
// It includes the namespace if PyTorch has no autograd code for the operator,
// as for all but set_.
func (o *Op) fullName(inPlace bool) string {
	name := o.formName(inPlace)
	if o.Node == notImplemented && name != "set_" {
		name = "aten::" + name
	}
	return name
}

// dual reports whether any tensor among the arguments has a tangent.
func (a *Args) dual() bool {
	dual := false
	a.each(func(t *Tensor) error { dual = dual || tangentOf(t) != nil; return nil })
	return dual
}

// inPlaceTangent computes the tangent of self after an in-place call, before
// the data is changed. It is nil if no argument has a tangent.
func (o *Op) inPlaceTangent(a *Args) (*Tensor, error) {
	t := a.Self()
	if !a.dual() {
		return nil, nil
	}
	var outs []*Tensor
	if o.Forward != nil {
		var err error
		if outs, err = o.Forward(a); err != nil {
			return nil, err
		}
	}
	tangents, err := o.tangents(a, outs)
	if err != nil || len(tangents) == 0 || tangents[0] == nil {
		return nil, err
	}
	d := tangents[0]
	if o.Views == NoViews && !sameSizes(d.sizes, t.sizes) {
		d = d.Expand(t.sizes)
	}
	if d.err != nil {
		return nil, d.err
	}
	return a.ownTangent(d), nil
}

// ownTangent copies the tangent of a result if it is also the tangent of an
// argument, which may be changed in place later.
func (a *Args) ownTangent(d *Tensor) *Tensor {
	shared := false
	a.each(func(t *Tensor) error {
		given := tangentOf(t)
		shared = shared || given != nil && given.st == d.st
		return nil
	})
	if !shared {
		return d
	}
	defer withoutTangents()()
	return d.Clone()
}

// updateTangent stores the tangent of a tensor that was changed in place. It
// writes into the existing tangent, which views of the tensor share.
func updateTangent(t, tangent *Tensor) error {
	defer withoutTangents()()
	if d := tangentOf(t); d != nil {
		return d.Copy_(tangent)
	}
	v := t.viewInfo()
	if v == nil || v.unseen {
		setTangent(t, tangent)
		return nil
	}
	whole := laidOutLike(filled(v.base.sizes, v.base.dtype, 0), v.base)
	setTangent(v.base, whole)
	setTangent(t, partOf(whole, t))
	return t.ext.tangent.Copy_(tangent)
}

// with runs the operator with some tensor arguments replaced.
func (c *JCtx) with(replace func(param int, t *Tensor) *Tensor) ([]*Tensor, error) {
	a := new(Args)
	a.reset(c.op, c.args.name, false)
	copy(a.values, c.args.values)
	for _, p := range c.op.tensors {
		switch x := a.values[p].x.(type) {
		case *Tensor:
			if x != nil {
				a.values[p].x = replace(p, x)
			}
		case []*Tensor:
			list := make([]*Tensor, len(x))
			for i, t := range x {
				list[i] = replace(p, t)
			}
			a.values[p].x = list
		}
	}
	return c.op.run(a, false)
}

// differentiable reports whether a parameter has a derivative.
func (o *Op) differentiable(param int) bool {
	for _, in := range o.inputs {
		if in.param == param {
			return true
		}
	}
	return false
}

// linear is the JVP of operators that are linear in all their tensors together:
// the operator itself, applied to the tangents.
func linear(c *JCtx) ([]*Tensor, error) {
	return c.with(func(param int, t *Tensor) *Tensor {
		if !c.op.differentiable(param) {
			return t
		}
		return tangentOrZeros(t)
	})
}

// multilinear is the JVP of operators that are linear in each of their tensors.
// It sums, over the tensors, the operator with that tensor replaced by its
// tangent.
func multilinear(c *JCtx) ([]*Tensor, error) {
	var sum []*Tensor
	for _, in := range c.op.inputs {
		if tangentOf(c.tensor(in.param)) == nil {
			continue
		}
		term, err := c.with(func(param int, t *Tensor) *Tensor {
			if param == in.param {
				return tangentOf(t)
			}
			return t
		})
		if err != nil {
			return nil, err
		}
		sum = addAll(sum, term)
	}
	return sum, nil
}

func (c *JCtx) tensor(param int) *Tensor {
	t, _ := c.args.values[param].x.(*Tensor)
	return t
}

func addAll(sum, term []*Tensor) []*Tensor {
	if sum == nil {
		return term
	}
	for i := range sum {
		sum[i] = sum[i].Add(term[i])
	}
	return sum
}

// elementwise is the JVP of elementwise operators. Their derivative is
// diagonal, so the backward formula works for forward mode as well.
func elementwise(c *JCtx) ([]*Tensor, error) {
	ctx := c.formulas()
	var sum *Tensor
	for _, in := range c.op.inputs {
		d := tangentOf(c.tensor(in.param))
		if d == nil {
			continue
		}
		out := c.outs[0]
		if !sameSizes(d.sizes, out.sizes) {
			d = d.Expand(out.sizes)
		}
		ctx.grads = []*Tensor{d}
		term := c.op.VJP[in.formula].Of(ctx)
		if term.err != nil {
			return nil, term.err
		}
		if sum == nil {
			sum = term
		} else {
			sum = sum.Add(term)
		}
	}
	return []*Tensor{sum}, nil
}

// formulas makes a context in which backward formulas can be evaluated: a node
// that saved everything and whose edges know the shapes of the arguments.
func (c *JCtx) formulas() *Ctx {
	n := &Node{op: c.op, args: c.args}
	for _, in := range c.op.inputs {
		if list, ok := c.args.values[in.param].x.([]*Tensor); ok {
			for _, t := range list {
				n.edges = append(n.edges, Edge{Node: &Node{outs: []output{{t.sizes, t.dtype}}}})
			}
			continue
		}
		e := Edge{}
		if t := c.tensor(in.param); t != nil {
			e.Node = &Node{outs: []output{{t.sizes, t.dtype}}}
		}
		n.edges = append(n.edges, e)
	}
	for _, s := range c.op.slots {
		switch {
		case s.result >= 0 && s.result < len(c.outs):
			n.saved = append(n.saved, savedAsIs(c.outs[s.result]))
		case s.result < 0 && s.list:
			for _, t := range c.args.values[s.param].tensors() {
				n.saved = append(n.saved, savedAsIs(t))
			}
		case s.result < 0:
			n.saved = append(n.saved, savedAsIs(c.tensor(s.param)))
		}
	}
	for _, t := range c.outs {
		n.outs = append(n.outs, output{t.sizes, t.dtype})
	}
	ctx := &Ctx{node: n}
	for i := range n.saved {
		ctx.saved = append(ctx.saved, n.saved[i].tensor)
	}
	return ctx
}

func savedAsIs(t *Tensor) saved {
	if t == nil {
		return saved{}
	}
	return saved{tensor: t, version: t.version.v, kind: inputSlot, leaf: true}
}

// forwardMode computes the tangents of a Function's results. raw holds the
// results of forward, outs the results that the program gets.
func (c *FunctionCtx) forwardMode(raw, outs []*Tensor) error {
	if !computesTangents() {
		return nil
	}
	tangents := make([]*Tensor, len(c.inputs))
	versions := make([]uint32, len(c.inputs))
	dual := false
	for i, t := range c.inputs {
		if tangents[i] = tangentOf(t); tangents[i] != nil {
			dual = true
			versions[i] = tangents[i].version.v
		}
	}
	if !dual {
		return nil
	}
	results, err := c.callJVP(tangents)
	if err != nil {
		return err
	}
	if len(results) != len(outs) {
		return fail(RuntimeError, CodeFunction, "Function's jvp returned an invalid number of forward gradients (expected %d but got %d)", len(outs), len(results))
	}
	for i, d := range results {
		if d != nil && d.err != nil {
			return d.err
		}
		if raw[i] == nil {
			continue
		}
		if !raw[i].dtype.IsFloat() || slices.Contains(c.constant, raw[i]) {
			if d != nil {
				return fail(RuntimeError, CodeFunction, "Function's jvp returned a gradient at position %d, but  the corresponding forward output is not a differentiable Tensor.You should return None at that position instead.", i)
			}
			continue
		}
		if d == nil {
			continue
		}
		if err := c.setTangent(raw[i], outs[i], d, tangents, versions); err != nil {
			return err
		}
	}
	return nil
}

// callJVP runs the program's jvp.
func (c *FunctionCtx) callJVP(tangents []*Tensor) (results []*Tensor, err error) {
	if c.fn.JVP == nil {
		return nil, fail(NotImplementedError, CodeFunction, "You must implement the jvp function for custom autograd.Function to use it with forward mode AD.")
	}
	in := slices.Clone(tangents)
	for i, t := range c.inputs {
		if in[i] == nil && t != nil && !c.bare {
			in[i] = filled(t.sizes, t.dtype, 0)
		}
	}
	defer withoutTangents()()
	outside(func() { results, err = c.fn.JVP(c, in) })
	return results, err
}

// viewOfDual reports whether a view shares memory with a dual argument.
func (c *FunctionCtx) viewOfDual(view *Tensor, tangents []*Tensor) bool {
	base := view.viewInfo().base
	for i, t := range c.inputs {
		if tangents[i] != nil && (t == base || t.IsView() && t.viewInfo().base == base) {
			return true
		}
	}
	return false
}

// setTangent gives a result the tangent d. If the result is an argument that
// was changed in place, its tangent must have been changed in the same way. If
// the result is a view of a dual argument, its tangent must be a view.
func (c *FunctionCtx) setTangent(raw, out, d *Tensor, tangents []*Tensor, versions []uint32) error {
	input := slices.Index(c.inputs, raw)
	if input >= 0 && slices.Contains(c.dirty, raw) {
		switch before := tangents[input]; {
		case before == nil:
			return updateTangent(out, d)
		case d.version.v == versions[input]:
			return fail(RuntimeError, CodeFunction, "An inplace custom Function is not modifying the forward mode gradients inplace. If the forward is modifying an input inplace, then the jvp function must modify the corresponding gradient inplace.")
		case d != before:
			return fail(RuntimeError, CodeFunction, "An inplace custom Function is not returning the forward mode gradients as-is. If the forward is modifying an input inplace, then the jvp function must modify the gradient inplace and return it as-is.")
		}
		return nil
	}
	if out.IsView() && !d.IsView() && c.viewOfDual(out, tangents) {
		return fail(RuntimeError, CodeFunction, "A custom Function's forward is returning a view (or an input as-is) but the jvp is not returning a view.")
	}
	if !sameSizes(d.sizes, out.sizes) {
		return tangentSizeError(out, d)
	}
	setTangent(out, d)
	return nil
}
