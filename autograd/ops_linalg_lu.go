package autograd

import (
	"gonum.org/v1/gonum/blas/blas64"
)

// LU decompositions: A = P·L·U.

var luOps = []Op{
	{
		Schema: "linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)", In: Linalg,
		Node: "LinalgLuBackward0", Attrs: "pivot", Constant: "P", JVP: luTangent,
		Forward: func(a *Args) ([]*Tensor, error) {
			f, err := a.factored("linalg.lu")
			if err != nil {
				return nil, err
			}
			return unpackLU(f.lu, f.pivots, a.Tensor("A").dtype, true, true)
		},
		VJP: []Formula{{Input: "A", Uses: "P L U", Of: func(c *Ctx) *Tensor {
			return luBackward(c.GradAt(0), c.GradAt(1), c.Saved("P"), c.Saved("L"), c.Saved("U"))
		}}},
	},
	{
		Schema: "linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> (Tensor LU, Tensor pivots, Tensor info)", In: Linalg,
		Node: "LinalgLuFactorExBackward0", Attrs: "pivot", Constant: "pivots", JVP: luFactorTangent,
		Forward: func(a *Args) ([]*Tensor, error) {
			x := a.Tensor("A")
			f, err := a.factored("torch.lu_factor")
			if err != nil {
				return nil, err
			}
			if a.Bool("check_errors") {
				if err := checkLAPACK(f.info(), "torch.linalg.lu_factor_ex", len(x.sizes) == 2, zeroPivot); err != nil {
					return nil, err
				}
			}
			return []*Tensor{f.lu, f.pivots, infoTensor(f.info(), x.sizes[:len(x.sizes)-2])}, nil
		},
		VJP: []Formula{{Input: "A", Uses: "LU pivots", Of: func(c *Ctx) *Tensor {
			g := c.GradAt(0)
			if g == nil {
				return nil
			}
			p, l, u := LuUnpack(c.Saved("LU"), c.Saved("pivots"))
			n := len(g.sizes)
			k := min(g.sizes[n-1], g.sizes[n-2])
			return luBackward(g.Narrow(-1, 0, k).Tril(Kw("diagonal", -1)), g.Narrow(-2, 0, k).Triu(), p, l, u)
		}}},
	},
	{
		Schema: "linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots)", In: Linalg,
		Compose: func(a *Args) ([]*Tensor, error) { return luFactorChecked(a.Tensor("A"), a.Bool("pivot")) },
	},
	{
		Schema: "_lu_with_info(Tensor self, bool pivot=True, bool check_errors=True) -> (Tensor LU, Tensor pivots, Tensor info)", In: Torch, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			warnOnce("./aten/src/ATen/native/BatchLinearAlgebra.cpp:2053", "torch.lu is deprecated in favor of torch.linalg.lu_factor / torch.linalg.lu_factor_ex and will be removed in a future PyTorch release.\nLU, pivots = torch.lu(A, compute_pivots)\nshould be replaced with\nLU, pivots = torch.linalg.lu_factor(A, compute_pivots)\nand\nLU, pivots, info = torch.lu(A, compute_pivots, get_infos=True)\nshould be replaced with\nLU, pivots, info = torch.linalg.lu_factor_ex(A, compute_pivots)")
			return fnLinalgLuFactorEx.list([]Option{Kw("pivot", a.Bool("pivot")), Kw("check_errors", a.Bool("check_errors"))}, a.Self())
		},
	},
	{
		Schema: "lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True) -> (Tensor P, Tensor L, Tensor U)",
		Node:   "LuUnpackBackward0", Attrs: "LU_data_sym_argsize_minus_1 LU_data_sym_argsize_minus_2", Constant: "P", JVP: luUnpackTangent,
		Forward: func(a *Args) ([]*Tensor, error) {
			lu, pivots := a.Tensor("LU_data"), a.Tensor("LU_pivots")
			if len(lu.sizes) < 2 {
				return nil, fail(RuntimeError, CodeShape, "torch.lu_unpack: Expected tensor with 2 or more dimensions. Got size: %s instead", shapeText(lu.sizes))
			}
			if a.Bool("unpack_pivots") && pivots.dtype != Int32 {
				return nil, fail(RuntimeError, CodeDType, "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype.\nNote: this function is intended to be used with the output produced by torch.linalg.lu_factor")
			}
			return unpackLU(lu, pivots, lu.dtype, a.Bool("unpack_data"), a.Bool("unpack_pivots"))
		},
		VJP: []Formula{{Input: "LU_data", Of: func(c *Ctx) *Tensor {
			n := c.Shape("LU_data")
			return packedLU(c.GradAt(0), c.GradAt(1), n[len(n)-2], n[len(n)-1])
		}}},
	},
	{
		Schema: "linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False) -> Tensor", In: Linalg,
		Node: "LinalgLuSolveBackward0", Attrs: "left adjoint", JVP: luSolveTangent,
		Forward: func(a *Args) ([]*Tensor, error) {
			lu, pivots, b := a.Tensor("LU"), a.Tensor("pivots"), a.Tensor("B")
			if err := checkLUSolve(lu, pivots, b, a.Bool("left")); err != nil {
				return nil, err
			}
			lu, b, err := broadcastMatrices(lu, b)
			if err != nil {
				return nil, err
			}
			return a.One(luSolve(lu, pivots, b, a.Bool("left"), a.Bool("adjoint")))
		},
		VJP: []Formula{
			{Input: "B", Uses: "LU pivots", Of: func(c *Ctx) *Tensor {
				left, adjoint := c.Args().Bool("left"), c.Args().Bool("adjoint")
				return fnLinalgLuSolve.single([]Option{Kw("left", left), Kw("adjoint", !adjoint)}, c.Saved("LU"), c.Saved("pivots"), c.Grad())
			}},
			{Input: "LU", Uses: "LU pivots result", Of: luSolveFactorGrad},
		},
	},
	{
		Schema: "lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) {
			warnOnce("./aten/src/ATen/native/BatchLinearAlgebra.cpp:2210", "torch.lu_solve is deprecated in favor of torch.linalg.lu_solveand will be removed in a future PyTorch release.\nNote that torch.linalg.lu_solve has its arguments reversed.\nX = torch.lu_solve(B, LU, pivots)\nshould be replaced with\nX = torch.linalg.lu_solve(LU, pivots, B)")
			return fnLinalgLuSolve.list(nil, a.Tensor("LU_data"), a.Tensor("LU_pivots"), a.Self())
		},
	},
}

