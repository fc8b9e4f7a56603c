package autograd

import (
	"math"
	"slices"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
	"github.com/gradtui/gradtui/autograd/internal/repr"
)

// This file reads and writes the data of tensors, without autograd.

// element returns the number at position p of the storage.
func (t *Tensor) element(p int) Scalar {
	switch classOf(t.dtype) {
	case f32Class:
		return FloatScalar(float64(t.st.f32[p]))
	case f64Class:
		return FloatScalar(t.st.other.f64[p])
	case i64Class:
		return IntScalar(t.st.other.i64[p])
	default:
		return BoolScalar(t.st.other.b[p])
	}
}

// float returns the number at position p of the storage, as a float.
func (t *Tensor) float(p int) float64 {
	if t.st.other == nil {
		return float64(t.st.f32[p])
	}
	return t.element(p).Float()
}

// setElement stores a number at a position of the storage, converted to the
// tensor's type.
func (t *Tensor) setElement(p int, s Scalar) {
	switch classOf(t.dtype) {
	case f32Class:
		t.st.f32[p] = roundFloat(t.dtype, float32(s.Float()))
	case f64Class:
		t.st.other.f64[p] = s.Float()
	case i64Class:
		t.st.other.i64[p] = roundInt(t.dtype, s.Int())
	default:
		t.st.other.b[p] = s.Bool()
	}
}

// eachFloat calls f for each element, in no particular order.
func (t *Tensor) eachFloat(f func(float64)) {
	walk(t, func(r *kernel.Row) {
		for i, p := 0, r.At[0]; i < r.N; i, p = i+1, p+r.Stride[0] {
			f(t.float(p))
		}
	})
}

// walk visits the elements of tensors of one shape.
func walk(t *Tensor, f func(r *kernel.Row), others ...*Tensor) {
	var offsets [kernel.Max]int
	var strides [kernel.Max][]int
	offsets[0], strides[0] = t.offset, t.strides
	for i, o := range others {
		offsets[i+1], strides[i+1] = o.offset, kernel.Broadcast(t.sizes, o.sizes, o.strides)
	}
	n := len(others) + 1
	kernel.Walk(t.sizes, offsets[:n], strides[:n], f)
}

// elements returns the elements of a contiguous tensor.
func elements[T element](t *Tensor) []T {
	n := numel(t.sizes)
	if n == 0 {
		return nil // an empty view may have any offset
	}
	return data[T](t.st)[t.offset : t.offset+n]
}

// filled makes a tensor whose elements are all x.
func filled(sizes []int, d DType, x float64) *Tensor {
	t := alloc(d, sizes)
	if x != 0 {
		t.fill(FloatScalar(x))
	}
	return t
}

// fill stores a number in every element.
func (t *Tensor) fill(s Scalar) {
	walk(t, func(r *kernel.Row) {
		for i, p := 0, r.At[0]; i < r.N; i, p = i+1, p+r.Stride[0] {
			t.setElement(p, s)
		}
	})
}

// numberTensor wraps a Python number as an operator does: a 0-d tensor with low
// priority in type promotion.
func numberTensor(s Scalar) *Tensor {
	n := new(numberMemory)
	t := &n.Tensor
	t.st, n.other = &n.storage, &n.otherData
	switch s.kind {
	case boolScalar:
		n.boolean[0] = s.bits != 0
		n.b = n.boolean[:]
	case intScalar:
		n.integer[0] = int64(s.bits)
		n.i64 = n.integer[:]
	default:
		n.float[0] = s.Float()
		n.f64 = n.float[:]
	}
	t.dtype = s.dtype()
	t.begin(nil, nil)
	t.flags |= numberFlag
	return t
}

// numberMemory holds everything that a number needs as a tensor.
type numberMemory struct {
	Tensor
	storage
	otherData
	float   [1]float64
	integer [1]int64
	boolean [1]bool
}

// contiguous returns t or a row-major copy of its data.
func contiguous(t *Tensor) *Tensor {
	if t.flags&contiguousFlag != 0 {
		return t
	}
	return copied(t, t.dtype)
}

