package formula

import (
	"math"
	"slices"
	"strconv"
)

// An Env is what is known about the values that a formula names.
type Env struct {
	// Attr returns an argument of the operator that is not a tensor: a number, a list, True.
	Attr func(name string) (*Expr, bool)
	// Shape returns the shape of a tensor.
	Shape func(name string) ([]int, bool)
}

// In returns the expression with what is known put in, and simplified: factors of one, shapes that are the same
// and transpositions that undo each other are left out.
func (e *Expr) In(env Env) *Expr {
	return e.Map(func(e *Expr) *Expr {
		if e.IsName() && env.Attr != nil {
			if v, ok := env.Attr(e.Leaf); ok {
				return v
			}
		}
		if e.Op == sizeOp && env.Shape != nil {
			s, ok := env.Shape(e.Args[0].Leaf)
			d, err := strconv.Atoi(e.Args[1].Leaf)
			if d < 0 {
				d += len(s)
			}
			if ok && err == nil && d >= 0 && d < len(s) {
				return Number(float64(s[d]))
			}
		}
		if (e.Op == shapeOp || e.Op == numelOp) && env.Shape != nil {
			if s, ok := env.Shape(e.Args[0].Leaf); ok {
				if e.Op == numelOp {
					return Number(float64(numel(s)))
				}
				return Ints(s)
			}
		}
		if list, ok := e.list(); ok {
			return Ints(list)
		}
		return e.simplified(env)
	})
}

// list returns what a function of a list computes, if its list is known.
func (e *Expr) list() (list []int, ok bool) {
	if len(e.Args) != 1 || e.Out > 0 {
		return nil, false
	}
	from, ok := e.Args[0].ints()
	if !ok {
		return nil, false
	}
	n := len(from)
	list = make([]int, n)
	for i, d := range from {
		switch e.Op {
		case "neg":
			list[i] = -d
		case reversedOp:
			list[n-1-i] = d
		case lastDimsOp:
			list[i] = i - n
		case batchDimsOp:
			list[i] = i
		case inverseOp:
			if d < 0 {
				d += n
			}
			if d < 0 || d >= n {
				return nil, false
			}
			list[d] = i
		default:
			return nil, false
		}
	}
	if e.Op == batchDimsOp && n > 1 {
		list = slices.Delete(list, 1, 2)
	}
	return list, true
}

func numel(shape []int) int {
	n := 1
	for _, s := range shape {
		n *= s
	}
	return n
}

// ints returns the elements of a list of integers.
func (e *Expr) ints() (list []int, ok bool) {
	if e == nil || !e.IsList() {
		return nil, false
	}
	for _, a := range e.Args {
		x, ok := a.Number()
		if !ok {
			return nil, false
		}
		list = append(list, int(x))
	}
	return list, true
}

// base returns the operator without its overload.
func base(op string) string {
	for i := range op {
		if op[i] == '.' {
			return op[:i]
		}
	}
	return op
}

// arithmetic computes with numbers.
var arithmetic = map[string]func(x, y float64) float64{
	"add": func(x, y float64) float64 { return x + y },
	"sub": func(x, y float64) float64 { return x - y },
	"mul": func(x, y float64) float64 { return x * y },
	"div": func(x, y float64) float64 { return x / y },
	"neg": func(x, _ float64) float64 { return -x },
	"log": func(x, _ float64) float64 { return math.Log(x) },
}

// simplified returns a call whose arguments are simplified already.
func (e *Expr) simplified(env Env) *Expr {
	if e.Op == "" || e.Out > 0 {
		return e
	}
	if f := arithmetic[e.Op]; f != nil && len(e.Args) <= 2 {
		x, ok := e.Args[0].Number()
		y, both := e.Args[len(e.Args)-1].Number()
		if ok && both {
			return Number(math.Round(f(x, y)*1e12) / 1e12)
		}
	}
	first := e.Args[0].Expr
	second := first
	if len(e.Args) == 2 {
		second = e.Args[1].Expr
	}
	two := len(e.Args) == 2
	switch base(e.Op) {
	case "mul":
		switch {
		case two && second.is(1):
			return first
		case two && first.is(1):
			return second
		}
	case "div", "pow":
		if two && second.is(1) && e.Args[0].Name == "" {
			return first
		}
	case "add", "sub":
		if two && second.is(0) {
			return first
		}
	case "neg", "t":
		if first.Op == e.Op {
			return first.Args[0].Expr
		}
		if e.Op == "t" && first.Op == "mm" { // (a @ b)ᵀ = bᵀ @ aᵀ
			left := Call("t", first.Args[1]).simplified(env)
			right := Call("t", first.Args[0]).simplified(env)
			return Call("mm", Arg{Expr: left}, Arg{Expr: right})
		}
	case "transpose":
		if e.transposesLast(env) {
			return Call("t", e.Args[0]).simplified(env)
		}
	case "expand", "view", "sum_to_size":
		want, known := e.Arg("size").ints()
		have, ok := first.shape(env)
		if known && ok && slices.Equal(want, have) {
			return first
		}
	case "slice_scatter":
		whole, ok := first.shape(env)
		part, also := e.Args[1].shape(env)
		if ok && also && slices.Equal(whole, part) {
			return e.Args[1].Expr
		}
	case perChannelOp:
		if s, ok := e.Args[1].shape(env); ok && len(s) <= 2 { // nothing to add
			return first
		}
	case "clone", "contiguous":
		return first
	}
	return e
}

