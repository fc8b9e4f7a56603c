package autograd

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// Eigenvalues of symmetric matrices.

var eighOps = []Op{
	{
		Schema: "_linalg_eigh(Tensor A, str UPLO='L', bool compute_v=True) -> (Tensor eigenvalues, Tensor eigenvectors)", In: Hidden, Go: "-",
		Node: "LinalgEighBackward0", JVP: eighTangent,
		Forward: func(a *Args) ([]*Tensor, error) { return eigh(a.Tensor("A"), a.Str("UPLO")) },
		VJP:     []Formula{{Input: "A", Uses: "eigenvalues eigenvectors", Of: eighBackward}},
	},
	{
		Schema: "linalg_eigh(Tensor self, str UPLO='L') -> (Tensor eigenvalues, Tensor eigenvectors)", In: Linalg,
		Compose: func(a *Args) ([]*Tensor, error) {
			return fn_LinalgEigh.list([]Option{Kw("UPLO", a.Str("UPLO"))}, a.Self())
		},
	},
	{
		Schema: "linalg_eigvalsh(Tensor self, str UPLO='L') -> Tensor", In: Linalg,
		Compose: func(a *Args) ([]*Tensor, error) {
			outs, err := fn_LinalgEigh.list([]Option{Kw("UPLO", a.Str("UPLO"))}, a.Self())
			if err != nil {
				return nil, err
			}
			return first(outs), nil
		},
	},
}

// eigh returns the eigenvalues, in ascending order, and the eigenvectors of
// matrices. It reads only one half of each matrix.
func eigh(x *Tensor, half string) ([]*Tensor, error) {
	if err := checkSquare(x, "linalg.eigh"); err != nil {
		return nil, err
	}
	if len(half) != 1 || half != "L" && half != "U" && half != "l" && half != "u" {
		return nil, fail(RuntimeError, CodeArgument, "Expected UPLO argument to be 'L' or 'U', but got %s", half)
	}
	if !hasLAPACK(x.dtype) {
		return nil, undefined("linalg_eigh_cpu", x.dtype)
	}
	b := matricesOf(x)
	values := newMatrixBatch(b.count, 1, b.rows)
	uplo, converged := blas.Lower, true
	if half == "U" || half == "u" {
		uplo = blas.Upper
	}
	b.each(func(i int, m blas64.General) {
		size := make([]float64, 1)
		s := blas64.Symmetric{Uplo: uplo, N: m.Rows, Stride: m.Stride, Data: m.Data}
		lapack64.Syev(lapack.EVCompute, s, values.at(i).Data, size, -1)
		converged = lapack64.Syev(lapack.EVCompute, s, values.at(i).Data, make([]float64, int(size[0])), int(size[0])) && converged
	})
	if !converged {
		return nil, fail(linAlgError, CodeArgument, "linalg.eigh: The algorithm failed to converge because the input matrix is ill-conditioned or has too many repeated eigenvalues.")
	}
	sizes := x.sizes[:len(x.sizes)-1]
	return []*Tensor{values.tensor(x.dtype, sizes, contiguousStrides(sizes)), b.tensor(x.dtype, x.sizes, columnMajor(x.sizes))}, nil
}

// eigenGaps returns the differences Lⱼ - Lᵢ of the eigenvalues, and 1 on the
// diagonal.
func eigenGaps(l *Tensor) *Tensor {
	gaps := l.Unsqueeze(-2).Sub(l.Unsqueeze(-1))
	if err := gaps.Diagonal(Kw("offset", 0), Kw("dim1", -2), Kw("dim2", -1)).Fill_(1); err != nil {
		return errTensor(err)
	}
	return gaps
}

// eighBackward is linalg_eig_backward for symmetric matrices.
func eighBackward(c *Ctx) *Tensor {
	l, v, gl, gv := c.Saved("eigenvalues"), c.Saved("eigenvectors"), c.GradAt(0), c.GradAt(1)
	switch {
	case gl == nil && gv == nil:
		return nil
	case gv == nil:
		return v.Matmul(gl.Unsqueeze(-1).Mul(v.MH()))
	}
	inner := v.MH().Matmul(gv).Div(eigenGaps(l))
	if gl != nil {
		inner = inner.DiagonalScatter(gl, Kw("offset", 0), Kw("dim1", -2), Kw("dim2", -1))
	} else {
		inner = inner.Sub(inner.Diagonal(Kw("offset", 0), Kw("dim1", -2), Kw("dim2", -1)).DiagEmbed())
	}
	return v.Matmul(inner.Matmul(v.MH()))
}

// eighTangent is linalg_eig_jvp for symmetric matrices.
func eighTangent(c *JCtx) ([]*Tensor, error) {
	l, v := c.Out(0), c.Out(1)
	turned := v.MH().Matmul(c.Tangent("A")).Matmul(v)
	dl := turned.Diagonal(Kw("offset", 0), Kw("dim1", -2), Kw("dim2", -1))
	return []*Tensor{dl, v.Matmul(turned.Sub(dl.DiagEmbed()).Div(eigenGaps(l)))}, nil
}
