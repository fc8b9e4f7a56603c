package autograd

import (
	"slices"

	"github.com/gradtui/gradtui/autograd/internal/repr"
)

// Options of Backward, BackwardAll and Grad.
var (
	// RetainGraph keeps the saved tensors, so that backward can run again.
	RetainGraph = Kw("retain_graph", true)
	// CreateGraph records the backward pass itself, for higher derivatives.
	CreateGraph = Kw("create_graph", true)
	// AllowUnused makes Grad return nil for inputs that are not in the graph of
	// the outputs.
	AllowUnused = Kw("allow_unused", true)
	// MaterializeGrads makes Grad return zeros for inputs that are not in the
	// graph of the outputs.
	MaterializeGrads = Kw("materialize_grads", true)
)

// Gradient sets the gradient to start from. A root with more than one element
// needs it; it has the shape of the root.
func Gradient(g *Tensor) Option { return Kw("gradient", g) }

// Inputs restricts Backward to the given tensors: only their .grad is
// accumulated.
func Inputs(ts ...*Tensor) Option { return Kw("inputs", ts) }

// GradOutputs sets the gradients that Grad starts from, one for each output,
// with the shape of the output.
func GradOutputs(gs ...*Tensor) Option { return Kw("grad_outputs", gs) }

type backwardOptions struct {
	retain                   *bool // nil: the same as create
	create                   bool
	allowUnused, materialize *bool
	gradients                []*Tensor // nil: none given
	inputs                   []*Tensor
	hasInputs                bool
	whenCertain              func()
}

func (o *backwardOptions) keep() bool {
	if o.retain != nil {
		return *o.retain
	}
	return o.create
}

// backwardKeywords are the keyword arguments of the functions in this file. A
// setter reports whether a value has the right type, or returns the error for a
// wrong one.
var backwardKeywords = map[string]struct {
	functions []string
	set       func(o *backwardOptions, v any) (bool, error)
}{
	"gradient":          {[]string{"Tensor.backward"}, setGradients},
	"grad_tensors":      {[]string{"backward"}, setGradients},
	"grad_outputs":      {[]string{"grad"}, setGradients},
	"retain_graph":      {[]string{"Tensor.backward", "backward", "grad"}, func(o *backwardOptions, v any) (bool, error) { return optionalBool(&o.retain, v), nil }},
	"allow_unused":      {[]string{"grad"}, func(o *backwardOptions, v any) (bool, error) { return optionalBool(&o.allowUnused, v), nil }},
	"materialize_grads": {[]string{"grad"}, func(o *backwardOptions, v any) (bool, error) { return optionalBool(&o.materialize, v), nil }},
	"create_graph": {[]string{"Tensor.backward", "backward", "grad"}, func(o *backwardOptions, v any) (ok bool, err error) {
		o.create, ok = v.(bool)
		return ok, nil
	}},
	"when_certain": {[]string{"backward"}, func(o *backwardOptions, v any) (ok bool, err error) {
		o.whenCertain, ok = v.(func())
		return ok, nil
	}},
	"inputs": {[]string{"Tensor.backward", "backward"}, func(o *backwardOptions, v any) (ok bool, err error) {
		o.hasInputs = !isNone(v)
		if t, isTensor := v.(*Tensor); isTensor && o.hasInputs && t.Err() == nil {
			if n, err := t.Len(); err != nil || n == 0 { // PyTorch asks for the number of inputs by len()
				return true, err
			}
		}
		if _, isNumber := toScalar(v); isNumber {
			return false, fail(TypeError, CodeArgument, "object of type '%s' has no len()", pythonTypeOf(v))
		}
		o.inputs, err = tensorsOf(v, func(_ int, got string) *Error {
			return fail(RuntimeError, CodeArgument, "all inputs have to be Tensors or GradientEdges, but got %s", got)
		})
		return true, err
	}},
}

func optionalBool(to **bool, v any) bool {
	b, ok := v.(bool)
	if ok {
		*to = &b
	}
	return ok || v == nil
}

func setGradients(o *backwardOptions, v any) (ok bool, err error) {
	o.gradients, err = tensorsOf(v, func(_ int, got string) *Error {
		return fail(TypeError, CodeArgument, "gradients can be either Tensors or None, but got %s", got)
	})
	return true, err
}

// tensorsOf reads a tensor, or a sequence of tensors and Nones. wrong makes the
// error for any other element.
func tensorsOf(v any, wrong func(i int, got string) *Error) ([]*Tensor, error) {
	var items []any
	switch v := v.(type) {
	case nil:
		return nil, nil
	case *Tensor:
		if v == nil {
			return nil, nil
		}
		return []*Tensor{v}, nil
	case []*Tensor:
		return v, nil
	case []any:
		items = v
	case Tuple:
		items = v
	case string:
		for _, r := range v {
			items = append(items, string(r))
		}
	default:
		return nil, fail(TypeError, CodeArgument, "'%s' object is not iterable", pythonTypeOf(v))
	}
	ts := make([]*Tensor, len(items))
	for i, x := range items {
		t, ok := x.(*Tensor)
		if !ok && x != nil {
			return nil, wrong(i, pythonTypeOf(x))
		}
		ts[i] = t
	}
	return ts, nil
}

