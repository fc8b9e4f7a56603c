package autograd

// Activations with a gate or a weight, and their functional forms.

var gatedOps = []Op{
	{
		Schema: "glu(Tensor self, int dim=-1) -> Tensor", In: Hidden,
		Node: "GluBackward0", Attrs: "dim",
		Forward: func(a *Args) ([]*Tensor, error) {
			x, gate, err := halves(a.Self(), a.Int("dim"))
			if err != nil {
				return nil, err
			}
			return a.floatMap2(x, gate, "glu_cpu", glu[float32], glu[float64])
		},
		VJP: ofSelf("self", func(c *Ctx) *Tensor { return c.Grad().GluBackward(c.Saved("self"), c.Args().Int("dim")) }),
		JVP: func(c *JCtx) ([]*Tensor, error) {
			dim := c.Args().Int("dim")
			x, gate := narrowHalves(c.Primal("self"), dim)
			dx, dgate := narrowHalves(c.Tangent("self"), dim)
			s := gate.Sigmoid()
			return single(dx.Mul(s).Add(dgate.Mul(sigmoidSlope(s)).Mul(x)))
		},
	},
	{
		Schema: "glu_backward(Tensor grad_output, Tensor self, int dim) -> Tensor", In: Hidden,
		Node: "GluBackwardBackward0", Attrs: "dim", JVP: gluBackwardTangent,
		Forward: gluBackward,
		VJP: []Formula{
			{Input: "grad_output", Uses: "self", Of: func(c *Ctx) *Tensor {
				x, dim := c.Saved("self"), c.Args().Int("dim")
				first, _ := narrowHalves(c.Grad(), dim)
				first, second := narrowHalves(c.Grad().Mul(first.OnesLike().GluBackward(x, dim)), dim)
				return first.Add(second)
			}},
			{Input: "self", Uses: "grad_output self", Of: gluDoubleBackward},
		},
	},
	{
		Schema: "nn_functional_glu(Tensor input, int dim=-1) -> Tensor", In: Functional, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			if a.Tensor("input").Dim() == 0 {
				return nil, fail(RuntimeError, CodeShape, "glu does not support scalars because halving size must be even")
			}
			return a.One(a.Tensor("input").Glu(Dim(a.Int("dim"))))
		},
	},
	{
		Schema: "prelu(Tensor self, Tensor weight) -> Tensor", In: Torch | Method | Functional,
		Compose: prelu,
	},
	{
		Schema: "_prelu_kernel(Tensor self, Tensor weight) -> Tensor", In: Hidden, Go: "PreluKernel",
		Node: "PreluKernelBackward0",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.floatMap2(a.Self(), a.Tensor("weight"), "prelu_cpu", preluOf[float32], preluOf[float64])
		},
		VJP: []Formula{{Input: "self weight", Uses: "self weight", All: func(c *Ctx) []*Tensor {
			x, w := c.Grad().PreluKernelBackward(c.Saved("self"), c.Saved("weight"))
			return []*Tensor{x, w}
		}}},
		JVP: func(c *JCtx) ([]*Tensor, error) {
			x, w, dx, dw := c.Primal("self"), c.Primal("weight"), c.TangentOrZeros("self"), c.TangentOrZeros("weight")
			return single(Where(x.Ge(0), dx, w.Mul(dx).Add(dw.Mul(x))))
		},
	},
	{
		Schema: "_prelu_kernel_backward(Tensor grad_output, Tensor self, Tensor weight) -> (Tensor, Tensor)", In: Hidden, Go: "PreluKernelBackward",
		Node:    "PreluKernelBackwardBackward0",
		Forward: preluBackward,
		VJP: []Formula{
			{Input: "grad_output", Uses: "self weight", Of: func(c *Ctx) *Tensor {
				x, g0, g1 := c.Saved("self"), c.GradAt(0), c.GradAt(1)
				switch {
				case g0 == nil:
					return Where(x.Ge(0), zeroLike(g1), g1.Mul(x))
				case g1 == nil:
					return Where(x.Ge(0), g0, g0.Mul(c.Saved("weight")))
				}
				return Where(x.Ge(0), g0, g0.Mul(c.Saved("weight")).Add(g1.Mul(x)))
			}},
			{Input: "self", Uses: "grad_output self", Of: func(c *Ctx) *Tensor { return preluCross(c, c.GradAt(1)) }},
			{Input: "weight", Uses: "grad_output self", Of: func(c *Ctx) *Tensor { return preluCross(c, c.GradAt(0)) }},
		},
		JVP: func(c *JCtx) ([]*Tensor, error) {
			g, x, w := c.Primal("grad_output"), c.Primal("self"), c.Primal("weight")
			dg, dx, dw := c.TangentOrZeros("grad_output"), c.TangentOrZeros("self"), c.TangentOrZeros("weight")
			positive := x.Ge(0)
			return []*Tensor{
				Where(positive, dg, dg.Mul(w).Add(g.Mul(dw))),
				Where(positive, zeroLike(x), g.Mul(dx).Add(dg.Mul(x))),
			}, nil
		},
	},
}

