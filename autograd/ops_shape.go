package autograd

// shapeOps join tensors.
var shapeOps = []Op{
	{
		Schema: "cat(Tensor[] tensors, int dim=0) -> Tensor", Aliases: "concat concatenate",
		Node: "CatBackward0", Attrs: "dim", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return concatenated(a, a.Tensors("tensors"), a.Int("dim")) },
		VJP:     []Formula{{Input: "tensors", All: catBackward}},
	},
	{
		Schema: "stack(Tensor[] tensors, int dim=0) -> Tensor", Node: "StackBackward0", Attrs: "dim", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return stacked(a, a.Tensors("tensors"), a.Int("dim")) },
		VJP: []Formula{{Input: "tensors", All: func(c *Ctx) []*Tensor {
			first, count := c.edgesOf(0)
			grads := make([]*Tensor, count)
			for i := range grads {
				if c.node.edges[first+i].Node != nil {
					grads[i] = c.Grad().Select(c.Args().Int("dim"), i)
				}
			}
			return grads
		}}},
	},
	{
		Schema: "hstack(Tensor[] tensors) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) {
			return joined(a, "hstack", (*Tensor).atLeast1d, func(first *Tensor) int { return min(first.Dim()-1, 1) })
		},
	},
	{
		Schema: "vstack(Tensor[] tensors) -> Tensor", Aliases: "row_stack",
		Compose: func(a *Args) ([]*Tensor, error) {
			return joined(a, "vstack", (*Tensor).atLeast2d, func(*Tensor) int { return 0 })
		},
	},
	{
		Schema: "dstack(Tensor[] tensors) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) {
			return joined(a, "dstack", (*Tensor).atLeast3d, func(*Tensor) int { return 2 })
		},
	},
	{
		Schema: "column_stack(Tensor[] tensors) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) {
			column := func(t *Tensor) *Tensor {
				if t.Dim() > 1 {
					return t
				}
				return t.Reshape([]int{t.Numel(), 1})
			}
			return joined(a, "column_stack", column, func(*Tensor) int { return 1 })
		},
	},
	{
		Schema:    "atleast_1d(Tensor self) -> Tensor",
		TakesRest: true,
		Compose:   func(a *Args) ([]*Tensor, error) { return a.One(a.Self().atLeast1d()) },
	},
	{
		Schema:    "atleast_1d.Sequence(Tensor[] tensors) -> Tensor[]",
		TakesRest: true, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return mapped(a.Tensors("tensors"), (*Tensor).atLeast1d), nil },
	},
	{
		Schema:    "atleast_2d(Tensor self) -> Tensor",
		TakesRest: true,
		Compose:   func(a *Args) ([]*Tensor, error) { return a.One(a.Self().atLeast2d()) },
	},
	{
		Schema:    "atleast_2d.Sequence(Tensor[] tensors) -> Tensor[]",
		TakesRest: true, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return mapped(a.Tensors("tensors"), (*Tensor).atLeast2d), nil },
	},
	{
		Schema:    "atleast_3d(Tensor self) -> Tensor",
		TakesRest: true,
		Compose:   func(a *Args) ([]*Tensor, error) { return a.One(a.Self().atLeast3d()) },
	},
	{
		Schema:    "atleast_3d.Sequence(Tensor[] tensors) -> Tensor[]",
		TakesRest: true, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return mapped(a.Tensors("tensors"), (*Tensor).atLeast3d), nil },
	},
	{
		Schema:    "broadcast_tensors(Tensor[] tensors) -> Tensor[]",
		TakesRest: true,
		Compose:   func(a *Args) ([]*Tensor, error) { return broadcastAll(a.Tensors("tensors")) },
	},
	{
		Schema:    "meshgrid(Tensor[] tensors, *, str? indexing=None) -> Tensor[]",
		TakesRest: true,
		Compose: func(a *Args) ([]*Tensor, error) {
			return meshgrid(a.Tensors("tensors"), a.Has("indexing"), a.Str("indexing"))
		},
	},
	{
		Schema: "contiguous(Tensor self, *, str memory_format='contiguous') -> Tensor", In: Method, Predicted: ByValues,
		Compose: func(a *Args) ([]*Tensor, error) {
			if a.Self().flags&contiguousFlag != 0 {
				return []*Tensor{a.Self()}, nil
			}
			return a.One(a.Self().Clone(Kw("memory_format", a.Str("memory_format"))))
		},
	},
	{
		Schema: "alias_copy(Tensor self) -> Tensor", In: Torch, Node: "AliasBackward0_copy", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return a.One(copied(a.Self(), a.Self().dtype)) },
		VJP:     []Formula{{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad() }}},
	},
	{
		Schema: "real(Tensor self) -> Tensor", In: Torch | Property, Go: "Real",
		Compose: func(a *Args) ([]*Tensor, error) { return []*Tensor{a.Self()}, nil },
	},
	{
		Schema: "conj(Tensor self) -> Tensor", Aliases: "resolve_conj resolve_neg",
		Compose: func(a *Args) ([]*Tensor, error) { return []*Tensor{a.Self()}, nil },
	},
	{
		Schema:   "conj_physical(Tensor self) -> Tensor",
		OutDType: foundDType,
		Compose:  func(a *Args) ([]*Tensor, error) { return []*Tensor{a.Self()}, nil },
	},
	{
		Schema: "imag(Tensor self) -> Tensor", In: Torch | Property, Go: "Imag",
		Compose: func(a *Args) ([]*Tensor, error) {
			return nil, fail(RuntimeError, CodeDType, "imag is not implemented for tensors with non-complex dtypes.")
		},
	},
	{
		Schema: "sum_to_size(Tensor self, int[] size) -> Tensor", In: Method,
		Compose: func(a *Args) ([]*Tensor, error) {
			x, sizes := a.Self(), a.Ints("size")
			leading := len(x.sizes) - len(sizes)
			var dims []int
			fits := leading >= 0
			for d := 0; fits && d < len(x.sizes); d++ {
				switch {
				case d < leading || sizes[d-leading] == 1 && x.sizes[d] != 1:
					dims = append(dims, d)
				case sizes[d-leading] != x.sizes[d]:
					fits = false
				}
			}
			if !fits {
				return nil, fail(RuntimeError, CodeShape, "size {%s} is not expandable to size {%s}.", shapeText(sizes), shapeText(x.sizes))
			}
			if len(dims) > 0 {
				x = x.Sum(Kw("dim", dims), KeepDim)
			}
			if leading > 0 {
				x = x.View(sizes)
			}
			return a.One(x)
		},
	}}

