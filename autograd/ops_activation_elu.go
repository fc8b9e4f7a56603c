package autograd

// The exponential linear units: elu and its variants.

// The constants of selu (Klambauer et al., "Self-Normalizing Neural Networks").
const (
	seluAlpha = 1.6732632423543772848170429916717
	seluScale = 1.0507009873554804934193349852946
)

var eluOps = []Op{
	{
		Schema: "elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor", In: Hidden,
		Node: "EluBackward0", Attrs: "alpha scale input_scale", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) { return elu(a, eluScales(a)) },
		VJP:     []Formula{{Input: "self", Uses: "self", Of: func(c *Ctx) *Tensor { return eluGrad(c, "self", eluScales(c.Args())) }}},
	},
	{
		Schema: "elu_(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor", In: Hidden,
		Node: "EluBackward1", Attrs: "alpha scale input_scale", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) { return elu(a, eluScales(a)) }, Mutate: storeForward,
		VJP: []Formula{{Input: "self", Uses: "result", Of: func(c *Ctx) *Tensor { return eluGrad(c, "result", eluScales(c.Args())) }}},
	},
	{
		Schema: "elu_backward(Tensor grad_output, Scalar alpha, Scalar scale, Scalar input_scale, bool is_result, Tensor self_or_result) -> Tensor", In: Hidden,
		Node: "EluBackwardBackward0", Attrs: "alpha scale input_scale is_result", JVP: elementwise,
		Forward: eluBackward,
		VJP: []Formula{
			{Input: "grad_output", Uses: "self_or_result", Of: func(c *Ctx) *Tensor {
				return callEluBackward(c.Grad(), eluScales(c.Args()), c.Args().Bool("is_result"), c.Saved("self_or_result"))
			}},
			{Input: "self_or_result", Uses: "grad_output self_or_result", Of: eluDoubleBackward},
		},
	},
	{
		Schema: "selu(Tensor self) -> Tensor", In: Torch, Predicted: ByValues,
		Compose: func(a *Args) ([]*Tensor, error) { return fnElu.Call([]any{a.Self(), seluAlpha, seluScale}) },
	},
	{
		Schema: "selu_(Tensor self) -> Tensor", In: Torch,
		Compose: func(a *Args) ([]*Tensor, error) { return fnElu_.Call([]any{a.Self(), seluAlpha, seluScale}) },
	},
	{
		Schema: "celu(Tensor self, Scalar alpha=1.0) -> Tensor", In: Torch,
		Node: "CeluBackward0", Predicted: ByValues, Attrs: "alpha", JVP: elementwise,
		Forward: celu,
		VJP:     []Formula{{Input: "self", Uses: "self", Of: func(c *Ctx) *Tensor { return eluGrad(c, "self", celuScales(c.Args())) }}},
	},
	{
		Schema: "celu_(Tensor self, Scalar alpha=1.0) -> Tensor", In: Torch,
		Node: "CeluBackward1", Attrs: "alpha", JVP: elementwise,
		Forward: celu, Mutate: storeForward,
		VJP: []Formula{{Input: "self", Uses: "result", Of: func(c *Ctx) *Tensor { return eluGrad(c, "result", celuScales(c.Args())) }}},
	},
}

// eluScale holds the scales of an exponential linear unit: scale·x above zero,
// scale·alpha·(exp(input·x) - 1) below.
type eluScale struct{ alpha, scale, input Scalar }

func eluScales(a *Args) eluScale {
	return eluScale{a.Scalar("alpha"), a.Scalar("scale"), a.Scalar("input_scale")}
}

func celuScales(a *Args) eluScale {
	alpha := a.Scalar("alpha")
	return eluScale{alpha, IntScalar(1), FloatScalar(1 / alpha.Float())}
}

func elu(a *Args, s eluScale) ([]*Tensor, error) {
	return a.floatMap(a.Self(), "elu_cpu", eluOf[float32](s), eluOf[float64](s))
}

func celu(a *Args) ([]*Tensor, error) {
	if a.Scalar("alpha").Float() == 0 {
		return nil, fail(RuntimeError, CodeArgument, "ZeroDivisionError: alpha cannot be 0 for CELU")
	}
	return elu(a, celuScales(a))
}

func eluOf[T float](s eluScale) func(T) T {
	low, high, in := T(s.alpha.Float())*T(s.scale.Float()), T(s.scale.Float()), T(s.input.Float())
	return func(x T) T {
		if x <= 0 {
			return (exp(x*in) - 1) * low
		}
		return x * high
	}
}

func eluGrad(c *Ctx, saved string, s eluScale) *Tensor {
	return callEluBackward(c.Grad(), s, saved == "result", c.Saved(saved))
}

func callEluBackward(g *Tensor, s eluScale, isResult bool, t *Tensor) *Tensor {
	return g.EluBackward(s.alpha, s.scale, s.input, isResult, t)
}

func eluBackward(a *Args) ([]*Tensor, error) {
	s, isResult := eluScales(a), a.Bool("is_result")
	if isResult && s.alpha.Float() < 0 {
		return nil, fail(RuntimeError, CodeArgument, "In-place elu backward calculation is triggered with a negative slope which is not supported. This is caused by calling in-place forward function with a negative slope, please call out-of-place version instead.")
	}
	return a.floatMap2(a.Self(), a.Tensor("self_or_result"), "elu_backward_cpu", eluSlope[float32](s, isResult), eluSlope[float64](s, isResult))
}

func eluSlope[T float](s eluScale, isResult bool) func(g, x T) T {
	low, high, in := T(s.alpha.Float())*T(s.scale.Float()), T(s.scale.Float()), T(s.input.Float())
	return func(g, x T) T {
		switch {
		case !(x <= 0):
			return g * high
		case isResult:
			return g * in * (x + low)
		default:
			return g * in * low * exp(x*in)
		}
	}
}

// eluDoubleBackward is elu_double_backward.
func eluDoubleBackward(c *Ctx) *Tensor {
	s, t, isResult := eluScales(c.Args()), c.Saved("self_or_result"), c.Args().Bool("is_result")
	g := c.Grad().Mul(c.Saved("grad_output")).MulScalar(s.input)
	if !isResult {
		g = callEluBackward(g, s, isResult, t)
	}
	return g.Mul(t.Lt(zeroScalar).To(g.dtype))
}
