package autograd

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Operators that need the singular values above a tolerance: pseudo-inverses,
// ranks, least squares.

var pinvOps = []Op{
	{
		Schema: "linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor", In: Linalg,
		Node: "LinalgPinvBackward0", JVP: pinvTangent, Forward: pinv,
		VJP: []Formula{{Input: "self", Uses: "self result", Of: func(c *Ctx) *Tensor {
			if c.Grad() == nil {
				return nil
			}
			return pinvBackward(c.Grad(), c.Saved("result"), c.Saved("self"))
		}}},
	},
	{
		Schema: "linalg_pinv.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False) -> Tensor", In: Linalg, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			return single(a.Self().LinalgPinv(append(a.tolerances(), Kw("hermitian", a.Bool("hermitian")))...))
		},
	},
	{
		Schema: "linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor", In: Linalg, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return pinvByRatio(a, numberTensor(a.Scalar("rcond"))) },
	},
	{
		Schema: "linalg_pinv.rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False) -> Tensor", In: Linalg, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return pinvByRatio(a, a.Tensor("rcond")) },
	},
	{
		Schema: "pinverse(Tensor self, float rcond=1e-15) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) {
			return single(a.Self().LinalgPinv(Kw("atol", New(0.0, WithDType(Float64))), Kw("rtol", New(a.Float("rcond"), WithDType(Float64)))))
		},
	},
	{
		Schema: "linalg_matrix_rank.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor", In: Linalg,
		Forward: func(a *Args) ([]*Tensor, error) { return a.matrixRank(a.Tensor("atol"), a.Tensor("rtol")) },
	},
	{
		Schema: "linalg_matrix_rank.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False) -> Tensor", In: Linalg, Go: "-",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.matrixRank(a.optionalNumber("atol"), a.optionalNumber("rtol"))
		},
	},
	{
		Schema: "linalg_matrix_rank(Tensor self, float tol, bool hermitian=False) -> Tensor", In: Linalg, Go: "-",
		Forward: func(a *Args) ([]*Tensor, error) { return a.matrixRank(a.optionalNumber("tol"), nil) },
	},
	{
		Schema: "linalg_matrix_rank.tol_tensor(Tensor self, Tensor tol, bool hermitian=False) -> Tensor", In: Linalg, Go: "-",
		Forward: func(a *Args) ([]*Tensor, error) { return a.matrixRank(a.Tensor("tol"), nil) },
	},
}

// optionalNumber returns an argument float? as a tensor, or nil for None.
func (a *Args) optionalNumber(name string) *Tensor {
	if !a.Has(name) {
		return nil
	}
	return numberTensor(a.Scalar(name))
}

// tolerances returns the arguments atol and rtol as tensors.
func (a *Args) tolerances() []Option {
	var opts []Option
	for _, name := range []string{"atol", "rtol"} {
		if a.Has(name) {
			opts = append(opts, Kw(name, New(a.Float(name), WithDType(Float64))))
		}
	}
	return opts
}

func pinvByRatio(a *Args, rcond *Tensor) ([]*Tensor, error) {
	return single(a.Self().LinalgPinv(Kw("rtol", rcond), Kw("hermitian", a.Bool("hermitian"))))
}

// A rankedSVD is a decomposition with the rank of each matrix.
type rankedSVD struct {
	*svdFactors
	ranks []int
}

// decompose finds the singular values of self above a tolerance: the larger of
// atol and rtol times the largest singular value. Without either, rtol is the
// machine epsilon times the larger dimension. Only the lower half of hermitian
// matrices is read.
func (a *Args) decompose(atol, rtol *Tensor, vectors bool) (*rankedSVD, error) {
	x := a.Self()
	if a.op.param("hermitian") >= 0 && a.Bool("hermitian") {
		if err := checkSquare(x, "linalg.eigh"); err != nil {
			return nil, err
		}
		x = lowerMirrored(x)
	}
	if !isFinite(x) {
		return nil, fail(linAlgError, CodeArgument, "linalg.svd: The algorithm failed to converge because the input matrix contained non-finite values.")
	}
	f := &rankedSVD{svdFactors: svd(x, false, vectors)}
	batch := x.sizes[:len(x.sizes)-2]
	absolute, err := tolerance(atol, batch, 0)
	if err != nil {
		return nil, err
	}
	usual := 0.0
	if n := len(x.sizes); atol == nil || !slices.ContainsFunc(absolute, func(x float64) bool { return x != 0 }) {
		usual = machineEpsilon(x.dtype) * float64(max(x.sizes[n-1], x.sizes[n-2]))
	}
	relative, err := tolerance(rtol, batch, usual)
	if err != nil {
		return nil, err
	}
	f.ranks = make([]int, f.s.count)
	f.s.each(func(i int, s blas64.General) {
		limit := math.Max(absolute[i], relative[i]*s.Data[0])
		for _, value := range s.Data {
			if value > limit {
				f.ranks[i]++
			}
		}
	})
	return f, nil
}

