package autograd

import "math"

// Determinants, from the LU factorization.

var detOps = []Op{
	{
		Schema: "_linalg_det(Tensor A) -> (Tensor result, Tensor LU, Tensor pivots)", In: Hidden, Go: "-",
		Node: "LinalgDetBackward0", Constant: "LU pivots", JVP: detTangent,
		Forward: func(a *Args) ([]*Tensor, error) {
			x := a.Tensor("A")
			if err := checkSquareFloats(x, "linalg.det", "lu_cpu"); err != nil {
				return nil, err
			}
			f, _ := luFactor(x)
			return []*Tensor{f.each(x, pivotedDiagonal.det), f.lu, f.pivots}, nil
		},
		VJP: []Formula{{Input: "A", Uses: "A LU pivots result", Of: detBackward}},
	},
	{
		Schema: "_linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet, Tensor LU, Tensor pivots)", In: Hidden, Go: "-",
		Node: "LinalgSlogdetBackward0", Constant: "LU pivots", JVP: slogdetTangent,
		Forward: func(a *Args) ([]*Tensor, error) {
			x := a.Tensor("A")
			if err := checkSquareFloats(x, "linalg.slogdet", ""); err != nil {
				return nil, err
			}
			f, _ := luFactor(x)
			return []*Tensor{f.each(x, pivotedDiagonal.detSign), f.each(x, pivotedDiagonal.logAbsDet), f.lu, f.pivots}, nil
		},
		VJP: []Formula{{Input: "A", Uses: "A LU pivots sign", Of: slogdetBackward}},
	},
	{
		Schema: "linalg_det(Tensor A) -> Tensor", In: Linalg,
		Compose: func(a *Args) ([]*Tensor, error) { return single(determinant(a.Tensor("A"))) },
	},
	{
		Schema:  "det(Tensor self) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) { return single(determinant(a.Self())) },
	},
	{
		Schema: "linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)", In: Linalg,
		Compose: func(a *Args) ([]*Tensor, error) { return slogdet(a.Tensor("A")) },
	},
	{
		Schema:  "slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet)",
		Compose: func(a *Args) ([]*Tensor, error) { return slogdet(a.Self()) },
	},
	{
		Schema: "logdet(Tensor self) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) {
			x := a.Self()
			if err := checkSquareFloats(x, "logdet", ""); err != nil {
				return nil, err
			}
			outs, err := slogdet(x)
			if err != nil {
				return nil, err
			}
			return single(Where(outs[0].Eq(-1), math.NaN(), outs[1]))
		},
	},
}

func determinant(x *Tensor) *Tensor {
	det, _, _ := fn_LinalgDet.triple(nil, x)
	return det
}

// slogdet returns the sign of the determinant and the logarithm of its
// magnitude.
func slogdet(x *Tensor) ([]*Tensor, error) {
	outs, err := fn_LinalgSlogdet.list(nil, x)
	if err != nil {
		return nil, err
	}
	return outs[:2], nil
}

// each returns a tensor with one number for each matrix of x.
func (f *luFactors) each(x *Tensor, number func(d pivotedDiagonal) float64) *Tensor {
	t := alloc(x.dtype, x.sizes[:len(x.sizes)-2])
	for i, d := range f.determined {
		t.setElement(i, FloatScalar(number(d)))
	}
	return t
}

func (d pivotedDiagonal) det() float64 {
	product := 1.0
	for _, u := range d.diagonal {
		product *= u
	}
	return product * d.sign
}

func (d pivotedDiagonal) detSign() float64 {
	sign := d.sign
	for _, u := range d.diagonal {
		switch {
		case u < 0:
			sign = -sign
		case !(u > 0):
			sign *= u // 0 or NaN
		}
	}
	return sign
}

func (d pivotedDiagonal) logAbsDet() float64 {
	sum := 0.0
	for _, u := range d.diagonal {
		sum += math.Log(math.Abs(u))
	}
	return sum
}

// perturbed moves zeros on the diagonal of U away from zero. The determinant is
// smooth, so its derivative at a singular matrix is the limit of its
// derivatives at nearby matrices.
func perturbed(lu *Tensor) *Tensor {
	diagonal := lu.Diagonal(Kw("offset", 0), Kw("dim1", -2), Kw("dim2", -1))
	return lu.Add(Where(diagonal.Eq(0), machineEpsilon(lu.dtype), 0.0).To(lu.dtype).DiagEmbed())
}

