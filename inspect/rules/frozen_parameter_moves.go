package rules

import (
	"fmt"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var frozenParameterMoves = inspect.Rule{
	Code:     "frozen-parameter-moves",
	Severity: inspect.SeverityWarning,
	Title:    "An optimizer goes on changing a parameter that was frozen.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &movesOn{
			noted: noted{check: check}, frozen: map[graph.TensorID]visit{},
			stepped: map[graph.TensorID]bool{}, zeroed: map[graph.TensorID]visit{}, reported: map[graph.StackID]bool{},
			moving: map[graph.TensorID]bool{},
		}
	},
}

// movesOn looks for steps that change parameters which do not require grad any more. A gradient
// of zero, as zero_grad(set_to_none=False) leaves, still lets moments and weight decay move a
// parameter. Without either, a step by a gradient of zero changes nothing.
type movesOn struct {
	noted
	stepped  map[graph.TensorID]bool  // parameters that a step changed while they required grad
	frozen   map[graph.TensorID]visit // parameters that were frozen after that
	zeroed   map[graph.TensorID]visit // where their gradients became zeros
	reported map[graph.StackID]bool   // the lines that froze parameters
	moving   map[graph.TensorID]bool  // parameters of groups with momentum or weight decay
	class    graph.StringID           // of the optimizer that steps; 0: none does
}

// Event follows flags, gradients and steps.
func (w *movesOn) Event(p graph.Pos, head graph.Header, e graph.Event) {
	switch e := e.(type) {
	case *graph.RequiresGrad:
		switch {
		case e.To:
			delete(w.frozen, e.Tensor)
		case w.stepped[e.Tensor]:
			w.frozen[e.Tensor] = visit{p, head.Stack}
		}
	case *graph.OptimizerMade:
		moves := slices.ContainsFunc(e.Settings, func(a graph.Attr) bool { return slices.ContainsFunc(a.Floats, func(x float64) bool { return x != 0 }) })
		for _, t := range e.Params {
			w.moving[t] = moves
		}
	case *graph.GradsZeroed:
		if !e.SetToNone {
			for _, t := range e.Params {
				w.zeroed[t] = visit{p, head.Stack}
			}
		}
	case *graph.OptimizerStepped:
		w.class = 0
		if !e.Done {
			w.class = e.Optimizer
		}
	case *graph.Mutated:
		if w.class == 0 || w.check.Tensor(e.Tensor).Flags&(graph.FlagParameter|graph.FlagRequiresGrad) == 0 {
			return
		}
		call, frozen := w.frozen[e.Tensor]
		if !frozen {
			w.stepped[e.Tensor] = true
			return
		}
		if w.reported[call.stack] || !w.moving[e.Tensor] && rests[w.check.Tape().String(w.class)] {
			return
		}
		w.reported[call.stack] = true
		w.report(p, e.Tensor, call)
	}
}

// rests are the optimizers that leave a parameter alone whose gradient is zero, without momentum and weight
// decay. Others go on with a running average of the gradients.
var rests = words("SGD ASGD RMSprop Adagrad Adadelta Rprop")

func (w *movesOn) report(p graph.Pos, t graph.TensorID, frozen visit) {
	related := []inspect.Span{w.check.At(p, "this step changes it")}
	if z, ok := w.zeroed[t]; ok && z.at > frozen.at {
		related = append([]inspect.Span{w.check.In(z.stack, z.at, "leaves a gradient of zero")}, related...)
	}
	seen := facts(
		w.check.In(frozen.stack, frozen.at, "requires_grad is set to False, after steps that changed it"),
		w.check.At(p, fmt.Sprintf("a step of %s changes it after that", w.check.Tape().String(w.class))),
	)
	if z, ok := w.zeroed[t]; ok && z.at > frozen.at {
		seen = append(seen, facts(w.check.In(z.stack, z.at, "its gradient becomes zeros, and is not None"))...)
	}
	w.found = append(w.found, inspect.Finding{
		Message:  fmt.Sprintf("%s is frozen, but %s goes on changing it by its moments or by weight decay", w.check.Called(t), w.check.Tape().String(w.class)),
		Primary:  w.check.In(frozen.stack, frozen.at, "freezes it, with a gradient left behind"),
		Related:  related,
		Tensors:  names(w.check.History, t),
		Help:     "set .grad of frozen parameters to None, or make a new optimizer without them",
		Evidence: seen,
		At:       p,
		Symptom:  -1,
	})
}
