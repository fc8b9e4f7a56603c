package autograd

import "github.com/gradtui/gradtui/autograd/internal/kernel"

// indexDimOps change whole slices of a tensor, along a dimension at the indices
// of a vector; and single elements by flat index.
var indexDimOps = []Op{
	{
		Schema: "index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor", InPlace: true, OutDType: expectedOutDType,
		Node: "IndexAddBackward0", Attrs: "alpha dim source_dim", JVP: func(c *JCtx) ([]*Tensor, error) {
			a := c.Args()
			return a.One(c.TangentOrZeros("self").IndexAdd(a.Int("dim"), a.Tensor("index"), scaled(c.TangentOrZeros("source"), a.Scalar("alpha"))))
		},
		Forward: indexAdd,
		VJP: []Formula{
			{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad() }},
			{Input: "source", Uses: "index source", Of: func(c *Ctx) *Tensor { return scaled(sourceGrad(c), c.Args().Scalar("alpha")) }},
		},
	},
	{
		Schema: "index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor", InPlace: true, OutDType: expectedOutDType,
		Node: "IndexCopyBackward0", Attrs: "dim source_dim", JVP: func(c *JCtx) ([]*Tensor, error) {
			a := c.Args()
			return a.One(c.TangentOrZeros("self").IndexCopy(a.Int("dim"), a.Tensor("index"), c.TangentOrZeros("source")))
		},
		Forward: indexCopy,
		VJP: []Formula{
			{Input: "self", Uses: "index", Of: clearIndexed},
			{Input: "source", Uses: "index source", Of: sourceGrad},
		},
	},
	{
		Schema: "index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor", InPlace: true, Overlap: OverlapOfOperands, Expanded: indexFillExpanded,
		Node: "IndexFillBackward1", Attrs: "dim", JVP: func(c *JCtx) ([]*Tensor, error) {
			a := c.Args()
			return a.One(c.TangentOrZeros("self").IndexFill(a.Int("dim"), a.Tensor("index"), c.TangentOrZeros("value")))
		},
		Forward: func(a *Args) ([]*Tensor, error) {
			v := a.Tensor("value")
			if v.Dim() != 0 {
				return nil, fail(RuntimeError, CodeShape, "index_fill_ only supports a 0-dimensional value tensor, but got tensor with %d dimension(s).", v.Dim())
			}
			return indexFill(a, v.element(v.offset))
		},
		VJP: []Formula{
			{Input: "self", Uses: "index", Of: clearIndexed},
			{Input: "value", Uses: "index", Of: func(c *Ctx) *Tensor {
				return c.Grad().IndexSelect(c.Args().Int("dim"), distinct(c.Saved("index"))).Sum()
			}},
		},
	},
	{
		Schema: "index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor", InPlace: true, Overlap: OverlapOfOperands, Expanded: indexFillExpanded,
		Node: "IndexFillBackward0", Attrs: "dim", JVP: func(c *JCtx) ([]*Tensor, error) {
			a := c.Args()
			return a.One(c.TangentOrZeros("self").IndexFill(a.Int("dim"), a.Tensor("index"), 0))
		},
		Forward: func(a *Args) ([]*Tensor, error) { return indexFill(a, a.Scalar("value")) },
		VJP:     []Formula{{Input: "self", Uses: "index", Of: clearIndexed}},
	},
	{
		Schema: "index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> Tensor", InPlace: true, OutDType: expectedOutDType,
		Node: "IndexReduceBackward0", Attrs: "dim include_self reduce", Forward: indexReduce,
		VJP: []Formula{{Input: "self source", Uses: "self index source result", All: func(c *Ctx) []*Tensor {
			a := c.Args()
			dim, index := a.Int("dim"), c.Saved("index")
			return reduceBackward(c, "source", &scattering{
				name:   "index_reduce",
				pickUp: func(t *Tensor) *Tensor { return t.IndexSelect(dim, index) },
				add:    func(t, src *Tensor) *Tensor { return t.IndexAdd(dim, index, src) },
				reduce: func(self, src *Tensor) *Tensor {
					return self.IndexReduce(dim, index, src, a.Str("reduce"), Kw("include_self", a.Bool("include_self")))
				},
				clear: func(t *Tensor) *Tensor { return t.IndexFill(dim, index, 0) },
			})
		}}},
	},
	{
		Schema: "put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor", In: Method, InPlace: true,
		Node: "PutBackward0", Attrs: "accumulate", JVP: func(c *JCtx) ([]*Tensor, error) {
			a := c.Args()
			return a.One(c.TangentOrZeros("self").Put(a.Tensor("index"), c.TangentOrZeros("source"), Kw("accumulate", a.Bool("accumulate"))))
		},
		Forward: put,
		VJP: []Formula{
			{Input: "self", Uses: "index", Of: func(c *Ctx) *Tensor {
				if c.Args().Bool("accumulate") {
					return c.Grad()
				}
				return c.Grad().Put(c.Saved("index"), c.sourceZeros())
			}},
			{Input: "source", Uses: "index source", Of: func(c *Ctx) *Tensor {
				return c.Grad().Take(c.Saved("index")).ReshapeAs(c.Saved("source"))
			}},
		},
	},
}

