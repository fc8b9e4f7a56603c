package autograd

import (
	"math"
	"slices"
)

// This file computes Jacobians for GradCheck in three ways: numerically, by
// backward mode and by forward mode.

// A jacobian has a row for each element of an input and a column for each
// element of an output.
type jacobian struct {
	values  []float64
	columns int
}

func newJacobian(in, out *Tensor) jacobian {
	n := out.Numel()
	return jacobian{make([]float64, in.Numel()*n), n}
}

// jacobians holds the Jacobian of each differentiable output (first index) with
// respect to each input that requires grad.
type jacobians [][]jacobian

func (c *gradCheck) newJacobians() jacobians {
	all := make(jacobians, len(c.roots))
	for i, root := range c.roots {
		for _, in := range c.wrt {
			all[i] = append(all[i], newJacobian(in, c.outs[root]))
		}
	}
	return all
}

// numerical perturbs each element of the inputs in both directions. It returns
// the Jacobians of the differentiable outputs, or of all outputs if none is
// differentiable.
func (c *gradCheck) numerical() (jacobians, error) {
	roots := c.roots
	if len(roots) == 0 {
		for i := range c.outs {
			roots = append(roots, i)
		}
		defer func() { c.roots = nil }()
		c.roots = roots
	}
	all := c.newJacobians()
	for j, in := range c.wrt {
		for k := range in.Numel() {
			lower, err := c.moved(in, k, -c.Eps)
			if err != nil {
				return nil, err
			}
			upper, err := c.moved(in, k, c.Eps)
			if err != nil {
				return nil, err
			}
			for i, root := range roots {
				jac := &all[i][j]
				for m := range jac.columns {
					jac.values[k*jac.columns+m] = (upper[root][m] - lower[root][m]) / (2 * c.Eps)
				}
			}
		}
	}
	return all, nil
}

// moved evaluates fn with element k of an input moved by a distance.
func (c *gradCheck) moved(in *Tensor, k int, by float64) ([][]float64, error) {
	before := in.element(in.at(k))
	c.write(in, k, FloatScalar(before.Float()+by))
	defer c.write(in, k, before)
	outs, err := c.eval(c.inputs)
	if err != nil {
		return nil, err
	}
	if len(outs) != len(c.outs) {
		return nil, fail(AssertionError, CodeGradcheck, "Expected `func` to return the same number of outputs when inputs are perturbed by %g, but got: %d and %d.", c.Eps, len(c.outs), len(outs))
	}
	values := make([][]float64, len(outs))
	for i, t := range outs {
		if !sameSizes(t.sizes, c.outs[i].sizes) {
			return nil, fail(AssertionError, CodeGradcheck, "Expected `func` to return outputs with the same shape when inputs are perturbed by %g, but got: shapes torch.Size(%s) and torch.Size(%s).", c.Eps, shapeText(c.outs[i].sizes), shapeText(t.sizes))
		}
		values[i] = t.Float64s()
	}
	return values, nil
}

// write changes an element through .data: autograd does not notice the change,
// but the tape does.
func (c *gradCheck) write(in *Tensor, k int, x Scalar) {
	data := in.Data()
	from := data.version.v
	data.setElement(data.at(k), x)
	data.bump()
	recordMutated(data, from)
}

// checkConstant checks that a function whose outputs do not require grad is
// locally constant.
func (c *gradCheck) checkConstant(numerical jacobians) error {
	for _, row := range numerical {
		for _, j := range row {
			if slices.ContainsFunc(j.values, func(x float64) bool { return x != 0 }) {
				return fail(GradcheckError, CodeGradcheck, "Numerical gradient for function expected to be zero")
			}
		}
	}
	return nil
}

// checkBackward computes the Jacobians of each output, twice.
func (c *gradCheck) checkBackward(numerical jacobians) error {
	for i, root := range c.roots {
		out := c.outs[root].Clone()
		analytical, err := c.backward(out)
		if err != nil {
			return err
		}
		again, err := c.backward(out)
		if err != nil {
			return err
		}
		for j := range analytical {
			if !slices.EqualFunc(analytical[j].values, again[j].values, sameFloat) {
				return fail(GradcheckError, CodeGradcheck, "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives different values, although analytical gradient matches numerical gradient.The tolerance for nondeterminism was 0.0.")
			}
		}
		if err := c.compare("", i, analytical, numerical[i]); err != nil {
			return err
		}
	}
	return nil
}

