package autograd

import "slices"

// viewOps return views with another shape: view, reshape, expand, squeeze,
// transpose and operators composed of them.
var viewOps = []Op{
	{
		Schema: "view(Tensor self, int[] size) -> Tensor", In: Method, Views: OneView,
		Node: "ViewBackward0", Certain: true, Attrs: "self_sym_sizes", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return a.reshaped(a.Ints("size")) },
		VJP:     []Formula{{Input: "self", Of: reshapeBackward}},
	},
	{
		// The same bytes as another dtype. It is not a view for autograd. Only
		// the trivial case can share memory here.
		Schema: "view.dtype(Tensor self, ScalarType dtype) -> Tensor", In: Method, Go: "ViewDType",
		Forward: func(a *Args) ([]*Tensor, error) {
			t, d := a.Self(), a.DType("dtype", 0)
			if d != t.dtype {
				return nil, fail(NotImplementedError, CodeUnsupported, "view(): a view of %s memory as %s is not supported by this engine", t.dtype, d)
			}
			return a.view(t.sizes, t.strides, t.offset)
		},
	},
	{
		Schema: "view_as(Tensor self, Tensor other) -> Tensor", In: Method,
		Compose: func(a *Args) ([]*Tensor, error) { return a.One(a.Self().View(a.Tensor("other").sizes)) },
	},
	{
		Schema: "_reshape_alias(Tensor self, int[] size, int[] stride) -> Tensor", In: Hidden, Go: "ReshapeAlias", Views: OneView,
		Node: "ReshapeAliasBackward0", Attrs: "self_sym_sizes", JVP: func(c *JCtx) ([]*Tensor, error) {
			return c.args.One(c.Tangent("self").Reshape(c.args.Ints("size")))
		},
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.view(a.Ints("size"), a.Ints("stride"), a.Self().offset)
		},
		VJP: []Formula{{Input: "self", Of: reshapeBackward}},
	},
	{
		// A view that autograd treats as an independent tensor: nothing else
		// refers to the memory.
		Schema: "_unsafe_view(Tensor self, int[] size) -> Tensor", In: Hidden, Go: "UnsafeView",
		Node: "UnsafeViewBackward0", Attrs: "self_sym_sizes", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			outs, err := a.reshaped(a.Ints("size"))
			if err == nil {
				outs[0].version = new(counter)
			}
			return outs, err
		},
		VJP: []Formula{{Input: "self", Of: reshapeBackward}},
	},
	{
		Schema: "reshape(Tensor self, int[] shape) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			if t.flags&contiguousFlag != 0 {
				return a.One(t.View(a.Ints("shape")))
			}
			sizes, err := inferSize(a.Ints("shape"), t.Numel())
			if err != nil {
				return nil, err
			}
			if strides, ok := viewStrides(t, sizes); ok {
				return a.One(t.ReshapeAlias(sizes, strides))
			}
			return a.One(t.Clone(Kw("memory_format", "contiguous")).UnsafeView(sizes))
		},
	},
	{
		Schema: "reshape_as(Tensor self, Tensor other) -> Tensor", In: Method,
		Compose: func(a *Args) ([]*Tensor, error) { return a.One(a.Self().Reshape(a.Tensor("other").sizes)) },
	},
	{
		Schema:  "flatten(Tensor self, int start_dim=0, int end_dim=-1) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) { return flatten(a, a.Int("start_dim"), a.Int("end_dim")) },
	},
	{
		Schema:  "ravel(Tensor self) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) { return a.One(a.Self().Contiguous().View([]int{-1})) },
	},
	{
		Schema:  "unflatten(Tensor self, int dim, int[] sizes) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) { return unflatten(a, a.Int("dim"), a.Ints("sizes")) },
	},
	{
		Schema: "expand(Tensor self, int[] size, *, bool implicit=False) -> Tensor", In: Method, Views: OneView,
		Node: "ExpandBackward0", Certain: true, Attrs: "self_sym_sizes", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			sizes, strides, err := expandStrides(t, a.Ints("size"))
			if err != nil {
				return nil, err
			}
			return a.view(sizes, strides, t.offset)
		},
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor { return sumTo(c.Grad(), c.Shape("self")) }}},
	},
	{
		Schema: "expand_as(Tensor self, Tensor other) -> Tensor", In: Method,
		Compose: func(a *Args) ([]*Tensor, error) { return a.One(a.Self().Expand(a.Tensor("other").sizes)) },
	},
	{
		Schema:  "broadcast_to(Tensor self, int[] size) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) { return a.One(a.Self().Expand(a.Ints("size"))) },
	},
	{
		Schema: "squeeze(Tensor self) -> Tensor", Views: OneView, InPlace: true,
		Node: "SqueezeBackward0", InPlaceNode: "SqueezeBackward3", Attrs: "self_sym_sizes", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return a.squeezed(nil) },
		VJP:     []Formula{{Input: "self", Of: func(c *Ctx) *Tensor { return unsqueezeTo(c, nil) }}},
	},
	{
		Schema: "squeeze.dim(Tensor self, int dim) -> Tensor", Views: OneView, InPlace: true,
		Node: "SqueezeBackward1", InPlaceNode: "SqueezeBackward4", Attrs: "dim self_sym_sizes", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return a.squeezed([]int{a.Int("dim")}) },
		VJP:     []Formula{{Input: "self", Of: func(c *Ctx) *Tensor { return unsqueezeTo(c, []int{c.Args().Int("dim")}) }}},
	},
	{
		Schema: "squeeze.dims(Tensor self, int[] dim) -> Tensor", Views: OneView, InPlace: true,
		Node: "SqueezeBackward2", InPlaceNode: "SqueezeBackward5", Attrs: "dim self_sym_sizes", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return a.squeezed(a.Ints("dim")) },
		VJP:     []Formula{{Input: "self", Of: func(c *Ctx) *Tensor { return unsqueezeTo(c, c.Args().Ints("dim")) }}},
	},
	{
		Schema: "unsqueeze(Tensor self, int dim) -> Tensor", Views: OneView, InPlace: true,
		Node: "UnsqueezeBackward0", InPlaceNode: "UnsqueezeBackward1", Certain: true, Attrs: "dim", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			d, err := wrapDim(a.Int("dim"), t.Dim()+1)
			if err != nil {
				return nil, err
			}
			stride := 1
			if d < t.Dim() {
				stride = t.sizes[d] * t.strides[d]
			}
			return a.view(inserted(t.sizes, d, 1), inserted(t.strides, d, stride), t.offset)
		},
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad().Squeeze(Dim(c.Args().Int("dim"))) }}},
	},
}

