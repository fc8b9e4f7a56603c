package autograd

import (
	"slices"
	"strings"
)

// This file is the object protocol that a front end binds to, Python's or a
// script's: attributes of tensors, nodes and None by name, methods, and the
// functions of the torch modules, with values as Python knows them. The tables
// in dynamic_tensor.go, dynamic_node.go and dynamic_function.go list what
// exists; operators come from the op table.
//
// Values are *Tensor, *Node, nil (None), bool, int, uint64, float64, string,
// DType, Tuple, []any (list), Size and NamedTuple. A nil *Tensor or *Node is
// None too.

// A Tuple is a Python tuple; a list is []any.
type Tuple []any

// A Size is a torch.Size.
type Size []int

// A NamedTuple is a tuple whose elements have names.
type NamedTuple struct {
	Type   string // for example "torch.return_types.max"
	Fields []string
	Tuple
}

// NotImplemented is the result of a method such as __add__ for an operand of an
// unknown type. Python then asks the operand.
var NotImplemented = new(struct{ notImplemented bool })

// A BoundMethod is a method bound to its object.
type BoundMethod struct {
	Name string
	call func(args []any, opts []Option) (any, error)
}

// Call calls the method.
func (m *BoundMethod) Call(args []any, opts ...Option) (any, error) { return m.call(args, opts) }

// A Callback is a function of the program that a front end passes to a method
// such as register_hook.
type Callback struct {
	Name string // as messages show it: "<lambda>"
	Call func(args []any) (any, error)
}

func callback(v any) (*Callback, error) {
	f, ok := v.(*Callback)
	if !ok {
		return nil, fail(TypeError, CodeArgument, "'%s' object is not callable", pythonTypeOf(v))
	}
	return f, nil
}

// Attr is obj.name, as getattr gives it.
func Attr(obj any, name string) (any, error) {
	var value any
	var err error
	switch x := none(obj).(type) {
	case *Tensor:
		if x.err != nil {
			return nil, x.err
		}
		value, err = tensorAttr(x, name)
	case *Node:
		value, err = nodeAttr(x, name)
	case *SavedTensor:
		value, err = x.attr(name)
	default:
		err = noAttribute(obj, name)
	}
	if err != nil {
		return nil, noted(err, name)
	}
	return value, nil
}

// SetAttr is obj.name = value.
func SetAttr(obj any, name string, value any) error {
	t, ok := none(obj).(*Tensor)
	if !ok {
		return noted(noAttribute(obj, name), name)
	}
	if t.err != nil {
		return t.err
	}
	return noted(setTensorAttr(t, name, none(value)), name)
}

// CallAttr is obj.name(args..., opts...).
func CallAttr(obj any, name string, args []any, opts ...Option) (any, error) {
	value, err := Attr(obj, name)
	if err != nil {
		return nil, err
	}
	if m, ok := value.(*BoundMethod); ok {
		return m.call(args, opts)
	}
	return nil, noted(fail(TypeError, CodeAttribute, "'%s' object is not callable", pythonTypeOf(value)), name)
}

// none turns the Go forms of None into nil.
func none(v any) any {
	switch x := v.(type) {
	case *Tensor:
		if x == nil {
			return nil
		}
	case *Node:
		if x == nil {
			return nil
		}
	}
	return v
}

func noAttribute(obj any, name string) *Error {
	return fail(AttributeError, CodeAttribute, "'%s' object has no attribute '%s'", pythonTypeOf(obj), name)
}

// CallFunction calls a function of PyTorch by its full name: "torch.add",
// "torch.linalg.norm", "torch.nn.functional.relu", "torch.autograd.grad".
func CallFunction(name string, args []any, opts ...Option) (any, error) {
	if f, ok := torchFunctions[name]; ok {
		value, err := f.call(args, opts)
		return value, noted(err, name[strings.LastIndexByte(name, '.')+1:])
	}
	if op, by := operatorOf(name); op != nil {
		return op.value(by, args, opts)
	}
	dot := strings.LastIndexByte(name, '.')
	module, short := name[:max(dot, 0)], name[dot+1:]
	return nil, noted(fail(AttributeError, CodeUnsupported, "module '%s' has no attribute '%s'", module, short), short)
}

// operatorPrefixes maps a module to the prefixes of its functions in the op
// table.
var operatorPrefixes = map[string][]string{
	"torch":               {""},
	"torch.linalg":        {"linalg_"},
	"torch.special":       {"special_"},
	"torch.nn.utils":      {"nn_utils_"},
	"torch.nn.functional": {"nn_functional_", ""},
}

// operatorOf returns the operator with a full name such as "torch.add" or
// "Tensor.add", and how it is called. It returns nil for other names.
func operatorOf(name string) (*Operator, caller) {
	if method, ok := strings.CutPrefix(name, "Tensor."); ok {
		_, byHand := tensorMethods[method]
		if op, ok := Lookup(method); ok && !byHand && op.in(Method) && method != "type" {
			return op, asMethod
		}
		return nil, asMethod
	}
	if _, byHand := torchFunctions[name]; !byHand {
		dot := strings.LastIndexByte(name, '.')
		for _, prefix := range operatorPrefixes[name[:max(dot, 0)]] {
			if op, ok := Lookup(prefix + name[dot+1:]); ok && op.in(^Hidden) {
				return op, asFunction
			}
		}
	}
	return nil, asFunction
}

