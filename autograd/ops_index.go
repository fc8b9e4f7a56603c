package autograd

import "github.com/gradtui/gradtui/autograd/internal/kernel"

// indexOps select elements and slices with integer tensors.
var indexOps = []Op{
	{
		Schema: "index_select(Tensor self, int dim, Tensor index) -> Tensor",
		Node:   "IndexSelectBackward0", OutDType: selfDType, Attrs: "dim self_sym_sizes", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return indexSelect(a, a.Int("dim"), a.Tensor("index")) },
		VJP: []Formula{{Input: "self", Uses: "index", Of: func(c *Ctx) *Tensor {
			return mutated(alloc(c.Grad().dtype, c.Shape("self")), func(t *Tensor) error {
				return t.IndexAdd_(c.Args().Int("dim"), c.Saved("index"), c.Grad())
			})
		}}},
	},
	{
		Schema: "gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor",
		Node:   "GatherBackward0", OutDType: expectedOutDType, Attrs: "dim sparse_grad", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return gathered(a, a.Int("dim"), a.Tensor("index")) },
		VJP: []Formula{{Input: "self", Uses: "self index", Of: func(c *Ctx) *Tensor {
			return mutated(zerosAs(c.Saved("self"), c.Grad().dtype), func(t *Tensor) error {
				return t.ScatterAdd_(c.Args().Int("dim"), c.Saved("index"), c.Grad())
			})
		}}},
	},
	{
		Schema: "take(Tensor self, Tensor index) -> Tensor", Node: "TakeBackward0", OutDType: takeDType, JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			t, index := a.Self(), a.Tensor("index")
			at, err := flatPlaces(t, index, "take")
			if err != nil {
				return nil, err
			}
			out := alloc(t.dtype, index.sizes)
			moveBlocks(out, t, &kernel.Blocks{DstBlock: out.places(), SrcBlock: at, DstElement: kernel.Single, SrcElement: kernel.Single})
			return a.One(out)
		},
		VJP: []Formula{{Input: "self", Uses: "self index", Of: func(c *Ctx) *Tensor {
			return mutated(c.Saved("self").ZerosLike(), func(t *Tensor) error {
				return t.Put_(c.Saved("index"), c.Grad(), Kw("accumulate", true))
			})
		}}},
	},
	{
		Schema:   "take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor",
		OutDType: expectedOutDType,
		Compose:  func(a *Args) ([]*Tensor, error) { return takeAlong(a, a.Self(), a.Tensor("indices")) },
	},
	{
		Schema: "index.Tensor(Tensor self, Tensor?[] indices) -> Tensor", In: Hidden, Go: "IndexTensors",
		Node: "IndexBackward0", Attrs: "self_sym_sizes", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return indexed(a, a.Self(), a.Tensors("indices")) },
		VJP: []Formula{{Input: "self", Uses: "indices", Of: func(c *Ctx) *Tensor {
			return mutated(alloc(c.Grad().dtype, c.Shape("self")), func(t *Tensor) error {
				return t.IndexPutImpl_(c.SavedList("indices"), c.Grad(), Kw("accumulate", true), Kw("unsafe", true))
			})
		}}},
	},
	{
		Schema: "index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor", InPlace: true, Expanded: putExpanded,
		Node: "IndexPutBackward0", Attrs: "accumulate", JVP: indexPutJVP,
		Forward: func(a *Args) ([]*Tensor, error) { return indexPut(a) },
		VJP:     indexPutVJP,
	},
	{
		Schema: "_index_put_impl_(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, bool unsafe=False) -> Tensor", In: Hidden, Go: "IndexPutImpl_",
		Node: "IndexPutImplBackward0", Expanded: putExpanded, Attrs: "accumulate unsafe", JVP: indexPutJVP,
		Mutate: func(a *Args) error {
			a.into = a.Self()
			_, err := indexPut(a)
			a.into = nil
			return err
		},
		VJP: indexPutVJP,
	},
}

var indexPutVJP = []Formula{
	{Input: "self", Uses: "indices", Of: func(c *Ctx) *Tensor {
		if c.Args().Bool("accumulate") {
			return c.Grad()
		}
		return c.Grad().IndexPut(c.SavedList("indices"), c.sourceZeros())
	}},
	{Input: "values", Uses: "indices", Of: func(c *Ctx) *Tensor { return c.Grad().IndexTensors(c.SavedList("indices")) }},
}

func indexPutJVP(c *JCtx) ([]*Tensor, error) {
	a := c.Args()
	return a.One(c.TangentOrZeros("self").IndexPut(a.Tensors("indices"), c.TangentOrZeros("values"), Kw("accumulate", a.Bool("accumulate"))))
}

// mutated returns t after an in-place change, or a tensor with the error.
func mutated(t *Tensor, change func(t *Tensor) error) *Tensor {
	if t.err != nil {
		return t
	}
	if err := change(t); err != nil {
		return errTensor(err)
	}
	return t
}

// zerosAs is grad.new_zeros(t.sizes()).
func zerosAs(t *Tensor, d DType) *Tensor {
	if t.err != nil {
		return t
	}
	return alloc(d, t.sizes)
}

