package autograd

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// Norms of vectors and matrices.
var normOps = []Op{
	{
		Schema: "linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", In: Linalg,
		Node: "LinalgVectorNormBackward0", Attrs: "ord dim keepdim",
		Forward: func(a *Args) ([]*Tensor, error) { return a.vectorNorm(a.Scalar("ord")) },
		VJP: []Formula{{Input: "self", Uses: "result self", Of: func(c *Ctx) *Tensor {
			return normBackward(c.Grad(), c.Saved("self"), c.Saved("result"), c.Args().Float("ord"), c.Args().Ints("dim"), c.Args().Bool("keepdim"))
		}}},
		JVP: func(c *JCtx) ([]*Tensor, error) { return c.args.One(normTangentOf(c, c.args.Float("ord"))) },
	},
	{
		Schema: "norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor", In: Hidden, Go: "-",
		Node: "NormBackward1", OutDType: expectedOutDType, Attrs: "p dim keepdim",
		Forward: func(a *Args) ([]*Tensor, error) { return a.vectorNorm(a.orderOf("p")) },
		VJP: []Formula{{Input: "self", Uses: "result self", Of: func(c *Ctx) *Tensor {
			return normBackward(c.Grad(), c.Saved("self"), c.Saved("result"), c.Args().orderOf("p").Float(), c.Args().Ints("dim"), c.Args().Bool("keepdim"))
		}}},
		JVP: func(c *JCtx) ([]*Tensor, error) { return c.args.One(normTangentOf(c, c.args.orderOf("p").Float())) },
	},
	{
		Schema: "norm.all(Tensor self, Scalar p=2) -> Tensor", In: Hidden, Go: "-",
		Node: "NormBackward0", OutDType: expectedOutDType, Attrs: "p",
		Forward: func(a *Args) ([]*Tensor, error) { return a.One(normOf(a.Self(), everyDim, false, a.Float("p"))) },
		VJP: []Formula{{Input: "self", Uses: "result self", Of: func(c *Ctx) *Tensor {
			return normBackward(c.Grad(), c.Saved("self"), c.Saved("result"), c.Args().Float("p"), nil, false)
		}}},
		JVP: func(c *JCtx) ([]*Tensor, error) {
			return c.args.One(normTangent(c.Primal("self"), c.Tangent("self"), c.Out(0), c.args.Float("p"), nil, false))
		},
	},
	{
		Schema:   "norm.str(Tensor self, str? p='fro', int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
		OutDType: expectedOutDType, Predicted: ByValues,
		Compose: func(a *Args) ([]*Tensor, error) {
			t, opts := a.Self(), a.options("dim", "keepdim", "dtype")
			switch p := a.Str("p"); {
			case p == "nuc" && !a.Has("dim"):
				return a.One(t.LinalgMatrixNorm(append(a.options("keepdim", "dtype"), Kw("ord", "nuc"), Dim(-2, -1))...))
			case p == "nuc":
				return a.One(t.LinalgMatrixNorm(append(opts, Kw("ord", "nuc"))...))
			case a.Has("p") && p != "fro":
				return nil, noMatrixNorm(p)
			}
			return a.One(t.LinalgVectorNorm(append(opts, Kw("ord", 2))...))
		},
	},
	{
		Schema:   "norm.Scalar(Tensor self, Scalar p, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
		OutDType: expectedOutDType, Predicted: ByValues,
		Compose: func(a *Args) ([]*Tensor, error) {
			return a.One(a.Self().LinalgVectorNorm(append(a.options("dim", "keepdim", "dtype"), Kw("ord", a.Scalar("p")))...))
		},
	},
	{
		Schema: "renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor", Node: "RenormBackward0", InPlace: true, OutDType: expectedOutDType, Attrs: "p dim maxnorm",
		Forward: func(a *Args) ([]*Tensor, error) { return a.renorm() },
		VJP: []Formula{{Input: "self", Uses: "self", Of: func(c *Ctx) *Tensor {
			return renormBackward(c.Grad(), c.Saved("self"), c.Args())
		}}},
		JVP: func(c *JCtx) ([]*Tensor, error) { return c.args.One(renormTangent(c)) },
	},
}

// orderOf returns the order of a norm, by default 2.
func (a *Args) orderOf(name string) Scalar {
	if a.Has(name) {
		return a.Scalar(name)
	}
	return IntScalar(2)
}

// checkFloating is PyTorch's checkFloatingOrComplex.
func checkFloating(name string, t *Tensor) *Error {
	if !t.dtype.IsFloat() {
		return fail(RuntimeError, CodeDType, "%s: Expected a floating point or complex tensor as input. Got %s", name, scalarTypeName(t.dtype))
	}
	return nil
}

