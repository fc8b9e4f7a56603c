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
// the program says that it expects the error, or caught it and computed something afterwards:
// then it may have expected the error as well, unless the same line fails each time. That a
// program, or the part of it that is recorded, ends without an exception says nothing.
func severity(h *inspect.History, at graph.Pos) inspect.Severity {
	if h.ExpectsError(at) || computesAfter(h, at) && !failsAlways(h, at) {
		return inspect.SeverityHint
	}
	return inspect.SeverityError
}

// computesAfter reports whether an operation ran after an event, outside of backward passes.
func computesAfter(h *inspect.History, at graph.Pos) bool {
	for _, op := range h.Ops().From(at) {
		if op.Pass == 0 {
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