// zeroPivot is the text for an info value of lu_factor.
const zeroPivot = "U[%d,%[1]d] is zero and using it on lu_solve would result in a division by zero. If you still want to perform the factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)"

func luFactorChecked(x *Tensor, pivot bool) ([]*Tensor, error) {
	outs, err := fnLinalgLuFactorEx.list([]Option{Kw("pivot", pivot)}, x)
	if err != nil {
		return nil, err
	}
	for i, n := range infoOf(outs[2]) {
		if n == 0 {
			continue
		}
		name := "torch.linalg.lu_factor"
		if len(x.sizes) > 2 {
			name += ": (Batch element " + itoa(i) + ")"
		}
		return nil, fail(RuntimeError, CodeArgument, name+": "+zeroPivot, n)
	}
	return outs[:2], nil
}

// factored decomposes A itself, not its transpose.
func (a *Args) factored(name string) (*luFactors, error) {
	x := a.Tensor("A")
	if len(x.sizes) < 2 {
		return nil, fail(RuntimeError, CodeShape, "%s: Expected tensor with 2 or more dimensions. Got size: %s instead", name, shapeText(x.sizes))
	}
	if !hasLAPACK(x.dtype) {
		return nil, undefined("lu_cpu", x.dtype)
	}
	if !a.Bool("pivot") {
		return nil, fail(RuntimeError, CodeArgument, "linalg.lu_factor: LU without pivoting is not implemented on the CPU")
	}
	return luFactorAsIs(x), nil
}

// unpackLU makes P, L and U from the factors. Results that are not wanted are
// empty.
func unpackLU(lu, pivots *Tensor, d DType, data, permutation bool) ([]*Tensor, error) {
	n := len(lu.sizes)
	batch, rows, cols := lu.sizes[:n-2], lu.sizes[n-2], lu.sizes[n-1]
	k := min(rows, cols)
	p, l, u := alloc(d, []int{0}), alloc(d, []int{0}), alloc(d, []int{0})
	if data {
		b := matricesOf(lu)
		lower, upper := newMatrixBatch(b.count, rows, k), newMatrixBatch(b.count, k, cols)
		b.each(func(i int, m blas64.General) {
			low, up := lower.at(i), upper.at(i)
			for r := range rows {
				for c := range cols {
					switch x := m.Data[r*cols+c]; {
					case c < r && c < k:
						low.Data[r*k+c] = x
					case c >= r && r < k:
						up.Data[r*cols+c] = x
					}
				}
				if r < k {
					low.Data[r*k+r] = 1
				}
			}
		})
		left, right := batchSizes(batch, rows, k), batchSizes(batch, k, cols)
		l, u = lower.tensor(d, left, contiguousStrides(left)), upper.tensor(d, right, contiguousStrides(right))
	}
	if permutation {
		which := elements[int64](copied(pivots, Int64))
		count := numel(batch)
		b := newMatrixBatch(count, rows, rows)
		order := make([]int, rows)
		b.each(func(i int, m blas64.General) {
			for r := range order {
				order[r] = r
			}
			for r := range k {
				at := int(which[i*k+r]) - 1
				if at >= 0 && at < rows {
					order[r], order[at] = order[at], order[r]
				}
			}
			for r, from := range order {
				m.Data[from*rows+r] = 1
			}
		})
		sizes := batchSizes(batch, rows, rows)
		p = b.tensor(d, sizes, contiguousStrides(sizes))
	}
	return []*Tensor{p, l, u}, nil
}

