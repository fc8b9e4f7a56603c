package kernel

// This file orders the work of a reduction. Floating-point sums depend on the
// order of their terms, so the order is PyTorch's: reduced dimensions first,
// then by stride, with adjacent dimensions merged
// (TensorIteratorBase::reorder_dimensions and coalesce_dimensions).

// A Plan is the order in which a reduction visits its input.
type Plan struct {
	sizes, in, out []int // fastest dimension first; out is 0 where elements are reduced
	reduced        int   // number of leading dimensions that are reduced
	at, to         int   // the first element of the input and of the result
	buf            [24]int
}

// A Block is a part of a reduction: N1 times N0 elements. In0 and Out0 are the
// steps between the N0 elements of a row, In1 and Out1 the steps between rows.
type Block struct {
	In, Out    int
	N0, N1     int
	In0, In1   int
	Out0, Out1 int
}

// Init prepares a reduction of an input with the given sizes and strides, from
// position at, to a result from position to. out holds the stride of the result
// for each dimension of the input, 0 if the dimension is reduced.
func (p *Plan) Init(sizes, in, out []int, at, to int) {
	n := len(sizes)
	store := p.buf[:]
	if 3*n > len(store) {
		store = make([]int, 3*n)
	}
	p.sizes, p.in, p.out = store[:0:n], store[n:n:2*n], store[2*n:2*n:3*n]
	p.at, p.to = at, to
	var few [8]int
	order := few[:0]
	for d := n - 1; d >= 0; d-- {
		order = append(order, d)
	}
	sortDims(order, sizes, in, out)
	for _, d := range order {
		p.add(sizes[d], in[d], out[d])
	}
	for p.reduced < len(p.sizes) && p.out[p.reduced] == 0 {
		p.reduced++
	}
}

// add appends a dimension, or merges it with the one before.
func (p *Plan) add(size, in, out int) {
	last := len(p.sizes) - 1
	switch {
	case last >= 0 && p.sizes[last] == 1:
		p.sizes[last], p.in[last], p.out[last] = size, in, out
	case last >= 0 && (size == 1 || p.in[last]*p.sizes[last] == in && p.out[last]*p.sizes[last] == out):
		p.sizes[last] *= size
	default:
		p.sizes, p.in, p.out = append(p.sizes, size), append(p.in, in), append(p.out, out)
	}
}

// sortDims is an insertion sort that allows undecided comparisons.
func sortDims(order, sizes, in, out []int) {
	for i := 1; i < len(order); i++ {
		at := i
		for j := i - 1; j >= 0; j-- {
			c := compareDims(order[j], order[at], sizes, in, out)
			if c > 0 {
				order[j], order[at] = order[at], order[j]
				at = j
			} else if c < 0 {
				break
			}
		}
	}
}

// compareDims is positive when dimension x belongs after y.
func compareDims(x, y int, sizes, in, out []int) int {
	if (out[x] == 0) != (out[y] == 0) {
		if out[y] == 0 {
			return 1
		}
		return -1
	}
	return WalkOrder(x, y, sizes, out, in)
}

// WalkOrder is positive when dimension x should be walked more slowly than y,
// negative in the opposite case, and 0 when the strides of the operands do not
// decide (TensorIterator's reorder_dimensions).
func WalkOrder(x, y int, sizes []int, strides ...[]int) int {
	for _, s := range strides {
		switch {
		case s[x] == 0 || s[y] == 0:
		case s[x] < s[y]:
			return -1
		case s[x] > s[y] || sizes[x] > sizes[y]:
			return 1
		}
	}
	return 0
}

// Blocks calls f for the parts of the reduction, one after the other.
func (p *Plan) Blocks(f func(b *Block)) {
	b := Block{In: p.at, Out: p.to, N0: 1, N1: 1}
	n := len(p.sizes)
	if n > 0 {
		b.N0, b.In0, b.Out0 = p.sizes[0], p.in[0], p.out[0]
	}
	if n > 1 {
		b.N1, b.In1, b.Out1 = p.sizes[1], p.in[1], p.out[1]
	}
	if b.N0 == 0 || b.N1 == 0 {
		return
	}
	if n <= 2 {
		f(&b)
		return
	}
	odometer(p.sizes[2:], p.in[2:], p.out[2:], &b.In, &b.Out, func() { f(&b) })
}

// Outputs calls f for each element of the result, with the position of the
// first element that is reduced to it.
func (p *Plan) Outputs(f func(out, in int)) {
	in, out := p.at, p.to
	odometer(p.sizes[p.reduced:], p.in[p.reduced:], p.out[p.reduced:], &in, &out, func() { f(out, in) })
}

// Runs calls f for the runs of elements that are reduced to one element of the
// result. The first of them is at position in.
func (p *Plan) Runs(in int, f func(at, step, n int)) {
	switch p.reduced {
	case 0:
		f(in, 1, 1)
	case 1:
		f(in, p.in[0], p.sizes[0])
	default:
		unused := 0
		odometer(p.sizes[1:p.reduced], p.in[1:p.reduced], p.out[1:p.reduced], &in, &unused, func() { f(in, p.in[0], p.sizes[0]) })
	}
}

// Count returns the number of elements that are reduced to one.
func (p *Plan) Count() int {
	n := 1
	for _, s := range p.sizes[:p.reduced] {
		n *= s
	}
	return n
}

// odometer calls f for each index of a shape, the first dimension moving
// fastest, with the positions a and b of the index. Afterwards a and b have
// their initial values.
func odometer(sizes, stepA, stepB []int, a, b *int, f func()) {
	for _, s := range sizes {
		if s == 0 {
			return
		}
	}
	var few [8]int
	index := few[:]
	if len(sizes) > len(few) {
		index = make([]int, len(sizes))
	}
	for {
		f()
		d := 0
		for ; d < len(sizes); d++ {
			index[d]++
			*a += stepA[d]
			*b += stepB[d]
			if index[d] < sizes[d] {
				break
			}
			*a -= stepA[d] * sizes[d]
			*b -= stepB[d] * sizes[d]
			index[d] = 0
		}
		if d == len(sizes) {
			return
		}
	}
}
