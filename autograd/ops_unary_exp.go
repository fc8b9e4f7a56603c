package autograd

import (
	"math"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// Exponentials, logarithms and functions composed of them.

var (
	expKernel   = exactUnary("exp_vml_cpu", kernel.Exp[float32], math.Exp)
	exp2Kernel  = floatUnary("exp2", math.Exp2)
	expm1Kernel = floatUnary("expm1_vml_cpu", math.Expm1)
	logKernel   = exactUnary("log_vml_cpu", kernel.Log[float32], math.Log)
	log2Kernel  = floatUnary("log2_vml_cpu", math.Log2)
	log10Kernel = floatUnary("log10_vml_cpu", math.Log10)
	log1pKernel = floatUnary("log1p_vml_cpu", math.Log1p)

	sigmoidKernel = exactUnary("sigmoid_cpu",
		func(x float32) float32 { return 1 / (1 + exp(-x)) }, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) })
	tanhKernel = floatUnary("tanh_vml_cpu", math.Tanh)

	sigmoidBackwardKernel = numberKernel("sigmoid_backward_cpu",
		func(g, y float32) float32 { return g * (1 - y) * y },
		func(g, y float64) float64 { return g * (1 - y) * y }, nil)
	tanhBackwardKernel = numberKernel("tanh_backward_cpu",
		func(g, y float32) float32 { return g * fma32(-y, y, 1) },
		func(g, y float64) float64 { return g * math.FMA(-y, y, 1) }, nil)

	logAddExpKernel = numberKernel("logaddexp_cpu",
		func(x, y float32) float32 { return float32(logAddExp(float64(x), float64(y))) }, logAddExp, nil)
	logAddExp2Kernel = numberKernel("logaddexp2_cpu",
		func(x, y float32) float32 { return float32(logAddExp2(float64(x), float64(y))) }, logAddExp2, nil)
)

// floats makes the Forward of an operator that computes in floats. Integers are
// converted to the default dtype.
func floats(k *unaryKernel) func(a *Args) ([]*Tensor, error) {
	return func(a *Args) ([]*Tensor, error) { return a.unary(a.Self(), floatType(a.Self().dtype), k) }
}

// ofSelf returns the formulas of an operator whose only input is self.
func ofSelf(uses string, of func(c *Ctx) *Tensor) []Formula {
	return []Formula{{Input: "self", Uses: uses, Of: of}}
}

