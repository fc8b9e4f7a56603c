package autograd

import (
	"math"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// Products of matrices and vectors. Sizes and dtypes are checked with the texts
// of aten/src/ATen/native/LinearAlgebra.cpp and Blas.cpp. The gradients follow
// derivatives.yaml: the layout of an operand decides the order of the products
// in its gradient.

var oneScalar = IntScalar(1)

var productOps = []Op{
	{
		Schema: "mm(Tensor self, Tensor mat2) -> Tensor",
		Node:   "MmBackward0", OutDType: expectedOutDType, Certain: true, Predicted: ByValues, Attrs: "self_sym_sizes self_sym_strides mat2_sym_sizes mat2_sym_strides", JVP: multilinear,
		Forward: func(a *Args) ([]*Tensor, error) {
			x, y := a.Self(), a.Tensor("mat2")
			switch {
			case len(x.sizes) != 2:
				return nil, fail(RuntimeError, CodeShape, "self must be a matrix")
			case len(y.sizes) != 2:
				return nil, fail(RuntimeError, CodeShape, "mat2 must be a matrix")
			case x.sizes[1] != y.sizes[0]:
				return nil, notMultipliable(x, y)
			case x.dtype != y.dtype:
				return nil, fail(RuntimeError, CodeDType, "expected m1 and m2 to have the same dtype, but got: %s != %s", cTypeNames[x.dtype], cTypeNames[y.dtype])
			}
			return a.matrixProduct("addmm_impl_cpu_", allocMatrix(x.dtype, x.sizes[0], y.sizes[1]), x, y, product{alpha: oneScalar})
		},
		VJP: []Formula{
			{Input: "self", Uses: "mat2", Of: func(c *Ctx) *Tensor { return leftGrad(c, "self", c.Saved("mat2"), oneScalar) }},
			{Input: "mat2", Uses: "self", Of: func(c *Ctx) *Tensor { return rightGrad(c, "mat2", c.Saved("self"), oneScalar) }},
		},
	},
	{
		Schema: "addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
		Node:   "AddmmBackward0", InPlace: true, Overlap: OverlapOfOperands, OutDType: expectedOutDType, Certain: true, Predicted: ByValues, JVP: fusedTangent("mat1", "mat2"),
		Attrs: "beta alpha mat1_sym_sizes mat1_sym_strides mat2_sym_sizes mat2_sym_strides",
		Forward: func(a *Args) ([]*Tensor, error) {
			x, y := a.Tensor("mat1"), a.Tensor("mat2")
			if err := checkAddmm(a.Self(), x, y); err != nil {
				return nil, err
			}
			out, err := a.startFrom(a.Self(), []int{x.sizes[0], y.sizes[1]}, a.Scalar("beta"))
			if err != nil {
				return nil, err
			}
			return a.matrixProduct("addmm_impl_cpu_", out, x, y, a.factors())
		},
		VJP: []Formula{
			{Input: "self", Of: addedGrad},
			{Input: "mat1", Uses: "mat2", Of: func(c *Ctx) *Tensor {
				return leftGrad(c, "mat1", c.Saved("mat2"), c.Args().Scalar("alpha"))
			}},
			{Input: "mat2", Uses: "mat1", Of: func(c *Ctx) *Tensor {
				return rightGrad(c, "mat2", c.Saved("mat1"), c.Args().Scalar("alpha"))
			}},
		},
	},
	{
		Schema: "mv(Tensor self, Tensor vec) -> Tensor",
		Node:   "MvBackward0", OutDType: expectedOutDType, Certain: true, Predicted: ByValues, JVP: multilinear,
		Forward: func(a *Args) ([]*Tensor, error) {
			x, v := a.Self(), a.Tensor("vec")
			if len(x.sizes) == 0 {
				return nil, fail(IndexError, CodeIndex, "Dimension specified as 0 but tensor has no dimensions")
			}
			out := alloc(v.dtype, x.sizes[:1])
			if err := checkAddmv(out, x, v); err != nil {
				return nil, err
			}
			return a.matrixProduct("addmv_impl_cpu", out, x, v, product{alpha: oneScalar})
		},
		VJP: []Formula{
			{Input: "self", Uses: "vec", Of: func(c *Ctx) *Tensor { return c.Grad().Outer(c.Saved("vec")) }},
			{Input: "vec", Uses: "self", Of: func(c *Ctx) *Tensor { return c.Saved("self").T().Mv(c.Grad()) }},
		},
	},
	{
		Schema: "addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
		Node:   "AddmvBackward0", InPlace: true, Overlap: OverlapOfOperands, OutDType: expectedOutDType, Predicted: ByValues, Attrs: "beta alpha", JVP: fusedTangent("mat", "vec"),
		Forward: func(a *Args) ([]*Tensor, error) {
			x, v := a.Tensor("mat"), a.Tensor("vec")
			if err := checkAddmv(a.Self(), x, v); err != nil {
				return nil, err
			}
			out, err := a.startFrom(as(a.Self(), v.dtype), x.sizes[:1], a.Scalar("beta"))
			if err != nil {
				return nil, err
			}
			return a.matrixProduct("addmv_impl_cpu", out, x, v, a.factors())
		},
		VJP: []Formula{
			{Input: "self", Of: addedGrad},
			{Input: "mat", Uses: "vec", Of: func(c *Ctx) *Tensor {
				return scaled(c.Grad().Outer(c.Saved("vec")), c.Args().Scalar("alpha"))
			}},
			{Input: "vec", Uses: "mat", Of: func(c *Ctx) *Tensor {
				return scaled(c.Saved("mat").T().Mv(c.Grad()), c.Args().Scalar("alpha"))
			}},
		},
	},
	{
		Schema: "dot(Tensor self, Tensor tensor) -> Tensor",
		Node:   "DotBackward0", OutDType: dotDType, Certain: true, Predicted: ByValues, JVP: multilinear,
		Forward: func(a *Args) ([]*Tensor, error) { return a.dot(a.Self(), a.Tensor("tensor"), "dot") },
		VJP: []Formula{
			{Input: "self", Uses: "tensor", Of: func(c *Ctx) *Tensor { return c.Grad().Mul(c.Saved("tensor")) }},
			{Input: "tensor", Uses: "self", Of: func(c *Ctx) *Tensor { return c.Grad().Mul(c.Saved("self")) }},
		},
	},
	{
		Schema: "vdot(Tensor self, Tensor other) -> Tensor",
		Node:   "VdotBackward0", OutDType: dotDType, JVP: multilinear,
		Forward: func(a *Args) ([]*Tensor, error) { return a.dot(a.Self(), a.Tensor("other"), "dot") },
		VJP: []Formula{
			{Input: "self", Uses: "other", Of: func(c *Ctx) *Tensor { return c.Grad().Mul(c.Saved("other")) }},
			{Input: "other", Uses: "self", Of: func(c *Ctx) *Tensor { return c.Grad().Mul(c.Saved("self")) }},
		},
	},
	{
		Schema: "addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
		Node:   "AddrBackward0", InPlace: true, Attrs: "beta alpha", JVP: fusedTangent("vec1", "vec2"),
		Forward: addr,
		VJP: []Formula{
			{Input: "self", Of: addedGrad},
			{Input: "vec1", Uses: "vec2", Of: func(c *Ctx) *Tensor {
				return scaled(c.Grad().Mv(c.Saved("vec2")), c.Args().Scalar("alpha"))
			}},
			{Input: "vec2", Uses: "vec1", Of: func(c *Ctx) *Tensor {
				return scaled(c.Grad().T().Mv(c.Saved("vec1")), c.Args().Scalar("alpha"))
			}},
		},
	},
}

// A product describes the computation alpha·a·b + beta·c, where the result
// already holds c.
type product struct {
	alpha, beta Scalar
	// apart says that beta·c is always added to the finished sums, whatever the
	// layout.
	apart bool
}

// factors returns the arguments alpha and beta.
func (a *Args) factors() product {
	return product{alpha: a.Scalar("alpha"), beta: a.Scalar("beta")}
}

// startFrom makes the tensor for a result: a copy of t, broadcast to the given
// shape, unless beta is 0.
func (a *Args) startFrom(t *Tensor, sizes []int, beta Scalar) (*Tensor, error) {
	if a.inPlace && !sameSizes(t.sizes, sizes) {
		return nil, fail(RuntimeError, CodeShape, "Bad in-place call: input tensor size %s and output tensor size %s should match", shapeText(t.sizes), shapeText(sizes))
	}
	if _, _, err := expandStrides(t, sizes); err != nil {
		return nil, err
	}
	out := alloc(t.dtype, sizes)
	if beta.Float() != 0 {
		copyData(out, t)
	}
	return out, nil
}

// matrixProduct multiplies matrices, batches of matrices, or a matrix and a
// vector.
func (a *Args) matrixProduct(name string, out, x, y *Tensor, p product) ([]*Tensor, error) {
	switch classOf(out.dtype) {
	case f32Class:
		multiply[float32](out, x, y, p)
	case f64Class:
		multiply[float64](out, x, y, p)
	case i64Class:
		multiply[int64](out, x, y, p)
	default:
		return nil, undefined(name, out.dtype)
	}
	return a.One(rounded(out))
}

func multiply[T number](out, x, y *Tensor, p product) {
	factor := out.dtype
	if classOf(factor) == f32Class && len(y.sizes) > 1 {
		factor = Float32 // products of Float16 and BFloat16 matrices are rounded once, at the end
	}
	alpha, beta := fromScalar[T](p.alpha, factor), fromScalar[T](p.beta, factor)
	run := kernel.MatMul[T]
	if p.apart {
		run = kernel.MatMulApart[T]
	}
	if len(out.sizes) < 3 {
		if out.Numel() > 0 {
			run(matrixOf[T](out, 0), matrixOf[T](x, 0), matrixOf[T](y, 0), alpha, beta)
		}
		return
	}
	if out.Numel() == 0 {
		return
	}
	for i := range out.sizes[0] {
		run(matrixOf[T](out, i), matrixOf[T](x, i), matrixOf[T](y, i), alpha, beta)
	}
}

// matrixOf returns a matrix, the matrix of a batch with the given index, or a
// vector as a column.
func matrixOf[T element](t *Tensor, index int) kernel.Matrix[T] {
	sizes, strides, at := t.sizes, t.strides, t.offset
	if len(sizes) == 3 {
		at += index * strides[0]
		sizes, strides = sizes[1:], strides[1:]
	}
	m := kernel.Matrix[T]{Data: data[T](t.st)[at:], Rows: sizes[0], RowStep: strides[0], Cols: 1, ColStep: 1}
	if len(sizes) == 2 {
		m.Cols, m.ColStep = sizes[1], strides[1]
	}
	return m
}

// allocMatrix makes a matrix of zeros.
func allocMatrix(d DType, rows, cols int) *Tensor {
	shape := &[4]int{rows, cols, max(cols, 1), 1}
	return allocStrided(d, shape[:2:2], shape[2:])
}

func notMultipliable(x, y *Tensor) *Error {
	return fail(RuntimeError, CodeShape, "mat1 and mat2 shapes cannot be multiplied (%dx%d and %dx%d)", x.sizes[0], x.sizes[1], y.sizes[0], y.sizes[1])
}

func checkAddmm(t, x, y *Tensor) error {
	switch {
	case t.dtype != y.dtype:
		return fail(RuntimeError, CodeDType, "self and mat2 must have the same dtype, but got %s and %s", scalarTypeName(t.dtype), scalarTypeName(y.dtype))
	case x.dtype != y.dtype:
		return fail(RuntimeError, CodeDType, "mat1 and mat2 must have the same dtype, but got %s and %s", scalarTypeName(x.dtype), scalarTypeName(y.dtype))
	case len(x.sizes) != 2:
		return fail(RuntimeError, CodeShape, "mat1 must be a matrix, got %d-D tensor", len(x.sizes))
	case len(y.sizes) != 2:
		return fail(RuntimeError, CodeShape, "mat2 must be a matrix, got %d-D tensor", len(y.sizes))
	case x.sizes[1] != y.sizes[0]:
		return notMultipliable(x, y)
	}
	return nil
}

func checkAddmv(t, x, v *Tensor) error {
	switch {
	case len(x.sizes) != 2 || len(v.sizes) != 1 || len(t.sizes) > 1:
		return fail(RuntimeError, CodeShape, "vector + matrix @ vector expected, got %d, %d, %d", len(t.sizes), len(x.sizes), len(v.sizes))
	case x.sizes[1] == v.sizes[0] && (t.Numel() == x.sizes[0] || t.Numel() == 1):
	case len(t.sizes) == 0:
		return fail(IndexError, CodeIndex, "Dimension specified as 0 but tensor has no dimensions")
	default:
		return fail(RuntimeError, CodeShape, "size mismatch, got input (%d), mat (%dx%d), vec (%d)", t.sizes[0], x.sizes[0], x.sizes[1], v.sizes[0])
	}
	if x.dtype != v.dtype {
		return wantScalarType(x.dtype, v.dtype)
	}
	return nil
}

// wantScalarType returns PyTorch's error for a tensor of the wrong dtype.
func wantScalarType(want, got DType) *Error {
	return fail(RuntimeError, CodeDType, "expected scalar type %s but found %s", scalarTypeName(want), scalarTypeName(got))
}

// dot computes the dot product of two vectors.
func (a *Args) dot(x, y *Tensor, name string) ([]*Tensor, error) {
	switch {
	case len(x.sizes) != 1 || len(y.sizes) != 1:
		return nil, fail(RuntimeError, CodeShape, "1D tensors expected, but got %dD and %dD tensors", len(x.sizes), len(y.sizes))
	case x.dtype != y.dtype:
		return nil, fail(RuntimeError, CodeDType, "dot : expected both vectors to have same dtype, but found %s and %s", scalarTypeName(x.dtype), scalarTypeName(y.dtype))
	case x.sizes[0] != y.sizes[0]:
		return nil, fail(RuntimeError, CodeShape, "inconsistent tensor size, expected tensor [%d] and src [%d] to have the same number of elements, but got %d and %d elements respectively", x.sizes[0], y.sizes[0], x.sizes[0], y.sizes[0])
	}
	out := alloc(x.dtype, nil)
	switch classOf(x.dtype) {
	case f32Class:
		dotInto[float32](out, x, y)
	case f64Class:
		dotInto[float64](out, x, y)
	case i64Class:
		dotInto[int64](out, x, y)
	default:
		return nil, undefined(name, x.dtype)
	}
	return a.One(rounded(out))
}

func dotInto[T number](out, x, y *Tensor) {
	n := x.sizes[0]
	if n > 0 {
		data[T](out.st)[0] = kernel.Dot(data[T](x.st)[x.offset:], data[T](y.st)[y.offset:], x.strides[0], y.strides[0], n)
	}
}

// addr adds the outer product of two vectors to a matrix.
func addr(a *Args) ([]*Tensor, error) {
	t, x, y := a.Self(), a.Tensor("vec1"), a.Tensor("vec2")
	switch {
	case len(x.sizes) != 1:
		return nil, fail(RuntimeError, CodeShape, "addr: Expected 1-D argument vec1, but got %d-D", len(x.sizes))
	case len(y.sizes) != 1:
		return nil, fail(RuntimeError, CodeShape, "addr: Expected 1-D argument vec2, but got %d-D", len(y.sizes))
	case a.inPlace && len(t.sizes) != 2:
		return nil, fail(RuntimeError, CodeShape, "2D tensor expected, got %dD tensor for input", len(t.sizes))
	}
	sizes := []int{x.sizes[0], y.sizes[0]}
	if a.inPlace && !sameSizes(t.sizes, sizes) {
		return nil, fail(RuntimeError, CodeShape, "size mismatch, input: %s, v1: %s, v2: %s", shapeText(t.sizes), shapeText(x.sizes), shapeText(y.sizes))
	}
	if _, _, err := expandStrides(t, sizes); err != nil {
		return nil, err
	}
	d, p := resultType(t, x, y), a.factors()
	for _, factor := range []struct {
		name  string
		value Scalar
	}{{"beta", p.beta}, {"alpha", p.alpha}} {
		switch {
		case factor.value.IsBool() && d != Bool:
			return nil, fail(RuntimeError, CodeArgument, "Boolean %s only supported for Boolean results.", factor.name)
		case factor.value.IsFloat() && !d.IsFloat():
			return nil, fail(RuntimeError, CodeArgument, "For integral input tensors, argument %s must not be a floating point number.", factor.name)
		}
	}
	column := *x
	column.sizes, column.strides = []int{x.sizes[0], 1}, []int{x.strides[0], 1}
	if d == Bool {
		p.alpha, p.beta = IntScalar(p.alpha.truth()), IntScalar(p.beta.truth())
		outs, err := a.ternary(t, &column, y, Int64, addrKernel(p))
		if err != nil {
			return nil, err
		}
		return a.One(copied(outs[0], Bool))
	}
	return a.ternary(t, &column, y, d, addrKernel(p))
}

// truth returns 1 for a non-zero number, otherwise 0.
func (s Scalar) truth() int64 {
	if s.Bool() {
		return 1
	}
	return 0
}

func addrKernel(p product) *ternaryKernel {
	alpha, beta, alpha32, beta32 := p.alpha.Float(), p.beta.Float(), float32(p.alpha.Float()), float32(p.beta.Float())
	return &ternaryKernel{
		name: "addr",
		f32: func(d, a, b, c []float32, sa, sb, sc int) {
			kernel.Map3(d, a, b, c, sa, sb, sc, func(t, x, y float32) float32 {
				if beta32 == 0 {
					return alpha32 * x * y
				}
				return fma32(beta32, t, alpha32*x*y)
			})
		},
		f64: func(d, a, b, c []float64, sa, sb, sc int) {
			kernel.Map3(d, a, b, c, sa, sb, sc, func(t, x, y float64) float64 {
				if beta == 0 {
					return alpha * x * y
				}
				return math.FMA(beta, t, alpha*x*y)
			})
		},
		i64: func(d, a, b, c []int64, sa, sb, sc int) {
			kernel.Map3(d, a, b, c, sa, sb, sc, func(t, x, y int64) int64 { return p.beta.Int()*t + p.alpha.Int()*x*y })
		},
	}
}

// addedGrad returns the gradient of the tensor to which a product is added.
func addedGrad(c *Ctx) *Tensor { return scaled(c.Grad(), c.Args().Scalar("beta")) }

// leftGrad is mm_mat1_backward: it returns the gradient of the left matrix of a
// product.
func leftGrad(c *Ctx, name string, right *Tensor, alpha Scalar) *Tensor {
	if c.columnMajor(name) {
		return scaled(right.Mm(turned(c.Grad())).T(), alpha)
	}
	return scaled(c.Grad().Mm(turned(right)), alpha)
}

// rightGrad is mm_mat2_backward: it returns the gradient of the right matrix of
// a product.
func rightGrad(c *Ctx, name string, left *Tensor, alpha Scalar) *Tensor {
	if c.columnMajor(name) {
		return scaled(turned(c.Grad()).Mm(left).T(), alpha)
	}
	return scaled(turned(left).Mm(c.Grad()), alpha)
}

// turned is t.T() for an operand of a product. If no one observes which
// operators run, it is not a view for autograd and leaves no trace after the
// product.
func turned(t *Tensor) *Tensor {
	if t == nil || t.err != nil || len(t.sizes) != 2 || !unobserved() {
		return t.T()
	}
	m := &struct {
		Tensor
		shape [4]int
	}{Tensor: *t, shape: [4]int{t.sizes[1], t.sizes[0], t.strides[1], t.strides[0]}}
	v := &m.Tensor
	v.sizes, v.strides = m.shape[:2:2], m.shape[2:]
	v.flags &= inferenceFlag
	if isContiguous(v.sizes, v.strides) {
		v.flags |= contiguousFlag
	}
	v.gradFn, v.grad, v.ext, v.gen, v.refs = nil, nil, nil, 0, 0
	return v
}

// columnMajor reports whether an operand was a matrix with contiguous columns.
// Its gradient gets the same layout.
func (c *Ctx) columnMajor(name string) bool {
	f := c.node.args.fact(c.node.op.param(name))
	return f.strides[0] == 1 && f.strides[1] == f.sizes[0]
}

// fusedTangent returns the JVP of beta·self + alpha·(x product y).
func fusedTangent(x, y string) JVP {
	return func(c *JCtx) ([]*Tensor, error) {
		var sum *Tensor
		for _, name := range []string{x, y} {
			d := c.Tangent(name)
			if d == nil {
				continue
			}
			term, err := c.with(func(param int, t *Tensor) *Tensor {
				switch c.op.schema.Params[param].Name {
				case name:
					return d
				case "self":
					return zeroLike(t)
				}
				return t
			})
			if err != nil {
				return nil, err
			}
			if sum == nil {
				sum = term[0]
			} else {
				sum = sum.Add(term[0])
			}
		}
		d := c.Tangent("self")
		switch {
		case d == nil:
		case sum == nil:
			sum = scaled(d, c.args.Scalar("beta")).Expand(c.outs[0].sizes)
		default:
			sum = sum.Add(scaled(d, c.args.Scalar("beta")))
		}
		return []*Tensor{sum}, nil
	}
}