// sourceGrad returns the gradient of the slices that were added or copied.
func sourceGrad(c *Ctx) *Tensor {
	dim, index, source := c.Args().Int("dim"), c.Saved("index"), c.Saved("source")
	if source.Dim() > 0 {
		return c.Grad().IndexSelect(dim, index).ExpandAs(source)
	}
	return c.Grad().IndexSelect(dim, index.Squeeze(Dim(0)))
}

func clearIndexed(c *Ctx) *Tensor {
	return c.Grad().IndexFill(c.Args().Int("dim"), c.Saved("index"), 0)
}

// distinct returns the indices without duplicates.
func distinct(index *Tensor) *Tensor {
	if index.err != nil {
		return index
	}
	seen := map[int]bool{}
	var out []int64
	for _, x := range indexValues(index) {
		if !seen[x] {
			seen[x] = true
			out = append(out, int64(x))
		}
	}
	t := alloc(Int64, []int{len(out)})
	copy(t.st.other.i64, out)
	return t
}

// slicesAt pairs the slices of dst along d at the indices with the slices of
// src in order. wrap allows negative indices; bad makes the error for an index
// that is out of range.
func slicesAt(dst *Tensor, d int, index, src *Tensor, wrap bool, bad func(i, size int) *Error) (*kernel.Blocks, *Error) {
	size, stride := 1, 0
	if dst.Dim() > 0 {
		size, stride = dst.sizes[d], dst.strides[d]
	}
	at := indexValues(index)
	for i, x := range at {
		if x >= size || x < 0 && (!wrap || x < -size) {
			return nil, bad(x, size)
		}
		if x < 0 {
			x += size
		}
		at[i] = x * stride
	}
	b := &kernel.Blocks{DstBlock: at, DstElement: dst.slicePlaces(d)}
	if src == nil {
		b.SrcBlock, b.SrcElement = make([]int, len(at)), make([]int, len(b.DstElement))
	} else {
		b.SrcBlock, b.SrcElement = src.stepsAlong(d, len(at)), src.slicePlaces(d)
	}
	return b, nil
}

// checkSource makes the checks of index_func_meta_impl, for index_add and
// index_reduce.
func checkSource(a *Args, name string, index, source *Tensor) (int, *Error) {
	t := a.Self()
	d, err := wrapDim(a.Int("dim"), t.Dim())
	sameOther := t.Dim() == source.Dim()
	for i := 0; sameOther && i < t.Dim(); i++ {
		sameOther = i == d || t.sizes[i] == source.sizes[i]
	}
	n := 1
	switch {
	case err != nil:
		return 0, err
	case index.Dim() > 1:
		return 0, fail(IndexError, CodeShape, "%s(): Index is supposed to be a vector, but got dim: %d with type: %s and size: %s", name, index.Dim(), scalarTypeName(index.dtype), shapeText(index.sizes))
	case index.dtype != Int64 && index.dtype != Int32:
		return 0, fail(RuntimeError, CodeDType, "%s(): Expected dtype int32/int64 for index but got: %s", name, scalarTypeName(index.dtype))
	case t.dtype != source.dtype:
		return 0, fail(RuntimeError, CodeDType, "%s(): self (%s) and source (%s) must have the same scalar type", name, scalarTypeName(t.dtype), scalarTypeName(source.dtype))
	case d != 0 && d >= source.Dim():
		return 0, fail(RuntimeError, CodeShape, "%s(): Indexing dim %d is out of bounds of the source tensor with dim %d", name, d, source.Dim())
	}
	if source.Dim() > 0 {
		n = source.sizes[d]
	}
	switch {
	case index.Numel() != n:
		return 0, fail(RuntimeError, CodeShape, "%s(): Number of indices (%d) should be equal to source.size(dim): (%d), for dim: %d", name, index.Numel(), n, d)
	case !sameOther:
		return 0, fail(RuntimeError, CodeShape, "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = %s source.shape = %s", shapeText(t.sizes), shapeText(source.sizes))
	}
	return d, a.noOverlap(index, source)
}

