package autograd

import "math"

// Losses of probabilities and of logits.

// bceEpsilon keeps denominators away from zero.
const bceEpsilon = 1e-12

var bceOps = []Op{
	{
		Schema: "binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean) -> Tensor", In: Hidden, Go: "-",
		Node: "BinaryCrossEntropyBackward0", Attrs: "reduction", JVP: lossTangent,
		Forward: func(a *Args) ([]*Tensor, error) {
			x, y := a.Self(), a.Tensor("target")
			if err := sameDType(x, y); err != nil {
				return nil, err
			}
			if err := checkUnit("input", x); err != nil {
				return nil, err
			}
			if err := checkUnit("target", y); err != nil {
				return nil, err
			}
			outs, err := a.floatMap2(x, y, "binary_cross_entropy", crossEntropy[float32], crossEntropy[float64])
			if err != nil {
				return nil, err
			}
			loss, err := a.weighted(outs[0], a.Tensor("weight"))
			if err != nil {
				return nil, err
			}
			return a.One(reduceLoss(loss, a.Int("reduction")))
		},
		VJP: []Formula{
			{Input: "self", Uses: "self target weight", Of: func(c *Ctx) *Tensor { return bceGrad(c, c.Grad()) }},
			{Input: "target", Uses: "self target weight", Of: bceTargetGrad},
		},
	},
	{
		Schema: "binary_cross_entropy_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean) -> Tensor", In: Hidden,
		Node: "BinaryCrossEntropyBackwardBackward0", Attrs: "reduction", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			x := a.Tensor("self")
			outs, err := a.floatMap3(x, a.Tensor("target"), a.Tensor("grad_output"), "binary_cross_entropy_backward", crossEntropySlope[float32], crossEntropySlope[float64])
			if err != nil {
				return nil, err
			}
			g, err := a.weighted(outs[0], a.Tensor("weight"))
			if err != nil || a.Int("reduction") != meanReduction {
				return []*Tensor{g}, err
			}
			return a.binary(g, numberTensor(IntScalar(int64(x.Numel()))), g.dtype, &divKernel)
		},
		VJP: []Formula{
			{Input: "grad_output", Uses: "self target weight", Of: func(c *Ctx) *Tensor {
				x := c.Saved("self")
				g := x.Sub(c.Saved("target")).Div(x.AddScalar(bceEpsilon).Mul(from(1, x).AddScalar(bceEpsilon))).Mul(c.Grad())
				return perElement(withWeight(c, g), c.Args().Int("reduction"), x.Numel())
			}},
			{Input: "self", Uses: "grad_output self target weight", Of: bceDoubleBackward},
			{Input: "target", Uses: "grad_output self target weight", Of: func(c *Ctx) *Tensor {
				x := c.Saved("self")
				g := withWeight(c, c.Grad().Neg().Mul(c.Saved("grad_output")))
				return perElement(g.Div(from(1, x).Mul(x).ClampMin(bceEpsilon)), c.Args().Int("reduction"), x.Numel())
			}},
		},
	},
	{
		Schema: "binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, Tensor? pos_weight=None, int reduction=0) -> Tensor", In: Torch, Go: "-",
		Node: "BinaryCrossEntropyWithLogitsBackward0", Attrs: "reduction", JVP: sparseLossTangent,
		Forward: bceWithLogits,
		VJP: []Formula{
			{Input: "self", Uses: "self target weight pos_weight", Of: logitsGrad},
			{Input: "target", Uses: "self target weight pos_weight", Of: logitsTargetGrad},
		},
	},
	{
		Schema: "nn_functional_binary_cross_entropy(Tensor input, Tensor target, Tensor? weight=None, bool? size_average=None, bool? reduce=None, str reduction='mean') -> Tensor",
		In:     Functional, Go: "BinaryCrossEntropy",
		Compose: func(a *Args) ([]*Tensor, error) {
			reduction, err := a.reduction()
			if err != nil {
				return nil, err
			}
			x, y, w := a.Tensor("input"), a.Tensor("target"), a.Tensor("weight")
			if !sameSizes(x.sizes, y.sizes) {
				return nil, fail(ValueError, CodeShape, "Using a target size (%s) that is different to the input size (%s) is deprecated. Please ensure they have the same size.", sizeText(y), sizeText(x))
			}
			if w != nil {
				sizes, err := broadcastSizes(y.sizes, w.sizes)
				if err != nil {
					return nil, err
				}
				w = w.Expand(sizes)
			}
			return fnBinaryCrossEntropy.Call([]any{x, y, w, reduction})
		},
	},
	{
		Schema: "nn_functional_binary_cross_entropy_with_logits(Tensor input, Tensor target, Tensor? weight=None, bool? size_average=None, bool? reduce=None, str reduction='mean', Tensor? pos_weight=None) -> Tensor",
		In:     Functional, Go: "BinaryCrossEntropyWithLogits",
		Compose: func(a *Args) ([]*Tensor, error) {
			reduction, err := a.reduction()
			if err != nil {
				return nil, err
			}
			x, y := a.Tensor("input"), a.Tensor("target")
			if !sameSizes(x.sizes, y.sizes) {
				return nil, fail(ValueError, CodeShape, "Target size (%s) must be the same as input size (%s)", sizeText(y), sizeText(x))
			}
			return fnBinaryCrossEntropyWithLogits.Call([]any{x, y, a.Tensor("weight"), a.Tensor("pos_weight"), reduction})
		},
	},
}

