package kernel

import "math/bits"

// Sums of floats, bit by bit as PyTorch's CPU kernels with AVX2 compute them
// (aten/src/ATen/native/cpu/SumKernel.cpp): vectors of 8 float32 or 4 float64
// elements, four of them in parallel, in a cascade of partial sums.

// float is a type whose sums depend on their order.
type float interface{ float32 | float64 }

// lanes returns the number of elements in a vector register.
func lanes[T float]() int {
	var x T
	if _, ok := any(x).(float32); ok {
		return 8
	}
	return 4
}

// wide holds the sums of four vectors.
type wide[T float] [32]T

// Sum adds the elements of src to the elements of dst to which the plan reduces
// them.
func Sum[T float](p *Plan, dst, src []T) {
	p.Blocks(func(b *Block) { SumBlock(b, dst, src) })
}

// SumInt is Sum for integers, whose order does not matter.
func SumInt(p *Plan, dst, src []int64) {
	p.Blocks(func(b *Block) { SumIntBlock(b, dst, src) })
}

// SumIntBlock is SumInt for a single block.
func SumIntBlock(b *Block, dst, src []int64) { addBlock(b, dst, src) }

// SumBlock is Sum for a single block.
func SumBlock[T float](b *Block, dst, src []T) {
	c := *b
	if c.Out0 != 0 && c.Out1 == 0 {
		c.N0, c.N1, c.In0, c.In1, c.Out0, c.Out1 = c.N1, c.N0, c.In1, c.In0, c.Out1, c.Out0
	}
	v := lanes[T]()
	switch {
	case c.Out0 != 0: // nothing is reduced
		addBlock(&c, dst, src)
	case c.In0 == 1 && c.N0 >= v:
		for j := range c.N1 {
			dst[c.Out+j*c.Out1] += sumContiguous(src[c.In+j*c.In1:][:c.N0], v)
		}
	case c.In1 == 1 && c.N1 >= v:
		sumColumns(&c, dst, src, v)
	case c.In0 < c.In1:
		for j := range c.N1 {
			dst[c.Out+j*c.Out1] += sumStrided(src, c.In+j*c.In1, c.In0, c.N0)
		}
	default:
		sumFewColumns(&c, dst, src)
	}
}

func addBlock[T number](c *Block, dst, src []T) {
	for j := range c.N1 {
		to, at := c.Out+j*c.Out1, c.In+j*c.In1
		for range c.N0 {
			dst[to] += src[at]
			to, at = to+c.Out0, at+c.In0
		}
	}
}

// sumContiguous is vectorized_inner_sum: first the elements that do not fill a
// vector, then the lanes.
func sumContiguous[T float](x []T, v int) T {
	vectors := len(x) / v
	var sum wide[T]
	sumVectors(&sum, x, 0, v, vectors, v)
	var total T
	for _, e := range x[vectors*v:] {
		total += e
	}
	for _, s := range sum[:v] {
		total += s
	}
	return total
}

// sumVectors is row_sum: it sums n vectors of v elements, step apart, four in
// parallel. The sums of the lanes are in sum[:v].
func sumVectors[T float](sum *wide[T], x []T, at, step, n, v int) {
	rows := n / 4
	if step == v {
		cascade(sum, x, at, 4*step, 1, rows, 4*v)
	} else {
		var part wide[T]
		for k := range 4 {
			cascade(&part, x, at+k*step, 4*step, 1, rows, v)
			copy(sum[k*v:], part[:v])
		}
	}
	for i := 4 * rows; i < n; i++ {
		for l, e := range x[at+i*step:][:v] {
			sum[l] += e
		}
	}
	for k := v; k < 4*v; k += v {
		for l := range v {
			sum[l] += sum[k+l]
		}
	}
}

// sumStrided is row_sum for single elements.
func sumStrided[T float](x []T, at, step, n int) T {
	rows := n / 4
	var sum wide[T]
	cascade(&sum, x, at, 4*step, step, rows, 4)
	for i := 4 * rows; i < n; i++ {
		sum[0] += x[at+i*step]
	}
	return sum[0] + sum[1] + sum[2] + sum[3]
}

// sumColumns is vectorized_outer_sum: it sums columns that are adjacent in
// memory.
func sumColumns[T float](c *Block, dst, src []T, v int) {
	var sum wide[T]
	store := func(j, n int) {
		for l, s := range sum[:n] {
			dst[c.Out+(j+l)*c.Out1] += s
		}
	}
	j := 0
	for ; j+4*v <= c.N1; j += 4 * v {
		cascade(&sum, src, c.In+j, c.In0, 1, c.N0, 4*v)
		store(j, 4*v)
	}
	for ; j+v <= c.N1; j += v {
		sumVectors(&sum, src, c.In+j, c.In0, c.N0, v)
		store(j, v)
	}
	for ; j < c.N1; j++ {
		dst[c.Out+j*c.Out1] += sumStrided(src, c.In+j, c.In0, c.N0)
	}
}

// sumFewColumns is scalar_outer_sum.
func sumFewColumns[T float](c *Block, dst, src []T) {
	var sum wide[T]
	j := 0
	for ; j+4 <= c.N1; j += 4 {
		cascade(&sum, src, c.In+j*c.In1, c.In0, c.In1, c.N0, 4)
		for k, s := range sum[:4] {
			dst[c.Out+(j+k)*c.Out1] += s
		}
	}
	for ; j < c.N1; j++ {
		dst[c.Out+j*c.Out1] += sumStrided(src, c.In+j*c.In1, c.In0, c.N0)
	}
}

// cascade is multi_row_sum: it sums columns (a multiple of 4, at most 32) over
// rows. Partial sums of 16 or more rows use up to four levels, so that small
// terms are not lost in a large sum.
func cascade[T float](sum *wide[T], x []T, at, rowStep, colStep, rows, cols int) {
	power := max(4, ceilLog2(rows)/4)
	step := 1 << power
	if rows < step {
		sumRows(sum, x, at, rowStep, colStep, rows, cols)
		return
	}
	var level [4]wide[T]
	i := 0
	for i+step <= rows {
		sumRows(&level[0], x, at+i*rowStep, rowStep, colStep, step, cols)
		i += step
		for j := 1; j < 4; j++ {
			for k := range cols {
				level[j][k] += level[j-1][k]
				level[j-1][k] = 0
			}
			if i&((step-1)<<(j*power)) != 0 {
				break
			}
		}
	}
	sumRows(sum, x, at+i*rowStep, rowStep, colStep, rows-i, cols)
	for j := 1; j < 4; j++ {
		for k := range cols {
			sum[k] += level[j][k]
		}
	}
}

// sumRows sums columns over a few rows.
func sumRows[T float](sum *wide[T], x []T, at, rowStep, colStep, rows, cols int) {
	for k := 0; k < cols; k += 4 {
		var a, b, c, d T
		p := at + k*colStep
		if colStep == 1 {
			for range rows {
				e := x[p : p+4 : p+4]
				a, b, c, d = a+e[0], b+e[1], c+e[2], d+e[3]
				p += rowStep
			}
		} else {
			for range rows {
				a, b, c, d = a+x[p], b+x[p+colStep], c+x[p+2*colStep], d+x[p+3*colStep]
				p += rowStep
			}
		}
		sum[k], sum[k+1], sum[k+2], sum[k+3] = a, b, c, d
	}
}

// ceilLog2 returns the base-2 logarithm, rounded up, at least 1.
func ceilLog2(n int) int {
	if n <= 2 {
		return 1
	}
	return bits.Len(uint(n - 1))
}
