package autograd

// Systems of linear equations. The checks, and the choice between a matrix and
// its transpose, follow aten/src/ATen/native/BatchLinearAlgebra.cpp and
// LinearAlgebraUtils.h; the gradients follow FunctionsManual.cpp.

var solveOps = []Op{
	{
		Schema: "_linalg_solve_ex(Tensor A, Tensor B, *, bool left=True) -> (Tensor result, Tensor LU, Tensor pivots, Tensor info)", In: Hidden, Go: "-",
		Node: "LinalgSolveExBackward0", Attrs: "left", Constant: "LU pivots", JVP: solveTangent,
		Forward: solveForward,
		VJP:     []Formula{{Input: "A B", Uses: "A LU pivots result", All: solveBackward}},
	},
	{
		Schema: "linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor", In: Linalg,
		Compose: func(a *Args) ([]*Tensor, error) {
			outs, err := a.solve("torch.linalg.solve", true)
			if err != nil {
				return nil, err
			}
			return first(outs), nil
		},
	},
	{
		Schema: "linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor result, Tensor info)", In: Linalg,
		Compose: func(a *Args) ([]*Tensor, error) {
			return a.solve("torch.linalg.solve_ex", a.Bool("check_errors"))
		},
	},
	{
		Schema: "linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool unitriangular=False) -> Tensor", In: Linalg,
		Node: "LinalgSolveTriangularBackward0", Attrs: "upper left unitriangular", JVP: solveTriangularTangent,
		Forward: solveTriangular,
		VJP:     []Formula{{Input: "self B", Uses: "self result", All: solveTriangularBackward}},
	},
}

// isVectorSide reports whether the right-hand side b holds one vector for each
// matrix of a (linalg_solve_is_vector_rhs).
func isVectorSide(a, b []int) bool {
	return len(b) == 1 || len(a)-1 == len(b) && sameSizes(b, a[:len(a)-1])
}

// solve implements linalg.solve and linalg.solve_ex.
func (a *Args) solve(name string, check bool) ([]*Tensor, error) {
	x := a.Tensor("A")
	outs, err := fn_LinalgSolveEx.list([]Option{Kw("left", a.Bool("left"))}, x, a.Tensor("B"))
	if err != nil {
		return nil, err
	}
	info := outs[3]
	if check {
		if err := checkLAPACK(infoOf(info), name, len(x.sizes) == 2, singularSystem); err != nil {
			return nil, err
		}
	}
	return []*Tensor{outs[0], info}, nil
}

func solveForward(a *Args) ([]*Tensor, error) {
	x, b, left := a.Tensor("A"), a.Tensor("B"), a.Bool("left")
	if err := checkFloating("linalg.solve", x); err != nil {
		return nil, err
	}
	if x.dtype != b.dtype {
		return nil, fail(RuntimeError, CodeDType, "linalg.solve: Expected A and B to have the same dtype, but found A of type %s and B of type %s instead", scalarTypeName(x.dtype), scalarTypeName(b.dtype))
	}
	vector := isVectorSide(x.sizes, b.sizes)
	if vector && len(b.sizes) > 0 {
		b = b.shallow(append(append([]int(nil), b.sizes...), 1), append(append([]int(nil), b.strides...), 1), b.offset)
	}
	if err := checkEquation(x, b, left, "linalg.solve"); err != nil {
		return nil, err
	}
	_, b, err := broadcastMatrices(x, b)
	if err != nil {
		return nil, err
	}
	if !left && vector {
		return nil, fail(RuntimeError, CodeShape, "linalg.solve: Vector broadcasting of the left hand side is not supported for left=False. In this case linalg.solve is equivalent to B / A.squeeze(-1)")
	}
	if err := checkPrecise(x, "linalg.solve", "lu_cpu"); err != nil {
		return nil, err
	}
	f, transposed := luFactor(x)
	result := luSolve(f.lu, f.pivots, b, left, transposed)
	if vector {
		sizes := b.sizes[:len(b.sizes)-1]
		flat := allocLaidOut(b.dtype, sizes, columnMajor(sizes))
		copyData(flat, result.shallow(sizes, result.strides[:len(sizes)], result.offset))
		result = flat
	}
	return []*Tensor{result, f.lu, f.pivots, infoTensor(f.info(), x.sizes[:len(x.sizes)-2])}, nil
}

// luSolved is linalg_lu_solve as formulas call it, for factors that luFactor
// made from x.
func luSolved(lu, pivots, b, x *Tensor, left, adjoint bool) *Tensor {
	if x.flags&contiguousFlag != 0 {
		adjoint = !adjoint // luFactor factored the transpose
	}
	return fnLinalgLuSolve.single([]Option{Kw("left", left), Kw("adjoint", adjoint)}, lu, pivots, b)
}

