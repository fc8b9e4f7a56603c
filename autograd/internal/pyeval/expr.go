package pyeval

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gradtui/gradtui/autograd"
)

// expressions maps the classes of expressions to their evaluators.
var expressions map[string]func(in *Interpreter, f *frame, e tree) (any, error)

func makeExpressions() map[string]func(in *Interpreter, f *frame, e tree) (any, error) {
	all := map[string]func(in *Interpreter, f *frame, e tree) (any, error){
		"Constant":       func(_ *Interpreter, _ *frame, e tree) (any, error) { return constant(e["value"]), nil },
		"Ellipsis":       func(*Interpreter, *frame, tree) (any, error) { return autograd.Ellipsis, nil },
		"Name":           (*Interpreter).evalName,
		"Attribute":      (*Interpreter).evalAttribute,
		"Subscript":      (*Interpreter).evalSubscript,
		"Slice":          (*Interpreter).evalSlice,
		"Call":           (*Interpreter).evalCall,
		"BinOp":          (*Interpreter).evalBinOp,
		"UnaryOp":        (*Interpreter).evalUnaryOp,
		"BoolOp":         (*Interpreter).evalBoolOp,
		"Compare":        (*Interpreter).evalCompare,
		"IfExp":          (*Interpreter).evalIfExp,
		"Lambda":         (*Interpreter).evalLambda,
		"JoinedStr":      (*Interpreter).evalJoinedStr,
		"List":           (*Interpreter).evalList,
		"Tuple":          (*Interpreter).evalTuple,
		"Dict":           (*Interpreter).evalDict,
		"ListComp":       (*Interpreter).evalComprehension,
		"GeneratorExp":   (*Interpreter).evalComprehension,
		"FormattedValue": (*Interpreter).evalFormatted,
	}
	return all
}

func (in *Interpreter) eval(f *frame, e tree) (any, error) {
	run, ok := expressions[e.class()]
	if !ok {
		return nil, fmt.Errorf("the test interpreter does not support the expression %s", e.class())
	}
	return run(in, f, e)
}

// constant returns the value of a literal. A number with a point or an exponent
// is a float.
func constant(v any) any {
	n, ok := v.(json.Number)
	if !ok {
		return v
	}
	if i, err := n.Int64(); err == nil {
		return int(i)
	}
	x, _ := n.Float64()
	return x
}

func (in *Interpreter) evalName(f *frame, e tree) (any, error) {
	if v, ok := f.lookup(e.str("id")); ok {
		return v, nil
	}
	return nil, raised("NameError", "name '%s' is not defined", e.str("id"))
}

func (in *Interpreter) evalAttribute(f *frame, e tree) (any, error) {
	obj, err := in.eval(f, e.sub("value"))
	if err != nil {
		return nil, err
	}
	return attr(obj, e.str("attr"))
}

func (in *Interpreter) evalSubscript(f *frame, e tree) (any, error) {
	obj, err := in.eval(f, e.sub("value"))
	if err != nil {
		return nil, err
	}
	index, err := in.eval(f, e.sub("slice"))
	if err != nil {
		return nil, err
	}
	return item(obj, index)
}

func (in *Interpreter) evalSlice(f *frame, e tree) (any, error) {
	var parts [3]any
	for i, key := range []string{"lower", "upper", "step"} {
		if part := e.sub(key); part != nil {
			var err error
			if parts[i], err = in.eval(f, part); err != nil {
				return nil, err
			}
		}
	}
	return autograd.Slice{Start: parts[0], Stop: parts[1], Step: parts[2]}, nil
}

// evalCall evaluates a call. A call of a method of an engine object is a single
// step, as in front ends.
func (in *Interpreter) evalCall(f *frame, e tree) (any, error) {
	callee := e.sub("func")
	method := ""
	var obj any
	var err error
	if callee.class() == "Attribute" {
		method = callee.str("attr")
		if obj, err = in.eval(f, callee.sub("value")); err != nil {
			return nil, err
		}
		if !ofEngine(obj) {
			if obj, err = attr(obj, method); err != nil {
				return nil, err
			}
			method = ""
		}
	} else if obj, err = in.eval(f, callee); err != nil {
		return nil, err
	}
	args, err := in.elements(f, e.list("args"))
	if err != nil {
		return nil, err
	}
	var opts []autograd.Option
	for _, k := range e.list("keywords") {
		v, err := in.eval(f, k.sub("value"))
		if err != nil {
			return nil, err
		}
		if k.str("arg") == "" {
			for _, p := range v.(*dict).pairs {
				opts = append(opts, autograd.Kw(p.key.(string), p.value))
			}
			continue
		}
		opts = append(opts, autograd.Kw(k.str("arg"), v))
	}
	if method != "" {
		return autograd.CallAttr(obj, method, forEngine(args), engineOptions(opts)...)
	}
	return call(obj, args, opts)
}

