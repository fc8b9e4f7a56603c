package autograd

import (
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Least squares.

var lstsqOps = []Op{{
	Schema: "linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> (Tensor solution, Tensor residuals, Tensor rank, Tensor singular_values)", In: Linalg,
	Node: "LinalgLstsqBackward0", Constant: "residuals singular_values",
	Forward: leastSquares,
	VJP:     []Formula{{Input: "self b", Uses: "self b", All: lstsqBackward}},
	JVP: func(c *JCtx) ([]*Tensor, error) {
		x, b := c.Primal("self"), c.Primal("b")
		p := x.LinalgPinv()
		d := p.Matmul(c.TangentOrZeros("b"))
		if dx := c.Tangent("self"); dx != nil {
			d = d.Add(pinvDifferential(p, x, dx).Matmul(b))
		}
		return []*Tensor{d}, nil
	},
}}

// lstsqDrivers maps a driver, a LAPACK routine, to the results that it computes
// besides the solution.
var lstsqDrivers = map[string]struct{ rank, residuals, values bool }{
	"gels":  {residuals: true},
	"gelsy": {rank: true},
	"gelsd": {rank: true, residuals: true, values: true},
	"gelss": {rank: true, residuals: true, values: true},
}

func leastSquares(a *Args) ([]*Tensor, error) {
	x, b := a.Self(), a.Tensor("b")
	name := "gelsy"
	if a.Has("driver") {
		name = a.Str("driver")
	}
	driver, known := lstsqDrivers[name]
	vector, err := checkLstsq(x, b, known)
	if err != nil {
		return nil, err
	}
	if vector {
		b = b.shallow(batchSizes(b.sizes, 1), batchSizes(b.strides, 1), b.offset)
	}
	m, n := x.sizes[len(x.sizes)-2], x.sizes[len(x.sizes)-1]
	rcond := a.optionalNumber("rcond")
	if rcond == nil {
		rcond = numberTensor(FloatScalar(machineEpsilon(x.dtype) * float64(max(m, n))))
	}
	f, err := a.decompose(nil, rcond, true)
	if err != nil {
		return nil, err
	}
	inverse, right := f.pseudoInverse(m, n), matricesOf(b)
	solution := newMatrixBatch(right.count, n, right.cols)
	solution.each(func(i int, s blas64.General) {
		if m > 0 {
			blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, inverse.at(i), right.at(i), 0, s)
		}
	})
	batch := x.sizes[:len(x.sizes)-2]
	outs := []*Tensor{lstsqSolution(solution, x.dtype, batch, m, vector), alloc(x.dtype, []int{0}), alloc(Int64, []int{0}), alloc(x.dtype, []int{0})}
	fullRank := !slices.ContainsFunc(f.ranks, func(rank int) bool { return rank < n })
	if driver.residuals && m > n && fullRank {
		outs[1] = residuals(matricesOf(x), solution, right).tensor(x.dtype, batchSizes(batch, right.cols), contiguousStrides(batchSizes(batch, right.cols)))
	}
	if driver.rank {
		outs[2] = copied(infoTensor(f.ranks, batch), Int64)
	}
	if driver.values {
		sizes := batchSizes(batch, f.s.cols)
		outs[3] = f.s.tensor(x.dtype, sizes, contiguousStrides(sizes))
	}
	return outs, nil
}

// checkLstsq checks the arguments and reports whether the right-hand side holds
// one vector for each matrix.
func checkLstsq(x, b *Tensor, known bool) (vector bool, err error) {
	n, m := len(x.sizes), len(b.sizes)
	if n < 2 {
		return false, fail(RuntimeError, CodeShape, "torch.linalg.lstsq: input must have at least 2 dimensions.")
	}
	if m < 1 {
		return false, fail(RuntimeError, CodeShape, "torch.linalg.lstsq: other must have at least 1 dimension.")
	}
	if x.dtype != b.dtype {
		return false, fail(RuntimeError, CodeDType, "torch.linalg.lstsq: Expected input and other to have the same dtype, but got input's dtype %s and other's dtype %s", scalarTypeName(x.dtype), scalarTypeName(b.dtype))
	}
	vector = isVectorSide(x.sizes, b.sizes)
	at := m - 2
	if vector {
		at = m - 1
	}
	switch {
	case at < 0 || !sameSizes(x.sizes[:n-2], b.sizes[:at]):
		return false, fail(RuntimeError, CodeShape, "torch.linalg.lstsq: input.dim() must be greater or equal to other.dim() and (input.dim() - other.dim()) <= 1")
	case b.sizes[at] != x.sizes[n-2] && vector:
		return false, fail(RuntimeError, CodeShape, "torch.linalg.lstsq: input.size(-2) should match other.size(-1)")
	case b.sizes[at] != x.sizes[n-2]:
		return false, fail(RuntimeError, CodeShape, "torch.linalg.lstsq: input.size(-2) should match other.size(-2)")
	case !known:
		return false, fail(RuntimeError, CodeArgument, "torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)")
	case !hasLAPACK(x.dtype):
		return false, fail(RuntimeError, CodeDType, "This function doesn't handle types other than float and double")
	}
	return vector, nil
}

// lstsqSolution makes the tensor of solutions. LAPACK leaves them in the first
// rows of the right-hand sides, which shows in the strides.
func lstsqSolution(s *matrixBatch, d DType, batch []int, rows int, vector bool) *Tensor {
	rows = max(rows, s.rows)
	sizes := batchSizes(batch, rows, s.cols)
	buffer := allocLaidOut(d, sizes, columnMajor(sizes))
	shape := batchSizes(batch, s.rows, s.cols)
	part := buffer.shallow(shape, buffer.strides, 0)
	if len(s.data) > 0 {
		copyData(part, fromSlice(s.data, Float64, shape))
	}
	if vector {
		return part.shallow(shape[:len(shape)-1], part.strides[:len(shape)-1], 0)
	}
	return part
}

// residuals returns the sums of squares of B - A·X for each column.
func residuals(a, x, b *matrixBatch) *matrixBatch {
	sums := newMatrixBatch(b.count, 1, b.cols)
	sums.each(func(i int, sum blas64.General) {
		rest := b.at(i)
		if a.cols > 0 {
			blas64.Gemm(blas.NoTrans, blas.NoTrans, -1, a.at(i), x.at(i), 1, rest)
		}
		for r := range rest.Rows {
			for c := range rest.Cols {
				sum.Data[c] += rest.Data[r*rest.Stride+c] * rest.Data[r*rest.Stride+c]
			}
		}
	})
	return sums
}

// lstsqBackward is linalg_lstsq_backward: the solution is pinv(A)·B.
func lstsqBackward(c *Ctx) []*Tensor {
	g := c.Grad()
	if g == nil {
		return nil
	}
	x, b := c.Saved("self"), c.Saved("b")
	vector := isVectorSide(x.sizes, b.sizes)
	if vector {
		g, b = g.Unsqueeze(-1), b.Unsqueeze(-1)
	}
	p := x.LinalgPinv()
	var gx, gb *Tensor
	if c.Needs("self") {
		gx = pinvBackward(g.Matmul(b.MH()), p, x)
	}
	if c.Needs("b") {
		gb = p.MH().Matmul(g)
		if vector {
			gb = gb.Squeeze(Dim(-1))
		}
	}
	return []*Tensor{gx, gb}
}
