package autograd

import (
	"fmt"
	"math"
	"slices"
)

// GradcheckError is the class of errors about a derivative that is wrong: that
// of torch.autograd.gradcheck, a RuntimeError.
const GradcheckError ErrorType = "GradcheckError"

// CodeGradcheck is the code of these errors.
const CodeGradcheck Code = "gradcheck"

// GradCheckOptions are the options of GradCheck and GradGradCheck. The zero
// value stands for the defaults of torch.autograd.gradcheck.
type GradCheckOptions struct {
	Eps  float64 // by how much an element is moved to either side; 0: 1e-6
	ATol float64 // a difference that is always allowed; 0: 1e-5
	RTol float64 // one relative to the numerical derivative; 0: 1e-3

	Forward       bool // check forward mode too
	SkipBackward  bool // check nothing else
	SkipUndefined bool // do not check that backward takes undefined gradients
}

// A gradCheck is one check of a function at one point.
type gradCheck struct {
	GradCheckOptions
	fn     func(in []*Tensor) []*Tensor
	inputs []*Tensor
	wrt    []*Tensor // the inputs that require grad
	outs   []*Tensor // what fn returned for the inputs
	roots  []int     // those of outs that require grad
}

// GradCheck compares the derivatives of fn at the inputs that require grad with
// central finite differences, as torch.autograd.gradcheck does in its slow mode.
// The inputs should be float64 and must not share memory; they are changed for a
// moment while fn runs. The error is nil if everything agrees.
func GradCheck(fn func(in []*Tensor) []*Tensor, inputs []*Tensor, o GradCheckOptions) error {
	return noted(gradcheck(fn, inputs, o), "gradcheck")
}

// GradGradCheck does for the gradients of fn what GradCheck does for fn: it
// checks second derivatives, as torch.autograd.gradgradcheck. The gradients are
// taken for gradOutputs, one for each output that requires grad; nil stands for
// random ones. With Forward, forward mode over backward is checked too.
func GradGradCheck(fn func(in []*Tensor) []*Tensor, inputs, gradOutputs []*Tensor, o GradCheckOptions) error {
	return noted(gradgradcheck(fn, inputs, gradOutputs, o), "gradgradcheck")
}

func gradcheck(fn func(in []*Tensor) []*Tensor, inputs []*Tensor, o GradCheckOptions) error {
	c := &gradCheck{GradCheckOptions: o, fn: fn, inputs: inputs}
	for _, d := range []struct {
		value *float64
		usual float64
	}{{&c.Eps, 1e-6}, {&c.ATol, 1e-5}, {&c.RTol, 1e-3}} {
		if *d.value == 0 {
			*d.value = d.usual
		}
	}
	if err := c.checkInputs(); err != nil {
		return err
	}
	var err error
	if c.outs, err = c.eval(inputs); err != nil {
		return err
	}
	for i, t := range c.outs {
		if t.requiresGrad() {
			c.roots = append(c.roots, i)
		}
	}
	numerical, err := c.numerical()
	if err != nil {
		return err
	}
	if len(c.roots) == 0 {
		return c.checkConstant(numerical)
	}
	if !c.SkipBackward {
		if err := c.checkBackward(numerical); err != nil {
			return err
		}
	}
	if c.Forward {
		if err := c.checkForward(numerical); err != nil {
			return err
		}
	}
	if c.SkipBackward {
		return nil
	}
	if err := c.checkZeros(); err != nil || c.SkipUndefined {
		return err
	}
	return c.checkUndefined()
}

func (c *gradCheck) checkInputs() error {
	if c.fn == nil {
		return fail(TypeError, CodeArgument, "gradcheck(): 'NoneType' object is not callable")
	}
	for i, t := range c.inputs {
		if err := t.usable("requires_grad"); err != nil {
			return err
		}
		if !t.requiresGrad() {
			continue
		}
		if t.dtype != Float64 {
			warn("UserWarning", fmt.Sprintf("Input #%d requires gradient and is not a double precision floating point or complex. This check will likely fail if all the inputs are not of double precision floating point or complex. ", i))
		}
		for d, n := range t.sizes {
			if n > 1 && t.strides[d] <= 0 {
				return fail(RuntimeError, CodeOverlap, "The %dth input has a dimension with stride 0. gradcheck only supports inputs that are non-overlapping to be able to compute the numerical gradients correctly. You should call .contiguous on the input before passing it to gradcheck.", i)
			}
		}
		c.wrt = append(c.wrt, t)
	}
	if len(c.wrt) == 0 {
		return fail(ValueError, CodeNoGrad, "gradcheck expects at least one input tensor to require gradient, but none of the them have requires_grad=True.")
	}
	return nil
}

