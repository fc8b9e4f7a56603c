package autograd

// Products of batches of matrices.

var batchOps = []Op{
	{
		Schema: "bmm(Tensor self, Tensor mat2) -> Tensor",
		Node:   "BmmBackward0", OutDType: expectedOutDType, Predicted: ByValues, JVP: multilinear,
		Forward: func(a *Args) ([]*Tensor, error) {
			x, y := a.Self(), a.Tensor("mat2")
			sizes, err := checkBatches(x, y)
			if err != nil {
				return nil, err
			}
			if x.dtype == Bool {
				return nil, undefined("bmm", Bool)
			}
			return a.matrixProduct("bmm", alloc(x.dtype, sizes), x, y, product{alpha: oneScalar})
		},
		VJP: []Formula{
			{Input: "self", Uses: "mat2", Of: func(c *Ctx) *Tensor { return c.Grad().Bmm(c.Saved("mat2").Transpose(1, 2)) }},
			{Input: "mat2", Uses: "self", Of: func(c *Ctx) *Tensor { return c.Saved("self").Transpose(1, 2).Bmm(c.Grad()) }},
		},
	},
	{
		Schema: "baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
		Node:   "BaddbmmBackward0", InPlace: true, Overlap: OverlapOfOperands, OutDType: expectedOutDType, Predicted: ByValues, Attrs: "beta alpha", JVP: fusedTangent("batch1", "batch2"),
		Forward: func(a *Args) ([]*Tensor, error) {
			t, x, y := a.Self(), a.Tensor("batch1"), a.Tensor("batch2")
			sizes, err := checkBatches(x, y)
			if err != nil {
				return nil, err
			}
			if t.dtype != x.dtype {
				return nil, fail(RuntimeError, CodeDType, "Input dtypes must be the same, got: input %s, batch1: %s, batch2: %s", cTypeNames[t.dtype], cTypeNames[x.dtype], cTypeNames[y.dtype])
			}
			p := a.factors()
			out, err := a.startFrom(t, sizes, p.beta)
			if err != nil {
				return nil, err
			}
			p.apart = isSmallBatch(x, y)
			return a.matrixProduct("baddbmm", out, x, y, p)
		},
		VJP: []Formula{
			{Input: "self", Of: addedGrad},
			{Input: "batch1", Uses: "batch2", Of: func(c *Ctx) *Tensor {
				return scaled(c.Grad().Bmm(c.Saved("batch2").Transpose(1, 2)), c.Args().Scalar("alpha"))
			}},
			{Input: "batch2", Uses: "batch1", Of: func(c *Ctx) *Tensor {
				return scaled(c.Saved("batch1").Transpose(1, 2).Bmm(c.Grad()), c.Args().Scalar("alpha"))
			}},
		},
	},
	{
		Schema: "addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
		Node:   "AddbmmBackward0", InPlace: true, Overlap: OverlapOfOperands, JVP: fusedTangent("batch1", "batch2"),
		Attrs:   "beta alpha batch1_sym_argsize_0 batch1_sym_argsize_1 batch2_sym_argsize_2",
		Forward: addbmm,
		VJP: []Formula{
			{Input: "self", Of: addedGrad},
			{Input: "batch1", Uses: "batch2", Of: func(c *Ctx) *Tensor {
				return scaled(addbmmGrad(c).Bmm(c.Saved("batch2").Transpose(1, 2)), c.Args().Scalar("alpha"))
			}},
			{Input: "batch2", Uses: "batch1", Of: func(c *Ctx) *Tensor {
				return scaled(c.Saved("batch1").Transpose(1, 2).Bmm(addbmmGrad(c)), c.Args().Scalar("alpha"))
			}},
		},
	},
}

// checkBatches checks the operands of bmm and returns the shape of the result.
func checkBatches(x, y *Tensor) ([]int, error) {
	switch {
	case len(x.sizes) != 3:
		return nil, fail(RuntimeError, CodeShape, "batch1 must be a 3D tensor")
	case len(y.sizes) != 3:
		return nil, fail(RuntimeError, CodeShape, "batch2 must be a 3D tensor")
	case x.sizes[0] != y.sizes[0] || x.sizes[2] != y.sizes[1]:
		return nil, fail(RuntimeError, CodeShape, "Expected size for first two dimensions of batch2 tensor to be: [%d, %d] but got: [%d, %d].", x.sizes[0], x.sizes[2], y.sizes[0], y.sizes[1])
	case x.dtype == y.dtype:
	case isSmallBatch(x, y):
		return nil, wantScalarType(x.dtype, y.dtype)
	default:
		return nil, fail(RuntimeError, CodeDType, "expected m1 and m2 to have the same dtype, but got: %s != %s", cTypeNames[x.dtype], cTypeNames[y.dtype])
	}
	return []int{x.sizes[0], x.sizes[1], y.sizes[2]}, nil
}

// isSmallBatch reports whether PyTorch multiplies the matrices with its own
// loop instead of BLAS.
func isSmallBatch(x, y *Tensor) bool { return x.sizes[1]*x.sizes[2]*y.sizes[2] < 400 }

// addbmm adds the products of all matrices of two batches to a matrix.
func addbmm(a *Args) ([]*Tensor, error) {
	t, x, y := a.Self(), a.Tensor("batch1"), a.Tensor("batch2")
	switch {
	case len(y.sizes) < 3:
		return nil, fail(IndexError, CodeIndex, "Dimension out of range (expected to be in range of [%d, %d], but got 2)", -max(len(y.sizes), 1), max(len(y.sizes), 1)-1)
	case len(x.sizes) != 3:
		return nil, fail(RuntimeError, CodeShape, "batch1 must be a 3D tensor")
	case len(y.sizes) != 3:
		return nil, fail(RuntimeError, CodeShape, "batch2 must be a 3D tensor")
	case x.sizes[0] != y.sizes[0]:
		return nil, fail(RuntimeError, CodeShape, "batch1 and batch2 must have same number of batches, got %d and %d", x.sizes[0], y.sizes[0])
	case x.sizes[2] != y.sizes[1]:
		return nil, fail(RuntimeError, CodeShape, "Incompatible matrix sizes for bmm (%dx%d and %dx%d)", x.sizes[1], x.sizes[2], y.sizes[1], y.sizes[2])
	}
	p := a.factors()
	out, err := a.startFrom(t, []int{x.sizes[1], y.sizes[2]}, p.beta)
	if err != nil {
		return nil, err
	}
	for i := range x.sizes[0] {
		left, right := matrixAt(x, i), matrixAt(y, i)
		if err := checkAddmm(t, left, right); err != nil {
			return nil, err
		}
		if _, err := a.matrixProduct("addmm_impl_cpu_", out, left, right, p); err != nil {
			return nil, err
		}
		p.beta = oneScalar
	}
	if x.sizes[0] == 0 && p.beta.Float() != 0 {
		return a.binary(out, numberTensor(p.beta), out.dtype, &mulKernel)
	}
	return a.One(out)
}

// matrixAt returns a matrix of a batch, without history.
func matrixAt(t *Tensor, i int) *Tensor {
	m := *t
	m.sizes, m.strides, m.offset = t.sizes[1:], t.strides[1:], t.offset+i*t.strides[0]
	return &m
}

// addbmmGrad returns the gradient of each of the products that addbmm sums.
func addbmmGrad(c *Ctx) *Tensor {
	a := c.node.args
	x, y := a.fact(c.node.op.param("batch1")), a.fact(c.node.op.param("batch2"))
	return c.Grad().Unsqueeze(0).Expand([]int{x.sizes[0], x.sizes[1], y.sizes[2]})
}
