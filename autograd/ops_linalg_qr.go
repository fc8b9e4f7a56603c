package autograd

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// QR decompositions and products of Householder reflections.

var qrOps = []Op{
	{
		Schema: "linalg_qr(Tensor A, str mode='reduced') -> (Tensor Q, Tensor R)", In: Linalg,
		Node: "LinalgQrBackward0", Attrs: "mode", JVP: qrTangent,
		Forward: qrForward,
		VJP:     []Formula{{Input: "A", Uses: "Q R", Of: qrBackward}},
	},
	{
		Schema: "qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R)",
		Compose: func(a *Args) ([]*Tensor, error) {
			warnOnce("./aten/src/ATen/native/BatchLinearAlgebra.cpp:2485", "torch.qr is deprecated in favor of torch.linalg.qr and will be removed in a future PyTorch release.\nThe boolean parameter 'some' has been replaced with a string parameter 'mode'.\nQ, R = torch.qr(A, some)\nshould be replaced with\nQ, R = torch.linalg.qr(A, 'reduced' if some else 'complete')")
			mode := "complete"
			if a.Bool("some") {
				mode = "reduced"
			}
			return fnLinalgQr.list([]Option{Kw("mode", mode)}, a.Self())
		},
	},
	{
		Schema: "geqrf(Tensor self) -> (Tensor a, Tensor tau)", Node: "GeqrfBackward0",
		VJP: ofSelf("", noDerivative("geqrf")),
		Forward: func(a *Args) ([]*Tensor, error) {
			x := a.Self()
			if err := checkMatrices(x, "torch.geqrf", "input"); err != nil {
				return nil, err
			}
			if err := checkPrecise(x, "torch.geqrf", "geqrf_cpu"); err != nil {
				return nil, err
			}
			b, tau := reflections(x)
			return []*Tensor{b.tensor(x.dtype, x.sizes, columnMajor(x.sizes)), tau}, nil
		},
	},
	{
		Schema: "linalg_householder_product(Tensor input, Tensor tau) -> Tensor", In: Linalg,
		Node:    "LinalgHouseholderProductBackward0",
		Forward: func(a *Args) ([]*Tensor, error) { return householderProduct(a, a.Tensor("input"), a.Tensor("tau")) },
		VJP: []Formula{{Input: "input tau", Uses: "input tau result", All: func(c *Ctx) []*Tensor {
			if c.Grad() == nil {
				return nil
			}
			x := c.Saved("input")
			n := len(x.sizes)
			eye := expandedMatrices(Eye(x.sizes[n-2], Kw("m", x.sizes[n-1]), WithDType(x.dtype)), x.sizes[:n-2])
			return reflectionGrads(x, c.Saved("tau"), eye, c.Grad(), false)
		}}},
	},
	{
		Schema: "orgqr(Tensor self, Tensor input2) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) {
			return fnLinalgHouseholderProduct.list(nil, a.Self(), a.Tensor("input2"))
		},
	},
	{
		Schema: "ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) -> Tensor",
		Node:   "OrmqrBackward0", Attrs: "left transpose",
		Forward: ormqr,
		VJP: []Formula{
			{Input: "self input2", Uses: "self input2 input3 result", All: func(c *Ctx) []*Tensor {
				g, other, backwards := c.Grad(), c.Saved("input3"), c.Args().Bool("transpose")
				if g == nil {
					return nil
				}
				if !c.Args().Bool("left") {
					// other·Q is (Qᵀ·otherᵀ)ᵀ.
					g, other, backwards = g.MT(), other.MT(), !backwards
				}
				return reflectionGrads(c.Saved("self"), c.Saved("input2"), other, g, backwards)
			}},
			{Input: "input3", Uses: "self input2", Of: func(c *Ctx) *Tensor {
				left, transpose := c.Args().Bool("left"), c.Args().Bool("transpose")
				return fnOrmqr.single([]Option{Kw("left", left), Kw("transpose", !transpose)}, c.Saved("self"), c.Saved("input2"), c.Grad())
			}},
		},
	},
}

// reflections factors the matrices of x: R on and above the diagonal, the
// vectors of the reflections below it, and the factors of the reflections.
func reflections(x *Tensor) (*matrixBatch, *Tensor) {
	b := matricesOf(x)
	k := min(b.rows, b.cols)
	factors := newMatrixBatch(b.count, 1, k)
	if k > 0 {
		var work []float64
		b.each(func(i int, m blas64.General) {
			tau := factors.at(i).Data
			if work == nil {
				size := make([]float64, 1)
				lapack64.Geqrf(m, tau, size, -1)
				work = make([]float64, int(size[0]))
			}
			lapack64.Geqrf(m, tau, work, len(work))
		})
	}
	sizes := batchSizes(x.sizes[:len(x.sizes)-2], k)
	return b, factors.tensor(x.dtype, sizes, contiguousStrides(sizes))
}

