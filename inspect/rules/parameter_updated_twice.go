package rules

import (
	"fmt"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var parameterUpdatedTwice = inspect.Rule{
	Code:     "parameter-updated-twice",
	Severity: inspect.SeverityWarning,
	Title:    "Two optimizers have one parameter: they step on the same gradient, or on the gradient of each other's loss.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &doubleSteps{
			overlaps: overlaps{
				check: check, params: map[uint32][]graph.TensorID{}, owners: map[graph.TensorID][]uint32{}, looked: map[graph.StackID]int{},
			},
			noted: noted{check: check}, fresh: map[graph.TensorID]graph.Pos{}, stepped: map[graph.TensorID]stepBy{}, times: map[graph.TensorID]int{},
		}
	},
}

// doubleSteps looks for parameters that one optimizer steps after another without a new gradient.
type doubleSteps struct {
	noted
	overlaps overlaps
	fresh    map[graph.TensorID]graph.Pos // when its gradient changed last
	stepped  map[graph.TensorID]stepBy    // the last step that took its gradient
	running  runningSteps
	times    map[graph.TensorID]int
}

type stepBy struct {
	at     graph.Pos
	number uint32
}

// Event follows gradients and steps.
func (w *doubleSteps) Event(p graph.Pos, head graph.Header, e graph.Event) {
	w.overlaps.Event(p, head, e)
	switch e := e.(type) {
	case *graph.GradAccumulated:
		w.fresh[e.Tensor] = p
	case *graph.GradAssigned:
		if e.Grad == 0 {
			delete(w.fresh, e.Tensor)
		} else {
			w.fresh[e.Tensor] = p
		}
	case *graph.GradsZeroed:
		for _, t := range e.Params {
			delete(w.fresh, t)
		}
	case *graph.Mutated:
		if leaf, ok := w.check.GradOf(e.Tensor); ok && w.fresh[leaf] > 0 {
			w.fresh[leaf] = p
		}
	case *graph.OptimizerStepped:
		if !w.running.ended(e) || e.Number == 0 {
			return
		}
		w.overlaps.stepped(p, e.Number, w.fresh)
		for _, t := range e.Params {
			w.step(t, stepBy{p, e.Number})
		}
	}
}

func (w *doubleSteps) step(t graph.TensorID, by stepBy) {
	fresh, ok := w.fresh[t]
	if !ok {
		return
	}
	before, again := w.stepped[t]
	w.stepped[t] = by
	if !again || before.number == by.number || before.at < fresh {
		return
	}
	const often = 2 // once may be the change from one optimizer to the next
	if w.times[t]++; w.times[t] != often {
		return
	}
	f := inspect.Finding{
		Message: fmt.Sprintf("two optimizers change %s by the same gradient", w.check.Called(t)),
		Primary: w.check.At(by.at, "changes it again"),
		Related: []inspect.Span{w.check.At(before.at, "changes it first")},
		Tensors: names(w.check.History, t),
		Help:    "give each parameter to one optimizer, or clear the gradients between the steps",
		At:      by.at,
		Symptom: -1,
		Evidence: facts(
			w.check.At(fresh, "its gradient changes here for the last time before both steps"),
			w.check.At(by.at, fmt.Sprintf("the steps of two optimizers used one gradient %s", times(often))),
		),
	}
	for _, number := range []uint32{before.number, by.number} {
		if made, ok := groupOf(w.check.History, number, t); ok {
			place := w.check.In(made.Stack, made.At, "has the parameter, too")
			f.Related = append([]inspect.Span{f.Primary}, f.Related...)
			f.Primary = place
		}
	}
	w.found = append(w.found, f)
}

// End reports what was found.
func (w *doubleSteps) End() {
	w.noted.End()
	for _, f := range w.overlaps.findings() {
		w.check.Report(f)
	}
}

// holding returns the number of the first optimizer's group that holds a parameter, in the order of
// [inspect.History.Optimizers]; -1: none does.
func holding(h *inspect.History, t graph.TensorID) int {
	return slices.IndexFunc(h.Optimizers(), func(o inspect.Params) bool { return slices.Contains(o.Tensors, t) })
}

// groupOf returns where an optimizer got a parameter.
func groupOf(h *inspect.History, number uint32, t graph.TensorID) (group inspect.Params, ok bool) {
	i := slices.IndexFunc(h.Optimizers(), func(o inspect.Params) bool { return o.Number == number && slices.Contains(o.Tensors, t) })
	if i < 0 {
		return group, false
	}
	return h.Optimizers()[i], true
}
