package rules

import (
	"fmt"

	"github.com/gradtui/gradtui/inspect"
)

var steppedBeforeBackward = inspect.Rule{
	Code:     "stepped-before-backward",
	Severity: inspect.SeverityError,
	Title:    "Weights were updated between a forward pass and its backward pass, which needs the old ones.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return onFailure(check, steppedSince, reportSteppedBefore)
	},
}

func reportSteppedBefore(check *inspect.Checker, f failure) {
	w := f.writes[0]
	stack, at, by, update := w.Stack, w.At, "the program", "the change reads a gradient, as an update does"
	if w.Step >= 0 {
		step := check.Steps()[w.Step]
		stack, at, by, update = step.Stack, step.At, step.Optimizer, "the change is part of a step of "+step.Optimizer
	}
	related := []inspect.Span{
		check.At(f.node.Created, fmt.Sprintf("this forward pass saved %s for %s", check.Called(f.saved.Tensor), f.node.Name)),
	}
	if callers := check.Callers(at); len(callers) > 0 {
		related = append([]inspect.Span{callers[0]}, related...)
	}
	check.Report(inspect.Finding{
		Severity: f.severity,
		Message:  fmt.Sprintf("%s updated weights that %s still needs for its backward pass", by, f.node.Name),
		Primary:  check.In(stack, at, "the weights are updated here"),
		Related:  append(related, check.At(f.at, "this backward pass needs the old weights")),
		Tensors:  []string{check.Name(w.Tensor)},
		Help:     "run all backward passes before the step, or recompute the loss after it",
		Evidence: append(facts(
			check.At(f.node.Created, fmt.Sprintf("%s saved %s at version %d", f.node.Name, check.Called(f.saved.Tensor), f.saved.Version)),
			check.In(stack, w.At, fmt.Sprintf("the version of %s went from %d to %d", check.Called(w.Tensor), w.From, w.To)),
			check.In(stack, at, update),
		), caught(check.History, f.severity, f.at)...),
		Instead: []inspect.Alternative{
			not("inplace-saved-tensor", "%s", update),
			not("stale-graph-across-iterations", "%s belongs to the iteration of the pass", f.node.Name),
		},
		At:      w.At,
		Symptom: f.at,
	})
}