func checkNormType(name string, t *Tensor, d DType) *Error {
	switch {
	case !d.IsFloat():
		return fail(RuntimeError, CodeDType, "%s: dtype should be floating point or complex, but got %s", name, scalarTypeName(d))
	case promote(t.dtype, d) != d:
		return fail(RuntimeError, CodeDType, "%s: the dtype of the input (%s) should be convertible without narrowing to the specified dtype (%s)", name, scalarTypeName(t.dtype), scalarTypeName(d))
	}
	return nil
}

func (a *Args) vectorNorm(order Scalar) ([]*Tensor, error) {
	const name = "linalg.vector_norm"
	t, ord, list := a.Self(), order.Float(), a.Ints("dim")
	if err := checkFloating(name, t); err != nil {
		return nil, err
	}
	dims, err := pickDims(list, len(t.sizes))
	if err == nil && t.Numel() == 0 && (ord < 0 || math.IsInf(ord, 1)) {
		err = normOfNothing(t, order, list)
	}
	d := t.dtype
	if a.op.param("dtype") >= 0 {
		if d = a.DType("dtype", d); err == nil {
			err = checkNormType(name, t, d)
		}
	}
	if err != nil {
		return nil, err
	}
	return a.One(normOf(as(t, d), dims, a.Bool("keepdim"), ord))
}

// normOf computes the p-norm over some dimensions.
func normOf(t *Tensor, dims dimSet, keepDim bool, p float64) *Tensor {
	var plan kernel.Plan
	out := reduction(t, dims, keepDim, t.dtype, &plan)
	switch {
	case t.Numel() == 0:
		if p < 0 {
			out.fill(FloatScalar(math.Inf(1)))
		}
	case t.dtype == Float64:
		kernel.Norm(&plan, out.st.other.f64, t.st.other.f64, p)
	default:
		kernel.Norm(&plan, out.st.f32, t.st.f32, p)
	}
	return rounded(out)
}

// normOfNothing returns an error for norms that are undefined for an empty set
// of elements.
func normOfNothing(t *Tensor, order Scalar, dims []int) *Error {
	if len(dims) == 0 {
		return fail(RuntimeError, CodeShape, "linalg.vector_norm cannot compute the %s norm on an empty tensor because the operation does not have an identity", streamed(order))
	}
	for _, d := range dims {
		if n, _ := lineAt(t, d); n == 0 {
			return fail(RuntimeError, CodeShape, "linalg.vector_norm cannot compute the %s norm on the dimension %dbecause this dimension is empty and the operation does not have an identity", streamed(order), d)
		}
	}
	return nil
}

// normBackward returns the gradient of a p-norm (norm_backward). It is 0 where
// the norm is 0.
func normBackward(g, self, norm *Tensor, p float64, dims []int, keepDim bool) *Tensor {
	g, norm = unreduce(g, self.sizes, dims, keepDim), unreduce(norm, self.sizes, dims, keepDim)
	switch {
	case p == 0:
		return nil
	case p == 1:
		return self.Sgn().Mul(g)
	case p == 2:
		return g.Mul(zeroWhere(self.Div(norm), norm.Eq(0)))
	case math.IsInf(p, 0):
		size := self.Abs()
		mask := size.Eq(norm).LogicalOr(size.Isnan())
		return self.Sgn().Mul(g.Div(mask.Sum(Kw("dim", dims), KeepDim)).Mul(mask))
	case p < 1:
		scaled := self.Sgn().Mul(zeroWhere(self.Abs().Pow(p-1), self.Eq(0)))
		return scaled.Mul(g).Mul(norm.Pow(1 - p))
	case p < 2:
		return self.Sgn().Mul(self.Abs().Pow(p - 1)).Mul(zeroWhere(g.Div(norm.Pow(p-1)), norm.Eq(0)))
	}
	return self.Mul(self.Abs().Pow(p - 2)).Mul(zeroWhere(g.Div(norm.Pow(p-1)), norm.Eq(0)))
}

// zeroWhere sets the masked elements of t to 0, in place.
func zeroWhere(t, mask *Tensor) *Tensor {
	return mutated(t, func(t *Tensor) error { return t.MaskedFill_(mask, 0) })
}

func normTangentOf(c *JCtx, p float64) *Tensor {
	return normTangent(c.Primal("self"), c.Tangent("self"), c.Out(0), p, c.args.Ints("dim"), c.args.Bool("keepdim"))
}

