package rules

import (
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

func init() {
	register(inspect.Rule{
		Code:     "illegal-view-inplace",
		Severity: inspect.SeverityError,
		Title:    "An in-place operation writes to a view that autograd does not allow to be modified.",
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
	why := "is a view that must not be modified in place"
	help := "make a new tensor, or write into a .clone()"
	t := h.Tensor(view)
	if now, ok := h.Graph().Tensor(view); ok {
		switch now.View {
		case graph.MultiOutputView:
			why = "is one of several views made by one operation; none of them may be modified in place"
			help = "compute the parts out of place and join them with torch.stack or torch.cat, or index the tensor directly: x[i]"
		case graph.NoGradView:
			why = "is a view made under no_grad; it may not be modified in place while grad mode is on"
			help = "make the view and write to it both inside no_grad, or both outside"
		case graph.FunctionView:
			why = "is an input that a custom Function returned; it may not be modified in place"
			help = "write into a .clone() of the result"
		}
	}
	if r.CodeName == "overlap" {
		why = "has elements that share memory (expand); it cannot be modified in place"
		help = "call .clone() or .contiguous() before the write"
	}
	related := []inspect.Span{}
	if t != nil {
		related = append(related, h.At(t.Created, "the view was made here"))
	}
	h.Report(inspect.Finding{
		Severity: severity,
		Message:  h.Called(view) + " " + why,
		Primary:  h.In(r.Stack, r.At, "modified in place here"),
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
