package inspect

import (
	"regexp"
	"sort"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// moduleLevel is what stacks call the code outside of all functions.
const moduleLevel = "<module>"

// assignment splits a statement such as `self.h, self.c = h, c` or `states[k] = h`.
var assignment = regexp.MustCompile(`^\s*((?:[A-Za-z_][\w.]*(?:\[[^\]=]*\])?\s*,?\s*)+)(?::[^=]+)?=\s*([^=].*)$`)

// filling is a call that puts values into a container: `states.append(h)`.
var filling = regexp.MustCompile(`([A-Za-z_][\w.]*)\.(?:append|appendleft|add|insert|put|push|store|extend|update|setdefault|remember|record)\((.*)\)`)

// copied is an expression that computes nothing: names, and containers of them.
var copied = regexp.MustCompile(`^[\w\s.,:'"\[\](){}]*$`)

// call finds a function call in an expression.
var call = regexp.MustCompile(`[\w\])]\(`)

// Kept are the lines that keep a tensor for the code of a call stack, the likeliest
// first: where it got the name that the code mentions, where another name or a
// container got it, where it was made.
func (h *History) Kept(id graph.TensorID, reader graph.StackID, before graph.Pos, label string) (spans []Span) {
	t := h.Tensor(id)
	if t == nil {
		return nil
	}
	code := h.tape.Stack(reader)
	mentioned := func(name string) bool {
		for _, f := range code {
			if Mentions(h.Text(f), name) || Mentions(h.LineText(f.File, f.Line), name) {
				return true
			}
		}
		return false
	}
	names := map[string]bool{}
	var others []Span
	for _, n := range slicesBackward(t.Names) {
		names[n.Name] = true
		if n.At > before {
			continue // found at the end of the program
		}
		span := h.Assigned(n, label)
		if (n.Lost < 0 || n.Lost > before) && mentioned(n.Name) {
			spans = append(spans, span)
		} else {
			others = append(others, span)
		}
	}
	made := h.In(t.Stack, t.Created, label)
	for name := range h.returned(t) {
		names[name] = true
	}
	mentionedAliases, otherAliases := h.aliases(files(append(code, h.tape.Stack(t.Stack)...)), names, mentioned, label)
	spans = append(spans, mentionedAliases...)
	if len(spans) == 0 {
		spans = append(spans, otherAliases...)
	}
	return append(append(spans, others...), made)
}

// Assigned is the line of the assignment that gave a tensor a name: the call of the
// function that returned it rather than the line in that function that computed it.
func (h *History) Assigned(n Naming, label string) Span {
	for _, f := range h.tape.Stack(h.StackAt(n.At)) {
		if f.Func == n.Scope || n.Scope == "" && f.Func == moduleLevel {
			return Span{Frame: f, Label: label, At: n.At}
		}
	}
	return h.At(n.At, label)
}

// returned are the names on the left of the statements that called the functions in
// which a tensor was made.
func (h *History) returned(t *TensorStory) map[string]bool {
	names := map[string]bool{}
	for i, f := range h.tape.Stack(t.Stack) {
		if m := assignment.FindStringSubmatch(withoutComment(h.LineText(f.File, f.Line))); m != nil && i > 0 {
			for _, name := range strings.Split(m[1], ",") {
				names[strings.TrimSpace(name)] = true
			}
		}
	}
	return names
}

// aliases are the statements that give what has one of some names another name, or
// put it into a container, without computing anything: those whose target the reader
// mentions, and the others.
func (h *History) aliases(in []string, names map[string]bool, mentioned func(string) bool, label string) (read, others []Span) {
	known := func(expression string) bool {
		for name := range names {
			if Mentions(expression, name) {
				return true
			}
		}
		return false
	}
	for _, file := range in {
		for i := range h.Source(file) {
			code := withoutComment(h.LineText(file, i+1))
			target, value := "", ""
			if m := filling.FindStringSubmatch(code); m != nil {
				target, value = m[1], m[2]
			} else if m := assignment.FindStringSubmatch(code); m != nil {
				target, value = m[1], m[2]
			}
			if value == "" || call.MatchString(value) || !copied.MatchString(value) || !known(value) {
				continue
			}
			span := h.LineSpan(file, i+1, label)
			if h.anyMentioned(target, names, mentioned) {
				read = append(read, span)
			} else {
				others = append(others, span)
			}
		}
	}
	return read, others
}

// anyMentioned reports whether the reader mentions one of the targets of an
// assignment, by a name that the tensor does not have already.
func (h *History) anyMentioned(targets string, names map[string]bool, mentioned func(string) bool) bool {
	for _, target := range strings.Split(targets, ",") {
		target, _, _ = strings.Cut(strings.TrimSpace(target), "[")
		if target != "" && !names[target] && mentioned(target) {
			return true
		}
	}
	return false
}

// files are the files of a call stack, sorted.
func files(s graph.Stack) (names []string) {
	seen := map[string]bool{}
	for _, f := range s {
		if f.File != "" && !seen[f.File] {
			seen[f.File] = true
			names = append(names, f.File)
		}
	}
	sort.Strings(names)
	return names
}

// Files are the source files that are known, sorted.
func (h *History) Files() (names []string) {
	for file, lines := range h.sources.lines {
		if len(lines) > 0 {
			names = append(names, file)
		}
	}
	sort.Strings(names)
	return names
}

// Lines are the first spans of different lines, at most some.
func Lines(spans []Span, most int) (kept []Span) {
	seen := map[key]bool{}
	for _, s := range spans {
		k := key{s.File, s.Line}
		if s.Known() && !seen[k] && len(kept) < most {
			seen[k] = true
			kept = append(kept, s)
		}
	}
	return kept
}

// HookLines are the lines that registered hooks on a tensor.
func (h *History) HookLines(id graph.TensorID, label string) (spans []Span) {
	for _, hook := range h.hooks {
		if hook.Tensor == id {
			spans = append(spans, h.In(hook.Stack, hook.At, label))
		}
	}
	return spans
}
