package inspect

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// moduleLevel is what stacks call the code outside all functions.
const moduleLevel = "<module>"

// assignment splits a statement such as `self.h, self.c = h, c` or `states[k] = h`.
var assignment = regexp.MustCompile(`^\s*((?:[A-Za-z_][\w.]*(?:\[[^\]=]*\])?\s*,?\s*)+)(?::[^=]+)?=\s*([^=].*)$`)

// filling is a call that puts values into a container: `states.append(h)`.
var filling = regexp.MustCompile(`([A-Za-z_][\w.]*)(?:\[[^\]]*\])*\.(?:append|appendleft|add|insert|put|push|store|extend|update|setdefault|remember|record)\((.*)\)`)

// copied is an expression that computes nothing: names, and containers of them.
var copied = regexp.MustCompile(`^[\w\s.,:'"\[\](){}]*$`)

// calling finds a function call in an expression.
var calling = regexp.MustCompile(`[\w\])]\(`)

// This file finds the lines that keep a tensor. Where a tensor was found in an object or a container, its holders say
// so. The text of the program says the rest, because the recorders search for few tensors: ones that are alive when an
// iteration ends, a limited number for each line. A tensor that an assignment gives to a second name, or that is dropped
// before the iteration ends, has no holder on the tape but the name that it got first.

// Keeper returns the likeliest line that keeps a tensor for code that uses it; "" if that
// is not known.
func (h *History) Keeper(id graph.TensorID, use string, label string) Span {
	spans := h.kept(id, 0, func(name string) bool { return Mentions(use, name) }, h.pos, label)
	if len(spans) == 0 {
		return Span{At: -1}
	}
	return spans[0]
}

// Kept returns the lines that keep a tensor for the code of a call stack that uses it at
// an event, the likeliest first: where it got the name that the code mentions, where
// another name or a container got it, where it was made.
func (h *History) Kept(id graph.TensorID, reader graph.StackID, at graph.Pos, label string) []Span {
	code := h.tape.Stack(reader)
	return h.kept(id, reader, func(name string) bool {
		return slices.ContainsFunc(code, func(f graph.Frame) bool {
			return Mentions(h.Text(f), name) || Mentions(h.LineText(f.File, f.Line), name)
		})
	}, at, label)
}

func (h *History) kept(id graph.TensorID, reader graph.StackID, mentioned func(name string) bool, at graph.Pos, label string) (spans []Span) {
	t := h.Tensor(id)
	if !t.Known() {
		return nil
	}
	names := h.assignedTo(t)
	var others []Span
	found := h.found(id, at)
	var unmentioned []Span
	for _, k := range found {
		switch {
		case !k.Element():
		case mentioned(k.Container()):
			spans = append(spans, h.Put(k, label)...)
		default:
			for _, put := range Lines(h.Put(k, label), 1) {
				calls, _ := h.Handed(k, put, label)
				unmentioned = append(append(unmentioned, put), calls...)
			}
		}
	}
	for _, n := range slices.Backward(t.Names) {
		span := h.Assigned(n, label)
		names = append(names, variableOf(n, span.Frame))
		switch {
		case n.At > at: // found at the end of the program
		case (n.Lost < 0 || n.Lost > at) && mentioned(n.Name) && !gone(n, found):
			spans = append(spans, span)
		default:
			others = append(others, span)
		}
	}
	if len(spans) == 0 {
		spans = unmentioned
	}
	read, unread := h.aliases(names, reader, mentioned, label)
	spans = append(spans, read...)
	if len(spans) == 0 {
		spans = append(unread, h.passed(t, label)...)
	}
	return append(append(spans, others...), h.In(t.Stack, t.Created, label))
}

// gone reports whether a variable did not hold a tensor any more when the places of the tensor were found.
func gone(n Naming, found []Holder) bool {
	searched := slices.ContainsFunc(found, func(k Holder) bool { return k.Seen > n.At })
	return searched && !slices.ContainsFunc(found, func(k Holder) bool { return k.Path == n.Name && k.Scope == n.Scope })
}

// Assigned returns the line of the assignment that gave a tensor a name: the call of the
// function that returned it rather than the line in that function that computed it.
func (h *History) Assigned(n Naming, label string) Span {
	for _, f := range h.tape.Stack(h.StackAt(n.At)) {
		if f.Func == n.Scope || n.Scope == "" && f.Func == moduleLevel {
			return Span{Frame: f, Label: label, At: n.At}
		}
	}
	return h.At(n.At, label)
}

// assignedTo returns the names on the left of the statements that called the functions in
// which a tensor was made.
func (h *History) assignedTo(t *Tensor) (names []variable) {
	for i, f := range h.tape.Stack(t.Stack) {
		if m := assignment.FindStringSubmatch(withoutComment(h.LineText(f.File, f.Line))); m != nil && i > 0 {
			for _, name := range strings.Split(m[1], ",") {
				names = append(names, variable{strings.TrimSpace(name), f.File, f.Func})
			}
		}
	}
	return names
}