func indexSelect(a *Args, dim int, index *Tensor) ([]*Tensor, error) {
	t := a.Self()
	d, err := wrapDim(dim, t.Dim())
	switch {
	case err != nil:
		return nil, err
	case index.Dim() > 1:
		return nil, fail(IndexError, CodeShape, "index_select(): Index is supposed to be a vector")
	case t.Dim() == 0 && index.Numel() != 1:
		return nil, fail(RuntimeError, CodeShape, "index_select(): Index to scalar can have only 1 value, got %d value(s)", index.Numel())
	case index.dtype != Int64 && index.dtype != Int32:
		return nil, fail(RuntimeError, CodeDType, "index_select(): Expected dtype int32 or int64 for index")
	}
	sizes, size, stride := t.sizes, 1, 0
	if t.Dim() > 0 {
		size, stride = t.sizes[d], t.strides[d]
		sizes = replaced(t.sizes, d, index.Numel())
	}
	from := indexValues(index)
	for i, x := range from {
		if x < 0 || x >= size {
			return nil, badSelection(t, d, x, size)
		}
		from[i] = x * stride
	}
	out := alloc(t.dtype, sizes)
	moveBlocks(out, t, &kernel.Blocks{
		DstBlock: out.stepsAlong(d, len(from)), SrcBlock: from, DstElement: out.slicePlaces(d), SrcElement: t.slicePlaces(d),
	})
	return a.One(out)
}

// badSelection returns the error for an index that is out of range. The text
// depends on the loop that PyTorch would have chosen.
func badSelection(t *Tensor, d, x, size int) *Error {
	empty := t.Numel() == 0
	switch {
	case t.Dim() > 1 && empty && size == 0:
		return fail(RuntimeError, CodeIndex, "index_select(): self indexing axis dim should be positive")
	case t.Dim() > 1 && (empty || d == 1):
		return fail(RuntimeError, CodeIndex, "INDICES element is out of DATA bounds, id=%d axis_dim=%d", x, size)
	}
	return fail(IndexError, CodeIndex, "index out of range in self")
}

func gathered(a *Args, dim int, index *Tensor) ([]*Tensor, error) {
	t := a.Self()
	d, err := wrapDim(dim, t.Dim())
	if err != nil {
		return nil, err
	}
	out := alloc(t.dtype, index.sizes)
	if index.Numel() == 0 {
		return a.One(out)
	}
	if index.dtype != Int64 {
		return nil, fail(RuntimeError, CodeDType, "gather(): Expected dtype int64 for index")
	}
	if max(t.Dim(), 1) != max(index.Dim(), 1) {
		return nil, fail(RuntimeError, CodeShape, "Index tensor must have the same number of dimensions as input tensor")
	}
	for i := range t.sizes {
		if i != d && i < index.Dim() && index.sizes[i] > t.sizes[i] {
			return nil, fail(RuntimeError, CodeShape, "Size does not match at dimension %d expected index %s to be no larger than self %s apart from dimension %d", i, shapeText(index.sizes), shapeText(t.sizes), d)
		}
	}
	from, err := placesAt(t, d, index)
	if err != nil {
		return nil, err
	}
	moveBlocks(out, t, &kernel.Blocks{DstBlock: out.places(), SrcBlock: from, DstElement: kernel.Single, SrcElement: kernel.Single})
	return a.One(out)
}

// placesAt returns the positions in t that an index tensor selects: its own
// coordinates, with the index as coordinate d.
func placesAt(t *Tensor, d int, index *Tensor) ([]int, *Error) {
	size, stride := 1, 0
	strides := make([]int, index.Dim())
	if t.Dim() > 0 {
		size, stride = t.sizes[d], t.strides[d]
		copy(strides, t.strides)
		if index.Dim() > 0 {
			strides[d] = 0
		}
	}
	at := kernel.Places(index.sizes, strides, t.offset)
	for i, x := range indexValues(index) {
		if x < 0 || x >= size {
			return nil, fail(RuntimeError, CodeIndex, "index %d is out of bounds for dimension %d with size %d", x, d, size)
		}
		at[i] += x * stride
	}
	return at, nil
}

// flatPlaces returns the positions of elements given by row-major indices.
// Negative indices count from the end.
func flatPlaces(t, index *Tensor, name string) ([]int, *Error) {
	if index.dtype != Int64 {
		return nil, fail(RuntimeError, CodeDType, "%s(): Expected a long tensor for index, but got %s", name, scalarTypeName(index.dtype))
	}
	n := t.Numel()
	at := indexValues(index)
	if n == 0 && len(at) > 0 {
		return nil, fail(IndexError, CodeIndex, "%s(): %s an empty tensor", name, map[string]string{"take": "tried to take from", "put_": "Tried to put elements into"}[name])
	}
	for i, x := range at {
		if x < -n || x >= n {
			return nil, fail(IndexError, CodeIndex, "out of range: tried to access index %d on a tensor of %d elements.", x, n)
		}
		if x < 0 {
			x += n
		}
		at[i] = t.at(x)
	}
	return at, nil
}

func takeAlong(a *Args, t, indices *Tensor) ([]*Tensor, error) {
	if !a.Has("dim") {
		return a.One(t.View([]int{-1}).Gather(0, indices.View([]int{-1})))
	}
	if t.Dim() != indices.Dim() {
		return nil, fail(RuntimeError, CodeShape, "torch.take_along_dim(): input and indices should have the same number of dimensions, but got %d dimensions for input, and %d dimensions for indices", t.Dim(), indices.Dim())
	}
	if indices.dtype != Int64 {
		return nil, fail(RuntimeError, CodeDType, "torch.take_along_dim(): dtype of indices should be Long but got %s", scalarTypeName(indices.dtype))
	}
	d, err := wrapStrictDim(a.Int("dim"), t.Dim())
	if err != nil {
		return nil, err
	}
	sizes, err := broadcastSizes(replaced(t.sizes, d, indices.sizes[d]), indices.sizes)
	if err != nil {
		return nil, err
	}
	wide := indices.Expand(sizes)
	if sizes, err = broadcastSizes(t.sizes, replaced(indices.sizes, d, t.sizes[d])); err != nil {
		return nil, err
	}
	return a.One(t.Expand(sizes).Gather(d, wide))
}
