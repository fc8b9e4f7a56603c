package autograd

import (
	"math"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// Largest and smallest elements, and their positions.
var extremeOps = []Op{
	{
		Schema: "max(Tensor self) -> Tensor", Node: "MaxBackward1", OutDType: expectedOutDType, JVP: evenRead,
		Forward: func(a *Args) ([]*Tensor, error) { return a.extremeOfAll(&maxKernel) },
		VJP:     evenlyVJP,
	},
	{
		Schema: "max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", Go: "MaxDim",
		Node: "MaxBackward0", OutDType: expectedOutDType, Constant: "indices", Attrs: "dim keepdim self_sym_sizes", JVP: selectedTangent,
		Forward: func(a *Args) ([]*Tensor, error) { return a.extremeAlong(largest) },
		VJP:     selectedVJP,
	},
	{
		Schema:   "max.other(Tensor self, Tensor other) -> Tensor",
		OutDType: expectedOutDType, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return a.One(a.Self().Maximum(a.Tensor("other"))) },
	},
	{
		Schema: "min(Tensor self) -> Tensor", Node: "MinBackward1", OutDType: expectedOutDType, JVP: evenRead,
		Forward: func(a *Args) ([]*Tensor, error) { return a.extremeOfAll(&minKernel) },
		VJP:     evenlyVJP,
	},
	{
		Schema: "min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", Go: "MinDim",
		Node: "MinBackward0", OutDType: expectedOutDType, Constant: "indices", Attrs: "dim keepdim self_sym_sizes", JVP: selectedTangent,
		Forward: func(a *Args) ([]*Tensor, error) { return a.extremeAlong(smallest) },
		VJP:     selectedVJP,
	},
	{
		Schema:   "min.other(Tensor self, Tensor other) -> Tensor",
		OutDType: expectedOutDType, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return a.One(a.Self().Minimum(a.Tensor("other"))) },
	},
	{
		Schema: "amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
		Node:   "AmaxBackward0", OutDType: matchingDType, Predicted: ByValues, Attrs: "dim keepdim", JVP: amaxTangent,
		Forward: func(a *Args) ([]*Tensor, error) { return a.extremes(&maxKernel) },
		VJP:     []Formula{{Input: "self", Uses: "result self", Of: amaxBackward}},
	},
	{
		Schema: "amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
		Node:   "AminBackward0", OutDType: matchingDType, Predicted: ByValues, Attrs: "dim keepdim", JVP: amaxTangent,
		Forward: func(a *Args) ([]*Tensor, error) { return a.extremes(&minKernel) },
		VJP:     []Formula{{Input: "self", Uses: "result self", Of: amaxBackward}},
	},
	{
		Schema: "aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)", Node: "NotImplemented", OutDType: expectedOutDType,
		Forward: func(a *Args) ([]*Tensor, error) {
			t, dims := a.Self(), everyDim
			if a.Has("dim") {
				dim, err := wrapDim(a.Int("dim"), len(t.sizes))
				if err == nil {
					err = nonEmpty("aminmax", t, dim)
				}
				if err != nil {
					return nil, err
				}
				dims = 1 << dim
			} else if t.Numel() == 0 {
				return nil, fail(RuntimeError, CodeShape, "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.")
			}
			low, err := fold(t, dims, a.Bool("keepdim"), &minKernel)
			if err != nil {
				return nil, err
			}
			high, err := fold(t, dims, a.Bool("keepdim"), &maxKernel)
			if err != nil {
				return nil, err
			}
			return []*Tensor{low, high}, nil
		},
	},
	{
		Schema:   "argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
		OutDType: expectedOutDType, Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.argExtreme("argmax", largest) },
	},
	{
		Schema:   "argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
		OutDType: expectedOutDType, Predicted: ByValues,
		Forward: func(a *Args) ([]*Tensor, error) { return a.argExtreme("argmin", smallest) },
	},
}

var (
	maxKernel = foldKernel{
		name: "max_all",
		f32:  kernel.Largest(float32(math.Inf(-1))), f64: kernel.Largest(math.Inf(-1)),
		i64: kernel.Largest[int64](math.MinInt64), b: kernel.Any,
	}
	minKernel = foldKernel{
		name: "min_all",
		f32:  kernel.Smallest(float32(math.Inf(1))), f64: kernel.Smallest(math.Inf(1)),
		i64: kernel.Smallest[int64](math.MaxInt64), b: kernel.All,
	}
)