// aliases returns the statements that give another name to a value with one of some names, or put
// it into a container, without computing anything: first the ones whose target the reader
// mentions, then the others. The files that the reader's calls are in come first.
func (h *History) aliases(names []variable, reader graph.StackID, mentioned func(string) bool, label string) (read, others []Span) {
	for _, file := range h.programFiles(reader) {
		for i := range h.Source(file) {
			code := literal.ReplaceAllString(withoutComment(h.LineText(file, i+1)), `""`)
			target, value := "", ""
			if m := filling.FindStringSubmatch(code); m != nil {
				target, value = m[1], m[2]
			} else if m := assignment.FindStringSubmatch(code); m != nil {
				target, value = m[1], m[2]
			}
			known := func(v string) bool {
				return slices.ContainsFunc(names, func(n variable) bool { return Mentions(v, n.name) && h.visible(n, file, i+1) })
			}
			if !slices.ContainsFunc(branches(value), func(v string) bool {
				return !calling.MatchString(v) && copied.MatchString(v) && known(v)
			}) {
				continue
			}
			span := h.LineSpan(file, i+1, label)
			if anyMentioned(target, names, mentioned) {
				read = append(read, span)
			} else {
				others = append(others, span)
			}
		}
	}
	return read, others
}

// programFiles returns the files of the program whose text is known: those of a call
// stack, innermost first, and then the others in the order in which the program came to them.
func (h *History) programFiles(reader graph.StackID) (files []string) {
	add := func(file string) {
		if h.Source(file) != nil && !IsLibrary(file) && !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	for _, f := range h.tape.Stack(reader) {
		add(f.File)
	}
	for _, file := range h.sources.order {
		add(file)
	}
	return files
}

// literal is a string in code.
var literal = regexp.MustCompile(`"[^"]*"|'[^']*'`)

// branches returns the values that a conditional expression can have, or the elements of
// a tuple or list. Any other expression is returned alone.
func branches(value string) []string {
	value = strings.TrimSpace(value)
	if n := len(value); n > 2 && (value[0] == '(' && value[n-1] == ')' || value[0] == '[' && value[n-1] == ']') {
		return elements(value[1 : n-1])
	}
	if yes, rest, ok := strings.Cut(value, " if "); ok {
		if _, no, ok := strings.Cut(rest, " else "); ok {
			return []string{yes, no}
		}
	}
	return []string{value}
}

// passed returns the statements that keep an argument, in the functions and constructors during
// whose calls a tensor was made.
func (h *History) passed(t *Tensor, label string) (spans []Span) {
	top := h.tape.Stack(t.Stack).Top()
	line := h.LineText(top.File, top.Line)
	for _, m := range invoked.FindAllStringSubmatchIndex(line, -1) {
		if m[1] >= top.Col || top.Col == 0 {
			continue
		}
		name := line[m[2]:m[3]]
		for _, file := range h.Sources() {
			def, last, parameters := h.callee(file, name)
			for n := def + 1; n <= last && def > 0; n++ {
				if a := assignment.FindStringSubmatch(withoutComment(h.LineText(file, n))); a != nil && parameters[strings.TrimSpace(a[2])] {
					spans = append(spans, h.LineSpan(file, n, label))
				}
			}
		}
	}
	return spans
}

// invoked is the name of a function or class that is called.
var invoked = regexp.MustCompile(`(\w+)\(`)

// callee returns the function with a name, or the constructor of the class: its lines and
// parameters.
func (h *History) callee(file, name string) (first, last int, parameters map[string]bool) {
	end := len(h.Source(file))
	def := regexp.MustCompile(`^\s*def\s+` + name + `\s*\(`)
	if class, ok := h.Find(file, 1, end, regexp.MustCompile(`^\s*class\s+`+name+`\b`)); ok {
		def, first, end = constructor, class, h.BlockEnd(file, class)
	}
	first, ok := h.Find(file, first, end, def)
	if !ok {
		return 0, 0, nil
	}
	parameters = map[string]bool{}
	for _, word := range words.FindAllString(h.LineText(file, first), -1) {
		parameters[word] = true
	}
	return first, h.BlockEnd(file, first), parameters
}

var (
	constructor = regexp.MustCompile(`^\s*def\s+__init__\s*\(`)
	words       = regexp.MustCompile(`\w+`)
)

// anyMentioned reports whether the reader mentions one of the targets of an
// assignment, by a name that the tensor does not have already.
func anyMentioned(targets string, names []variable, mentioned func(string) bool) bool {
	for _, target := range strings.Split(targets, ",") {
		target, _, _ = strings.Cut(strings.TrimSpace(target), "[")
		if target != "" && !slices.ContainsFunc(names, func(n variable) bool { return n.name == target }) && mentioned(target) {
			return true
		}
	}
	return false
}

// Lines returns the first span of each line, up to a number of lines.
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

// HookLines returns the lines that registered hooks on a tensor.
func (h *History) HookLines(id graph.TensorID, label string) (spans []Span) {
	for _, hook := range h.hooks {
		if hook.Tensor == id {
			spans = append(spans, h.In(hook.Stack, hook.At, label))
		}
	}
	return spans
}

// elements returns the expressions between commas that no bracket surrounds.
func elements(list string) (parts []string) {
	depth, start := 0, 0
	for i := range len(list) {
		switch list[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				parts, start = append(parts, list[start:i]), i+1
			}
		}
	}
	return append(parts, list[start:])
}
