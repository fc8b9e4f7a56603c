package autograd

// Contributions collects the terms of a gradient. A gradient is a sum if it
// reaches a tensor over several edges, or if the tensor was broadcast.
// [Tensor.WatchGrad] returns Contributions.
type Contributions struct {
	terms []Contribution
	stop  HookHandle
}

// A Contribution is one term of a gradient.
type Contribution struct {
	// From is the node that sent the gradient, and Index the edge of From over
	// which it came. From is nil for the initial gradient of a backward pass.
	From  *Node
	Index int
	// Grad is the contribution, with the shape of the tensor.
	Grad *Tensor
	// Unreduced is the contribution before the gradients of a broadcast operand
	// were summed, with one element for each use of an element. It is nil if
	// the operand was not broadcast.
	Unreduced *Tensor
}

// WatchGrad collects the contributions to the gradient of the tensor in all
// later backward passes, in order of arrival. It is an error if the tensor does
// not require grad.
func (t *Tensor) WatchGrad() (*Contributions, error) {
	if err := t.usable("watch_grad"); err != nil {
		return nil, err
	}
	if !t.RequiresGrad() {
		return nil, t.raise(fail(RuntimeError, CodeNoGrad, "cannot watch the gradient of a tensor that doesn't require gradient"))
	}
	fn, err := t.GradFn()
	if err != nil {
		return nil, err
	}
	if fn == nil {
		fn = accumulatorOf(t)
	}
	w := &Contributions{}
	w.stop = add(&fn.extend().watched, &watch{int(t.outputNr), w})
	return w, nil
}

// Stop ends the collection.
func (w *Contributions) Stop() { w.stop.Remove() }

// Reset discards the collected contributions.
func (w *Contributions) Reset() { w.terms = nil }

// All returns the contributions in order of arrival.
func (w *Contributions) All() []Contribution { return w.terms }

// Sum returns the gradient: the sum of the contributions, added in order of
// arrival. It is nil if there are none.
func (w *Contributions) Sum() *Tensor {
	var sum *Tensor
	defer quietly(false)()
	for _, c := range w.terms {
		if sum == nil {
			sum = c.Grad
		} else {
			sum = sum.Add(c.Grad)
		}
	}
	return sum
}

// First returns the contribution that arrived first, or nil.
func (w *Contributions) First() *Tensor {
	if len(w.terms) == 0 {
		return nil
	}
	return w.terms[0].Grad
}

type watch struct {
	output int
	w      *Contributions
}

// notifyWatchers passes a gradient to the watchers of an edge.
func notifyWatchers(from *Node, index int, e Edge, g, unreduced *Tensor) {
	if e.Node.ext == nil || g == nil {
		return
	}
	for _, x := range e.Node.ext.watched {
		if x.output == e.Input {
			hold(g, unreduced)
			x.w.terms = append(x.w.terms, Contribution{from, index, g, unreduced})
		}
	}
}