// halves returns the two halves of a tensor along a dimension, without history.
func halves(t *Tensor, dim int) (first, second *Tensor, err error) {
	if len(t.sizes) == 0 {
		return nil, nil, fail(RuntimeError, CodeShape, "glu does not support 0-dimensional tensors")
	}
	d, e := wrapDim(dim, len(t.sizes))
	if e != nil {
		return nil, nil, e
	}
	if t.sizes[d]%2 != 0 {
		return nil, nil, fail(RuntimeError, CodeShape, "Halving dimension must be even, but dimension %d is size %d", d, t.sizes[d])
	}
	a := *t
	a.sizes = append([]int(nil), t.sizes...)
	a.sizes[d] /= 2
	a.flags &^= contiguousFlag
	if isContiguous(a.sizes, a.strides) {
		a.flags |= contiguousFlag
	}
	b := a
	b.offset += a.sizes[d] * a.strides[d]
	return &a, &b, nil
}

// narrowHalves returns the two halves with history.
func narrowHalves(t *Tensor, dim int) (first, second *Tensor) {
	if t.err != nil {
		return t, t
	}
	d, err := wrapDim(dim, len(t.sizes))
	if err != nil {
		return errTensor(err), errTensor(err)
	}
	n := t.sizes[d] / 2
	return t.Narrow(dim, 0, n), t.Narrow(dim, n, n)
}

func glu[T float](x, gate T) T { return x / (1 + exp(-gate)) }

// sigmoidSlope returns the derivative of sigmoid from its value s.
func sigmoidSlope(s *Tensor) *Tensor { return s.Mul(from(1, s)) }

func gluBackward(a *Args) ([]*Tensor, error) {
	g, t := a.Tensor("grad_output"), a.Tensor("self")
	x, gate, err := halves(t, a.Int("dim"))
	if err != nil {
		return nil, err
	}
	out := alloc(t.dtype, t.sizes)
	first, second, err := halves(out, a.Int("dim"))
	if err != nil {
		return nil, err
	}
	toX, err := a.floatMap2(g, gate, "glu_backward_cpu", glu[float32], glu[float64])
	if err != nil {
		return nil, err
	}
	steep, err := a.floatMap2(x, gate, "glu_backward_cpu", gluSteepness[float32], gluSteepness[float64])
	if err != nil {
		return nil, err
	}
	toGate, err := a.binary(g, steep[0], t.dtype, &mulKernel)
	if err != nil {
		return nil, err
	}
	copyData(first, toX[0])
	copyData(second, toGate[0])
	return a.One(out)
}

// gluSteepness returns the derivative of glu with respect to its gate.
func gluSteepness[T float](x, gate T) T {
	s := 1 / (1 + exp(-gate))
	return (1 - s) * s * x
}