// view makes the result of an operator that returns a view of self's memory.
func (a *Args) view(sizes, strides []int, offset int) ([]*Tensor, error) {
	return a.One(a.Self().shallow(sizes, strides, offset))
}

// reshaped returns a view of self with another shape, or an error if its
// strides do not allow it.
func (a *Args) reshaped(shape []int) ([]*Tensor, error) {
	t := a.Self()
	sizes, err := inferSize(shape, t.Numel())
	if err != nil {
		return nil, err
	}
	strides, ok := viewStrides(t, sizes)
	if !ok {
		return nil, fail(RuntimeError, CodeShape, "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.")
	}
	return a.view(sizes, strides, t.offset)
}

func reshapeBackward(c *Ctx) *Tensor { return c.Grad().Reshape(c.Shape("self")) }

func flatten(a *Args, start, end int) ([]*Tensor, error) {
	t := a.Self()
	start, err := wrapDim(start, t.Dim())
	if err != nil {
		return nil, err
	}
	if end, err = wrapDim(end, t.Dim()); err != nil {
		return nil, err
	}
	switch {
	case start > end:
		return nil, fail(RuntimeError, CodeArgument, "flatten() has invalid args: start_dim cannot come after end_dim")
	case t.Dim() == 0:
		return a.One(t.Reshape([]int{1}))
	case start == end:
		return a.One(t)
	}
	shape := slices.Concat(t.sizes[:start], []int{numel(t.sizes[start : end+1])}, t.sizes[end+1:])
	return a.One(t.Reshape(shape))
}

func unflatten(a *Args, dim int, sizes []int) ([]*Tensor, error) {
	t := a.Self()
	d, err := wrapStrictDim(dim, t.Dim())
	if err != nil {
		return nil, err
	}
	if len(sizes) == 0 {
		return nil, fail(RuntimeError, CodeArgument, "unflatten: sizes must be non-empty")
	}
	parts, err := inferSize(sizes, t.sizes[d])
	if err != nil {
		return nil, fail(RuntimeError, CodeShape, "unflatten: Provided sizes %s don't multiply up to the size of dim %d (%d) in the input tensor", shapeText(sizes), d, t.sizes[d])
	}
	return a.One(t.View(slices.Concat(t.sizes[:d], parts, t.sizes[d+1:])))
}

// squeezed drops dimensions of size 1: all of them, or the listed ones.
func (a *Args) squeezed(dims []int) ([]*Tensor, error) {
	t := a.Self()
	picked, err := wrapDims(dims, t.Dim())
	if err != nil {
		return nil, err
	}
	if dims != nil && len(dims) == 0 {
		clear(picked)
	}
	n := 0
	for d, s := range t.sizes {
		if picked[d] && s == 1 {
			n++
		}
	}
	if n == 0 {
		return a.view(t.sizes, t.strides, t.offset)
	}
	sizes, strides := make([]int, 0, t.Dim()-n), make([]int, 0, t.Dim()-n)
	for d, s := range t.sizes {
		if !picked[d] || s != 1 {
			sizes, strides = append(sizes, s), append(strides, t.strides[d])
		}
	}
	return a.view(sizes, strides, t.offset)
}

// unsqueezeTo restores the dimensions of the gradient that squeeze dropped.
func unsqueezeTo(c *Ctx, dims []int) *Tensor {
	g, sizes := c.Grad(), c.Shape("self")
	picked, err := wrapDims(dims, len(sizes))
	if err != nil {
		return errTensor(err)
	}
	for d, s := range sizes {
		if s == 1 && picked[d] && (dims == nil || len(dims) > 0) {
			g = g.Unsqueeze(d)
		}
	}
	return g
}

// without returns a copy of list without the element at d.
func without(list []int, d int) []int {
	out := make([]int, 0, len(list)-1)
	out = append(out, list[:d]...)
	return append(out, list[d+1:]...)
}

// inserted returns a copy of list with x inserted at d.
func inserted(list []int, d, x int) []int {
	out := make([]int, 0, len(list)+1)
	out = append(out, list[:d]...)
	out = append(out, x)
	return append(out, list[d:]...)
}

// replaced returns a copy of list with x at d.
func replaced(list []int, d, x int) []int {
	out := slices.Clone(list)
	out[d] = x
	return out
}
