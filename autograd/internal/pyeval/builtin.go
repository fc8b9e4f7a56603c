package pyeval

import (
	"math"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/pycall"
)

// builtins are Python's builtins.
var builtins map[string]any

func makeBuiltins() map[string]any {
	all := map[string]any{
		"staticmethod": &function{"staticmethod", func(args []any, _ []autograd.Option) (any, error) { return args[0], nil }},
		"bool":         builtin("bool", func(v any) (any, error) { return truth(v) }),
		"len":          builtin("len", length),
		"list":         builtin("list", func(v any) (any, error) { list, err := iterate(v); return list, err }),
		"tuple":        builtin("tuple", func(v any) (any, error) { list, err := iterate(v); return autograd.Tuple(list), err }),
		"abs":          builtin("abs", func(v any) (any, error) { return dunder("__abs__", v) }),
		"float":        builtin("float", func(v any) (any, error) { return dunder("__float__", v) }),
		"int":          builtin("int", func(v any) (any, error) { return dunder("__int__", v) }),
		"repr":         builtin("repr", func(v any) (any, error) { return dunder("__repr__", v) }),
		"sum":          builtin("sum", sum),
		"range":        builtin("range", func(v any) (any, error) { return counted(v.(int)), nil }),
	}
	for _, e := range []autograd.ErrorType{
		autograd.RuntimeError, autograd.ValueError, autograd.TypeError, autograd.IndexError, autograd.KeyError, autograd.AttributeError, autograd.NotImplementedError,
		autograd.ZeroDivisionError, autograd.AssertionError, "Exception",
	} {
		all[string(e)] = e
	}
	return all
}

func builtin(name string, f func(v any) (any, error)) *function {
	return &function{name, func(args []any, _ []autograd.Option) (any, error) {
		if len(args) != 1 {
			return nil, raised(autograd.TypeError, "%s() takes exactly one argument (%d given)", name, len(args))
		}
		return f(args[0])
	}}
}

// typeName returns the name of the Python type of a value.
func typeName(v any) string {
	switch v.(type) {
	case *function, *class:
		return "function"
	case *dict:
		return "dict"
	}
	return pycall.TypeName(v)
}

// dunder calls a method whose name has double underscores.
func dunder(name string, v any, args ...any) (any, error) {
	if !ofEngine(v) {
		return nil, raised(autograd.TypeError, "'%s' object has no %s", typeName(v), name)
	}
	return autograd.CallAttr(v, name, forEngine(args))
}

func truth(v any) (bool, error) {
	switch x := v.(type) {
	case nil:
		return false, nil
	case bool:
		return x, nil
	case int:
		return x != 0, nil
	case float64:
		return x != 0, nil
	case string:
		return x != "", nil
	case *autograd.Tensor:
		b, err := autograd.CallAttr(x, "__bool__", nil)
		return b == true, err
	case []any, autograd.Tuple, autograd.Size, autograd.NamedTuple, *dict:
		n, err := length(v)
		return n != 0, err
	}
	return true, nil
}

func length(v any) (any, error) {
	switch x := v.(type) {
	case string:
		return len(x), nil
	case *dict:
		return len(x.pairs), nil
	case *autograd.Tensor:
		return autograd.CallAttr(x, "__len__", nil)
	}
	list, err := iterate(v)
	if err != nil {
		return nil, raised(autograd.TypeError, "object of type '%s' has no len()", typeName(v))
	}
	return len(list), nil
}

// iterate returns the values of a for loop over v.
func iterate(v any) ([]any, error) {
	switch x := v.(type) {
	case []any:
		return x, nil
	case autograd.Tuple:
		return x, nil
	case autograd.NamedTuple:
		return x.Tuple, nil
	case autograd.Size:
		list := make([]any, len(x))
		for i, n := range x {
			list[i] = n
		}
		return list, nil
	case *autograd.Tensor:
		rows, err := autograd.CallAttr(x, "__iter__", nil)
		if err != nil {
			return nil, err
		}
		return rows.(autograd.Tuple), nil
	}
	return nil, raised(autograd.TypeError, "'%s' object is not iterable", typeName(v))
}

