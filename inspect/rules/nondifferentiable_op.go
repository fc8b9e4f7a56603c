package rules

import (
	"fmt"

	"github.com/gradtui/gradtui/inspect"
)

var nondifferentiableOp = missingRule("nondifferentiable-op", inspect.SeverityWarning,
	"The path of a gradient ends at an operation whose derivative does not exist or is zero everywhere.")

// notDifferentiable reports an operation that lets no gradient back.
func (a *analysis) notDifferentiable(g gap, f inspect.Flow) {
	name := "an operation"
	if f.Op >= 0 {
		name = a.h.Op(f.Op).Name
	}
	what := "has no derivative"
	if a.zeroDerivative(f) {
		what = "has a derivative of zero"
	}
	a.report(g, inspect.Finding{
		Code:     "nondifferentiable-op",
		Message:  fmt.Sprintf("no gradient reaches %s: %s %s", a.subject(g, f), name, what),
		Primary:  a.h.In(f.Stack, f.At, name+" "+what),
		Related:  a.h.Callers(f.At),
		Tensors:  []string{a.h.Called(f.From)},
		Help:     "use a smooth substitute (softmax, sigmoid), or a straight-through estimator: `x + (hard - x).detach()`",
		Evidence: facts(a.h.In(f.Stack, f.At, fmt.Sprintf("%s requires grad, and %s %s", a.h.Called(f.From), name, what))),
		Instead:  []inspect.Alternative{not("grad-none-unreached", "the values of %s come to the output", a.h.Called(f.From))},
	})
}
