package autograd

import "github.com/gradtui/gradtui/autograd/internal/kernel"

// maskedOps select elements with bool tensors.
var maskedOps = []Op{
	{
		Schema: "where(Tensor condition) -> Tensor[]", In: Torch, OutDType: whereDType, Go: "WhereTrue",
		Compose: func(a *Args) ([]*Tensor, error) { return nonzeroColumns(a.Self()) },
	},
	{
		Schema:   "nonzero(Tensor self) -> Tensor",
		OutDType: nonzeroDType,
		Forward:  func(a *Args) ([]*Tensor, error) { return a.One(nonzero(a.Self())) },
	},
	{
		Schema:  "nonzero_numpy(Tensor self) -> Tensor[]",
		Compose: func(a *Args) ([]*Tensor, error) { return nonzeroColumns(a.Self()) },
	},
	{
		Schema:   "nonzero.as_tuple(Tensor self, *, bool as_tuple) -> Tensor[]",
		OutDType: nonzeroDType, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			if a.Bool("as_tuple") {
				return nonzeroColumns(a.Self())
			}
			return a.One(a.Self().Nonzero())
		},
	},
	{
		Schema:  "argwhere(Tensor self) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) { return a.One(a.Self().Nonzero()) },
	},
	{
		Schema: "masked_select(Tensor self, Tensor mask) -> Tensor", Node: "MaskedSelectBackward0", OutDType: selfDType, JVP: linear,
		Forward: maskedSelect,
		VJP: []Formula{{Input: "self", Uses: "self mask", Of: func(c *Ctx) *Tensor {
			self, mask := c.Saved("self"), c.Saved("mask")
			if self.err != nil || mask.err != nil {
				return firstBad(self, mask)
			}
			sizes, err := broadcastSizes(self.sizes, mask.sizes)
			if err != nil {
				return errTensor(err)
			}
			return mutated(self.Expand(sizes).ZerosLike(), func(t *Tensor) error { return t.MaskedScatter_(mask, c.Grad()) })
		}}},
	},
	{
		Schema: "masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor", InPlace: true, Overlap: OverlapOfOperands,
		Node: "MaskedScatterBackward0", Attrs: "source_sym_sizes", JVP: func(c *JCtx) ([]*Tensor, error) {
			return c.args.One(c.TangentOrZeros("self").MaskedScatter(c.args.Tensor("mask"), c.TangentOrZeros("source")))
		},
		Forward: maskedScatter,
		VJP: []Formula{
			{Input: "self", Uses: "mask", Of: maskedFillSelfGrad},
			{Input: "source", Uses: "mask", Of: func(c *Ctx) *Tensor {
				return c.Grad().MaskedScatterBackward(c.Saved("mask"), c.Shape("source"))
			}},
		},
	},
	{
		Schema: "masked_scatter_backward(Tensor grad_output, Tensor mask, int[] sizes) -> Tensor", In: Hidden,
		Node: "MaskedScatterBackwardBackward0", Attrs: "grad_output_sym_sizes", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			outs, err := maskedSelect(a)
			if err != nil {
				return nil, err
			}
			out := alloc(a.Self().dtype, a.Ints("sizes"))
			n := min(out.Numel(), outs[0].Numel())
			copyData(out.part([]int{n}, unitStride, 0), outs[0].part([]int{n}, unitStride, 0))
			return a.One(out)
		},
		VJP: []Formula{{Input: "grad_output", Uses: "mask", Of: func(c *Ctx) *Tensor {
			return alloc(c.Grad().dtype, c.Shape("grad_output")).MaskedScatter(c.Saved("mask"), c.Grad())
		}}},
	},
	{
		Schema: "nonzero_static(Tensor self, *, int size, int fill_value=-1) -> Tensor",
		Forward: func(a *Args) ([]*Tensor, error) {
			size := a.Int("size")
			if size < 0 {
				return nil, fail(RuntimeError, CodeArgument, "nonzero_static: 'size' must be an non-negative integer")
			}
			found := a.Self().Nonzero()
			out := filled([]int{size, len(a.Self().sizes)}, Int64, float64(a.Int("fill_value")))
			rows := min(size, found.sizes[0])
			copyData(out.part([]int{rows, out.sizes[1]}, out.strides, 0), found.part([]int{rows, out.sizes[1]}, found.strides, found.offset))
			return a.One(out)
		},
	}}