// luBackward is plu_backward_base: it returns the gradient of A from the
// gradients of L and U.
func luBackward(gl, gu, p, l, u *Tensor) *Tensor {
	if gl == nil && gu == nil {
		return nil
	}
	n := len(l.sizes)
	rows, cols := l.sizes[n-2], u.sizes[n-1]
	k := min(rows, cols)
	top, left := l.Narrow(-2, 0, k), u.Narrow(-1, 0, k)
	over := func(t *Tensor) *Tensor { // t·U⁻ᴴ
		return left.MH().LinalgSolveTriangular(t, Kw("upper", false), Kw("left", false))
	}
	under := func(t *Tensor) *Tensor { // L⁻ᴴ·t
		return top.MH().LinalgSolveTriangular(t, Kw("upper", true), Kw("unitriangular", true))
	}
	var below, beside *Tensor // gradients of the rows and columns outside the square
	if rows > k {
		rest := l.Narrow(-2, k, rows-k)
		if gl != nil {
			below = over(gl.Narrow(-2, k, rows-k))
			gl = gl.Narrow(-2, 0, k)
			step := rest.MH().Matmul(below)
			if gu != nil {
				gu = gu.Sub(step)
			} else {
				gu = step.Neg()
			}
		} else {
			below = filled(rest.sizes, rest.dtype, 0)
		}
	}
	if cols > k {
		rest := u.Narrow(-1, k, cols-k)
		if gu != nil {
			beside = under(gu.Narrow(-1, k, cols-k))
			gu = gu.Narrow(-1, 0, k)
			step := beside.Matmul(rest.MH())
			if gl != nil {
				gl = gl.Sub(step)
			} else {
				gl = step.Neg()
			}
		} else {
			beside = filled(rest.sizes, rest.dtype, 0)
		}
	}
	var inner *Tensor
	if gl != nil {
		inner = top.MH().Matmul(gl).Tril(Kw("diagonal", -1))
	}
	if gu != nil {
		part := gu.Matmul(left.MH()).Triu()
		if inner == nil {
			inner = part
		} else {
			inner = inner.Add(part)
		}
	}
	g := over(under(inner))
	if below != nil {
		g = Cat([]*Tensor{g, below}, Dim(-2))
	}
	if beside != nil {
		g = Cat([]*Tensor{g, beside}, Dim(-1))
	}
	return p.Matmul(g)
}

// luParts returns the tangents of L and U from the tangent d of A
// (linalg_lu_jvp).
func luParts(d, p, l, u *Tensor) (dl, du *Tensor) {
	n := len(d.sizes)
	rows, cols := d.sizes[n-2], d.sizes[n-1]
	k := min(rows, cols)
	top, left := l.Narrow(-2, 0, k), u.Narrow(-1, 0, k)
	over := func(t *Tensor) *Tensor { return left.LinalgSolveTriangular(t, Kw("upper", true), Kw("left", false)) }
	under := func(t *Tensor) *Tensor {
		return top.LinalgSolveTriangular(t, Kw("upper", false), Kw("unitriangular", true))
	}
	d = p.MT().Matmul(d)
	inner := under(over(d.Narrow(-2, 0, k).Narrow(-1, 0, k)))
	lower, upper := inner.Tril(Kw("diagonal", -1)), inner.Triu()
	dl, du = top.Matmul(lower), upper.Matmul(left)
	if rows > k {
		rest := over(d.Narrow(-2, k, rows-k)).Sub(l.Narrow(-2, k, rows-k).Matmul(upper))
		dl = Cat([]*Tensor{dl, rest}, Dim(-2))
	}
	if cols > k {
		rest := under(d.Narrow(-1, k, cols-k)).Sub(lower.Matmul(u.Narrow(-1, k, cols-k)))
		du = Cat([]*Tensor{du, rest}, Dim(-1))
	}
	return dl, du
}

func luTangent(c *JCtx) ([]*Tensor, error) {
	dl, du := luParts(c.Tangent("A"), c.Out(0), c.Out(1), c.Out(2))
	return []*Tensor{nil, dl, du}, nil
}