// value calls an operator and converts the result to the form that Python
// shows.
func (op *Operator) value(by caller, args []any, opts []Option) (any, error) {
	o, outs, err := op.invoke(by, args, opts)
	switch {
	case err != nil && asError(err).Code == CodeOperand:
		return NotImplemented, nil
	case err != nil:
		return nil, err
	case o == nil || len(outs) == 1 && outs[0] == nil:
		return nil, nil
	}
	s := o.schema
	switch {
	case s.Name == "__setitem__" || len(s.Returns) == 0:
		return nil, nil
	case len(s.Returns) > 1 && len(s.Fields) == len(s.Returns) && isNamedTuple(s.Name):
		name := "torch.return_types." + s.Name
		if givesOut(opts) {
			name += "_out"
		}
		return NamedTuple{name, s.Fields, tupleOf(outs).(Tuple)}, nil
	case len(s.Returns) > 1:
		return tupleOf(outs), nil
	case strings.HasPrefix(s.Name, "_foreach_"):
		return []any(tupleOf(outs).(Tuple)), nil
	case strings.HasSuffix(s.Returns[0], "[]"):
		if givesOut(opts) {
			if s.Name == "nonzero" {
				return outs[0], nil
			}
			return nil, nil
		}
		if outs == nil {
			outs = []*Tensor{}
		}
		if len(outs) == 1 && comesAlone(s.Name, opts) {
			return outs[0], nil
		}
		return tupleOf(outs), nil
	case s.Returns[0] == "bool":
		return outs[0].Truth()
	case len(outs) > 1: // as for operators with return_indices
		return tupleOf(outs), nil
	}
	return outs[0], nil
}

// givesOut reports whether a call passes out=.
func givesOut(opts []Option) bool {
	return slices.ContainsFunc(opts, func(o Option) bool { return o.Name == "out" && !isNone(o.Value) })
}

// comesAlone reports whether the only result of an operator with a variable
// number of results is not in a tuple. unique returns a tensor if no other
// result was requested; so does nonzero without as_tuple=True.
func comesAlone(operator string, opts []Option) bool {
	asked := slices.ContainsFunc(opts, func(o Option) bool { return o.Name == "as_tuple" && o.Value == true })
	return strings.HasPrefix(operator, "unique") || operator == "nonzero" && !asked
}

// isNamedTuple reports whether the results of an operator have names in Python.
// The results of operators that are parts of others do not.
func isNamedTuple(operator string) bool {
	return !strings.HasPrefix(operator, "nn_functional_") && !strings.HasPrefix(operator, "_")
}

// tupleOf returns a list of tensors as a Tuple, or nil for nil.
func tupleOf(ts []*Tensor) any {
	if ts == nil {
		return nil
	}
	tuple := make(Tuple, len(ts))
	for i, t := range ts {
		if t != nil {
			tuple[i] = t
		}
	}
	return tuple
}

// A binding describes a function that is not an operator: the names of its
// parameters, of which the first are required, and its implementation.
type binding struct {
	name     string // as messages show it
	params   string // separated by spaces; * accepts any number
	required int
	run      func(args []any) (any, error)
}

// call binds the arguments to the parameters; missing ones are absent.
func (b *binding) call(args []any, opts []Option) (value any, err error) {
	defer rescue(&err)
	if b.params == "*" {
		return b.run(args)
	}
	params := strings.Fields(b.params)
	if len(args) > len(params) {
		return nil, b.tooMany(len(params), len(args))
	}
	values := make([]any, len(params))
	for i := range values {
		values[i] = absent
	}
	for i, arg := range args {
		values[i] = none(arg)
	}
	for _, o := range opts {
		i := slices.Index(params, o.Name)
		switch {
		case i < 0:
			return nil, fail(TypeError, CodeArgument, "%s() got an unexpected keyword argument '%s'", b.name, o.Name)
		case values[i] != absent:
			return nil, fail(TypeError, CodeArgument, "%s() got multiple values for argument '%s'", b.name, o.Name)
		}
		values[i] = none(o.Value)
	}
	for i := range b.required {
		if values[i] == absent {
			return nil, fail(TypeError, CodeArgument, "%s() missing 1 required positional argument: '%s'", b.name, params[i])
		}
	}
	return b.run(values)
}

func (b *binding) tooMany(most, got int) *Error {
	if b.required == most {
		return fail(TypeError, CodeArgument, "%s() takes %d positional arguments but %d were given", b.name, most, got)
	}
	return fail(TypeError, CodeArgument, "%s() takes from %d to %d positional arguments but %d were given", b.name, b.required, most, got)
}

// absent stands for an argument that was not given.
var absent any = new(struct{ absent bool })

// keywords turns arguments into options, without the absent ones.
func keywords(params string, values []any) []Option {
	var opts []Option
	for i, name := range strings.Fields(params) {
		if values[i] != absent {
			opts = append(opts, Kw(name, values[i]))
		}
	}
	return opts
}

// or returns the value of an argument, or a fallback if it is absent.
func or(value, fallback any) any {
	if value == absent {
		return fallback
	}
	return value
}

// asNumber returns a Scalar as a plain Go value.
func asNumber(s Scalar) any {
	switch {
	case s.IsFloat():
		return s.Float()
	case s.IsBool():
		return s.Bool()
	default:
		return int(s.Int())
	}
}