func indexAdd(a *Args) ([]*Tensor, error) {
	index, source := a.Tensor("index"), a.Tensor("source")
	d, err := checkSource(a, "index_add_", index, source)
	if err != nil {
		return nil, err
	}
	out := a.target(false)
	if out.Numel() == 0 {
		return a.One(out)
	}
	b, err := slicesAt(out, d, index, source, false, func(i, size int) *Error {
		if out.Dim() > 1 {
			return fail(RuntimeError, CodeIndex, "index %d is out of bounds for dimension %d with size %d", i, d, size)
		}
		return fail(IndexError, CodeIndex, "index out of range in self")
	})
	if err != nil {
		return nil, err
	}
	if alpha := a.Scalar("alpha"); alpha.Float() != 1 {
		product := alloc(source.dtype, source.sizes)
		copyData(product, source)
		for i := range product.Numel() {
			product.setElement(i, times(product.element(i), alpha))
		}
		source = product
		b.SrcBlock, b.SrcElement = source.stepsAlong(d, len(b.DstBlock)), source.slicePlaces(d)
	}
	addBlocks(out, source, b)
	return a.One(out)
}

// times returns x·y in the type of x.
func times(x, y Scalar) Scalar {
	if x.IsFloat() {
		return FloatScalar(x.Float() * y.Float())
	}
	return IntScalar(x.Int() * y.Int())
}

func indexReduce(a *Args) ([]*Tensor, error) {
	index, source, reduce := a.Tensor("index"), a.Tensor("source"), a.Str("reduce")
	if !knownReduction(reduce) || reduce == "sum" {
		return nil, fail(RuntimeError, CodeArgument, "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got %s.", reduce)
	}
	d, err := checkSource(a, "index_reduce_", index, source)
	if err != nil {
		return nil, err
	}
	warnOnce("./aten/src/ATen/native/TensorAdvancedIndexing.cpp:1218", "index_reduce() is in beta and the API may change at any time.")
	out := a.target(false)
	b, err := slicesAt(out, d, index, source, false, func(int, int) *Error {
		return fail(IndexError, CodeIndex, "index out of range in self")
	})
	if err != nil {
		return nil, err
	}
	reduceBlocks(out, source, b, reduce, a.Bool("include_self"))
	return a.One(out)
}

func indexCopy(a *Args) ([]*Tensor, error) {
	t, index, source := a.Self(), a.Tensor("index"), a.Tensor("source")
	d, err := wrapDim(a.Int("dim"), t.Dim())
	if err != nil {
		return nil, err
	}
	if err := checkCopied(t, d, index, source); err != nil {
		return nil, err
	}
	if err := a.noOverlap(index, source); err != nil {
		return nil, err
	}
	out := a.target(false)
	b, err := slicesAt(out, d, index, source, false, func(i, size int) *Error {
		return fail(IndexError, CodeIndex, "index_copy_(): index %d is out of bounds for dimension %d with size %d", i, d, size)
	})
	if err != nil {
		return nil, err
	}
	moveBlocks(out, source, b)
	return a.One(out)
}

