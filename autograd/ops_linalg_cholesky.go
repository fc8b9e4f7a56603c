package autograd

// Cholesky factorizations.

var choleskyOps = []Op{
	{
		Schema: "linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) -> (Tensor L, Tensor info)", In: Linalg,
		Node: "LinalgCholeskyExBackward0", Attrs: "upper", JVP: choleskyTangent,
		Forward: func(a *Args) ([]*Tensor, error) {
			x := a.Self()
			if err := checkSquareFloats(x, "linalg.cholesky", "cholesky_cpu"); err != nil {
				return nil, err
			}
			l, info := choleskyFactor(x, a.Bool("upper"))
			if a.Bool("check_errors") {
				if err := checkLAPACK(info, "linalg.cholesky_ex", len(x.sizes) == 2, notPositiveDefinite); err != nil {
					return nil, err
				}
			}
			return []*Tensor{l, infoTensor(info, x.sizes[:len(x.sizes)-2])}, nil
		},
		VJP: []Formula{{Input: "self", Uses: "L", Of: func(c *Ctx) *Tensor { return choleskyBackward(c, c.Saved("L")) }}},
	},
	{
		Schema: "linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor", In: Linalg,
		Compose: func(a *Args) ([]*Tensor, error) {
			x := a.Self()
			outs, err := fnLinalgCholeskyEx.list([]Option{Kw("upper", a.Bool("upper"))}, x)
			if err != nil {
				return nil, err
			}
			if err := checkLAPACK(infoOf(outs[1]), "linalg.cholesky", len(x.sizes) == 2, notPositiveDefinite); err != nil {
				return nil, err
			}
			return outs[:1], nil
		},
	},
	{
		// PyTorch does not implement its forward mode.
		Schema: "cholesky(Tensor self, bool upper=False) -> Tensor",
		Node:   "CholeskyBackward0", Attrs: "upper",
		Forward: func(a *Args) ([]*Tensor, error) {
			x := a.Self()
			warnOnce("./aten/src/ATen/native/BatchLinearAlgebra.cpp:1754", "torch.cholesky is deprecated in favor of torch.linalg.cholesky and will be removed in a future PyTorch release.\nL = torch.cholesky(A)\nshould be replaced with\nL = torch.linalg.cholesky(A)\nand\nU = torch.cholesky(A, upper=True)\nshould be replaced with\nU = torch.linalg.cholesky(A).mH\nThis transform will produce equivalent results for all valid (symmetric positive definite) inputs.")
			if err := checkSquare(x, "cholesky"); err != nil {
				return nil, err
			}
			if !hasLAPACK(x.dtype) {
				return nil, undefined("cholesky_cpu", x.dtype)
			}
			l, info := choleskyFactor(x, a.Bool("upper"))
			if err := checkLAPACK(info, "cholesky", len(x.sizes) == 2, notPositiveDefinite); err != nil {
				return nil, err
			}
			return a.One(l)
		},
		VJP: []Formula{{Input: "self", Uses: "result", Of: func(c *Ctx) *Tensor { return choleskyBackward(c, c.Saved("result")) }}},
	},
	{
		Schema: "cholesky_inverse(Tensor self, bool upper=False) -> Tensor",
		Node:   "CholeskyInverseBackward0", Attrs: "upper",
		Forward: func(a *Args) ([]*Tensor, error) {
			x, upper := a.Self(), a.Bool("upper")
			if err := checkSquare(x, "cholesky_inverse"); err != nil {
				return nil, err
			}
			if !hasLAPACK(x.dtype) {
				return nil, undefined("cholesky_inverse_out_cpu", x.dtype)
			}
			n := x.sizes[len(x.sizes)-1]
			eye := expandedMatrices(Eye(n, WithDType(x.dtype)), x.sizes[:len(x.sizes)-2])
			half := triangular{upper: upper, transposed: upper, left: true}.solve(x, eye)
			return a.One(triangular{upper: upper, transposed: !upper, left: true}.solve(x, half))
		},
		VJP: ofSelf("self result", func(c *Ctx) *Tensor {
			g := c.Grad()
			if g == nil {
				return nil
			}
			x, inverse := c.Saved("self"), c.Saved("result")
			common := inverse.Matmul(g.Add(g.MH())).Matmul(inverse)
			if c.Args().Bool("upper") {
				return x.Matmul(common).Neg()
			}
			return common.Matmul(x).Neg()
		}),
	}}

// choleskyBackward is cholesky_backward: L⁻ᴴ·π(Lᴴ·gL)·L⁻¹, where π makes a
// symmetric matrix from the lower half of its argument.
func choleskyBackward(c *Ctx, l *Tensor) *Tensor {
	g := c.Grad()
	if g == nil {
		return nil
	}
	if c.Args().Bool("upper") {
		l, g = l.MH(), g.MH()
	}
	phi := l.MH().Matmul(g).Tril()
	phi = phi.Add(phi.Tril(Kw("diagonal", -1)).MH()).MulScalar(0.5)
	half := l.MH().LinalgSolveTriangular(phi, Kw("upper", true))
	return l.LinalgSolveTriangular(half, Kw("upper", false), Kw("left", false))
}

// choleskyTangent is cholesky_jvp: dL = L·φ(L⁻¹·dA·L⁻ᴴ), where φ keeps the lower
// half and one half of the diagonal.
func choleskyTangent(c *JCtx) ([]*Tensor, error) {
	l, d, upper := c.Out(0), c.Tangent("self"), c.Args().Bool("upper")
	if upper {
		l = l.MH()
	}
	d = l.LinalgSolveTriangular(d, Kw("upper", false))
	d = l.MH().LinalgSolveTriangular(d, Kw("upper", true), Kw("left", false))
	d = l.Matmul(d.Tril().Add(d.Tril(Kw("diagonal", -1))).MulScalar(0.5))
	if upper {
		d = d.MH()
	}
	return []*Tensor{d, nil}, nil
}
