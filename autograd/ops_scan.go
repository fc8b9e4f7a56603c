package autograd

import (
	"math"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// Cumulative operators, differences and integrals.
var scanOps = []Op{
	{
		Schema: "cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
		Node:   "CumsumBackward0", InPlace: true, Predicted: ByValues, Attrs: "dim", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return a.scan(&cumsumKernel) },
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor {
			g, dim := c.Grad().To(c.DTypeOf("self")), c.Args().Int("dim")
			if n, _ := lineAt(g, dim); g.Numel() <= 1 || n == 1 {
				return g
			}
			return reversedCumsum(g, dim)
		}}},
	},
	{
		Schema: "cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
		Node:   "CumprodBackward0", InPlace: true, Predicted: ByValues, Attrs: "dim",
		Forward: func(a *Args) ([]*Tensor, error) { return a.scan(&cumprodKernel) },
		VJP: []Formula{{Input: "self", Uses: "result self", Of: func(c *Ctx) *Tensor {
			self := c.Saved("self")
			return cumprodBackward(c.Grad().To(self.dtype), self, c.Saved("result"), c.Args().Int("dim"))
		}}},
		JVP: cumprodTangent,
	},
	{
		Schema: "logcumsumexp(Tensor self, int dim) -> Tensor", Node: "LogcumsumexpBackward0", OutDType: expectedScalarType, Attrs: "dim",
		Forward: func(a *Args) ([]*Tensor, error) { return a.scan(&logcumsumexpKernel) },
		VJP: []Formula{{Input: "self", Uses: "result self", Of: func(c *Ctx) *Tensor {
			return logcumsumexpBackward(c.Grad(), c.Saved("self"), c.Saved("result"), c.Args().Int("dim"))
		}}},
		JVP: func(c *JCtx) ([]*Tensor, error) {
			self, dim := c.Primal("self"), c.args.Int("dim")
			high, _ := self.MaxDim(dim, KeepDim)
			e := self.Sub(high).Exp()
			return c.args.One(e.Mul(c.Tangent("self")).Cumsum(dim).Div(e.Cumsum(dim).Add(1e-13)))
		},
	},
	{
		Schema: "cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)", Node: "CummaxBackward0", OutDType: expectedScalarType, Constant: "indices", Attrs: "dim",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.scanExtremes(kernel.CumMax[float32], kernel.CumMax[float64], kernel.CumMax[int64])
		},
		VJP: cumExtremeVJP, JVP: cumExtremeTangent,
	},
	{
		Schema: "cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)", Node: "CumminBackward0", OutDType: expectedScalarType, Constant: "indices", Attrs: "dim",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.scanExtremes(kernel.CumMin[float32], kernel.CumMin[float64], kernel.CumMin[int64])
		},
		VJP: cumExtremeVJP, JVP: cumExtremeTangent,
	},
	{
		Schema:  "diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) { return a.differences() },
	},
	{
		Schema:  "trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor",
		Aliases: "trapz",
		Compose: func(a *Args) ([]*Tensor, error) { return a.trapezoid(false) },
	},
	{
		Schema:  "trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor",
		Aliases: "trapz",
		Compose: func(a *Args) ([]*Tensor, error) { return a.trapezoid(false) },
	},
	{
		Schema:  "cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) { return a.trapezoid(true) },
	},
	{
		Schema:  "cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) { return a.trapezoid(true) },
	},
}

// A scanKernel is a cumulative operator, for each class of elements.
type scanKernel struct {
	f32 kernel.Scan[float32]
	f64 kernel.Scan[float64]
	i64 kernel.Scan[int64] // nil: not defined
}

var (
	cumsumKernel       = scanKernel{kernel.CumSum[float32], kernel.CumSum[float64], kernel.CumSumInt}
	cumprodKernel      = scanKernel{kernel.CumProd[float32], kernel.CumProd[float64], kernel.CumProdInt}
	logcumsumexpKernel = scanKernel{kernel.LogCumSumExp[float32], kernel.LogCumSumExp[float64], nil}
)

func (a *Args) scan(k *scanKernel) ([]*Tensor, error) {
	t := a.Self()
	dim, err := wrapDim(a.Int("dim"), len(t.sizes))
	if err != nil {
		return nil, err
	}
	switch {
	case k.i64 == nil && !t.dtype.IsFloat():
		return nil, undefined(a.op.schema.Name+"_out_cpu", t.dtype)
	case k.i64 != nil && a.inPlace:
		t = as(t, a.DType("dtype", t.dtype))
	case k.i64 != nil:
		t = as(t, a.sumType(t))
	}
	out := alloc(t.dtype, t.sizes)
	switch classOf(t.dtype) {
	case f32Class:
		runScan(out, t, dim, k.f32)
	case f64Class:
		runScan(out, t, dim, k.f64)
	case i64Class:
		runScan(out, t, dim, k.i64)
	default:
		return nil, undefined(a.op.schema.Name+"_out_cpu", t.dtype)
	}
	return a.One(rounded(out))
}

