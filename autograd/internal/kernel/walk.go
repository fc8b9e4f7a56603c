// Package kernel holds the loops that compute tensors: over plain slices, with
// sizes and strides in elements. It knows nothing of autograd.
package kernel

// Max is the largest number of operands that Walk handles.
const Max = 5

// A Row is a run of elements that Walk hands to an inner loop: for each operand
// the position of the first element and the step to the next.
type Row struct {
	N      int
	At     [Max]int
	Stride [Max]int
}

// Walk calls f for rows that together cover all elements of a shape, in
// row-major order. Each operand has an offset and a stride for each dimension; a
// stride of 0 repeats elements (broadcasting). Dimensions that all operands can
// walk in one run are merged, so f sees long rows.
func Walk(sizes []int, offsets []int, strides [][]int, f func(r *Row)) {
	var r Row
	k := len(offsets)
	copy(r.At[:], offsets)
	for _, s := range sizes {
		if s == 0 {
			return
		}
	}
	dims, steps := merge(sizes, strides)
	if len(dims) == 0 {
		r.N = 1
		f(&r)
		return
	}
	last := len(dims) - 1
	r.N = dims[last]
	for i := range k {
		r.Stride[i] = steps[i][last]
	}
	if last == 0 {
		f(&r)
		return
	}
	index := make([]int, last)
	for {
		f(&r)
		d := last - 1
		for ; d >= 0; d-- {
			index[d]++
			for i := range k {
				r.At[i] += steps[i][d]
			}
			if index[d] < dims[d] {
				break
			}
			for i := range k {
				r.At[i] -= steps[i][d] * dims[d]
			}
			index[d] = 0
		}
		if d < 0 {
			return
		}
	}
}

// merge drops dimensions of size 1 and joins neighbours that every operand walks
// in one run.
func merge(sizes []int, strides [][]int) (dims []int, steps [][]int) {
	steps = make([][]int, len(strides))
	for d, size := range sizes {
		if size == 1 {
			continue
		}
		n := len(dims)
		joins := n > 0
		for i := range strides {
			joins = joins && steps[i][n-1] == strides[i][d]*size
		}
		if joins {
			dims[n-1] *= size
			for i := range strides {
				steps[i][n-1] = strides[i][d]
			}
			continue
		}
		dims = append(dims, size)
		for i := range strides {
			steps[i] = append(steps[i], strides[i][d])
		}
	}
	return dims, steps
}

// Broadcast returns strides with which an operand of the given sizes and strides
// can be walked over a larger shape: dimensions that it lacks or has with size 1
// get stride 0.
func Broadcast(to, sizes, strides []int) []int {
	out := make([]int, len(to))
	lead := len(to) - len(sizes)
	for d := range sizes {
		if sizes[d] != 1 || to[lead+d] == 1 {
			out[lead+d] = strides[d]
		}
	}
	return out
}

// Map1 stores f of each element.
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

// Map2 stores f of each pair of elements.
func Map2[D, A any](d []D, a, b []A, sa, sb int, f func(x, y A) D) {
	for i, j, k := 0, 0, 0; i < len(d); i, j, k = i+1, j+sa, k+sb {
		d[i] = f(a[j], b[k])
	}
}

// Map3 stores f of each triple of elements.
func Map3[D, A any](d []D, a, b, c []A, sa, sb, sc int, f func(x, y, z A) D) {
	for i, j, k, l := 0, 0, 0, 0; i < len(d); i, j, k, l = i+1, j+sa, k+sb, l+sc {
		d[i] = f(a[j], b[k], c[l])
	}
}

// Copy stores elements that are sa apart.
func Copy[T any](d, a []T, sd, sa int, n int) {
	if sd == 1 && sa == 1 {
		copy(d[:n], a)
		return
	}
	for i, j, k := 0, 0, 0; k < n; i, j, k = i+sd, j+sa, k+1 {
		d[i] = a[j]
	}
}