func (a *Args) extremeOfAll(k *foldKernel) ([]*Tensor, error) {
	t := a.Self()
	if t.Numel() == 0 {
		return nil, noIdentity(a.name)
	}
	if len(t.sizes) > 64 {
		t = contiguous(t).shallow([]int{t.Numel()}, unitStride, 0)
	}
	out, err := fold(t, everyDim, false, k)
	if err != nil {
		return nil, err
	}
	return a.One(out)
}

func noIdentity(name string) *Error {
	return fail(RuntimeError, CodeShape, "%s(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.", name)
}

func (a *Args) extremes(k *foldKernel) ([]*Tensor, error) {
	t, list := a.Self(), a.Ints("dim")
	dims, err := pickDims(list, len(t.sizes))
	if err != nil {
		return nil, err
	}
	if t.Numel() == 0 {
		if len(list) == 0 {
			return nil, noIdentity(a.name)
		}
		for _, d := range list {
			if err := nonEmpty(a.name+"()", t, d); err != nil {
				return nil, err
			}
		}
	}
	out, err := fold(t, dims, a.Bool("keepdim"), k)
	if err != nil {
		return nil, err
	}
	return a.One(out)
}

// An extreme finds the largest or smallest element of a line, and its position.
type extreme struct {
	f32 func(x []float32, at, step, n int) (float32, int)
	f64 func(x []float64, at, step, n int) (float64, int)
	i64 func(x []int64, at, step, n int) (int64, int)
}

var (
	largest  = &extreme{kernel.ArgLargest[float32], kernel.ArgLargest[float64], kernel.ArgLargest[int64]}
	smallest = &extreme{kernel.ArgSmallest[float32], kernel.ArgSmallest[float64], kernel.ArgSmallest[int64]}
)

// along returns the extreme elements of t along a dimension, and their indices.
func (e *extreme) along(t *Tensor, dim int, keepDim bool) (values, indices *Tensor) {
	if t.dtype == Bool {
		values, indices = e.along(as(t, Int64), dim, keepDim)
		return as(values, Bool), indices
	}
	sizes := reducedSizes(t, dim, keepDim)
	values, indices = alloc(t.dtype, sizes), alloc(Int64, sizes)
	switch classOf(t.dtype) {
	case f32Class:
		findExtremes(values, indices, t, dim, e.f32)
	case f64Class:
		findExtremes(values, indices, t, dim, e.f64)
	default:
		findExtremes(values, indices, t, dim, e.i64)
	}
	return values, indices
}

func findExtremes[T element](values, indices, t *Tensor, dim int, f func(x []T, at, step, n int) (T, int)) {
	n, step := lineOf(t, dim)
	x, v, index := data[T](t.st), data[T](values.st), indices.st.other.i64
	eachLine(t, dim, func(at *[kernel.Max]int) {
		e, i := f(x, at[0], step, n)
		v[at[1]], index[at[1]] = e, int64(i)
	}, values)
}

// nonEmptyDim returns the argument dim, and an error if self has no elements
// along it.
func (a *Args) nonEmptyDim() (int, *Error) {
	t := a.Self()
	dim, err := wrapDim(a.Int("dim"), len(t.sizes))
	if err == nil {
		err = nonEmpty(a.name+"()", t, dim)
	}
	return dim, err
}

func (a *Args) extremeAlong(e *extreme) ([]*Tensor, error) {
	t := a.Self()
	dim, err := a.nonEmptyDim()
	if err != nil {
		return nil, err
	}
	values, indices := e.along(t, dim, a.Bool("keepdim"))
	return []*Tensor{values, indices}, nil
}

func (a *Args) argExtreme(name string, e *extreme) ([]*Tensor, error) {
	t, keep := a.Self(), a.Bool("keepdim")
	if t.dtype == Bool {
		return nil, undefined(name+"_cpu", Bool)
	}
	if a.Has("dim") {
		dim, err := wrapDim(a.Int("dim"), len(t.sizes))
		if err == nil {
			err = nonEmpty(name+"()", t, dim)
		}
		if err != nil {
			return nil, err
		}
		_, indices := e.along(t, dim, keep)
		return a.One(indices)
	}
	n := t.Numel()
	if n == 0 {
		return nil, fail(IndexError, CodeShape, "%s(): Expected reduction dim to be specified for input.numel() == 0.", name)
	}
	row := contiguous(t)
	_, index := e.along(row.shallow([]int{n}, unitStride, row.offset), 0, false)
	if keep {
		index = index.shallow(repeated(1, len(t.sizes)), repeated(1, len(t.sizes)), 0)
	}
	return a.One(index)
}