func checkCopied(t *Tensor, d int, index, source *Tensor) *Error {
	n := 1
	if source.Dim() > 0 && d < source.Dim() {
		n = source.sizes[d]
	}
	switch {
	case index.Dim() > 1:
		return fail(IndexError, CodeShape, "index_copy_(): Index should have dimension 1 or 0 (got %d)", index.Dim())
	case source.Dim() == 0 && index.Numel() != 1:
		return fail(IndexError, CodeShape, "index_copy_(): When source is scalar, index should have one element (got %d)", index.Numel())
	case source.Dim() != t.Dim() && source.Dim() != 0 && t.Dim() != 0:
		return fail(IndexError, CodeShape, "index_copy_(): When source and destination are not scalars, their dimensionality must match. Source dimensionality (%d), destination dimensionality (%d)", source.Dim(), t.Dim())
	case index.dtype != Int64:
		return fail(RuntimeError, CodeDType, "index_copy_(): Expected a long tensor for index, but got %s", scalarTypeName(index.dtype))
	case t.dtype != source.dtype:
		return fail(RuntimeError, CodeDType, "index_copy_(): self and source expected to have the same dtype, but got (self) %s and (source) %s", scalarTypeName(t.dtype), scalarTypeName(source.dtype))
	}
	var dstSlice, srcSlice []int
	if t.Dim() > 0 {
		dstSlice = without(t.sizes, d)
	}
	if source.Dim() > 0 {
		srcSlice = without(source.sizes, d)
	}
	if !sameSizes(dstSlice, srcSlice) {
		return fail(RuntimeError, CodeShape, "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: %s at dimension %d and source slice shape: %s at dimension 0.", plainShape(dstSlice), d, plainShape(srcSlice))
	}
	if source.Dim() > 0 && index.Numel() != n {
		return fail(IndexError, CodeShape, "index_copy_(): Number of indices (%d) should be equal to source.size(dim) (%d)", index.Numel(), n)
	}
	return nil
}

// plainShape formats sizes without brackets.
func plainShape(sizes []int) string {
	text := shapeText(sizes)
	return text[1 : len(text)-1]
}

func indexFill(a *Args, value Scalar) ([]*Tensor, error) {
	t, index := a.Self(), a.Tensor("index")
	d, err := wrapDim(a.Int("dim"), t.Dim())
	switch {
	case index.dtype != Int64:
		return nil, fail(IndexError, CodeDType, "index_fill_(): Expected dtype int64 for index.")
	case err != nil:
		return nil, err
	case index.Dim() > 1:
		return nil, fail(RuntimeError, CodeShape, "Index has to be a vector/scalar")
	}
	if err := a.noOverlap(index); err != nil {
		return nil, err
	}
	out := a.target(true)
	b, err := slicesAt(out, d, index, nil, true, func(i, size int) *Error {
		return fail(IndexError, CodeIndex, "index %d is out of bounds for dimension %d with size %d", i, d, size)
	})
	if err != nil {
		return nil, err
	}
	moveBlocks(out, as(numberTensor(value), out.dtype), b)
	return a.One(out)
}

func put(a *Args) ([]*Tensor, error) {
	t, index, source := a.Self(), a.Tensor("index"), a.Tensor("source")
	a.Extra = output{source.sizes, source.dtype}
	switch {
	case index.dtype != Int64:
		return nil, fail(RuntimeError, CodeDType, "put_(): Expected a long tensor for index, but got %s", scalarTypeName(index.dtype))
	case t.dtype != source.dtype:
		return nil, fail(RuntimeError, CodeDType, "put_(): self and source expected to have the same dtype, but got self.dtype = %s and source.dtype = %s", scalarTypeName(t.dtype), scalarTypeName(source.dtype))
	case source.Numel() != index.Numel():
		return nil, fail(IndexError, CodeShape, "put_(): Expected source and index to have the same number of elements, but got source.numel() = %d, index.numel() = %d", source.Numel(), index.Numel())
	}
	if err := a.noOverlap(index, source); err != nil {
		return nil, err
	}
	out := a.target(true)
	at, err := flatPlaces(out, index, "put_")
	if err != nil {
		return nil, err
	}
	b := &kernel.Blocks{DstBlock: at, SrcBlock: source.places(), DstElement: kernel.Single, SrcElement: kernel.Single}
	if a.Bool("accumulate") {
		addBlocks(out, source, b)
	} else {
		moveBlocks(out, source, b)
	}
	return a.One(out)
}
