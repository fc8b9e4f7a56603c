package autograd

import "github.com/gradtui/gradtui/autograd/internal/kernel"

// Regression losses, after aten/src/ATen/native/Loss.cpp,
// cpu/BinaryOpsKernel.cpp and cpu/PointwiseOpsKernel.cpp.

var lossOps = []Op{
	{
		Schema: "mse_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor", In: Hidden, Go: "-",
		Node: "MseLossBackward0", Certain: true, Attrs: "reduction", JVP: lossTangent,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.elementLoss("mse_cpu", squareError[float32], squareError[float64])
		},
		VJP: []Formula{
			{Input: "self", Uses: "self target", Of: func(c *Ctx) *Tensor {
				return c.Grad().MseLossBackward(c.Saved("self"), c.Saved("target"), c.Args().Int("reduction"))
			}},
			{Input: "target", Uses: "self target", Of: func(c *Ctx) *Tensor {
				return c.Grad().MseLossBackward(c.Saved("target"), c.Saved("self"), c.Args().Int("reduction"))
			}},
		},
	},
	{
		Schema: "mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor", In: Hidden,
		Node: "MseLossBackwardBackward0", Attrs: "reduction", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.lossSlope("mse_backward_cpu_out", func(norm float64) (func(x, y, g float32) float32, func(x, y, g float64) float64) {
				n := float32(2 * norm)
				return func(x, y, g float32) float32 { return n * (x - y) * g },
					func(x, y, g float64) float64 { return 2 * norm * (x - y) * g }
			})
		},
		VJP: []Formula{
			{Input: "grad_output", Uses: "self target", Of: func(c *Ctx) *Tensor {
				return c.Grad().MseLossBackward(c.Saved("self"), c.Saved("target"), c.Args().Int("reduction"))
			}},
			{Input: "self", Uses: "grad_output self", Of: func(c *Ctx) *Tensor { return mseDoubleBackward(c, c.Saved("self")) }},
			{Input: "target", Uses: "grad_output target", Of: func(c *Ctx) *Tensor { return mseDoubleBackward(c, c.Saved("target")).Neg() }},
		},
	},
	{
		Schema: "l1_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor", In: Hidden, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return a.reduced(a.Self().Sub(a.Tensor("target")).Abs()) },
	},
	{
		Schema: "smooth_l1_loss(Tensor self, Tensor target, int reduction=Mean, float beta=1.0) -> Tensor", In: Hidden, Go: "-",
		Node: "SmoothL1LossBackward0", Attrs: "reduction beta", JVP: lossTangent,
		Forward: func(a *Args) ([]*Tensor, error) {
			beta := a.Float("beta")
			if beta < 0 {
				return nil, fail(RuntimeError, CodeArgument, "smooth_l1_loss does not support negative values for beta.")
			}
			return a.elementLoss("smooth_l1_cpu", smoothError(float32(beta)), smoothError(beta))
		},
		VJP: []Formula{
			{Input: "self", Uses: "self target", Of: func(c *Ctx) *Tensor { return smoothGrad(c, "self", "target") }},
			{Input: "target", Uses: "self target", Of: func(c *Ctx) *Tensor { return smoothGrad(c, "target", "self") }},
		},
	},
	{
		Schema: "smooth_l1_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float beta) -> Tensor", In: Hidden,
		Node: "SmoothL1LossBackwardBackward0", Attrs: "reduction beta", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			beta := a.Float("beta")
			x, y, g := a.Tensor("self"), a.Tensor("target"), a.Tensor("grad_output")
			d, norm := resultType(x, y, g), meanFactor(a.Int("reduction"), x.Numel())
			outs, err := a.floatMap3(as(x, d), as(y, d), as(g, d), "smooth_l1_backward_cpu_out", smoothSlope(float32(norm), float32(beta)), smoothSlope(norm, beta))
			if err != nil {
				return nil, err
			}
			return a.One(as(outs[0], x.dtype))
		},
		VJP: []Formula{
			{Input: "grad_output", Uses: "self target", Of: func(c *Ctx) *Tensor { return smoothGrad(c, "self", "target") }},
			{Input: "self", Uses: "grad_output self target", Of: smoothDoubleBackward},
			{Input: "target", Uses: "grad_output self target", Of: func(c *Ctx) *Tensor { return smoothDoubleBackward(c).Neg() }},
		},
	},
	{
		Schema: "huber_loss(Tensor self, Tensor target, int reduction=Mean, float delta=1.0) -> Tensor", In: Hidden, Go: "-",
		Node: "HuberLossBackward0", Attrs: "reduction delta", JVP: lossTangent,
		Forward: func(a *Args) ([]*Tensor, error) {
			delta := a.Float("delta")
			if !(delta > 0) {
				return nil, fail(RuntimeError, CodeArgument, "huber_loss does not support non-positive values for delta.")
			}
			x := a.Self()
			if d := resultType(x, a.Tensor("target")); !canCast(d, x.dtype) {
				return nil, castError(d, x.dtype)
			}
			outs, err := a.elementLoss("huber_cpu", huberError(float32(delta)), huberError(delta))
			if err != nil {
				return nil, err
			}
			return a.One(as(outs[0], x.dtype))
		},
		VJP: []Formula{
			{Input: "self", Uses: "self target", Of: func(c *Ctx) *Tensor { return huberGrad(c, c.Grad(), "self", "target") }},
			{Input: "target", Uses: "self target", Of: func(c *Ctx) *Tensor { return huberGrad(c, c.Grad(), "target", "self") }},
		},
	},
	{
		Schema: "huber_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float delta) -> Tensor", In: Hidden,
		Node: "HuberLossBackwardBackward0", Attrs: "reduction delta",
		Forward: func(a *Args) ([]*Tensor, error) {
			delta := a.Float("delta")
			return a.lossSlope("huber_backward_cpu_out", func(norm float64) (func(x, y, g float32) float32, func(x, y, g float64) float64) {
				return huberSlope(float32(norm), float32(delta)), huberSlope(norm, delta)
			})
		},
		VJP: []Formula{
			{Input: "grad_output", Uses: "grad_output self target", Of: func(c *Ctx) *Tensor {
				return gradOfGrad(c, func(g *Tensor) *Tensor { return huberGrad(c, g, "self", "target") })
			}},
			{Input: "self", Uses: "grad_output self target", Of: huberDoubleBackward},
			{Input: "target", Uses: "grad_output self target", Of: func(c *Ctx) *Tensor { return huberDoubleBackward(c).Neg() }},
		},
	},
	{
		Schema: "soft_margin_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor", In: Hidden, Go: "-",
		Node: "SoftMarginLossBackward0", Attrs: "reduction", JVP: lossTangent,
		Forward: func(a *Args) ([]*Tensor, error) {
			x, y := a.Self(), a.Tensor("target")
			if y.dtype == Bool {
				return nil, fail(RuntimeError, CodeDType, "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.")
			}
			if d := floatType(resultType(x, y)); !canCast(d, x.dtype) {
				return nil, castError(d, x.dtype)
			}
			outs, err := a.floatMap2(as(x, x.dtype), as(y, x.dtype), "soft_margin", softMargin[float32], softMargin[float64])
			if err != nil {
				return nil, err
			}
			return a.One(reduceLoss(outs[0], a.Int("reduction")))
		},
		VJP: []Formula{{Input: "self", Uses: "self target", Of: func(c *Ctx) *Tensor { return softMarginGrad(c, c.Grad()) }}},
	},
	{
		Schema: "soft_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor", In: Hidden,
		Node: "SoftMarginLossBackwardBackward0", Attrs: "reduction",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.lossSlope("soft_margin", func(norm float64) (func(x, y, g float32) float32, func(x, y, g float64) float64) {
				return softMarginSlope(float32(norm)), softMarginSlope(norm)
			})
		},
		VJP: []Formula{
			{Input: "grad_output", Uses: "grad_output self target", Of: func(c *Ctx) *Tensor {
				return gradOfGrad(c, func(g *Tensor) *Tensor { return softMarginGrad(c, g) })
			}},
			{Input: "self", Uses: "grad_output self target", Of: func(c *Ctx) *Tensor {
				x, y := c.Saved("self"), c.Saved("target")
				z := x.Mul(y.Neg()).Exp()
				more := z.AddScalar(1)
				g := c.Grad().Mul(c.Saved("grad_output")).Mul(y.Mul(y)).Mul(z).Div(more.Mul(more))
				return perElement(g, c.Args().Int("reduction"), x.Numel())
			}},
		},
	},
}

