package autograd

// The solvers outside torch.linalg: triangular_solve and cholesky_solve.

var oldSolveOps = []Op{
	{
		Schema: "triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False) -> (Tensor solution, Tensor cloned_coefficient)",
		Node:   "TriangularSolveBackward0", Attrs: "upper transpose unitriangular", JVP: triangularSolveTangent,
		Forward: triangularSolve,
		VJP:     []Formula{{Input: "self A", Uses: "self A solution", All: triangularSolveBackward}},
	},
	{
		Schema: "cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor",
		Node:   "CholeskySolveBackward0", Attrs: "upper", JVP: choleskySolveTangent,
		Forward: choleskySolve,
		VJP:     []Formula{{Input: "self input2", Uses: "self input2 result", All: choleskySolveBackward}},
	},
}

// checkOldSolver is linearSolveCheckInputs, for tensors that have been
// broadcast.
func checkOldSolver(b, x *Tensor, name string) *Error {
	n, m := len(x.sizes), len(b.sizes)
	rank := x.sizes[n-1]
	switch {
	case b.dtype != x.dtype:
		return fail(RuntimeError, CodeDType, "Expected b and A to have the same dtype, but found b of type %s and A of type %s instead.", scalarTypeName(b.dtype), scalarTypeName(x.dtype))
	case rank != x.sizes[n-2]:
		return fail(RuntimeError, CodeShape, "A must be batches of square matrices, but they are %d by %d matrices", x.sizes[n-2], rank)
	case rank != b.sizes[m-2]:
		return fail(RuntimeError, CodeShape, "Incompatible matrix sizes for %s: each A matrix is %d by %d but each b matrix is %d by %d", name, rank, rank, b.sizes[m-2], b.sizes[m-1])
	case !hasLAPACK(x.dtype):
		return undefined(name+"_cpu", x.dtype)
	}
	return nil
}

// oldSolverRank returns the error of the solvers outside torch.linalg for too
// few dimensions.
func oldSolverRank(t *Tensor, format string) *Error {
	if len(t.sizes) < 2 {
		return fail(RuntimeError, CodeShape, format, len(t.sizes))
	}
	return nil
}

func triangularSolve(a *Args) ([]*Tensor, error) {
	b, x := a.Self(), a.Tensor("A")
	warnOnce("./aten/src/ATen/native/BatchLinearAlgebra.cpp:2253", "torch.triangular_solve is deprecated in favor of torch.linalg.solve_triangularand will be removed in a future PyTorch release.\ntorch.linalg.solve_triangular has its arguments reversed and does not return a copy of one of the inputs.\nX = torch.triangular_solve(B, A).solution\nshould be replaced with\nX = torch.linalg.solve_triangular(A, B).")
	if err := oldSolverRank(b, "torch.triangular_solve: Expected b to have at least 2 dimensions, but it has %d dimensions instead"); err != nil {
		return nil, err
	}
	if err := oldSolverRank(x, "torch.triangular_solve: Expected A to have at least 2 dimensions, but it has %d dimensions instead"); err != nil {
		return nil, err
	}
	if err := checkOldSolver(b, x, "triangular_solve"); err != nil {
		return nil, err
	}
	x, b, err := broadcastMatrices(x, b)
	if err != nil {
		return nil, err
	}
	clone := allocLaidOut(x.dtype, x.sizes, columnMajor(x.sizes))
	copyData(clone, x)
	kind := triangular{upper: a.Bool("upper"), transposed: a.Bool("transpose"), unit: a.Bool("unitriangular"), left: true}
	return []*Tensor{kind.solve(x, b), clone}, nil
}

// triangularSolveBackward is triangular_solve_backward.
func triangularSolveBackward(c *Ctx) []*Tensor {
	a, x := c.Args(), c.Saved("A")
	upper, transpose, unit := a.Bool("upper"), a.Bool("transpose"), a.Bool("unitriangular")
	var gb, ga *Tensor
	if g := c.GradAt(0); g != nil {
		gb, _ = g.TriangularSolve(x, Kw("upper", upper), Kw("transpose", !transpose), Kw("unitriangular", unit))
		if c.Needs("A") {
			if transpose {
				ga = c.Saved("solution").Matmul(gb.MT()).Neg()
			} else {
				ga = gb.Matmul(c.Saved("solution").MH()).Neg()
			}
			ga = trianglePart(ga, upper, unit)
		}
	}
	if g := c.GradAt(1); g != nil && c.Needs("A") {
		if ga == nil {
			ga = filled(x.sizes, x.dtype, 0)
		}
		ga = ga.Add(g)
	}
	return []*Tensor{gb, ga}
}

// triangularSolveTangent is triangular_solve_jvp. Like PyTorch it uses the whole
// tangent of A, unmodified, whichever triangle is read and whether or not A is
// transposed. The copy of A has A's tangent.
func triangularSolveTangent(c *JCtx) ([]*Tensor, error) {
	a, dx := c.Args(), c.TangentOrZeros("A")
	d := c.TangentOrZeros("self").Sub(dx.Matmul(c.Out(0)))
	solved, _ := d.TriangularSolve(c.Primal("A"), Kw("upper", a.Bool("upper")), Kw("transpose", a.Bool("transpose")), Kw("unitriangular", a.Bool("unitriangular")))
	return []*Tensor{solved, dx}, nil
}

func choleskySolve(a *Args) ([]*Tensor, error) {
	b, u, upper := a.Self(), a.Tensor("input2"), a.Bool("upper")
	if err := oldSolverRank(b, "b should have at least 2 dimensions, but has %d dimensions instead"); err != nil {
		return nil, err
	}
	if err := oldSolverRank(u, "u should have at least 2 dimensions, but has %d dimensions instead"); err != nil {
		return nil, err
	}
	if err := checkOldSolver(b, u, "cholesky_solve"); err != nil {
		return nil, err
	}
	u, b, err := broadcastMatrices(u, b)
	if err != nil {
		return nil, err
	}
	// A is L·Lᵀ, or Uᵀ·U.
	half := triangular{upper: upper, transposed: upper, left: true}.solve(u, b)
	return a.One(triangular{upper: upper, transposed: !upper, left: true}.solve(u, half))
}

// choleskySolveBackward is cholesky_solve_backward.
func choleskySolveBackward(c *Ctx) []*Tensor {
	if c.Grad() == nil {
		return nil
	}
	u, upper := c.Saved("input2"), Kw("upper", c.Args().Bool("upper"))
	gb := c.Grad().CholeskySolve(u, upper)
	if !c.Needs("input2") {
		return []*Tensor{gb, nil}
	}
	common := gb.Matmul(c.Saved("result").MH())
	common = common.Add(common.MH())
	if c.Args().Bool("upper") {
		return []*Tensor{gb, u.Matmul(common).Neg()}
	}
	return []*Tensor{gb, common.Matmul(u).Neg()}
}

// choleskySolveTangent is cholesky_solve_jvp.
func choleskySolveTangent(c *JCtx) ([]*Tensor, error) {
	u, du := c.Primal("input2"), c.TangentOrZeros("input2")
	var da *Tensor
	if c.Args().Bool("upper") {
		da = du.MH().Matmul(u)
	} else {
		da = du.Matmul(u.MH())
	}
	d := c.TangentOrZeros("self").Sub(da.Add(da.MH()).Matmul(c.Out(0)))
	return single(d.CholeskySolve(u, Kw("upper", c.Args().Bool("upper"))))
}
