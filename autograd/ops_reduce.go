package autograd

import "github.com/gradtui/gradtui/autograd/internal/kernel"

// Sums, means, products and logical reductions. reduce.go holds what all
// reductions share.
var reduceOps = []Op{
	{
		Schema: "sum(Tensor self, *, ScalarType? dtype=None) -> Tensor", Node: "SumBackward0", Certain: true, Predicted: ByValues, Attrs: "self_sym_sizes", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return a.sum(nil, false) },
		VJP:     []Formula{{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad().Expand(c.Shape("self")) }}},
	},
	{
		Schema: "sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
		Node:   "SumBackward1", Certain: true, Predicted: ByValues, Attrs: "dim keepdim self_sym_sizes", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return a.sum(a.Ints("dim"), a.Bool("keepdim")) },
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor {
			return expandReduced(c.Grad(), c.Shape("self"), c.Args().Ints("dim"), c.Args().Bool("keepdim"))
		}}},
	},
	{
		Schema: "nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
		Node:   "NansumBackward0", Attrs: "dim keepdim",
		Forward: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			dims, err := pickDims(a.Ints("dim"), len(t.sizes))
			if err != nil {
				return nil, err
			}
			return a.One(sumOf(withoutNaN(as(t, a.sumType(t))), dims, a.Bool("keepdim")))
		},
		VJP: []Formula{{Input: "self", Uses: "self", Of: func(c *Ctx) *Tensor {
			self := c.Saved("self")
			g := expandReduced(c.Grad().To(self.dtype), self.sizes, c.Args().Ints("dim"), c.Args().Bool("keepdim"))
			return g.Mul(self.Isnan().LogicalNot())
		}}},
		JVP: func(c *JCtx) ([]*Tensor, error) {
			t := c.Tangent("self")
			t = Where(c.Primal("self").Isnan(), zerosInFormula(nil, t.dtype), t)
			return c.args.One(t.Sum(c.args.options("dim", "keepdim", "dtype")...))
		},
	},
	{
		Schema: "mean(Tensor self, *, ScalarType? dtype=None) -> Tensor", Node: "MeanBackward0", Certain: true, Predicted: ByValues, Attrs: "self_sym_numel self_sym_sizes", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return a.mean(nil, false) },
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor {
			sizes := c.Shape("self")
			return c.Grad().Expand(sizes).DivScalar(numel(sizes))
		}}},
	},
	{
		Schema: "mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
		Node:   "MeanBackward1", Certain: true, Predicted: ByValues, Attrs: "dim keepdim self_sym_numel self_sym_sizes", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return a.mean(a.Ints("dim"), a.Bool("keepdim")) },
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor {
			return meanBackward(c.Grad(), c.Shape("self"), c.Args().Ints("dim"), c.Args().Bool("keepdim"))
		}}},
	},
	{
		Schema: "nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			if !t.dtype.IsFloat() {
				return nil, fail(RuntimeError, CodeDType, "nanmean(): expected input to have floating point or complex dtype but got %s", scalarTypeName(t.dtype))
			}
			count := t.Detach().Isnan().LogicalNot().Sum(a.options("dim", "keepdim")...)
			return a.One(t.Nansum(a.options("dim", "keepdim", "dtype")...).Div(count))
		},
	},
	{
		Schema: "prod(Tensor self, *, ScalarType? dtype=None) -> Tensor", Node: "ProdBackward0", Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			return a.prod(t, everyDim, false)
		},
		VJP: []Formula{{Input: "self", Uses: "result self", Of: func(c *Ctx) *Tensor {
			return productBackward(c.Grad(), c.Saved("self").To(c.Grad().dtype), c.Saved("result"))
		}}},
		JVP: func(c *JCtx) ([]*Tensor, error) {
			out := c.Out(0)
			g := productBackward(filled(nil, out.dtype, 1), c.Primal("self").To(out.dtype), out)
			return c.args.One(g.Mul(c.Tangent("self")).Sum())
		},
	},
	{
		Schema: "prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
		Node:   "ProdBackward1", Predicted: ByValues, Attrs: "dim keepdim",
		Forward: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			dim, err := wrapDim(a.Int("dim"), len(t.sizes))
			if err != nil {
				return nil, err
			}
			return a.prod(t, 1<<dim, a.Bool("keepdim"))
		},
		VJP: []Formula{{Input: "self", Uses: "result self", Of: func(c *Ctx) *Tensor {
			return productAlongBackward(c.Grad(), c.Saved("self").To(c.Grad().dtype), c.Saved("result"), c.Args().Int("dim"), c.Args().Bool("keepdim"))
		}}},
		JVP: func(c *JCtx) ([]*Tensor, error) {
			out, dim := c.Out(0), c.args.Int("dim")
			g := productAlongBackward(filled(out.sizes, out.dtype, 1), c.Primal("self").To(out.dtype), out, dim, c.args.Bool("keepdim"))
			return c.args.One(g.Mul(c.Tangent("self")).Sum(Dim(dim), Kw("keepdim", c.args.Bool("keepdim"))))
		},
	},
	{
		Schema:   "all(Tensor self) -> Tensor",
		OutDType: onlyBool, Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.truth(everyDim, false, kernel.All) },
	},
	{
		Schema:   "all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor",
		OutDType: onlyBool, Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.truthAlong(kernel.All) },
	},
	{
		Schema:   "all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor",
		OutDType: onlyBool, Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.truthOver(kernel.All) },
	},
	{
		Schema:   "any(Tensor self) -> Tensor",
		OutDType: onlyBool, Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.truth(everyDim, false, kernel.Any) },
	},
	{
		Schema:   "any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor",
		OutDType: onlyBool, Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.truthAlong(kernel.Any) },
	},
	{
		Schema:   "any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor",
		OutDType: onlyBool, Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.truthOver(kernel.Any) },
	},
	{
		Schema: "count_nonzero(Tensor self, int? dim=None) -> Tensor",
		Forward: func(a *Args) ([]*Tensor, error) {
			var dims []int
			if a.Has("dim") {
				dims = []int{a.Int("dim")}
			}
			return a.countNonzero(dims)
		},
	},
	{
		Schema: "count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor", Go: "-",
		Forward: func(a *Args) ([]*Tensor, error) { return a.countNonzero(a.Ints("dim")) },
	},
	{
		Schema: "trace(Tensor self) -> Tensor", Node: "TraceBackward0", Attrs: "self_sym_sizes", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			if len(t.sizes) != 2 {
				return nil, fail(RuntimeError, CodeShape, "trace: expected a matrix, but got tensor with dim %d", len(t.sizes))
			}
			if t.dtype == Bool {
				return nil, undefined("trace", Bool)
			}
			diagonal := t.shallow([]int{min(t.sizes[0], t.sizes[1])}, []int{t.strides[0] + t.strides[1]}, t.offset)
			return a.One(sumOf(as(diagonal, sumType(t.dtype)), everyDim, false))
		},
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor {
			sizes := c.Shape("self")
			g := zerosInFormula([]int{numel(sizes)}, c.Grad().dtype)
			places := fnArange.single(nil, 0, numel(sizes), sizes[1]+1)
			return mutated(g, func(t *Tensor) error { return t.IndexFill_(0, places, c.Grad()) }).View(sizes)
		}}},
	},
}

