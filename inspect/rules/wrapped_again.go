package rules

import (
	"fmt"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// wrappedAgain looks for Parameters that a program makes of computed tensors again and again. What was
// computed gets no gradient through them, even if it gets one in another way, so that no gradient is
// missing. A Parameter whose gradient is read, or that something updates, has a use of its own.
type wrappedAgain struct {
	check  *inspect.Checker
	leaves map[graph.TensorID]graph.StackID // the living Parameters, by the line that made them
	of     map[graph.StackID]*wrapping
	order  []graph.StackID
	begun  bool // a pass began from a gradient that the program gave
}

// A wrapping is a line that makes Parameters of computed tensors.
type wrapping struct {
	visit
	from   graph.TensorID
	called string                  // the tensor in the first of them
	params []graph.TensorID        // what it was computed from
	gains  int                     // how many of the Parameters got a gradient
	got    map[graph.TensorID]bool // the living ones that did
	used   bool
}

// Event follows Parameters and their gradients.
func (w *wrappedAgain) Event(p graph.Pos, head graph.Header, e graph.Event) {
	switch e := e.(type) {
	case *graph.LineageCut:
		if e.Why == graph.CutParameter && e.Output != 0 && len(e.Inputs) == 1 {
			w.wraps(visit{p, head.Stack}, e.Inputs[0], e.Output)
			return
		}
		w.reads(e.Inputs)
	case *graph.GradAccumulated:
		if s, ok := w.leaves[e.Tensor]; ok && e.How != graph.AccumulateRetain && !w.of[s].got[e.Tensor] {
			w.of[s].got[e.Tensor] = true
			w.of[s].gains++
		}
	case *graph.OpRan:
		if w.check.Running() != 0 {
			return
		}
		read := slices.DeleteFunc(slices.Clone(e.Inputs), func(t graph.TensorID) bool { return slices.Contains(e.Mutated, t) })
		w.reads(read)
		w.uses(e.Mutated...)
	case *graph.GradAssigned:
		w.uses(e.Tensor)
		w.reads([]graph.TensorID{e.Grad})
	case *graph.HookRegistered:
		w.uses(e.Tensor)
	case *graph.OptimizerMade:
		w.uses(e.Params...)
	case *graph.OptimizerStepped:
		w.uses(e.Params...)
	case *graph.BackwardBegan:
		w.uses(e.Inputs...)
		for _, r := range e.Roots {
			t, ok := w.check.Graph().Tensor(r.Tensor)
			w.begun = w.begun || !ok || t.Numel() != 1
		}
	case *graph.TensorReleased:
		if s, ok := w.leaves[e.Tensor]; ok {
			delete(w.of[s].got, e.Tensor)
			delete(w.leaves, e.Tensor)
		}
	}
}

// wraps notes a Parameter around a tensor that has a history.
func (w *wrappedAgain) wraps(here visit, from, to graph.TensorID) {
	t, ok := w.check.Graph().Tensor(from)
	if !ok || t.Leaf() || !w.check.Graph().RequiresGrad(from) {
		return
	}
	at := w.of[here.stack]
	if at == nil {
		at = &wrapping{
			visit: here, from: from, called: w.check.Called(from),
			params: w.parameters(from), got: map[graph.TensorID]bool{},
		}
		w.of[here.stack] = at
		w.order = append(w.order, here.stack)
	}
	w.leaves[to] = here.stack
}

// parameters returns the leaves that a tensor was computed from, with a way for the gradient.
func (w *wrappedAgain) parameters(id graph.TensorID) (found []graph.TensorID) {
	const most = 512 // tensors that are looked at
	seen := map[graph.TensorID]bool{id: true}
	for queue := []graph.TensorID{id}; len(queue) > 0 && len(seen) < most; queue = queue[1:] {
		if t, ok := w.check.Graph().Tensor(queue[0]); ok && t.Leaf() && t.RequiresGrad {
			found = append(found, queue[0])
			continue
		}
		for _, f := range w.check.Flows(queue[0]) {
			if f.Cut == 0 && !seen[f.From] {
				seen[f.From] = true
				queue = append(queue, f.From)
			}
		}
	}
	return found
}

// reads notes tensors that the program reads: gradients of the Parameters may be among them.
func (w *wrappedAgain) reads(ids []graph.TensorID) {
	if len(w.leaves) == 0 {
		return
	}
	for _, id := range ids {
		if leaf, ok := w.check.GradOf(id); ok {
			w.uses(leaf)
		}
	}
}

func (w *wrappedAgain) uses(ids ...graph.TensorID) {
	for _, id := range ids {
		if s, ok := w.leaves[id]; ok {
			w.of[s].used = true
		}
	}
}

// End reports the lines whose Parameters got gradients that nothing used.
func (w *wrappedAgain) End() {
	const often = 3 // gradients and steps
	if w.begun || len(w.check.Steps()) < often {
		return
	}
	trained := map[graph.TensorID]bool{}
	for _, o := range w.check.Optimizers() {
		for _, t := range o.Tensors {
			trained[t] = true
		}
	}
	var lines []*wrapping
	for _, s := range w.order {
		at := w.of[s]
		if at.gains >= often && !at.used && slices.ContainsFunc(at.params, func(t graph.TensorID) bool { return trained[t] }) {
			lines = append(lines, at)
		}
	}
	if len(lines) == 0 {
		return
	}
	first := lines[0]
	var related []inspect.Span
	for _, other := range lines[1:] {
		related = append(related, w.check.In(other.stack, other.at, "so does this"))
	}
	w.check.Report(inspect.Finding{
		Message: fmt.Sprintf("no gradient goes through a new Parameter to %s, which it was made of", first.called),
		Primary: w.check.In(first.stack, first.at, "makes a new leaf from the values"),
		Related: append(related, w.check.Callers(first.at)...),
		Tensors: names(w.check.History, first.from),
		Help:    "use the tensor itself: call the layer's function with it, as in F.linear(x, weight, bias), or torch.func.functional_call",
		Evidence: facts(
			w.check.In(first.stack, first.at, "the tensor has a history, and the Parameter has none"),
			fact("%d Parameters made here got a gradient, which nothing read, and nothing updated them", first.gains),
		),
		Instead: []inspect.Alternative{not("optimizer-missing-param", "the Parameters are made again from parameters that are trained")},
		At:      first.at,
		Symptom: -1,
	})
}
