package autograd

import (
	"github.com/gradtui/gradtui/autograd/internal/repr"
)

// Options of Backward, BackwardAll and Grad.
var (
	// RetainGraph keeps the saved tensors, so that backward can run again.
	RetainGraph = Kw("retain_graph", true)
	// CreateGraph records the backward pass itself, for higher derivatives.
	CreateGraph = Kw("create_graph", true)
	// AllowUnused makes Grad return nil for inputs that the outputs do not
	// depend on.
	AllowUnused = Kw("allow_unused", true)
	// MaterializeGrads makes Grad return zeros for such inputs.
	MaterializeGrads = Kw("materialize_grads", true)
)

// Gradient is the gradient to start from, for a root that is no scalar.
func Gradient(g *Tensor) Option { return Kw("gradient", g) }

// Inputs are the tensors whose .grad Backward fills; other leaves are left
// alone.
func Inputs(ts ...*Tensor) Option { return Kw("inputs", ts) }

// GradOutputs are the gradients that Grad starts from.
func GradOutputs(gs ...*Tensor) Option { return Kw("grad_outputs", gs) }

type backwardOptions struct {
	retain, create           bool
	allowUnused, materialize bool
	gradient                 *Tensor
	hasInputs                bool
	inputs, gradOutputs      []*Tensor
}

func parseBackward(function string, opts []Option) (o backwardOptions, err error) {
	retain := false
	for _, opt := range opts {
		ok := true
		switch opt.Name {
		case "retain_graph":
			if opt.Value == nil {
				break
			}
			retain = true
			o.retain, ok = opt.Value.(bool)
		case "create_graph":
			o.create, ok = opt.Value.(bool)
		case "allow_unused":
			o.allowUnused, ok = opt.Value.(bool)
		case "materialize_grads":
			o.materialize, ok = opt.Value.(bool)
		case "gradient":
			if !isNone(opt.Value) {
				o.gradient, ok = opt.Value.(*Tensor)
			}
		case "inputs":
			o.hasInputs = true
			o.inputs, ok = opt.Value.([]*Tensor)
		case "grad_outputs":
			o.gradOutputs, ok = opt.Value.([]*Tensor)
		default:
			return o, fail(TypeError, CodeArgument, "%s() got an unexpected keyword argument '%s'", function, opt.Name)
		}
		if !ok {
			return o, fail(TypeError, CodeArgument, "%s(): argument '%s' cannot be %s", function, opt.Name, pythonTypeOf(opt.Value))
		}
	}
	if !retain {
		o.retain = o.create
	}
	if o.materialize {
		o.allowUnused = true
	}
	return o, nil
}

// Backward computes the gradients of the tensor with respect to the leaves that
// it depends on and adds them to their .grad. A tensor with more than one
// element needs the option Gradient.
func (t *Tensor) Backward(opts ...Option) error {
	if err := t.usable("backward"); err != nil {
		return err
	}
	o, err := parseBackward("backward", opts)
	if err != nil {
		return noted(err, "backward")
	}
	return noted(backward([]*Tensor{t}, []*Tensor{o.gradient}, o), "backward")
}

// BackwardAll is torch.autograd.backward: Backward from several roots at once.
// grads may be nil or hold nil for roots of one element.
func BackwardAll(roots, grads []*Tensor, opts ...Option) error {
	o, err := parseBackward("backward", opts)
	if err == nil && grads == nil {
		grads = make([]*Tensor, len(roots))
	}
	if err == nil && len(grads) != len(roots) {
		err = fail(RuntimeError, CodeArgument, "got %d tensors and %d gradients", len(roots), len(grads))
	}
	if err == nil {
		err = backward(roots, grads, o)
	}
	return noted(err, "backward")
}

// noted records an error on the tape and makes sure that a nil *Error does not
// become a non-nil error.
func noted(err error, op string) error {
	if err == nil {
		return nil
	}
	e := asError(err)
	if e.Op == "" {
		e.Op = op
		recordError(e)
	}
	return e
}

func backward(roots, grads []*Tensor, o backwardOptions) error {
	if recorder != nil {
		recorder.enter()
		defer recorder.leave()
	}
	if o.hasInputs && len(o.inputs) == 0 {
		return fail(RuntimeError, CodeArgument, "`inputs` argument to `backward()` cannot be empty.")
	}
	grads, err := rootGrads(roots, grads, o.create)
	if err != nil {
		return err
	}
	if len(roots) == 0 {
		return nil
	}
	if o.create {
		warnOnce("UserWarning", "Using backward() with create_graph=True will create a reference cycle between the parameter and its gradient which can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid this. If you have to use this function, make sure to reset the .grad fields of your parameters to None after use to break the cycle and avoid the leak.")
	}
	p := &pass{keep: o.retain, create: o.create, accumulate: true, roots: roots}
	edges, err := rootEdges(roots, grads)
	if err != nil {
		return err
	}
	var inputs []Edge
	for _, t := range o.inputs {
		if err := t.RetainGrad(); err != nil {
			return err
		}
		e, err := gradEdge(t)
		if err != nil {
			return err
		}
		inputs = append(inputs, e)
	}
	p.count(edges)
	if o.hasInputs {
		p.inputs = o.inputs
		p.selectNodes(inputs)
	}
	return p.run(edges, grads)
}