// isNothing reports whether t has the shape [0], which cat skips whatever the
// other shapes are.
func isNothing(t *Tensor) bool { return len(t.sizes) == 1 && t.sizes[0] == 0 }

func concatenated(a *Args, ts []*Tensor, dim int) ([]*Tensor, error) {
	if len(ts) == 0 {
		return nil, fail(RuntimeError, CodeArgument, "torch.cat(): expected a non-empty list of Tensors")
	}
	var like *Tensor
	shapes := make([][]int, len(ts))
	for i, t := range ts {
		if t.Dim() == 0 {
			return nil, fail(RuntimeError, CodeShape, "zero-dimensional tensor (at position %d) cannot be concatenated", i)
		}
		if like == nil && !isNothing(t) {
			like = t
		}
		shapes[i] = t.sizes
	}
	a.Extra = shapes
	d := resultType(ts...)
	if like == nil {
		return a.One(alloc(d, []int{0}))
	}
	k, err := wrapDim(dim, like.Dim())
	if err != nil {
		return nil, err
	}
	n := 0
	for i, t := range ts {
		if isNothing(t) {
			continue
		}
		if err := checkCat(like, t, k, i); err != nil {
			return nil, err
		}
		n += t.sizes[k]
	}
	out := alloc(d, replaced(like.sizes, k, n))
	at := 0
	for _, t := range ts {
		if isNothing(t) {
			continue
		}
		copyData(out.part(t.sizes, out.strides, at*out.strides[k]), t)
		at += t.sizes[k]
	}
	return a.One(out)
}

// checkCat returns an error if t cannot be concatenated to tensors like
// another.
func checkCat(like, t *Tensor, d, position int) *Error {
	if t.Dim() != like.Dim() {
		return fail(RuntimeError, CodeShape, "Tensors must have same number of dimensions: got %d and %d", like.Dim(), t.Dim())
	}
	for i := range t.sizes {
		if i != d && t.sizes[i] != like.sizes[i] {
			return fail(RuntimeError, CodeShape, "Sizes of tensors must match except in dimension %d. Expected size %d but got size %d for tensor number %d in the list.", d, like.sizes[i], t.sizes[i], position)
		}
	}
	return nil
}

func catBackward(c *Ctx) []*Tensor {
	shapes := c.Args().Extra.([][]int)
	first, count := c.edgesOf(0)
	grads := make([]*Tensor, count)
	dim := c.Args().Int("dim")
	if dim < 0 {
		dim += len(c.Grad().sizes)
	}
	at := 0
	for i, shape := range shapes {
		wanted := c.node.edges[first+i].Node != nil
		if len(shape) == 1 && shape[0] == 0 {
			if wanted {
				grads[i] = atZeros(c.Grad().dtype, shape)
			}
			continue
		}
		if wanted {
			grads[i] = c.Grad().Narrow(dim, at, shape[dim])
		}
		at += shape[dim]
	}
	return grads
}

