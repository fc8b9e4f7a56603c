package autograd

import (
	"math"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// Variance and standard deviation.
var statOps = slices.Concat(
	withUnbiased(Op{
		Schema: "var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor",
		Node:   "VarBackward0", Predicted: ByValues, Attrs: "correction dim keepdim",
		Forward: func(a *Args) ([]*Tensor, error) { return a.variance(false, false) },
		VJP: []Formula{{Input: "self", Uses: "self", Of: func(c *Ctx) *Tensor {
			return varBackward(c.Grad(), c.Saved("self"), c.Args(), c.Args().Bool("keepdim"))
		}}},
		JVP: func(c *JCtx) ([]*Tensor, error) { return []*Tensor{varTangent(c)}, nil },
	}),
	withUnbiased(Op{
		Schema: "std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor",
		Node:   "StdBackward0", Predicted: ByValues, Attrs: "correction dim keepdim",
		Forward: func(a *Args) ([]*Tensor, error) { return a.variance(true, false) },
		VJP: []Formula{{Input: "self", Uses: "result self", Of: func(c *Ctx) *Tensor {
			return stdBackward(c.Grad(), c.Saved("result"), c.Saved("self"), c.Args())
		}}},
		JVP: func(c *JCtx) ([]*Tensor, error) { return []*Tensor{stdTangent(c)}, nil },
	}),
	withUnbiased(Op{
		Schema: "var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)",
		Node:   "VarMeanBackward0", Attrs: "correction dim keepdim",
		Forward: func(a *Args) ([]*Tensor, error) { return a.variance(false, true) },
		VJP: []Formula{{Input: "self", Uses: "self", Of: func(c *Ctx) *Tensor {
			var g *Tensor
			if c.Grad() != nil {
				g = varBackward(c.Grad(), c.Saved("self"), c.Args(), c.Args().Bool("keepdim"))
			}
			return addMeanGradient(g, c)
		}}},
		JVP: func(c *JCtx) ([]*Tensor, error) { return []*Tensor{varTangent(c), meanTangent(c)}, nil },
	}),
	withUnbiased(Op{
		Schema: "std_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)",
		Node:   "StdMeanBackward0", Attrs: "correction dim keepdim",
		Forward: func(a *Args) ([]*Tensor, error) { return a.variance(true, true) },
		VJP: []Formula{{Input: "self", Uses: "result0 self", Of: func(c *Ctx) *Tensor {
			var g *Tensor
			if c.Grad() != nil {
				g = stdBackward(c.Grad(), c.Saved("result0"), c.Saved("self"), c.Args())
			}
			return addMeanGradient(g, c)
		}}},
		JVP: func(c *JCtx) ([]*Tensor, error) { return []*Tensor{stdTangent(c), meanTangent(c)}, nil },
	}),
)

// withUnbiased adds the overloads in which the flag unbiased selects correction
// 0 or 1, in the order in which PyTorch tries them.
func withUnbiased(o Op) []Op {
	name, _, _ := strings.Cut(o.Schema, ".")
	_, results, _ := strings.Cut(o.Schema, "->")
	op := declare(name)
	compose := func(a *Args) ([]*Tensor, error) {
		correction := 0
		if a.Bool("unbiased") {
			correction = 1
		}
		opts := []Option{Kw("correction", correction)}
		if a.op.param("dim") >= 0 {
			opts = append(opts, Kw("dim", a.value("dim").x), Kw("keepdim", a.Bool("keepdim")))
		}
		return op.call(asMethod, []any{a.Self()}, opts)
	}
	return []Op{
		{Schema: name + ".dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) ->" + results, Go: "-", Predicted: o.Predicted, Compose: compose},
		o,
		{Schema: name + "(Tensor self, bool unbiased=True) ->" + results, Go: "-", Predicted: o.Predicted, Compose: compose},
	}
}

// correction returns the number that is subtracted from the number of elements,
// by default 1.
func (a *Args) correction() float64 {
	if a.Has("correction") {
		return a.Float("correction")
	}
	return 1
}

// variance computes the variance or its root, and optionally the mean.
func (a *Args) variance(root, withMean bool) ([]*Tensor, error) {
	t, keep := a.Self(), a.Bool("keepdim")
	if !t.dtype.IsFloat() {
		name := "std and var"
		if withMean {
			name = a.name
		}
		return nil, fail(RuntimeError, CodeDType, "%s only support floating point and complex dtypes", name)
	}
	dims, err := pickDims(a.Ints("dim"), len(t.sizes))
	if err != nil {
		return nil, err
	}
	var p kernel.Plan
	out := reduction(t, dims, keep, t.dtype, &p)
	means := allocLike(out, t.dtype)
	v := kernel.Variance{Correction: a.correction(), Root: root}
	if count := t.Numel() / max(out.Numel(), 1); float64(count) <= v.Correction {
		warnFrom("./aten/src/ATen/native/ReduceOps.cpp:1831", a.name+"(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor (input numel divided by output numel).")
	}
	switch {
	case t.Numel() == 0:
		out.fill(FloatScalar(math.NaN()))
		means.fill(FloatScalar(math.NaN()))
	case t.dtype == Float64:
		runVariance(&v, &p, out.st.other.f64, means.st.other.f64, t, withMean)
	default:
		runVariance(&v, &p, out.st.f32, means.st.f32, t, withMean)
	}
	if !withMean {
		return a.One(rounded(out))
	}
	return []*Tensor{rounded(out), rounded(means)}, nil
}

func runVariance[T float32 | float64](v *kernel.Variance, p *kernel.Plan, out, means []T, t *Tensor, withMean bool) {
	if len(out) > 1 || withMean || narrow(t.dtype) {
		kernel.Variances(v, p, out, means, data[T](t.st))
		return
	}
	mean := meanOf(t, everyDim, false)
	out[0] = kernel.VarianceAround(v, p, data[T](t.st), mean.float(mean.offset))
}

// varBackward returns the gradient of a variance over the dimensions in a.
func varBackward(g, self *Tensor, a *Args, keepDim bool) *Tensor {
	dims := a.Ints("dim")
	if len(self.sizes) == 0 || !a.Has("dim") {
		if free := float64(self.Numel()) - a.correction(); free > 0 {
			return g.MulScalar(2 / free).Mul(self.Sub(self.Mean()))
		}
		nan, inf := filled(nil, self.dtype, math.NaN()), filled(nil, self.dtype, math.Inf(1))
		return g.Mul(Where(self.Eq(self.Mean()), nan, inf))
	}
	if len(self.sizes) > 1 {
		g = unreduce(g, self.sizes, dims, keepDim)
	}
	free := float64(countReduced(self.sizes, dims)) - a.correction()
	return g.MulScalar(2 / free).Mul(self.Sub(self.Mean(Kw("dim", dims), KeepDim)))
}

func stdBackward(g, result, self *Tensor, a *Args) *Tensor {
	g = g.Div(result.MulScalar(2))
	return varBackward(zeroWhere(g, result.Eq(0)), self, a, a.Bool("keepdim"))
}

// addMeanGradient adds the gradient through the mean.
func addMeanGradient(g *Tensor, c *Ctx) *Tensor {
	if c.GradAt(1) == nil {
		return g
	}
	mean := meanBackward(c.GradAt(1), c.Saved("self").sizes, c.Args().Ints("dim"), c.Args().Bool("keepdim"))
	if g == nil {
		return mean
	}
	return g.Add(mean)
}

// varTangent returns the derivative of the variance in the direction of the
// tangent: the sum, over the elements, of gradient times tangent.
func varTangent(c *JCtx) *Tensor {
	a := c.args
	each := varBackward(c.Tangent("self"), c.Primal("self"), a, true)
	return each.Sum(Kw("dim", a.Ints("dim")), Kw("keepdim", a.Bool("keepdim")))
}

func stdTangent(c *JCtx) *Tensor {
	std := c.Out(0)
	return zeroWhere(varTangent(c).Div(std.MulScalar(2)), std.Eq(0))
}

func meanTangent(c *JCtx) *Tensor { return c.Tangent("self").Mean(c.args.options("dim", "keepdim")...) }
