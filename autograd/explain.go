package autograd

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/autograd/internal/schema"
	"github.com/gradtui/gradtui/autograd/random"
)

// This file explains, in PyTorch's words, why no overload accepts the arguments
// of a call. The texts come from the signatures of PyTorch's own parser
// (torch/csrc/utils/python_arg_parser.cpp and invalid_arguments.cpp), not from
// the engine's signatures.

// A pythonCall is a call of a function by a program.
type pythonCall struct {
	name string
	self any // the receiver of a method; not among the arguments
	args []any
	opts []Option
}

// explain returns the error for a call that the engine cannot bind.
func (op *Operator) explain(by caller, args []any, opts []Option) *Error {
	if symbol, ok := operatorSymbols[op.name]; ok && len(args) == 2 {
		return operandError(op.name, symbol, args[0], args[1])
	}
	c := pythonCall{name: strings.TrimPrefix(op.name, "nn_functional_"), args: args, opts: opts}
	signatures, isMethod := op.signatures(by)
	if isMethod && len(args) > 0 {
		if isNone(args[0]) {
			return noneError(op.name)
		}
		c.self, c.args = args[0], args[1:]
	}
	if e := c.explain(signatures); e != nil {
		return e
	}
	return fail(NotImplementedError, CodeUnsupported, "%s(): this engine does not support these arguments: %s", op.name, c.given())
}

// signatures returns the signatures that messages list. The signatures of a
// method do not include the receiver.
func (op *Operator) signatures(by caller) (list []schema.Signature, isMethod bool) {
	in, name := op.ops[0].In, op.name
	method := by == asMethod || by == byGo && in&Method != 0 && op.ops[0].self == 0
	places := []string{"torch", "Tensor"}
	switch {
	case in&Linalg != 0:
		places = []string{"linalg"}
	case in&Special != 0 || strings.HasPrefix(name, "special_"):
		places = []string{"special"}
	case in&Functional != 0:
		places, name = []string{"F", "torch"}, strings.TrimPrefix(name, "nn_functional_")
	case method:
		places = []string{"Tensor", "torch"}
	}
	for _, place := range places {
		if list = schema.Python(place, name); len(list) > 0 {
			isMethod = place == "Tensor"
			break
		}
	}
	unlisted := len(list) == 0
	if unlisted {
		isMethod = method && in&(Method|Property) != 0
	}
	if len(list) == 0 || len(list) == 1 && list[0].Written {
		for _, o := range op.ops {
			s := o.schema.Signature(name, isMethod)
			if unlisted && in&Torch != 0 && !isMethod {
				s.TakeOut()
			}
			list = append(list, s)
		}
	}
	return list, isMethod
}

// explain tries the signatures in turn. It returns nil if one fits.
func (c *pythonCall) explain(signatures []schema.Signature) *Error {
	if len(signatures) > 0 && signatures[0].Written {
		if text := c.matchWritten(&signatures[0]); text != "" {
			return argumentError(text)
		}
		if e := c.callsMethod(); e != nil {
			return e
		}
		signatures = signatures[1:]
	}
	if len(signatures) == 0 {
		return nil
	}
	for i := range signatures {
		s := &signatures[i]
		text, fits := c.match(s)
		switch {
		case fits:
			return c.inside(s)
		case len(signatures) == 1, strings.HasPrefix(text, notTensor):
			return argumentError(text)
		}
	}
	if s := c.plausible(signatures); s != nil {
		text, _ := c.match(s)
		return argumentError(text)
	}
	return argumentError(c.list(signatures))
}

// argumentError returns a TypeError. PyTorch truncates these texts.
func argumentError(text string) *Error {
	return fail(TypeError, CodeArgument, "%s", text[:min(len(text), 1023)])
}

// plausible returns the only signature with this number of arguments, or nil.
func (c *pythonCall) plausible(signatures []schema.Signature) *schema.Signature {
	var only *schema.Signature
	n := len(c.args) + len(c.opts)
	for i := range signatures {
		if s := &signatures[i]; n >= s.Least && n <= s.Most() && !s.Deprecated {
			if only != nil {
				return nil
			}
			only = s
		}
	}
	return only
}