func stacked(a *Args, ts []*Tensor, dim int) ([]*Tensor, error) {
	if len(ts) == 0 {
		return nil, fail(RuntimeError, CodeArgument, "stack expects a non-empty TensorList")
	}
	d, err := wrapDim(dim, ts[0].Dim()+1)
	if err != nil {
		return nil, err
	}
	for i, t := range ts {
		if !sameSizes(t.sizes, ts[0].sizes) {
			return nil, fail(RuntimeError, CodeShape, "stack expects each tensor to be equal size, but got %s at entry 0 and %s at entry %d", shapeText(ts[0].sizes), shapeText(t.sizes), i)
		}
	}
	out := alloc(resultType(ts...), inserted(ts[0].sizes, d, len(ts)))
	strides := without(out.strides, d)
	for i, t := range ts {
		copyData(out.part(t.sizes, strides, i*out.strides[d]), t)
	}
	return a.One(out)
}

// joined implements hstack and similar operators: it gives the tensors enough
// dimensions and concatenates them.
func joined(a *Args, name string, prepare func(*Tensor) *Tensor, dim func(first *Tensor) int) ([]*Tensor, error) {
	ts := mapped(a.Tensors("tensors"), prepare)
	if len(ts) == 0 {
		return nil, fail(RuntimeError, CodeArgument, "%s expects a non-empty TensorList", name)
	}
	return a.One(Cat(ts, Kw("dim", dim(ts[0]))))
}

func mapped(ts []*Tensor, f func(*Tensor) *Tensor) []*Tensor {
	out := make([]*Tensor, len(ts))
	for i, t := range ts {
		out[i] = f(t)
	}
	return out
}

func (t *Tensor) atLeast1d() *Tensor {
	if t.Dim() == 0 {
		return t.Reshape([]int{1})
	}
	return t
}

func (t *Tensor) atLeast2d() *Tensor {
	switch t.Dim() {
	case 0:
		return t.Reshape([]int{1, 1})
	case 1:
		return t.Unsqueeze(0)
	}
	return t
}

func (t *Tensor) atLeast3d() *Tensor {
	switch t.Dim() {
	case 0:
		return t.Reshape([]int{1, 1, 1})
	case 1:
		return t.Unsqueeze(0).Unsqueeze(-1)
	case 2:
		return t.Unsqueeze(-1)
	}
	return t
}

// broadcastAll expands tensors to their common shape.
func broadcastAll(ts []*Tensor) ([]*Tensor, error) {
	sizes, err := commonSizes(ts)
	if err != nil {
		return nil, err
	}
	return mapped(ts, func(t *Tensor) *Tensor {
		if sameSizes(t.sizes, sizes) {
			return t
		}
		return t.Expand(sizes)
	}), nil
}

// commonSizes returns the shape to which all tensors can be broadcast.
func commonSizes(ts []*Tensor) ([]int, *Error) {
	var sizes []int
	for _, t := range ts {
		var err *Error
		if sizes, err = broadcastSizes(sizes, t.sizes); err != nil {
			return nil, err
		}
	}
	return sizes, nil
}

func meshgrid(ts []*Tensor, given bool, indexing string) ([]*Tensor, error) {
	if len(ts) == 0 {
		return nil, fail(RuntimeError, CodeArgument, "meshgrid expects a non-empty TensorList")
	}
	switch {
	case !given:
		warnOnce("./aten/src/ATen/native/TensorShape.cpp:3637", "torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument.")
	case indexing != "ij" && indexing != "xy":
		return nil, fail(RuntimeError, CodeArgument, "torch.meshgrid: indexing must be one of \"xy\" or \"ij\", but received: %s", indexing)
	}
	for _, t := range ts {
		switch {
		case t.Dim() > 1:
			return nil, fail(RuntimeError, CodeShape, "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: %s", t)
		case t.dtype != ts[0].dtype:
			return nil, fail(RuntimeError, CodeDType, "meshgrid expects all tensors to have the same dtype")
		}
	}
	sizes := make([]int, len(ts))
	place := make([]int, len(ts)) // the dimension along which a tensor runs
	for i, t := range ts {
		place[i] = i
		if indexing == "xy" && len(ts) > 1 && i < 2 {
			place[i] = 1 - i
		}
		sizes[place[i]] = t.Numel()
	}
	listable(len(ts)*len(ts), 2*8) // sizes and strides of len(ts) dimensions
	grids := make([]*Tensor, len(ts))
	for i, t := range ts {
		grids[i] = t.View(replaced(repeated(1, len(ts)), place[i], -1)).Expand(sizes)
	}
	return grids, nil
}
