package autograd

// Contributions keeps the terms of a gradient apart, which is a sum if it reaches a tensor
// over several edges or belongs to a broadcast operand. [Tensor.WatchGrad] makes one.
type Contributions struct {
	terms []Contribution
	stop  HookHandle
}

// A Contribution is one term of a gradient.
type Contribution struct {
	// From is the node that sent it and Index the edge of From over which it
	// came; nil for a gradient that backward started from.
	From  *Node
	Index int
	// Grad is the contribution in the shape of the tensor.
	Grad *Tensor
	// Unreduced is the contribution before the gradients of a broadcast
	// operand were summed, one for each place where it was used; nil if the
	// operand was not broadcast.
	Unreduced *Tensor
}

// WatchGrad begins to collect the contributions to the gradient of the tensor,
// in the order in which they arrive, over all later backward passes.
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

// Reset forgets what was collected.
func (w *Contributions) Reset() { w.terms = nil }

// All returns the contributions in order of arrival.
func (w *Contributions) All() []Contribution { return w.terms }

// Sum adds the contributions up in order of arrival: the gradient. It is nil
// when there are none.
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

// notifyWatchers hands a gradient to those who collect what arrives over an edge.
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
