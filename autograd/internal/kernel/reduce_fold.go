package kernel

// Reductions by a binary operation: product, maximum, minimum, and, or.

// A Folding is such an operation as loops. Start is its identity. Row folds n
// elements of x, step apart from position at, into start. Columns combines each
// element of dst with the corresponding element of x.
type Folding[T any] struct {
	Start   T
	Row     func(start T, x []T, at, step, n int) T
	Columns func(dst, x []T)
}

// Fold reduces src to dst. All of dst is the result.
func Fold[T any](p *Plan, dst, src []T, f *Folding[T]) {
	for i := range dst {
		dst[i] = f.Start
	}
	p.Blocks(func(b *Block) {
		switch {
		case b.Out0 == 0 && b.In1 == 1 && b.Out1 == 1 && b.N1 > 1:
			for i := range b.N0 {
				at := b.In + i*b.In0
				f.Columns(dst[b.Out:b.Out+b.N1], src[at:at+b.N1])
			}
		case b.Out0 == 0:
			for j := range b.N1 {
				to := b.Out + j*b.Out1
				dst[to] = f.Row(dst[to], src, b.In+j*b.In1, b.In0, b.N0)
			}
		default:
			for j := range b.N1 {
				for i := range b.N0 {
					to := b.Out + j*b.Out1 + i*b.Out0
					dst[to] = f.Row(dst[to], src, b.In+j*b.In1+i*b.In0, 1, 1)
				}
			}
		}
	})
}

// Product returns multiplication. Long contiguous rows use 4·v lanes, where v
// is the number of elements in a vector register, as in PyTorch's
// vectorized_inner_reduction (aten/src/ATen/native/cpu/Reduce.h).
func Product[T number](v int) *Folding[T] {
	return &Folding[T]{
		Start: 1,
		Row: func(start T, x []T, at, step, n int) T {
			if step == 1 && n >= 4*v {
				return prodLanes(start, x[at:at+n], v)
			}
			for range n {
				start *= x[at]
				at += step
			}
			return start
		},
		Columns: func(dst, x []T) {
			for i, e := range x[:len(dst)] {
				dst[i] *= e
			}
		},
	}
}

func prodLanes[T number](start T, x []T, v int) T {
	n := 4 * v
	acc := make([]T, n)
	copy(acc, x)
	i := n
	for ; i+n <= len(x); i += n {
		for k, e := range x[i : i+n] {
			acc[k] *= e
		}
	}
	for k := range v {
		acc[k] = acc[k] * acc[v+k] * (acc[2*v+k] * acc[3*v+k])
	}
	for k := 1; k < v; k++ {
		acc[0] *= acc[k]
	}
	start *= acc[0]
	for _, e := range x[i:] {
		start *= e
	}
	return start
}

// Largest returns the maximum; NaN wins. start is the smallest number of the
// type.
func Largest[T number](start T) *Folding[T] {
	return &Folding[T]{
		Start: start,
		Row: func(m T, x []T, at, step, n int) T {
			for range n {
				if e := x[at]; e > m || e != e {
					m = e
				}
				at += step
			}
			return m
		},
		Columns: func(dst, x []T) {
			for i, e := range x[:len(dst)] {
				if e > dst[i] || e != e {
					dst[i] = e
				}
			}
		},
	}
}

// Smallest returns the minimum; NaN wins. start is the largest number of the
// type.
func Smallest[T number](start T) *Folding[T] {
	return &Folding[T]{
		Start: start,
		Row: func(m T, x []T, at, step, n int) T {
			for range n {
				if e := x[at]; e < m || e != e {
					m = e
				}
				at += step
			}
			return m
		},
		Columns: func(dst, x []T) {
			for i, e := range x[:len(dst)] {
				if e < dst[i] || e != e {
					dst[i] = e
				}
			}
		},
	}
}

// All is true if every element is.
var All = &Folding[bool]{
	Start: true,
	Row: func(start bool, x []bool, at, step, n int) bool {
		for range n {
			start = start && x[at]
			at += step
		}
		return start
	},
	Columns: func(dst, x []bool) {
		for i, e := range x[:len(dst)] {
			dst[i] = dst[i] && e
		}
	},
}

// Any is true if some element is.
var Any = &Folding[bool]{
	Row: func(start bool, x []bool, at, step, n int) bool {
		for range n {
			start = start || x[at]
			at += step
		}
		return start
	},
	Columns: func(dst, x []bool) {
		for i, e := range x[:len(dst)] {
			dst[i] = dst[i] || e
		}
	},
}
