package rules

import (
	"fmt"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var gradNoneDetached = inspect.Rule{
	Code:     "grad-none-detached",
	Severity: inspect.SeverityWarning,
	Title:    "detach(), .data, item(), numpy() or sampling cut the path of a gradient.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		report := reportMissing(check, "grad-none-detached")
		return inspect.AtEnd(func() {
			report()
			(&partsCutOff{check: check}).look()
		})
	},
}

// how says how a flow left the graph.
var how = map[graph.CutReason]string{
	graph.CutDetach: "detach()", graph.CutData: ".data", graph.CutItem: "item()", graph.CutNumpy: "numpy()",
	graph.CutNoGrad: "sampling under no_grad",
}

// detached reports a flow that went past autograd.
func (a *analysis) detached(g gap, f inspect.Flow, related ...inspect.Span) {
	from := a.h.Called(f.From)
	a.report(g, inspect.Finding{
		Code:     "grad-none-detached",
		Message:  fmt.Sprintf("no gradient reaches %s: %s cuts the path", a.subject(g, f), how[f.Cut]),
		Primary:  a.h.In(f.Stack, f.At, "from here on, the values have no history"),
		Related:  append(related, a.h.Callers(f.At)...),
		Tensors:  []string{from},
		Help:     fmt.Sprintf("use %s itself in the loss; take plain values only to print them", from),
		Evidence: facts(a.h.In(f.Stack, f.At, fmt.Sprintf("%s requires grad, and what %s made of it does not", from, how[f.Cut]))),
		Instead: []inspect.Alternative{
			not("grad-none-unreached", "the values of %s come to the output, as plain numbers", from),
			not("nondifferentiable-op", "the path is cut by %s, not by an operation", how[f.Cut]),
		},
	})
}

// subject names the tensor whose gradient a program misses, or the one that was cut off.
func (a *analysis) subject(g gap, f inspect.Flow) string {
	if g.target == 0 || !a.h.Graph().RequiresGrad(g.target) && a.h.Tensor(g.target).Flags&graph.FlagParameter == 0 {
		return a.h.Called(f.From)
	}
	return a.h.Called(g.target)
}

// left reports a value that became a plain number and came back.
func (a *analysis) left(g gap, exit inspect.Exit) {
	a.detached(g, inspect.Flow{From: exit.Tensor, At: exit.At, Stack: exit.Stack, Op: -1, Cut: exit.Why})
}

// mostExits bounds how many values that left are looked at for one gap.
const mostExits = 64

// exit finds a value that depends on a target and became a plain number before the backward
// pass of the same iteration. It must have come back changed: some number in the loss is newer.
func (a *analysis) exit(g gap) (inspect.Exit, bool) {
	for _, r := range g.roots {
		newest := a.newestNumber(r)
		looked := 0
		for _, e := range a.h.Exits().Backward(a.h.Exits().Len()) {
			if e.At > newest || !a.h.Graph().RequiresGrad(e.Tensor) {
				continue
			}
			if looked++; looked > mostExits || !a.h.SameIteration(e.At, r.at) {
				break
			}
			if w, ok := a.waysTo(rootAt{e.Tensor, e.At}).of[g.target]; ok && w.blocked == 0 {
				return *e, true
			}
		}
	}
	return inspect.Exit{}, false
}

// newestNumber returns when the newest plain value that went into a root was made; -1:
// there is none.
func (a *analysis) newestNumber(r rootAt) graph.Pos {
	newest := graph.Pos(-1)
	for _, id := range a.waysTo(r).order {
		t := a.h.Tensor(id)
		if t.Op < 0 && t.Node == 0 && t.Base == 0 && len(t.Cuts) == 0 && t.Flags&(graph.FlagGradient|graph.FlagParameter) == 0 {
			newest = max(newest, t.Created)
		}
	}
	return newest
}