// copied returns a row-major copy of t's data, converted to a dtype.
func copied(t *Tensor, d DType) *Tensor {
	c := allocLike(t, d)
	copyData(c, t)
	return c
}

// as returns t's data in dtype d: t itself if it has that dtype.
func as(t *Tensor, d DType) *Tensor {
	if t.dtype == d {
		return t
	}
	return copied(t, d)
}

// copyData stores src, broadcast and converted, into dst.
func copyData(dst, src *Tensor) {
	if dst.st == src.st && overlapping(dst, src) {
		src = copied(src, src.dtype)
	}
	if dst.dtype != src.dtype {
		convert(dst, src)
		return
	}
	switch classOf(dst.dtype) {
	case f32Class:
		copyElements[float32](dst, src)
	case f64Class:
		copyElements[float64](dst, src)
	case i64Class:
		copyElements[int64](dst, src)
	default:
		copyElements[bool](dst, src)
	}
}

// overlapping reports whether two tensors over one storage may read each
// other's elements in a different order.
func overlapping(a, b *Tensor) bool {
	return a.offset != b.offset || !slices.Equal(a.strides, b.strides) || !sameSizes(a.sizes, b.sizes)
}

func copyElements[T element](dst, src *Tensor) {
	d, s := data[T](dst.st), data[T](src.st)
	walk(dst, func(r *kernel.Row) {
		kernel.Copy(d[r.At[0]:], s[r.At[1]:], r.Stride[0], r.Stride[1], r.N)
	}, src)
}

// convert stores src in dst element by element, with the semantics of a C++
// cast: floats are truncated to integers, and everything but zero is true.
func convert(dst, src *Tensor) {
	walk(dst, func(r *kernel.Row) {
		for i, p, q := 0, r.At[0], r.At[1]; i < r.N; i, p, q = i+1, p+r.Stride[0], q+r.Stride[1] {
			s := src.element(q)
			if s.kind == floatScalar && dst.dtype.IsInteger() {
				s = IntScalar(truncate(s.Float()))
			}
			dst.setElement(p, s)
		}
	}, src)
}

// truncate converts to int64 as x86 does: values out of range become the
// smallest number.
func truncate(x float64) int64 {
	if x != x || x >= math.MaxInt64 || x < math.MinInt64 {
		return math.MinInt64
	}
	return int64(x)
}

// resize gives t new sizes, and new memory if the present memory is too small.
func (t *Tensor) resize(sizes []int) error {
	t.st.grow(t.dtype, t.offset+storageLength(t.dtype, sizes))
	t.sizes, t.strides = slices.Clone(sizes), contiguousStrides(sizes)
	t.flags |= contiguousFlag
	recordReshaped(t)
	return nil
}

// broadcastSizes returns the shape of an elementwise operation on two shapes.
func broadcastSizes(a, b []int) ([]int, *Error) {
	switch {
	case expandable(b, a):
		return a, nil
	case expandable(a, b):
		return b, nil
	}
	n := max(len(a), len(b))
	out := make([]int, n)
	for i := 1; i <= n; i++ {
		x, y := 1, 1
		if i <= len(a) {
			x = a[len(a)-i]
		}
		if i <= len(b) {
			y = b[len(b)-i]
		}
		switch {
		case x == y || y == 1:
			out[n-i] = x
		case x == 1:
			out[n-i] = y
		default:
			return nil, fail(RuntimeError, CodeShape, "The size of tensor a (%d) must match the size of tensor b (%d) at non-singleton dimension %d", x, y, n-i)
		}
	}
	return out, nil
}

// expandable reports whether a tensor of shape from can be expanded to shape
// to.
func expandable(from, to []int) bool {
	if len(from) > len(to) {
		return false
	}
	for i := 1; i <= len(from); i++ {
		if f := from[len(from)-i]; f != 1 && f != to[len(to)-i] {
			return false
		}
	}
	return true
}

