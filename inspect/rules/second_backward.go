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
			return onFailure(h, freedInThisIteration, reportSecondBackward)
		},
	})
}

func reportSecondBackward(h *inspect.History, f failure) {
	first := h.Pass(f.freedBy)
	freeing := h.In(first.Stack, first.At, "this backward pass freed the graph")
	primary, related := freeing, []inspect.Span{}
	help := "add the losses and call backward() once, or pass retain_graph=True to the first call"
	if carried, ok := spentLoss(h, f); ok {
		primary, related = carried, []inspect.Span{freeing}
		help = "keep the loss that is spent out of the new one: use its .detach() or .item()"
	}
	if first.Stack == h.Pass(f.pass).Stack {
		help = "compute the loss anew in each turn of the loop, or pass retain_graph=True"
	}
	related = append(related,
		h.At(f.node.Created, "both passes go through this operation"),
		h.At(f.at, "this backward pass fails"),
	)
	h.Report(inspect.Finding{
		Severity: f.severity,
		Message:  fmt.Sprintf("a second backward pass needs what an earlier one has freed in %s", f.node.Name),
		Primary:  primary,
		Related:  related,
		Help:     help,
		At:       f.at,
		Symptom:  f.at,
	})
}

// spentLoss is the operation that built a new loss on one that had its backward pass
// already.
func spentLoss(h *inspect.History, f failure) (inspect.Span, bool) {
	first := h.Pass(f.freedBy)
	for _, j := range joints(h, f, func(n graph.Node) bool { return n.Created < first.At }) {
		for _, root := range first.Roots {
			if root.Tensor == j.tensor && j.reader != h.Pass(f.pass).At {
				return h.At(j.reader, "carries the spent loss "+h.Called(j.tensor)+" on"), true
			}
		}
	}
	return inspect.Span{}, false
}
