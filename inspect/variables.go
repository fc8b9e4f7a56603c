package inspect

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// A variable is a name of a tensor, and the code in which it means that tensor.
type variable struct {
	name     string // x, self.h, states[0]
	file     string // "": not known
	function string // as stacks call it
}

// variableOf returns the variable of a naming whose assignment is in a frame.
func variableOf(n Naming, f graph.Frame) variable {
	switch {
	case f.Func == n.Scope, n.Scope == "" && f.Func == moduleLevel:
		return variable{n.Name, f.File, f.Func}
	}
	return variable{name: n.Name}
}

// visible reports whether a variable is what its name means in a line: the line is in its function
// or in one inside it, in a function that gets it as an argument of the same name, or in a
// method of the class for an attribute of self. A global variable means the same in the
// functions of its file that have none of that name.
func (h *History) visible(v variable, file string, line int) bool {
	if v.file == "" {
		return true
	}
	root := words.FindString(v.name)
	around := h.definitions(file, line)
	class, function := lastTwo(v.function)
	if root == "self" {
		return slices.ContainsFunc(around, func(d scope) bool {
			return d.class && class != "" && (d.name == class || Mentions(h.LineText(file, d.first), class))
		})
	}
	for _, d := range around {
		switch {
		case d.class:
		case file == v.file && d.name == function:
			return true
		case h.parameter(file, d, root):
			return h.argument(v, d, root)
		case h.setIn(file, d, root):
			return false
		}
	}
	return file == v.file && (function == moduleLevel || function == "" || !strings.HasSuffix(file, ".py"))
}

// A scope is a definition of a function or class around a line.
type scope struct {
	name        string
	class       bool
	owner       string // the class of a method
	first, last int    // lines
}

var defined = regexp.MustCompile(`^\s*(?:async\s+)?(def|class)\s+(\w+)`)

// definitions returns the definitions around a line, innermost first.
func (h *History) definitions(file string, line int) (around []scope) {
	for {
		first, last := h.Function(file, line)
		m := defined.FindStringSubmatch(h.LineText(file, first))
		if m == nil || first == line || line > h.BlockEnd(file, first) {
			return around
		}
		d := scope{name: m[2], class: m[1] == "class", first: first, last: last}
		if n := len(around); d.class && n > 0 && !around[n-1].class {
			around[n-1].owner = d.name
		}
		around = append(around, d)
		line = first
	}
}

// parameter reports whether a function has a parameter with a name.
func (h *History) parameter(file string, d scope, name string) bool {
	header := ""
	for n := d.first; n <= d.last; n++ {
		text := withoutComment(h.LineText(file, n))
		header += text + " "
		if strings.HasSuffix(strings.TrimSpace(text), ":") {
			break
		}
	}
	_, parameters, _ := strings.Cut(header, "(")
	return Mentions(parameters, name)
}

// argument reports whether the function of a variable gives it to another function.
func (h *History) argument(v variable, to scope, name string) bool {
	called := to.name
	if called == "__init__" || called == "forward" || called == "__call__" {
		called = `\w+` // by the name of an object
	}
	call := regexp.MustCompile(`\b` + called + `\(.*\b` + regexp.QuoteMeta(name) + `\b`)
	_, function := lastTwo(v.function)
	for n := range h.Source(v.file) {
		if !call.MatchString(withoutComment(h.LineText(v.file, n+1))) {
			continue
		}
		in := h.definitions(v.file, n+1)
		if len(in) == 0 && function == moduleLevel || len(in) > 0 && in[0].name == function {
			return true
		}
	}
	return false
}

// setIn reports whether a function assigns to a variable of its own.
func (h *History) setIn(file string, d scope, name string) bool {
	_, own := h.Find(file, d.first+1, d.last, regexp.MustCompile(`(?:^\s*|,\s*|\bfor\s+|\bas\s+)`+regexp.QuoteMeta(name)+`\s*(?:=[^=]|,|\bin\b|:)`))
	return own
}

// lastTwo returns the last two parts of a function's qualified name: its class, if it has one, and
// its own name.
func lastTwo(function string) (class, name string) {
	parts := strings.Split(function, ".")
	if n := len(parts); n > 1 && parts[n-2] != "<locals>" {
		return parts[n-2], parts[n-1]
	}
	return "", parts[len(parts)-1]
}