// normTangent returns the derivative of a p-norm in direction t (norm_jvp).
func normTangent(self, t, norm *Tensor, p float64, dims []int, keepDim bool) *Tensor {
	over := []Option{Kw("dim", dims), Kw("keepdim", keepDim)}
	switch {
	case p == 0:
		return norm.ZerosLike()
	case p == 1:
		return self.Sgn().Mul(t).Sum(over...)
	case p == 2:
		return zeroWhere(self.Mul(t).Sum(over...).Div(norm), norm.Eq(0))
	case math.IsInf(p, 0):
		full := unreduce(norm, self.sizes, dims, keepDim)
		mask := self.Abs().Eq(full).LogicalOr(self.Isnan().LogicalAnd(full.Isnan())).To(norm.dtype)
		count := mask.Sum(Kw("dim", dims), KeepDim)
		return self.Sgn().Mul(t).Mul(mask).Div(count).Sum(over...)
	case p < 1:
		powers := zeroWhere(self.Abs().Pow(p-1), self.Eq(0))
		return powers.Mul(self.Sgn().Mul(t)).Sum(over...).Mul(norm.Pow(1 - p))
	case p < 2:
		sum := self.Abs().Pow(p - 1).Mul(self.Sgn().Mul(t)).Sum(over...)
		return sum.Div(norm.Pow(p-1)).MaskedFill(norm.Eq(0), 0)
	}
	sum := self.Abs().Pow(p - 2).Mul(self.Mul(t)).Sum(over...)
	return sum.Div(norm.Pow(p-1)).MaskedFill(norm.Eq(0), 0)
}

// renorm scales down the slices along a dimension whose norm is too large.
func (a *Args) renorm() ([]*Tensor, error) {
	t, p, most := a.Self(), a.Float("p"), a.Float("maxnorm")
	switch {
	case p <= 0:
		return nil, fail(RuntimeError, CodeArgument, "renorm: non-positive-norm not supported")
	case most < 0:
		return nil, fail(RuntimeError, CodeArgument, "renorm: expected maxnorm to be >= 0 but got %s", streamed(FloatScalar(most)))
	case len(t.sizes) < 2:
		return nil, fail(RuntimeError, CodeShape, "renorm: input needs at least 2 dimensions, got %d dimensions", len(t.sizes))
	}
	dim, err := wrapDim(a.Int("dim"), len(t.sizes))
	if err == nil {
		err = checkFloating("linalg.vector_norm", t)
	}
	if err != nil {
		return nil, err
	}
	factors := normOf(t, ^(1 << dim), true, p)
	if t.dtype == Float64 {
		renormFactors(elements[float64](factors), most)
	} else {
		renormFactors(elements[float32](factors), float32(most))
	}
	return a.binary(t, factors, t.dtype, &mulKernel)
}

func renormFactors[T float32 | float64](norms []T, most T) {
	for i, n := range norms {
		norms[i] = 1
		if n > most {
			norms[i] = most / (n + 1e-7)
		}
	}
}

// otherDims returns the dimensions of a tensor except some.
func otherDims(rank int, but ...int) []int {
	var dims []int
	for d := range rank {
		if !slices.Contains(but, d) && !slices.Contains(but, d-rank) {
			dims = append(dims, d)
		}
	}
	return dims
}

// renormBackward computes in float64, as PyTorch does (renorm_backward).
func renormBackward(g, self *Tensor, a *Args) *Tensor {
	dims, p, most := otherDims(len(self.sizes), a.Int("dim")), a.Float("p"), a.Scalar("maxnorm")
	over := []Option{Kw("dim", dims), KeepDim, WithDType(Float64)}
	norm := self.LinalgVectorNorm(append(over, Kw("ord", a.Scalar("p")))...)
	inner := self.Mul(g).Sum(over...)
	inverse := norm.AddScalar(1e-7).Reciprocal()
	scaled := inverse.MulScalar(most).Mul(g.Sub(inverse.Mul(normBackward(inner, self, norm, p, dims, true))))
	return Where(norm.Gt(most), scaled.To(g.dtype), g)
}

// renormTangent is renorm_jvp.
func renormTangent(c *JCtx) *Tensor {
	self, t, a := c.Primal("self"), c.Tangent("self"), c.args
	dims, p, most := otherDims(len(self.sizes), a.Int("dim")), a.Float("p"), a.Scalar("maxnorm")
	norm := self.LinalgVectorNorm(Kw("ord", a.Scalar("p")), Kw("dim", dims), KeepDim, WithDType(Float64))
	inverse := norm.AddScalar(1e-7).Reciprocal()
	change := normTangent(self, t, norm, p, dims, true)
	scaled := inverse.MulScalar(most).Mul(t.Sub(self.Mul(inverse).Mul(change)))
	return Where(norm.Gt(most), scaled.To(t.dtype), t)
}

// streamed formats a number as a C++ stream does.
func streamed(s Scalar) string {
	if !s.IsFloat() {
		return strconv.FormatInt(s.Int(), 10)
	}
	return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(s.Float(), 'g', 6, 64), "+"))
}