// gluDoubleBackward is glu_double_backward.
func gluDoubleBackward(c *Ctx) *Tensor {
	g, dim := c.Saved("grad_output"), c.Args().Int("dim")
	x, gate := narrowHalves(c.Saved("self"), dim)
	ggX, ggGate := narrowHalves(c.Grad(), dim)
	s := gate.Sigmoid()
	less := from(1, s)
	steep := s.Mul(less)
	bend := steep.Mul(less).Sub(s.Mul(steep))
	toX := ggGate.Mul(g).Mul(steep)
	toGate := ggGate.Mul(x).Mul(g).Mul(bend).Add(ggX.Mul(g).Mul(steep))
	return Cat([]*Tensor{toX, toGate}, Dim(dim))
}

func gluBackwardTangent(c *JCtx) ([]*Tensor, error) {
	dim := c.Args().Int("dim")
	x, gate := narrowHalves(c.Primal("self"), dim)
	dx, dgate := narrowHalves(c.TangentOrZeros("self"), dim)
	g, dg := c.Primal("grad_output"), c.TangentOrZeros("grad_output")
	s := gate.Sigmoid()
	steep := sigmoidSlope(s)
	bend := steep.Mul(s.MulScalar(-2).AddScalar(1))
	first := dg.Mul(s).Add(g.Mul(steep).Mul(dgate))
	second := dg.Mul(x).Add(g.Mul(dx)).Mul(steep).Add(g.Mul(x).Mul(bend).Mul(dgate))
	return single(Cat([]*Tensor{first, second}, Dim(dim)))
}

// prelu reshapes the weight to the rank of the input and applies the operator.
func prelu(a *Args) ([]*Tensor, error) {
	x, w := a.Self(), a.Tensor("weight")
	rank, n := len(x.sizes), w.Numel()
	if x.dtype != w.dtype {
		return nil, fail(RuntimeError, CodeDType, "prelu: Type promoting not supported. Got %s and %s", scalarTypeName(x.dtype), scalarTypeName(w.dtype))
	}
	if n != 1 {
		if rank == 0 {
			return nil, fail(RuntimeError, CodeShape, "Not allow zero-dim input tensor.")
		}
		channels := 1
		if rank > 1 {
			channels = x.sizes[1]
		}
		if channels != n {
			return nil, fail(RuntimeError, CodeShape, "Mismatch of parameter numbers and input channel size. Found parameter numbers = %d and channel size = %d.", n, channels)
		}
	}
	if len(w.sizes) > 1 {
		return nil, fail(RuntimeError, CodeShape, "prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = %d", len(w.sizes))
	}
	if rank != len(w.sizes) {
		shape := repeated(1, rank)
		if rank > 1 {
			shape[1] = n
		}
		w = w.Reshape(shape)
	}
	return a.One(x.PreluKernel(w))
}

func preluOf[T float](x, w T) T {
	if x > 0 {
		return x
	}
	return w * x
}

func preluBackward(a *Args) ([]*Tensor, error) {
	g, x, w := a.Tensor("grad_output"), a.Tensor("self"), a.Tensor("weight")
	slope, err := a.floatMap2(x, w, "prelu_backward_cpu", preluSlope[float32], preluSlope[float64])
	if err != nil {
		return nil, err
	}
	toX, err := a.binary(g, slope[0], resultType(g, x), &mulKernel)
	if err != nil {
		return nil, err
	}
	toWeight, err := a.floatMap2(x, g, "prelu_backward_cpu", belowZero[float32], belowZero[float64])
	if err != nil {
		return nil, err
	}
	return []*Tensor{toX[0], toWeight[0]}, nil
}

func preluSlope[T float](x, w T) T {
	if x > 0 {
		return 1
	}
	return w
}

// belowZero returns the gradient of prelu with respect to the weight.
func belowZero[T float](x, g T) T {
	if x > 0 {
		return 0
	}
	return x * g
}

// preluCross returns the mixed derivative of prelu with respect to its input
// and its weight.
func preluCross(c *Ctx, g *Tensor) *Tensor {
	x := c.Saved("self")
	if g == nil {
		return x.ZerosLike()
	}
	return Where(x.Ge(0), zeroLike(x), c.Saved("grad_output").Mul(g))
}