// rootGrads supplies the gradients that were left out and checks the others
// (torch.autograd._make_grads).
func rootGrads(roots, grads []*Tensor, create bool) ([]*Tensor, error) {
	all := make([]*Tensor, len(roots))
	for i, t := range roots {
		if err := t.usable("backward"); err != nil {
			return nil, err
		}
		g := grads[i]
		switch {
		case g != nil:
			if g.err != nil {
				return nil, g.err
			}
			if !sameSizes(g.sizes, t.sizes) {
				return nil, fail(RuntimeError, CodeShape, "Mismatch in shape: grad_output[%d] has a shape of %s and output[%d] has a shape of %s.", i, repr.Size(g.sizes), i, repr.Size(t.sizes))
			}
			all[i] = g
		case t.requiresGrad():
			if t.Numel() != 1 {
				return nil, fail(RuntimeError, CodeNonScalar, "grad can be implicitly created only for scalar outputs")
			}
			if !t.dtype.IsFloat() {
				return nil, fail(RuntimeError, CodeDType, "grad can be implicitly created only for real scalar outputs but got torch.%s", t.dtype)
			}
			all[i] = filled(t.sizes, t.dtype, 1)
		}
	}
	return all, nil
}

// rootEdges are the edges into the graph; every root must have one.
func rootEdges(roots, grads []*Tensor) ([]Edge, error) {
	edges := make([]Edge, len(roots))
	for i, t := range roots {
		e, err := gradEdge(t)
		if err != nil {
			return nil, err
		}
		if e.Node == nil {
			return nil, fail(RuntimeError, CodeNoGrad, "element %d of tensors does not require grad and does not have a grad_fn", i)
		}
		edges[i] = e
		if grads[i] == nil {
			return nil, fail(RuntimeError, CodeNoGrad, "element %d of gradients tuple is None, but the corresponding Tensor requires grad", i)
		}
		g, e2 := fitGrad(grads[i], e, i)
		if e2 != nil {
			return nil, e2
		}
		grads[i] = g
	}
	return edges, nil
}

// Grad is torch.autograd.grad: it returns the gradients of the sum of the
// outputs with respect to the inputs and leaves every .grad alone.
func Grad(outputs, inputs []*Tensor, opts ...Option) ([]*Tensor, error) {
	o, err := parseBackward("grad", opts)
	if err != nil {
		return nil, noted(err, "grad")
	}
	gs, err := grad(outputs, inputs, o)
	return gs, noted(err, "grad")
}

func grad(outputs, inputs []*Tensor, o backwardOptions) ([]*Tensor, error) {
	if recorder != nil {
		recorder.enter()
		defer recorder.leave()
	}
	if len(inputs) == 0 {
		return nil, fail(ValueError, CodeArgument, "grad requires non-empty inputs.")
	}
	grads := o.gradOutputs
	if grads == nil {
		grads = make([]*Tensor, len(outputs))
	}
	if len(grads) != len(outputs) {
		return nil, fail(RuntimeError, CodeArgument, "got %d tensors and %d gradients", len(outputs), len(grads))
	}
	grads, err := rootGrads(outputs, grads, o.create)
	if err != nil {
		return nil, err
	}
	edges, err := rootEdges(outputs, grads)
	if err != nil {
		return nil, err
	}
	targets := make([]Edge, len(inputs))
	for i, t := range inputs {
		if err := t.usable("requires_grad"); err != nil {
			return nil, err
		}
		if !t.requiresGrad() {
			return nil, fail(RuntimeError, CodeNoGrad, "One of the differentiated Tensors does not require grad")
		}
		if targets[i], err = gradEdge(t); err != nil {
			return nil, err
		}
	}
	p := &pass{keep: o.retain, create: o.create, roots: outputs, captured: make([]*Tensor, len(inputs))}
	p.count(edges)
	p.selectNodes(targets)
	p.inputs = inputs
	if err := p.run(edges, grads); err != nil {
		return nil, err
	}
	for i, g := range p.captured {
		if g != nil {
			continue
		}
		if !o.allowUnused {
			return nil, fail(RuntimeError, CodeUnused, "One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True if this is the desired behavior.")
		}
		if o.materialize {
			p.captured[i] = filled(inputs[i].sizes, inputs[i].dtype, 0)
		}
	}
	return p.captured, nil
}
