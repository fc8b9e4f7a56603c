package autograd

// Shrinking, and piecewise linear approximations of smooth activations.

var shrinkOps = []Op{
	{
		Schema: "softshrink(Tensor self, Scalar lambd=0.5) -> Tensor", In: Functional,
		Node: "SoftshrinkBackward0", Attrs: "lambd", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			l := a.Scalar("lambd").Float()
			if !(l >= 0) {
				return nil, fail(RuntimeError, CodeArgument, "lambda must be greater or equal to 0, but found to be %.6g.", l)
			}
			return a.floatMap(a.Self(), "softshrink_cpu", softshrink(float32(l)), softshrink(l))
		},
		VJP: ofSelf("self", softshrinkGrad),
	},
	{
		Schema: "softshrink_backward(Tensor grad_output, Tensor self, Scalar lambd) -> Tensor", In: Hidden,
		Node: "SoftshrinkBackwardBackward0", Attrs: "lambd", JVP: elementwise, Forward: shrinkBackward,
		VJP: []Formula{{Input: "grad_output", Uses: "self", Of: softshrinkGrad}, {Input: "self", Of: flat}},
	},
	{
		Schema: "hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor",
		Node:   "HardshrinkBackward0", OutDType: foundDType, Attrs: "lambd", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			l := a.Scalar("lambd").Float()
			return a.floatMap(a.Self(), "hardshrink_cpu", hardshrink(float32(l)), hardshrink(l))
		},
		VJP: ofSelf("self", hardshrinkGrad),
	},
	{
		Schema: "hardshrink_backward(Tensor grad_out, Tensor self, Scalar lambd) -> Tensor", In: Hidden,
		Node: "HardshrinkBackwardBackward0", Attrs: "lambd", JVP: elementwise, Forward: shrinkBackward,
		VJP: []Formula{{Input: "grad_out", Uses: "self", Of: hardshrinkGrad}, {Input: "self", Of: flat}},
	},
	{
		Schema: "hardsigmoid(Tensor self) -> Tensor", In: Hidden,
		Node: "HardsigmoidBackward0", InPlace: true, JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.floatMap(a.Self(), "hardsigmoid_cpu", hardsigmoid[float32], hardsigmoid[float64])
		},
		VJP: ofSelf("self", func(c *Ctx) *Tensor { return c.Grad().HardsigmoidBackward(c.Saved("self")) }),
	},
	{
		Schema: "hardsigmoid_backward(Tensor grad_output, Tensor self) -> Tensor", In: Hidden, Node: "NotImplemented",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.floatMap2(a.Self(), a.Tensor("self"), "hardsigmoid_backward", hardsigmoidSlope[float32], hardsigmoidSlope[float64])
		},
	},
	{
		Schema: "hardswish(Tensor self) -> Tensor", In: Hidden,
		Node: "HardswishBackward0", InPlace: true, JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.floatMap(a.Self(), "hardswish_cpu", hardswish[float32], hardswish[float64])
		},
		VJP: ofSelf("self", func(c *Ctx) *Tensor { return c.Grad().HardswishBackward(c.Saved("self")) }),
	},
	{
		Schema: "hardswish_backward(Tensor grad_output, Tensor self) -> Tensor", In: Hidden,
		Node: "HardswishBackwardBackward0", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.floatMap2(a.Self(), a.Tensor("self"), "hardswish_backward_cpu", hardswishSlope[float32], hardswishSlope[float64])
		},
		VJP: []Formula{
			{Input: "grad_output", Uses: "self", Of: func(c *Ctx) *Tensor { return c.Grad().HardswishBackward(c.Saved("self")) }},
			{Input: "self", Uses: "grad_output self", Of: func(c *Ctx) *Tensor {
				x := c.Saved("self")
				inside := x.Gt(-3.0).LogicalAnd(x.Lt(3.0))
				return Where(inside, c.Grad().Mul(c.Saved("grad_output")).DivScalar(3.0), zeroLike(x))
			}},
		},
	},
}

func softshrink[T float](l T) func(T) T {
	return func(x T) T {
		switch {
		case x > l:
			return x - l
		case x < -l:
			return x + l
		}
		return x * 0 // keeps NaN
	}
}

func hardshrink[T float](l T) func(T) T {
	return func(x T) T {
		if x >= -l && x <= l {
			return 0
		}
		return x
	}
}

// shrinkBackward passes the gradient where x is outside [-lambd, lambd].
func shrinkBackward(a *Args) ([]*Tensor, error) {
	l := a.Scalar("lambd").Float()
	return a.floatMap2(a.Self(), a.Tensor("self"), "shrink_backward_cpu", passOutside(float32(l)), passOutside(l))
}

func passOutside[T float](l T) func(g, x T) T {
	return func(g, x T) T {
		if x >= -l && x <= l {
			return 0
		}
		return g
	}
}

func softshrinkGrad(c *Ctx) *Tensor {
	return c.Grad().SoftshrinkBackward(c.Saved("self"), c.Args().Scalar("lambd"))
}

func hardshrinkGrad(c *Ctx) *Tensor {
	return c.Grad().HardshrinkBackward(c.Saved("self"), c.Args().Scalar("lambd"))
}

func hardsigmoid[T float](x T) T { return min(max(x+3, 0), 6) / 6 }

// hardsigmoidSlope returns the gradient of hardsigmoid. Even for float64 it
// uses the float32 number next to 1/6.
func hardsigmoidSlope[T float](g, x T) T {
	const sixth = float32(1.0 / 6)
	if x > -3 && x < 3 {
		return g * T(sixth)
	}
	return 0
}

func hardswish[T float](x T) T { return x * min(max(x+3, 0), 6) / 6 }

func hardswishSlope[T float](g, x T) T {
	switch {
	case x < -3:
		return 0
	case x <= 3:
		return g * (x/3 + 0.5)
	}
	return g
}
