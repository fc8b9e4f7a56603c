package autograd

import "github.com/gradtui/gradtui/autograd/internal/kernel"

// This file moves elements to and from computed positions, for the indexing and
// scatter operators.

// moveBlocks stores elements of src, of the same dtype, in dst.
func moveBlocks(dst, src *Tensor, b *kernel.Blocks) {
	switch classOf(dst.dtype) {
	case f32Class:
		kernel.Move(dst.st.f32, src.st.f32, b)
	case f64Class:
		kernel.Move(dst.st.other.f64, src.st.other.f64, b)
	case i64Class:
		kernel.Move(dst.st.other.i64, src.st.other.i64, b)
	default:
		kernel.Move(dst.st.other.b, src.st.other.b, b)
	}
}

// addBlocks adds elements of src to elements of dst. Both have the same dtype.
func addBlocks(dst, src *Tensor, b *kernel.Blocks) {
	switch {
	case narrow(dst.dtype):
		combineBlocks(dst, src, b, func(old, x Scalar) Scalar {
			if old.IsFloat() {
				return FloatScalar(old.Float() + x.Float())
			}
			return IntScalar(old.Int() + x.Int())
		})
	case dst.dtype == Float32:
		kernel.Accumulate(dst.st.f32, src.st.f32, b)
	case dst.dtype == Float64:
		kernel.Accumulate(dst.st.other.f64, src.st.other.f64, b)
	case dst.dtype == Int64:
		kernel.Accumulate(dst.st.other.i64, src.st.other.i64, b)
	default:
		kernel.Combine(dst.st.other.b, src.st.other.b, b, func(old, x bool) bool { return old || x })
	}
}

// combineBlocks stores f(old element of dst, element of src) in dst. It is slow
// and meant for rare cases.
func combineBlocks(dst, src *Tensor, b *kernel.Blocks, f func(old, x Scalar) Scalar) {
	for i, d := range b.DstBlock {
		for j, e := range b.DstElement {
			p := d + e
			dst.setElement(p, f(dst.element(p), src.element(b.SrcBlock[i]+b.SrcElement[j])))
		}
	}
}

// addData adds src to dst, in which several elements may share memory.
func addData(dst, src *Tensor) {
	addBlocks(dst, src, &kernel.Blocks{
		DstBlock: dst.places(), SrcBlock: src.places(), DstElement: kernel.Single, SrcElement: kernel.Single,
	})
}

// places returns the positions of the elements in the storage, in row-major
// order.
func (t *Tensor) places() []int { return kernel.Places(t.sizes, t.strides, t.offset) }

// placesOver returns the positions of t's elements when t is broadcast to a
// shape.
func (t *Tensor) placesOver(sizes []int) []int {
	return kernel.Places(sizes, kernel.Broadcast(sizes, t.sizes, t.strides), t.offset)
}

// stepsAlong returns the positions along a dimension, relative to the first
// element.
func (t *Tensor) stepsAlong(d, n int) []int {
	stride := 0
	if d < len(t.strides) {
		stride = t.strides[d]
	}
	out := make([]int, n)
	for i := range out {
		out[i] = i * stride
	}
	return out
}

// slicePlaces returns the positions of the elements of the first slice of t
// along d.
func (t *Tensor) slicePlaces(d int) []int {
	if len(t.sizes) == 0 {
		return []int{t.offset}
	}
	return kernel.Places(without(t.sizes, d), without(t.strides, d), t.offset)
}

// indexValues returns the elements of an integer tensor in row-major order.
func indexValues(t *Tensor) []int {
	data := t.st.other.i64
	out := make([]int, 0, numel(t.sizes))
	walk(t, func(r *kernel.Row) {
		for i, p := 0, r.At[0]; i < r.N; i, p = i+1, p+r.Stride[0] {
			out = append(out, int(data[p]))
		}
	})
	return out
}

// trueIndices returns the row-major indices of the true elements of a bool
// tensor.
func trueIndices(mask *Tensor) []int {
	var out []int
	n := 0
	walk(mask, func(r *kernel.Row) {
		for i, p := 0, r.At[0]; i < r.N; i, p = i+1, p+r.Stride[0] {
			if mask.st.other.b[p] {
				out = append(out, n)
			}
			n++
		}
	})
	return out
}

// target returns the tensor for the result of an operator that changes parts of
// self: self itself if the call is in place, otherwise a copy. The copy has
// self's layout if preserve is set; otherwise it is contiguous.
func (a *Args) target(preserve bool) *Tensor {
	t := a.Self()
	if a.into != nil {
		return t
	}
	out := alloc(t.dtype, t.sizes)
	if preserve {
		out = allocPreserving(t)
	}
	copyData(out, t)
	return out
}