// elementLoss computes a loss from each pair of elements of self and target, and
// reduces the losses.
func (a *Args) elementLoss(name string, f32 func(x, y float32) float32, f64 func(x, y float64) float64) ([]*Tensor, error) {
	outs, err := a.floatMap2(a.Self(), a.Tensor("target"), name, f32, f64)
	if err != nil {
		return nil, err
	}
	return a.One(reduceLoss(outs[0], a.Int("reduction")))
}

// lossSlope computes the gradient with respect to self from self, target and
// grad_output. slope gets the factor of the reduction.
func (a *Args) lossSlope(name string, slope func(norm float64) (func(x, y, g float32) float32, func(x, y, g float64) float64)) ([]*Tensor, error) {
	x, y, g := a.Tensor("self"), a.Tensor("target"), a.Tensor("grad_output")
	f32, f64 := slope(meanFactor(a.Int("reduction"), x.Numel()))
	return a.floatMap3(x, y, g, name, f32, f64)
}

// mapKernel3 returns the ternary kernel of a function on floats.
func mapKernel3(name string, f32 func(x, y, z float32) float32, f64 func(x, y, z float64) float64) *ternaryKernel {
	return &ternaryKernel{
		name: name,
		f32:  func(d, a, b, c []float32, sa, sb, sc int) { kernel.Map3(d, a, b, c, sa, sb, sc, f32) },
		f64:  func(d, a, b, c []float64, sa, sb, sc int) { kernel.Map3(d, a, b, c, sa, sb, sc, f64) },
	}
}

