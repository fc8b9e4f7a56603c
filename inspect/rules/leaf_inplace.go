package rules

import (
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var leafInplace = inspect.Rule{
	Code:     "leaf-inplace",
	Severity: inspect.SeverityError,
	Title:    "A leaf that requires grad, or a view of one, was modified in place with grad mode on.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return onRaised(check, reportLeafInplace, "leaf-inplace")
	},
}

func reportLeafInplace(check *inspect.Checker, r inspect.Raise, severity inspect.Severity) {
	written := firstTensor(r)
	leaf := written
	related := check.Callers(r.At)
	if t := check.Tensor(written); t.Base != 0 {
		leaf = t.Base
		related = append([]inspect.Span{check.At(t.Created, "this view shares the leaf's memory")}, related...)
	}
	if t := check.Tensor(leaf); t.Known() {
		related = append(related, check.At(t.Created, "the leaf was made here"))
	}
	check.Report(inspect.Finding{
		Severity: severity,
		Message:  check.Called(leaf) + " is a leaf that requires grad, and an in-place operation would modify it",
		Primary:  check.In(r.Stack, r.At, "would modify the leaf in place"),
		Related:  related,
		Tensors:  []string{check.Name(leaf)},
		Help:     "update weights inside `with torch.no_grad():`; in a forward pass, " + outOfPlace(check.Text(check.In(r.Stack, r.At, "").Frame)),
		Evidence: append(facts(
			check.At(created(check.History, leaf), check.Called(leaf)+" requires grad, and no operation has computed it"),
			check.In(r.Stack, r.At, "grad mode is on where it would be modified"),
		), caught(check.History, severity, r.At)...),
		At:      r.At,
		Symptom: r.At,
	})
}

// firstTensor returns the first tensor that the function which raised an error was given;
// 0: none.
func firstTensor(r inspect.Raise) graph.TensorID {
	if len(r.Tensors) == 0 {
		return 0
	}
	return r.Tensors[0]
}
