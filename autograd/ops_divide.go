package autograd

import "github.com/gradtui/gradtui/autograd/internal/kernel"

// Division with and without rounding, and remainders.

var (
	divKernel      = binaryKernel{name: "div_cpu", f32: kernel.Div[float32], f64: kernel.Div[float64]}
	divTruncKernel = numberKernel("div_trunc_cpu", kernel.TruncDiv[float32], kernel.TruncDiv[float64], kernel.IntTruncDiv)
	divFloorKernel = numberKernel("div_floor_cpu", kernel.FloorDiv[float32], kernel.FloorDiv[float64], kernel.IntFloorDiv)
	fmodKernel     = numberKernel("fmod_cpu", kernel.FMod[float32], kernel.FMod[float64], kernel.IntMod)
	remKernel      = numberKernel("remainder_cpu", kernel.Remainder[float32], kernel.Remainder[float64], kernel.IntRemainder)

	reciprocalKernel = unaryKernel{
		name: "reciprocal_cpu",
		f32:  func(d, a []float32, sa int) { kernel.Map1(d, a, sa, func(x float32) float32 { return 1 / x }) },
		f64:  func(d, a []float64, sa int) { kernel.Map1(d, a, sa, func(x float64) float64 { return 1 / x }) },
	}
)

var divideOps = []Op{
	{
		Schema: "div.Tensor(Tensor self, Tensor other) -> Tensor", Aliases: "divide true_divide __truediv__ __div__",
		Node: "DivBackward0", InPlace: true, TakesNumbers: true, Certain: true, Predicted: ByFloatTypes, JVP: divTangent,
		Forward: func(a *Args) ([]*Tensor, error) { return a.trueDivide(a.Self(), a.Tensor("other")) },
		VJP: []Formula{
			{Input: "self", Uses: "other", Of: func(c *Ctx) *Tensor { return c.Grad().Div(c.Saved("other")) }},
			{Input: "other", Uses: "self other", Of: divOtherBackward},
		},
	},
	{
		Schema: "div.Scalar(Tensor self, Scalar other) -> Tensor", In: Hidden, Go: "DivScalar",
		Node: "DivBackward1", InPlace: true, TakesNumbers: true, Certain: true, Attrs: "other", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return a.trueDivide(a.Self(), numberTensor(a.Scalar("other"))) },
		VJP:     []Formula{{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad().DivScalar(c.Args().Scalar("other")) }}},
	},
	{
		Schema: "div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor", Aliases: "divide",
		Node: "DivBackward2", InPlace: true, TakesNumbers: true, Predicted: ByFloatTypes, Attrs: "rounding_mode", JVP: divModeTangent,
		Forward: func(a *Args) ([]*Tensor, error) {
			x, y := a.Self(), a.Tensor("other")
			if !a.Has("rounding_mode") {
				return a.trueDivide(x, y)
			}
			switch mode := a.Str("rounding_mode"); mode {
			case "trunc":
				return a.intDivide(x, y, &divTruncKernel)
			case "floor":
				return a.intDivide(x, y, &divFloorKernel)
			default:
				return nil, fail(RuntimeError, CodeArgument, "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '%s'", mode)
			}
		},
		VJP: []Formula{
			{Input: "self", Uses: "other", Of: func(c *Ctx) *Tensor {
				if c.Args().Has("rounding_mode") {
					return c.Grad().ZerosLike(WithDType(c.DTypeOf("self")))
				}
				return c.Grad().Div(c.Saved("other"))
			}},
			{Input: "other", Uses: "self other", Of: func(c *Ctx) *Tensor {
				if c.Args().Has("rounding_mode") {
					return c.Grad().ZerosLike(WithDType(c.DTypeOf("other")))
				}
				return divOtherBackward(c)
			}},
		},
	},
	{
		Schema: "__rtruediv__(Tensor self, Scalar other) -> Tensor", Aliases: "__rdiv__", Predicted: ByFloatTypes,
		Compose: func(a *Args) ([]*Tensor, error) { return a.One(a.Self().Reciprocal().Mul(a.Scalar("other"))) },
	},
	{
		Schema: "floor_divide(Tensor self, Tensor other) -> Tensor", Aliases: "__floordiv__",
		Node: "NotImplemented", InPlace: true, TakesNumbers: true, Predicted: ByFloatTypes,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.intDivide(a.Self(), a.Tensor("other"), &divFloorKernel)
		},
	},
	{
		Schema: "__rfloordiv__(Tensor self, Scalar other) -> Tensor", Predicted: ByFloatTypes,
		Compose: func(a *Args) ([]*Tensor, error) {
			return Call("floor_divide", []any{a.Scalar("other"), a.Self()})
		},
	},
	{
		Schema: "remainder.Tensor(Tensor self, Tensor other) -> Tensor", Aliases: "__mod__",
		Node: "RemainderBackward1", InPlace: true, Predicted: ByFloatTypes, JVP: modTangent("floor"),
		Forward: func(a *Args) ([]*Tensor, error) { return a.intDivide(a.Self(), a.Tensor("other"), &remKernel) },
		VJP: []Formula{
			{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad() }},
			{Input: "other", Uses: "self other", Of: modOtherBackward("floor")},
		},
	},
	{
		Schema: "remainder.Scalar(Tensor self, Scalar other) -> Tensor", Aliases: "__mod__",
		Node: "RemainderBackward0", InPlace: true, Predicted: ByFloatTypes, JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.intDivide(a.Self(), numberTensor(a.Scalar("other")), &remKernel)
		},
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad() }}},
	},
	{
		Schema: "remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", Go: "RemainderNumber", Node: "NotImplemented", Predicted: ByFloatTypes,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.intDivide(numberTensor(a.Scalar("self")), a.Tensor("other"), &remKernel)
		},
	},
	{
		Schema: "__rmod__(Tensor self, Scalar other) -> Tensor", Predicted: ByFloatTypes,
		Compose: func(a *Args) ([]*Tensor, error) { return a.One(RemainderNumber(a.Scalar("other"), a.Self())) },
	},
	{
		Schema: "fmod.Tensor(Tensor self, Tensor other) -> Tensor",
		Node:   "FmodBackward1", InPlace: true, Predicted: ByFloatTypes, JVP: modTangent("trunc"),
		Forward: func(a *Args) ([]*Tensor, error) { return a.intDivide(a.Self(), a.Tensor("other"), &fmodKernel) },
		VJP: []Formula{
			{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad() }},
			{Input: "other", Uses: "self other", Of: modOtherBackward("trunc")},
		},
	},
	{
		Schema: "fmod.Scalar(Tensor self, Scalar other) -> Tensor",
		Node:   "FmodBackward0", InPlace: true, Predicted: ByFloatTypes, JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.intDivide(a.Self(), numberTensor(a.Scalar("other")), &fmodKernel)
		},
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad() }}},
	},
	{
		Schema: "reciprocal(Tensor self) -> Tensor", Node: "ReciprocalBackward0", InPlace: true, Predicted: ByValues, JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.unary(a.Self(), floatType(a.Self().dtype), &reciprocalKernel)
		},
		VJP: []Formula{{Input: "self", Uses: "result", Of: func(c *Ctx) *Tensor {
			y := c.Saved("result")
			return c.Grad().Neg().Mul(y.Mul(y))
		}}},
	},
}

