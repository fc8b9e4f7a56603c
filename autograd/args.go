package autograd

import (
	"fmt"
	"math"
	"strings"

	"github.com/gradtui/gradtui/autograd/internal/schema"
	"github.com/gradtui/gradtui/autograd/random"
)

// An Option is a keyword argument of an operator.
type Option struct {
	Name  string
	Value any
}

// Kw is a keyword argument by name.
func Kw(name string, value any) Option { return Option{name, value} }

// Options that many operators take.
var (
	// RequiresGrad makes a new tensor a leaf that requires grad.
	RequiresGrad = Kw("requires_grad", true)
	// KeepDim keeps reduced dimensions with size 1.
	KeepDim = Kw("keepdim", true)
)

// WithDType chooses the element type of a result.
func WithDType(d DType) Option { return Kw("dtype", d) }

// Dim chooses the dimensions to work along; negative ones count from the end.
func Dim(dims ...int) Option {
	if len(dims) == 1 {
		return Kw("dim", dims[0])
	}
	return Kw("dim", dims)
}

// Alpha scales the second operand of add and sub.
func Alpha(a any) Option { return Kw("alpha", a) }

// Out writes the result into an existing tensor.
func Out(t *Tensor) Option { return Kw("out", t) }

// Args are the arguments of one call, in the order of the signature.
type Args struct {
	op      *Op
	values  []value
	inPlace bool
	method  bool    // called as a method: messages do not count self
	name    string  // of the function that was called
	result  *Tensor // where Forward may put its result: contiguous
	into    *Tensor // the same, whatever its strides
	before  *facts  // of self, when an in-place call changes its shape
	// Extra is what Forward hands to the formulas besides the arguments.
	Extra  any
	inline [4]value
}

// A value is an argument: a tensor or another object in x, or a number in n.
type value struct {
	x   any
	n   uint64
	set bool // false: None
}

// reset prepares the arguments for a call of an operator.
func (a *Args) reset(o *Op, name string, inPlace bool) {
	n := len(o.schema.Params)
	if n <= len(a.inline) {
		a.values = a.inline[:n]
		clear(a.values)
	} else {
		a.values = make([]value, n)
	}
	a.op, a.name, a.inPlace, a.result, a.into, a.before, a.Extra = o, name, inPlace, nil, nil, nil, nil
}

func (a *Args) value(name string) *value {
	for i := range a.op.schema.Params {
		if a.op.schema.Params[i].Name == name {
			return &a.values[i]
		}
	}
	panic("autograd: " + a.op.Schema + " has no parameter " + name)
}

// Has reports whether an optional argument was given and is not None.
func (a *Args) Has(name string) bool { return a.value(name).set }

// Tensor returns a tensor argument, or nil for None.
func (a *Args) Tensor(name string) *Tensor {
	t, _ := a.value(name).x.(*Tensor)
	return t
}

// Self is the first argument.
func (a *Args) Self() *Tensor {
	t, _ := a.values[0].x.(*Tensor)
	return t
}

// Tensors returns a list of tensors.
func (a *Args) Tensors(name string) []*Tensor {
	ts, _ := a.value(name).x.([]*Tensor)
	return ts
}

// Scalar returns a number.
func (a *Args) Scalar(name string) Scalar { return a.value(name).scalar() }

func (v *value) scalar() Scalar {
	k, _ := v.x.(scalarKind)
	return Scalar{k, v.n}
}

// Int returns an integer argument.
func (a *Args) Int(name string) int { return int(int64(a.value(name).n)) }

// Float returns a float argument.
func (a *Args) Float(name string) float64 { return a.value(name).scalar().Float() }

// Bool returns a bool argument.
func (a *Args) Bool(name string) bool { return a.value(name).n != 0 }

// Ints returns a list of integers; nil for None.
func (a *Args) Ints(name string) []int {
	l, _ := a.value(name).x.([]int)
	return l
}

// Bools returns a list of bools.
func (a *Args) Bools(name string) []bool {
	l, _ := a.value(name).x.([]bool)
	return l
}

// noInt stands for None in a list of integers whose elements may be None.
const noInt = math.MinInt

// Str returns a string argument.
func (a *Args) Str(name string) string {
	s, _ := a.value(name).x.(string)
	return s
}

// DType returns a dtype argument, or the fallback for None.
func (a *Args) DType(name string, fallback DType) DType {
	if d, ok := a.value(name).x.(DType); ok {
		return d
	}
	return fallback
}

// Generator returns a generator argument, or the default generator.
func (a *Args) Generator(name string) *random.Generator {
	if g, ok := a.value(name).x.(*random.Generator); ok && g != nil {
		return g
	}
	return DefaultGenerator
}

// Items returns an index expression.
func (a *Args) Items(name string) []any {
	l, _ := a.value(name).x.([]any)
	return l
}