// transposesLast reports whether a call of transpose swaps the last two dimensions.
func (e *Expr) transposesLast(env Env) bool {
	var dims [2]int
	for i, name := range []string{"dim0", "dim1"} {
		d := e.Arg(name)
		if d == nil {
			return false
		}
		x, ok := d.Number()
		if !ok {
			return false
		}
		dims[i] = int(x)
	}
	if dims == [2]int{-2, -1} || dims == [2]int{-1, -2} {
		return true
	}
	shape, ok := e.Args[0].shape(env)
	n := len(shape)
	return ok && n >= 2 && (dims == [2]int{n - 2, n - 1} || dims == [2]int{n - 1, n - 2})
}

// Shape returns the shape of a tensor expression, if it follows from the shapes that are known.
func (e *Expr) Shape(env Env) (shape []int, ok bool) { return e.shape(env) }

func (e *Expr) shape(env Env) ([]int, bool) {
	if _, number := e.Number(); number {
		return nil, true
	}
	if e.IsName() && env.Shape != nil {
		return env.Shape(e.Leaf)
	}
	if e.Op == "" || e.Out > 0 {
		return nil, false
	}
	switch op := base(e.Op); op {
	case "t":
		s, ok := e.Args[0].shape(env)
		if !ok || len(s) < 2 {
			return s, ok
		}
		s = slices.Clone(s)
		n := len(s)
		s[n-1], s[n-2] = s[n-2], s[n-1]
		return s, true
	case "mm", "bmm", "mv":
		a, ok := e.Args[0].shape(env)
		b, also := e.Args[1].shape(env)
		if !ok || !also || len(a) < 2 || len(b) < 1 {
			return nil, false
		}
		s := slices.Clone(a[:len(a)-1])
		if op != "mv" {
			s = append(s, b[len(b)-1])
		}
		return s, true
	case "expand", "view", "sum_to_size":
		return e.Arg("size").ints()
	case "slice_scatter", "select_scatter", "index_put", "scatter", "scatter_add", "index_add":
		return e.Args[0].shape(env)
	case perChannelOp:
		s, ok := e.Args[1].shape(env)
		if !ok || len(s) < 2 {
			return nil, false
		}
		out := []int{s[1]}
		for range len(s) - 2 {
			out = append(out, 1)
		}
		return out, true
	case "sum", "mean":
		return e.reducedShape(env)
	case "unsqueeze":
		return e.unsqueezedShape(env)
	case constOp:
		if s := e.Arg("size"); s != nil {
			return s.ints()
		}
		return nil, true
	default:
		if !sameShape[op] {
			return nil, false
		}
		var out []int
		for _, a := range e.Args {
			s, ok := a.shape(env)
			if !ok {
				return nil, false
			}
			if out, ok = broadcast(out, s); !ok {
				return nil, false
			}
		}
		return out, true
	}
}

// reducedShape returns the shape of a sum or mean.
func (e *Expr) reducedShape(env Env) ([]int, bool) {
	s, ok := e.Args[0].shape(env)
	if !ok {
		return nil, false
	}
	arg := e.Arg("dim")
	dims, list := arg.ints()
	switch {
	case arg == nil || arg.Leaf == "None":
		dims = nil
	case !list:
		d, known := arg.Number()
		if !known {
			return nil, false
		}
		dims = []int{int(d)}
	}
	keep := e.Arg("keepdim")
	if keep != nil && keep.Leaf != "True" && keep.Leaf != "False" {
		return nil, false
	}
	var out []int
	for i, n := range s {
		switch reduced := len(dims) == 0 || slices.Contains(dims, i) || slices.Contains(dims, i-len(s)); {
		case !reduced:
			out = append(out, n)
		case keep != nil && keep.Leaf == "True":
			out = append(out, 1)
		}
	}
	return out, true
}

// unsqueezedShape returns the shape of a call of unsqueeze, which may add several dimensions.
func (e *Expr) unsqueezedShape(env Env) ([]int, bool) {
	s, ok := e.Args[0].shape(env)
	dims, list := e.Arg("dim").ints()
	if d := e.Arg("dim"); ok && !list && d != nil {
		var x float64
		x, ok = d.Number()
		dims = []int{int(x)}
	}
	s = slices.Clone(s)
	for _, d := range dims {
		if d < 0 {
			d += len(s) + 1
		}
		if d < 0 || d > len(s) {
			return nil, false
		}
		s = slices.Insert(s, d, 1)
	}
	return s, ok && len(dims) > 0
}

// broadcast returns the shape of an elementwise operation on two shapes.
func broadcast(a, b []int) ([]int, bool) {
	if len(a) < len(b) {
		a, b = b, a
	}
	out := slices.Clone(a)
	for i := range b {
		at := len(a) - len(b) + i
		switch {
		case a[at] == b[i], b[i] == 1:
		case a[at] == 1:
			out[at] = b[i]
		default:
			return nil, false
		}
	}
	return out, true
}

// sameShape holds the operators that work element by element.
var sameShape = func() map[string]bool {
	m := map[string]bool{}
	for _, name := range []string{
		"mul", "div", "add", "sub", "neg", "pow", "exp", "log", "sin", "cos", "sqrt", "rsqrt", "abs", "sgn", "sigmoid", "tanh", "where", "masked_fill",
		"eq", "ne", "lt", "le", "gt", "ge", "logical_and", "logical_or", "logical_not", "reciprocal", "isnan", "cosh", "sinh", "zeros_like", "ones_like",
	} {
		m[name] = true
	}
	return m
}()
