package autograd

import "strings"

// A Ctx is the context of a backward formula: the gradients of the results, and
// what the node saved in the forward pass.
//
// A formula computes with ordinary operators, so it can itself be
// differentiated. Errors travel in the tensors, as everywhere.
type Ctx struct {
	node  *Node
	grads []*Tensor
	saved []*Tensor // the saved tensors, in the order of node.saved

	// The first elements of saved and results live here.
	saved2, results2 [2]*Tensor
}

// Grad returns the gradient of the first result, or nil if it is undefined.
func (c *Ctx) Grad() *Tensor { return c.grads[0] }

// GradAt returns the gradient of result i, or nil if it is undefined.
func (c *Ctx) GradAt(i int) *Tensor {
	if i >= len(c.grads) {
		return nil
	}
	return c.grads[i]
}

// GradOrZeros returns the gradient of result i, or zeros if it is undefined.
func (c *Ctx) GradOrZeros(i int) *Tensor {
	if g := c.GradAt(i); g != nil {
		return g
	}
	return zerosFor(c.node.outs[i])
}

func zerosFor(o output) *Tensor { return alloc(o.dtype, o.sizes) }

// unpack reads everything that the node saved, including tensors that no
// formula of this call needs.
func (c *Ctx) unpack() error {
	c.saved = c.saved2[:0]
	for i := range c.node.saved {
		t, err := c.node.saved[i].unpack(c.node)
		if err != nil {
			return err
		}
		c.saved = append(c.saved, t)
	}
	return nil
}

// Saved returns a saved tensor, or nil if the slot is empty.
func (c *Ctx) Saved(name string) *Tensor {
	list := c.SavedList(name)
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// SavedList returns the saved tensors of a list or of an index expression.
func (c *Ctx) SavedList(name string) []*Tensor {
	o, first := c.node.op, 0
	for i := range o.slots {
		n := 1
		if o.slots[i].list {
			n = len(c.saved) - len(o.slots) + 1
		}
		if o.slots[i].name == name {
			return c.saved[first : first+n]
		}
		first += n
	}
	panic("autograd: " + o.Schema + " saves no " + name)
}

// zerosOf returns zeros like a differentiable parameter whose gradient is
// wanted. Their version is 1, because PyTorch writes the zeros into fresh
// memory.
func (c *Ctx) zerosOf(name string) *Tensor {
	z := alloc(c.DTypeOf(name), c.Shape(name))
	z.bump()
	return z
}

// Args returns the arguments of the forward call that are not tensors.
func (c *Ctx) Args() *Args { return c.node.args }

// Needs reports whether the gradient of a parameter is wanted. For a list it
// reports whether any gradient is.
func (c *Ctx) Needs(name string) bool {
	o := c.node.op
	p := o.param(name)
	first, count := c.edgesOf(p)
	for _, e := range c.node.edges[first : first+count] {
		if e.Node != nil {
			return true
		}
	}
	return false
}

// edgesOf returns the range of edges that belong to a parameter: one edge, or
// one for each tensor of a list.
func (c *Ctx) edgesOf(param int) (first, count int) { return c.node.op.edgesOf(c.node, param) }

func (o *Op) edgesOf(n *Node, param int) (first, count int) {
	for _, in := range o.inputs {
		count = 1
		if o.schema.Params[in.param].List {
			count = len(n.edges) - len(o.inputs) + 1
		}
		if in.param == param {
			return first, count
		}
		first += count
	}
	return 0, 0
}

// Shape returns the shape of a differentiable parameter whose gradient is wanted.
func (c *Ctx) Shape(name string) []int { return c.ShapeAt(name, 0) }

// ShapeAt returns the shape of an element of a list parameter.
func (c *Ctx) ShapeAt(name string, i int) []int {
	first, _ := c.edgesOf(c.node.op.param(name))
	if e := c.node.edges[first+i]; e.Node != nil {
		return e.Node.outs[e.Input].sizes
	}
	return nil
}

// DTypeOf returns the element type of a differentiable parameter whose gradient is
// wanted.
func (c *Ctx) DTypeOf(name string) DType {
	first, _ := c.edgesOf(c.node.op.param(name))
	e := c.node.edges[first]
	if e.Node == nil {
		return c.node.outs[0].dtype
	}
	return e.Node.outs[e.Input].dtype
}

// ResultShape returns the shape of result i of the forward operation.
func (c *Ctx) ResultShape(i int) []int { return c.node.outs[i].sizes }

// backward runs the op's formulas with the context c.
func (o *Op) backward(c *Ctx, n *Node, grads []*Tensor) ([]*Tensor, error) {
	if o.Node == notImplemented {
		return nil, fail(RuntimeError, CodeNoDerivative, "derivative for %s is not implemented", o.fullName(n.args.inPlace))
	}
	*c = Ctx{node: n, grads: grads}
	if err := c.unpack(); err != nil {
		return nil, err
	}
	results := c.results2[:]
	if len(n.edges) <= len(results) {
		results = results[:len(n.edges)]
	} else {
		results = make([]*Tensor, len(n.edges))
	}
	if !anyDefined(grads) {
		return results, nil
	}
	for i := range o.VJP {
		f := &o.VJP[i]
		switch {
		case f.edge >= 0:
			if n.edges[f.edge].Node != nil {
				results[f.edge] = f.Of(c)
			}
		case !o.formulaWanted(n, i):
		case f.Of != nil:
			first, _ := o.edgesOf(n, o.param(f.Input))
			results[first] = f.Of(c)
		default:
			o.spread(n, i, f.All(c), results)
		}
	}
	for _, r := range results {
		if r != nil && r.err != nil {
			return nil, r.err
		}
	}
	return results, nil
}

// formulaWanted reports whether any input of a formula needs a gradient.
func (o *Op) formulaWanted(n *Node, formula int) bool {
	for _, in := range o.inputs {
		if in.formula != formula {
			continue
		}
		first, count := o.edgesOf(n, in.param)
		for _, e := range n.edges[first : first+count] {
			if e.Node != nil {
				return true
			}
		}
	}
	return false
}

// spread distributes the results of a formula for several inputs over the
// edges.
func (o *Op) spread(n *Node, formula int, values []*Tensor, results []*Tensor) {
	for _, in := range o.inputs {
		if in.formula != formula {
			continue
		}
		first, count := o.edgesOf(n, in.param)
		if o.schema.Params[in.param].List {
			copy(results[first:first+count], values)
		} else if in.within < len(values) {
			results[first] = values[in.within]
		}
	}
}

func anyDefined(grads []*Tensor) bool {
	for _, g := range grads {
		if g != nil {
			return true
		}
	}
	return false
}

// slotNamesOf returns the names of the filled slots of a node. The tensors of a
// list are numbered.
func (o *Op) slotNamesOf(n *Node) []string {
	if o.plainSlots != nil {
		return o.plainSlots
	}
	names := make([]string, 0, len(n.saved))
	for i := range o.slots {
		s := &o.slots[i]
		if !s.list {
			names = append(names, s.name)
			continue
		}
		for j := range len(n.saved) - len(o.slots) + 1 {
			names = append(names, s.name+"["+itoa(j)+"]")
		}
	}
	return names
}

// wanted reports for each of several parameters whether its gradient is wanted.
func (c *Ctx) wanted(names string) []bool {
	var mask []bool
	for _, name := range strings.Fields(names) {
		mask = append(mask, c.Needs(name))
	}
	return mask
}
