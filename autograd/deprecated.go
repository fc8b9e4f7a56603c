package autograd

import (
	"slices"

	"github.com/gradtui/gradtui/autograd/internal/schema"
)

// bindDeprecated binds the arguments of a program's call to a deprecated
// signature, in which numbers that are now keywords come first: x.add_(2, y).
// The first such call of a process warns.
func (op *Operator) bindDeprecated(a *Args, by caller, args []any, opts []Option) (inPlace, ok bool) {
	if by == byGo {
		return false, false
	}
	signatures, isMethod := op.signatures(by)
	c := pythonCall{name: op.name, args: args, opts: opts}
	var receiver []any
	if isMethod && len(args) > 0 {
		c.self, c.args, receiver = args[0], args[1:], args[:1]
	}
	for i := range signatures {
		s := &signatures[i]
		if !s.Deprecated {
			continue
		}
		if _, fits := c.match(s); !fits {
			continue
		}
		named := slices.Clone(opts)
		for i, arg := range c.args {
			named = append(named, Kw(s.Args[i].Name, arg))
		}
		for i := range op.ops {
			o := &op.ops[i]
			a.reset(o.Op, op.name, o.inPlace)
			if a.bind(op, by, receiver, named) {
				warnDeprecated(s, signatures)
				return o.inPlace, true
			}
			clear(a.values)
		}
	}
	return false, false
}

func warnDeprecated(s *schema.Signature, all []schema.Signature) {
	text := "This overload of " + s.Name + " is deprecated:\n\t" + s.Name + s.String() + "\nConsider using one of the following signatures instead:"
	for i := range all {
		if !all[i].Deprecated {
			text += "\n\t" + s.Name + all[i].String()
		}
	}
	const place = "./torch/csrc/utils/python_arg_parser.cpp:1661"
	warnOnceOf(place, place, text)
}
