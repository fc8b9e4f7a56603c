package autograd

// Singular value decompositions.

var svdOps = []Op{
	{
		Schema: "_linalg_svd(Tensor A, bool full_matrices=False) -> (Tensor U, Tensor S, Tensor Vh)", In: Hidden, Go: "-",
		Node: "LinalgSvdBackward0", Attrs: "full_matrices", JVP: svdTangent,
		Forward: func(a *Args) ([]*Tensor, error) {
			return svdTensors(a.Tensor("A"), a.Bool("full_matrices"))
		},
		VJP: []Formula{{Input: "A", Uses: "U S Vh", Of: svdBackward}},
	},
	{
		Schema: "linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)", In: Linalg,
		Compose: func(a *Args) ([]*Tensor, error) {
			if err := a.checkDriver(); err != nil {
				return nil, err
			}
			return fn_LinalgSvd.list(nil, a.Tensor("A"), a.Bool("full_matrices"))
		},
	},
	{
		Schema: "linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor", In: Linalg,
		Compose: func(a *Args) ([]*Tensor, error) {
			if err := a.checkDriver(); err != nil {
				return nil, err
			}
			_, s, _ := fn_LinalgSvd.triple(nil, a.Tensor("A"))
			return single(s)
		},
	},
	{
		Schema: "svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)",
		Compose: func(a *Args) ([]*Tensor, error) {
			x, full := a.Self(), !a.Bool("some")
			if err := checkMatrices(x, "linalg.svd", "input"); err != nil {
				return nil, err
			}
			if a.Bool("compute_uv") {
				u, s, vh := LinalgSvd(x, Kw("full_matrices", full))
				if vh.err != nil {
					return nil, vh.err
				}
				return []*Tensor{u, s, vh.MH()}, nil
			}
			s := LinalgSvdvals(x)
			if s.err != nil {
				return nil, s.err
			}
			n := len(x.sizes)
			square := func(d int) *Tensor {
				return filled(append(append([]int(nil), x.sizes[:n-2]...), x.sizes[d], x.sizes[d]), x.dtype, 0)
			}
			return []*Tensor{square(n - 2), s, square(n - 1)}, nil
		},
	},
}

// checkDriver refuses the argument driver, which only GPUs support.
func (a *Args) checkDriver() error {
	if a.Has("driver") {
		return fail(RuntimeError, CodeArgument, "torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend.")
	}
	return nil
}

func svdTensors(x *Tensor, full bool) ([]*Tensor, error) {
	if err := checkMatrices(x, "linalg.svd", "A"); err != nil {
		return nil, err
	}
	if err := checkPrecise(x, "linalg.svd", "linalg_svd_cpu"); err != nil {
		return nil, err
	}
	if !isFinite(x) {
		return nil, fail(linAlgError, CodeArgument, "linalg.svd: The algorithm failed to converge because the input matrix contained non-finite values.")
	}
	f := svd(x, full, true)
	if !f.converged {
		return nil, fail(linAlgError, CodeArgument, "linalg.svd: The algorithm failed to converge because the input matrix is ill-conditioned or has too many repeated singular values.")
	}
	batch := x.sizes[:len(x.sizes)-2]
	s := f.s.tensor(x.dtype, batchSizes(batch, f.s.cols), contiguousStrides(batchSizes(batch, f.s.cols)))
	left, right := batchSizes(batch, f.u.rows, f.u.cols), batchSizes(batch, f.vh.rows, f.vh.cols)
	return []*Tensor{f.u.tensor(x.dtype, left, columnMajor(left)), s, f.vh.tensor(x.dtype, right, columnMajor(right))}, nil
}

// batchSizes returns the shape of a batch of tensors of a given shape.
func batchSizes(batch []int, sizes ...int) []int {
	return append(append([]int(nil), batch...), sizes...)
}

// svdGaps returns the differences sₖ² - sⱼ² of the squared singular values, and
// 1 on the diagonal.
func svdGaps(s *Tensor) *Tensor {
	squares := s.Mul(s)
	gaps := squares.Unsqueeze(-2).Sub(squares.Unsqueeze(-1))
	if err := gaps.Diagonal(Kw("offset", 0), Kw("dim1", -2), Kw("dim2", -1)).Fill_(1); err != nil {
		return errTensor(err)
	}
	return gaps
}