func runScan[T element](out, t *Tensor, dim int, f kernel.Scan[T]) {
	n, step := lineOf(t, dim)
	_, by := lineOf(out, dim)
	d, x := data[T](out.st), data[T](t.st)
	eachLine(t, dim, func(at *[kernel.Max]int) { f(d, x, at[1], by, at[0], step, n) }, out)
}

// An extremeScan is a cumulative maximum or minimum along a line.
type extremeScan[T element] func(d []T, index []int64, x []T, to, by, at, step, n int)

func (a *Args) scanExtremes(f32 extremeScan[float32], f64 extremeScan[float64], i64 extremeScan[int64]) ([]*Tensor, error) {
	t := a.Self()
	dim, err := wrapDim(a.Int("dim"), len(t.sizes))
	if err != nil {
		return nil, err
	}
	d := t.dtype
	if d == Bool {
		t = as(t, Int64)
	}
	values, indices := alloc(t.dtype, t.sizes), alloc(Int64, t.sizes)
	switch classOf(t.dtype) {
	case f32Class:
		runExtremeScan(values, indices, t, dim, f32)
	case f64Class:
		runExtremeScan(values, indices, t, dim, f64)
	default:
		runExtremeScan(values, indices, t, dim, i64)
	}
	return []*Tensor{as(values, d), indices}, nil
}

func runExtremeScan[T element](values, indices, t *Tensor, dim int, f extremeScan[T]) {
	n, step := lineOf(t, dim)
	_, by := lineOf(values, dim)
	d, x := data[T](values.st), data[T](t.st)
	eachLine(t, dim, func(at *[kernel.Max]int) { f(d, indices.st.other.i64, x, at[1], by, at[0], step, n) }, values)
}

// lineAt is lineOf for a dimension that may be negative.
func lineAt(t *Tensor, dim int) (n, step int) {
	if dim < 0 {
		dim += len(t.sizes)
	}
	return lineOf(t, dim)
}

func reversedCumsum(t *Tensor, dim int) *Tensor {
	return t.Flip([]int{dim}).Cumsum(dim).Flip([]int{dim})
}

// cumExtremeVJP sums the gradients at the elements that were the extreme
// (cummaxmin_backward).
var cumExtremeVJP = []Formula{{Input: "self", Uses: "indices self", Of: func(c *Ctx) *Tensor {
	g, self := c.Grad(), c.Saved("self")
	if self.err != nil || self.Numel() == 0 {
		return self
	}
	out := zerosInFormula(self.sizes, g.dtype)
	return mutated(out, func(t *Tensor) error { return t.ScatterAdd_(c.Args().Int("dim"), c.Saved("indices"), g) })
}}}

func cumExtremeTangent(c *JCtx) ([]*Tensor, error) {
	return []*Tensor{c.Tangent("self").Gather(c.args.Int("dim"), c.Out(1))}, nil
}

// logcumsumexpBackward treats positive and negative gradients separately,
// because it works with their logarithms.
func logcumsumexpBackward(g, self, result *Tensor, dim int) *Tensor {
	if g.err != nil || len(g.sizes) == 0 || g.Numel() == 0 {
		return g
	}
	lowest := filled(nil, g.dtype, -math.MaxFloat32)
	if g.dtype == Float64 {
		lowest = filled(nil, g.dtype, -math.MaxFloat64)
	}
	dims := []int{dim}
	reversed := func(log *Tensor) *Tensor {
		return log.Sub(result).Flip(dims).Logcumsumexp(dim).Flip(dims).Add(self).Exp()
	}
	log := g.Abs().Log()
	positive, negative := Where(g.Gt(0), log, lowest), Where(g.Lt(0), log, lowest)
	return reversed(positive).Sub(reversed(negative))
}

func cumprodTangent(c *JCtx) ([]*Tensor, error) {
	t, self, dim := c.Tangent("self"), c.Primal("self"), c.args.Int("dim")
	usual := t.Div(self).Cumsum(dim).Mul(c.Out(0))
	if len(self.sizes) == 0 {
		return c.args.One(Where(self.Eq(0), t, usual))
	}
	// From the first zero on, the product contains the tangent instead of the
	// zero.
	isZero := self.Eq(0)
	first := isZero.LogicalAnd(isZero.Cumsum(dim).Eq(1))
	after := Where(first, t, self).Cumprod(dim)
	return c.args.One(Where(first.Cumsum(dim).To(Bool), after, usual))
}

