package autograd

import (
	"math"
	"math/bits"
	"slices"
)

// inplaceOps change whole tensors.
var inplaceOps = []Op{
	{
		Schema: "zero_(Tensor self) -> Tensor", In: Method, Node: "ZeroBackward0", Overlap: OverlapAllowed, Predicted: ByValues, JVP: noTangent,
		Mutate: func(a *Args) error { a.Self().fill(IntScalar(0)); return nil },
		VJP:    []Formula{{Input: "self", Of: zeroGrad}},
	},
	{
		Schema: "fill.Tensor(Tensor self, Tensor value) -> Tensor", InPlace: true,
		Node: "FillBackward1", InPlaceNode: "FillBackward3", Overlap: OverlapAllowed, Predicted: ByValues, JVP: func(c *JCtx) ([]*Tensor, error) {
			return c.args.One(c.TangentOrZeros("self").Fill(c.TangentOrZeros("value")))
		},
		Forward: func(a *Args) ([]*Tensor, error) {
			v := a.Tensor("value")
			if v.Dim() != 0 {
				return nil, fail(RuntimeError, CodeShape, "fill_ only supports 0-dimension value tensor but got tensor with %d dimensions.", v.Dim())
			}
			return fill(a, v.element(v.offset))
		},
		VJP: []Formula{
			{Input: "self", Of: zeroGrad},
			{Input: "value", Of: func(c *Ctx) *Tensor { return c.Grad().Sum() }},
		},
	},
	{
		Schema: "fill.Scalar(Tensor self, Scalar value) -> Tensor", InPlace: true,
		Node: "FillBackward0", InPlaceNode: "FillBackward2", Overlap: OverlapAllowed, Predicted: ByValues, JVP: func(c *JCtx) ([]*Tensor, error) {
			return c.args.One(c.TangentOrZeros("self").Fill(0))
		},
		Forward: func(a *Args) ([]*Tensor, error) { return fill(a, a.Scalar("value")) },
		VJP:     []Formula{{Input: "self", Of: zeroGrad}},
	},
	{
		Schema: "resize_(Tensor self, int[] size, *, str? memory_format=None) -> Tensor", In: Method, Overlap: OverlapAllowed,
		Mutate: func(a *Args) error {
			sizes := a.Ints("size")
			if err := a.checkResizable(); err != nil {
				return err
			}
			if err := checkCount(sizes); err != nil {
				return err
			}
			return a.resizeSelf(sizes)
		},
	},
	{
		Schema: "set_(Tensor self) -> Tensor", In: Method, Node: notImplemented, Overlap: OverlapAllowed, Go: "-",
		Mutate: func(a *Args) error {
			t := a.Self()
			t.show(newStorage(classOf(t.dtype), 0), []int{0}, unitStride, 0)
			return nil
		},
	},
	{
		Schema: "set_.source_Tensor(Tensor self, Tensor source) -> Tensor", In: Method, Node: notImplemented, Overlap: OverlapAllowed,
		Mutate: func(a *Args) error {
			t, src := a.Self(), a.Tensor("source")
			if err := checkSameType(t, src); err != nil {
				return err
			}
			t.show(src.st, src.sizes, src.strides, src.offset)
			return nil
		},
	},
	{
		Schema: "set_.source_Tensor_storage_offset(Tensor self, Tensor source, int storage_offset, int[] size, int[] stride=[]) -> Tensor", In: Method, Node: notImplemented, Overlap: OverlapAllowed, Go: "-",
		Mutate: func(a *Args) error {
			t, src := a.Self(), a.Tensor("source")
			sizes, strides, offset := a.Ints("size"), a.Ints("stride"), a.Int("storage_offset")
			if err := checkSameType(t, src); err != nil {
				return err
			}
			if err := checkCount(sizes); err != nil {
				return err
			}
			if len(strides) == 0 {
				strides = contiguousStrides(sizes)
			}
			if len(sizes) != len(strides) {
				return fail(RuntimeError, CodeShape, "unequal size length (%d) and stride length (%d)", len(sizes), len(strides))
			}
			if offset < 0 {
				return fail(RuntimeError, CodeArgument, "Tensor: invalid storage offset %d", offset)
			}
			if slices.Min(append(strides, 0)) < 0 {
				return fail(RuntimeError, CodeShape, "Storage size calculation overflowed with sizes=%s and strides=%s", shapeText(sizes), shapeText(strides))
			}
			if numel(sizes) > 0 {
				src.st.grow(t.dtype, offset+extent(sizes, strides))
			}
			t.show(src.st, sizes, strides, offset)
			return nil
		},
	},
	{
		Schema:  "_foreach_add_.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]",
		Compose: func(a *Args) ([]*Tensor, error) { return foreach(a, "add.Scalar_") },
	},
	{
		Schema:  "_foreach_mul_.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]",
		Compose: func(a *Args) ([]*Tensor, error) { return foreach(a, "mul.Scalar_") },
	},
	{
		Schema: "resize_as_(Tensor self, Tensor the_template, *, str? memory_format=None) -> Tensor",
		Mutate: func(a *Args) error {
			if err := a.checkResizable(); err != nil {
				return err
			}
			return a.resizeSelf(a.Tensor("the_template").sizes)
		},
	},
}