// gradOfGrad returns the derivative, with respect to grad_output, of an
// operator that multiplies grad_output with a slope.
func gradOfGrad(c *Ctx, slope func(g *Tensor) *Tensor) *Tensor {
	if c.Args().Int("reduction") == noReduction {
		return slope(c.Grad())
	}
	return slope(c.Saved("grad_output").OnesLike()).Mul(c.Grad()).Sum()
}

func squareError[T float](x, y T) T { return (x - y) * (x - y) }

func mseDoubleBackward(c *Ctx, t *Tensor) *Tensor {
	g := c.Grad().Mul(c.Saved("grad_output")).MulScalar(2)
	return perElement(g, c.Args().Int("reduction"), t.Numel())
}

func distance[T float](x, y T) T {
	if x < y {
		return y - x
	}
	return x - y
}

func smoothError[T float](beta T) func(x, y T) T {
	return func(x, y T) T {
		z := distance(x, y)
		if z < beta {
			return 0.5 * z * z / beta
		}
		return z - 0.5*beta
	}
}

func smoothSlope[T float](norm, beta T) func(x, y, g T) T {
	return func(x, y, g T) T {
		switch z := x - y; {
		case z <= -beta:
			return -norm * g
		case z >= beta:
			return norm * g
		default:
			return norm * z * g / beta
		}
	}
}

func smoothGrad(c *Ctx, self, target string) *Tensor {
	return c.Grad().SmoothL1LossBackward(c.Saved(self), c.Saved(target), c.Args().Int("reduction"), c.Args().Float("beta"))
}

func smoothDoubleBackward(c *Ctx) *Tensor {
	x, beta := c.Saved("self"), c.Args().Float("beta")
	g := c.Grad().Mul(c.Saved("grad_output"))
	if beta == 0 {
		return g.ZerosLike()
	}
	near := x.Sub(c.Saved("target")).Abs().Lt(beta)
	return perElement(g.Mul(near.To(x.dtype)).DivScalar(beta), c.Args().Int("reduction"), x.Numel())
}

func huberError[T float](delta T) func(x, y T) T {
	return func(x, y T) T {
		z := distance(x, y)
		if z < delta {
			return 0.5 * z * z
		}
		return delta * (z - 0.5*delta)
	}
}

func huberSlope[T float](norm, delta T) func(x, y, g T) T {
	return func(x, y, g T) T {
		switch z := x - y; {
		case z <= -delta:
			return -norm * g * delta
		case z >= delta:
			return norm * g * delta
		default:
			return norm * z * g
		}
	}
}

func huberGrad(c *Ctx, g *Tensor, self, target string) *Tensor {
	return g.HuberLossBackward(c.Saved(self), c.Saved(target), c.Args().Int("reduction"), c.Args().Float("delta"))
}

func huberDoubleBackward(c *Ctx) *Tensor {
	x := c.Saved("self")
	near := x.Sub(c.Saved("target")).Abs().Lt(c.Args().Float("delta"))
	g := c.Grad().Mul(c.Saved("grad_output")).Mul(near)
	return perElement(g, c.Args().Int("reduction"), x.Numel())
}

func softMargin[T float](x, y T) T { return log1p(exp(-y * x)) }

func softMarginSlope[T float](norm T) func(x, y, g T) T {
	return func(x, y, g T) T {
		z := exp(-y * x)
		return y * z * -norm / (z + 1) * g
	}
}

func softMarginGrad(c *Ctx, g *Tensor) *Tensor {
	return g.SoftMarginLossBackward(c.Saved("self"), c.Saved("target"), c.Args().Int("reduction"))
}
