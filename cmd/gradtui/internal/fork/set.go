package fork

import (
	"fmt"
	"regexp"
	"strings"
)

// A Change is what a fork does to a program: Python statements, one assignment in which attributes
// and elements stand for what they are of, or an [Edit].
type Change struct {
	Text    string
	Assigns bool
	Edits   bool
}

// Statements returns the Python statements of a change.
func (c Change) Statements() (string, error) {
	if c.Assigns {
		return assignment(c.Text)
	}
	return c.Text, nil
}

// attribute is an attribute of something.
var attribute = regexp.MustCompile(`^(?s)(.*\S)\s*\.\s*([A-Za-z_]\w*)$`)

// assignment returns statements that set what the left side of an assignment names: an element of a tensor
// or a parameter in place, a setting of an optimizer in all its groups, anything else as Python does.
//
//	model.fc.weight[0, 0] = 3
//	opt.lr = 0.01
//	x = x.detach()
func assignment(text string) (statements string, err error) {
	left, right, ok := cutAssignment(text)
	if !ok || left == "" || right == "" {
		return "", fmt.Errorf("%q is not an assignment, such as opt.lr = 0.01", text)
	}
	const torch = "__import__('torch')"
	plain := left + " = " + right
	if strings.HasSuffix(left, "]") {
		return "with " + torch + ".no_grad():\n    " + plain, nil
	}
	m := attribute.FindStringSubmatch(left)
	if m == nil {
		return plain, nil
	}
	of, name := m[1], m[2]
	return fmt.Sprintf(`if hasattr(%[1]s, 'param_groups') and '%[2]s' in %[1]s.param_groups[0]:
    [group.update({'%[2]s': %[3]s}) for group in %[1]s.param_groups]
elif isinstance(getattr(%[1]s, '%[2]s', None), %[4]s.nn.Parameter):
    with %[4]s.no_grad():
        %[1]s.%[2]s.copy_(%[4]s.as_tensor(%[3]s))
else:
    %[1]s.%[2]s = %[3]s`, of, name, right, torch), nil
}

// cutAssignment splits an assignment at its =, which is not in brackets nor in a string.
func cutAssignment(text string) (left, right string, ok bool) {
	depth, quote := 0, byte(0)
	for i := range len(text) {
		c := text[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case c == '=' && depth == 0:
			left, right = text[:i], text[i+1:]
			if strings.HasPrefix(right, "=") || left == "" || strings.IndexByte("=!<>:+-*/%&|^@", left[len(left)-1]) >= 0 {
				return "", "", false
			}
			return strings.TrimSpace(left), strings.TrimSpace(right), true
		}
	}
	return "", "", false
}