// orthogonal makes the first cols columns of Q from reflections.
func orthogonal(b *matrixBatch, tau *Tensor, cols int) *matrixBatch {
	q := newMatrixBatch(b.count, b.rows, cols)
	factors := elements[float64](copied(tau, Float64))
	k := tau.sizes[len(tau.sizes)-1]
	q.fillIdentity()
	if k == 0 {
		return q
	}
	var work []float64
	q.each(func(i int, m blas64.General) {
		source := b.at(i)
		source.Cols = k
		if work == nil {
			size := make([]float64, 1)
			lapack64.Ormqr(blas.Left, blas.NoTrans, source, factors[i*k:(i+1)*k], m, size, -1)
			work = make([]float64, int(size[0]))
		}
		lapack64.Ormqr(blas.Left, blas.NoTrans, source, factors[i*k:(i+1)*k], m, work, len(work))
	})
	return q
}

func qrForward(a *Args) ([]*Tensor, error) {
	x, mode := a.Tensor("A"), a.Str("mode")
	if err := checkMatrices(x, "linalg.qr", "A"); err != nil {
		return nil, err
	}
	if err := checkPrecise(x, "linalg.qr", "geqrf_cpu"); err != nil {
		return nil, err
	}
	if mode != "reduced" && mode != "r" && mode != "complete" {
		return nil, fail(RuntimeError, CodeArgument, "qr received unrecognized mode '%s' but expected one of 'reduced' (default), 'r', or 'complete'", mode)
	}
	b, tau := reflections(x)
	batch, m, n := x.sizes[:len(x.sizes)-2], b.rows, b.cols
	k := min(m, n)
	if mode == "complete" {
		k = m
	}
	r := newMatrixBatch(b.count, k, n)
	r.each(func(i int, to blas64.General) {
		from := b.at(i)
		for row := range min(k, n) {
			copy(to.Data[row*n+row:(row+1)*n], from.Data[row*n+row:(row+1)*n])
		}
	})
	sizes := batchSizes(batch, k, n)
	upper := r.tensor(x.dtype, sizes, columnMajor(sizes))
	if mode == "r" {
		return []*Tensor{alloc(x.dtype, []int{0}), upper}, nil
	}
	sizes = batchSizes(batch, m, k)
	return []*Tensor{orthogonal(b, tau, k).tensor(x.dtype, sizes, columnMajor(sizes)), upper}, nil
}

// symmetricUpper makes a symmetric matrix from the upper half of t and halves
// the diagonal. Up to the other half, it is its own adjoint.
func symmetricUpper(t *Tensor) *Tensor {
	u := t.Triu()
	return u.Add(u.MH()).Sub(u.Diagonal(Kw("offset", 0), Kw("dim1", -2), Kw("dim2", -1)).DiagEmbed())
}

// qrBackward is linalg_qr_backward.
func qrBackward(c *Ctx) *Tensor {
	q, r, gq, gr := c.Saved("Q"), c.Saved("R"), c.GradAt(0), c.GradAt(1)
	mode := c.Args().Str("mode")
	n := c.Shape("A")
	rows, cols := n[len(n)-2], n[len(n)-1]
	switch {
	case mode == "r":
		return errTensor(fail(RuntimeError, CodeArgument, "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use linalg.qr(A, mode='reduced') if you are going to differentiate through linalg.qr."))
	case mode == "complete" && rows > cols:
		return errTensor(fail(RuntimeError, CodeArgument, "The QR decomposition is not differentiable when mode='complete' and nrows > ncols."))
	case gq == nil && gr == nil:
		return nil
	}
	var inner *Tensor // gR·Rᴴ - Qᴴ·gQ
	switch {
	case gr != nil && gq != nil:
		inner = gr.Matmul(r.MH()).Sub(q.MH().Matmul(gq))
	case gr != nil:
		inner = gr.Matmul(r.MH())
	default:
		inner = q.MH().Matmul(gq).Neg()
	}
	if rows >= cols {
		g := q.Matmul(symmetricUpper(inner))
		if gq != nil {
			g = g.Add(gq)
		}
		return r.MH().LinalgSolveTriangular(g, Kw("upper", false), Kw("left", false))
	}
	skew := inner.MH().Sub(inner).Tril(Kw("diagonal", -1))
	left := r.Narrow(-1, 0, rows).MH().LinalgSolveTriangular(q.Matmul(skew), Kw("upper", false), Kw("left", false))
	padded := left.ConstantPadNd([]int{0, cols - rows})
	if gr == nil {
		return padded
	}
	return q.Matmul(gr).Add(padded)
}

