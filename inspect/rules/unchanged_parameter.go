package rules

import (
	"fmt"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var unchangedParameter = inspect.Rule{
	Code:     "unchanged-parameter",
	Severity: inspect.SeverityWarning,
	Title:    "An optimizer holds parameters that get gradients again and again, and nothing ever changes them.",
	Last:     true,
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &unchanged{
			check: check, of: map[graph.TensorID]*untouched{}, memory: map[graph.StorageID]graph.TensorID{}, lines: map[graph.StackID]bool{},
			held: map[graph.TensorID]bool{},
		}
	},
}

// unchanged follows parameters from their first gradient on.
type unchanged struct {
	check  *inspect.Checker
	of     map[graph.TensorID]*untouched
	order  []graph.TensorID
	memory map[graph.StorageID]graph.TensorID // of these parameters
	lines  map[graph.StackID]bool             // of passes that were reported
	groups int                                // how many optimizers were looked at
	held   map[graph.TensorID]bool            // the leaves that these hold
}

// An untouched parameter has got gradients, and was not changed since the first.
type untouched struct {
	first  visit // the pass of the first gradient
	passes int
	moved  bool // it was changed
	read   bool // its gradient became plain numbers
}

// enoughGradients is how many passes have to give a parameter a gradient.
const enoughGradients = 3

// Event follows gradients and changes.
func (w *unchanged) Event(_ graph.Pos, _ graph.Header, e graph.Event) {
	switch e := e.(type) {
	case *graph.GradAccumulated:
		t := w.check.Tensor(e.Tensor)
		if t.Flags&graph.FlagParameter == 0 && !w.holds(e.Tensor) || e.How == graph.AccumulateRetain || e.Added.Value.Zero() {
			return
		}
		p := w.of[e.Tensor]
		if p == nil {
			pass := w.check.Pass(e.Backward)
			p = &untouched{first: visit{pass.At, pass.Stack}}
			w.of[e.Tensor], w.memory[t.Storage] = p, e.Tensor
			w.order = append(w.order, e.Tensor)
		}
		p.passes++
	case *graph.Mutated:
		if len(w.memory) > 0 && w.check.Running() == 0 {
			w.moves(w.memory[w.check.Tensor(e.Tensor).Storage])
		}
	case *graph.Reshaped:
		w.moves(e.Tensor)
	case *graph.LineageCut:
		for _, in := range e.Inputs {
			if leaf, ok := w.check.GradOf(in); ok && w.of[leaf] != nil {
				w.of[leaf].read = true
			}
		}
	case *graph.TensorReleased:
		if p := w.of[e.Tensor]; p != nil && p.passes < enoughGradients {
			delete(w.memory, w.check.Tensor(e.Tensor).Storage)
			delete(w.of, e.Tensor)
		}
	}
}

// holds reports whether an optimizer has a leaf.
func (w *unchanged) holds(leaf graph.TensorID) bool {
	for ; w.groups < len(w.check.Optimizers()); w.groups++ {
		for _, t := range w.check.Optimizers()[w.groups].Tensors {
			w.held[t] = true
		}
	}
	return w.held[leaf]
}

// Settle drops what was released.
func (w *unchanged) Settle(before graph.Pos) {
	sharedTraining(w.check.History).look(before)
	w.order = slices.DeleteFunc(w.order, func(t graph.TensorID) bool { return w.of[t] == nil })
}

func (w *unchanged) moves(t graph.TensorID) {
	if p := w.of[t]; p != nil {
		p.moved = true
	}
}

// End reports the parameters that an optimizer holds, once for the pass that gives them gradients.
func (w *unchanged) End() {
	check := w.check
	if _, failed := check.Failed(); failed || explained(check, unchangedParameter.Code) {
		return
	}
	groups := map[graph.TensorID]inspect.Params{}
	for _, group := range check.Optimizers() {
		for _, t := range group.Tensors {
			groups[t] = group
		}
	}
	for _, leaf := range w.order {
		p, group := w.of[leaf], groups[leaf]
		now, _ := check.Graph().Tensor(leaf)
		if p == nil || p.moved || p.passes < enoughGradients || len(group.Tensors) == 0 || !now.RequiresGrad || w.lines[p.first.stack] {
			continue
		}
		w.lines[p.first.stack] = true
		w.report(leaf, p, group)
	}
}

func (w *unchanged) report(leaf graph.TensorID, p *untouched, group inspect.Params) {
	check, name := w.check, w.check.Called(leaf)
	f := inspect.Finding{
		Message: fmt.Sprintf("%s gets a gradient in %d backward passes, and nothing changes it", name, p.passes),
		Primary: check.In(p.first.stack, p.first.at, "no step uses the gradients of this pass"),
		Related: []inspect.Span{check.In(group.Stack, group.At, "this optimizer holds the parameter")},
		Tensors: names(check.History, leaf),
		Help:    "call step() of the optimizer after backward()",
		At:      p.first.at,
		Symptom: -1,
		Evidence: facts(
			check.In(p.first.stack, p.first.at, fmt.Sprintf("%s give it a gradient that is not zero, this one first", several(p.passes, "pass"))),
			check.In(group.Stack, group.At, fmt.Sprintf("%s holds it", group.Class)),
		),
		Instead: []inspect.Alternative{
			not("optimizer-missing-param", "an optimizer holds it"),
			not("zero-learning-rate", "no step writes to it, with whatever rate"),
		},
	}
	steps := 0
	for _, s := range check.Steps() {
		if s.Number == group.Number || group.Number == 0 || s.Number == 0 {
			steps++
		}
	}
	doubt := ""
	switch {
	case steps > 0:
		f.Help = "look whether the parameter has its gradient when the optimizer steps"
		doubt = fmt.Sprintf("the optimizer steps %s", times(steps))
	case p.read || w.reads(leaf):
		doubt = "the program reads gradients itself"
	case len(check.Hooks()) > 0:
		doubt = "hooks may use the gradient"
	}
	if doubt != "" {
		f.Severity, f.Evidence = inspect.SeverityHint, append(f.Evidence, doubts(fact("%s", doubt))...)
	} else {
		f.Evidence = append(f.Evidence, facts(fact("this optimizer never steps, and the program reads no gradient"))...)
	}
	check.Report(f)
}

// reads reports whether the program computes with the gradient of a leaf, or names a .grad.
func (w *unchanged) reads(leaf graph.TensorID) bool {
	for _, m := range trainingOf(w.check.History).of(leaf).All() {
		if m.kind == readOut {
			return true
		}
	}
	for _, file := range w.check.ProgramSources() {
		if _, ok := w.check.Find(file, 1, len(w.check.Source(file)), readsGrad); ok {
			return true
		}
	}
	return false
}

// explained reports whether other rules have found a cause of the break that a rule without a cause reports,
// or a break of an invariant that comes before, which may have led to this one.
func explained(check *inspect.Checker, bare string) bool {
	return slices.ContainsFunc(check.Before(), func(f inspect.Finding) bool {
		for _, v := range invariants {
			if slices.Contains(v.Codes, f.Code) {
				return v.Bare == bare || f.Severity >= inspect.SeverityWarning
			}
			if v.Bare == bare {
				break
			}
		}
		return false
	})
}