// tolerance returns the value of a tolerance for each matrix of a batch.
func tolerance(t *Tensor, batch []int, usual float64) ([]float64, error) {
	if t == nil {
		return elements[float64](filled(batch, Float64, usual)), nil
	}
	if !expandable(t.sizes, batch) {
		return nil, fail(RuntimeError, CodeShape, "The size of tensor a (%d) must match the size of tensor b (%d) at non-singleton dimension 0", numel(batch), t.Numel())
	}
	return elements[float64](copied(t.broadcastTo(batch), Float64)), nil
}

// lowerMirrored makes matrices symmetric by mirroring their lower halves.
func lowerMirrored(x *Tensor) *Tensor {
	b := matricesOf(x)
	b.each(func(_ int, m blas64.General) {
		for r := range m.Rows {
			for c := range r {
				m.Data[c*m.Stride+r] = m.Data[r*m.Stride+c]
			}
		}
	})
	return b.tensor(x.dtype, x.sizes, contiguousStrides(x.sizes))
}

// pseudoInverse multiplies the transposed factors, without the singular values
// below the tolerance.
func (f *rankedSVD) pseudoInverse(m, n int) *matrixBatch {
	out := newMatrixBatch(f.s.count, n, m)
	out.each(func(i int, inverse blas64.General) {
		u, vh, s := f.u.at(i), f.vh.at(i), f.s.at(i).Data
		for k := range s {
			factor := 0.0
			if k < f.ranks[i] {
				factor = 1 / s[k]
			}
			for c := range n {
				vh.Data[k*vh.Stride+c] *= factor
			}
		}
		blas64.Gemm(blas.Trans, blas.Trans, 1, vh, u, 0, inverse)
	})
	return out
}

func pinv(a *Args) ([]*Tensor, error) {
	x, n := a.Self(), len(a.Self().sizes)
	if n < 2 || !hasLAPACK(x.dtype) {
		return nil, fail(RuntimeError, CodeDType, "linalg.pinv(%s{%s}): expected a tensor with 2 or more dimensions of float, double, cfloat or cdouble types", scalarTypeName(x.dtype), shapeText(x.sizes))
	}
	f, err := a.decompose(a.Tensor("atol"), a.Tensor("rtol"), true)
	if err != nil {
		return nil, err
	}
	sizes := batchSizes(x.sizes[:n-2], x.sizes[n-1], x.sizes[n-2])
	return a.One(f.pseudoInverse(x.sizes[n-2], x.sizes[n-1]).tensor(x.dtype, sizes, contiguousStrides(sizes)))
}

// pinvBackward is pinv_backward. It multiplies the smaller matrices first.
func pinvBackward(g, p, x *Tensor) *Tensor {
	ph, gh := p.MH(), g.MH()
	if n := len(x.sizes); x.sizes[n-2] <= x.sizes[n-1] {
		k := gh.Matmul(p)
		kph := k.Matmul(ph)
		return p.Matmul(k).MH().Neg().Add(kph).
			Sub(x.Matmul(p).Matmul(kph)).
			Add(ph.Matmul(p).Matmul(gh.Sub(k.Matmul(x))))
	}
	k := p.Matmul(gh)
	phk := ph.Matmul(k)
	return k.Matmul(p).MH().Neg().
		Add(gh.Sub(x.Matmul(k)).Matmul(p).Matmul(ph)).
		Add(phk).
		Sub(phk.Matmul(p).Matmul(x))
}

func pinvTangent(c *JCtx) ([]*Tensor, error) {
	return single(pinvDifferential(c.Out(0), c.Primal("self"), c.Tangent("self")))
}

// pinvDifferential returns the change of the pseudo-inverse p of x along d
// (Golub and Pereyra 1973): -P·dA·P + P·Pᴴ·dAᴴ·(I - A·P) + (I - P·A)·dAᴴ·Pᴴ·P.
func pinvDifferential(p, x, d *Tensor) *Tensor {
	ph, dh := p.MH(), d.MH()
	left := p.Matmul(ph).Matmul(dh)
	right := dh.Matmul(ph).Matmul(p)
	return p.Matmul(d).Matmul(p).Neg().
		Add(left.Sub(left.Matmul(x).Matmul(p))).
		Add(right.Sub(p.Matmul(x.Matmul(right))))
}

// matrixRank counts the singular values above a tolerance.
func (a *Args) matrixRank(atol, rtol *Tensor) ([]*Tensor, error) {
	x := a.Self()
	if err := checkMatrices(x, "torch.linalg.matrix_rank", "input"); err != nil {
		return nil, err
	}
	if !hasLAPACK(x.dtype) {
		return nil, fail(RuntimeError, CodeDType, "This function doesn't handle types other than float and double")
	}
	f, err := a.decompose(atol, rtol, false)
	if err != nil {
		return nil, err
	}
	ranks := infoTensor(f.ranks, x.sizes[:len(x.sizes)-2])
	out := copied(ranks, Int64)
	out.bump() // PyTorch counts in memory filled with zeros
	return a.One(out)
}