// sum adds the elements over some dimensions; an empty list means all
// dimensions.
func (a *Args) sum(dims []int, keepDim bool) ([]*Tensor, error) {
	t := a.Self()
	picked, err := pickDims(dims, len(t.sizes))
	if err != nil {
		return nil, err
	}
	return a.One(sumOf(as(t, a.sumType(t)), picked, keepDim))
}

// sumType returns the dtype in which a dtype is summed: int64 for integers.
func sumType(d DType) DType {
	if d.IsFloat() {
		return d
	}
	return Int64
}

// sumType returns the dtype of a sum: the argument dtype, or the default.
func (a *Args) sumType(t *Tensor) DType { return a.DType("dtype", sumType(t.dtype)) }

// sumOf adds the elements over some dimensions.
func sumOf(t *Tensor, dims dimSet, keepDim bool) *Tensor {
	if n := len(t.sizes); t.flags&contiguousFlag != 0 && !keepDim && dims.all(n) {
		return sumAll(t)
	}
	var p kernel.Plan
	out := reduction(t, dims, keepDim, t.dtype, &p)
	switch classOf(t.dtype) {
	case f32Class:
		kernel.Sum(&p, out.st.f32, t.st.f32)
	case f64Class:
		kernel.Sum(&p, out.st.other.f64, t.st.other.f64)
	case i64Class:
		kernel.SumInt(&p, out.st.other.i64, t.st.other.i64)
	default:
		kernel.Fold(&p, out.st.other.b, t.st.other.b, kernel.Any)
	}
	return rounded(out)
}