// qrTangent is linalg_qr_jvp.
func qrTangent(c *JCtx) ([]*Tensor, error) {
	d, q, r := c.Tangent("A"), c.Out(0), c.Out(1)
	n := len(d.sizes)
	rows, cols := d.sizes[n-2], d.sizes[n-1]
	mode := c.Args().Str("mode")
	switch {
	case mode == "r":
		return nil, fail(RuntimeError, CodeArgument, "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use linalg.qr(A, mode='reduced') if you are going to differentiate through linalg.qr.")
	case mode == "complete" && rows > cols:
		return nil, fail(RuntimeError, CodeArgument, "The QR decomposition is not differentiable when mode='complete' and nrows > ncols.")
	}
	if rows >= cols {
		d = r.LinalgSolveTriangular(d, Kw("upper", true), Kw("left", false))
		x := q.MH().Matmul(d)
		x = x.Add(x.MH()).Triu()
		x = x.Sub(x.Diagonal(Kw("offset", 0), Kw("dim1", -2), Kw("dim2", -1)).MulScalar(0.5).DiagEmbed())
		return []*Tensor{d.Sub(q.Matmul(x)), x.Matmul(r)}, nil
	}
	turned := q.MH().Matmul(d)
	x := r.Narrow(-1, 0, rows).LinalgSolveTriangular(turned.Narrow(-1, 0, rows), Kw("upper", true), Kw("left", false)).Tril(Kw("diagonal", -1))
	x = x.Sub(x.MH())
	return []*Tensor{q.Matmul(x), turned.Sub(x.Matmul(r))}, nil
}

func householderProduct(a *Args, x, tau *Tensor) ([]*Tensor, error) {
	n := len(x.sizes)
	switch {
	case n < 2:
		return nil, fail(RuntimeError, CodeShape, "torch.linalg.householder_product: input must have at least 2 dimensions.")
	case x.sizes[n-2] < x.sizes[n-1]:
		return nil, fail(RuntimeError, CodeShape, "torch.linalg.householder_product: input.shape[-2] must be greater than or equal to input.shape[-1]")
	case len(tau.sizes) == 0 || x.sizes[n-1] < tau.sizes[len(tau.sizes)-1]:
		return nil, fail(RuntimeError, CodeShape, "torch.linalg.householder_product: input.shape[-1] must be greater than or equal to tau.shape[-1]")
	case n-len(tau.sizes) != 1:
		return nil, fail(RuntimeError, CodeShape, "torch.linalg.householder_product: Expected tau to have one dimension less than input, but got tau.ndim equal to %d and input.ndim is equal to %d", len(tau.sizes), n)
	case !sameSizes(x.sizes[:n-2], tau.sizes[:n-2]):
		return nil, fail(RuntimeError, CodeShape, "torch.linalg.householder_product: Expected batch dimensions of tau to be equal to input.shape[:-2], but got %s", shapeText(tau.sizes[:n-2]))
	case x.dtype != tau.dtype:
		return nil, fail(RuntimeError, CodeDType, "torch.linalg.householder_product: tau dtype %s does not match input dtype %s", tau.dtype, x.dtype)
	}
	if err := checkPrecise(x, "torch.linalg.householder_product", "orgqr_cpu"); err != nil {
		return nil, err
	}
	return a.One(orthogonal(matricesOf(x), tau, x.sizes[n-1]).tensor(x.dtype, x.sizes, columnMajor(x.sizes)))
}

