package autograd

import "github.com/gradtui/gradtui/autograd/internal/kernel"

// Selection by a mask.

var whereOps = []Op{
	{
		Schema: "where.self(Tensor condition, Tensor self, Tensor other) -> Tensor", In: Torch | Method, Go: "Where",
		Node: "WhereBackward0", OutDType: whereDType, Predicted: ByValues, JVP: linear,
		Forward: whereForward,
		VJP: []Formula{
			{Input: "self", Uses: "condition", Of: func(c *Ctx) *Tensor { return Where(c.Saved("condition"), c.Grad(), 0) }},
			{Input: "other", Uses: "condition", Of: func(c *Ctx) *Tensor { return Where(c.Saved("condition"), 0, c.Grad()) }},
		},
	},
	{
		Schema: "where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor", In: Torch, OutDType: whereDType, Go: "Where", Predicted: ByValues,
		Compose: whereNumbers,
	},
	{
		Schema: "where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor", In: Torch | Method, OutDType: whereDType, Go: "Where", Predicted: ByValues,
		Compose: whereNumbers,
	},
	{
		Schema: "where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor", In: Torch, OutDType: whereDType, Go: "Where", Predicted: ByValues,
		Compose: whereNumbers,
	},
	{
		Schema: "masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor",
		Node:   "MaskedFillBackward0", InPlace: true, Expanded: maskedFillExpanded,
		JVP: func(c *JCtx) ([]*Tensor, error) {
			return c.args.One(c.TangentOrZeros("self").MaskedFill(c.args.Tensor("mask"), 0))
		},
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.maskedFill(a.Scalar("value"))
		},
		VJP: []Formula{{Input: "self", Uses: "mask", Of: maskedFillSelfGrad}},
	},
	{
		Schema: "masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor",
		Node:   "MaskedFillBackward1", InPlace: true, Expanded: maskedFillExpanded, JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			v := a.Tensor("value")
			if len(v.sizes) != 0 {
				return nil, fail(RuntimeError, CodeShape, "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with %d dimension(s).", len(v.sizes))
			}
			return a.maskedFill(v.element(v.offset))
		},
		VJP: []Formula{
			{Input: "self", Uses: "mask", Of: maskedFillSelfGrad},
			{Input: "value", Uses: "mask", Of: func(c *Ctx) *Tensor { return c.Grad().MaskedSelect(c.Saved("mask")).Sum() }},
		},
	},
}

func maskedFillSelfGrad(c *Ctx) *Tensor { return c.Grad().MaskedFill(c.Saved("mask"), 0) }

// whereNumbers replaces numbers among the arguments with 0-d tensors.
func whereNumbers(a *Args) ([]*Tensor, error) {
	operand := func(name string) *Tensor {
		if t := a.Tensor(name); t != nil {
			return t
		}
		return numberTensor(a.Scalar(name))
	}
	x, y := operand("self"), operand("other")
	// A number gets the dtype of the result, so that it does not affect
	// promotion when it is saved.
	d := resultType(x, y)
	for _, t := range []**Tensor{&x, &y} {
		if (*t).flags&numberFlag != 0 {
			*t = as(*t, d)
		}
	}
	return a.One(Where(a.Tensor("condition"), x, y))
}

func whereForward(a *Args) ([]*Tensor, error) {
	mask, x, y := a.Tensor("condition"), a.Tensor("self"), a.Tensor("other")
	switch mask.dtype {
	case Bool:
	case UInt8:
		warnOnce("./aten/src/ATen/native/TensorCompare.cpp:529", "where received a uint8 condition tensor. This behavior is deprecated and will be removed in a future version of PyTorch. Use a boolean condition instead.")
		mask = as(mask, Bool)
	default:
		return nil, fail(RuntimeError, CodeDType, "where expected condition to be a boolean tensor, but got a tensor with dtype %s", scalarTypeName(mask.dtype))
	}
	d := resultType(x, y)
	sizes, err := broadcastSizes(mask.sizes, x.sizes)
	if err != nil {
		return nil, err
	}
	if sizes, err = broadcastSizes(sizes, y.sizes); err != nil {
		return nil, err
	}
	out := a.output(sizes, d, mask, x, y)
	switch classOf(d) {
	case f32Class:
		runWhere[float32](&cells, out, mask, x, y)
	case f64Class:
		runWhere[float64](&cells, out, mask, x, y)
	case i64Class:
		runWhere[int64](&cells, out, mask, x, y)
	default:
		runWhere[bool](&cells, out, mask, x, y)
	}
	return a.One(out)
}

func runWhere[T element](c *[3]cell, out, mask, x, y *Tensor) {
	m := operandOf[bool](mask, Bool, &c[0])
	a, b := operandOf[T](x, out.dtype, &c[1]), operandOf[T](y, out.dtype, &c[2])
	d := data[T](out.st)
	eachRow(out, func(r *kernel.Row) {
		kernel.Where(d[r.At[0]:r.At[0]+r.N], m.data[r.At[1]:], a.data[r.At[2]:], b.data[r.At[3]:], r.Stride[1], r.Stride[2], r.Stride[3])
	}, m.steps(out.sizes), a.steps(out.sizes), b.steps(out.sizes))
}

// maskedFill returns self with a number where the mask is set.
func (a *Args) maskedFill(value Scalar) ([]*Tensor, error) {
	t, mask := a.Self(), a.Tensor("mask")
	if mask.dtype != Bool {
		return nil, fail(RuntimeError, CodeDType, "masked_fill_ only supports boolean masks, but got mask with dtype %s", cTypeNames[mask.dtype])
	}
	sizes, err := broadcastSizes(mask.sizes, t.sizes)
	if err != nil {
		return nil, err
	}
	y := alloc(t.dtype, nil)
	y.setElement(0, asDType(value, t.dtype))
	if err := checkFits(value, t.dtype); err != nil {
		return nil, err
	}
	out := a.result
	if out == nil && a.into == t && sameSizes(t.sizes, sizes) {
		at := t.places()
		for i, p := range mask.placesOver(sizes) {
			if mask.st.other.b[p] {
				t.setElement(at[i], y.element(0))
			}
		}
		return a.One(t)
	}
	if out == nil || !sameSizes(out.sizes, sizes) {
		out = alloc(t.dtype, sizes)
	}
	switch classOf(t.dtype) {
	case f32Class:
		runWhere[float32](&cells, out, mask, y, t)
	case f64Class:
		runWhere[float64](&cells, out, mask, y, t)
	case i64Class:
		runWhere[int64](&cells, out, mask, y, t)
	default:
		runWhere[bool](&cells, out, mask, y, t)
	}
	return a.One(out)
}

// numericTypeNames are the names of dtypes in messages about numbers.
var numericTypeNames = map[DType]string{
	Float32: "float", Float64: "double", Float16: "at::Half", BFloat16: "at::BFloat16",
	Int8: "int8_t", Int16: "int16_t", Int32: "int", Int64: "int64_t", UInt8: "uint8_t",
}

// one returns the single result of a call, or a tensor with its error.
func one(outs []*Tensor, err error) *Tensor {
	if err != nil {
		return errTensor(err)
	}
	return outs[0]
}
