package rules

import (
	"fmt"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// This file writes down what rules have weighed.

// facts speak for the cause of a finding, most important first.
func facts(spans ...inspect.Span) (list []inspect.Evidence) { return evidence(false, spans) }

// doubts speak against the cause of a finding.
func doubts(spans ...inspect.Span) (list []inspect.Evidence) { return evidence(true, spans) }

func evidence(against bool, spans []inspect.Span) (list []inspect.Evidence) {
	for _, s := range spans {
		list = append(list, inspect.Evidence{Span: s, Against: against})
	}
	return list
}

// caught is what speaks against an error: the program expects it, or goes on after it.
func caught(h *inspect.History, s inspect.Severity, at graph.Pos) []inspect.Evidence {
	switch {
	case s != inspect.SeverityHint:
		return nil
	case h.ExpectsError(at):
		return doubts(h.At(at, "the program expects this error"))
	}
	return doubts(h.At(at, "the program goes on after this error"))
}

// not is a cause that a fact rules out.
func not(code, format string, args ...any) inspect.Alternative {
	return inspect.Alternative{Code: code, Fact: fmt.Sprintf(format, args...)}
}

// gradientWrite returns how sure it is that a change of a gradient in place does harm, and why: another
// tensor gets the same gradient.
func gradientWrite(h *inspect.History, w inspect.Write, shared bool) (inspect.Severity, []inspect.Evidence) {
	wrote := facts(h.In(w.Stack, w.At, fmt.Sprintf("the version of the gradient went from %d to %d during a backward pass", w.From, w.To)))
	if shared {
		return inspect.SeverityWarning, append(wrote, facts(fact("another term of the same sum gets this gradient later"))...)
	}
	return inspect.SeverityHint, append(wrote, doubts(fact("nothing else is known to get this gradient"))...)
}

// fact is a fact that no single event shows.
func fact(format string, args ...any) inspect.Span {
	return inspect.Span{Label: fmt.Sprintf(format, args...), At: -1}
}

// labelled is a place with another label.
func labelled(s inspect.Span, label string) inspect.Span {
	s.Label = label
	return s
}

// times writes how often something happened.
func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// several writes a number and the word for it.
func several(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	if strings.HasSuffix(word, "s") {
		word += "e"
	}
	return fmt.Sprintf("%d %ss", n, word)
}
