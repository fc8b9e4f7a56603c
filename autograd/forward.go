package autograd

// Forward mode: a dual number is a tensor with a tangent, and every operator
// computes the tangent of its result from those of its arguments. As in
// torch.autograd.forward_ad there is one level; tangents vanish when it ends.

// A JVP computes the tangents of an operator's results.
type JVP func(c *JCtx) ([]*Tensor, error)

// A JCtx is what a JVP works with.
type JCtx struct {
	op   *Op
	args *Args
	outs []*Tensor
}

// Primal is a tensor argument.
func (c *JCtx) Primal(name string) *Tensor { return c.args.Tensor(name) }

// Args are the arguments of the call.
func (c *JCtx) Args() *Args { return c.args }

// Out is result i.
func (c *JCtx) Out(i int) *Tensor { return c.outs[i] }

// Tangent is the tangent of a tensor argument, or nil.
func (c *JCtx) Tangent(name string) *Tensor { return tangentOf(c.args.Tensor(name)) }

// TangentOrZeros is the tangent of a tensor argument, or zeros.
func (c *JCtx) TangentOrZeros(name string) *Tensor { return tangentOrZeros(c.args.Tensor(name)) }

func tangentOf(t *Tensor) *Tensor {
	if t == nil || t.ext == nil {
		return nil
	}
	return t.ext.tangent
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

// DualLevel calls f with forward mode on; tangents that were set inside are gone
// afterwards.
func DualLevel(f func() error) error {
	th := current
	if th.dual > 0 {
		return noted(fail(RuntimeError, CodeUnsupported, "Nested forward mode AD is not supported at the moment"), "dual_level")
	}
	th.dual++
	defer func() {
		th.dual--
		for _, t := range th.duals {
			t.ext.tangent = nil
		}
		th.duals = nil
	}()
	return f()
}

func setTangent(t, tangent *Tensor) {
	t.extend().tangent = tangent
	current.duals = append(current.duals, t)
}

// MakeDual returns a view of primal that carries a tangent of the same shape.
func MakeDual(primal, tangent *Tensor) *Tensor {
	const name = "make_dual"
	for _, t := range []*Tensor{primal, tangent} {
		if err := t.usable(name); err != nil {
			return errTensor(err)
		}
	}
	switch {
	case current.dual == 0:
		return errTensor(noted(fail(RuntimeError, CodeArgument, "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first."), name))
	case !primal.dtype.IsFloat():
		return errTensor(noted(fail(ValueError, CodeDType, "Expected primal to be floating point or complex, but got: torch.%s", primal.dtype), name))
	case !sameSizes(primal.sizes, tangent.sizes):
		return errTensor(noted(fail(RuntimeError, CodeShape, "Trying to set a forward gradient that has a different size than that of the original Tensor, this is not supported. Tensor is of size %s while the given forward gradient is of size %s.", shapeText(primal.sizes), shapeText(tangent.sizes)), name))
	}
	level := current.dual
	current.dual = 0
	d := primal.ViewAs(primal)
	current.dual = level
	if d.err == nil {
		setTangent(d, tangent)
	}
	return d
}

// UnpackDual returns the value and the tangent of a dual number; the tangent is
// nil if it has none.
func UnpackDual(t *Tensor) (primal, tangent *Tensor) {
	if err := t.usable("unpack_dual"); err != nil {
		return errTensor(err), nil
	}
	tangent = tangentOf(t)
	level := current.dual
	current.dual = 0
	defer func() { current.dual = level }()
	return t.ViewAs(t), tangent
}

// ForwardJVP evaluates f at the primals and the derivative of f there in the
// direction of the tangents.
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

// forwardTangents gives the results of a call their tangents.
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
		setTangent(outs[i], d)
	}
	return nil
}

func (o *Op) tangents(a *Args, outs []*Tensor) ([]*Tensor, error) {
	dual := false
	a.each(func(t *Tensor) error { dual = dual || tangentOf(t) != nil; return nil })
	if !dual || len(o.inputs) == 0 {
		return nil, nil
	}
	if o.JVP == nil {
		return nil, fail(NotImplementedError, CodeNoDerivative, "Trying to use forward AD with %s that does not support it because it has not been implemented yet.", o.schema.Name)
	}
	// The formulas work on the values alone.
	level := current.dual
	current.dual = 0
	defer func() { current.dual = level }()
	return o.JVP(&JCtx{op: o, args: a, outs: outs})
}

// inPlaceTangent computes the tangent that self will have after an in-place
// call, before the data is changed.
func (o *Op) inPlaceTangent(a *Args) (*Tensor, error) {
	t := a.Self()
	dual := false
	a.each(func(t *Tensor) error { dual = dual || tangentOf(t) != nil; return nil })
	if !dual {
		return nil, nil
	}
	if t.IsView() && t.viewInfo().base != t && tangentOf(t.viewInfo().base) != nil {
		return nil, fail(RuntimeError, CodeUnsupported, "%s_: in-place changes of views of dual tensors are not supported", o.schema.Name)
	}
	var outs []*Tensor
	if o.Forward != nil {
		var err error
		if outs, err = o.Forward(a); err != nil {
			return nil, err
		}
	}
	tangents, err := o.tangents(a, outs)
	if err != nil || len(tangents) == 0 {
		return nil, err
	}
	if tangents[0] != nil && !sameSizes(tangents[0].sizes, t.sizes) {
		tangents[0] = tangents[0].Expand(t.sizes)
	}
	current.duals = append(current.duals, t)
	return tangents[0], nil
}

// with is the call with other tensors in the place of some arguments.
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

// multilinear is the JVP of operators that are linear in each of their tensors:
// the sum over the tensors of the operator with one of them replaced by its
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

// elementwise is the JVP of operators that work element by element: their
// derivative is diagonal, so the backward formula serves forward mode too.
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
// with everything saved, whose edges know the shapes of the arguments.
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
			n.saveList(&c.args.values[s.param])
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

// forwardMode computes the tangents of a Function's results.
func (c *FunctionCtx) forwardMode(outs []*Tensor) error {
	if current.dual == 0 {
		return nil
	}
	tangents := make([]*Tensor, len(c.inputs))
	dual := false
	for i, t := range c.inputs {
		tangents[i] = tangentOf(t)
		dual = dual || tangents[i] != nil
	}
	if !dual {
		return nil
	}
	if c.fn.JVP == nil {
		return fail(RuntimeError, CodeFunction, "You must implement the jvp function for custom autograd.Function to use it with forward mode AD.")
	}
	level := current.dual
	current.dual = 0
	defer func() { current.dual = level }()
	var results []*Tensor
	var err error
	outside(func() int { results, err = c.fn.JVP(c, tangents); return 0 })
	if err != nil {
		return err
	}
	if len(results) != len(outs) {
		return fail(RuntimeError, CodeFunction, "%sBackward's jvp returned %d tangents for %d results", c.fn.Name, len(results), len(outs))
	}
	for i, d := range results {
		if d == nil || outs[i] == nil {
			continue
		}
		if d.err != nil {
			return d.err
		}
		if !sameSizes(d.sizes, outs[i].sizes) {
			return fail(RuntimeError, CodeFunction, "The jvp function of %s returned a tangent of shape %s for a result of shape %s", c.fn.Name, shapeText(d.sizes), shapeText(outs[i].sizes))
		}
		setTangent(outs[i], d)
	}
	return nil
}
