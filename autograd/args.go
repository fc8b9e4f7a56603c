package autograd

import (
	"math"

	"github.com/gradtui/gradtui/autograd/random"
)

// An Option is a keyword argument of an operator.
type Option struct {
	Name  string
	Value any
}

// Kw returns a keyword argument by name.
func Kw(name string, value any) Option { return Option{name, value} }

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

// Args holds the arguments of one call, in the order of the signature.
type Args struct {
	op      *Op
	values  []value
	inPlace bool
	name    string // name of the called function
	plain   bool   // all arguments but the tensors have their default values
	// unchanged says that an in-place call left the tensor as it was.
	unchanged bool
	result    *Tensor // where Forward may put its result: contiguous
	into      *Tensor // the same, whatever its strides
	before    *facts  // describes self when an in-place call changes its shape
	// Extra is what Forward passes to the formulas besides the arguments.
	Extra  any
	inline [4]value
}

// A cell holds a one-element operand while a loop runs.
type cell struct {
	f32 [1]float32
	f64 [1]float64
	i64 [1]int64
	b   [1]bool
}

// cells are the cells of the current loop; loops do not nest.
var cells [3]cell

// A value is an argument: a tensor or another object in x, or a number in n.
type value struct {
	x   any
	n   uint64
	set bool // false: None
}

// freeArgs is a pool. It needs no lock: the package works on one thread at a
// time.
var freeArgs []*Args

// free returns the arguments to the pool.
func (a *Args) free() {
	if len(a.values) <= len(a.inline) {
		a.inline = [len(a.inline)]value{}
	} else {
		clear(a.values)
	}
	a.result, a.into, a.before, a.Extra = nil, nil, nil, nil
	if len(freeArgs) < 32 {
		freeArgs = append(freeArgs, a)
	}
}

func newArgs() *Args {
	n := len(freeArgs)
	if n == 0 {
		return new(Args)
	}
	a := freeArgs[n-1]
	freeArgs = freeArgs[:n-1]
	return a
}

// reset prepares arguments from the pool for a call of an operator.
func (a *Args) reset(o *Op, name string, inPlace bool) {
	n := len(o.schema.Params)
	if n <= len(a.inline) {
		a.values = a.inline[:n]
	} else {
		a.values = make([]value, n)
	}
	a.op, a.name, a.inPlace, a.plain, a.unchanged = o, name, inPlace, false, false
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

// Self returns the first argument.
func (a *Args) Self() *Tensor {
	t, _ := a.values[0].x.(*Tensor)
	return t
}

// Tensors returns a list argument of tensors.
func (a *Args) Tensors(name string) []*Tensor {
	ts, _ := a.value(name).x.([]*Tensor)
	return ts
}

// Scalar returns a number argument.
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

// Ints returns an argument that is a list of integers, or nil for None.
func (a *Args) Ints(name string) []int {
	l, _ := a.value(name).x.([]int)
	return l
}

// Bools returns an argument that is a list of bools.
func (a *Args) Bools(name string) []bool {
	l, _ := a.value(name).x.([]bool)
	return l
}

// noInt stands for None among the elements of a list of integers.
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

// Items returns an argument that is an index expression.
func (a *Args) Items(name string) []any {
	l, _ := a.value(name).x.([]any)
	return l
}

// One wraps the single result of a Forward function.
func (a *Args) One(t *Tensor) ([]*Tensor, error) {
	if t.err != nil {
		return nil, t.err
	}
	return t.alone(), nil
}

// needsGrad reports whether a parameter requires grad. A list requires grad if
// any of its elements does.
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

// strip drops the tensors, so that a node keeps only its saved tensors and the
// facts that its attributes show.
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
