package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

var inplaceSavedTensor = inspect.Rule{
	Code:     "inplace-saved-tensor",
	Severity: inspect.SeverityError,
	Title:    "A tensor that an operation saved for backward was modified in place.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return onFailure(check, modifiedSince, reportInplaceSaved)
	},
}

func reportInplaceSaved(check *inspect.Checker, f failure) {
	w := f.writes[0]
	called := check.Called(w.Tensor)
	primary, related, help := modifier(check.History, w, check.In(w.Stack, w.At, fmt.Sprintf("modified in place here: version %d -> %d", w.From, w.To)))
	for _, again := range f.writes[1:] {
		if again.Stack != w.Stack {
			related = append(related, check.In(again.Stack, again.At, "modified again here"))
			break
		}
	}
	related = append(related,
		check.At(f.node.Created, fmt.Sprintf("saved here as `%s` at version %d (%s)", f.saved.Name, f.saved.Version, f.node.Name)),
		check.At(f.at, "this backward pass fails"),
	)
	related = append(related, check.Callers(w.At)...)
	check.Report(inspect.Finding{
		Severity: f.severity,
		Message:  fmt.Sprintf("%s was modified in place after %s saved it", called, f.node.Name),
		Primary:  primary,
		Related:  related,
		Tensors:  []string{check.Name(w.Tensor)},
		Help:     help,
		Evidence: append(facts(
			check.In(w.Stack, w.At, fmt.Sprintf("the version of %s went from %d to %d", called, w.From, w.To)),
			check.At(f.node.Created, fmt.Sprintf("%s had saved it at version %d", f.node.Name, f.saved.Version)),
			check.At(f.at, fmt.Sprintf("the pass fails at %s", f.node.Name)),
		), caught(check.History, f.severity, f.at)...),
		Instead: []inspect.Alternative{
			not("stepped-before-backward", "the change is not part of a step, and reads no gradient"),
			not("stale-graph-across-iterations", "%s belongs to the iteration of the pass", f.node.Name),
		},
		At:      w.At,
		Symptom: f.at,
	})
}

var (
	augmented = regexp.MustCompile(`^\s*([\w.]+)\s*(\*\*|//|[-+*/@&|^])=\s*(.+)$`)
	method    = regexp.MustCompile(`^([\w.\[\]]+)\.([a-z]\w*[a-z])_\((.*)\)$`)
	element   = regexp.MustCompile(`^\s*([\w.]+)\[`)
)

// outOfPlace says how to write a statement without a change in place.
func outOfPlace(code string) string {
	code = strings.TrimSpace(code)
	switch {
	case augmented.MatchString(code):
		m := augmented.FindStringSubmatch(code)
		return fmt.Sprintf("make a new tensor: `%s = %s %s %s`", m[1], m[1], m[2], grouped(m[2], m[3]))
	case method.MatchString(code):
		m := method.FindStringSubmatch(code)
		return fmt.Sprintf("make a new tensor: `%s = %s.%s(%s)`", m[1], m[1], m[2], m[3])
	case element.MatchString(code):
		return fmt.Sprintf("make a new tensor with torch.where, or write into a copy: `%[1]s = %[1]s.clone()`", element.FindStringSubmatch(code)[1])
	}
	return "use the out-of-place operation, or modify a copy: .clone()"
}

// grouped puts a right-hand side in parentheses where the operator binds stronger.
func grouped(operator, value string) string {
	if operator == "+" || !strings.ContainsAny(value, "+-*/ ") || strings.HasPrefix(value, "(") && strings.HasSuffix(value, ")") {
		return value
	}
	if operator == "-" && !strings.ContainsAny(value, "+-") {
		return value
	}
	return "(" + value + ")"
}

// modifier returns the line to change for a change in place, and how to change it: the module that
// was made to work in place, or else the statement itself.
func modifier(h *inspect.History, w inspect.Write, at inspect.Span) (primary inspect.Span, related []inspect.Span, help string) {
	if module, ok := inplaceModule(h, w); ok {
		return module, []inspect.Span{at}, "make the module without inplace=True"
	}
	return at, nil, outOfPlace(h.Text(at.Frame))
}

// inplaceModule returns the line that made the module that changed a tensor, one with
// inplace=True or max_norm.
func inplaceModule(h *inspect.History, w inspect.Write) (inspect.Span, bool) {
	id := graph.NodeID(0)
	if w.Op >= 0 {
		id = h.Op(w.Op).Node
		if id == 0 && w.Op+1 < h.Ops().Len() { // max_norm: the lookup follows
			id = h.Op(w.Op + 1).Node
		}
	}
	n, _ := h.Graph().Node(id)
	m, ok := h.Graph().Module(n.Module)
	if !ok {
		return inspect.Span{}, false
	}
	return inPlaceModule(h, m.Type, h.In(w.Stack, w.At, ""))
}

// inPlaceModule returns the line that makes a module of a class so that it works in place. If there
// are several, it is the one that a call names.
func inPlaceModule(h *inspect.History, class string, call inspect.Span) (inspect.Span, bool) {
	pattern := regexp.MustCompile(`\b` + regexp.QuoteMeta(class) + `\(.*\b(inplace\s*=\s*True|max_norm\s*=|True\s*\))`)
	lines := constructions(h, pattern, "made here to work in place")
	if called := attributeCall.FindStringSubmatch(h.Text(call.Frame)); len(lines) > 1 && called != nil {
		assigned := regexp.MustCompile(`\bself\.` + called[1] + `\s*=`)
		lines = slices.DeleteFunc(lines, func(s inspect.Span) bool { return !assigned.MatchString(h.LineText(s.File, s.Line)) })
	}
	if len(lines) != 1 {
		return inspect.Span{}, false
	}
	return lines[0], true
}

// attributeCall is a call of a module that is an attribute: `self.relu(x)`.
var attributeCall = regexp.MustCompile(`^\s*(?:\w+\s*=\s*)?self\.(\w+)\(`)

// constructions returns the lines of the program that match.
func constructions(h *inspect.History, pattern *regexp.Regexp, label string) (lines []inspect.Span) {
	for _, file := range h.ProgramSources() {
		for from := 1; ; {
			n, ok := h.Find(file, from, len(h.Source(file)), pattern)
			if !ok {
				break
			}
			lines = append(lines, h.LineSpan(file, n, label))
			from = n + 1
		}
	}
	return lines
}