// elements evaluates a list of expressions; some may be starred.
func (in *Interpreter) elements(f *frame, list []tree) ([]any, error) {
	values := make([]any, 0, len(list))
	for _, e := range list {
		if e.class() == "Starred" {
			v, err := in.eval(f, e.sub("value"))
			if err != nil {
				return nil, err
			}
			more, err := iterate(v)
			if err != nil {
				return nil, err
			}
			values = append(values, more...)
			continue
		}
		v, err := in.eval(f, e)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, nil
}

func (in *Interpreter) evalList(f *frame, e tree) (any, error) {
	return in.elements(f, e.list("elts"))
}

func (in *Interpreter) evalTuple(f *frame, e tree) (any, error) {
	values, err := in.elements(f, e.list("elts"))
	return autograd.Tuple(values), err
}

// A dict is a Python dict with few entries.
type dict struct{ pairs []pair }

type pair struct{ key, value any }

func (d *dict) get(key any) (any, bool) {
	for _, p := range d.pairs {
		if p.key == key {
			return p.value, true
		}
	}
	return nil, false
}

func (in *Interpreter) evalDict(f *frame, e tree) (any, error) {
	keys, err := in.elements(f, e.list("keys"))
	if err != nil {
		return nil, err
	}
	values, err := in.elements(f, e.list("values"))
	if err != nil {
		return nil, err
	}
	d := new(dict)
	for i, key := range keys {
		d.pairs = append(d.pairs, pair{key, values[i]})
	}
	return d, nil
}

func (in *Interpreter) evalComprehension(f *frame, e tree) (any, error) {
	var list []any
	var level func(scope *frame, rest []tree) error
	level = func(scope *frame, rest []tree) error {
		if len(rest) == 0 {
			v, err := in.eval(scope, e.sub("elt"))
			list = append(list, v)
			return err
		}
		v, err := in.eval(scope, rest[0].sub("iter"))
		if err != nil {
			return err
		}
		values, err := iterate(v)
		if err != nil {
			return err
		}
		for _, x := range values {
			if err := in.assign(scope, rest[0].sub("target"), x); err != nil {
				return err
			}
			keep := true
			for _, test := range rest[0].list("ifs") {
				if keep, err = in.condition(scope, test); err != nil {
					return err
				} else if !keep {
					break
				}
			}
			if keep {
				if err := level(scope, rest[1:]); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return list, level(newFrame(f), e.list("generators"))
}

func (in *Interpreter) evalBinOp(f *frame, e tree) (any, error) {
	left, err := in.eval(f, e.sub("left"))
	if err != nil {
		return nil, err
	}
	right, err := in.eval(f, e.sub("right"))
	if err != nil {
		return nil, err
	}
	return binary(e.sub("op").class(), left, right)
}

func (in *Interpreter) evalUnaryOp(f *frame, e tree) (any, error) {
	v, err := in.eval(f, e.sub("operand"))
	if err != nil {
		return nil, err
	}
	return unary(e.sub("op").class(), v)
}

// evalBoolOp evaluates and, or: it returns the first operand that decides, or
// the last.
func (in *Interpreter) evalBoolOp(f *frame, e tree) (v any, err error) {
	decides := e.sub("op").class() == "Or"
	for _, operand := range e.list("values") {
		if v, err = in.eval(f, operand); err != nil {
			return nil, err
		}
		if on, err := truth(v); err != nil || on == decides {
			return v, err
		}
	}
	return v, nil
}

func (in *Interpreter) evalCompare(f *frame, e tree) (result any, err error) {
	left, err := in.eval(f, e.sub("left"))
	if err != nil {
		return nil, err
	}
	for i, next := range e.list("comparators") {
		right, err := in.eval(f, next)
		if err != nil {
			return nil, err
		}
		if result, err = compare(e.list("ops")[i].class(), left, right); err != nil {
			return nil, err
		}
		if i+1 < len(e.list("ops")) {
			if on, err := truth(result); err != nil || !on {
				return result, err
			}
		}
		left = right
	}
	return result, nil
}

func (in *Interpreter) evalIfExp(f *frame, e tree) (any, error) {
	on, err := in.condition(f, e.sub("test"))
	switch {
	case err != nil:
		return nil, err
	case on:
		return in.eval(f, e.sub("body"))
	}
	return in.eval(f, e.sub("orelse"))
}

func (in *Interpreter) evalJoinedStr(f *frame, e tree) (any, error) {
	parts, err := in.elements(f, e.list("values"))
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.(string))
	}
	return b.String(), nil
}

func (in *Interpreter) evalFormatted(f *frame, e tree) (any, error) {
	v, err := in.eval(f, e.sub("value"))
	if err != nil {
		return nil, err
	}
	var spec any = ""
	if e.sub("format_spec") != nil {
		if spec, err = in.eval(f, e.sub("format_spec")); err != nil {
			return nil, err
		}
	}
	if ofEngine(v) {
		return autograd.CallAttr(v, "__format__", []any{spec})
	}
	return fmt.Sprint(v), nil
}
