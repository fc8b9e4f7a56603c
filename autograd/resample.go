package autograd

import "github.com/gradtui/gradtui/autograd/internal/kernel"

// This file runs operators that compute each element of a plane from a few
// elements of the input's plane: padding by reflection or replication, and
// upsampling.

// resampleFrom extends taps for some dimensions with leading dimensions of size
// 1.
func resampleFrom(taps []kernel.Taps) *kernel.Resample {
	r := &kernel.Resample{kernel.OneTap, kernel.OneTap, kernel.OneTap}
	copy(r[3-len(taps):], taps)
	return r
}

// resampled computes the outputs. ok is false if the dtype is not supported.
func resampled(t *Tensor, taps []kernel.Taps) (out *Tensor, ok bool) {
	dims := len(taps)
	sizes := append([]int(nil), t.sizes[:t.Dim()-dims]...)
	for _, d := range taps {
		sizes = append(sizes, d.Out)
	}
	out = alloc(t.dtype, sizes)
	r, n := resampleFrom(taps), planes(t, dims)
	switch classOf(t.dtype) {
	case f32Class:
		kernel.ResampleForward(r, n, elements[float32](out), inOrder[float32](t))
	case f64Class:
		kernel.ResampleForward(r, n, elements[float64](out), inOrder[float64](t))
	case i64Class:
		kernel.ResampleForward(r, n, elements[int64](out), inOrder[int64](t))
	default:
		return nil, false
	}
	return rounded(out), true
}

// resampledGradient returns the gradient of the input from the gradient of the
// outputs.
func resampledGradient(g *Tensor, sizes []int, taps []kernel.Taps) *Tensor {
	out := alloc(g.dtype, sizes)
	if r, n := resampleFrom(taps), planes(g, len(taps)); classOf(g.dtype) == f32Class {
		kernel.ResampleBackward(r, n, elements[float32](out), inOrder[float32](g))
	} else {
		kernel.ResampleBackward(r, n, elements[float64](out), inOrder[float64](g))
	}
	return rounded(out)
}