// inside finds mistakes that PyTorch reports after it has chosen a signature.
func (c *pythonCall) inside(s *schema.Signature) *Error {
	for i := range s.Args {
		a := &s.Args[i]
		arg, given := c.keyword(a.Name, true)
		switch {
		case given:
		case i == 0 && len(c.args) > 1 && spreads(s) && !isList(c.args[0]):
			arg = c.args
		case i < len(c.args):
			arg = c.args[i]
		}
		items, _, _ := sequence(arg)
		switch {
		case a.Type == "Dimname":
			if len(items) > 0 {
				arg = items[0]
			}
			if name, ok := arg.(string); ok {
				return c.noSuchName(name)
			}
		case a.List && (a.Type == "int" || a.Type == "SymInt"):
			for at, x := range items {
				if _, isBool := x.(bool); !isBool && !isIndex(x) {
					return fail(TypeError, CodeArgument, "%s(): argument '%s' failed to unpack the object at pos %d with error \"type must be %s,but got %s\"", s.Name, a.Name, at+1, a.TypeName(), pythonTypeOf(x))
				}
			}
		}
	}
	return nil
}

// noSuchName returns the error for a dimension given by name. The engine does
// not support named tensors, so the tensor has no names.
func (c *pythonCall) noSuchName(name string) *Error {
	t, ok := c.self.(*Tensor)
	if !ok && len(c.args) > 0 {
		t, _ = c.args[0].(*Tensor)
	}
	if !identifier.MatchString(name) {
		return fail(RuntimeError, CodeIndex, "Invalid name: a valid identifier contains only digits, alphabetical characters, and/or underscore and starts with a non-digit. got: '%s'.", name)
	}
	names := strings.TrimSuffix(strings.Repeat("None, ", t.Dim()), ", ")
	return fail(RuntimeError, CodeIndex, "Name '%s' not found in Tensor[%s].", name, names)
}

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// numpyNames maps argument names to the names that NumPy uses.
var numpyNames = map[string][]string{"dim": {"axis"}, "keepdim": {"keepdims"}, "input": {"x", "a", "x1"}, "other": {"x2"}}

// keyword finds a keyword argument.
func (c *pythonCall) keyword(name string, numpy bool) (any, bool) {
	for _, o := range c.opts {
		if o.Name == name {
			return o.Value, true
		}
	}
	if numpy {
		for _, other := range numpyNames[name] {
			if v, ok := c.keyword(other, false); ok {
				return v, true
			}
		}
	}
	return nil, false
}

// match reports whether the call fits a signature, and if not, why.
func (c *pythonCall) match(s *schema.Signature) (text string, fits bool) {
	spread := spreads(s)
	if len(c.args) > s.Positional && !spread {
		return tooMany(s, len(c.args), s.Least), false
	}
	at, used := 0, 0
	for i := range s.Args {
		a := &s.Args[i]
		var arg any
		given, keyword := false, false
		if at < len(c.args) {
			if a.KwOnly {
				return tooMany(s, len(c.args), s.Least), false
			}
			arg, given = c.args[at], true
		} else {
			arg, given = c.keyword(a.Name, true)
			keyword = len(c.opts) > 0
		}
		switch {
		case !given && a.HasDefault, given && isNone(arg) && a.None:
		case !given:
			return c.missing(s, i), false
		default:
			bad, text := c.accept(a, i, arg)
			if text != "" {
				return text, false
			}
			if bad != fine && spread && at == 0 && !keyword {
				if isInts(c.args, a.Size) == fine {
					at = len(c.args)
					continue
				}
				bad = 0
				if !isList(arg) {
					arg = Tuple(c.args)
				}
			}
			if bad != fine {
				return c.wrong(s, a, at, keyword, arg, bad), false
			}
		}
		if !keyword {
			at++
		} else if given {
			used++
		}
	}
	if used < len(c.opts) {
		return c.extraKeyword(s), false
	}
	return "", true
}

// spreads reports whether the elements of a signature's only list of ints may
// be given one by one: x.view(2, 3).
func spreads(s *schema.Signature) bool {
	return s.Positional == 1 && s.Args[0].List && s.Args[0].Type == "int"
}

func isList(v any) bool {
	_, isSize := v.(Size)
	_, _, ok := sequence(v)
	return ok || isSize
}

// notTensor begins the message that stops the search for a signature.
const notTensor = "expected Tensor as element"