// cumprodBackward is cumprod_backward: it divides if no factor is zero.
func cumprodBackward(g, x, result *Tensor, dim int) *Tensor {
	if g.err != nil || x.err != nil || x.Numel() <= 1 {
		return g
	}
	dim, err := wrapDim(dim, len(x.sizes))
	if err != nil {
		return errTensor(err)
	}
	if x.sizes[dim] == 1 {
		return g
	}
	w := result.Mul(g)
	switch {
	case zeros(x) == 0:
		return reversedCumsum(w, dim).Div(x)
	case gradMode():
		return omittedProducts(g, x, dim)
	}
	return cumprodGradientAtZeros(g, x, result, w, dim)
}

// cumprodGradientAtZeros computes the gradient of a product with zeros. Masks
// separate the elements before the first zero, the zero itself, and the
// elements between it and the second.
func cumprodGradientAtZeros(g, x, result, w *Tensor, dim int) *Tensor {
	count := x.Eq(0).Cumsum(dim)
	before := count.Eq(0)
	out := zerosInFormula(x.sizes, g.dtype)
	first := reversedCumsum(w.MaskedFill(before.LogicalNot(), 0), dim).Div(x).MaskedSelect(before)
	if err := out.MaskedScatter_(before, first); err != nil {
		return errTensor(err)
	}
	one := count.Eq(1)
	_, at := one.MaxDim(dim, KeepDim)
	marked := one.ZerosLike()
	if err := marked.Scatter_(dim, at, 1); err != nil {
		return errTensor(err)
	}
	firstZero := marked.LogicalAnd(one)
	between := one.LogicalAnd(firstZero.LogicalNot())
	head := result.Gather(dim, at.Sub(1).Relu())
	if err := head.MaskedFill_(at.Eq(0), 1); err != nil {
		return errTensor(err)
	}
	atZero := x.MaskedFill(between.LogicalNot(), 1).Cumprod(dim).
		Mul(g.MaskedFill(count.Ne(1), 0)).Sum(Dim(dim), KeepDim).Mul(head).MaskedSelect(firstZero)
	return mutated(out, func(t *Tensor) error { return t.MaskedScatter_(firstZero, atZero) })
}

// omittedProducts multiplies, for each factor k, the gradients by the products
// without k. The result can be differentiated again.
func omittedProducts(g, x *Tensor, dim int) *Tensor {
	n := x.sizes[dim]
	out := zerosInFormula(x.sizes, g.dtype)
	onesSizes := with(without(x.sizes, dim), dim, 1)
	ones := Ones([]int{1}, WithDType(g.dtype)).Expand(onesSizes)
	for k := range n {
		var products *Tensor
		switch {
		case k == 0:
			products = Cat([]*Tensor{ones, x.slice(dim, 1, math.MaxInt, 1).Cumprod(dim)}, Dim(dim))
		case k == n-1:
			products = x.slice(dim, 0, k, 1).Prod(Dim(dim), KeepDim)
		default:
			until := x.slice(dim, 0, k, 1).Prod(Dim(dim), KeepDim)
			from := x.slice(dim, k+1, math.MaxInt, 1).Cumprod(dim)
			products = Cat([]*Tensor{until, until.ExpandAs(from).Mul(from)}, Dim(dim))
		}
		at := g.slice(dim, k, math.MaxInt, 1).Mul(products).Sum(Dim(dim))
		if err := out.Select(dim, k).Copy_(at); err != nil {
			return errTensor(err)
		}
	}
	return out
}

// differences is torch.diff.
func (a *Args) differences() ([]*Tensor, error) {
	t, n, dim := a.Self(), a.Int("n"), a.Int("dim")
	if len(t.sizes) == 0 {
		return nil, fail(RuntimeError, CodeShape, "diff expects input to be at least one-dimensional")
	}
	if n < 0 {
		return nil, fail(RuntimeError, CodeArgument, "order must be non-negative but got %d", n)
	}
	d, err := wrapDim(dim, len(t.sizes))
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"prepend", "append"} {
		if err := checkJoined(t, a.Tensor(name), d); err != nil {
			return nil, err
		}
	}
	if pre, post := a.Tensor("prepend"), a.Tensor("append"); pre != nil || post != nil {
		var parts []*Tensor
		for _, p := range []*Tensor{pre, t, post} {
			if p != nil {
				parts = append(parts, p)
			}
		}
		t = Cat(parts, Dim(dim))
	}
	if t.err != nil {
		return nil, t.err
	}
	if n == 0 {
		r := filled(t.sizes, t.dtype, 0)
		return a.One(mutated(r, func(r *Tensor) error { return r.Copy_(t) }))
	}
	for n = min(n, t.sizes[d]); n > 0; n-- {
		size := t.sizes[d]
		before := t.Narrow(dim, 0, size-1) // evaluated first, as in C++
		next := t.Narrow(dim, 1, size-1)
		if t.dtype == Bool {
			t = next.LogicalXor(before)
		} else {
			t = next.Sub(before)
		}
		if t.err != nil {
			return nil, t.err
		}
	}
	return a.One(t)
}

