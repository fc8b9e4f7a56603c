package rules

import (
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

func init() {
	register(inspect.Rule{
		Code:     "leaf-inplace",
		Severity: inspect.SeverityError,
		Title:    "A leaf that requires grad, or a view of one, was modified in place with grad mode on.",
		Watch: func(h *inspect.History) inspect.Observer {
			return onRaised(h, func(r inspect.Raise, s inspect.Severity) { reportLeafInplace(h, r, s) }, "leaf-inplace")
		},
	})
}

func reportLeafInplace(h *inspect.History, r inspect.Raise, severity inspect.Severity) {
	written := firstTensor(r)
	leaf := written
	related := h.Callers(r.At, "called here")
	if t := h.Tensor(written); t.Base != 0 {
		leaf = t.Base
		related = append([]inspect.Span{h.At(t.Created, "this view shares the leaf's memory")}, related...)
	}
	if t := h.Tensor(leaf); t.Known() {
		related = append(related, h.At(t.Created, "the leaf was made here"))
	}
	h.Report(inspect.Finding{
		Severity: severity,
		Message:  h.Called(leaf) + " is a leaf that requires grad, and an in-place operation would modify it",
		Primary:  h.In(r.Stack, r.At, "would modify the leaf in place"),
		Related:  related,
		Tensors:  []string{h.Name(leaf)},
		Help:     "update weights inside `with torch.no_grad():`; in a forward pass, " + outOfPlace(h.Text(h.In(r.Stack, r.At, "").Frame)),
		At:       r.At,
		Symptom:  r.At,
	})
}

// firstTensor is the first tensor that the function which raised an error was given;
// 0: none.
func firstTensor(r inspect.Raise) graph.TensorID {
	if len(r.Tensors) == 0 {
		return 0
	}
	return r.Tensors[0]
}