// One wraps the single result of a Forward function.
func (a *Args) One(t *Tensor) ([]*Tensor, error) {
	if t.err != nil {
		return nil, t.err
	}
	return []*Tensor{t}, nil
}

// needsGrad reports whether a parameter requires grad; of a list, whether any
// element does.
func (a *Args) needsGrad(param int) bool {
	switch x := a.values[param].x.(type) {
	case *Tensor:
		return x != nil && x.requiresGrad()
	case []*Tensor:
		for _, t := range x {
			if t != nil && t.requiresGrad() {
				return true
			}
		}
	}
	return false
}

// each calls f for every tensor among the arguments until f returns an error.
func (a *Args) each(f func(t *Tensor) error) error {
	for _, p := range a.op.tensors {
		switch x := a.values[p].x.(type) {
		case *Tensor:
			if x != nil {
				if err := f(x); err != nil {
					return err
				}
			}
		case []*Tensor:
			for _, t := range x {
				if t != nil {
					if err := f(t); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// strip lets go of the tensors, so that a node keeps only what it saves, and the
// facts that it shows.
func (a *Args) strip() {
	for _, p := range a.op.tensors {
		if a.op.factual&(1<<p) != 0 {
			a.values[p].x = a.fact(p)
		} else {
			a.values[p].x = nil
		}
	}
	a.result, a.into = nil, nil
}

// bind fills the arguments from a call. It reports what is wrong in PyTorch's
// words.
func (a *Args) bind(f *Operator, args []any, opts []Option) *Error {
	params := a.op.schema.Params
	if len(args) > 0 {
		if e := a.positional(f, args); e != nil {
			return e
		}
	}
	for _, opt := range opts {
		i := a.op.param(opt.Name)
		if i < 0 {
			return fail(TypeError, CodeArgument, "%s() got an unexpected keyword argument '%s'", f.name, opt.Name)
		}
		if i < len(args) {
			return fail(TypeError, CodeArgument, "%s() got multiple values for argument '%s'", f.name, opt.Name)
		}
		if !a.values[i].convert(f, &params[i], opt.Value) {
			return a.typeError(f, i, 0, opt.Value)
		}
	}
	for i := len(args); i < len(params); i++ {
		p := &params[i]
		if a.values[i].set || opts != nil && given(opts, p.Name) {
			continue
		}
		if !p.HasDefault {
			return a.missing(f, i, opts)
		}
		a.values[i].setDefault(p)
	}
	return nil
}

func given(opts []Option, name string) bool {
	for i := range opts {
		if opts[i].Name == name {
			return true
		}
	}
	return false
}

func (a *Args) positional(f *Operator, args []any) *Error {
	params := a.op.schema.Params
	most := 0
	for most < len(params) && !params[most].KwOnly {
		most++
	}
	if len(args) > most {
		return a.tooMany(f, len(args), most)
	}
	for i, arg := range args {
		if !a.values[i].convert(f, &params[i], arg) {
			return a.typeError(f, i, i+1, arg)
		}
	}
	return nil
}

func (a *Args) tooMany(f *Operator, got, most int) *Error {
	least := 0
	for _, p := range a.op.schema.Params {
		if !p.KwOnly && !p.HasDefault {
			least++
		}
	}
	if least < most {
		return fail(TypeError, CodeArgument, "%s() takes from %d to %d positional arguments but %d were given", f.name, least, most, got)
	}
	plural, were := "s", "were"
	if most == 1 {
		plural = ""
	}
	if got == 1 {
		were = "was"
	}
	return fail(TypeError, CodeArgument, "%s() takes %d positional argument%s but %d %s given", f.name, most, plural, got, were)
}

func (a *Args) missing(f *Operator, from int, opts []Option) *Error {
	var names []string
	for i, p := range a.op.schema.Params[from:] {
		if !p.HasDefault && !a.values[from+i].set && !given(opts, p.Name) {
			names = append(names, `"`+p.Name+`"`)
		}
	}
	plural := ""
	if len(names) == 1 {
		plural = "s" // as PyTorch has it
	}
	return fail(TypeError, CodeArgument, "%s() missing %d required positional argument%s: %s", f.name, len(names), plural, strings.Join(names, ", "))
}

func (a *Args) typeError(f *Operator, param, position int, got any) *Error {
	p := &a.op.schema.Params[param]
	where := ""
	if a.method {
		position--
	}
	if position > 0 {
		where = fmt.Sprintf(" (position %d)", position)
	}
	return fail(TypeError, CodeArgument, "%s(): argument '%s'%s must be %s, not %s", f.name, p.Name, where, pythonType(p), pythonTypeOf(got))
}

// pythonType is how PyTorch's messages call the type of a parameter.
func pythonType(p *schema.Param) string {
	if p.List {
		return "tuple of " + map[schema.Type]string{schema.Tensor: "Tensors", schema.Int: "ints", schema.Float: "floats", schema.Scalar: "Scalars"}[p.Type]
	}
	return [...]string{"Tensor", "Number", "int", "float", "bool", "str", "torch.dtype", "torch.Generator", "index"}[p.Type]
}

// pythonTypeOf is the Python type of a Go value.
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
	}
	return fmt.Sprintf("%T", v)
}

// setDefault fills in the default of a parameter.
func (v *value) setDefault(p *schema.Param) {
	switch d := p.Default.(type) {
	case nil:
		return
	case int64:
		switch {
		case p.List:
			v.x = repeated(int(d), max(p.Size, 1))
		case p.Type == schema.Scalar || p.Type == schema.Float:
			v.x, v.n = intScalar, uint64(d)
		default:
			v.n = uint64(d)
		}
	case float64:
		v.x, v.n = floatScalar, FloatScalar(d).bits
	case bool:
		s := BoolScalar(d)
		v.x, v.n = boolScalar, s.bits
	case string:
		v.x = d
	case []int64:
		l := make([]int, len(d))
		for i := range d {
			l[i] = int(d[i])
		}
		v.x = l
	}
	v.set = true
}

func repeated(x, n int) []int {
	l := make([]int, n)
	for i := range l {
		l[i] = x
	}
	return l
}

// convert stores an argument if it fits the parameter.
func (v *value) convert(f *Operator, p *schema.Param, arg any) bool {
	if t, ok := arg.(*Tensor); ok && t != nil && p.Type == schema.Tensor && !p.List {
		v.x, v.set = t, true
		return true
	}
	if isNone(arg) {
		*v = value{}
		return p.Optional || p.Type == schema.Generator || p.Type == schema.Index
	}
	v.set = true
	if p.List {
		return v.convertList(p, arg)
	}
	switch p.Type {
	case schema.Tensor:
		s, ok := toScalar(arg)
		if ok && f.numbers {
			v.x = numberTensor(s)
			return true
		}
		return false
	case schema.Scalar, schema.Float:
		s, ok := toScalar(arg)
		if !ok {
			s, ok = zeroDim(arg)
		}
		v.x, v.n = s.kind, s.bits
		return ok
	case schema.Int:
		s, ok := toScalar(arg)
		if !ok {
			s, ok = zeroDim(arg)
		}
		v.n = uint64(s.Int())
		return ok && s.kind == intScalar
	case schema.Bool:
		b, ok := arg.(bool)
		v.n = BoolScalar(b).bits
		return ok
	case schema.Str:
		v.x = arg
		_, ok := arg.(string)
		return ok
	case schema.DType:
		v.x = arg
		_, ok := arg.(DType)
		return ok
	case schema.Generator:
		v.x = arg
		_, ok := arg.(*random.Generator)
		return ok
	case schema.Index:
		v.x = arg // whatever it is, the operator takes it apart
		return true
	}
	return false
}

// zeroDim takes the number out of a 0-d tensor, which may stand for one.
func zeroDim(arg any) (Scalar, bool) {
	t, ok := arg.(*Tensor)
	if !ok || t.usable("") != nil || len(t.sizes) != 0 || t.requiresGrad() {
		return Scalar{}, false
	}
	return t.element(t.offset), true
}

func isNone(arg any) bool {
	switch a := arg.(type) {
	case nil:
		return true
	case *Tensor:
		return a == nil
	case *random.Generator:
		return a == nil
	}
	return false
}

func (v *value) convertList(p *schema.Param, arg any) bool {
	arg = plainList(arg, p.Type)
	switch p.Type {
	case schema.Tensor:
		l, ok := arg.([]*Tensor)
		v.x = l
		if ok && !p.Holes {
			for _, t := range l {
				ok = ok && t != nil
			}
		}
		return ok
	case schema.Int:
		switch arg := arg.(type) {
		case []int:
			v.x = arg
			return true
		case []int64:
			l := make([]int, len(arg))
			for i := range arg {
				l[i] = int(arg[i])
			}
			v.x = l
			return true
		case []any:
			l := make([]int, len(arg))
			for i := range arg {
				if p.Holes && arg[i] == nil {
					l[i] = noInt
					continue
				}
				s, ok := toScalar(arg[i])
				if !ok {
					s, ok = zeroDim(arg[i])
				}
				if !ok || s.kind != intScalar {
					return false
				}
				l[i] = int(s.Int())
			}
			v.x = l
			return true
		}
		if s, ok := toScalar(arg); ok && s.kind == intScalar && p.Size > 0 {
			v.x = repeated(int(s.Int()), p.Size)
			return true
		}
	case schema.Float, schema.Scalar:
		l, ok := arg.([]float64)
		v.x = l
		return ok
	case schema.Bool:
		l, ok := arg.([]bool)
		v.x = l
		return ok
	}
	return false
}
