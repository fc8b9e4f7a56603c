package autograd

import (
	"math"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// Less common functions of two tensors.

var (
	xlogyKernel = numberKernel("xlogy_cpu",
		func(x, y float32) float32 { return float32(kernel.XLogY(float64(x), float64(y))) }, kernel.XLogY, nil)
	xlog1pyKernel = numberKernel("xlog1py_cpu",
		func(x, y float32) float32 { return float32(kernel.XLog1pY(float64(x), float64(y))) }, kernel.XLog1pY, nil)
	copysignKernel = numberKernel("copysign_cpu",
		func(x, y float32) float32 { return float32(math.Copysign(float64(x), float64(y))) }, math.Copysign, nil)
	nextafterKernel = numberKernel("nextafter_cpu", math.Nextafter32, math.Nextafter, nil)
	heavisideKernel = numberKernel("heaviside_cpu", kernel.Heaviside[float32], kernel.Heaviside[float64], kernel.Heaviside[int64])
	gcdKernel       = numberKernel("gcd_cpu", nil, nil, kernel.GCD)
	lcmKernel       = numberKernel("lcm_cpu", nil, nil, kernel.LCM)
)

var binaryOps = []Op{
	{
		Schema: "xlogy.Tensor(Tensor self, Tensor other) -> Tensor", Aliases: "special_xlogy",
		Node: "XlogyBackward0", InPlace: true, JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) { return a.floatBinary(a.Self(), a.Tensor("other"), &xlogyKernel) },
		VJP: []Formula{
			{Input: "self", Uses: "self other", Of: func(c *Ctx) *Tensor {
				x, y := c.Saved("self"), c.Saved("other")
				return c.Grad().Xlogy(y).MaskedFill(x.Eq(0.0).LogicalAnd(y.Le(0.0)), 0.0)
			}},
			{Input: "other", Uses: "self other", Of: func(c *Ctx) *Tensor {
				return c.Grad().Mul(c.Saved("self")).Div(c.Saved("other"))
			}},
		},
	},
	{
		Schema: "xlogy.Scalar_Self(Scalar self, Tensor other) -> Tensor", Go: "XlogyNumber", Aliases: "special_xlogy",
		Node: "XlogyBackward1", Attrs: "self", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.floatBinary(numberTensor(a.Scalar("self")), a.Tensor("other"), &xlogyKernel)
		},
		VJP: []Formula{{Input: "other", Uses: "other", Of: func(c *Ctx) *Tensor {
			return c.Grad().MulScalar(c.Args().Scalar("self")).Div(c.Saved("other"))
		}}},
	},
	{
		Schema: "xlogy.Scalar_Other(Tensor self, Scalar other) -> Tensor", Aliases: "special_xlogy",
		Node: "XlogyBackward2", InPlace: true, Attrs: "other", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.floatBinary(a.Self(), numberTensor(a.Scalar("other")), &xlogyKernel)
		},
		VJP: ofSelf("self", func(c *Ctx) *Tensor {
			y := c.Args().Scalar("other")
			d := c.Grad().Xlogy(y)
			if y.Float() > 0 {
				return d
			}
			return d.MaskedFill(c.Saved("self").Eq(0.0), 0.0)
		}),
	},
	{
		Schema: "special_xlog1py(Tensor self, Tensor other) -> Tensor", In: Special,
		Node: "SpecialXlog1PyBackward0", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) { return a.floatBinary(a.Self(), a.Tensor("other"), &xlog1pyKernel) },
		VJP: []Formula{
			{Input: "self", Uses: "self other", Of: func(c *Ctx) *Tensor {
				x, y := c.Saved("self"), c.Saved("other")
				return c.Grad().Xlog1py(y).MaskedFill(x.Eq(0.0).LogicalAnd(y.Le(-1.0)), 0.0)
			}},
			{Input: "other", Uses: "self other", Of: func(c *Ctx) *Tensor {
				return c.Grad().Mul(c.Saved("self")).Div(c.Saved("other").AddScalar(1))
			}},
		},
	},
	{
		Schema: "copysign.Tensor(Tensor self, Tensor other) -> Tensor",
		Node:   "CopysignBackward0", InPlace: true,
		JVP:     copysignTangent,
		Forward: func(a *Args) ([]*Tensor, error) { return a.floatBinary(a.Self(), a.Tensor("other"), &copysignKernel) },
		VJP: []Formula{
			{Input: "self", Uses: "self result", Of: copysignSelfGrad},
			{Input: "other", Of: func(c *Ctx) *Tensor { return c.zerosOf("other") }},
		},
	},
	{
		Schema: "copysign.Scalar(Tensor self, Scalar other) -> Tensor",
		Node:   "CopysignBackward1", InPlace: true, JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.floatBinary(a.Self(), numberTensor(a.Scalar("other")), &copysignKernel)
		},
		VJP: ofSelf("self result", copysignSelfGrad),
	},
	{
		Schema: "nextafter(Tensor self, Tensor other) -> Tensor", Node: "NextafterBackward0", InPlace: true,
		Forward: promoting(&nextafterKernel),
		VJP: []Formula{
			{Input: "self", Of: noDerivative("nextafter")},
			{Input: "other", Of: noDerivative("nextafter")},
		},
	},
	{
		Schema: "heaviside(Tensor self, Tensor values) -> Tensor", Node: "NotImplemented", InPlace: true,
		Forward: func(a *Args) ([]*Tensor, error) {
			x, y := a.Self(), a.Tensor("values")
			if x.dtype != y.dtype {
				return nil, fail(RuntimeError, CodeDType, "heaviside is not yet implemented for tensors with different dtypes.")
			}
			return a.binary(x, y, x.dtype, &heavisideKernel)
		},
	},
	{
		Schema: "ldexp.Tensor(Tensor self, Tensor other) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) {
			return a.One(a.Self().Mul(PowNumber(2.0, a.Tensor("other"))))
		},
	},
	{
		Schema: "ldexp_(Tensor self, Tensor other) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) {
			t, other := a.Self(), a.Tensor("other")
			if gradMode() && (t.requiresGrad() || other.requiresGrad()) {
				return nil, outGradError("mul") // because PyTorch calls mul(..., out=self)
			}
			return []*Tensor{t}, t.Mul_(PowNumber(2.0, other))
		},
	},
	{
		Schema: "gcd(Tensor self, Tensor other) -> Tensor", InPlace: true,
		Forward: promoting(&gcdKernel),
	},
	{
		Schema: "lcm(Tensor self, Tensor other) -> Tensor", InPlace: true,
		Forward: promoting(&lcmKernel),
	},
}

