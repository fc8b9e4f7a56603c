package rules

import (
	"fmt"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var secondBackward = inspect.Rule{
	Code:     "second-backward",
	Severity: inspect.SeverityError,
	Title:    "Two backward passes ran through the same graph, and the first freed what the second needs.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return onFailure(check, freedInThisIteration, reportSecondBackward)
	},
}

func reportSecondBackward(check *inspect.Checker, f failure) {
	first := check.Pass(f.freedBy)
	freeing := check.In(first.Stack, first.At, "this backward pass freed the graph")
	primary, related := freeing, []inspect.Span{}
	help := "add the losses and call backward() once, or pass retain_graph=True to the first call"
	if carried, ok := spentLoss(check.History, f); ok {
		primary, related = carried, []inspect.Span{freeing}
		help = "do not reuse a loss that was already backpropagated: use its .detach() or .item()"
	}
	if first.Stack == check.Pass(f.pass).Stack {
		help = "recompute the loss in every iteration, or pass retain_graph=True"
	}
	related = append(related,
		check.At(f.node.Created, "both passes go through this operation"),
		check.At(f.at, "this backward pass fails"),
	)
	check.Report(inspect.Finding{
		Severity: f.severity,
		Message:  fmt.Sprintf("backward ran a second time through %s, whose saved tensors the first pass freed", f.node.Name),
		Primary:  primary,
		Related:  related,
		Help:     help,
		Evidence: append(facts(
			check.In(first.Stack, first.At, fmt.Sprintf("this pass ran through %s and freed what it had saved", f.node.Name)),
			check.At(f.node.Created, fmt.Sprintf("%s was made once, for both passes", f.node.Name)),
			check.At(f.at, fmt.Sprintf("the second pass fails at %s", f.node.Name)),
		), caught(check.History, f.severity, f.at)...),
		Instead: []inspect.Alternative{not("stale-graph-across-iterations", "%s belongs to the iteration of the pass that fails", f.node.Name)},
		At:      f.at,
		Symptom: f.at,
	})
}

// spentLoss returns the operation that built a new loss on one that had its backward pass
// already.
func spentLoss(h *inspect.History, f failure) (inspect.Span, bool) {
	first := h.Pass(f.freedBy)
	for _, j := range joints(h, f, func(n graph.Node) bool { return n.Created < first.At }) {
		for _, root := range first.Roots {
			if root.Tensor == j.tensor && j.reader != h.Pass(f.pass).At {
				return h.At(j.reader, "reuses "+h.Called(j.tensor)+", which was already backpropagated"), true
			}
		}
	}
	return inspect.Span{}, false
}
