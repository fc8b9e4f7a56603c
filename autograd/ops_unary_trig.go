package autograd

import (
	"math"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// Trigonometric and hyperbolic functions.

var (
	sinKernel   = floatUnary("sin_vml_cpu", math.Sin)
	cosKernel   = floatUnary("cos_vml_cpu", math.Cos)
	tanKernel   = floatUnary("tan_vml_cpu", math.Tan)
	asinKernel  = floatUnary("asin_vml_cpu", math.Asin)
	acosKernel  = floatUnary("acos_vml_cpu", math.Acos)
	atanKernel  = floatUnary("atan_vml_cpu", math.Atan)
	sinhKernel  = floatUnary("sinh_vml_cpu", math.Sinh)
	coshKernel  = floatUnary("cosh_vml_cpu", math.Cosh)
	asinhKernel = floatUnary("asinh_cpu", math.Asinh)
	acoshKernel = floatUnary("acosh_cpu", math.Acosh)
	atanhKernel = floatUnary("atanh_cpu", math.Atanh)
	sincKernel  = floatUnary("sinc_cpu", func(x float64) float64 {
		if x == 0 {
			return 1
		}
		return math.Sin(math.Pi*x) / (math.Pi * x)
	})
	atan2Kernel = numberKernel("atan2_cpu", func(y, x float32) float32 {
		return float32(math.Atan2(float64(y), float64(x)))
	}, math.Atan2, nil)
	hypotKernel = numberKernel("hypot_cpu", func(x, y float32) float32 {
		return float32(math.Hypot(float64(x), float64(y)))
	}, math.Hypot, nil)
	deg2radKernel = scaleKernel("deg2rad_cpu", radPerDeg)
	rad2degKernel = scaleKernel("rad2deg_cpu", degPerRad)
)

const (
	radPerDeg = 0.017453292519943295769236907684886127134428718885417
	degPerRad = 57.295779513082320876798154814105170332405472466564
)

func scaleKernel(name string, by float64) unaryKernel {
	return unaryKernel{
		name: name,
		f32: func(d, a []float32, sa int) {
			kernel.Map1(d, a, sa, func(x float32) float32 { return x * float32(by) })
		},
		f64: func(d, a []float64, sa int) { kernel.Map1(d, a, sa, func(x float64) float64 { return x * by }) },
	}
}

var trigOps = []Op{
	{
		Schema: "sin(Tensor self) -> Tensor", Node: "SinBackward0", InPlace: true, Certain: true, Predicted: ByValues, JVP: elementwise,
		Forward: floats(&sinKernel),
		VJP:     ofSelf("self", func(c *Ctx) *Tensor { return c.Grad().Mul(c.Saved("self").Cos()) }),
	},
	{
		Schema: "cos(Tensor self) -> Tensor", Node: "CosBackward0", InPlace: true, Certain: true, Predicted: ByValues, JVP: elementwise,
		Forward: floats(&cosKernel),
		VJP:     ofSelf("self", func(c *Ctx) *Tensor { return c.Grad().Mul(c.Saved("self").Sin().Neg()) }),
	},
	{
		Schema: "tan(Tensor self) -> Tensor", Node: "TanBackward0", InPlace: true, Predicted: ByValues, JVP: elementwise,
		Forward: floats(&tanKernel),
		VJP:     ofSelf("result", func(c *Ctx) *Tensor { return c.Grad().Mul(c.Saved("result").Pow(2).AddScalar(1)) }),
	},
	{
		Schema: "asin(Tensor self) -> Tensor", Aliases: "arcsin", Node: "AsinBackward0", InPlace: true, Predicted: ByValues, JVP: elementwise,
		Forward: floats(&asinKernel),
		VJP: ofSelf("self", func(c *Ctx) *Tensor {
			x := c.Saved("self")
			return c.Grad().Mul(x.Neg().Mul(x).AddScalar(1).Rsqrt())
		}),
	},
	{
		Schema: "acos(Tensor self) -> Tensor", Aliases: "arccos", Node: "AcosBackward0", InPlace: true, Predicted: ByValues, JVP: elementwise,
		Forward: floats(&acosKernel),
		VJP: ofSelf("self", func(c *Ctx) *Tensor {
			x := c.Saved("self")
			return c.Grad().Mul(x.Neg().Mul(x).AddScalar(1).Rsqrt().Neg())
		}),
	},
	{
		Schema: "atan(Tensor self) -> Tensor", Aliases: "arctan", Node: "AtanBackward0", InPlace: true, Predicted: ByValues, JVP: elementwise,
		Forward: floats(&atanKernel),
		VJP: ofSelf("self", func(c *Ctx) *Tensor {
			x := c.Saved("self")
			return c.Grad().Div(x.Mul(x).AddScalar(1))
		}),
	},
	{
		Schema: "sinh(Tensor self) -> Tensor", Node: "SinhBackward0", InPlace: true, Predicted: ByValues, JVP: elementwise,
		Forward: floats(&sinhKernel),
		VJP:     ofSelf("self", func(c *Ctx) *Tensor { return c.Grad().Mul(c.Saved("self").Cosh()) }),
	},
	{
		Schema: "cosh(Tensor self) -> Tensor", Node: "CoshBackward0", InPlace: true, Predicted: ByValues, JVP: elementwise,
		Forward: floats(&coshKernel),
		VJP:     ofSelf("self", func(c *Ctx) *Tensor { return c.Grad().Mul(c.Saved("self").Sinh()) }),
	},
	{
		Schema: "asinh(Tensor self) -> Tensor", Aliases: "arcsinh", Node: "AsinhBackward0", Predicted: ByValues, JVP: elementwise,
		Forward: floats(&asinhKernel),
		VJP:     ofSelf("self", func(c *Ctx) *Tensor { return c.Grad().Mul(c.Saved("self").Pow(2).AddScalar(1).Rsqrt()) }),
	},
	{
		Schema: "acosh(Tensor self) -> Tensor", Aliases: "arccosh", Node: "AcoshBackward0", Predicted: ByValues, JVP: elementwise,
		Forward: floats(&acoshKernel),
		VJP: ofSelf("self", func(c *Ctx) *Tensor {
			x := c.Saved("self")
			return c.Grad().Mul(x.Mul(x).SubScalar(1).Rsqrt())
		}),
	},
	{
		Schema: "atanh(Tensor self) -> Tensor", Aliases: "arctanh", Node: "AtanhBackward0", Predicted: ByValues, JVP: elementwise,
		Forward: floats(&atanhKernel),
		VJP: ofSelf("self", func(c *Ctx) *Tensor {
			return c.Grad().MulScalar(1).Div(numberTensor(IntScalar(1)).Sub(c.Saved("self").Pow(2)))
		}),
	},
	{
		Schema: "asinh_(Tensor self) -> Tensor", In: Torch | Method, Aliases: "arcsinh_", Node: "AsinhBackward1",
		Forward: floats(&asinhKernel), Mutate: storeForward, VJP: ofSelf("", noDerivative("inplace version of asinh")),
	},
	{
		Schema: "acosh_(Tensor self) -> Tensor", In: Torch | Method, Aliases: "arccosh_", Node: "AcoshBackward1",
		Forward: floats(&acoshKernel), Mutate: storeForward, VJP: ofSelf("", noDerivative("inplace version of acosh")),
	},
	{
		Schema: "atanh_(Tensor self) -> Tensor", In: Torch | Method, Aliases: "arctanh_", Node: "AtanhBackward1",
		Forward: floats(&atanhKernel), Mutate: storeForward, VJP: ofSelf("", noDerivative("inplace version of atanh")),
	},
	{
		Schema: "sinc(Tensor self) -> Tensor", Aliases: "special_sinc", Node: "SincBackward0", InPlace: true, JVP: elementwise,
		Forward: floats(&sincKernel),
		VJP: ofSelf("self", func(c *Ctx) *Tensor {
			x := c.Saved("self")
			turned, squared := x.MulScalar(math.Pi), x.Mul(x).MulScalar(math.Pi)
			d := turned.Mul(turned.Cos()).Sub(turned.Sin()).Div(squared)
			return Where(squared.Eq(0.0), zeroLike(c.Grad()), c.Grad().Mul(d))
		}),
	},
	{
		Schema: "atan2(Tensor self, Tensor other) -> Tensor", Aliases: "arctan2", Node: "Atan2Backward0", InPlace: true, Predicted: ByValues, JVP: atan2Tangent,
		Forward: func(a *Args) ([]*Tensor, error) {
			x, y := a.Self(), a.Tensor("other")
			return a.binary(x, y, floatType(resultType(x, y)), &atan2Kernel)
		},
		VJP: []Formula{{Input: "self other", Uses: "self other", All: atan2Backward}},
	},
	{
		Schema: "hypot(Tensor self, Tensor other) -> Tensor", Node: "HypotBackward0", InPlace: true, Predicted: ByValues, JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			x, y := a.Self(), a.Tensor("other")
			return a.binary(x, y, resultType(x, y), &hypotKernel)
		},
		VJP: []Formula{
			{Input: "self", Uses: "self result", Of: func(c *Ctx) *Tensor {
				return c.Grad().Mul(c.Saved("self")).Div(c.Saved("result"))
			}},
			{Input: "other", Uses: "other result", Of: func(c *Ctx) *Tensor {
				return c.Grad().Mul(c.Saved("other")).Div(c.Saved("result"))
			}},
		},
	},
	{
		Schema: "deg2rad(Tensor self) -> Tensor", Node: "Deg2RadBackward0", InPlace: true, JVP: elementwise,
		Forward: floats(&deg2radKernel),
		VJP:     ofSelf("", func(c *Ctx) *Tensor { return c.Grad().MulScalar(radPerDeg) }),
	},
	{
		Schema: "rad2deg(Tensor self) -> Tensor", Node: "Rad2DegBackward0", InPlace: true, JVP: elementwise,
		Forward: floats(&rad2degKernel),
		VJP:     ofSelf("", func(c *Ctx) *Tensor { return c.Grad().MulScalar(degPerRad) }),
	},
}

// atan2Backward returns g·x/(y² + x²) and -g·y/(y² + x²).
func atan2Backward(c *Ctx) []*Tensor {
	g, y, x := c.Grad(), c.Saved("self"), c.Saved("other")
	scale := y.Mul(y).Add(x.Mul(x)).Reciprocal()
	var dy, dx *Tensor
	if c.Needs("self") {
		dy = g.Mul(x).Mul(scale)
	}
	if c.Needs("other") {
		dx = g.Mul(y.Neg()).Mul(scale)
	}
	return []*Tensor{dy, dx}
}

func atan2Tangent(c *JCtx) ([]*Tensor, error) {
	y, x := c.Primal("self"), c.Primal("other")
	d := minusTangent(timesTangent(c.Tangent("self"), x), timesTangent(c.Tangent("other"), y))
	return []*Tensor{d.Div(y.Pow(2).Add(x.Pow(2)))}, nil
}
