package rules

import (
	"fmt"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var gradNoneRewrapped = inspect.Rule{
	Code:     "grad-none-rewrapped",
	Severity: inspect.SeverityWarning,
	Title:    "A new tensor was made from another one's values, and gradients stop there.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &rewrapping{
			AtEnd: reportMissing(check, "grad-none-rewrapped"),
			again: wrappedAgain{check: check, leaves: map[graph.TensorID]graph.StackID{}, of: map[graph.StackID]*wrapping{}},
		}
	},
}

// rewrapping reports missing gradients, and otherwise gradients that arrive in another way only.
type rewrapping struct {
	inspect.AtEnd
	again wrappedAgain
}

// Event follows Parameters.
func (r *rewrapping) Event(p graph.Pos, head graph.Header, e graph.Event) { r.again.Event(p, head, e) }

// End reports what was found.
func (r *rewrapping) End() {
	r.AtEnd.End()
	if !slices.ContainsFunc(missing(r.again.check.History), func(f inspect.Finding) bool { return f.Code == "grad-none-rewrapped" }) {
		r.again.End()
	}
}

// wrapped reports whether values that had left came back in a tensor that the
// program made of them.
func (a *analysis) wrapped(f inspect.Flow) bool {
	t := a.h.Tensor(f.To)
	return f.Cut == graph.CutItem && t.Known() && t.Flags&graph.FlagNumber == 0
}

// deepCopied reports whether a flow was part of copy.deepcopy.
func (a *analysis) deepCopied(f inspect.Flow) bool {
	return deepCopies(a.h, f.Stack)
}

// rewrapped reports a flow that ended in a new leaf.
func (a *analysis) rewrapped(g gap, f inspect.Flow) {
	primary := a.h.In(f.Stack, f.At, "makes a new leaf from the values")
	var related []inspect.Span
	if a.wrapped(f) {
		primary = a.h.In(a.h.Tensor(f.To).Stack, a.h.Tensor(f.To).Created, "makes a new tensor from the values")
		related = append(related, a.h.In(f.Stack, f.At, "the values left the graph here"))
	}
	related = append(related, a.h.Callers(primary.At)...)
	by := map[graph.CutReason]string{graph.CutParameter: "Parameter", graph.CutDeepcopy: "deepcopy"}[f.Cut]
	switch {
	case a.deepCopied(f):
		by = "deepcopy"
	case by == "":
		by = "a new tensor"
	}
	a.report(g, inspect.Finding{
		Code:     "grad-none-rewrapped",
		Message:  fmt.Sprintf("no gradient reaches %s: %s copied its values without their history", a.subject(g, f), by),
		Primary:  primary,
		Related:  related,
		Tensors:  []string{a.h.Called(f.From)},
		Help:     "use the tensor itself; torch.stack and torch.cat keep the history",
		Evidence: facts(a.h.In(f.Stack, f.At, fmt.Sprintf("%s requires grad, and what was made of its values has no history", a.h.Called(f.From)))),
		Instead:  []inspect.Alternative{not("grad-none-unreached", "the values of %s come to the output, through a copy", a.h.Called(f.From))},
	})
}
