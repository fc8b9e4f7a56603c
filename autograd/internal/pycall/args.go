// Package pycall implements the Python conventions that packages on top of the
// engine share: calls with keyword arguments and their error messages, names of
// types, and the text of values.
package pycall

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/schema"
)

// Args holds the arguments of a call, with defaults for missing ones. Numbers
// keep their type, int or float64, because it decides how they print.
type Args struct {
	function string // for messages: "Linear.__init__"
	sig      *schema.Schema
	values   map[string]any
}

// Bind binds the arguments of a call to a signature. function is the name in
// messages. As for a method, messages count self as an argument. Errors are
// Python's TypeErrors.
func Bind(function string, sig *schema.Schema, args []any, opts []autograd.Option) (*Args, error) {
	a := &Args{function: function, sig: sig, values: map[string]any{}}
	n := a.positional()
	for i, arg := range args[:min(n, len(args))] {
		if err := a.set(&sig.Params[i], arg); err != nil {
			return nil, err
		}
	}
	for _, o := range opts {
		p := a.param(o.Name)
		if p == nil {
			return nil, typeError("%s() got an unexpected keyword argument '%s'", function, o.Name)
		}
		if _, twice := a.values[o.Name]; twice {
			return nil, typeError("%s() got multiple values for argument '%s'", function, o.Name)
		}
		if err := a.set(p, o.Value); err != nil {
			return nil, err
		}
	}
	if len(args) > n {
		return nil, a.tooMany(n, len(args))
	}
	return a, a.fill()
}

// positional returns how many parameters may be given by position.
func (a *Args) positional() int {
	n := 0
	for n < len(a.sig.Params) && !a.sig.Params[n].KwOnly {
		n++
	}
	return n
}

func (a *Args) param(name string) *schema.Param {
	for i := range a.sig.Params {
		if a.sig.Params[i].Name == name {
			return &a.sig.Params[i]
		}
	}
	return nil
}

