package autograd

import (
	"fmt"
	"slices"
)

// GradcheckError is the exception class for wrong derivatives: the error of
// torch.autograd.gradcheck, a RuntimeError.
const GradcheckError ErrorType = "GradcheckError"

// CodeGradcheck is the code of a GradcheckError.
const CodeGradcheck Code = "gradcheck"

// GradCheckOptions are the options of GradCheck and GradGradCheck. Zero values
// mean the defaults of torch.autograd.gradcheck.
type GradCheckOptions struct {
	Eps  float64 // perturbation of an element in each direction; 0: 1e-6
	ATol float64 // absolute tolerance; 0: 1e-5
	RTol float64 // tolerance relative to the numerical derivative; 0: 1e-3

	Forward       bool // also check forward mode
	SkipBackward  bool // check forward mode only
	SkipUndefined bool // do not check that backward accepts undefined gradients
}

// A gradCheck checks a function at one point.
type gradCheck struct {
	GradCheckOptions
	fn     func(in []*Tensor) []*Tensor
	inputs []*Tensor
	wrt    []*Tensor // the inputs that require grad
	outs   []*Tensor // the results of fn for the inputs
	roots  []int     // indices of the outs that require grad
}

// GradCheck compares the derivatives of fn with central finite differences, for
// the inputs that require grad, as torch.autograd.gradcheck does in its slow
// mode. The inputs should be float64 and must not share memory; they are
// perturbed while fn runs. GradCheck returns nil if everything agrees, and an
// error of type [GradcheckError] if a derivative is wrong.
func GradCheck(fn func(in []*Tensor) []*Tensor, inputs []*Tensor, o GradCheckOptions) error {
	return noted(gradcheck(fn, inputs, o), "gradcheck")
}

// GradGradCheck checks second derivatives, as torch.autograd.gradgradcheck
// does: it runs GradCheck on the gradients of fn. gradOutputs are the gradients
// to start from, one for each output that requires grad; nil means random ones.
// With Forward, forward mode over backward is checked as well.
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

// eval calls fn. Any of its results may carry an error.
func (c *gradCheck) eval(in []*Tensor) ([]*Tensor, error) {
	outs := c.fn(slices.Clone(in))
	for _, t := range outs {
		if err := t.usable("requires_grad"); err != nil {
			return nil, err
		}
	}
	return outs, nil
}

// checkZeros checks that backward returns zeros for zeros.
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

// zeros returns the differentiable outputs of fn, and zeros like them.
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

// undefinedGrad is the identity with an undefined gradient.
var undefinedGrad = &Function{
	Name:     "UndefinedGrad",
	Forward:  func(_ *FunctionCtx, in []*Tensor) ([]*Tensor, error) { return in[0].Clone().alone(), nil },
	Backward: func(*FunctionCtx, []*Tensor) ([]*Tensor, error) { return []*Tensor{nil}, nil },
}

// Additional texts of PyTorch about undefined gradients.
const (
	undefinedWarning = "Backwards compatibility: New undefined gradient support checking feature is enabled by default, but it may break existing callers of this function. If this is true for you, you can call this function with \"check_undefined_grad=False\" to disable the feature"
	undefinedNotes   = `Please look at "Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"`
)

// checkUndefined checks backward with undefined gradients for all outputs, then
// for one output at a time while the others are zero.
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
			warn("UserWarning", undefinedWarning)
			return fail(GradcheckError, CodeGradcheck, "Expected backward function to handle undefined output grads. %s", undefinedNotes)
		}
		for _, g := range grads {
			if g != nil && !allZero(g) {
				warn("UserWarning", undefinedWarning)
				return fail(GradcheckError, CodeGradcheck, "Expected all input grads to be undefined or zero when all output grads are undefined or zero. %s", undefinedNotes)
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
	requires := make([]bool, len(all)) // forward mode clears it
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
