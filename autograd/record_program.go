package autograd

import "github.com/gradtui/gradtui/graph"

// This file is for packages built on the engine, such as nn and optim: it lets
// them write events to the tape and return errors in tensors.

// Failed returns a tensor that carries an error.
func Failed(err error) *Tensor { return errTensor(err) }

// Raise records an error on the tape and returns it.
func Raise(e *Error) error {
	recordError(e)
	return e
}

// Warn issues a warning.
func Warn(category, text string) { warn(category, text) }

// WithoutGrad calls f with grad mode off, without an event on the tape. It is
// for the internals of libraries; the tape shows only the program's own
// switches.
func WithoutGrad(f func() error) error {
	defer quietly(false)()
	return f()
}

// Recording reports whether the engine writes to a tape.
func Recording() bool { return recording() }

// EnterModule records that the forward pass of a module begins. path leads to it
// from the root module ("encoder.layers.0", empty for the root itself), class is
// its type, and mode says whether it is in training mode. The caller must call
// leave at the end of the pass.
func EnterModule(path, class string, mode graph.ModuleMode) (leave func()) {
	r := recorder
	if r == nil || r.muted > 0 {
		return func() {}
	}
	r.single(func() graph.Event {
		return &graph.ModuleEntered{Path: r.batch.String(path), Type: r.batch.String(class), Mode: mode}
	})
	r.enterPath(path)
	return func() {
		if recorder == r {
			r.leavePath()
			r.single(func() graph.Event { return &graph.ModuleLeft{} })
		}
	}
}

// Stepping is a step of an optimizer.
type Stepping struct {
	Class  string
	Params []*Tensor // parameters that it updates
	Number uint32    // number of the optimizer, counted from 1; 0: unknown
	Rates  []float64 // the learning rate of each group
}

// StepOptimizer records that an optimizer begins to update parameters. The caller must
// call done afterwards.
func StepOptimizer(step Stepping) (done func()) {
	r := recorder
	if r == nil {
		return func() {}
	}
	note := func(over bool) {
		r.single(func() graph.Event {
			return &graph.OptimizerStepped{
				Optimizer: r.batch.String(step.Class), Done: over, Params: r.tensorIDs(step.Params), Number: step.Number, Rates: step.Rates,
			}
		})
	}
	note(false)
	return func() {
		if recorder == r {
			note(true)
		}
	}
}

// ZeroGrads clears the gradients of parameters, as zero_grad does. It sets them
// to None if setToNone is set, and otherwise fills them with zeros. by is the
// class of the module or optimizer whose method was called.
func ZeroGrads(by string, params []*Tensor, setToNone bool) error {
	if r := recorder; r != nil {
		r.single(func() graph.Event {
			return &graph.GradsZeroed{By: r.batch.String(by), SetToNone: setToNone, Params: r.tensorIDs(params)}
		})
	}
	for _, p := range params {
		if err := p.usable("grad"); err != nil {
			return err
		}
		g := p.grad
		switch {
		case g == nil:
		case setToNone:
			if err := p.SetGrad(nil); err != nil {
				return err
			}
		default:
			if err := clearGrad(g); err != nil {
				return err
			}
		}
	}
	return nil
}

// clearGrad fills a gradient with zeros and detaches it from its history.
func clearGrad(g *Tensor) error {
	if g.gradFn != nil {
		if err := g.Detach_(); err != nil {
			return err
		}
	} else if err := g.SetRequiresGrad(false); err != nil {
		return err
	}
	return g.Zero_()
}

// tensorIDs returns the identifiers of tensors, and announces the tensors if
// need be.
func (r *Recorder) tensorIDs(ts []*Tensor) []graph.TensorID {
	ids := make([]graph.TensorID, len(ts))
	for i, t := range ts {
		ids[i] = r.tensor(t)
	}
	return ids
}
