package autograd

import (
	"math"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// Powers and roots.

var (
	powKernel   = numberKernel("pow", pow32, math.Pow, kernel.IntPow)
	sqrtKernel  = floatUnary("sqrt_cpu", math.Sqrt)
	rsqrtKernel = unaryKernel{
		name: "rsqrt_cpu",
		f32: func(d, a []float32, sa int) {
			kernel.Map1(d, a, sa, func(x float32) float32 { return 1 / sqrt32(x) })
		},
		f64: func(d, a []float64, sa int) {
			kernel.Map1(d, a, sa, func(x float64) float64 { return 1 / math.Sqrt(x) })
		},
	}
)

func pow32(x, y float32) float32 { return float32(math.Pow(float64(x), float64(y))) }

func sqrt32(x float32) float32 { return float32(math.Sqrt(float64(x))) }

var powOps = []Op{
	{
		Schema: "pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor", Aliases: "__pow__",
		Node: "PowBackward1", InPlace: true, Predicted: ByFloatTypes, JVP: powTangent,
		Forward: func(a *Args) ([]*Tensor, error) {
			x, y := a.Self(), a.Tensor("exponent")
			return a.binary(x, y, resultType(x, y), &powKernel)
		},
		VJP: []Formula{
			{Input: "self", Uses: "self exponent", Of: func(c *Ctx) *Tensor {
				return powSelfGrad(c.Grad(), c.Saved("self"), c.Saved("exponent"))
			}},
			{Input: "exponent", Uses: "self exponent result", Of: func(c *Ctx) *Tensor {
				return powExponentGrad(c.Grad(), c.Saved("self"), c.Saved("exponent"), c.Saved("result"))
			}},
		},
	},
	{
		Schema: "pow.Scalar(Scalar self, Tensor exponent) -> Tensor", Go: "PowNumber",
		Node: "PowBackward2", Predicted: ByFloatTypes, Attrs: "self", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			x, y := numberTensor(a.Scalar("self")), a.Tensor("exponent")
			return a.binary(x, y, resultType(x, y), &powKernel)
		},
		VJP: []Formula{{Input: "exponent", Uses: "exponent result", Of: func(c *Ctx) *Tensor {
			base := c.Args().Scalar("self").Float()
			d := c.Saved("result").MulScalar(math.Log(base))
			if base == 0 {
				d = Where(c.Saved("exponent").Ge(0), zeroLike(c.Grad()), d)
			}
			return c.Grad().Mul(d)
		}}},
	},
	{
		Schema: "pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor", Aliases: "__pow__",
		Node: "PowBackward0", InPlace: true, Certain: true, Predicted: ByFloatTypes, Attrs: "exponent", JVP: elementwise,
		Forward: powNumber,
		VJP: []Formula{{Input: "self", Uses: "self", Of: func(c *Ctx) *Tensor {
			n, x := c.Args().Scalar("exponent").Float(), c.Saved("self")
			if n == 0 {
				return x.ZerosLike()
			}
			return c.Grad().Mul(x.Pow(n - 1).MulScalar(n))
		}}},
	},
	{
		Schema: "__rpow__(Tensor self, Scalar other) -> Tensor", Predicted: ByFloatTypes,
		Compose: func(a *Args) ([]*Tensor, error) { return a.One(PowNumber(a.Scalar("other"), a.Self())) },
	},
	{
		Schema: "square(Tensor self) -> Tensor", Predicted: ByValues,
		Compose: func(a *Args) ([]*Tensor, error) { return a.One(a.Self().Pow(2)) },
	},
	{
		Schema:  "square_(Tensor self) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) { return []*Tensor{a.Self()}, a.Self().Pow_(2) },
	},
	{
		Schema: "float_power.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) {
			return a.One(a.Self().To(Float64).Pow(a.Tensor("exponent").To(Float64)))
		},
	},
	{
		Schema: "float_power.Scalar(Scalar self, Tensor exponent) -> Tensor", Go: "FloatPowerNumber",
		Compose: func(a *Args) ([]*Tensor, error) {
			return a.One(PowNumber(a.Float("self"), a.Tensor("exponent").To(Float64)))
		},
	},
	{
		Schema:  "float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) { return a.One(a.Self().To(Float64).Pow(a.Float("exponent"))) },
	},
	{
		Schema: "float_power_.Tensor(Tensor self, Tensor exponent) -> Tensor", In: Method,
		Compose: func(a *Args) ([]*Tensor, error) { return a.floatPowerInPlace(a.Tensor("exponent").To(Float64)) },
	},
	{
		Schema: "float_power_.Scalar(Tensor self, Scalar exponent) -> Tensor", In: Method,
		Compose: func(a *Args) ([]*Tensor, error) { return a.floatPowerInPlace(a.Scalar("exponent")) },
	},
	{
		Schema: "sqrt(Tensor self) -> Tensor", Node: "SqrtBackward0", InPlace: true, Certain: true, Predicted: ByValues, JVP: elementwise,
		Forward: floats(&sqrtKernel),
		VJP: []Formula{{Input: "self", Uses: "result", Of: func(c *Ctx) *Tensor {
			return c.Grad().Div(c.Saved("result").MulScalar(2))
		}}},
	},
	{
		Schema: "rsqrt(Tensor self) -> Tensor", Node: "RsqrtBackward0", InPlace: true, Predicted: ByValues, JVP: elementwise,
		Forward: floats(&rsqrtKernel),
		VJP: []Formula{{Input: "self", Uses: "result", Of: func(c *Ctx) *Tensor {
			return c.Grad().MulScalar(-0.5).Mul(c.Saved("result").Pow(3))
		}}},
	},
}

