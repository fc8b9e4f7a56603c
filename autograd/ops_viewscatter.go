package autograd

// viewScatterOps copy a tensor and replace a part of it: select, slice and
// diagonal as out-of-place assignments.
var viewScatterOps = []Op{
	{
		Schema: "select_scatter(Tensor self, Tensor src, int dim, int index) -> Tensor",
		Node:   "SelectScatterBackward0", Attrs: "dim index", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			return scatterInto(a, func(t *Tensor) (*Tensor, *Error) {
				d, i, err := selected(t, a.Int("dim"), a.Int("index"))
				if err != nil {
					return nil, err
				}
				return t.part(without(t.sizes, d), without(t.strides, d), t.offset+i*t.strides[d]), nil
			})
		},
		VJP: []Formula{
			{Input: "self", Of: func(c *Ctx) *Tensor {
				return c.Grad().SelectScatter(c.sourceZeros(), c.Args().Int("dim"), c.Args().Int("index"))
			}},
			{Input: "src", Of: func(c *Ctx) *Tensor { return c.Grad().Select(c.Args().Int("dim"), c.Args().Int("index")) }},
		},
	},
	{
		Schema: "slice_scatter(Tensor self, Tensor src, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor",
		Node:   "SliceScatterBackward0", Attrs: "dim end start step", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			return scatterInto(a, func(t *Tensor) (*Tensor, *Error) {
				dim, start, end, step := a.sliceBounds()
				return sliceOf(t, dim, start, end, step)
			})
		},
		VJP: []Formula{
			{Input: "self", Of: func(c *Ctx) *Tensor {
				return c.Grad().SliceScatter(c.sourceZeros(), c.Args().same("dim", "start", "end", "step")...)
			}},
			{Input: "src", Of: func(c *Ctx) *Tensor {
				dim, start, end, step := c.Args().sliceBounds()
				return c.Grad().slice(dim, start, end, step)
			}},
		},
	},
	{
		Schema: "diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor",
		Node:   "DiagonalScatterBackward0", Attrs: "dim1 dim2 offset", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			return scatterInto(a, func(t *Tensor) (*Tensor, *Error) {
				return diagonalOf(t, a.Int("offset"), a.Int("dim1"), a.Int("dim2"))
			})
		},
		VJP: []Formula{
			{Input: "self", Of: func(c *Ctx) *Tensor {
				return c.Grad().DiagonalScatter(c.sourceZeros(), c.Args().same("offset", "dim1", "dim2")...)
			}},
			{Input: "src", Of: func(c *Ctx) *Tensor { return c.Grad().Diagonal(c.Args().same("offset", "dim1", "dim2")...) }},
		},
	},
	{
		Schema: "as_strided_scatter(Tensor self, Tensor src, int[] size, int[] stride, int? storage_offset=None) -> Tensor",
		Node:   "AsStridedScatterBackward0", Attrs: "size stride storage_offset", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			return scatterInto(a, func(t *Tensor) (*Tensor, *Error) {
				offset := t.offset
				if a.Has("storage_offset") {
					offset = a.Int("storage_offset")
				}
				if err := checkStrided(t, a.Ints("size"), a.Ints("stride"), offset); err != nil {
					return nil, err
				}
				return t.part(a.Ints("size"), a.Ints("stride"), offset), nil
			})
		},
		VJP: []Formula{
			{Input: "self", Of: func(c *Ctx) *Tensor {
				return fnAsStridedScatter.single(c.Args().same("storage_offset"), c.Grad().Contiguous(), c.sourceZeros(), c.Args().Ints("size"), c.Args().Ints("stride"))
			}},
			{Input: "src", Of: func(c *Ctx) *Tensor {
				return c.Grad().Contiguous().AsStrided(c.Args().Ints("size"), c.Args().Ints("stride"), c.Args().same("storage_offset")...)
			}},
		},
	}}

// same returns arguments as options for another call.
func (a *Args) same(names ...string) []Option {
	var opts []Option
	for _, name := range names {
		if a.Has(name) {
			opts = append(opts, Kw(name, a.Int(name)))
		}
	}
	return opts
}

// scatterInto copies self and stores src in the part that show selects.
func scatterInto(a *Args, show func(t *Tensor) (*Tensor, *Error)) ([]*Tensor, error) {
	t, src := a.Self(), a.Tensor("src")
	a.Extra = output{src.sizes, src.dtype}
	out := clonedWhole(t)
	p, err := show(out)
	if err != nil {
		return nil, err
	}
	if !sameSizes(p.sizes, src.sizes) {
		return nil, fail(RuntimeError, CodeShape, "expected src to have a size equal to the slice of self. src size = %s, slice size = %s", shapeText(src.sizes), shapeText(p.sizes))
	}
	copyData(p, src)
	return a.One(out)
}

// clonedWhole copies a tensor with its whole storage, so that the copy has the
// same strides and offset (clone_preserve_strides).
func clonedWhole(t *Tensor) *Tensor {
	if overlaps(t.sizes, t.strides) {
		return copied(t, t.dtype)
	}
	n := []int{t.st.len()}
	out := alloc(t.dtype, n)
	copyData(out, t.part(n, unitStride, 0))
	out.setGeometry(t.sizes, t.strides, t.offset)
	return out
}

// sourceZeros returns zeros like the tensor that Forward described in Extra.
func (c *Ctx) sourceZeros() *Tensor { return zerosFor(c.Args().Extra.(output)) }
