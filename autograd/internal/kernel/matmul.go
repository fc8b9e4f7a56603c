package kernel

import (
	"runtime"
	"sync"
)

// A Matrix is a two-dimensional view of a slice: element (i, j) is
// Data[i*RowStep+j*ColStep].
type Matrix[T any] struct {
	Data             []T
	Rows, Cols       int
	RowStep, ColStep int
}

// Dense returns a row-major matrix.
func Dense[T any](data []T, rows, cols int) Matrix[T] {
	return Matrix[T]{data, rows, cols, cols, 1}
}

// Transposed returns the transpose, a view of the same memory.
func (m Matrix[T]) Transposed() Matrix[T] {
	return Matrix[T]{m.Data, m.Cols, m.Rows, m.ColStep, m.RowStep}
}

// packed returns a row-major copy.
func (m Matrix[T]) packed() Matrix[T] {
	p := Dense(make([]T, m.Rows*m.Cols), m.Rows, m.Cols)
	if m.Cols == 0 {
		return p // an empty matrix may begin beyond its memory
	}
	for i := range m.Rows {
		Copy(p.Data[i*p.RowStep:], m.Data[i*m.RowStep:], 1, m.ColStep, m.Cols)
	}
	return p
}

// MatMul stores alpha·a·b + beta·c in the row-major matrix c. If beta is 0, it
// does not read c.
//
// The result is equal to the result of reference BLAS, to the last bit, for
// every size and on every machine: each element sums its products in order, and
// rounds each product and each sum. As in BLAS, the layout decides where beta·c
// enters. If the rows of b are contiguous, the sum starts from it; if the
// columns are, it is added at the end (at::native::addmm_impl_cpu_ of PyTorch
// 2.6).
func MatMul[T number](c, a, b Matrix[T], alpha, beta T) {
	// BLAS works on columns, so a row-major product is computed as the product
	// of the transposed matrices. A single column counts as column-major.
	column := c.Cols == 1
	if column {
		c, a, b = Matrix[T]{c.Data, 1, c.Rows, c.Rows, 1}, b.Transposed(), a.Transposed()
	}
	p := product[T]{c: c, a: a, b: b, alpha: alpha, beta: beta}
	switch {
	case b.ColStep == 1 && b.RowStep >= max(1, b.Cols):
	case b.RowStep == 1 && b.ColStep >= max(1, b.Rows):
		p.apart = true
	case column:
		p.b, p.apart = b.Transposed().packed().Transposed(), true
	default:
		p.b = b.packed()
	}
	p.run()
}

// MatMulApart is MatMul, except that beta·c is always added at the end, as in
// products of small batched matrices (baddbmm_cpu_kernel).
func MatMulApart[T number](c, a, b Matrix[T], alpha, beta T) {
	if b.RowStep != 1 {
		b = b.Transposed().packed().Transposed()
	}
	p := product[T]{c: c, a: a, b: b, alpha: alpha, beta: beta, apart: true}
	p.run()
}

// A product is alpha·a·b + beta·c, to be stored in c. The rows of c are
// contiguous.
type product[T number] struct {
	c, a, b     Matrix[T]
	alpha, beta T
	// apart says that beta·c is added to the finished sums; the columns of b
	// are contiguous. Otherwise the sums start from it, and the rows of b are
	// contiguous.
	apart bool
}

// parallelWork is the number of multiplications from which several goroutines
// share the rows of a product.
const parallelWork = 1 << 17

func (p *product[T]) run() {
	n := p.c.Rows
	if p.apart && p.a.ColStep != 1 {
		p.a = p.a.packed()
	}
	workers := min(runtime.GOMAXPROCS(0), n)
	if workers < 2 || n*p.b.Rows*p.b.Cols < parallelWork {
		p.rows(0, n)
		return
	}
	shared := *p // only here does it escape to the heap
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { shared.rows(w*n/workers, (w+1)*n/workers) })
	}
	wg.Wait()
}

