package rules

import (
	"fmt"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

func init() {
	register(inspect.Rule{
		Code:     "second-backward",
		Severity: inspect.SeverityError,
		Title:    "Two backward passes went over one graph, and the first one freed what the second one needs.",
		Watch: func(h *inspect.History) inspect.Observer {
			return onFailure(h, func(f failure) {
				if f.cause == freedInThisIteration {
					reportSecondBackward(h, f)
				}
			})
		},
	})
}

func reportSecondBackward(h *inspect.History, f failure) {
	first := h.Passes()[f.freedBy]
	shared := h.NodeMade(f.node.ID)
	h.Report(inspect.Finding{
		Message: fmt.Sprintf("a second backward pass needs what an earlier one has freed in %s", f.node.Name),
		Primary: h.In(first.Stack, first.At, "this backward pass freed the graph"),
		Related: []inspect.Span{
			h.At(shared, "both passes go through this operation"),
			h.At(f.at, "this backward pass fails"),
		},
		Help:    "add the losses and call backward() once, or pass retain_graph=True to the first call",
		At:      f.at,
		Symptom: f.at,
	})
}

// passOf is the backward pass that freed the saved tensors of a node; 0: none.
func passOf(tape *graph.Tape, n graph.Node) graph.BackwardID {
	if !n.Freed {
		return 0
	}
	_, e, err := tape.At(n.FreedAt)
	if freed, ok := e.(*graph.SavedFreed); ok && err == nil {
		return freed.Backward
	}
	return 0
}
