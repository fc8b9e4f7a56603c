package kernel

// Lines calls f for each line along dimension dim of operands of one shape, with
// the position of its first element in each operand. A shape without dimensions
// is one line.
func Lines(sizes []int, dim int, offsets []int, strides [][]int, f func(at *[Max]int)) {
	rest := make([][]int, len(strides))
	for i, s := range strides {
		rest[i] = without(s, dim)
	}
	Walk(without(sizes, dim), offsets, rest, func(r *Row) {
		at := r.At
		for range r.N {
			f(&at)
			for i := range offsets {
				at[i] += r.Stride[i]
			}
		}
	})
}

func without(list []int, dim int) []int {
	if len(list) == 0 {
		return nil
	}
	return append(append(make([]int, 0, len(list)-1), list[:dim]...), list[dim+1:]...)
}

// ArgLargest returns the largest of n elements, step apart, and its index.
// Among equal elements it returns the first. NaN is larger than all numbers.
func ArgLargest[T number](x []T, at, step, n int) (m T, index int) {
	m = x[at]
	for i := range n {
		if e := x[at]; e > m || e != e {
			if m, index = e, i; e != e {
				return m, index
			}
		}
		at += step
	}
	return m, index
}

// ArgSmallest returns the smallest of n elements and its index, as ArgLargest
// does. NaN is smaller than all numbers.
func ArgSmallest[T number](x []T, at, step, n int) (m T, index int) {
	m = x[at]
	for i := range n {
		if e := x[at]; e < m || e != e {
			if m, index = e, i; e != e {
				return m, index
			}
		}
		at += step
	}
	return m, index
}