// svdBackward is svd_backward.
func svdBackward(c *Ctx) *Tensor {
	u, s, vh := c.Saved("U"), c.Saved("S"), c.Saved("Vh")
	gu, gs, gvh := c.GradAt(0), c.GradAt(1), c.GradAt(2)
	m, n, k := u.sizes[len(u.sizes)-2], vh.sizes[len(vh.sizes)-1], s.sizes[len(s.sizes)-1]
	if c.Args().Bool("full_matrices") {
		u, vh = u.Narrow(-1, 0, k), vh.Narrow(-2, 0, k)
		if gu != nil {
			gu = gu.Narrow(-1, 0, k)
		}
		if gvh != nil {
			gvh = gvh.Narrow(-2, 0, k)
		}
	}
	switch {
	case gu == nil && gvh == nil && gs == nil:
		return nil
	case gu == nil && gvh == nil && m >= n:
		return u.Matmul(gs.Unsqueeze(-1).Mul(vh))
	case gu == nil && gvh == nil:
		return u.Mul(gs.Unsqueeze(-2)).Matmul(vh)
	}
	g := svdCore(u, s, vh, gu, gvh)
	if gs != nil {
		g = g.Add(gs.DiagEmbed())
	}
	switch {
	case m > k && gu != nil:
		// The part of gU orthogonal to U.
		g = u.Matmul(g)
		scaled := gu.Div(s.Unsqueeze(-2))
		return g.Add(scaled).Sub(u.Matmul(u.MH().Matmul(scaled))).Matmul(vh)
	case n > k && gvh != nil:
		g = g.Matmul(vh)
		scaled := gvh.Div(s.Unsqueeze(-1))
		return u.Matmul(g.Add(scaled).Sub(scaled.Matmul(vh.MH()).Matmul(vh)))
	case m >= n:
		return u.Matmul(g.Matmul(vh))
	}
	return u.Matmul(g).Matmul(vh)
}

// svdCore returns the contribution of the gradients of U and Vh, in the
// coordinates of the singular vectors.
func svdCore(u, s, vh, gu, gvh *Tensor) *Tensor {
	skew := func(t *Tensor) *Tensor { return t.Sub(t.MH()) }
	gaps := svdGaps(s)
	switch {
	case gvh == nil:
		return skew(u.MH().Matmul(gu)).Div(gaps).Mul(s.Unsqueeze(-2))
	case gu == nil:
		return s.Unsqueeze(-1).Mul(skew(vh.Matmul(gvh.MH())).Div(gaps))
	}
	left := skew(u.MH().Matmul(gu)).Mul(s.Unsqueeze(-2))
	return left.Add(s.Unsqueeze(-1).Mul(skew(vh.Matmul(gvh.MH())))).Div(gaps)
}

// svdTangent is svd_jvp.
func svdTangent(c *JCtx) ([]*Tensor, error) {
	d := c.Tangent("A")
	u, s, vh := c.Out(0), c.Out(1), c.Out(2)
	full, k := c.Args().Bool("full_matrices"), s.sizes[len(s.sizes)-1]
	n := len(d.sizes)
	rows, cols := d.sizes[n-2], d.sizes[n-1]
	if full && rows != cols {
		u, vh = u.Narrow(-1, 0, k), vh.Narrow(-2, 0, k)
	}
	core := u.MH().Matmul(d).Matmul(vh.MH())
	ds := core.Diagonal(Kw("offset", 0), Kw("dim1", -2), Kw("dim2", -1))
	if full && rows != cols {
		// A does not determine the rows and columns beyond S.
		return []*Tensor{nil, ds, nil}, nil
	}
	symmetric := func(t *Tensor) *Tensor { return t.Add(t.MH()) }
	core, gaps := core.Sub(ds.DiagEmbed()), svdGaps(s)
	du := u.Matmul(symmetric(core.Mul(s.Unsqueeze(-2))).Div(gaps))
	dvh := symmetric(s.Unsqueeze(-1).Mul(core)).Div(gaps).Neg().Matmul(vh)
	if rows > k {
		beside := d.Matmul(vh.MH())
		du = du.Add(beside.Sub(u.Matmul(u.MH().Matmul(beside))).Div(s.Unsqueeze(-2)))
	}
	if cols > k {
		beside := u.MH().Matmul(d)
		dvh = dvh.Add(beside.Sub(beside.Matmul(vh.MH()).Matmul(vh)).Div(s.Unsqueeze(-1)))
	}
	return []*Tensor{du, ds, dvh}, nil
}