// detBackward is linalg_det_backward: the gradient G solves Aᴴ·G = det·grad·I.
func detBackward(c *Ctx) *Tensor {
	g, x, det, pivots := c.Grad(), c.Saved("A"), c.Saved("result"), c.Saved("pivots")
	if g == nil || x.Numel() == 0 {
		return nil
	}
	right := g.Mul(det).Unsqueeze(-1).ExpandAs(pivots).DiagEmbed().MT()
	if !gradMode() {
		return luSolved(perturbed(c.Saved("LU")), pivots, right, x, true, true)
	}
	singular := det.Abs().Lt(100 * machineEpsilon(x.dtype))
	return byMask(singular, detGradientBySVD, detGradientBySolve, x, right, g)
}

func detGradientBySolve(ts []*Tensor) *Tensor { return LinalgSolve(ts[0].MH(), ts[1]) }

// detGradientBySVD returns the gradient at singular matrices: the adjugate.
func detGradientBySVD(ts []*Tensor) *Tensor {
	u, s, vh := fn_LinalgSvd.triple(nil, ts[0])
	alpha := determinant(u).Mul(determinant(vh)).Mul(ts[2])
	gamma := productGradient(alpha.Unsqueeze(-1), s)
	return u.Mul(gamma.Unsqueeze(-2)).Matmul(vh)
}

// productGradient is prod_safe_zeros_backward along the last dimension: for
// each factor, the product of all factors before and after it.
func productGradient(g, factors *Tensor) *Tensor {
	n := factors.sizes[len(factors.sizes)-1]
	if n <= 1 {
		return g
	}
	one := append(append([]int(nil), factors.sizes[:len(factors.sizes)-1]...), 1)
	ones := filled(one, g.dtype, 1)
	before := Cat([]*Tensor{ones, factors.Narrow(-1, 0, n-1)}, Dim(-1)).Cumprod(-1)
	after := Cat([]*Tensor{ones, factors.Narrow(-1, 1, n-1).Flip([]int{-1})}, Dim(-1)).Cumprod(-1).Flip([]int{-1})
	return g.Mul(before.Mul(after))
}

// byMask is masked_fmap: it applies one function to the elements of a batch for
// which mask holds, and another function to the rest.
func byMask(mask *Tensor, yes, no func(ts []*Tensor) *Tensor, ts ...*Tensor) *Tensor {
	chosen := 0
	for i := range mask.Numel() {
		if mask.element(mask.at(i)).Bool() {
			chosen++
		}
	}
	switch chosen {
	case mask.Numel():
		return yes(ts)
	case 0:
		return no(ts)
	}
	result := filled(ts[0].sizes, ts[0].dtype, 0)
	for _, part := range []struct {
		mask *Tensor
		f    func(ts []*Tensor) *Tensor
	}{{mask, yes}, {mask.LogicalNot(), no}} {
		var picked []*Tensor
		for _, t := range ts {
			picked = append(picked, t.Index(part.mask))
		}
		if err := result.IndexPut_([]*Tensor{part.mask}, part.f(picked)); err != nil {
			return errTensor(err)
		}
	}
	return result
}

// logDetTangent returns the trace of A⁻¹·dA, the tangent of log |det A|.
func logDetTangent(c *JCtx, lu, pivots *Tensor) *Tensor {
	solved := luSolved(lu, pivots, c.Tangent("A"), c.Primal("A"), true, false)
	return solved.Diagonal(Kw("offset", 0), Kw("dim1", -2), Kw("dim2", -1)).Sum(Dim(-1))
}

// detTangent is linalg_det_jvp.
func detTangent(c *JCtx) ([]*Tensor, error) {
	return single(logDetTangent(c, perturbed(c.Out(1)), c.Out(2)).Mul(c.Out(0)))
}

// slogdetTangent is slogdet_jvp. The sign is constant.
func slogdetTangent(c *JCtx) ([]*Tensor, error) {
	return []*Tensor{filled(c.Out(0).sizes, c.Out(0).dtype, 0), logDetTangent(c, c.Out(2), c.Out(3))}, nil
}

// slogdetBackward is slogdet_backward: the gradient G solves Aᴴ·G = grad·I.
func slogdetBackward(c *Ctx) *Tensor {
	g, x, pivots := c.GradAt(1), c.Saved("A"), c.Saved("pivots")
	if g == nil || x.Numel() == 0 {
		return nil
	}
	right := g.Unsqueeze(-1).ExpandAs(pivots).DiagEmbed().MT()
	if !gradMode() {
		return luSolved(c.Saved("LU"), pivots, right, x, true, true)
	}
	return LinalgSolve(x.MH(), right)
}
