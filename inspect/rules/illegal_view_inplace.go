package rules

import (
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

func init() {
	register(inspect.Rule{
		Code:     "illegal-view-inplace",
		Severity: inspect.SeverityError,
		Title:    "An operation in place would write to a view that autograd does not let anybody write to.",
		Watch: func(h *inspect.History) inspect.Observer {
			return onRaised(h, func(r inspect.Raise, s inspect.Severity) { reportIllegalView(h, r, s) }, "view-inplace", "overlap")
		},
	})
}

// reportIllegalView leaves views that a backward hook made to hook-misuse, and changes
// of gradients inside of a custom Function to custom-function-wrong.
func reportIllegalView(h *inspect.History, r inspect.Raise, severity inspect.Severity) {
	view := firstTensor(r)
	if hooked(h, view) || classOf(h, r.Stack) != "" {
		return
	}
	why := "is a view that must not be written to"
	help := "make a new tensor, or write into a .clone()"
	t := h.Tensor(view)
	if now, ok := h.Graph().Tensor(view); ok {
		switch now.View {
		case graph.MultiOutputView:
			why = "is one of several views that one operation made; none of them may be written to"
			help = "compute the parts out of place and put them together with torch.stack or torch.cat, or index the tensor by itself: x[i]"
		case graph.NoGradView:
			why = "is a view that was made under no_grad; it may not be written to while grad mode is on"
			help = "take the view and write to it on the same side of no_grad"
		case graph.FunctionView:
			why = "is an input that a custom Function gave back; it may not be written to"
			help = "write into a .clone() of the result"
		}
	}
	if r.CodeName == "overlap" {
		why = "has elements that share one place in memory (expand); it cannot be written to"
		help = "call .clone() or .contiguous() before the write"
	}
	related := []inspect.Span{}
	if t != nil {
		related = append(related, h.At(t.Created, "the view was made here"))
	}
	h.Report(inspect.Finding{
		Severity: severity,
		Message:  h.Called(view) + " " + why,
		Primary:  h.In(r.Stack, r.At, "the write"),
		Related:  append(related, h.Callers(r.At, "called here")...),
		Tensors:  []string{h.Name(view)},
		Help:     help,
		At:       r.At,
		Symptom:  r.At,
	})
}

// hooked reports whether a tensor is what a full backward hook put in the place of a
// module's input or output.
func hooked(h *inspect.History, id graph.TensorID) bool {
	t, ok := h.Graph().Tensor(id)
	if !ok {
		return false
	}
	n, ok := h.Graph().Node(t.Node)
	return ok && n.Name == "BackwardHookFunctionBackward"
}