var expOps = []Op{
	{
		Schema: "exp(Tensor self) -> Tensor", Node: "ExpBackward0", InPlace: true, Certain: true, Predicted: ByValues, JVP: elementwise,
		Forward: floats(&expKernel),
		VJP:     ofSelf("result", func(c *Ctx) *Tensor { return c.Grad().Mul(c.Saved("result")) }),
	},
	{
		Schema: "exp2(Tensor self) -> Tensor", Aliases: "special_exp2", Node: "Exp2Backward0", InPlace: true, Predicted: ByValues, JVP: elementwise,
		Forward: floats(&exp2Kernel),
		VJP:     ofSelf("result", func(c *Ctx) *Tensor { return c.Grad().Mul(c.Saved("result")).MulScalar(math.Ln2) }),
	},
	{
		Schema: "expm1(Tensor self) -> Tensor", Aliases: "special_expm1", Node: "Expm1Backward0", InPlace: true, Predicted: ByValues, JVP: elementwise,
		Forward: floats(&expm1Kernel),
		VJP:     ofSelf("result", func(c *Ctx) *Tensor { return c.Grad().Mul(c.Saved("result").AddScalar(1)) }),
	},
	{
		Schema: "log(Tensor self) -> Tensor", Node: "LogBackward0", InPlace: true, Certain: true, Predicted: ByValues, JVP: elementwise,
		Forward: floats(&logKernel),
		VJP:     ofSelf("self", func(c *Ctx) *Tensor { return c.Grad().Div(c.Saved("self")) }),
	},
	{
		Schema: "log2(Tensor self) -> Tensor", Node: "Log2Backward0", InPlace: true, Predicted: ByValues, JVP: elementwise,
		Forward: floats(&log2Kernel),
		VJP:     ofSelf("self", func(c *Ctx) *Tensor { return c.Grad().Div(c.Saved("self").MulScalar(0.6931471805599453)) }),
	},
	{
		Schema: "log10(Tensor self) -> Tensor", Node: "Log10Backward0", InPlace: true, Predicted: ByValues, JVP: elementwise,
		Forward: floats(&log10Kernel),
		VJP:     ofSelf("self", func(c *Ctx) *Tensor { return c.Grad().Div(c.Saved("self").MulScalar(2.3025850929940456)) }),
	},
	{
		Schema: "log1p(Tensor self) -> Tensor", Aliases: "special_log1p", Node: "Log1PBackward0", InPlace: true, Predicted: ByValues, JVP: elementwise,
		Forward: floats(&log1pKernel),
		VJP:     ofSelf("self", func(c *Ctx) *Tensor { return c.Grad().Div(c.Saved("self").AddScalar(1)) }),
	},
	{
		Schema: "sigmoid(Tensor self) -> Tensor", Aliases: "special_expit", Node: "SigmoidBackward0", InPlace: true, Certain: true, Predicted: ByValues, JVP: elementwise,
		Forward: floats(&sigmoidKernel),
		VJP:     ofSelf("result", func(c *Ctx) *Tensor { return c.Grad().SigmoidBackward(c.Saved("result")) }),
	},
	{
		Schema: "sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor", In: Hidden,
		Node: "SigmoidBackwardBackward0", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			g, y := a.Tensor("grad_output"), a.Tensor("output")
			return a.binary(g, y, resultType(g, y), &sigmoidBackwardKernel)
		},
		VJP: []Formula{
			{Input: "grad_output", Uses: "output", Of: func(c *Ctx) *Tensor { return c.Grad().SigmoidBackward(c.Saved("output")) }},
			{Input: "output", Uses: "grad_output output", Of: func(c *Ctx) *Tensor {
				return c.Grad().Mul(c.Saved("grad_output")).Mul(c.Saved("output").MulScalar(-2).AddScalar(1))
			}},
		},
	},
	{
		Schema: "tanh(Tensor self) -> Tensor", Node: "TanhBackward0", InPlace: true, Certain: true, Predicted: ByValues, JVP: elementwise,
		Forward: floats(&tanhKernel),
		VJP:     ofSelf("result", func(c *Ctx) *Tensor { return c.Grad().TanhBackward(c.Saved("result")) }),
	},
	{
		Schema: "tanh_backward(Tensor grad_output, Tensor output) -> Tensor", In: Hidden,
		Node: "TanhBackwardBackward0", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			g, y := a.Tensor("grad_output"), a.Tensor("output")
			return a.binary(g, y, resultType(g, y), &tanhBackwardKernel)
		},
		VJP: []Formula{
			{Input: "grad_output", Uses: "output", Of: func(c *Ctx) *Tensor { return c.Grad().TanhBackward(c.Saved("output")) }},
			{Input: "output", Uses: "grad_output output", Of: func(c *Ctx) *Tensor {
				return c.Grad().Mul(c.Saved("output").MulScalar(-2).Mul(c.Saved("grad_output")))
			}},
		},
	},
	{
		Schema: "logit(Tensor self, float? eps=None) -> Tensor", Aliases: "special_logit", Node: "LogitBackward0", InPlace: true, Predicted: ByValues, Attrs: "eps", JVP: elementwise,
		Forward: logitForward,
		VJP:     ofSelf("self", logitBackward),
	},
	{
		Schema: "logaddexp(Tensor self, Tensor other) -> Tensor", Node: "LogaddexpBackward0", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			x, y := a.Self(), a.Tensor("other")
			return a.binary(x, y, resultType(x, y), &logAddExpKernel)
		},
		VJP: []Formula{
			{Input: "self", Uses: "self other", Of: func(c *Ctx) *Tensor {
				return c.Grad().Div(c.Saved("other").Sub(c.Saved("self")).Exp().AddScalar(1))
			}},
			{Input: "other", Uses: "self other", Of: func(c *Ctx) *Tensor {
				return c.Grad().Div(c.Saved("self").Sub(c.Saved("other")).Exp().AddScalar(1))
			}},
		},
	},
	{
		Schema: "logaddexp2(Tensor self, Tensor other) -> Tensor", Node: "Logaddexp2Backward0", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			x, y := a.Self(), a.Tensor("other")
			return a.binary(x, y, resultType(x, y), &logAddExp2Kernel)
		},
		VJP: []Formula{
			{Input: "self", Uses: "self other", Of: func(c *Ctx) *Tensor {
				return c.Grad().Div(PowNumber(2, c.Saved("other").Sub(c.Saved("self"))).AddScalar(1))
			}},
			{Input: "other", Uses: "self other", Of: func(c *Ctx) *Tensor {
				return c.Grad().Div(PowNumber(2, c.Saved("self").Sub(c.Saved("other"))).AddScalar(1))
			}},
		},
	},
}

func logAddExp(x, y float64) float64 {
	if x == y {
		return x + math.Ln2 // also correct for infinities
	}
	m := max(x, y)
	return m + math.Log1p(math.Exp(-math.Abs(x-y)))
}

func logAddExp2(x, y float64) float64 {
	if x == y {
		return x + 1
	}
	m := max(x, y)
	return m + math.Log1p(math.Exp2(-math.Abs(x-y)))/math.Ln2
}

// logitForward computes log(x/(1-x)), with x first clamped to [eps, 1-eps].
func logitForward(a *Args) ([]*Tensor, error) {
	lo, hi := math.Inf(-1), math.Inf(1)
	if a.Has("eps") {
		lo = a.Float("eps")
		hi = 1 - lo
	}
	k := unaryKernel{
		name: "logit_cpu",
		f32: func(d, a []float32, sa int) {
			lo, hi := float32(lo), 1-float32(lo)
			if lo < 0 {
				hi = float32(math.Inf(1))
			}
			kernel.Map1(d, a, sa, func(x float32) float32 {
				x = max(lo, min(x, hi))
				return float32(math.Log(float64(x / (1 - x))))
			})
		},
		f64: func(d, a []float64, sa int) {
			kernel.Map1(d, a, sa, func(x float64) float64 {
				x = max(lo, min(x, hi))
				return math.Log(x / (1 - x))
			})
		},
	}
	return floats(&k)(a)
}

// logitBackward returns g/(x(1-x)) where x was not clamped. Without eps it
// returns NaN outside [0, 1].
func logitBackward(c *Ctx) *Tensor {
	x := c.Saved("self")
	lo, hi, outside := 0.0, 1.0, math.NaN()
	if c.Args().Has("eps") {
		lo, outside = c.Args().Float("eps"), 0
		hi = 1 - lo
	}
	inside := x.Ge(lo).LogicalAnd(x.Le(hi))
	return Where(inside, c.Grad().Div(x.Mul(numberTensor(FloatScalar(1)).Sub(x))), filled(nil, x.dtype, outside))
}