// sumAll returns the sum of a contiguous tensor.
func sumAll(t *Tensor) *Tensor {
	out := alloc(t.dtype, nil)
	b := kernel.Block{In: t.offset, N0: numel(t.sizes), N1: 1, In0: 1}
	switch classOf(t.dtype) {
	case f32Class:
		kernel.SumBlock(&b, out.st.f32, t.st.f32)
	case f64Class:
		kernel.SumBlock(&b, out.st.other.f64, t.st.other.f64)
	case i64Class:
		kernel.SumIntBlock(&b, out.st.other.i64, t.st.other.i64)
	default:
		out.st.other.b[0] = kernel.Any.Row(false, t.st.other.b, t.offset, 1, b.N0)
	}
	return rounded(out)
}

// withoutNaN returns a copy of t, with t's layout and zeros instead of NaN.
func withoutNaN(t *Tensor) *Tensor {
	if !t.dtype.IsFloat() || t.Numel() == 0 {
		return t
	}
	span := extent(t.sizes, t.strides)
	c := alloc(t.dtype, []int{span})
	if t.dtype == Float64 {
		dropNaN(c.st.other.f64, t.st.other.f64[t.offset:])
	} else {
		dropNaN(c.st.f32, t.st.f32[t.offset:])
	}
	return c.shallow(t.sizes, t.strides, 0)
}

func dropNaN[T float32 | float64](dst, x []T) {
	for i, e := range x[:len(dst)] {
		if e == e {
			dst[i] = e
		}
	}
}

// mean returns the sum divided by the number of elements. Half precision is
// computed in float32.
func (a *Args) mean(dims []int, keepDim bool) ([]*Tensor, error) {
	t := a.Self()
	d := a.DType("dtype", t.dtype)
	if !d.IsFloat() {
		what := "Input"
		if a.Has("dtype") {
			what = "Optional"
		}
		return nil, fail(RuntimeError, CodeDType, "mean(): could not infer output dtype. %s dtype must be either a floating point or complex dtype. Got: %s", what, scalarTypeName(d))
	}
	picked, err := pickDims(dims, len(t.sizes))
	if err != nil {
		return nil, err
	}
	return a.One(meanOf(as(t, d), picked, keepDim))
}

func meanOf(t *Tensor, dims dimSet, keepDim bool) *Tensor {
	d := t.dtype
	if narrow(d) {
		t = as(t, Float32)
	}
	n := 1
	for i, s := range t.sizes {
		if dims.has(i) {
			n *= s
		}
	}
	out := sumOf(t, dims, keepDim)
	if d == Float64 {
		divide(elements[float64](out), float64(n))
	} else {
		divide(elements[float32](out), float32(n))
	}
	return as(out, d)
}

func divide[T float32 | float64](x []T, n T) {
	for i := range x {
		x[i] /= n
	}
}

func meanBackward(g *Tensor, sizes, dims []int, keepDim bool) *Tensor {
	n := numel(sizes)
	if len(dims) > 0 {
		n = countReduced(sizes, dims)
	}
	return expandReduced(g, sizes, dims, keepDim).DivScalar(n)
}

// countReduced returns the number of elements in a reduction over some
// dimensions (_safe_size).
func countReduced(sizes, dims []int) int {
	n := 1
	if len(sizes) > 0 {
		for _, d := range dims {
			if d < 0 {
				d += len(sizes)
			}
			n *= sizes[d]
		}
	}
	return n
}

