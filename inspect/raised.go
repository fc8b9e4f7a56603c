package inspect

import (
	"fmt"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// An Error is one that the engine gave to the program, whatever that made of it.
type Error struct {
	At      graph.Pos
	Type    string // "RuntimeError"
	Op      string // the operator or function that failed, "" if none did
	Message string
}

// Errors lists the errors before the graph's position, but for those of backward
// passes that failed on their way, which [Failures] lists.
func Errors(g *graph.Graph) (list []Error) {
	tape := g.Tape()
	d := tape.NewDecoder()
	failed := "" // what a backward pass failed with; backward returns the same
	for p := range g.Pos() {
		k, err := d.Kind(p)
		if err != nil || k != graph.KindRaised && k != graph.KindBackwardFailed {
			continue
		}
		_, e, err := d.ReadUntimed(p)
		if err != nil {
			continue
		}
		switch e := e.(type) {
		case *graph.BackwardFailed:
			failed = e.Message
		case *graph.Raised:
			if e.Message != failed {
				list = append(list, Error{p, tape.String(e.Type), tape.String(e.Op), e.Message})
			}
			failed = ""
		}
	}
	return list
}

// Explain tells what failed and at which line.
func (e *Error) Explain(tape *graph.Tape) string {
	var b strings.Builder
	b.WriteString(e.Type)
	if e.Op != "" {
		fmt.Fprintf(&b, " in %s", e.Op)
	}
	if at := place(tape, e.At); at != "" {
		b.WriteString(" at " + at)
	}
	b.WriteString("\n  " + excerpt(e.Message))
	return b.String()
}
