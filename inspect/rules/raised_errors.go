package rules

import (
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// onRaised reports, at the end, errors of some kinds that reached the program.
func onRaised(check *inspect.Checker, report func(*inspect.Checker, inspect.Raise, inspect.Severity), codes ...string) inspect.Observer {
	return inspect.AtEnd(func() {
		for _, r := range check.Raised() {
			if slices.Contains(codes, r.CodeName) {
				report(check, r, severity(check.History, r.At))
			}
		}
	})
}

// severity returns the severity of an error that reached the program at an event. It is a hint if
// the program caught the error and ran to its end: it may have expected the error, unless the same
// line fails each time.
func severity(h *inspect.History, at graph.Pos) inspect.Severity {
	resumed := reachesLine(h, at)
	for _, op := range h.Ops().From(at) {
		if op.Pass == 0 {
			resumed = true
			break
		}
	}
	if !resumed || failsAlways(h, at) {
		return inspect.SeverityError
	}
	return inspect.SeverityHint
}

// reachesLine reports whether the tape shows that the program got to a line after an event. It does
// when a recorded part of the program has ended without an exception.
func reachesLine(h *inspect.History, at graph.Pos) bool {
	tape := h.Tape()
	for p := at + 1; p < tape.Len(); p++ {
		if _, e, err := tape.At(p); err == nil && e.Kind() == graph.KindLineReached {
			return true
		}
	}
	return false
}

// failsAlways reports whether the backward pass of a line failed again and again and
// never did its work.
func failsAlways(h *inspect.History, at graph.Pos) bool {
	stack := h.StackAt(at)
	failed := 0
	for _, p := range h.Passes()[1:] {
		switch {
		case p.Stack != stack:
		case p.Failed == nil:
			return false
		default:
			failed++
		}
	}
	return failed > 1
}

// mentions reports whether a text holds one of some parts.
func mentions(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}
