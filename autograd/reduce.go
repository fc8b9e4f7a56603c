package autograd

import (
	"math/bits"
	"slices"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
	"github.com/gradtui/gradtui/autograd/internal/schema"
)

// This file holds what the reductions share: the set of reduced dimensions, the
// result, and the shape of the gradient.

// A dimSet is a set of dimensions.
type dimSet uint64

const everyDim dimSet = 1<<64 - 1

func (s dimSet) has(d int) bool { return s&(1<<d) != 0 }

// all reports whether the set contains all dimensions of a rank.
func (s dimSet) all(rank int) bool { return ^s<<(64-rank) == 0 }

// list returns the dimensions of a set that does not contain all of them.
func (s dimSet) list() (dims []int) {
	for ; s != 0; s &= s - 1 {
		dims = append(dims, bits.TrailingZeros64(uint64(s)))
	}
	return dims
}

// pickDims checks a list of dimensions and returns them as a set; an empty list
// means all dimensions.
func pickDims(dims []int, rank int) (dimSet, *Error) {
	if rank > 64 {
		return 0, fail(RuntimeError, CodeShape, "only tensors with up to 64 dims are supported")
	}
	if len(dims) == 0 {
		return everyDim, nil
	}
	var set dimSet
	for _, d := range dims {
		d, err := wrapDim(d, rank)
		if err != nil {
			return 0, err
		}
		if set.has(d) {
			return 0, fail(RuntimeError, CodeArgument, "dim %d appears multiple times in the list of dims", d)
		}
		set |= 1 << d
	}
	return set, nil
}

// unreduce restores the dimensions of size 1 of a reduced gradient
// (unsqueeze_multiple).
func unreduce(g *Tensor, sizes, dims []int, keepDim bool) *Tensor {
	if keepDim || len(sizes) == 0 || len(dims) == 0 {
		return g
	}
	if len(dims) == 1 {
		return g.Unsqueeze(dims[0])
	}
	picked, err := pickDims(dims, len(sizes))
	if err != nil {
		return errTensor(err)
	}
	for d := range sizes {
		if picked.has(d) {
			g = g.Unsqueeze(d)
		}
	}
	return g
}

// expandReduced returns the gradient of a sum.
func expandReduced(g *Tensor, sizes, dims []int, keepDim bool) *Tensor {
	return unreduce(g, sizes, dims, keepDim).Expand(sizes)
}

// reduction makes the result of reducing dimensions of t, and the plan for the
// loop.
func reduction(t *Tensor, dims dimSet, keepDim bool, d DType, p *kernel.Plan) *Tensor {
	n := len(t.sizes)
	both := make([]int, 2*n)
	sizes, steps := both[:0:n], both[n:]
	for i, s := range t.sizes {
		if !dims.has(i) {
			sizes = append(sizes, s)
		} else if keepDim {
			sizes = append(sizes, 1)
		}
	}
	out := alloc(d, sizes)
	at := 0
	for i := range steps {
		if !dims.has(i) {
			steps[i] = out.strides[at]
		}
		if keepDim || !dims.has(i) {
			at++
		}
	}
	p.Init(t.sizes, t.strides, steps, t.offset, out.offset)
	return out
}

// A foldKernel is a reduction by a binary operation, for each class of
// elements; nil if it is not defined for the class.
type foldKernel struct {
	name string // in the message for a missing class
	f32  *kernel.Folding[float32]
	f64  *kernel.Folding[float64]
	i64  *kernel.Folding[int64]
	b    *kernel.Folding[bool]
}

// fold reduces dimensions of t with a kernel.
func fold(t *Tensor, dims dimSet, keepDim bool, k *foldKernel) (*Tensor, *Error) {
	var p kernel.Plan
	out := reduction(t, dims, keepDim, t.dtype, &p)
	ok := false
	switch classOf(t.dtype) {
	case f32Class:
		ok = runFold(&p, out, t, k.f32)
	case f64Class:
		ok = runFold(&p, out, t, k.f64)
	case i64Class:
		ok = runFold(&p, out, t, k.i64)
	default:
		ok = runFold(&p, out, t, k.b)
	}
	if !ok {
		return nil, undefined(k.name, t.dtype)
	}
	return rounded(out), nil
}

func runFold[T element](p *kernel.Plan, out, t *Tensor, f *kernel.Folding[T]) bool {
	if f == nil {
		return false
	}
	kernel.Fold(p, elements[T](out), data[T](t.st), f)
	return true
}

// eachLine visits tensors along a dimension: f gets the position of the first
// element of each line. The tensors have the shape of t, or that shape with the
// dimension removed or of size 1.
func eachLine(t *Tensor, dim int, f func(at *[kernel.Max]int), others ...*Tensor) {
	offsets, strides := []int{t.offset}, [][]int{t.strides}
	for _, o := range others {
		s := o.strides
		if len(o.sizes) < len(t.sizes) {
			s = with(s, dim, 0)
		}
		offsets, strides = append(offsets, o.offset), append(strides, s)
	}
	kernel.Lines(t.sizes, dim, offsets, strides, f)
}

// lineOf returns the length of the lines along a dimension and the step from one
// element to the next.
func lineOf(t *Tensor, dim int) (n, step int) {
	if len(t.sizes) == 0 {
		return 1, 1
	}
	return t.sizes[dim], t.strides[dim]
}

// with returns a list with x inserted at index d.
func with(list []int, d, x int) []int {
	out := make([]int, 0, len(list)+1)
	return append(append(append(out, list[:d]...), x), list[d:]...)
}

// reducedSizes returns the shape of t with a dimension reduced.
func reducedSizes(t *Tensor, dim int, keepDim bool) []int {
	switch {
	case len(t.sizes) == 0:
		return nil
	case keepDim:
		return with(without(t.sizes, dim), dim, 1)
	}
	return without(t.sizes, dim)
}

// zerosInFormula is at::zeros inside a formula. The version counts the filling,
// and an in-place gradient made from it shows that version.
func zerosInFormula(sizes []int, d DType) *Tensor {
	t := alloc(d, sizes)
	t.bump()
	return t
}

// nonEmpty checks that a dimension is not empty, for an operator that cannot
// reduce an empty dimension (zero_numel_check_dims). name is "max()".
func nonEmpty(name string, t *Tensor, dim int) *Error {
	if n, _ := lineAt(t, dim); n == 0 {
		return fail(IndexError, CodeShape, "%s: Expected reduction dim %d to have non-zero size.", name, dim)
	}
	return nil
}

// options returns the arguments of the given names, for a call of another
// operator.
func (a *Args) options(names ...string) []Option {
	opts := make([]Option, 0, len(names))
	for i := range a.op.schema.Params {
		p, v := &a.op.schema.Params[i], &a.values[i]
		if !slices.Contains(names, p.Name) {
			continue
		}
		x := v.x
		switch {
		case !v.set || p.List:
		case p.Type == schema.Int:
			x = int(int64(v.n))
		case p.Type == schema.Bool:
			x = v.n != 0
		case p.Type == schema.Scalar || p.Type == schema.Float:
			x = v.scalar()
		}
		opts = append(opts, Kw(p.Name, x))
	}
	return opts
}