// solveBackward is linalg_solve_backward: the gradient of B solves the
// transposed system. It reuses the factors unless it will itself be
// differentiated.
func solveBackward(c *Ctx) []*Tensor {
	g := c.Grad()
	if g == nil {
		return nil
	}
	x, result, left := c.Saved("A"), c.Saved("result"), c.Args().Bool("left")
	vector := len(result.sizes) == len(x.sizes)-1
	if vector {
		g = g.Unsqueeze(-1)
	}
	var gb *Tensor
	if gradMode() {
		gb = LinalgSolve(x.MH(), g, Kw("left", left))
	} else {
		gb = luSolved(c.Saved("LU"), c.Saved("pivots"), g, x, left, true)
	}
	var ga *Tensor
	if c.Needs("A") {
		if vector {
			result = result.Unsqueeze(-1)
		}
		if left {
			ga = gb.Matmul(result.MH()).Neg()
		} else {
			ga = result.MH().Matmul(gb).Neg()
		}
	}
	if vector {
		gb = gb.Squeeze(Dim(-1))
	}
	return []*Tensor{ga, gb}
}

// solveTangent is linalg_solve_jvp.
func solveTangent(c *JCtx) ([]*Tensor, error) {
	x, result, left := c.Primal("A"), c.Out(0), c.Args().Bool("left")
	d, vector := c.TangentOrZeros("B"), len(result.sizes) == len(x.sizes)-1
	if vector {
		d, result = d.Unsqueeze(-1), result.Unsqueeze(-1)
	}
	if dx := c.Tangent("A"); dx != nil {
		if left {
			d = d.Sub(dx.Matmul(result))
		} else {
			d = d.Sub(result.Matmul(dx))
		}
	}
	d = luSolved(c.Out(1), c.Out(2), d, x, left, false)
	if vector {
		d = d.Squeeze(Dim(-1))
	}
	return []*Tensor{d}, nil
}

func solveTriangular(a *Args) ([]*Tensor, error) {
	x, b, left := a.Self(), a.Tensor("B"), a.Bool("left")
	if err := checkEquation(x, b, left, "linalg.solve_triangular"); err != nil {
		return nil, err
	}
	x, b, err := broadcastMatrices(x, b)
	if err != nil {
		return nil, err
	}
	if !hasLAPACK(x.dtype) {
		return nil, undefined("triangular_solve_cpu", x.dtype)
	}
	kind := triangular{upper: a.Bool("upper"), unit: a.Bool("unitriangular"), left: left}
	return a.One(kind.solve(x, b))
}

// solveTriangularBackward is linalg_solve_triangular_backward.
func solveTriangularBackward(c *Ctx) []*Tensor {
	if c.Grad() == nil {
		return nil
	}
	a, x, result := c.Args(), c.Saved("self"), c.Saved("result")
	upper, left := a.Bool("upper"), a.Bool("left")
	gb := x.MH().LinalgSolveTriangular(c.Grad(), Kw("upper", !upper), Kw("left", left), Kw("unitriangular", a.Bool("unitriangular")))
	var ga *Tensor
	if c.Needs("self") {
		if left {
			ga = gb.Matmul(result.MH()).Neg()
		} else {
			ga = result.MH().Matmul(gb).Neg()
		}
		ga = trianglePart(ga, upper, a.Bool("unitriangular"))
	}
	return []*Tensor{ga, gb}
}

// trianglePart keeps the elements that a triangular solver reads and zeroes the
// others.
func trianglePart(t *Tensor, upper, unit bool) *Tensor {
	beside := 0
	if unit {
		beside = 1
	}
	if upper {
		return t.Triu(Kw("diagonal", beside))
	}
	return t.Tril(Kw("diagonal", -beside))
}

// solveTriangularTangent is linalg_solve_triangular_forward_AD.
func solveTriangularTangent(c *JCtx) ([]*Tensor, error) {
	a, x, result := c.Args(), c.Primal("self"), c.Out(0)
	upper, left, unit := a.Bool("upper"), a.Bool("left"), a.Bool("unitriangular")
	d := c.TangentOrZeros("B")
	if dx := c.Tangent("self"); dx != nil {
		dx = trianglePart(dx, upper, unit)
		if left {
			d = d.Sub(dx.Matmul(result))
		} else {
			d = d.Sub(result.Matmul(dx))
		}
	}
	return single(x.LinalgSolveTriangular(d, Kw("upper", upper), Kw("left", left), Kw("unitriangular", unit)))
}
