package autograd

import "math"

// Smooth activations, after aten/src/ATen/native/cpu/Activation.cpp and
// torch/csrc/autograd/FunctionsManual.cpp.

var smoothOps = []Op{
	{
		Schema: "gelu(Tensor self, *, str approximate='none') -> Tensor", In: Functional,
		Node: "GeluBackward0", InPlace: true, Predicted: ByValues, Attrs: "approximate", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			tanh, err := geluApproximation(a)
			if err != nil {
				return nil, err
			}
			if tanh {
				return a.floatMap(a.Self(), "GeluKernelImpl", geluTanh[float32], geluTanh[float64])
			}
			return a.floatMap(a.Self(), "GeluKernelImpl", gelu[float32], gelu[float64])
		},
		VJP: []Formula{{Input: "self", Uses: "self", Of: func(c *Ctx) *Tensor {
			return callGeluBackward(c, c.Grad())
		}}},
	},
	{
		Schema: "gelu_backward(Tensor grad_output, Tensor self, *, str approximate='none') -> Tensor", In: Hidden,
		Node: "GeluBackwardBackward0", Attrs: "approximate", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			tanh, err := geluApproximation(a)
			if err != nil {
				return nil, err
			}
			if tanh {
				return a.floatMap2(a.Self(), a.Tensor("self"), "GeluBackwardKernelImpl", geluTanhSlope[float32], geluTanhSlope[float64])
			}
			return a.floatMap2(a.Self(), a.Tensor("self"), "GeluBackwardKernelImpl", geluSlope[float32], geluSlope[float64])
		},
		VJP: []Formula{
			{Input: "grad_output", Uses: "self", Of: func(c *Ctx) *Tensor { return callGeluBackward(c, c.Grad()) }},
			{Input: "self", Uses: "grad_output self", Of: geluDoubleBackward},
		},
	},
	{
		Schema: "silu(Tensor self) -> Tensor", In: Hidden,
		Node: "SiluBackward0", InPlace: true, JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.floatMap(a.Self(), "silu_cpu", silu[float32], silu[float64])
		},
		VJP: []Formula{{Input: "self", Uses: "self", Of: func(c *Ctx) *Tensor {
			g, x := c.Grad(), c.Saved("self")
			if !gradMode() {
				return g.SiluBackward(x)
			}
			s := x.Sigmoid()
			return g.Mul(s).Mul(x.Mul(from(1, s)).AddScalar(1.0))
		}}},
	},
	{
		Schema: "silu_backward(Tensor grad_output, Tensor self) -> Tensor", In: Hidden, Node: "NotImplemented",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.floatMap2(a.Self(), a.Tensor("self"), "silu_backward_cpu", siluSlope[float32], siluSlope[float64])
		},
	},
	{
		Schema: "mish(Tensor self) -> Tensor", In: Hidden,
		Node: "MishBackward0", InPlace: true, JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.floatMap(a.Self(), "mish_cpu", mish[float32], mish[float64])
		},
		VJP: []Formula{{Input: "self", Uses: "self", Of: func(c *Ctx) *Tensor {
			g, x := c.Grad(), c.Saved("self")
			if !gradMode() {
				return g.MishBackward(x)
			}
			s, w := x.Sigmoid(), x.Exp().Log1p().Tanh()
			return g.Mul(w.Add(x.Mul(s).Mul(from(1, w.Mul(w)))))
		}}},
	},
	{
		Schema: "mish_backward(Tensor grad_output, Tensor self) -> Tensor", In: Hidden, Node: "NotImplemented",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.floatMap2(a.Self(), a.Tensor("self"), "mish_backward_cpu", mishSlope[float32], mishSlope[float64])
		},
	},
	{
		Schema: "softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor", In: Functional,
		Node: "SoftplusBackward0", OutDType: foundDType, Predicted: ByValues, Attrs: "beta threshold", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			beta, threshold := a.Scalar("beta").Float(), a.Scalar("threshold").Float()
			return a.floatMap(a.Self(), "softplus_cpu", softplus(float32(beta), float32(threshold)), softplus(beta, threshold))
		},
		VJP: []Formula{{Input: "self", Uses: "self", Of: softplusGrad}},
	},
	{
		Schema: "softplus_backward(Tensor grad_output, Tensor self, Scalar beta, Scalar threshold) -> Tensor", In: Hidden,
		Node: "SoftplusBackwardBackward0", Attrs: "beta threshold", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			beta, threshold := a.Scalar("beta").Float(), a.Scalar("threshold").Float()
			return a.floatMap2(a.Self(), a.Tensor("self"), "softplus_backward_cpu", softplusSlope(float32(beta), float32(threshold)), softplusSlope(beta, threshold))
		},
		VJP: []Formula{
			{Input: "grad_output", Uses: "self", Of: softplusGrad},
			{Input: "self", Uses: "grad_output self", Of: func(c *Ctx) *Tensor {
				beta, threshold := c.Args().Scalar("beta"), c.Args().Scalar("threshold")
				x, g := c.Saved("self").MulScalar(beta), c.Grad().Mul(c.Saved("grad_output"))
				return g.SigmoidBackward(x.Sigmoid()).Mul(x.Lt(threshold).To(g.dtype)).MulScalar(beta)
			}},
		},
	},
	{
		Schema: "log_sigmoid(Tensor self) -> Tensor", In: Hidden, Go: "LogSigmoid",
		Compose: func(a *Args) ([]*Tensor, error) {
			outs, err := fnLogSigmoidForward.Call([]any{a.Self()})
			if err != nil {
				return nil, err
			}
			return outs[:1], nil
		},
	},
	{
		Schema: "log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)", In: Hidden, Go: "-",
		Node: "LogSigmoidBackward0", Constant: "buffer", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			t := contiguous(a.Self())
			buffer, err := a.floatMap(t, "log_sigmoid_cpu", expMinusAbs[float32], expMinusAbs[float64])
			if err != nil {
				return nil, err
			}
			out, err := a.floatMap2(t, buffer[0], "log_sigmoid_cpu", logSigmoid[float32], logSigmoid[float64])
			if err != nil {
				return nil, err
			}
			return []*Tensor{out[0], buffer[0]}, nil
		},
		VJP: []Formula{{Input: "self", Uses: "self buffer", Of: logSigmoidGrad}},
	},
	{
		Schema: "log_sigmoid_backward(Tensor grad_output, Tensor self, Tensor buffer) -> Tensor", In: Hidden,
		Node: "LogSigmoidBackwardBackward0", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			g, t, buffer := a.Self(), a.Tensor("self"), a.Tensor("buffer")
			slope, err := a.floatMap2(t, buffer, "log_sigmoid_backward_cpu", logSigmoidSlope[float32], logSigmoidSlope[float64])
			if err != nil {
				return nil, err
			}
			return a.binary(g, slope[0], resultType(g, slope[0]), &mulKernel)
		},
		VJP: []Formula{
			{Input: "grad_output", Uses: "self buffer", Of: logSigmoidGrad},
			{Input: "self", Uses: "grad_output self", Of: func(c *Ctx) *Tensor {
				s := c.Saved("self").Sigmoid()
				return c.Grad().Mul(c.Saved("grad_output")).Mul(s.SubScalar(1)).Mul(s)
			}},
		},
	},
}

