package rules

import (
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// noted keeps what a rule finds on the way until the end, when all sources are known.
type noted struct {
	check *inspect.Checker
	found []inspect.Finding
}

// End reports what was found.
func (n *noted) End() {
	for _, f := range n.found {
		n.check.Report(f)
	}
}

// A turn lets an observer that several rules show events to see each event once.
type turn struct{ next graph.Pos }

// first reports whether an event is shown for the first time.
func (t *turn) first(p graph.Pos) bool {
	if p < t.next {
		return false
	}
	t.next = p + 1
	return true
}

// runningSteps counts the steps of optimizers that run: an optimizer may be built on another one, and a
// closure computes gradients inside a step.
type runningSteps int

// ended reports whether an event is the end of a step that is not inside another one.
func (n *runningSteps) ended(e *graph.OptimizerStepped) bool {
	if !e.Done {
		*n++
		return false
	}
	*n = max(0, *n-1)
	return *n == 0
}

// A visit is an event of the program and the call stack that it was at.
type visit struct {
	at    graph.Pos
	stack graph.StackID
}