// sumTo sums a gradient down to the shape of a broadcast operand.
func sumTo(g *Tensor, sizes []int) *Tensor {
	if len(sizes) == 0 {
		return g.Sum()
	}
	if sameSizes(g.sizes, sizes) {
		return g
	}
	lead := len(g.sizes) - len(sizes)
	var set dimSet
	for d := range min(len(g.sizes), 64) {
		if d < lead || sizes[d-lead] == 1 && g.sizes[d] != 1 {
			set |= 1 << d
		}
	}
	if set != 0 && g.err == nil && g.dtype.IsFloat() && unobserved() {
		return sumToQuietly(g, sizes, set, lead > 0)
	}
	if set != 0 {
		g = g.Sum(Kw("dim", set.list()), KeepDim)
	}
	if lead > 0 {
		g = g.View(sizes)
	}
	return g
}

// sumToQuietly is sumTo for callers that do not observe which operators run.
// Most backward passes take this path for each bias.
func sumToQuietly(g *Tensor, sizes []int, dims dimSet, view bool) *Tensor {
	sum := sumOf(g, dims, true)
	if !view {
		return sum
	}
	v := sum.shallow(sizes, contiguousStrides(sizes), 0)
	v.asView(sum, viewKind(false))
	return v
}

// shapeText prints sizes as PyTorch's C++ does: [2, 3].
func shapeText(sizes []int) string { return repr.List(sizes) }

// wrapDim checks a dimension against a rank. Negative dimensions count from the
// end.
func wrapDim(d, rank int) (int, *Error) {
	n := max(rank, 1)
	if d < -n || d >= n {
		return 0, fail(IndexError, CodeIndex, "Dimension out of range (expected to be in range of [%d, %d], but got %d)", -n, n-1, d)
	}
	if d < 0 {
		d += n
	}
	return d, nil
}

// wrapDims checks a list of dimensions and returns them as flags; an empty list
// means all dimensions.
func wrapDims(dims []int, rank int) ([]bool, *Error) {
	picked := make([]bool, rank, max(rank, 1))
	if len(dims) == 0 {
		for i := range picked {
			picked[i] = true
		}
		return picked, nil
	}
	for _, d := range dims {
		d, err := wrapDim(d, rank)
		if err != nil {
			return nil, err
		}
		if picked[:cap(picked)][d] {
			return nil, fail(RuntimeError, CodeArgument, "dim %d appears multiple times in the list of dims", d)
		}
		picked[:cap(picked)][d] = true // a 0-d tensor counts as one-dimensional
	}
	return picked, nil
}

// resultType returns the dtype in which operands are combined: the widest dtype
// of the highest category. 0-d tensors count only if their category is higher
// than the category of all tensors with dimensions; Python numbers have an even
// lower priority.
func resultType(ts ...*Tensor) DType {
	var dim, zero, number DType
	join := func(into *DType, d DType) {
		if *into == 0 {
			*into = d
		} else {
			*into = promote(*into, d)
		}
	}
	for _, t := range ts {
		switch {
		case t == nil:
		case t.flags&numberFlag != 0:
			d := t.dtype
			if d == Float64 {
				d = defaultDType
			}
			join(&number, d)
		case len(t.sizes) == 0:
			join(&zero, t.dtype)
		default:
			join(&dim, t.dtype)
		}
	}
	return combineCategories(dim, combineCategories(zero, number))
}

func combineCategories(higher, lower DType) DType {
	switch {
	case higher == 0:
		return lower
	case lower == 0 || category(higher) >= category(lower):
		return higher
	default:
		return lower
	}
}

// defaultDType is the dtype of new float tensors.
var defaultDType = Float32

// SetDefaultDType sets the dtype of new float tensors, as
// torch.set_default_dtype does. It must be a floating-point dtype.
func SetDefaultDType(d DType) error {
	if !d.IsFloat() {
		return fail(TypeError, CodeDType, "only floating-point types are supported as the default type")
	}
	defaultDType = d
	o := printOptions
	o.DefaultDType = d.String()
	printOptions = o
	return nil
}

// DefaultDType returns the dtype of new float tensors.
func DefaultDType() DType { return defaultDType }