// matchWritten returns Python's own error for a call of a function that is
// written in Python. Python checks names and counts, not types.
func (c *pythonCall) matchWritten(s *schema.Signature) string {
	call := *c
	if c.self != nil {
		call.args = append([]any{c.self}, c.args...)
	}
	if text := call.extraKeyword(s); text != "" {
		return text
	}
	if len(call.args) > s.Positional {
		least := s.Positional
		for _, a := range s.Args {
			if !a.KwOnly && a.HasDefault {
				least--
			}
		}
		return tooMany(s, len(call.args), least)
	}
	var missing []string
	for i, a := range s.Args {
		if _, given := c.keyword(a.Name, false); !a.HasDefault && !given && i >= len(call.args) {
			missing = append(missing, "'"+a.Name+"'")
		}
	}
	list, plural := strings.Join(missing, ", "), "s"
	switch n := len(missing); n {
	case 0:
		return ""
	case 1:
		plural = ""
	case 2:
		list = missing[0] + " and " + missing[1]
	default:
		list = strings.Join(missing[:n-1], ", ") + ", and " + missing[n-1]
	}
	return fmt.Sprintf("%s() missing %d required positional argument%s: %s", s.Name, len(missing), plural, list)
}

// methodCalls are the functions of torch.nn.functional that begin by calling a
// method of their argument, of whatever type.
var methodCalls = map[string]string{"sigmoid": "sigmoid", "softsign": "abs", "tanh": "tanh", "tanhshrink": "tanh"}

// callsMethod returns Python's error when such a function gets a non-tensor.
func (c *pythonCall) callsMethod() *Error {
	method := methodCalls[c.name]
	if method == "" || len(c.args) == 0 {
		return nil
	}
	if t, ok := c.args[0].(*Tensor); ok && t != nil {
		return nil
	}
	return fail(AttributeError, CodeAttribute, "'%s' object has no attribute '%s'", pythonTypeOf(c.args[0]), method)
}

func tooMany(s *schema.Signature, got, least int) string {
	want, plural, were := strconv.Itoa(s.Positional), "s", "were"
	switch {
	case least != s.Positional:
		want = fmt.Sprintf("from %d to %d", least, s.Positional)
	default:
		if s.Positional == 1 {
			plural = ""
		}
		if got == 1 {
			were = "was"
		}
	}
	return fmt.Sprintf("%s() takes %s positional argument%s but %d %s given", s.Name, want, plural, got, were)
}

func (c *pythonCall) missing(s *schema.Signature, from int) string {
	var names []string
	for _, a := range s.Args[from:] {
		if !a.HasDefault {
			names = append(names, a.Name)
		}
	}
	plural := ""
	if len(names) == 1 {
		plural = "s" // as in PyTorch
	}
	return fmt.Sprintf("%s() missing %d required positional argument%s: \"%s\"", s.Name, len(names), plural, strings.Join(names, `", "`))
}

// extraKeyword returns the message for a keyword that the signature does not
// have, or that was also given by position.
func (c *pythonCall) extraKeyword(s *schema.Signature) string {
	for _, o := range c.opts {
		at := -1
		for i := range s.Args {
			if s.Args[i].Name == o.Name {
				at = i
			}
		}
		switch {
		case at < 0:
			return fmt.Sprintf("%s() got an unexpected keyword argument '%s'", s.Name, o.Name)
		case at < len(c.args):
			return fmt.Sprintf("%s() got multiple values for argument '%s'", s.Name, o.Name)
		}
	}
	return ""
}

// wrong returns the message for an argument of the wrong type. bad is the index
// of the offending element of a list.
func (c *pythonCall) wrong(s *schema.Signature, a *schema.Argument, at int, keyword bool, arg any, bad int) string {
	where := ""
	if !keyword {
		where = fmt.Sprintf(" (position %d)", at+1)
		if bad >= 0 {
			items, _, _ := sequence(arg)
			return fmt.Sprintf("%s(): argument '%s'%s must be %s, but found element of type %s at pos %d", s.Name, a.Name, where, a.TypeName(), pythonTypeOf(items[bad]), bad)
		}
	}
	return fmt.Sprintf("%s(): argument '%s'%s must be %s, not %s", s.Name, a.Name, where, a.TypeName(), pythonTypeOf(arg))
}

// fine and unfit are results of accept, besides the index of a bad element.
const (
	fine  = -2
	unfit = -1
)

// accept reports whether a value can be passed for an argument: it returns
// fine, unfit, or the index of the element that cannot. A list of tensors with
// a non-tensor in it is an error of its own, whatever the other signatures are.
func (c *pythonCall) accept(a *schema.Argument, index int, v any) (bad int, text string) {
	if a.List {
		return acceptList(a, index, v)
	}
	if a.Type == "Tensor" && takesNumbers(c.name) {
		if _, ok := toScalar(v); ok {
			return fine, ""
		}
	}
	check := argumentChecks[a.Type]
	if check == nil || check(v) {
		return fine, ""
	}
	return unfit, ""
}