func ormqr(a *Args) ([]*Tensor, error) {
	x, tau, other, left := a.Self(), a.Tensor("input2"), a.Tensor("input3"), a.Bool("left")
	n := len(x.sizes)
	switch {
	case n < 2:
		return nil, fail(RuntimeError, CodeShape, "torch.ormqr: input must have at least 2 dimensions.")
	case len(other.sizes) < 2:
		return nil, fail(RuntimeError, CodeShape, "torch.ormqr: other must have at least 2 dimensions.")
	}
	side, across := -1, "-1"
	if left {
		side, across = -2, "-2"
	}
	length := other.sizes[len(other.sizes)+side]
	k := 0
	if len(tau.sizes) > 0 {
		k = tau.sizes[len(tau.sizes)-1]
	}
	switch {
	case length < k:
		return nil, fail(RuntimeError, CodeShape, "torch.ormqr: other.shape[%s] must be greater than or equal to tau.shape[-1]", across)
	case length != x.sizes[n-2]:
		return nil, fail(RuntimeError, CodeShape, "torch.ormqr: other.shape[%s] must be equal to input.shape[-2]", across)
	case k > x.sizes[n-1]:
		return nil, fail(RuntimeError, CodeShape, "torch.ormqr: tau.shape[-1] must be less than or equal to input.shape[-1]")
	case n-len(tau.sizes) != 1:
		return nil, fail(RuntimeError, CodeShape, "torch.ormqr: Expected tau to have one dimension less than input, but got tau.ndim equal to %d and input.ndim is equal to %d", len(tau.sizes), n)
	case n != len(other.sizes):
		return nil, fail(RuntimeError, CodeShape, "torch.ormqr: Expected other to have the same number of dimensions as input, but got other.ndim equal to %d and input.ndim is equal to %d", len(other.sizes), n)
	case x.dtype != tau.dtype:
		return nil, fail(RuntimeError, CodeDType, "torch.ormqr: Expected input and tau to have the same dtype, but input has dtype %s and tau has dtype %s", x.dtype, tau.dtype)
	case x.dtype != other.dtype:
		return nil, fail(RuntimeError, CodeDType, "torch.ormqr: Expected input and other to have the same dtype, but input has dtype %s and other has dtype %s", x.dtype, other.dtype)
	}
	if err := checkPrecise(x, "torch.ormqr", "ormqr_cpu"); err != nil {
		return nil, err
	}
	source, result := matricesOf(x), matricesOf(other)
	factors := elements[float64](copied(tau, Float64))
	where, trans := blas.Right, blas.NoTrans
	if left {
		where = blas.Left
	}
	if a.Bool("transpose") {
		trans = blas.Trans
	}
	if k > 0 {
		result.each(func(i int, m blas64.General) {
			v := source.at(i)
			v.Cols = k
			size := make([]float64, 1)
			lapack64.Ormqr(where, trans, v, factors[i*k:(i+1)*k], m, size, -1)
			lapack64.Ormqr(where, trans, v, factors[i*k:(i+1)*k], m, make([]float64, int(size[0])), int(size[0]))
		})
	}
	return a.One(result.tensor(x.dtype, other.sizes, columnMajor(other.sizes)))
}

// reflectionGrads returns the gradients of the vectors and factors of the
// reflections H = I - τ·v·vᵀ in H₁·H₂·…·other, or in the product in the
// opposite order. g is the gradient of the product.
func reflectionGrads(x, tau, other, g *Tensor, backwards bool) []*Tensor {
	n := len(x.sizes)
	rows, cols, k := x.sizes[n-2], x.sizes[n-1], tau.sizes[n-2]
	if k == 0 {
		return []*Tensor{filled(x.sizes, x.dtype, 0), filled(tau.sizes, tau.dtype, 0)}
	}
	v := x.Tril(Kw("diagonal", -1)).Add(Eye(rows, Kw("m", cols), WithDType(x.dtype)))
	at := func(j int) int {
		if backwards {
			return k - 1 - j
		}
		return j
	}
	vector := func(j int) *Tensor { return v.Narrow(-1, at(j), 1) }
	factor := func(j int) *Tensor { return tau.Narrow(-1, at(j), 1).Unsqueeze(-1) }
	reflect := func(j int, t *Tensor) *Tensor {
		return t.Sub(factor(j).Mul(vector(j)).Matmul(vector(j).MT().Matmul(t)))
	}
	after := make([]*Tensor, k+1)
	after[k] = other
	for j := k - 1; j >= 0; j-- {
		after[j] = reflect(j, after[j+1])
	}
	gv, gtau := make([]*Tensor, k), make([]*Tensor, k)
	for j := range k {
		gs, ss := g.MT().Matmul(vector(j)), after[j+1].MT().Matmul(vector(j))
		gtau[at(j)] = gs.Mul(ss).Sum(Dim(-2)).Neg()
		gv[at(j)] = factor(j).Mul(g.Matmul(ss).Add(after[j+1].Matmul(gs))).Neg()
		g = reflect(j, g)
	}
	gx := Cat(gv, Dim(-1)).Tril(Kw("diagonal", -1))
	if cols > k {
		gx = gx.ConstantPadNd([]int{0, cols - k})
	}
	return []*Tensor{gx, Cat(gtau, Dim(-1))}
}
