package rules

import (
	"fmt"

	"github.com/gradtui/gradtui/inspect"
)

var unusedParameter = missingRule("unused-parameter", inspect.SeverityWarning,
	"A registered parameter is never used in the forward pass.")

// unusedParameter reports a parameter that no operation has read.
func (a *analysis) unusedParameter(g gap) {
	t := a.h.Tensor(g.target)
	name := a.h.Called(g.target)
	a.report(g, inspect.Finding{
		Code:     "unused-parameter",
		Message:  fmt.Sprintf("the parameter %s is not used in the forward pass", name),
		Primary:  a.h.In(t.Stack, t.Created, "it is registered here"),
		Related:  a.h.Callers(t.Created),
		Tensors:  []string{name},
		Help:     "use it in forward, or remove it from the module",
		Evidence: facts(a.h.In(t.Stack, t.Created, "no operation of a forward pass reads it")),
		Instead: []inspect.Alternative{
			not("grad-none-unreached", "nothing is computed from it at all"),
			not("frozen-by-mistake", "it requires grad"),
		},
	})
}