// selectedVJP is the derivative of operators that select elements by an index
// along a dimension (value_selecting_reduction_backward).
var selectedVJP = []Formula{{Input: "self", Uses: "indices", Of: func(c *Ctx) *Tensor {
	return scatterSelected(c, c.Args().Bool("keepdim"))
}}}

func scatterSelected(c *Ctx, keepDim bool) *Tensor {
	g, indices, dim, sizes := c.Grad(), c.Saved("indices"), c.Args().Int("dim"), c.Shape("self")
	if !keepDim && len(sizes) > 0 {
		g, indices = g.Unsqueeze(dim), indices.Unsqueeze(dim)
	}
	out := zerosInFormula(sizes, g.dtype)
	return mutated(out, func(t *Tensor) error { return t.Scatter_(dim, indices, g) })
}

// selectedTangent returns the tangents of the selected elements
// (gather_with_keepdimed_indices).
func selectedTangent(c *JCtx) ([]*Tensor, error) {
	return []*Tensor{gatherSelected(c, c.args.Bool("keepdim"))}, nil
}

func gatherSelected(c *JCtx, keepDim bool) *Tensor {
	t, indices, dim := c.Tangent("self"), c.Out(1), c.args.Int("dim")
	if keepDim || len(t.sizes) == 0 {
		return t.Gather(dim, indices)
	}
	return t.Gather(dim, indices.Unsqueeze(dim)).Squeeze(Dim(dim))
}

// evenlyVJP is the derivative of operators whose result is one of the elements:
// all elements equal to the result share the gradient
// (evenly_distribute_backward).
var evenlyVJP = []Formula{{Input: "self", Uses: "result self", Of: func(c *Ctx) *Tensor {
	self, g := c.Saved("self"), c.Grad()
	mask := equalTo(self, c.Saved("result"))
	out := filled(self.sizes, self.dtype, 0)
	return mutated(out, func(t *Tensor) error { return t.MaskedFill_(mask, g.Div(mask.Sum())) })
}}}

// evenRead returns the mean tangent of the elements that equal the result.
func evenRead(c *JCtx) ([]*Tensor, error) {
	mask := c.Primal("self").Eq(c.Out(0))
	return c.args.One(mask.Mul(c.Tangent("self").Div(mask.Sum())).Sum())
}

// equalTo marks the elements that equal a 0-d result. NaN equals NaN.
func equalTo(t, result *Tensor) *Tensor {
	if t.err == nil && result.err == nil && math.IsNaN(result.float(result.offset)) {
		return t.Isnan()
	}
	return t.Eq(result)
}

// amaxBackward shares the gradient of each result among the elements equal to
// it.
func amaxBackward(c *Ctx) *Tensor {
	dims, keep := c.Args().Ints("dim"), c.Args().Bool("keepdim")
	g, result := restoreReduced(c.Grad(), dims, keep), restoreReduced(c.Saved("result"), dims, keep)
	mask := result.Eq(c.Saved("self"))
	return g.Div(mask.Sum(Kw("dim", dims), KeepDim)).Mul(mask)
}

func amaxTangent(c *JCtx) ([]*Tensor, error) {
	dims, keep := c.args.Ints("dim"), c.args.Bool("keepdim")
	mask := c.Primal("self").Eq(restoreReduced(c.Out(0), dims, keep))
	t := c.Tangent("self")
	opts := []Option{Kw("dim", dims), Kw("keepdim", keep)}
	return c.args.One(Where(mask, t, filled(nil, t.dtype, 0)).Sum(opts...).Div(mask.Sum(opts...)))
}

// restoreReduced restores the dimensions of size 1 of a reduced tensor by
// reshaping (restore_reduced_dims).
func restoreReduced(t *Tensor, dims []int, keepDim bool) *Tensor {
	if keepDim {
		return t
	}
	picked, err := pickDims(dims, len(t.sizes)+len(dims))
	if err != nil {
		return errTensor(err)
	}
	full := make([]int, 0, len(t.sizes)+len(dims))
	rest := t.sizes
	for d := range cap(full) {
		if len(dims) > 0 && picked.has(d) {
			full = append(full, 1)
		} else {
			full, rest = append(full, rest[0]), rest[1:]
		}
	}
	return t.Reshape(full)
}
