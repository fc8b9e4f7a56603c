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

// A visit is an event of the program and the call stack that it was at.
type visit struct {
	at    graph.Pos
	stack graph.StackID
}