var prodKernel = foldKernel{
	name: "prod_cpu",
	f32:  kernel.Product[float32](8), f64: kernel.Product[float64](4), i64: kernel.Product[int64](4), b: kernel.All,
}

func (a *Args) prod(t *Tensor, dims dimSet, keepDim bool) ([]*Tensor, error) {
	out, err := fold(as(t, a.sumType(t)), dims, keepDim, &prodKernel)
	if err != nil {
		return nil, err
	}
	return a.One(out)
}

// productBackward divides the product by each factor. If a factor is zero, it
// multiplies the others instead.
func productBackward(g, x, result *Tensor) *Tensor {
	switch {
	case len(x.sizes) == 0:
		return g
	case x.err != nil || zeros(x) == 0:
		return g.Mul(result.Div(x))
	case !gradMode() && zeros(x) > 1:
		return x.ZerosLike()
	}
	return prodWithZeros(g, x.Contiguous().View([]int{-1}), 0).ViewAs(x)
}

func productAlongBackward(g, x, result *Tensor, dim int, keepDim bool) *Tensor {
	if len(x.sizes) == 0 {
		return g
	}
	dim, err := wrapDim(dim, len(x.sizes))
	if err != nil {
		return errTensor(err)
	}
	if !keepDim {
		g, result = g.Unsqueeze(dim), result.Unsqueeze(dim)
	}
	if x.err != nil || zeros(x) == 0 {
		return g.Mul(result.Div(x))
	}
	return prodWithZeros(g, x, dim)
}

// prodWithZeros multiplies, for each element, the elements before it with the
// elements after it.
func prodWithZeros(g, x *Tensor, dim int) *Tensor {
	n := x.sizes[dim]
	if n == 1 {
		return g
	}
	ones := Ones(with(without(x.sizes, dim), dim, 1), WithDType(g.dtype))
	before := Cat([]*Tensor{ones, x.Narrow(dim, 0, n-1)}, Dim(dim)).Cumprod(dim)
	after := Cat([]*Tensor{ones, x.Narrow(dim, 1, n-1).Flip([]int{dim})}, Dim(dim)).Cumprod(dim).Flip([]int{dim})
	return g.Mul(before.Mul(after))
}

// zeros returns the number of zero elements.
func zeros(t *Tensor) int {
	n := 0
	t.eachFloat(func(x float64) {
		if x == 0 {
			n++
		}
	})
	return n
}

// truth reduces to bool, or to uint8 if self is uint8.
func (a *Args) truth(dims dimSet, keepDim bool, f *kernel.Folding[bool]) ([]*Tensor, error) {
	t := a.Self()
	if len(t.sizes) > 64 {
		return nil, fail(RuntimeError, CodeShape, "only tensors with up to 64 dims are supported")
	}
	out, err := fold(as(t, Bool), dims, keepDim, &foldKernel{b: f})
	if err != nil {
		return nil, err
	}
	if t.dtype == UInt8 {
		out = as(out, UInt8)
	}
	return a.One(out)
}

func (a *Args) truthAlong(f *kernel.Folding[bool]) ([]*Tensor, error) {
	dim, err := wrapDim(a.Int("dim"), len(a.Self().sizes))
	if err != nil {
		return nil, err
	}
	return a.truth(1<<dim, a.Bool("keepdim"), f)
}

// truthOver reduces over a list of dimensions. None means all dimensions, an
// empty list none.
func (a *Args) truthOver(f *kernel.Folding[bool]) ([]*Tensor, error) {
	dims := everyDim
	if a.Has("dim") {
		var err *Error
		if dims, err = pickDims(a.Ints("dim"), len(a.Self().sizes)); err != nil {
			return nil, err
		}
		if len(a.Ints("dim")) == 0 {
			dims = 0
		}
	}
	return a.truth(dims, a.Bool("keepdim"), f)
}

func (a *Args) countNonzero(dims []int) ([]*Tensor, error) {
	t := a.Self()
	picked, err := pickDims(dims, len(t.sizes))
	if err != nil {
		return nil, err
	}
	return a.One(sumOf(as(as(t, Bool), Int64), picked, false))
}