// fill gives the remaining parameters their defaults. A missing required
// argument is an error.
func (a *Args) fill() error {
	var missing []string
	for i := range a.sig.Params {
		p := &a.sig.Params[i]
		if _, ok := a.values[p.Name]; ok {
			continue
		}
		if !p.HasDefault {
			missing = append(missing, p.Name)
			continue
		}
		switch d := p.Default.(type) {
		case int64:
			a.values[p.Name] = int(d)
		case []float64:
			a.values[p.Name] = slices.Clone(d)
		default:
			a.values[p.Name] = d
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return MissingArguments(a.function, missing)
}

// MissingArguments returns Python's error for missing arguments.
func MissingArguments(function string, names []string) error {
	for i, name := range names {
		names[i] = "'" + name + "'"
	}
	plural, last := "s", len(names)-1
	text := names[last]
	switch {
	case last == 0:
		plural = ""
	case last == 1:
		text = names[0] + " and " + text
	default:
		text = strings.Join(names[:last], ", ") + ", and " + text
	}
	return typeError("%s() missing %d required positional argument%s: %s", function, len(names), plural, text)
}

// tooMany returns Python's error for too many arguments, including self.
func (a *Args) tooMany(most, got int) error {
	least := 0
	for _, p := range a.sig.Params[:most] {
		if !p.HasDefault {
			least++
		}
	}
	return TooManyArguments(a.function, least, most, got)
}

// TooManyArguments returns Python's error for too many arguments of a method,
// which takes from least to most arguments, not counting self.
func TooManyArguments(function string, least, most, got int) error {
	takes := fmt.Sprintf("from %d to %d", least+1, most+1)
	if least == most {
		takes = fmt.Sprint(most + 1)
	}
	plural := "s"
	if takes == "1" {
		plural = ""
	}
	return typeError("%s() takes %s positional argument%s but %d were given", function, takes, plural, got+1)
}

// set stores an argument if it fits the parameter.
func (a *Args) set(p *schema.Param, arg any) error {
	v, ok := Convert(p, arg)
	if !ok {
		return typeError("%s(): argument '%s' must be %s, not %s", a.function, p.Name, p.TypeString(), TypeName(arg))
	}
	a.values[p.Name] = v
	return nil
}

// Convert converts an argument to the form in which Args holds it. ok is false
// if it does not fit the parameter. A single number may stand for a list of
// fixed size.
func Convert(p *schema.Param, arg any) (any, bool) {
	if IsNone(arg) {
		return nil, p.Optional || p.Type == schema.Index
	}
	if s, ok := arg.(autograd.Scalar); ok {
		switch {
		case s.IsFloat():
			arg = s.Float()
		case s.IsBool():
			arg = s.Bool()
		default:
			arg = int(s.Int())
		}
	}
	switch v := arg.(type) {
	case int64:
		arg = int(v)
	case float32:
		arg = float64(v)
	case []any:
		arg = numbers(v, p.Type)
	case autograd.Tuple:
		arg = numbers(v, p.Type)
	}
	switch v := arg.(type) {
	case int:
		return v, p.Type == schema.Int || p.Type == schema.Float || p.Type == schema.Index
	case float64:
		return v, p.Type == schema.Float || p.Type == schema.Index
	case bool:
		return v, p.Type == schema.Bool
	case string:
		return v, p.Type == schema.Str || p.Type == schema.Index
	case []int:
		return v, p.List && p.Type == schema.Int || p.Type == schema.Index
	case []float64:
		return v, p.List && p.Type == schema.Float || p.Type == schema.Index
	case *autograd.Tensor:
		return v, p.Type == schema.Tensor && v.Err() == nil
	case autograd.DType:
		return v, p.Type == schema.DType
	}
	return arg, p.Type == schema.Index
}

// numbers converts a list of numbers to []float64, or to []int if all are ints
// and t is not Float. It returns other lists unchanged.
func numbers(list []any, t schema.Type) any {
	ints, floats := make([]int, len(list)), make([]float64, len(list))
	whole := true
	for i, x := range list {
		switch x := x.(type) {
		case int:
			ints[i], floats[i] = x, float64(x)
		case float64:
			whole, floats[i] = false, x
		default:
			return list
		}
	}
	if whole && t != schema.Float {
		return ints
	}
	return floats
}

// Value returns an argument, or nil for None.
func (a *Args) Value(name string) any { return a.values[name] }

// Has reports whether an argument is not None.
func (a *Args) Has(name string) bool { return a.values[name] != nil }

// Int returns an integer argument.
func (a *Args) Int(name string) int {
	i, _ := a.values[name].(int)
	return i
}

// Float returns a number argument as a float64.
func (a *Args) Float(name string) float64 {
	if i, ok := a.values[name].(int); ok {
		return float64(i)
	}
	f, _ := a.values[name].(float64)
	return f
}

// Bool returns a bool argument.
func (a *Args) Bool(name string) bool {
	b, _ := a.values[name].(bool)
	return b
}

// Str returns a string argument.
func (a *Args) Str(name string) string {
	s, _ := a.values[name].(string)
	return s
}

// Tensor returns a tensor argument, or nil for None.
func (a *Args) Tensor(name string) *autograd.Tensor {
	t, _ := a.values[name].(*autograd.Tensor)
	return t
}

// Ints returns a list argument; a single number stands for n equal numbers.
func (a *Args) Ints(name string, n int) []int {
	switch v := a.values[name].(type) {
	case []int:
		return v
	case int:
		list := make([]int, n)
		for i := range list {
			list[i] = v
		}
		return list
	}
	return nil
}

// DType returns the argument dtype, the dtype of the parameters.
func (a *Args) DType() autograd.DType {
	if d, ok := a.values["dtype"].(autograd.DType); ok {
		return d
	}
	return autograd.DefaultDType()
}

func typeError(format string, args ...any) error {
	return autograd.Raise(&autograd.Error{Type: autograd.TypeError, Code: autograd.CodeArgument, Text: fmt.Sprintf(format, args...)})
}
