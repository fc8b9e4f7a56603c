package rules

import (
	"fmt"
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
		}
	},
}

// evaluated looks for optimizer steps of modules that are in evaluation mode and were trained in
// the other one before. A module that is in evaluation mode from the start, as in fine-tuning
// with frozen statistics, is meant to be.
type evaluated struct {
	noted
	modes     *modes
	gained    map[graph.TensorID]graph.Pos
	drop      map[string]bool         // classes of modules that called a dropout which drops, with grad mode on
	trained   map[graph.TensorID]bool // parameters that a step changed in training mode
	copies    map[graph.TensorID]bool // copies of such parameters, of modules in evaluation mode
	lines     map[graph.StackID]bool  // steps that did: another copy of the model may come to them
	dependent graph.Pos               // when a layer that depends on the mode ran last in evaluation mode, with grad mode on
	steps     map[graph.StackID]int   // in evaluation mode, by the call of eval()
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
		if g := w.check.Graph(); e.Node != 0 && drops(w.check.Tape(), e) {
			if m, ok := g.Module(g.ModuleOf(head.Thread)); ok {
				w.drop[m.Type] = true
			}
		}
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

// dependsOnMode reports whether a class of modules computes something else in training.
func dependsOnMode(class string) bool {
	return strings.Contains(class, "Dropout") || strings.Contains(class, "BatchNorm")
}

func (w *evaluated) step(at visit, params []graph.TensorID) {
	var last visit
	inEvaluation, all, before := 0, 0, w.lines[at.stack]
	for _, t := range params {
		gained, ok := w.gained[t]
		if !ok {
			continue
		}
		delete(w.gained, t)
		all++
		if call, ok := w.modes.asleep[t]; ok && gained > call.at {
			inEvaluation++
			before = before || w.trained[t] || w.copies[t] && call.at < w.check.Tensor(t).Created // not by an eval() of its own
			if call.at > last.at {
				last = call
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
	if w.steps[last.stack]++; w.steps[last.stack] == often {
		w.found = append(w.found, inspect.Finding{
			Message: "training goes on in evaluation mode: dropout is off, and batch normalization does not follow the data",
			Primary: w.check.In(last.stack, last.at, "switches to evaluation mode, and nothing switches back"),
			Related: []inspect.Span{w.check.At(at.at, "a step in evaluation mode")},
			Help:    "call .train() before training goes on: at the start of each epoch, or after the evaluation",
			Evidence: facts(
				w.check.At(at.at, fmt.Sprintf("%d of %s that this step changes are in modules in evaluation mode", inEvaluation, several(all, "parameter"))),
				w.check.At(w.dependent, "a layer that depends on the mode ran in evaluation mode, with grad mode on"),
				fact("the modules were trained in training mode before"),
			),
			At:      at.at,
			Symptom: -1,
		})
	}
}