// eval calls fn; a failure may travel in any of its results.
func (c *gradCheck) eval(in []*Tensor) ([]*Tensor, error) {
	outs := c.fn(slices.Clone(in))
	for _, t := range outs {
		if err := t.usable("requires_grad"); err != nil {
			return nil, err
		}
	}
	return outs, nil
}

// A jacobian has a row for each element of an input and a column for each of an
// output.
type jacobian struct {
	values  []float64
	columns int
}

func newJacobian(in, out *Tensor) jacobian {
	n := out.Numel()
	return jacobian{make([]float64, in.Numel()*n), n}
}

// jacobians are those of each differentiable output (first index) with respect
// to each input that requires grad.
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

// numerical moves each element of the inputs to either side. Without
// differentiable outputs, it returns the Jacobians of all outputs.
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

// moved evaluates fn with element k of an input moved.
func (c *gradCheck) moved(in *Tensor, k int, by float64) ([][]float64, error) {
	p := in.at(k)
	before := in.element(p)
	in.setElement(p, FloatScalar(before.Float()+by))
	defer in.setElement(p, before)
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

// checkConstant wants a function whose outputs do not require grad to be locally
// constant.
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

// checkBackward computes the Jacobians column by column, each twice.
func (c *gradCheck) checkBackward(numerical jacobians) error {
	analytical := c.newJacobians()
	for i, root := range c.roots {
		out := c.outs[root].Clone()
		for m := range out.Numel() {
			first, err := c.column(out, m)
			if err != nil {
				return err
			}
			second, err := c.column(out, m)
			if err != nil {
				return err
			}
			for j := range c.wrt {
				if !slices.EqualFunc(first[j], second[j], sameFloat) {
					return fail(GradcheckError, CodeGradcheck, "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives different values, although analytical gradient matches numerical gradient.The tolerance for nondeterminism was 0.0.")
				}
				jac := &analytical[i][j]
				for k, x := range first[j] {
					jac.values[k*jac.columns+m] = x
				}
			}
		}
	}
	return c.compare("", analytical, numerical)
}

func sameFloat(a, b float64) bool { return a == b || a != a && b != b }

// column is the gradient of one element of an output with respect to each input.
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

// checkForward computes the Jacobians row by row.
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
	return c.compare("computed with forward mode ", analytical, numerical)
}

// tangents are those of the differentiable outputs when the tangent of one
// element of an input is one and all others are zero.
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

