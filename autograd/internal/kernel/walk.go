// Package kernel holds the loops that compute tensors. They work on slices,
// with sizes and strides in elements, and know nothing of autograd.
package kernel

import "slices"

// Max is the largest number of operands that Walk handles.
const Max = 5

// A Row is a run of elements that Walk passes to an inner loop: for each
// operand the position of the first element and the step to the next.
type Row struct {
	N      int
	At     [Max]int
	Stride [Max]int
}

// Walk calls f for rows that together cover all elements of a shape, in
// row-major order. Each operand has an offset and a stride for each dimension;
// a stride of 0 repeats elements (broadcasting). Dimensions that all operands
// can walk in one run are merged, so that rows are long.
func Walk(sizes []int, offsets []int, strides [][]int, f func(r *Row)) {
	r := Row{N: 1}
	k := len(offsets)
	copy(r.At[:], offsets)
	for _, s := range sizes {
		if s == 0 {
			return
		}
	}
	var w walker
	w.merge(sizes, strides)
	last := len(w.dims) - 1
	if last >= 0 {
		r.N = w.dims[last]
		for i := range k {
			r.Stride[i] = w.steps[i][last]
		}
	}
	if last <= 0 {
		f(&r)
		return
	}
	var few [fewDims]int
	index := few[:]
	if last > fewDims {
		index = make([]int, last)
	}
	for {
		f(&r)
		d := last - 1
		for ; d >= 0; d-- {
			index[d]++
			for i := range k {
				r.At[i] += w.steps[i][d]
			}
			if index[d] < w.dims[d] {
				break
			}
			for i := range k {
				r.At[i] -= w.steps[i][d] * w.dims[d]
			}
			index[d] = 0
		}
		if d < 0 {
			return
		}
	}
}

// fewDims is the most dimensions that are walked without a heap allocation.
const fewDims = 4

// A walker holds the remaining dimensions, and the step of each operand along
// them.
type walker struct {
	dims     []int
	steps    [Max][]int
	fewDims  [fewDims]int
	fewSteps [Max][fewDims]int
}

// merge drops dimensions of size 1 and merges adjacent dimensions that every
// operand walks in one run.
func (w *walker) merge(sizes []int, strides [][]int) {
	w.dims = w.fewDims[:0]
	for i := range strides {
		w.steps[i] = w.fewSteps[i][:0]
	}
	for d, size := range sizes {
		if size == 1 {
			continue
		}
		n := len(w.dims)
		joins := n > 0
		for i := range strides {
			joins = joins && w.steps[i][n-1] == strides[i][d]*size
		}
		if joins {
			w.dims[n-1] *= size
			for i := range strides {
				w.steps[i][n-1] = strides[i][d]
			}
			continue
		}
		w.dims = append(w.dims, size)
		for i := range strides {
			w.steps[i] = append(w.steps[i], strides[i][d])
		}
	}
}

// Broadcast returns strides for walking an operand with the given sizes and
// strides over a larger shape. Missing dimensions and dimensions of size 1 get
// stride 0. The result may be strides itself.
func Broadcast(to, sizes, strides []int) []int {
	if slices.Equal(to, sizes) {
		return strides
	}
	out := make([]int, len(to))
	lead := len(to) - len(sizes)
	for d := range sizes {
		if sizes[d] != 1 || to[lead+d] == 1 {
			out[lead+d] = strides[d]
		}
	}
	return out
}

// Map1 stores f(x) for each element x.
func Map1[D, A any](d []D, a []A, sa int, f func(A) D) {
	if sa == 1 {
		a = a[:len(d)]
		for i := range d {
			d[i] = f(a[i])
		}
		return
	}
	for i, j := 0, 0; i < len(d); i, j = i+1, j+sa {
		d[i] = f(a[j])
	}
}

// Map2 stores f(x, y) for each pair of elements.
func Map2[D, A any](d []D, a, b []A, sa, sb int, f func(x, y A) D) {
	for i, j, k := 0, 0, 0; i < len(d); i, j, k = i+1, j+sa, k+sb {
		d[i] = f(a[j], b[k])
	}
}

// Map3 stores f(x, y, z) for each triple of elements.
func Map3[D, A any](d []D, a, b, c []A, sa, sb, sc int, f func(x, y, z A) D) {
	for i, j, k, l := 0, 0, 0, 0; i < len(d); i, j, k, l = i+1, j+sa, k+sb, l+sc {
		d[i] = f(a[j], b[k], c[l])
	}
}

// Copy copies n elements, sa apart in a and sd apart in d.
func Copy[T any](d, a []T, sd, sa int, n int) {
	if sd == 1 && sa == 1 {
		copy(d[:n], a)
		return
	}
	for i, j, k := 0, 0, 0; k < n; i, j, k = i+sd, j+sa, k+1 {
		d[i] = a[j]
	}
}