// rows computes a range of rows.
func (p *product[T]) rows(from, to int) {
	for i := from; i < to; i++ {
		row := p.c.Data[i*p.c.RowStep:][:p.c.Cols]
		switch {
		case p.b.Rows == 0:
			scale(row, p.beta)
		case p.apart:
			dotProducts(row, p.a.Data[i*p.a.RowStep:][:p.a.Cols], &p.b, p.alpha, p.beta)
		default:
			scale(row, p.beta)
			addProducts(row, &p.a, i, &p.b, p.alpha)
		}
	}
}

// scale multiplies a row by beta. Zero clears the row, whatever it contains.
func scale[T number](row []T, beta T) {
	switch beta {
	case 0:
		clear(row)
	case 1:
	default:
		for j := range row {
			row[j] *= beta
		}
	}
}

// addProducts adds row i of alpha·a times b to a row, four rows of b at a time.
// The conversions keep the compiler from fusing a product with a sum.
func addProducts[T number](row []T, a *Matrix[T], i int, b *Matrix[T], alpha T) {
	l, at := 0, i*a.RowStep
	for ; l+4 <= b.Rows; l += 4 {
		x0 := alpha * a.Data[at]
		x1 := alpha * a.Data[at+a.ColStep]
		x2 := alpha * a.Data[at+2*a.ColStep]
		x3 := alpha * a.Data[at+3*a.ColStep]
		at += 4 * a.ColStep
		b0, b1 := b.Data[l*b.RowStep:][:len(row)], b.Data[(l+1)*b.RowStep:][:len(row)]
		b2, b3 := b.Data[(l+2)*b.RowStep:][:len(row)], b.Data[(l+3)*b.RowStep:][:len(row)]
		for j := range row {
			sum := row[j]
			sum += T(x0 * b0[j])
			sum += T(x1 * b1[j])
			sum += T(x2 * b2[j])
			sum += T(x3 * b3[j])
			row[j] = sum
		}
	}
	for ; l < b.Rows; l++ {
		x := alpha * a.Data[at]
		at += a.ColStep
		for j, y := range b.Data[l*b.RowStep:][:len(row)] {
			row[j] += T(x * y)
		}
	}
}

// dotProducts computes a row of the result from a row of a, four columns of b at
// a time.
func dotProducts[T number](row, a []T, b *Matrix[T], alpha, beta T) {
	j := 0
	for ; j+4 <= len(row); j += 4 {
		b0, b1 := b.Data[j*b.ColStep:][:len(a)], b.Data[(j+1)*b.ColStep:][:len(a)]
		b2, b3 := b.Data[(j+2)*b.ColStep:][:len(a)], b.Data[(j+3)*b.ColStep:][:len(a)]
		var s0, s1, s2, s3 T
		for l, x := range a {
			s0 += T(x * b0[l])
			s1 += T(x * b1[l])
			s2 += T(x * b2[l])
			s3 += T(x * b3[l])
		}
		out := row[j : j+4 : j+4]
		out[0] = finish(s0, out[0], alpha, beta)
		out[1] = finish(s1, out[1], alpha, beta)
		out[2] = finish(s2, out[2], alpha, beta)
		out[3] = finish(s3, out[3], alpha, beta)
	}
	for ; j < len(row); j++ {
		row[j] = finish(dot(a, b.Data[j*b.ColStep:][:len(a)]), row[j], alpha, beta)
	}
}

func finish[T number](sum, c, alpha, beta T) T {
	if beta == 0 {
		return alpha * sum
	}
	return T(alpha*sum) + T(beta*c)
}

func dot[T number](x, y []T) T {
	var sum T
	for l, v := range x {
		sum += T(v * y[l])
	}
	return sum
}

// Dot sums the products of n elements in order.
func Dot[T number](x, y []T, sx, sy, n int) T {
	var sum T
	for i, j := 0, 0; n > 0; i, j, n = i+sx, j+sy, n-1 {
		sum += T(x[i] * y[j])
	}
	return sum
}
