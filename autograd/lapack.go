package autograd

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// This file is the bridge between tensors and LAPACK. LAPACK computes in
// float64; results are rounded once, to the dtype of the tensor that receives
// them.

// A matrixBatch holds the matrices in the last two dimensions of a tensor,
// row-major, one after another.
type matrixBatch struct {
	rows, cols, count int
	data              []float64
}

func newMatrixBatch(count, rows, cols int) *matrixBatch {
	return &matrixBatch{rows, cols, count, make([]float64, count*rows*cols)}
}

// matricesOf copies the matrices of t.
func matricesOf(t *Tensor) *matrixBatch {
	n := len(t.sizes)
	b := &matrixBatch{rows: t.sizes[n-2], cols: t.sizes[n-1], count: numel(t.sizes[:n-2])}
	allocatable(t.dtype, b.count) // even if the matrices are empty
	b.data = elements[float64](copied(t, Float64))
	return b
}

// at returns matrix i, for LAPACK to read and change.
func (b *matrixBatch) at(i int) blas64.General {
	size := b.rows * b.cols
	return blas64.General{Rows: b.rows, Cols: b.cols, Stride: max(b.cols, 1), Data: b.data[i*size : (i+1)*size]}
}

// each calls f for every matrix, unless the matrices are empty.
func (b *matrixBatch) each(f func(i int, m blas64.General)) {
	if len(b.data) == 0 {
		return
	}
	for i := range b.count {
		f(i, b.at(i))
	}
}

// tensor makes a tensor from the matrices, with the given sizes and dense
// strides.
func (b *matrixBatch) tensor(d DType, sizes, strides []int) *Tensor {
	out := allocLaidOut(d, sizes, strides)
	if len(b.data) > 0 {
		copyData(out, fromSlice(b.data, Float64, sizes))
	}
	return out
}

// columnMajor returns the strides of matrices with contiguous columns: the
// layout in which PyTorch exchanges matrices with LAPACK.
func columnMajor(sizes []int) []int {
	strides, n := contiguousStrides(sizes), len(sizes)
	if n >= 2 {
		strides = append([]int(nil), strides...)
		strides[n-1], strides[n-2] = max(sizes[n-2], 1), 1
	}
	return strides
}

// An luFactors is the factorization P·L·U of each matrix of a batch.
type luFactors struct {
	lu, pivots *Tensor // as linalg.lu_factor returns them: pivots count from 1
	determined []pivotedDiagonal
}

// A pivotedDiagonal holds what a determinant needs: the diagonal of U and the
// sign of the permutation.
type pivotedDiagonal struct {
	diagonal []float64
	sign     float64
	info     int // LAPACK's info: the first zero on the diagonal, counted from 1, or 0
}

// luFactor factors the matrices of a. Like PyTorch it factors the transposes of
// row-major matrices, which saves a copy; the second result reports whether it
// did.
func luFactor(a *Tensor) (*luFactors, bool) {
	transposed := a.flags&contiguousFlag != 0
	source := a
	if transposed {
		source = matrixTransposed(a)
	}
	return luFactorAsIs(source), transposed
}

// luFactorAsIs factors the matrices of a, which need not be square.
func luFactorAsIs(a *Tensor) *luFactors {
	b := matricesOf(a)
	k := min(b.rows, b.cols)
	f := &luFactors{determined: make([]pivotedDiagonal, b.count)}
	pivots := make([]int64, b.count*k)
	ipiv := make([]int, k)
	for i := range f.determined {
		f.determined[i].sign = 1
	}
	b.each(func(i int, m blas64.General) {
		lapack64.Getrf(m, ipiv)
		d := &f.determined[i]
		for r, p := range ipiv {
			pivots[i*k+r] = int64(p + 1)
			if p != r {
				d.sign = -d.sign
			}
			u := m.Data[r*m.Stride+r]
			d.diagonal = append(d.diagonal, u)
			if u == 0 && d.info == 0 {
				d.info = r + 1
			}
		}
	})
	f.lu = b.tensor(a.dtype, a.sizes, columnMajor(a.sizes))
	f.pivots = as(fromSlice(pivots, Int64, batchSizes(a.sizes[:len(a.sizes)-2], k)), Int32)
	return f
}

// info returns LAPACK's info value for each matrix.
func (f *luFactors) info() []int {
	list := make([]int, len(f.determined))
	for i := range list {
		list[i] = f.determined[i].info
	}
	return list
}

// matrixTransposed returns a view of t with the last two dimensions exchanged.
func matrixTransposed(t *Tensor) *Tensor {
	n := len(t.sizes)
	sizes, strides := append([]int(nil), t.sizes...), append([]int(nil), t.strides...)
	sizes[n-1], sizes[n-2] = sizes[n-2], sizes[n-1]
	strides[n-1], strides[n-2] = strides[n-2], strides[n-1]
	return t.shallow(sizes, strides, t.offset)
}

// luSolve solves A·X = B, or X·A = B if left is false, for the factored matrix A
// or its transpose.
func luSolve(lu, pivots, b *Tensor, left, adjoint bool) *Tensor {
	if !left {
		// Xᵀ solves the transposed equation.
		return matrixTransposed(luSolve(lu, pivots, matrixTransposed(b), true, !adjoint))
	}
	n := len(b.sizes)
	batch := b.sizes[:n-2]
	factors, right := matricesOf(expandedMatrices(lu, batch)), matricesOf(b)
	rank := factors.rows
	which := elements[int64](copied(pivots.broadcastTo(append(append([]int(nil), batch...), rank)), Int64))
	ipiv, trans := make([]int, rank), blas.NoTrans
	if adjoint {
		trans = blas.Trans
	}
	right.each(func(i int, m blas64.General) {
		for k := range ipiv {
			ipiv[k] = int(which[i*rank+k]) - 1
		}
		lapack64.Getrs(trans, factors.at(i), m, ipiv)
	})
	return right.tensor(b.dtype, b.sizes, columnMajor(b.sizes))
}

