package rules

import (
	"regexp"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// A function is the source of a class that is derived from autograd.Function.
type function struct {
	h           *inspect.History
	class, file string
	first, last int // lines
}

var functionClass = regexp.MustCompile(`^\s*class\s+(\w+)\s*\(.*Function\b.*\)\s*:`)

// functionsOf returns the classes of the program that are derived from autograd.Function,
// by name.
func functionsOf(h *inspect.History) map[string]function {
	found := map[string]function{}
	for _, file := range h.Sources() {
		for i, text := range h.Source(file) {
			if m := functionClass.FindStringSubmatch(text); m != nil {
				_, last := h.Function(file, i+2)
				found[m[1]] = function{h, m[1], file, i + 1, max(last, h.BlockEnd(file, i+1))}
			}
		}
	}
	return found
}

// classOf returns the custom Function in one of whose methods a call stack ends; "" if it ends
// elsewhere.
func classOf(h *inspect.History, s graph.StackID) string {
	top := h.Tape().Stack(s).Top()
	for class, f := range functionsOf(h) {
		if f.file == top.File && top.Line >= f.first && top.Line <= f.last {
			return class
		}
	}
	return ""
}

// method returns the first and last line of a method, and its parameters without ctx.
func (f function) method(name string) (first, last int, params []string) {
	pattern := regexp.MustCompile(`^\s*def\s+` + name + `\s*\((.*?)\)?\s*(->.*)?:?\s*$`)
	line, ok := f.h.Find(f.file, f.first, f.last, pattern)
	if !ok {
		return 0, 0, nil
	}
	m := pattern.FindStringSubmatch(f.h.LineText(f.file, line))
	if m == nil {
		return line, f.h.BlockEnd(f.file, line), nil
	}
	for _, p := range strings.Split(m[1], ",")[1:] {
		p, _, _ = strings.Cut(p, ":")
		p, _, _ = strings.Cut(p, "=")
		if p = strings.TrimSpace(p); p != "" {
			params = append(params, p)
		}
	}
	return line, f.h.BlockEnd(f.file, line), params
}

// within returns a function that reports whether a frame is in a method.
func (f function) within(name string) func(at graph.Frame) bool {
	first, last, _ := f.method(name)
	return func(at graph.Frame) bool {
		return first > 0 && at.File == f.file && at.Line >= first && at.Line <= last
	}
}

// lines returns the lines of a method that match, with a label.
func (f function) lines(method string, pattern *regexp.Regexp, label string) (spans []inspect.Span) {
	first, last, _ := f.method(method)
	for from := first; from > 0; {
		line, ok := f.h.Find(f.file, from, last, pattern)
		if !ok {
			break
		}
		spans = append(spans, f.h.LineSpan(f.file, line, label))
		from = line + 1
	}
	return spans
}