func (a *Args) trueDivide(x, y *Tensor) ([]*Tensor, error) {
	return a.binary(x, y, floatType(resultType(x, y)), &divKernel)
}

// intDivide runs a kernel that cannot divide integers by zero; it returns an
// error for a zero.
func (a *Args) intDivide(x, y *Tensor, k *binaryKernel) ([]*Tensor, error) {
	d := resultType(x, y)
	if d.IsInteger() && hasZero(as(y, d)) {
		return nil, fail(RuntimeError, CodeArgument, "ZeroDivisionError")
	}
	return a.binary(x, y, d, k)
}

// hasZero reports whether an integer tensor contains a zero.
func hasZero(t *Tensor) bool {
	found := false
	walk(t, func(r *kernel.Row) {
		for i, p := 0, r.At[0]; i < r.N; i, p = i+1, p+r.Stride[0] {
			found = found || t.st.other.i64[p] == 0
		}
	})
	return found
}

func divOtherBackward(c *Ctx) *Tensor {
	y := c.Saved("other")
	return c.Grad().Neg().Mul(c.Saved("self").Div(y).Div(y))
}

// divTangent returns (dx - dy·result)/y.
func divTangent(c *JCtx) ([]*Tensor, error) {
	d := minusTangent(c.Tangent("self"), timesTangent(c.Tangent("other"), c.Out(0)))
	return []*Tensor{d.Div(c.Primal("other"))}, nil
}

func divModeTangent(c *JCtx) ([]*Tensor, error) {
	if c.Args().Has("rounding_mode") {
		return []*Tensor{c.Out(0).ZerosLike()}, nil
	}
	return divTangent(c)
}

// modOtherBackward is the derivative of x - y·div(x, y) with respect to y:
// -g·div(x, y).
func modOtherBackward(mode string) func(c *Ctx) *Tensor {
	return func(c *Ctx) *Tensor {
		return c.Grad().Neg().Mul(c.Saved("self").Div(c.Saved("other"), Kw("rounding_mode", mode)))
	}
}

func modTangent(mode string) JVP {
	return func(c *JCtx) ([]*Tensor, error) {
		whole := c.Primal("self").Div(c.Primal("other"), Kw("rounding_mode", mode))
		d := minusTangent(c.Tangent("self"), timesTangent(c.Tangent("other"), whole))
		return []*Tensor{c.expanded(d)}, nil
	}
}

// numberKernel makes a kernel from functions of two numbers.
func numberKernel(name string, f32 func(x, y float32) float32, f64 func(x, y float64) float64, i64 func(x, y int64) int64) binaryKernel {
	k := binaryKernel{name: name}
	if f32 != nil {
		k.f32 = func(d, a, b []float32, sa, sb int) { kernel.Map2(d, a, b, sa, sb, f32) }
	}
	if f64 != nil {
		k.f64 = func(d, a, b []float64, sa, sb int) { kernel.Map2(d, a, b, sa, sb, f64) }
	}
	if i64 != nil {
		k.i64 = func(d, a, b []int64, sa, sb int) { kernel.Map2(d, a, b, sa, sb, i64) }
	}
	return k
}
