package nn

import (
	"fmt"
	"strings"

	"github.com/gradtui/gradtui/autograd/internal/pycall"
)

// String returns the module as PyTorch prints it: its class, its attributes,
// and its children.
func (m *Module) String() string {
	switch {
	case m == nil:
		return "None"
	case m.err != nil:
		return "<" + m.err.Error() + ">"
	case m.listing != nil:
		return m.listing()
	}
	var lines []string
	extra := ""
	if m.extra != nil {
		extra = m.extra()
	}
	for _, c := range m.children {
		text := "None"
		if c.value != nil {
			text = indent(c.value.String())
		}
		lines = append(lines, fmt.Sprintf("(%s): %s", c.name, text))
	}
	switch {
	case len(lines) == 0 && !strings.Contains(extra, "\n"):
		return m.Class() + "(" + extra + ")"
	case extra != "":
		lines = append(strings.Split(extra, "\n"), lines...)
	}
	return m.Class() + "(\n  " + strings.Join(lines, "\n  ") + "\n)"
}

// indent indents all lines but the first.
func indent(text string) string { return strings.ReplaceAll(text, "\n", "\n  ") }

// format fills in the attributes of the module. "{in_features}" is replaced
// with the attribute's text by Python's str, "{repr mode}" with its repr, and
// "{has bias}" with whether the parameter exists.
func (m *Module) format(template string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(template, "{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		name, after, _ := strings.Cut(rest, "}")
		template = after
		if param, ok := strings.CutPrefix(name, "has "); ok {
			b.WriteString(pycall.Repr(m.Param(param) != nil))
			continue
		}
		attr, quoted := strings.CutPrefix(name, "repr ")
		text := pycall.Str
		if quoted {
			text = pycall.Repr
		}
		v, _ := m.find(attr)
		b.WriteString(text(v))
	}
}
