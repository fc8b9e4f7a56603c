package rules

import (
	"fmt"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var illegalViewInplace = inspect.Rule{
	Code:     "illegal-view-inplace",
	Severity: inspect.SeverityError,
	Title:    "An in-place operation writes to a view that autograd does not allow to be modified.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return onRaised(check, reportIllegalView, "view-inplace", "overlap")
	},
}

// reportIllegalView leaves views that a backward hook made to hook-misuse, and changes
// of gradients inside a custom Function to custom-function-wrong.
func reportIllegalView(check *inspect.Checker, r inspect.Raise, severity inspect.Severity) {
	view := firstTensor(r)
	if hooked(check.History, view) || classOf(check.History, r.Stack) != "" {
		return
	}
	why := "is a view that must not be modified in place"
	help := "make a new tensor, or write into a .clone()"
	t := check.Tensor(view)
	if now, ok := check.Graph().Tensor(view); ok {
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
	primary := check.In(r.Stack, r.At, "modified in place here")
	related := []inspect.Span{}
	for _, w := range check.Writes().All() {
		if w.At >= r.At || check.Tensor(w.Tensor).Storage != t.Storage {
			continue
		}
		if class := unmarked(check.History, *w); class != "" {
			related = append(related, primary)
			primary = check.In(w.Stack, w.At, "modifies an input that it returns, without ctx.mark_dirty")
			help = "compute out of place in `" + class + ".forward`, or call ctx.mark_dirty"
			break
		}
	}
	if t.Known() {
		related = append(related, check.At(t.Created, "the view was made here"))
	}
	seen := facts(check.At(r.At, fmt.Sprintf("%s %s", check.Called(view), why)))
	if t.Base != 0 {
		seen = append(seen, facts(check.At(t.Created, "it was made as a view of "+check.Called(t.Base)))...)
	}
	check.Report(inspect.Finding{
		Severity: severity,
		Message:  check.Called(view) + " " + why,
		Primary:  primary,
		Related:  append(related, check.Callers(r.At)...),
		Tensors:  []string{check.Name(view)},
		Help:     help,
		Evidence: append(seen, caught(check.History, severity, r.At)...),
		At:       r.At,
		Symptom:  r.At,
	})
}

// hooked reports whether a full backward hook made a tensor to replace a module's input or
// output.
func hooked(h *inspect.History, id graph.TensorID) bool {
	t, ok := h.Graph().Tensor(id)
	if !ok {
		return false
	}
	n, ok := h.Graph().Node(t.Node)
	return ok && n.Name == "BackwardHookFunctionBackward"
}