// broadcastTo returns a view of t with a shape that is known to fit.
func (t *Tensor) broadcastTo(sizes []int) *Tensor {
	sizes, strides, err := expandStrides(t, sizes)
	if err != nil {
		return t
	}
	return t.shallow(sizes, strides, t.offset)
}

// expandedMatrices expands the matrices of t to every element of a batch.
func expandedMatrices(t *Tensor, batch []int) *Tensor {
	n := len(t.sizes)
	return t.broadcastTo(append(append([]int(nil), batch...), t.sizes[n-2:]...))
}

// A triangular says how a triangular matrix enters an equation: which half is
// read, whether it is transposed, whether its diagonal counts as ones, and on
// which side it stands.
type triangular struct{ upper, transposed, unit, left bool }

// solve solves A·X = B, or X·A = B, for triangular matrices A. A and B have the
// same batch dimensions. The columns of the result are contiguous.
func (k triangular) solve(a, b *Tensor) *Tensor {
	factors, right := matricesOf(a), matricesOf(b)
	uplo, trans, diag, side := blas.Lower, blas.NoTrans, blas.NonUnit, blas.Right
	if k.upper {
		uplo = blas.Upper
	}
	if k.transposed {
		trans = blas.Trans
	}
	if k.unit {
		diag = blas.Unit
	}
	if k.left {
		side = blas.Left
	}
	right.each(func(i int, m blas64.General) {
		f := factors.at(i)
		t := blas64.Triangular{Uplo: uplo, Diag: diag, N: f.Rows, Stride: f.Stride, Data: f.Data}
		blas64.Trsm(side, trans, 1, t, m)
	})
	return right.tensor(b.dtype, b.sizes, columnMajor(b.sizes))
}

// choleskyFactor computes the triangular factor of each matrix from its upper
// or lower half. The second result is LAPACK's info: the order of the leading
// minor that is not positive definite, or 0.
func choleskyFactor(a *Tensor, upper bool) (*Tensor, []int) {
	b := matricesOf(a)
	info := make([]int, b.count)
	b.each(func(i int, m blas64.General) {
		uplo := blas.Lower
		if upper {
			uplo = blas.Upper
		}
		s := blas64.Symmetric{Uplo: uplo, N: m.Rows, Stride: m.Stride, Data: m.Data}
		if _, ok := lapack64.Potrf(s); !ok {
			info[i] = firstBadMinor(matricesOf(a).at(i), upper)
		}
		for r := range m.Rows {
			for c := range m.Cols {
				if upper && c < r || !upper && c > r {
					m.Data[r*m.Stride+c] = 0
				}
			}
		}
	})
	return b.tensor(a.dtype, a.sizes, columnMajor(a.sizes)), info
}

// firstBadMinor returns the order of the first leading minor without a Cholesky
// factor. The LAPACK in use does not report it.
func firstBadMinor(m blas64.General, upper bool) int {
	uplo := blas.Lower
	if upper {
		uplo = blas.Upper
	}
	for n := 1; n < m.Rows; n++ {
		minor := blas64.Symmetric{Uplo: uplo, N: n, Stride: m.Stride, Data: append([]float64(nil), m.Data...)}
		if _, ok := lapack64.Potrf(minor); !ok {
			return n
		}
	}
	return m.Rows
}

// svdFactors is a singular value decomposition U·diag(S)·Vh of each matrix of a
// batch.
type svdFactors struct {
	u, s, vh  *matrixBatch // s: one row for each matrix
	converged bool
}

// svd decomposes matrices. It computes u and vh only if vectors is set; they
// are square only if full is set.
func svd(a *Tensor, full, vectors bool) *svdFactors {
	b := matricesOf(a)
	m, n := b.rows, b.cols
	k := min(m, n)
	f := &svdFactors{s: newMatrixBatch(b.count, 1, k), converged: true}
	job, rows, cols := lapack.SVDNone, 0, 0
	switch {
	case vectors && full:
		job, rows, cols = lapack.SVDAll, m, n
	case vectors:
		job, rows, cols = lapack.SVDStore, k, k
	}
	f.u, f.vh = newMatrixBatch(b.count, m, rows), newMatrixBatch(b.count, cols, n)
	if k == 0 {
		f.u.fillIdentity()
		f.vh.fillIdentity()
		return f
	}
	work := make([]float64, 1)
	b.each(func(i int, x blas64.General) {
		u, vh := f.u.at(i), f.vh.at(i)
		if len(work) == 1 {
			lapack64.Gesvd(job, job, x, u, vh, f.s.at(i).Data, work, -1)
			work = make([]float64, int(work[0]))
		}
		f.converged = lapack64.Gesvd(job, job, x, u, vh, f.s.at(i).Data, work, len(work)) && f.converged
	})
	return f
}

// fillIdentity turns square matrices into identities.
func (b *matrixBatch) fillIdentity() {
	b.each(func(_ int, m blas64.General) {
		for k := range min(m.Rows, m.Cols) {
			m.Data[k*m.Stride+k] = 1
		}
	})
}

// isFinite reports whether no element is NaN or infinite.
func isFinite(t *Tensor) bool {
	finite := true
	t.eachFloat(func(x float64) { finite = finite && !math.IsNaN(x) && !math.IsInf(x, 0) })
	return finite
}

// machineEpsilon returns the distance from 1 to the next number of a float type.
func machineEpsilon(d DType) float64 {
	if d == Float64 {
		return 0x1p-52
	}
	return 0x1p-23
}