func checkJoined(t, other *Tensor, dim int) *Error {
	if other == nil {
		return nil
	}
	if len(other.sizes) != len(t.sizes) {
		return fail(RuntimeError, CodeShape, "diff expects prepend or append to be the same dimension as input")
	}
	for i := range t.sizes {
		if i != dim && t.sizes[i] != other.sizes[i] {
			return fail(RuntimeError, CodeShape, "diff expects the shape of tensor to prepend or append to match that of input except along the differencing dimension; input.size(%d) = %d, but got tensor.size(%d) = %d", i, t.sizes[i], i, other.sizes[i])
		}
	}
	return nil
}

// trapezoid integrates with the trapezoidal rule, over the points x or with
// step dx.
func (a *Args) trapezoid(cumulative bool) ([]*Tensor, error) {
	y, x := a.Tensor("y"), (*Tensor)(nil)
	dim, err := wrapDim(a.Int("dim"), len(y.sizes))
	if err != nil {
		return nil, err
	}
	if a.op.param("x") >= 0 {
		x = a.Tensor("x")
	}
	if n, _ := lineOf(y, dim); n == 0 && !cumulative {
		return a.One(filled(reducedSizes(y, dim, false), y.dtype, 0))
	}
	switch {
	case x != nil && (y.dtype == Bool || x.dtype == Bool):
		return nil, fail(RuntimeError, CodeDType, "%s: received a bool input for `x` or `y`, but bool is not supported", a.op.schema.Name)
	case y.dtype == Bool:
		return nil, fail(RuntimeError, CodeDType, "%s: received a bool input for `y`, but bool is not supported", a.op.schema.Name)
	case x == nil && a.Scalar("dx").IsBool():
		return nil, fail(RuntimeError, CodeArgument, "%s: Currently, we only support dx as a real number.", a.op.schema.Name)
	}
	if x != nil {
		if x, err = pointsAlong(a.op.schema.Name, x, y, dim); err != nil {
			return nil, err
		}
		x = x.slice(dim, 1, math.MaxInt, 1).Sub(x.slice(dim, 0, -1, 1))
	}
	switch {
	case cumulative && x != nil:
		pairs := y.slice(dim, 1, math.MaxInt, 1).Add(y.slice(dim, 0, -1, 1))
		return a.One(x.Mul(pairs).Cumsum(dim).DivScalar(2.0))
	case cumulative:
		pairs := y.slice(dim, 1, math.MaxInt, 1).Add(y.slice(dim, 0, -1, 1))
		return a.One(pairs.MulScalar(a.Float("dx") / 2).Cumsum(a.Int("dim")))
	case x != nil:
		pairs := y.slice(dim, 0, -1, 1).Add(y.slice(dim, 1, math.MaxInt, 1))
		return a.One(pairs.Mul(x).Sum(Dim(dim)).DivScalar(2.0))
	}
	ends := y.Select(dim, 0).Add(y.Select(dim, -1))
	return a.One(y.Sum(Dim(dim)).Sub(ends.MulScalar(0.5)).MulScalar(a.Float("dx")))
}

// pointsAlong reshapes the points to the rank of y, as NumPy does: a vector
// lies along the dimension.
func pointsAlong(name string, x, y *Tensor, dim int) (*Tensor, *Error) {
	switch {
	case len(x.sizes) == 1 && len(y.sizes) == 0:
		return nil, fail(IndexError, CodeIndex, "Dimension specified as %d but tensor has no dimensions", dim)
	case len(x.sizes) == 1:
		if n, _ := lineOf(y, dim); n != x.sizes[0] {
			return nil, fail(RuntimeError, CodeShape, "%s: There must be one `x` value for each sample point", name)
		}
		sizes := repeated(1, len(y.sizes))
		sizes[dim] = x.sizes[0]
		return x.View(sizes), nil
	case len(x.sizes) < len(y.sizes):
		return x.View(append(repeated(1, len(y.sizes)-len(x.sizes)), x.sizes...)), nil
	}
	return x, nil
}