// checkUnit checks that the elements are probabilities.
func checkUnit(name string, t *Tensor) error {
	ok := true
	t.eachFloat(func(x float64) { ok = ok && x >= 0 && x <= 1 })
	if !ok && t.dtype.IsFloat() {
		return fail(RuntimeError, CodeArgument, "all elements of %s should be between 0 and 1", name)
	}
	return nil
}

// weighted multiplies losses with a weight, which may be nil. It works in place
// if shapes and dtypes allow it.
func (a *Args) weighted(t, weight *Tensor) (*Tensor, error) {
	if weight == nil {
		return t, nil
	}
	sizes, err := broadcastSizes(t.sizes, weight.sizes)
	switch d := resultType(t, weight); {
	case err != nil:
		return nil, err
	case !sameSizes(sizes, t.sizes):
		return nil, fail(RuntimeError, CodeShape, "output with shape %s doesn't match the broadcast shape %s", shapeText(t.sizes), shapeText(sizes))
	case !canCast(d, t.dtype):
		return nil, castError(d, t.dtype)
	}
	outs, e := a.binary(t, weight, resultType(t, weight), &mulKernel)
	if e != nil {
		return nil, e
	}
	return as(outs[0], t.dtype), nil
}

func crossEntropy[T float](x, y T) T {
	log1m, log := max(log1p(-x), -100), max(T(math.Log(float64(x))), -100)
	return (y-1)*log1m - y*log
}

func crossEntropySlope[T float](x, y, g T) T { return g * (x - y) / max((1-x)*x, bceEpsilon) }

func bceGrad(c *Ctx, g *Tensor) *Tensor {
	return g.BinaryCrossEntropyBackward(c.Saved("self"), c.Saved("target"), Kw("weight", c.Saved("weight")), Kw("reduction", c.Args().Int("reduction")))
}

// bceTargetGrad is binary_cross_entropy_target_backward. Like PyTorch it works
// in place if it can, which shows in the version of the gradient.
func bceTargetGrad(c *Ctx) *Tensor {
	g := c.Saved("self").Logit()
	steps := []step{{op: fnNeg_}, {fnMul_, c.Grad()}}
	if w := c.Saved("weight"); w != nil {
		steps = append(steps, step{fnMul_, w})
	}
	return c.meanInPlace(g, "target", steps)
}

// A step is an in-place operator with its operand, or nil.
type step struct {
	op      *Operator
	operand any
}

// meanInPlace applies in-place operators to g. If the loss is a mean, it also
// divides g by the number of elements of a parameter.
func (c *Ctx) meanInPlace(g *Tensor, name string, steps []step) *Tensor {
	if c.Args().Int("reduction") == meanReduction {
		steps = append(steps, step{fnDivScalar_, numel(c.Shape(name))})
	}
	for _, s := range steps {
		args := []any{g}
		if s.operand != nil {
			args = append(args, s.operand)
		}
		if _, err := s.op.Call(args); err != nil {
			return errTensor(err)
		}
	}
	return g
}

func withWeight(c *Ctx, g *Tensor) *Tensor {
	if w := c.Saved("weight"); w != nil {
		return g.Mul(w)
	}
	return g
}