// from returns x - t as C++ computes it: the number first becomes a tensor of
// the same shape.
func from(x float64, t *Tensor) *Tensor {
	if t.err != nil {
		return t
	}
	return filled(t.sizes, t.dtype, x).Sub(t)
}

func geluApproximation(a *Args) (tanh bool, err error) {
	switch a.Str("approximate") {
	case "none":
		return false, nil
	case "tanh":
		return true, nil
	}
	return false, fail(RuntimeError, CodeArgument, "approximate argument must be either none or tanh.")
}

func callGeluBackward(c *Ctx, g *Tensor) *Tensor {
	return g.GeluBackward(c.Saved("self"), Kw("approximate", c.Args().Str("approximate")))
}

// gelu returns x·Φ(x), with the order of operations of oneDNN, which PyTorch
// calls.
func gelu[T float](x T) T {
	half := x * 0.5
	if x, ok := any(x).(float32); ok {
		half := float32(half)
		return T(fma32(half, erf32(x*(1/math.Sqrt2)), half))
	}
	return half + half*erf(x*(1/math.Sqrt2))
}

func geluSlope[T float](g, x T) T {
	const density = math.SqrtPi / math.Pi / math.Sqrt2 // 1/√(2π)
	if x, ok := any(x).(float32); ok {
		z := x * (1 / math.Sqrt2)
		bell := z * (math.SqrtPi / math.Pi) * exp(-(z * z))
		return g * T(fma32(0.5, erf32(z), bell+0.5))
	}
	return g * (0.5*(1+erf(x*(1/math.Sqrt2))) + x*(density*exp(-0.5*x*x)))
}