func luFactorTangent(c *JCtx) ([]*Tensor, error) {
	p, l, u := LuUnpack(c.Out(0), c.Out(1))
	dl, du := luParts(c.Tangent("A"), p, l, u)
	n := len(p.sizes)
	return []*Tensor{packedLU(dl, du, p.sizes[n-1], u.sizes[n-1]), nil, nil}, nil
}

// packedLU puts the part of dl below the diagonal and the rest of du into one
// matrix.
func packedLU(dl, du *Tensor, rows, cols int) *Tensor {
	if dl == nil && du == nil {
		return nil
	}
	k := min(rows, cols)
	var sum *Tensor
	if dl != nil {
		if sum = dl.Tril(Kw("diagonal", -1)); cols > k {
			sum = sum.ConstantPadNd([]int{0, cols - k})
		}
	}
	if du != nil {
		part := du.Triu()
		if rows > k {
			part = part.ConstantPadNd([]int{0, 0, 0, rows - k})
		}
		if sum == nil {
			return part
		}
		sum = sum.Add(part)
	}
	return sum
}

func luUnpackTangent(c *JCtx) ([]*Tensor, error) {
	d := c.Tangent("LU_data")
	n := len(d.sizes)
	k := min(d.sizes[n-1], d.sizes[n-2])
	return []*Tensor{nil, d.Narrow(-1, 0, k).Tril(Kw("diagonal", -1)), d.Narrow(-2, 0, k).Triu()}, nil
}

func checkLUSolve(lu, pivots, b *Tensor, left bool) error {
	if err := checkFloating("torch.linalg.lu_solve", lu); err != nil {
		return err
	}
	switch {
	case lu.dtype != b.dtype:
		return fail(RuntimeError, CodeDType, "linalg.lu_solve: Expected LU and B to have the same dtype, but found LU of type %s and B of type %s instead", scalarTypeName(lu.dtype), scalarTypeName(b.dtype))
	case pivots.dtype != Int32:
		return fail(RuntimeError, CodeDType, "linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32")
	}
	if err := checkSquare(lu, "torch.linalg.lu_solve"); err != nil {
		return err
	}
	if err := checkEquation(lu, b, left, "linalg.lu_solve"); err != nil {
		return err
	}
	if n := len(lu.sizes); len(pivots.sizes) == 0 || pivots.sizes[len(pivots.sizes)-1] != lu.sizes[n-1] {
		return fail(RuntimeError, CodeShape, "linalg.lu_solve: Number of pivots per batch should be same as the dimension of the matrix")
	}
	if err := checkPrecise(lu, "torch.linalg.lu_solve", "lu_solve_cpu"); err != nil {
		return err
	}
	return nil
}

// luSolveFactorGrad is linalg_lu_solve_LU: it returns the gradient of the
// packed factors.
func luSolveFactorGrad(c *Ctx) *Tensor {
	if c.Grad() == nil {
		return nil
	}
	left, adjoint := c.Args().Bool("left"), c.Args().Bool("adjoint")
	lu, pivots, x := c.Saved("LU"), c.Saved("pivots"), c.Saved("result")
	p, l, u := LuUnpack(lu, pivots)
	gb := fnLinalgLuSolve.single([]Option{Kw("left", left), Kw("adjoint", !adjoint)}, lu, pivots, c.Grad())
	var ga *Tensor
	switch {
	case left && adjoint:
		ga = x.Matmul(gb.MH())
	case left:
		ga = gb.Matmul(x.MH())
	case adjoint:
		ga = gb.MH().Matmul(x)
	default:
		ga = x.MH().Matmul(gb)
	}
	ga = p.MT().Matmul(ga).Neg()
	return ga.Matmul(u.MH()).Tril(Kw("diagonal", -1)).Add(l.MH().Matmul(ga).Triu())
}

// luSolveTangent is linalg_lu_solve_jvp.
func luSolveTangent(c *JCtx) ([]*Tensor, error) {
	left, adjoint := c.Args().Bool("left"), c.Args().Bool("adjoint")
	lu, pivots, x := c.Primal("LU"), c.Primal("pivots"), c.Out(0)
	d := c.TangentOrZeros("B")
	if dlu := c.Tangent("LU"); dlu != nil {
		p, l, u := LuUnpack(lu, pivots)
		da := p.Matmul(dlu.Tril(Kw("diagonal", -1)).Matmul(u).Add(l.Matmul(dlu.Triu())))
		if adjoint {
			da = da.MH()
		}
		if left {
			d = d.Sub(da.Matmul(x))
		} else {
			d = d.Sub(x.Matmul(da))
		}
	}
	return single(fnLinalgLuSolve.single([]Option{Kw("left", left), Kw("adjoint", adjoint)}, lu, pivots, d))
}