// floatBinary applies a kernel to floats; integers are converted to the default
// dtype.
func (a *Args) floatBinary(x, y *Tensor, k *binaryKernel) ([]*Tensor, error) {
	return a.binary(x, y, floatType(resultType(x, y)), k)
}

func copysignSelfGrad(c *Ctx) *Tensor {
	return copysignGrad(c.Grad(), c.Saved("self"), c.Saved("result"))
}

func copysignTangent(c *JCtx) ([]*Tensor, error) {
	d := c.Tangent("self")
	if d == nil {
		return nil, nil
	}
	return []*Tensor{copysignGrad(d, c.Primal("self"), c.Out(0))}, nil
}

// copysignGrad returns the gradient with respect to self: g with the sign by
// which self changed, 0 where self is 0.
func copysignGrad(g, x, y *Tensor) *Tensor {
	ratio := y.Div(x)
	if err := ratio.MaskedFill_(x.Eq(0), 0); err != nil {
		return errTensor(err)
	}
	return g.Mul(ratio)
}

// noDerivative makes the formula for an input whose derivative PyTorch does not
// implement.
func noDerivative(name string) func(c *Ctx) *Tensor {
	return func(c *Ctx) *Tensor {
		return errTensor(fail(NotImplementedError, CodeNoDerivative, "the derivative for '%s' is not implemented.", name))
	}
}