// The constants of the tanh approximation.
const (
	geluBeta  = math.Sqrt2 * math.SqrtPi / math.Pi // √(2/π)
	geluKappa = 0.044715
)

func geluTanh[T float](x T) T {
	return 0.5 * x * (1 + tanh(geluBeta*(x+geluKappa*x*x*x)))
}

func geluTanhSlope[T float](g, x T) T {
	t := tanh(geluBeta * (x + geluKappa*x*x*x))
	return g * (0.5*(1+t) + 0.5*x*(1-t*t)*(geluBeta*(1+3*geluKappa*x*x)))
}

// geluDoubleBackward is gelu_double_backward.
func geluDoubleBackward(c *Ctx) *Tensor {
	x := c.Saved("self")
	g := c.Grad().Mul(c.Saved("grad_output"))
	if c.Args().Str("approximate") == "tanh" {
		return g.Mul(geluTanhCurvature(x))
	}
	square := x.Mul(x)
	density := square.MulScalar(-0.5).Exp().MulScalar(geluBeta / 2)
	return g.Mul(density.MulScalar(2).Sub(square.Mul(density)))
}

// geluTanhCurvature returns the second derivative of the tanh approximation.
func geluTanhCurvature(x *Tensor) *Tensor {
	inner := x.Add(x.Mul(x).Mul(x).MulScalar(geluKappa)).MulScalar(geluBeta)
	t, sech := inner.Tanh(), inner.Cosh().Reciprocal()
	f, g := x.MulScalar(0.5), from(1, t.Mul(t))
	h := x.MulScalar(3 * geluKappa).Mul(x).AddScalar(1).MulScalar(geluBeta)
	fgh := g.MulScalar(0.5).Mul(h)
	bend := sech.MulScalar(2).Mul(sech.Neg().Mul(t)).Mul(h)
	steep := x.MulScalar(6 * geluKappa).MulScalar(geluBeta)
	return fgh.MulScalar(2).Add(f.Mul(h).Mul(bend)).Add(f.Mul(g).Mul(steep))
}

func silu[T float](x T) T { return x / (1 + exp(-x)) }

func siluSlope[T float](g, x T) T {
	s := 1 / (1 + exp(-x))
	return g * s * (1 + x*(1-s))
}

func log1p[T float](x T) T { return T(math.Log1p(float64(x))) }

func mish[T float](x T) T { return x * tanh(log1p(exp(x))) }

func mishSlope[T float](g, x T) T {
	s, w := 1/(1+exp(-x)), tanh(log1p(exp(x)))
	return g * (w + x*s*(1-w*w))
}

func softplus[T float](beta, threshold T) func(T) T {
	return func(x T) T {
		if x*beta > threshold {
			return x
		}
		return log1p(exp(x*beta)) / beta
	}
}

func softplusSlope[T float](beta, threshold T) func(g, x T) T {
	return func(g, x T) T {
		z := exp(x * beta)
		if x*beta > threshold {
			return g
		}
		return g * z / (z + 1)
	}
}

func softplusGrad(c *Ctx) *Tensor {
	return c.Grad().SoftplusBackward(c.Saved("self"), c.Args().Scalar("beta"), c.Args().Scalar("threshold"))
}

func expMinusAbs[T float](x T) T { return exp(T(-math.Abs(float64(x)))) }

// logSigmoid returns log(sigmoid(x)) from x and e = exp(-|x|).
func logSigmoid[T float](x, e T) T { return min(x, 0) - log1p(e) }

func logSigmoidSlope[T float](x, e T) T {
	if x < 0 {
		return 1 - e/(1+e)
	}
	return e / (1 + e)
}

func logSigmoidGrad(c *Ctx) *Tensor {
	return c.Grad().LogSigmoidBackward(c.Saved("self"), c.Saved("buffer"))
}