func firstBad(ts ...*Tensor) *Tensor {
	for _, t := range ts {
		if t.err != nil {
			return t
		}
	}
	return nil
}

// nonzero returns the coordinates of the non-zero elements, a row for each. Its
// memory is column-major, as in PyTorch.
func nonzero(t *Tensor) *Tensor {
	columns := coordinates(as(t, Bool))
	n := len(trueIndices(as(t, Bool)))
	out := allocLaidOut(Int64, []int{n, len(columns)}, []int{1, n})
	for d, c := range columns {
		copy(out.st.other.i64[d*n:], elements[int64](c))
	}
	if isContiguous(out.sizes, out.strides) {
		out.flags |= contiguousFlag
	}
	return out
}

func nonzeroColumns(t *Tensor) ([]*Tensor, error) {
	if t.Dim() == 0 {
		t = t.Unsqueeze(0)
	}
	return t.Nonzero().Unbind(Dim(1))
}

func maskedSelect(a *Args) ([]*Tensor, error) {
	t, mask := a.Self(), a.Tensor("mask")
	if mask.dtype != Bool {
		return nil, fail(RuntimeError, CodeDType, "masked_select: expected BoolTensor for mask")
	}
	sizes, err := broadcastSizes(mask.sizes, t.sizes)
	if err != nil {
		return nil, err
	}
	at := t.placesOver(sizes)
	from := make([]int, 0, len(at))
	for i, p := range mask.placesOver(sizes) {
		if mask.st.other.b[p] {
			from = append(from, at[i])
		}
	}
	out := alloc(t.dtype, []int{len(from)})
	moveBlocks(out, t, &kernel.Blocks{DstBlock: out.places(), SrcBlock: from, DstElement: kernel.Single, SrcElement: kernel.Single})
	return a.One(out)
}

// asDType converts a number as a C++ cast to the dtype does.
func asDType(s Scalar, d DType) Scalar {
	if s.IsFloat() && d.IsInteger() {
		return IntScalar(truncate(s.Float()))
	}
	return s
}

func maskedScatter(a *Args) ([]*Tensor, error) {
	t, mask, source := a.Self(), a.Tensor("mask"), a.Tensor("source")
	if t.dtype != source.dtype {
		return nil, fail(RuntimeError, CodeDType, "masked_scatter: expected self and source to have same dtypes but got%s and %s", scalarTypeName(t.dtype), scalarTypeName(source.dtype))
	}
	sizes, err := broadcastSizes(mask.sizes, t.sizes)
	switch {
	case err != nil:
		return nil, err
	case mask.dtype != Bool:
		return nil, fail(RuntimeError, CodeDType, "masked_scatter_ only supports boolean masks, but got mask with dtype %s", scalarTypeName(mask.dtype))
	}
	out := a.into
	if out == nil || !sameSizes(out.sizes, sizes) {
		out = alloc(t.dtype, sizes)
		copyData(out, t)
	}
	source = contiguous(source)
	if source.st == out.st {
		source = copied(source, source.dtype)
	}
	var to, from []int
	at := out.places()
	for i, p := range mask.placesOver(out.sizes) {
		if mask.st.other.b[p] {
			to, from = append(to, at[i]), append(from, source.offset+len(from))
		}
	}
	if len(from) > source.Numel() {
		return nil, fail(RuntimeError, CodeShape, "Number of elements of source < number of ones in mask")
	}
	moveBlocks(out, source, &kernel.Blocks{DstBlock: to, SrcBlock: from, DstElement: kernel.Single, SrcElement: kernel.Single})
	return a.One(out)
}