func sameFloat(a, b float64) bool { return a == b || a != a && b != b }

// backward computes the Jacobians of an output column by column.
func (c *gradCheck) backward(out *Tensor) ([]jacobian, error) {
	all := make([]jacobian, len(c.wrt))
	for j, in := range c.wrt {
		all[j] = newJacobian(in, out)
	}
	for m := range out.Numel() {
		columns, err := c.column(out, m)
		if err != nil {
			return nil, err
		}
		for j := range all {
			for k, x := range columns[j] {
				all[j].values[k*all[j].columns+m] = x
			}
		}
	}
	return all, nil
}

// column returns the gradient of one element of an output with respect to each
// input.
func (c *gradCheck) column(out *Tensor, element int) ([][]float64, error) {
	grads, err := Grad(out.alone(), c.wrt, GradOutputs(unitLike(out, element)), RetainGraph, AllowUnused)
	if err != nil {
		return nil, err
	}
	columns := make([][]float64, len(grads))
	for j, g := range grads {
		switch {
		case g == nil:
			columns[j] = make([]float64, c.wrt[j].Numel())
		case !sameSizes(g.sizes, c.wrt[j].sizes):
			return nil, fail(GradcheckError, CodeGradcheck, "Analytical gradient has incorrect size")
		default:
			columns[j] = g.Float64s()
		}
	}
	return columns, nil
}

func unitLike(t *Tensor, element int) *Tensor {
	x := alloc(t.dtype, t.sizes)
	x.setElement(element, FloatScalar(1))
	return x
}

// checkForward computes the Jacobians by forward mode, row by row.
func (c *gradCheck) checkForward(numerical jacobians) error {
	analytical := c.newJacobians()
	for j, in := range c.wrt {
		for k := range in.Numel() {
			tangents, err := c.tangents(j, k)
			if err != nil {
				return err
			}
			for i := range c.roots {
				jac := &analytical[i][j]
				copy(jac.values[k*jac.columns:], tangents[i])
			}
		}
	}
	for i := range c.roots {
		if err := c.compare("computed with forward mode ", i, analytical[i], numerical[i]); err != nil {
			return err
		}
	}
	return nil
}

// tangents returns the tangents of the differentiable outputs when the tangent
// of one element of an input is one and all others are zero.
func (c *gradCheck) tangents(input, element int) (values [][]float64, err error) {
	err = DualLevel(func() error {
		duals := slices.Clone(c.inputs)
		for i, t := range duals {
			if !t.requiresGrad() {
				continue
			}
			d := filled(t.sizes, t.dtype, 0)
			if t == c.wrt[input] {
				d = unitLike(t, element)
			}
			duals[i] = MakeDual(t.Detach(), d)
		}
		outs, err := c.eval(duals)
		if err != nil {
			return err
		}
		for _, root := range c.roots {
			_, d := UnpackDual(outs[root])
			if d == nil {
				d = filled(outs[root].sizes, outs[root].dtype, 0)
			}
			values = append(values, d.Float64s())
		}
		return nil
	})
	return values, err
}

// compare compares the Jacobians of output i.
func (c *gradCheck) compare(how string, i int, analytical, numerical []jacobian) error {
	for j, a := range analytical {
		if n := numerical[j]; !c.agree(a, n) {
			return fail(GradcheckError, CodeGradcheck, "Jacobian %smismatch for output %d with respect to input %d,\nnumerical:%s\nanalytical:%s\n", how, i, j, n, a)
		}
	}
	return nil
}

func (c *gradCheck) agree(analytical, numerical jacobian) bool {
	for k, n := range numerical.values {
		if a := analytical.values[k]; !(math.Abs(a-n) <= c.ATol+c.RTol*math.Abs(n)) {
			return false
		}
	}
	return true
}

// String prints the matrix as PyTorch prints a tensor.
func (j jacobian) String() string {
	rows := 0
	if j.columns > 0 {
		rows = len(j.values) / j.columns
	}
	return FromFloat64s(slices.Clone(j.values), rows, j.columns).String()
}