// argumentChecks checks the types of arguments. A type without an entry accepts
// anything.
var argumentChecks = map[string]func(v any) bool{
	"Tensor": isTensor,
	"Scalar": isNumber,
	"float":  isNumber,
	"int": func(v any) bool {
		if s, ok := toScalar(v); ok {
			return s.IsInt()
		}
		t, ok := v.(*Tensor)
		return ok && isNumber(v) && t.dtype.IsInteger()
	},
	"SymInt":     isIndex,
	"bool":       func(v any) bool { s, ok := toScalar(v); return ok && s.IsBool() },
	"str":        func(v any) bool { _, ok := v.(string); return ok },
	"ScalarType": func(v any) bool { _, ok := v.(DType); return ok },
	"Device": func(v any) bool {
		_, isString := v.(string)
		s, ok := toScalar(v)
		return isString || ok && s.IsInt()
	},
	"Generator":    func(v any) bool { _, ok := v.(*random.Generator); return ok },
	"Layout":       isWord,
	"MemoryFormat": isWord,
	"Dimname":      func(v any) bool { _, ok := v.(string); return ok || isNone(v) },
}

func isTensor(v any) bool { t, ok := v.(*Tensor); return ok && t != nil }

// isWord accepts strings. They stand for constants of PyTorch that have no type
// in the engine.
func isWord(v any) bool { _, ok := v.(string); return ok }

// isNumber accepts numbers, and tensors that can be used as numbers.
func isNumber(v any) bool {
	if _, ok := toScalar(v); ok {
		return true
	}
	_, ok := zeroDim(v)
	return ok
}

func acceptList(a *schema.Argument, index int, v any) (bad int, text string) {
	items, _, isList := sequence(v)
	ok := false
	switch a.Type {
	case "int":
		return isInts(v, a.Size), ""
	case "Tensor":
		for i, x := range items {
			if !isTensor(x) {
				return unfit, fmt.Sprintf(notTensor+" %d in argument %d, but got %s", i, index, pythonTypeOf(x))
			}
		}
		ok = isList
	case "float":
		ok = isList && (len(items) == 0 || isPlainNumber(items[0]))
	case "Scalar":
		ok = isList
		for _, x := range items {
			ok = ok && isPlainNumber(x)
		}
	case "Dimname":
		check := argumentChecks["Dimname"]
		ok = isList && (len(items) == 0 || check(items[0])) || a.Size == 1 && check(v)
	default:
		ok = isList
	}
	if !ok {
		return unfit, ""
	}
	return fine, ""
}

func isPlainNumber(v any) bool { _, ok := toScalar(v); return ok }

// isInts checks a list of ints by its first element, as PyTorch does. A single
// int may stand for a list of fixed size.
func isInts(v any, size int) int {
	items, _, ok := sequence(v)
	switch {
	case !ok && size > 0 && isIndex(v), ok && (len(items) == 0 || isIndex(items[0])):
		return fine
	case ok:
		return 0
	}
	return unfit
}

// isIndex reports whether a value can be used as an int: an int, or an integer
// tensor of one element.
func isIndex(v any) bool {
	if s, ok := toScalar(v); ok {
		return s.IsInt()
	}
	t, ok := v.(*Tensor)
	return ok && t.usable("") == nil && t.dtype.IsInteger() && t.Numel() == 1
}

// sequence returns the elements of a list or tuple.
func sequence(v any) (items []any, tuple, ok bool) {
	switch v := v.(type) {
	case []any:
		return v, false, true
	case Tuple:
		return v, true, true
	case Size:
		return anys(v), true, true
	case []int:
		return anys(v), false, true
	case []int64:
		return anys(v), false, true
	case []float64:
		return anys(v), false, true
	case []bool:
		return anys(v), false, true
	case []*Tensor:
		return anys(v), false, true
	}
	return nil, false, false
}

func anys[T any](list []T) []any {
	out := make([]any, len(list))
	for i, x := range list {
		out[i] = x
	}
	return out
}

// given lists the types of the arguments.
func (c *pythonCall) given() string {
	var b strings.Builder
	b.WriteByte('(')
	for i, arg := range c.args {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(pythonTypeOf(arg))
	}
	// Python's order is the order of a hash table, which comes out backwards.
	for i := len(c.opts) - 1; i >= 0; i-- {
		if len(c.args) > 0 {
			b.WriteString(", ")
		}
		b.WriteString(c.opts[i].Name + "=" + pythonTypeOf(c.opts[i].Value))
		if len(c.args) == 0 {
			b.WriteString(", ") // as in PyTorch
		}
	}
	b.WriteByte(')')
	return b.String()
}