// checkResizable returns an error for tensors that take part in
// differentiation.
func (a *Args) checkResizable() error {
	switch t := a.Self(); {
	case inferenceMode():
		return nil
	case t.requiresGrad():
		return fail(RuntimeError, CodeArgument, "cannot resize variables that require grad")
	case computesTangents() && tangentOf(t) != nil:
		return fail(RuntimeError, CodeArgument, "cannot resize variables that has a forward grad")
	}
	return nil
}

// resizeSelf resizes the tensor. A tensor that already has the sizes keeps its
// strides, and its version does not change.
func (a *Args) resizeSelf(sizes []int) error {
	if sameSizes(a.Self().sizes, sizes) {
		a.unchanged = true
		return nil
	}
	return a.Self().resize(sizes)
}

// checkCount returns an error for sizes whose number of elements, or strides,
// overflow.
func checkCount(sizes []int) *Error {
	n, over := uint64(1), false
	for _, s := range sizes {
		high, low := bits.Mul64(n, uint64(s))
		n, over = low, over || high != 0
	}
	if over || n > math.MaxInt64 {
		return fail(RuntimeError, CodeShape, "numel: integer multiplication overflow")
	}
	stride := uint64(1)
	for d := len(sizes) - 1; d > 0; d-- {
		high, low := bits.Mul64(stride, uint64(max(sizes[d], 1)))
		if stride = low; high != 0 || low > math.MaxInt64 {
			return fail(RuntimeError, CodeShape, "Stride calculation overflowed")
		}
	}
	return checkSizes(sizes)
}

// checkSameType returns an error if the source of set_ has another dtype.
func checkSameType(t, src *Tensor) error {
	if t.dtype != src.dtype {
		return fail(RuntimeError, CodeDType, "Could not set tensor of type %s to a tensor of type %s", cTypeNames[src.dtype], cTypeNames[t.dtype])
	}
	return nil
}

// show makes t refer to other memory, as set_ does. Gradients of earlier
// results no longer reach t.
func (t *Tensor) show(st *storage, sizes, strides []int, offset int) {
	st.aliased = true
	t.st = st
	t.setGeometry(sizes, strides, offset)
	if t.ext != nil {
		t.ext.accumulator = nil
	}
}

func zeroGrad(c *Ctx) *Tensor { return c.Grad().ZerosLike() }

// fill returns the result of fill: self if the call is in place, otherwise a
// new tensor like it.
func fill(a *Args, value Scalar) ([]*Tensor, error) {
	out := a.Self()
	if err := checkFits(value, out.dtype); err != nil {
		return nil, err
	}
	if a.into == nil {
		out = allocPreserving(out)
	}
	out.fill(asDType(value, out.dtype))
	return a.One(out)
}

// foreach runs an in-place operator on each tensor of a list.
func foreach(a *Args, operator string) ([]*Tensor, error) {
	ts := a.Tensors("self")
	for _, t := range ts {
		if _, err := Call(operator, []any{t, a.Scalar("scalar")}); err != nil {
			return nil, err
		}
	}
	return ts, nil
}