func (a *Args) floatPowerInPlace(exponent any) ([]*Tensor, error) {
	t := a.Self()
	if t.dtype != Float64 {
		return nil, fail(RuntimeError, CodeDType, "the base given to float_power_ has dtype %s but the operation's result requires dtype Double", scalarTypeName(t.dtype))
	}
	return []*Tensor{t}, t.Pow_(exponent)
}

// zeroLike returns a 0-d zero with the dtype of a gradient.
func zeroLike(t *Tensor) *Tensor { return alloc(t.dtype, nil) }

// powNumber raises to the power of a number. The most common powers are exact.
func powNumber(a *Args) ([]*Tensor, error) {
	x, n := a.Self(), a.Scalar("exponent")
	y := numberTensor(n)
	d := resultType(x, y)
	if d.IsInteger() && n.Int() < 0 {
		return nil, fail(RuntimeError, CodeArgument, "Integers to negative integer powers are not allowed.")
	}
	if d == Bool {
		if n.Bool() {
			return a.One(copied(x, Bool))
		}
		return a.One(filled(x.sizes, Bool, 1))
	}
	if k := exactPowers[n.Float()]; k != nil && d.IsFloat() {
		return a.unary(x, d, k)
	}
	return a.binary(x, y, d, &powKernel)
}

var exactPowers = map[float64]*unaryKernel{
	0.5: &sqrtKernel, -0.5: &rsqrtKernel, -1: &reciprocalKernel,
	2:  powerKernel(func(x float32) float32 { return x * x }, func(x float64) float64 { return x * x }),
	3:  powerKernel(func(x float32) float32 { return x * x * x }, func(x float64) float64 { return x * x * x }),
	-2: powerKernel(func(x float32) float32 { return 1 / (x * x) }, func(x float64) float64 { return 1 / (x * x) }),
}

func powerKernel(f32 func(float32) float32, f64 func(float64) float64) *unaryKernel {
	return &unaryKernel{
		name: "pow",
		f32:  func(d, a []float32, sa int) { kernel.Map1(d, a, sa, f32) },
		f64:  func(d, a []float64, sa int) { kernel.Map1(d, a, sa, f64) },
	}
}

// powSelfGrad returns the gradient with respect to the base. It is 0 where the
// exponent is 0, even at x = 0.
func powSelfGrad(g, x, n *Tensor) *Tensor {
	return Where(n.Eq(0.0), zeroLike(g), g.Mul(n.Mul(x.Pow(n.SubScalar(1)))))
}

// powExponentGrad returns the gradient with respect to the exponent. It is 0 at
// 0^n, n >= 0, where the logarithm is infinite.
func powExponentGrad(g, x, n, y *Tensor) *Tensor {
	flat := x.Eq(0).LogicalAnd(n.Ge(0))
	return g.Mul(Where(flat, zeroLike(g), y.Mul(x.To(resultType(x, n)).Log())))
}

func powTangent(c *JCtx) ([]*Tensor, error) {
	x, n := c.Primal("self"), c.Primal("exponent")
	var d *Tensor
	if dx := c.Tangent("self"); dx != nil {
		d = powSelfGrad(dx, x, n)
	}
	if dn := c.Tangent("exponent"); dn != nil {
		d = addDefined(d, powExponentGrad(dn, x, n, c.Out(0)))
	}
	return []*Tensor{d}, nil
}
