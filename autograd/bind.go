package autograd

import (
	"slices"

	"github.com/gradtui/gradtui/autograd/internal/schema"
	"github.com/gradtui/gradtui/autograd/random"
)

// This file binds the arguments of a call to the parameters of an overload. If
// no overload fits, explain.go finds the error.

// bind selects the first overload that accepts the arguments.
func (op *Operator) bind(a *Args, by caller, args []any, opts []Option) (inPlace bool, err *Error) {
	for i := range op.ops {
		o := &op.ops[i]
		a.reset(o.Op, op.name, o.inPlace)
		if a.bind(op, by, args, opts) {
			return o.inPlace, nil
		}
		clear(a.values)
	}
	if len(op.ops) == 0 {
		return false, fail(AttributeError, CodeUnsupported, "no operator %s", op.name)
	}
	// The copies keep the slices of successful calls off the heap.
	if inPlace, ok := op.bindDeprecated(a, by, slices.Clone(args), slices.Clone(opts)); ok {
		return inPlace, nil
	}
	return false, op.explain(by, slices.Clone(args), slices.Clone(opts))
}

// A caller says how an operator was called.
type caller uint8

const (
	byGo       caller = iota // a generated Go method or function, or a formula
	asFunction               // a program, as torch.name(...)
	asMethod                 // a program, as x.name(...): x is the first argument
)

// bind fills in the arguments of a call and reports whether they fit.
func (a *Args) bind(op *Operator, by caller, args []any, opts []Option) bool {
	o := a.op
	params := o.schema.Params
	given := uint64(0) // bit set of parameters
	for i, arg := range args {
		p := i
		if by == asMethod && o.self > 0 {
			p = o.fromReceiver(i)
		}
		if p >= o.positional {
			return false
		}
		if by != byGo && o.takesRest(by, p) && !isList(arg) && !isNone(arg) {
			if !a.values[p].convertList(&params[p], slices.Clone(args[i:])) {
				return false
			}
			given |= 1 << p
			break
		}
		if !a.values[p].convert(op, &params[p], arg) {
			return false
		}
		given |= 1 << p
	}
	for i := range opts {
		p := o.keyword(opts[i].Name)
		if p < 0 || given&(1<<p) != 0 || !a.values[p].convert(op, &params[p], opts[i].Value) {
			return false
		}
		given |= 1 << p
	}
	for p := range params {
		if given&(1<<p) == 0 {
			if !params[p].HasDefault {
				return false
			}
			a.values[p].setDefault(&params[p])
		}
	}
	a.plain = given&^o.tensorSet == 0
	return true
}

// fromReceiver returns the parameter of argument i of a method whose receiver
// is not the first parameter: x.where(condition, y).
func (o *Op) fromReceiver(i int) int {
	switch {
	case i == 0:
		return o.self
	case i <= o.self:
		return i - 1
	}
	return i
}

// takesRest reports whether the elements of a list parameter may be given one
// by one. Lists of ints may if no other parameter can be positional, as in
// x.view(2, 3) and zeros(2, 3); so may the *tensors parameters of functions
// that are written in Python.
func (o *Op) takesRest(by caller, p int) bool {
	first := 0
	if by == asMethod {
		first = 1
	}
	list := &o.schema.Params[p]
	if !list.List || o.positional != p+1 {
		return false
	}
	return list.Type == schema.Int && p == first || list.Type == schema.Tensor && o.TakesRest
}

// keyword returns the index of the parameter that a keyword names, or -1. A
// function calls its first tensor input; some of NumPy's names are accepted.
func (o *Op) keyword(name string) int {
	if p := o.param(name); p >= 0 {
		return p
	}
	for known, others := range numpyNames {
		if slices.Contains(others, name) {
			return o.keyword(known)
		}
	}
	if name == "input" {
		return o.param("self")
	}
	return -1
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
func (v *value) convert(op *Operator, p *schema.Param, arg any) bool {
	if t, ok := arg.(*Tensor); ok && t != nil && p.Type == schema.Tensor && !p.List {
		v.x, v.set = t, true
		return true
	}
	if isNone(arg) {
		*v = value{}
		return p.Optional || p.Type == schema.Generator || p.Type == schema.Index
	}
	if p.List {
		return v.convertList(p, arg)
	}
	v.set = true
	switch p.Type {
	case schema.Tensor:
		s, ok := toScalar(arg)
		if ok && op.numbers {
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
		v.x = arg // of any type: the operator interprets it
		return true
	}
	return false
}

// zeroDim returns the number in a 0-d tensor that is passed for a number.
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
	v.set = true
	switch list := arg.(type) {
	case Tuple:
		arg = []any(list)
	case Size:
		arg = []int(list)
	}
	switch p.Type {
	case schema.Tensor:
		return v.convertTensors(p, arg)
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
			return v.convertInts(p, arg)
		}
		if p.Size > 0 && isIndex(arg) {
			v.x = repeated(intOf(arg), p.Size)
			return true
		}
	case schema.Float, schema.Scalar:
		if s, ok := toScalar(arg); ok && p.Size > 0 {
			v.x = []float64{s.Float()}
			return true
		}
		return v.convertFloats(arg)
	case schema.Bool:
		l, ok := arg.([]bool)
		v.x = l
		return ok
	}
	return false
}

func (v *value) convertTensors(p *schema.Param, arg any) bool {
	l, ok := arg.([]*Tensor)
	if items, _, isList := sequence(arg); isList && !ok {
		l, ok = make([]*Tensor, len(items)), true
		for i, x := range items {
			t, isTensor := x.(*Tensor)
			ok = ok && (isTensor || x == nil)
			l[i] = t
		}
	}
	v.x = l
	for _, t := range l {
		ok = ok && (t != nil || p.Holes)
	}
	return ok
}

// convertInts converts a list of values that can be used as ints. A bool can,
// unless it is the first element.
func (v *value) convertInts(p *schema.Param, items []any) bool {
	l := make([]int, len(items))
	for i, x := range items {
		_, isBool := x.(bool)
		switch {
		case p.Holes && x == nil:
			l[i] = noInt
		case isIndex(x), isBool && i > 0:
			l[i] = intOf(x)
		default:
			return false
		}
	}
	v.x = l
	return true
}

// toInts converts a sequence of ints whose type is defined by the front end.
func toInts(list any) ([]int, bool) {
	var v value
	ok := v.convertList(&schema.Param{Type: schema.Int, List: true}, list)
	l, _ := v.x.([]int)
	return l, ok
}

// intOf returns the int of a value that isIndex accepts.
func intOf(v any) int {
	if s, ok := toScalar(v); ok {
		return int(s.Int())
	}
	t := v.(*Tensor)
	return int(t.element(t.offset).Int())
}

func (v *value) convertFloats(arg any) bool {
	l, ok := arg.([]float64)
	if items, _, isList := sequence(arg); isList && !ok {
		l, ok = make([]float64, len(items)), true
		for i, x := range items {
			s, isNumber := toScalar(x)
			if !isNumber {
				return false
			}
			l[i] = s.Float()
		}
	}
	v.x = l
	return ok
}