func counted(n int) []any {
	list := make([]any, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func sum(v any) (any, error) {
	list, err := iterate(v)
	var total any = 0
	for _, x := range list {
		if total, err = binary("Add", total, x); err != nil {
			return nil, err
		}
	}
	return total, err
}

// item evaluates obj[index].
func item(obj, index any) (any, error) {
	switch x := obj.(type) {
	case *autograd.Tensor:
		return autograd.CallAttr(x, "__getitem__", []any{toEngine(index)})
	case *dict:
		if v, ok := x.get(index); ok {
			return v, nil
		}
		return nil, raised(autograd.KeyError, "%v", index)
	}
	list, err := iterate(obj)
	if err != nil {
		return nil, raised(autograd.TypeError, "'%s' object is not subscriptable", typeName(obj))
	}
	if part, ok := index.(autograd.Slice); ok {
		return partOf(obj, list, part), nil
	}
	i, ok := index.(int)
	if i < 0 {
		i += len(list)
	}
	if !ok || i < 0 || i >= len(list) {
		kind := "tuple"
		if _, isList := obj.([]any); isList {
			kind = "list"
		}
		return nil, raised(autograd.IndexError, "%s index out of range", kind)
	}
	return list[i], nil
}

// partOf returns a slice, without a step, of a list or a tuple.
func partOf(obj any, list []any, part autograd.Slice) any {
	place := func(v any, otherwise int) int {
		i, ok := v.(int)
		if !ok {
			return otherwise
		}
		if i < 0 {
			i += len(list)
		}
		return min(max(i, 0), len(list))
	}
	from, to := place(part.Start, 0), place(part.Stop, len(list))
	list = slices.Clone(list[from:max(from, to)])
	if _, ok := obj.([]any); ok {
		return list
	}
	return autograd.Tuple(list)
}

// setItem executes obj[index] = v.
func setItem(obj, index, v any) error {
	if t, ok := obj.(*autograd.Tensor); ok {
		_, err := autograd.CallAttr(t, "__setitem__", []any{toEngine(index), toEngine(v)})
		return err
	}
	list, isList := obj.([]any)
	i, isInt := index.(int)
	if !isList || !isInt || i < 0 || i >= len(list) {
		return raised(autograd.TypeError, "'%s' object does not support item assignment", typeName(obj))
	}
	list[i] = v
	return nil
}

// operators maps binary operators to their methods, without underscores, and to
// their results for plain numbers.
var operators = map[string]struct {
	method, sign string
	plain        func(x, y float64) float64
}{
	"Add":      {"add", "+", func(x, y float64) float64 { return x + y }},
	"Sub":      {"sub", "-", func(x, y float64) float64 { return x - y }},
	"Mult":     {"mul", "*", func(x, y float64) float64 { return x * y }},
	"Div":      {"truediv", "/", func(x, y float64) float64 { return x / y }},
	"FloorDiv": {"floordiv", "//", func(x, y float64) float64 { return math.Floor(x / y) }},
	"Mod":      {"mod", "%", func(x, y float64) float64 { return x - y*math.Floor(x/y) }},
	"Pow":      {"pow", "** or pow()", math.Pow},
	"MatMult":  {"matmul", "@", nil},
	"BitAnd":   {"and", "&", nil},
	"BitOr":    {"or", "|", nil},
	"BitXor":   {"xor", "^", nil},
	"LShift":   {"lshift", "<<", nil},
	"RShift":   {"rshift", ">>", nil},
}

// binary evaluates a binary operator: the method of the left operand, then of
// the right one.
func binary(op string, left, right any) (any, error) {
	o := operators[op]
	for i, attempt := range []string{"__" + o.method + "__", "__r" + o.method + "__"} {
		of, other := left, right
		if i == 1 {
			of, other = right, left
		}
		t, ok := of.(*autograd.Tensor)
		if !ok {
			continue
		}
		if v, err := autograd.CallAttr(t, attempt, []any{toEngine(other)}); err != nil || v != autograd.NotImplemented {
			return v, err
		}
	}
	if v, ok := arithmetic(op, left, right); ok {
		return v, nil
	}
	if x, ok := left.(autograd.Tuple); ok && op == "Add" {
		if y, ok := right.(autograd.Tuple); ok {
			return slices.Concat(x, y), nil
		}
	}
	return nil, raised(autograd.TypeError, "unsupported operand type(s) for %s: '%s' and '%s'", o.sign, typeName(left), typeName(right))
}

// augmented evaluates the operator of an augmented assignment.
func augmented(op string, old, v any) (any, error) {
	if t, ok := old.(*autograd.Tensor); ok {
		changed, err := autograd.CallAttr(t, "__i"+operators[op].method+"__", []any{toEngine(v)})
		if err == nil && changed != autograd.NotImplemented {
			return changed, nil
		}
		var e *autograd.Error
		if as(err, &e) && !strings.Contains(e.Text, "has no attribute") {
			return nil, err
		}
	}
	return binary(op, old, v)
}

// arithmetic computes with plain numbers. An integer that overflows becomes a
// float, as the engine receives large numbers.
func arithmetic(op string, left, right any) (any, bool) {
	x, xInt, ok := number(left)
	y, yInt, ok2 := number(right)
	compute := operators[op].plain
	if !ok || !ok2 || compute == nil {
		return nil, false
	}
	z := compute(x, y)
	if xInt && yInt && op != "Div" && math.Abs(z) < 1<<53 && z == math.Trunc(z) {
		return int(z), true
	}
	return z, true
}

func number(v any) (x float64, isInt, ok bool) {
	switch x := v.(type) {
	case bool:
		if x {
			return 1, true, true
		}
		return 0, true, true
	case int:
		return float64(x), true, true
	case float64:
		return x, false, true
	}
	return 0, false, false
}

func unary(op string, v any) (any, error) {
	if op == "Not" {
		on, err := truth(v)
		return !on, err
	}
	if x, isInt, ok := number(v); ok && op != "Invert" {
		if op == "USub" {
			x = -x
		}
		if isInt {
			return int(x), nil
		}
		return x, nil
	}
	return dunder(map[string]string{"USub": "__neg__", "UAdd": "__pos__", "Invert": "__invert__"}[op], v)
}

// comparisons maps comparison operators to their methods, and to their results
// for plain numbers.
var comparisons = map[string]struct {
	method, reflected string
	plain             func(x, y float64) bool
}{
	"Eq":    {"__eq__", "__eq__", func(x, y float64) bool { return x == y }},
	"NotEq": {"__ne__", "__ne__", func(x, y float64) bool { return x != y }},
	"Lt":    {"__lt__", "__gt__", func(x, y float64) bool { return x < y }},
	"LtE":   {"__le__", "__ge__", func(x, y float64) bool { return x <= y }},
	"Gt":    {"__gt__", "__lt__", func(x, y float64) bool { return x > y }},
	"GtE":   {"__ge__", "__le__", func(x, y float64) bool { return x >= y }},
}

func compare(op string, left, right any) (any, error) {
	switch op {
	case "Is":
		return left == right, nil
	case "IsNot":
		return left != right, nil
	case "In", "NotIn":
		return contains(right, left, op == "In")
	}
	c := comparisons[op]
	if t, ok := left.(*autograd.Tensor); ok {
		return autograd.CallAttr(t, c.method, []any{toEngine(right)})
	}
	if t, ok := right.(*autograd.Tensor); ok {
		return autograd.CallAttr(t, c.reflected, []any{toEngine(left)})
	}
	x, _, ok := number(left)
	y, _, ok2 := number(right)
	if ok && ok2 {
		return c.plain(x, y), nil
	}
	if op == "Eq" || op == "NotEq" {
		return (left == right) == (op == "Eq"), nil
	}
	return nil, raised(autograd.TypeError, "'%s' not supported between instances of '%s' and '%s'", op, typeName(left), typeName(right))
}

func contains(in, x any, want bool) (any, error) {
	if t, ok := in.(*autograd.Tensor); ok {
		found, err := autograd.CallAttr(t, "__contains__", []any{toEngine(x)})
		return found == want, err
	}
	list, err := iterate(in)
	if err != nil {
		return nil, err
	}
	for _, y := range list {
		if x == y {
			return want, nil
		}
	}
	return !want, nil
}