// list returns the message that shows all signatures.
func (c *pythonCall) list(signatures []schema.Signature) string {
	var shown []*schema.Signature
	for i := range signatures {
		if !signatures[i].Deprecated {
			shown = append(shown, &signatures[i])
		}
	}
	text := c.name + "() received an invalid combination of arguments - "
	if len(shown) == 1 {
		o := optionOf(shown[0])
		if unknown := c.unknownKeywords(o); len(unknown) > 0 {
			return text + "got unrecognized keyword arguments: " + strings.Join(unknown, ", ")
		}
		got := c.given()
		if len(c.args)+len(c.opts) == len(o) {
			got = c.compared(o)
		}
		return text + "got " + got + ", but expected " + shown[0].String()
	}
	text += "got " + c.given() + ", but expected one of:\n"
	for _, s := range shown {
		text += " * " + s.String() + "\n"
		o := optionOf(s)
		if len(c.args)+len(c.opts) != len(o) {
			continue
		}
		if unknown := c.unknownKeywords(o); len(unknown) > 0 {
			text += "      didn't match because some of the keywords were incorrect: " + strings.Join(unknown, ", ") + "\n"
		} else {
			text += "      didn't match because some of the arguments have invalid types: " + c.compared(o) + "\n"
		}
	}
	return text
}

// An option is a signature as PyTorch's comparison with the arguments parses it
// from the text: the star counts as an argument, and a default belongs to the
// type of the next word.
type option []struct{ name, typ string }

func optionOf(s *schema.Signature) option {
	text := s.String()
	var o option
	for _, part := range strings.Split(text[1:len(text)-1], ", ") {
		at := strings.LastIndexByte(part, ' ')
		o = append(o, struct{ name, typ string }{part[at+1:], part[:max(at, 0)]})
	}
	return o
}

// unknownKeywords returns the keywords of the call that an option does not
// have.
func (c *pythonCall) unknownKeywords(o option) (unknown []string) {
	for i := len(c.opts) - 1; i >= 0; i-- {
		found := false
		for _, a := range o[max(len(o)-len(c.opts), 0):] {
			found = found || a.name == c.opts[i].Name
		}
		if !found {
			unknown = append(unknown, c.opts[i].Name)
		}
	}
	return unknown
}

// compared lists the types of the arguments and marks the ones that an option
// does not accept.
func (c *pythonCall) compared(o option) string {
	parts := make([]string, len(o))
	for i, a := range o {
		var arg any
		name := ""
		if i < len(c.args) {
			arg = c.args[i]
		} else {
			arg, _ = c.keyword(a.name, false)
			name = a.name + "="
		}
		parts[i] = name + describedType(arg)
		if !plainlyOf(arg, a.typ) {
			parts[i] = "!" + parts[i] + "!"
		}
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// plainlyOf reports whether the type of v has the given name.
func plainlyOf(v any, typ string) bool {
	have := pythonTypeOf(v)
	return have == typ || typ == "float" && have == "int"
}

// describedType returns the name of v's type, with the types of the elements
// for a list.
func describedType(v any) string {
	items, tuple, ok := sequence(v)
	if !ok {
		return pythonTypeOf(v)
	}
	types := make([]string, len(items))
	for i, x := range items {
		types[i] = pythonTypeOf(x)
	}
	inside := strings.Join(types, ", ")
	if !tuple {
		return "list of [" + inside + "]"
	}
	if len(items) == 1 {
		inside += ","
	}
	return "tuple of (" + inside + ")"
}

// pythonTypeOf returns the name of the Python type of a Go value.
func pythonTypeOf(v any) string {
	if s, ok := toScalar(v); ok {
		return s.typeName()
	}
	switch v := v.(type) {
	case nil:
		return "NoneType"
	case *Tensor:
		if v == nil {
			return "NoneType"
		}
		if v.IsParameter() {
			return "Parameter"
		}
		return "Tensor"
	case string:
		return "str"
	case DType:
		return "torch.dtype"
	case []int, []*Tensor, []any, []float64:
		return "list"
	case Tuple:
		return "tuple"
	case Size:
		return "torch.Size"
	case NamedTuple:
		return v.Type
	case *Node:
		return v.ClassName()
	case *SavedTensor:
		return "torch._C._autograd.SavedTensor"
	case *Callback:
		return "function"
	case *BoundMethod:
		return "builtin_function_or_method"
	case interface{ PythonType() string }:
		return v.PythonType()
	}
	return fmt.Sprintf("%T", v)
}

// TypeName returns the name of a value's type as messages show it. A value of a
// front end may define it with a method PythonType.
func TypeName(v any) string { return pythonTypeOf(v) }
