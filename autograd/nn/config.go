package nn

import (
	"fmt"
	"strings"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/schema"
)

// NoBias makes a layer without a bias.
var NoBias = autograd.Kw("bias", false)

// A config holds the arguments of a constructor. Numbers stay what they were, int
// or float64, because that is how they print.
type config struct {
	function string // in messages: "Linear.__init__"
	sig      *schema.Schema
	values   map[string]any
}

// bind matches arguments with a signature.
func bind(function string, sig *schema.Schema, args []any, opts []autograd.Option) (*config, error) {
	c := &config{function: function, sig: sig, values: map[string]any{}}
	if n := c.positional(); len(args) > n {
		return nil, c.tooMany(n, len(args))
	}
	for i, arg := range args {
		if err := c.set(&sig.Params[i], arg); err != nil {
			return nil, err
		}
	}
	for _, o := range opts {
		p := c.param(o.Name)
		if p == nil {
			return nil, raise(autograd.TypeError, fmt.Sprintf("%s() got an unexpected keyword argument '%s'", function, o.Name))
		}
		if _, twice := c.values[o.Name]; twice {
			return nil, raise(autograd.TypeError, fmt.Sprintf("%s() got multiple values for argument '%s'", function, o.Name))
		}
		if err := c.set(p, o.Value); err != nil {
			return nil, err
		}
	}
	return c, c.fill()
}

// positional is how many parameters can be given without their name.
func (c *config) positional() int {
	n := 0
	for n < len(c.sig.Params) && !c.sig.Params[n].KwOnly {
		n++
	}
	return n
}

func (c *config) param(name string) *schema.Param {
	for i := range c.sig.Params {
		if c.sig.Params[i].Name == name {
			return &c.sig.Params[i]
		}
	}
	return nil
}

// fill gives the parameters that are left their defaults.
func (c *config) fill() error {
	var missing []string
	for i := range c.sig.Params {
		p := &c.sig.Params[i]
		if _, ok := c.values[p.Name]; ok {
			continue
		}
		if !p.HasDefault {
			missing = append(missing, p.Name)
			continue
		}
		switch d := p.Default.(type) {
		case int64:
			c.values[p.Name] = int(d)
		default:
			c.values[p.Name] = d
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return missingArguments(c.function, missing)
}

// missingArguments is Python's error about arguments that were not given.
func missingArguments(function string, names []string) error {
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
	return raise(autograd.TypeError, fmt.Sprintf("%s() missing %d required positional argument%s: %s", function, len(names), plural, text))
}

// tooMany is Python's error about too many arguments; self counts, too.
func (c *config) tooMany(most, got int) error {
	least := 0
	for _, p := range c.sig.Params[:most] {
		if !p.HasDefault {
			least++
		}
	}
	return tooManyArguments(c.function, least, most, got)
}

func tooManyArguments(function string, least, most, got int) error {
	takes := fmt.Sprintf("from %d to %d", least+1, most+1)
	if least == most {
		takes = fmt.Sprint(most + 1)
	}
	plural := "s"
	if takes == "1" {
		plural = ""
	}
	return raise(autograd.TypeError, fmt.Sprintf("%s() takes %s positional argument%s but %d were given", function, takes, plural, got+1))
}

// set stores an argument if it fits the parameter.
func (c *config) set(p *schema.Param, arg any) error {
	v, ok := convert(p, arg)
	if !ok {
		return raise(autograd.TypeError, fmt.Sprintf("%s(): argument '%s' must be %s, not %s", c.function, p.Name, p.TypeString(), typeName(arg)))
	}
	c.values[p.Name] = v
	return nil
}

// convert brings an argument into the form in which a config holds it. A list of
// a given size may be a single number.
func convert(p *schema.Param, arg any) (any, bool) {
	if isNil(arg) {
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

// numbers turns a list of unknown elements into one of numbers, if it is one.
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

// Has reports whether an argument is not None.
func (c *config) Has(name string) bool { return c.values[name] != nil }

// Int is an integer argument.
func (c *config) Int(name string) int {
	i, _ := c.values[name].(int)
	return i
}

// Float is a number.
func (c *config) Float(name string) float64 {
	if i, ok := c.values[name].(int); ok {
		return float64(i)
	}
	f, _ := c.values[name].(float64)
	return f
}

// Bool is a bool argument.
func (c *config) Bool(name string) bool {
	b, _ := c.values[name].(bool)
	return b
}

// Str is a string argument.
func (c *config) Str(name string) string {
	s, _ := c.values[name].(string)
	return s
}

// Tensor is a tensor argument, or nil.
func (c *config) Tensor(name string) *autograd.Tensor {
	t, _ := c.values[name].(*autograd.Tensor)
	return t
}

// Ints is a list; a single number stands for n of them.
func (c *config) Ints(name string, n int) []int {
	switch v := c.values[name].(type) {
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

// DType is the dtype of the parameters.
func (c *config) DType() autograd.DType {
	if d, ok := c.values["dtype"].(autograd.DType); ok {
		return d
	}
	return autograd.DefaultDType()
}
