package autograd

// copySlices is the history of a tensor after one of its views was modified in
// place: the tensor's old history, with the node of the in-place op applied to
// the part that the view covers (torch/csrc/autograd/functions/tensor.cpp,
// PyTorch 2.6).
type copySlices struct {
	inner *Node // the in-place op's node; nil once the graph is freed

	sizes, strides         []int // of the base
	viewSizes, viewStrides []int
	viewOffset             int // relative to the base
}

func (*copySlices) className() string { return "CopySlices" }
func (*copySlices) fullName() string  { return "torch::autograd::CopySlices" }
func (c *copySlices) release(*Node)   { c.inner = nil }

// newCopySlices makes the new history of base after an op with node inner
// modified view.
func newCopySlices(base, view *Tensor, inner *Node) *Node {
	n := &Node{apply: &copySlices{
		inner: inner, sizes: base.sizes, strides: base.strides,
		viewSizes: view.sizes, viewStrides: view.strides, viewOffset: view.offset - base.offset,
	}}
	n.init()
	n.addEdge(base)
	if len(inner.edges) > 1 {
		n.edges = append(n.edges, inner.edges[1:]...)
	}
	n.outs = append(n.outs, output{base.sizes, base.dtype})
	return n
}

func (c *copySlices) backward(p *pass, n *Node, grads []*Tensor) ([]*Tensor, error) {
	g := grads[0]
	results := make([]*Tensor, len(n.edges))
	if g == nil {
		return results, nil
	}
	if c.inner == nil {
		return nil, freedError()
	}
	whole := allocExtent(g.dtype, c.sizes, c.strides)
	if err := whole.Copy_(g); err != nil {
		return nil, err
	}
	part := whole.AsStrided(c.viewSizes, c.viewStrides, Kw("storage_offset", c.viewOffset))
	if part.err != nil {
		return nil, part.err
	}
	inner, err := p.call(new(Ctx), c.inner, []*Tensor{part.Clone(Kw("memory_format", "contiguous"))})
	if err != nil {
		return nil, err
	}
	for i, r := range inner {
		switch {
		case r == nil || i >= len(n.edges):
		case i == 0:
			if err := part.Copy_(r); err != nil {
				return nil, err
			}
			if !gradMode() {
				whole.st.aliased = false // part is gone
			}
			results[0] = whole
		default:
			results[i] = r
		}
	}
	return results, nil
}

// newAsStrided returns the history of a view whose base was modified:
// as_strided of the base in its present state.
func newAsStrided(view, base *Tensor) *Node {
	op := fnAsStrided.ops[0].Op
	a := new(Args)
	a.reset(op, "as_strided", false)
	a.values[1] = value{x: view.sizes, set: true}
	a.values[2] = value{x: view.strides, set: true}
	a.values[3] = value{n: uint64(view.offset), set: true}
	a.Extra = geometry{base.sizes, base.strides, base.offset}
	n := (&Node{op: op, args: a}).init()
	n.addEdge(base)
	n.outs = append(n.outs, output{view.sizes, view.dtype})
	return n
}