// bceDoubleBackward is binary_cross_entropy_double_backward.
func bceDoubleBackward(c *Ctx) *Tensor {
	x, y := c.Saved("self"), c.Saved("target")
	over := x.Mul(x).Sub(x.MulScalar(2).Mul(y)).Add(y)
	under := x.AddScalar(bceEpsilon).Pow(2).Mul(from(1, x).AddScalar(bceEpsilon).Pow(2))
	g := over.Div(under).Mul(c.Grad().Mul(c.Saved("grad_output")))
	return perElement(withWeight(c, g), c.Args().Int("reduction"), x.Numel())
}

// bceWithLogits computes (1 - y)·x - l·log(sigmoid(x)) with l = (p - 1)·y + 1,
// where p is pos_weight.
func bceWithLogits(a *Args) ([]*Tensor, error) {
	x, y, p := a.Self(), a.Tensor("target"), a.Tensor("pos_weight")
	logs, err := a.floatMap(x, "log_sigmoid_cpu", logOfSigmoid[float32], logOfSigmoid[float64])
	if err != nil {
		return nil, err
	}
	log := logs[0]
	if p != nil {
		l, err := a.floatMap2(p, y, "mul_cpu", positiveWeight[float32], positiveWeight[float64])
		if err != nil {
			return nil, err
		}
		if log, err = a.weighted(log, l[0]); err != nil {
			return nil, err
		}
	}
	d := resultType(x, y)
	if !canCast(d, y.dtype) {
		return nil, castError(d, y.dtype)
	}
	first, err := a.floatMap2(y, x, "mul_cpu", complementTimes[float32], complementTimes[float64])
	if err != nil {
		return nil, err
	}
	outs, err := a.binary(first[0], log, d, &subKernel)
	if err != nil {
		return nil, err
	}
	loss, err := a.weighted(as(outs[0], y.dtype), a.Tensor("weight"))
	if err != nil {
		return nil, err
	}
	return a.One(reduceLoss(loss, a.Int("reduction")))
}

func logOfSigmoid[T float](x T) T { return logSigmoid(x, expMinusAbs(x)) }

func positiveWeight[T float](p, y T) T { return (p-1)*y + 1 }

func complementTimes[T float](y, x T) T { return (1 - y) * x }

// logitsGrad is binary_cross_entropy_with_logits_backward. Except in a double
// backward it works in place, which shows in the version of the gradient.
func logitsGrad(c *Ctx) *Tensor {
	x, y := c.Saved("self"), c.Saved("target")
	w, p := c.Saved("weight"), c.Saved("pos_weight")
	if !gradMode() {
		return logitsGradInPlace(c, x, y, w, p)
	}
	var g *Tensor
	if p != nil {
		t := p.Mul(y)
		g = t.AddScalar(1).Sub(y).Mul(x.Sigmoid()).Sub(t)
	} else {
		g = x.Sigmoid().Sub(y)
	}
	g = g.Mul(c.Grad())
	if w != nil {
		g = g.Mul(w)
	}
	return perElement(g, c.Args().Int("reduction"), x.Numel())
}

func logitsGradInPlace(c *Ctx, x, y, w, p *Tensor) *Tensor {
	var g *Tensor
	var steps []step
	if p != nil {
		t := p.Mul(y)
		g, steps = t.AddScalar(1), []step{{fnSub_, y}, {fnMul_, x.Sigmoid()}, {fnSub_, t}}
	} else {
		g, steps = x.Sigmoid(), []step{{fnSub_, y}}
	}
	steps = append(steps, step{fnMul_, c.Grad()})
	if w != nil {
		steps = append(steps, step{fnMul_, w})
	}
	return c.meanInPlace(g, "self", steps)
}

// logitsTargetGrad is binary_cross_entropy_with_logits_target_backward.
func logitsTargetGrad(c *Ctx) *Tensor {
	x, p := c.Saved("self"), c.Saved("pos_weight")
	var steps []step
	var g *Tensor
	if p != nil {
		log := x.LogSigmoid()
		if err := log.Mul_(p); err != nil {
			return errTensor(err)
		}
		g, steps = x.Neg().LogSigmoid(), []step{{fnSub_, log}, {fnMul_, c.Grad()}}
	} else {
		g = x.Neg().Mul(c.Grad())
	}
	if w := c.Saved("weight"); w != nil {
		steps = append(steps, step{fnMul_, w})
	}
	return c.meanInPlace(g, "target", steps)
}