func (c *gradCheck) compare(how string, analytical, numerical jacobians) error {
	for i := range c.roots {
		for j := range c.wrt {
			a, n := analytical[i][j], numerical[i][j]
			if !c.agree(a, n) {
				return fail(GradcheckError, CodeGradcheck, "Jacobian %smismatch for output %d with respect to input %d,\nnumerical:%s\nanalytical:%s\n", how, i, j, n, a)
			}
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

// checkZeros sends zeros through backward: zeros must come out.
func (c *gradCheck) checkZeros() error {
	outs, zeros := c.zeros(c.outs)
	grads, err := Grad(outs, c.wrt, GradOutputs(zeros...), RetainGraph, AllowUnused)
	if err != nil {
		return err
	}
	for j, g := range grads {
		switch {
		case g == nil:
		case !allZero(g):
			return fail(GradcheckError, CodeGradcheck, "backward not multiplied by grad_output")
		case g.dtype != c.wrt[j].dtype:
			return fail(GradcheckError, CodeGradcheck, "grad is incorrect type")
		case !sameSizes(g.sizes, c.wrt[j].sizes):
			return fail(GradcheckError, CodeGradcheck, "grad is incorrect size")
		}
	}
	return nil
}

// zeros returns the differentiable ones of fn's outputs, and zeros like them.
func (c *gradCheck) zeros(all []*Tensor) (outs, zeros []*Tensor) {
	for _, root := range c.roots {
		outs = append(outs, all[root])
		zeros = append(zeros, filled(all[root].sizes, all[root].dtype, 0))
	}
	return outs, zeros
}

func allZero(t *Tensor) bool {
	return !slices.ContainsFunc(t.Float64s(), func(x float64) bool { return x != 0 })
}

// undefinedGrad is the identity whose gradient is undefined.
var undefinedGrad = &Function{
	Name:     "UndefinedGrad",
	Forward:  func(_ *FunctionCtx, in []*Tensor) ([]*Tensor, error) { return in[0].Clone().alone(), nil },
	Backward: func(*FunctionCtx, []*Tensor) ([]*Tensor, error) { return []*Tensor{nil}, nil },
}

// checkUndefined lets the gradients of all outputs be undefined, then that of
// one output while the others are zero.
func (c *gradCheck) checkUndefined() error {
	for one := -1; one < len(c.roots) && (one < 0 || len(c.roots) > 1); one++ {
		all, err := c.eval(c.inputs)
		if err != nil {
			return err
		}
		outs, zeros := c.zeros(all)
		for i := range outs {
			if one < 0 || one == i {
				outs[i] = undefinedGrad.Call(outs[i])
			}
		}
		grads, err := Grad(outs, c.wrt, GradOutputs(zeros...), AllowUnused)
		if err != nil {
			e := fail(GradcheckError, CodeGradcheck, "Expected backward function to handle undefined output grads. Please look at \"Notes about undefined output gradients\" in \"tools/autograd/derivatives.yaml\"")
			e.cause = err
			return e
		}
		for _, g := range grads {
			if g != nil && !allZero(g) {
				return fail(GradcheckError, CodeGradcheck, "Expected all input grads to be undefined or zero when all output grads are undefined or zero. Please look at \"Notes about undefined output gradients\" in \"tools/autograd/derivatives.yaml\"")
			}
		}
	}
	return nil
}

func gradgradcheck(fn func(in []*Tensor) []*Tensor, inputs, gradOutputs []*Tensor, o GradCheckOptions) error {
	c := &gradCheck{GradCheckOptions: o, fn: fn, inputs: inputs}
	if err := c.checkInputs(); err != nil {
		return err
	}
	if gradOutputs == nil {
		outs, err := c.eval(inputs)
		if err != nil {
			return err
		}
		for _, t := range differentiableOf(outs) {
			g := alloc(t.dtype, t.sizes)
			if err := g.Uniform_(Kw("from", -1.0)); err != nil {
				return err
			}
			gradOutputs = append(gradOutputs, g.RequiresGrad_(true))
		}
	}
	all := append(slices.Clone(inputs), gradOutputs...)
	for _, t := range all {
		if err := t.usable("requires_grad"); err != nil {
			return err
		}
	}
	requires := make([]bool, len(all)) // forward mode takes it away
	for i, t := range all {
		requires[i] = t.requiresGrad()
	}
	return gradcheck(func(in []*Tensor) []*Tensor {
		var wrt []*Tensor
		for i, t := range in {
			if requires[i] {
				in[i] = t.RequiresGrad_(true)
				if i < len(inputs) {
					wrt = append(wrt, in[i])
				}
			}
		}
		outs, err := c.eval(in[:len(inputs)])
		if err != nil {
			return errTensor(err).alone()
		}
		grads, err := Grad(differentiableOf(outs), wrt, GradOutputs(in[len(inputs):]...), CreateGraph, AllowUnused)
		if err != nil {
			return errTensor(err).alone()
		}
		return slices.DeleteFunc(grads, func(g *Tensor) bool { return g == nil })
	}, all, o)
}

func differentiableOf(outs []*Tensor) []*Tensor {
	return slices.DeleteFunc(slices.Clone(outs), func(t *Tensor) bool { return !t.requiresGrad() })
}