func parseBackward(function string, opts []Option) (o backwardOptions, err error) {
	for _, opt := range opts {
		key, ok := backwardKeywords[opt.Name]
		if !ok || !slices.Contains(key.functions, function) {
			return o, fail(TypeError, CodeArgument, "%s() got an unexpected keyword argument '%s'", function, opt.Name)
		}
		ok, err := key.set(&o, opt.Value)
		if err != nil {
			return o, err
		}
		if !ok {
			return o, fail(TypeError, CodeArgument, "%s(): argument '%s' cannot be %s", function, opt.Name, pythonTypeOf(opt.Value))
		}
	}
	return o, nil
}

// Backward computes the gradients of the tensor with respect to the leaves that
// it depends on and adds them to their .grad. A tensor with more than one
// element needs the option [Gradient]. The other options are [RetainGraph],
// [CreateGraph] and [Inputs].
func (t *Tensor) Backward(opts ...Option) error {
	if err := t.usable("backward"); err != nil {
		return err
	}
	o, err := parseBackward("Tensor.backward", opts)
	if err == nil {
		err = backward([]*Tensor{t}, o)
	}
	return noted(err, "backward")
}

// BackwardAll is torch.autograd.backward: Backward from several roots at once.
// grads has a gradient for each root; it may be nil, or hold nil for roots with
// one element.
func BackwardAll(roots, grads []*Tensor, opts ...Option) error {
	o, err := parseBackward("backward", opts)
	if err == nil {
		if grads != nil {
			o.gradients = grads
		}
		err = backward(roots, o)
	}
	return noted(err, "backward")
}

// noted records an error on the tape. A nil *Error becomes a nil error.
func noted(err error, op string) error {
	if err == nil {
		return nil
	}
	e := asError(err)
	if e.Op == "" {
		e.Op = op
	}
	recordError(e)
	return e
}

func backward(roots []*Tensor, o backwardOptions) error {
	if recorder != nil {
		recorder.enter()
		defer recorder.leave()
	}
	if o.hasInputs && len(o.inputs) == 0 {
		return fail(RuntimeError, CodeArgument, "`inputs` argument to `backward()` cannot be empty.")
	}
	p := &pass{keep: o.keep(), create: o.create, accumulate: true, roots: roots, inputs: o.inputs}
	edges, grads, err := p.open(o.gradients)
	if err != nil || len(edges) == 0 {
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
	if o.create {
		warnOnce("./torch/csrc/autograd/engine.cpp:1260", "Using backward() with create_graph=True will create a reference cycle between the parameter and its gradient which can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid this. If you have to use this function, make sure to reset the .grad fields of your parameters to None after use to break the cycle and avoid the leak.")
	}
	p.count(edges)
	if o.hasInputs {
		p.selectNodes(inputs)
	}
	if o.whenCertain != nil && p.certain() {
		o.whenCertain()
	}
	return p.run(edges, grads)
}

// open returns the edges from the roots of the pass into the graph, and the
// initial gradients.
func (p *pass) open(given []*Tensor) (edges []Edge, grads []*Tensor, err error) {
	if given == nil {
		given = make([]*Tensor, len(p.roots))
	}
	if len(given) != len(p.roots) {
		return nil, nil, fail(RuntimeError, CodeArgument, "got %d tensors and %d gradients", len(p.roots), len(given))
	}
	if grads, err = rootGrads(p.roots, given); err != nil {
		return nil, nil, err
	}
	edges, err = rootEdges(p.roots, grads)
	return edges, grads, err
}

// rootGrads fills in missing gradients with ones and checks the others
// (torch.autograd._make_grads).
func rootGrads(roots, grads []*Tensor) ([]*Tensor, error) {
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

// rootEdges returns the edges into the graph; every root must have one.
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
// outputs with respect to the inputs, one for each input, and does not change
// any .grad. Options: [GradOutputs], [RetainGraph], [CreateGraph],
// [AllowUnused], [MaterializeGrads].
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
	materialize := o.materialize != nil && *o.materialize
	if materialize && o.allowUnused != nil && !*o.allowUnused {
		return nil, fail(ValueError, CodeArgument, "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False.")
	}
	p := &pass{keep: o.keep(), create: o.create, roots: outputs, inputs: inputs, captured: make([]*Tensor, len(inputs))}
	edges, grads, err := p.open(o.gradients)
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
	if len(inputs) == 0 {
		return nil, fail(ValueError, CodeArgument, "grad requires non-empty inputs.")
	}
	p.count(edges)
	p.selectNodes(targets)
	if err := p.run(edges, grads); err != nil {
		return nil, err
	}
	for i, g := range p.captured {
		if g != nil {
			continue
		}
		if !materialize && (o.allowUnused == nil || !*o.allowUnused) {
			return nil, fail(RuntimeError, CodeUnused, "One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True if this is the desired behavior.")
		}
		if materialize {
			p.captured[i] = filled(inputs[i].sizes, inputs[i].dtype, 0)
			p.captured[i].flags |= requiresGradFlag
		}
	}
	return p.captured, nil
}
