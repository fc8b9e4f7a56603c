package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var evalModeWhileTraining = inspect.Rule{
	Code:     "eval-mode-while-training",
	Severity: inspect.SeverityWarning,
	Title:    "Training goes on in evaluation mode, because nothing switches back after eval().",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &evaluated{
			noted: noted{check: check}, modes: modesOf(check.History), gained: map[graph.TensorID]graph.Pos{},
			trained: map[graph.TensorID]bool{}, copies: map[graph.TensorID]bool{}, drop: map[string]bool{}, lines: map[graph.StackID]bool{}, steps: map[graph.StackID]int{},
			judged: map[graph.TensorID]graph.Pos{}, stepped: map[graph.TensorID]bool{}, began: map[graph.TensorID]bool{}, fixed: -1, knows: modalOf(check.History),
		}
	},
}

// evaluated looks for optimizer steps of modules that are in evaluation mode and were trained in
// the other one before, or were put into it for an evaluation. A module that is in evaluation mode from
// the start, as in fine-tuning with frozen statistics, is meant to be.
type evaluated struct {
	noted
	modes     *modes
	gained    map[graph.TensorID]graph.Pos
	drop      map[string]bool              // classes of modules that called a dropout which drops, with grad mode on
	trained   map[graph.TensorID]bool      // parameters that a step changed in training mode
	copies    map[graph.TensorID]bool      // copies of such parameters, of modules in evaluation mode
	lines     map[graph.StackID]bool       // steps that did: another copy of the model may come to them
	dependent graph.Pos                    // when a layer that depends on the mode ran last in evaluation mode, with grad mode on
	steps     map[graph.StackID]int        // in evaluation mode, by the call of eval()
	judged    map[graph.TensorID]graph.Pos // parameters by the last forward pass in evaluation mode without grad mode
	fixed     graph.Pos                    // the last such pass with a frozen parameter
	stepped   map[graph.TensorID]bool      // parameters that a step changed
	began     map[graph.TensorID]bool      // of these, the ones that had been evaluated before, and were in that evaluation's mode
	knows     *modal
}

// Event follows the modes of modules, gradients and steps.
func (w *evaluated) Event(p graph.Pos, head graph.Header, e graph.Event) {
	w.modes.Event(p, head, e)
	switch e := e.(type) {
	case *graph.ModuleEntered:
		class := w.check.Tape().String(e.Type)
		if e.Mode == graph.ModeEvaluation && (dependsOnMode(class) || w.drop[class]) && w.check.Graph().ModeOn(head.Thread, graph.GradMode) {
			w.dependent = p
		}
	case *graph.OpRan:
		w.ran(p, head, e)
	case *graph.LineageCut:
		if _, asleep := w.modes.asleep[e.Output]; asleep && e.Why == graph.CutParameter && w.trained[copyOf(w.check.History, e.Output)] {
			w.copies[e.Output] = true
		}
	case *graph.GradAccumulated:
		w.gained[e.Tensor] = p
	case *graph.OptimizerStepped:
		if !e.Done {
			w.step(visit{p, head.Stack}, e.Params)
		}
	}
}

// ran follows what is evaluated, and notes which classes of modules compute something else in training.
func (w *evaluated) ran(p graph.Pos, head graph.Header, e *graph.OpRan) {
	g := w.check.Graph()
	m, ok := g.Module(g.ModuleOf(head.Thread))
	if !ok {
		return
	}
	if m.Mode == graph.ModeTraining && (e.Node != 0 && drops(w.check.Tape(), e) || w.knows.writes(head.Stack, e, m.Entered)) {
		w.drop[m.Type] = true
	}
	if m.Mode == graph.ModeEvaluation && e.Node != 0 && w.knows.inForward(head.Stack) {
		w.dependent = p
	}
	if m.Mode != graph.ModeEvaluation || g.ModeOn(head.Thread, graph.GradMode) {
		return
	}
	for _, t := range e.Inputs {
		if x := w.check.Tensor(t); t != 0 && x.Flags&graph.FlagParameter != 0 {
			w.judged[t] = p
			if !g.RequiresGrad(t) {
				w.fixed = p
			}
		}
	}
}

// dependsOnMode reports whether a class of modules computes something else in training.
func dependsOnMode(class string) bool {
	return strings.Contains(class, "Dropout") || strings.Contains(class, "BatchNorm")
}

func (w *evaluated) step(at visit, params []graph.TensorID) {
	var last, switched visit // the last call of eval(), and the one that it only repeats
	inEvaluation, all, before := 0, 0, w.lines[at.stack]
	for _, t := range params {
		gained, ok := w.gained[t]
		if !ok {
			continue
		}
		delete(w.gained, t)
		all++
		first := !w.stepped[t]
		w.stepped[t] = true
		if call, ok := w.modes.asleep[t]; ok && gained > call.at {
			inEvaluation++
			if first && w.judged[t] > call.at && w.fixed < call.at {
				w.began[t] = true
			}
			before = before || w.trained[t] || w.began[t] || w.copies[t] && call.at < w.check.Tensor(t).Created // not by an eval() of its own
			if call.at > last.at {
				last, switched = call, w.modes.since[t]
			}
		} else if !ok {
			w.trained[t] = true
		}
	}
	if all > 0 && inEvaluation == 0 {
		w.lines[at.stack] = true
	}
	const often = 2 // one step may finish what was begun
	if 2*inEvaluation <= all || !before || w.dependent < last.at {
		return
	}
	because := fact("the modules were trained in training mode before")
	if slices.ContainsFunc(params, func(t graph.TensorID) bool { return w.began[t] }) {
		because = fact("the modules were evaluated, without grad mode, before the first step")
	}
	if w.steps[last.stack]++; w.steps[last.stack] == often {
		w.found = append(w.found, inspect.Finding{
			Message: "training goes on in evaluation mode: dropout is off, and running averages do not follow the data",
			Primary: w.check.In(switched.stack, switched.at, "switches to evaluation mode, and nothing switches back"),
			Related: []inspect.Span{w.check.At(at.at, "a step in evaluation mode")},
			Help:    "call .train() before training goes on: at the start of each epoch, or after the evaluation",
			Evidence: facts(
				w.check.At(at.at, fmt.Sprintf("%d of %s that this step changes are in modules in evaluation mode", inEvaluation, several(all, "parameter"))),
				w.check.At(w.dependent, "a layer that depends on the mode ran in evaluation mode, with grad mode on"),
				because,
			),
			At:      at.at,
			Symptom: -1,
		})
	}
}
