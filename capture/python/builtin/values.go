package builtin

import (
	"fmt"
	"math"
	"math/big"
	"runtime"
	"strings"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
)

// This file translates between Python's values in messages and the engine's.
//
// A tensor is a complex number whose real part is its handle, negative if Python
// gave it. From the engine the imaginary part is twice the layout, and one more for a
// parameter. Tuples that begin
// with bytes stand for what the format has no types for; the bytes say what:
//
//	c  a complex number: re, im
//	d  a torch.dtype: name
//	s  a slice: start, stop, step
//	z  a torch.Size: the sizes
//	n  a node of the graph: handle, class name
//	m  the node of a Function: handle, number of its ctx
//	v  a slot of a node: handle of the node, index
//	f  a callable: number, name
//	o  another Python object: number, name of its type
//	r  a named tuple: type, names, values
//	a  data of NumPy: dtype, sizes, strides or None, bytes, type, whether it is a number
//	b  bytes
//	x  NotImplemented
//	g  a random generator: number

// An object is a Python object that the engine keeps without looking at it.
type object struct {
	number int
	class  string
}

// PythonType is the name of the object's class.
func (o *object) PythonType() string { return o.class }

// A callable is a Python function that the engine may call.
type callable struct {
	object
	s *session
}

// Call calls the function in the Python thread that waits for the engine.
func (c *callable) Call(args []any) (any, error) { return c.s.callback(c.number, args) }

// Callback is the function as a hook.
func (c *callable) callback() *autograd.Callback {
	return &autograd.Callback{Name: c.class, Call: c.Call}
}

// A pythonError is an exception that a callback raised; the program has it.
type pythonError struct {
	number int
	text   string
}

func (e *pythonError) Error() string { return e.text }

// Complex is the tensor of a handle.
func (s *session) Complex(re, _ float64) (any, error) { return s.tensorOf(int(re)) }

// tensorOf is the tensor of a handle, or nothing if the session has a defect.
func (s *session) tensorOf(h int) (any, error) {
	if t := s.tensor(h); t != nil {
		return t, nil
	}
	if s.defect != nil {
		return nil, nil
	}
	return nil, fmt.Errorf("%w: no tensor %d", marshal.ErrFormat, h)
}

// Ellipsis is the value of "...".
func (s *session) Ellipsis() any { return autograd.Ellipsis }

// Tuple is a tuple, or what its tag says.
func (s *session) Tuple(list []any) (any, error) {
	if len(list) == 0 {
		return autograd.Tuple(list), nil
	}
	tag, ok := list[0].([]byte)
	if !ok {
		return autograd.Tuple(list), nil
	}
	damaged := fmt.Errorf("%w: a value of type %q", marshal.ErrFormat, tag)
	if len(tag) != 1 {
		return nil, damaged
	}
	switch v := list[1:]; tag[0] {
	case 'd':
		if name, ok := marshal.At[string](v, 0); ok {
			if d, ok := dtypeOf(name); ok {
				return d, nil
			}
		}
	case 's':
		if len(v) == 3 {
			return autograd.Slice{Start: v[0], Stop: v[1], Step: v[2]}, nil
		}
	case 'z':
		size := make(autograd.Size, len(v))
		for i := range v {
			n, ok := v[i].(int)
			if !ok {
				return nil, damaged
			}
			size[i] = n
		}
		return size, nil
	case 'n':
		if h, ok := marshal.At[int](v, 0); ok && h > 0 && h < len(s.nodes) && s.nodes[h] != nil {
			return s.nodes[h], nil
		}
	case 'f', 'o':
		n, ok1 := marshal.At[int](v, 0)
		class, ok2 := marshal.At[string](v, 1)
		if ok1 && ok2 {
			return s.keep(n, class, tag[0] == 'f'), nil
		}
	case 'a':
		if a, ok := arrayOf(v); ok {
			return a, nil
		}
	case 'b':
		if b, ok := marshal.At[[]byte](v, 0); ok {
			return b, nil
		}
	case 'c':
		re, ok1 := marshal.At[float64](v, 0)
		im, ok2 := marshal.At[float64](v, 1)
		if ok1 && ok2 {
			return complex(re, im), nil
		}
	case 'x':
		return autograd.NotImplemented, nil
	case 'g':
		if n, ok := marshal.At[int](v, 0); ok {
			if g, ok := s.generator(n); ok {
				return g, nil
			}
		}
	}
	return nil, damaged
}

// arrayOf is an array or a number of NumPy.
func arrayOf(v []any) (*autograd.Array, bool) {
	d, ok1 := marshal.At[autograd.DType](v, 0)
	b, ok2 := marshal.At[[]byte](v, 3)
	class, ok3 := marshal.At[string](v, 4)
	number, ok4 := marshal.At[bool](v, 5)
	if !(ok1 && ok2 && ok3 && ok4) {
		return nil, false
	}
	a := &autograd.Array{DType: d, Sizes: ints(v[1]), Bytes: b, Type: class, Scalar: number}
	if v[2] != nil {
		a.Strides = ints(v[2])
	}
	return a, true
}

// keep is the engine's side of a Python object, which lives until this side is
// forgotten.
func (s *session) keep(number int, class string, calls bool) any {
	if calls {
		c := &callable{object{number, class}, s}
		runtime.AddCleanup(c, s.release, number)
		return c
	}
	o := &object{number, class}
	runtime.AddCleanup(o, s.release, number)
	return o
}

// release notes that the engine has forgotten an object; Python hears of it with
// a later answer.
func (s *session) release(number int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.released = append(s.released, number)
}

// dtypes are the element types by name.
var dtypes = dtypeTable()

func dtypeTable() map[string]autograd.DType {
	dtypes := map[string]autograd.DType{}
	for _, d := range []autograd.DType{
		autograd.Float32, autograd.Float64, autograd.Float16, autograd.BFloat16, autograd.Int8, autograd.Int16,
		autograd.Int32, autograd.Int64, autograd.UInt8, autograd.Bool,
	} {
		dtypes[strings.TrimPrefix(d.String(), "torch.")] = d
	}
	return dtypes
}

func dtypeOf(name string) (autograd.DType, bool) {
	d, ok := dtypes[name]
	return d, ok
}

// An encoder writes a value for Python.
type encoder struct {
	s   *session
	buf []byte
	// plain says that what was written needs no translation in Python.
	plain bool
}

func (e *encoder) reset() { e.buf, e.plain = e.buf[:0], true }

// tag begins a tuple with n values besides its tag.
func (e *encoder) tag(tag string, n int) {
	e.plain = false
	e.buf = marshal.AppendTag(marshal.AppendTuple(e.buf, n+1), tag)
}

func (e *encoder) ints(list []int) {
	for _, n := range list {
		e.buf = marshal.AppendInt(e.buf, int64(n))
	}
}

func (e *encoder) values(list []any) error {
	for _, v := range list {
		if err := e.value(v); err != nil {
			return err
		}
	}
	return nil
}

// value appends a value.
func (e *encoder) value(v any) error {
	switch v := v.(type) {
	case nil:
		e.buf = marshal.AppendNone(e.buf)
	case bool:
		e.buf = marshal.AppendBool(e.buf, v)
	case int:
		e.buf = marshal.AppendInt(e.buf, int64(v))
	case int64:
		e.buf = marshal.AppendInt(e.buf, v)
	case uint64:
		if v <= math.MaxInt64 {
			e.buf = marshal.AppendInt(e.buf, int64(v))
		} else {
			e.buf = marshal.AppendUint(e.buf, v)
		}
	case float64:
		e.buf = marshal.AppendFloat(e.buf, v)
	case autograd.Scalar:
		switch {
		case v.IsFloat():
			return e.value(v.Float())
		case v.IsBool():
			return e.value(v.Bool())
		}
		return e.value(v.Int())
	case string:
		e.buf = marshal.AppendString(e.buf, v)
	case []byte:
		e.tag("b", 1)
		e.buf = marshal.AppendBytes(e.buf, v)
	case *autograd.Tensor:
		if v == nil {
			return e.value(nil)
		}
		if err := v.Err(); err != nil {
			return err
		}
		e.tensor(v)
	case *autograd.Node:
		if v == nil {
			return e.value(nil)
		}
		if ctx := contextOf(v); ctx != nil {
			e.tag("m", 2)
			e.ints([]int{int(e.s.nodeHandle(v)), ctx.number})
			return nil
		}
		e.tag("n", 2)
		e.buf = marshal.AppendInt(e.buf, int64(e.s.nodeHandle(v)))
		e.buf = marshal.AppendString(e.buf, v.ClassName())
	case autograd.Tuple:
		e.buf = marshal.AppendTuple(e.buf, len(v))
		return e.values(v)
	case []any:
		e.buf = marshal.AppendList(e.buf, len(v))
		return e.values(v)
	case []*autograd.Tensor:
		e.buf = marshal.AppendTuple(e.buf, len(v))
		for _, t := range v {
			if err := e.value(t); err != nil {
				return err
			}
		}
	case []int:
		e.buf = marshal.AppendTuple(e.buf, len(v))
		e.ints(v)
	case []string:
		e.buf = marshal.AppendTuple(e.buf, len(v))
		for _, name := range v {
			e.buf = marshal.AppendString(e.buf, name)
		}
	case autograd.Size:
		e.tag("z", len(v))
		e.ints(v)
	case autograd.DType:
		e.tag("d", 1)
		e.buf = marshal.AppendString(e.buf, strings.TrimPrefix(v.String(), "torch."))
	case autograd.NamedTuple:
		e.tag("r", 3)
		e.buf = marshal.AppendString(e.buf, v.Type)
		if err := e.value(v.Fields); err != nil {
			return err
		}
		return e.value(v.Tuple)
	case *callable:
		e.python(v.number)
	case *object:
		e.python(v.number)
	case *autograd.SavedTensor:
		e.tag("v", 1)
		e.buf = marshal.AppendInt(e.buf, int64(e.s.hold(v)))
	case autograd.HookHandle:
		e.tag("h", 1)
		e.buf = marshal.AppendInt(e.buf, int64(e.s.hold(v)))
	case *big.Int:
		if v.IsUint64() {
			return e.value(v.Uint64())
		}
		return fmt.Errorf("an int of %d bits is too large", v.BitLen())
	default:
		if v == any(autograd.NotImplemented) {
			e.tag("x", 0)
			return nil
		}
		if v == any(autograd.Ellipsis) {
			e.tag("e", 0)
			return nil
		}
		return fmt.Errorf("the engine returned a %T, which Python does not know", v)
	}
	return nil
}

func (e *encoder) tensor(t *autograd.Tensor) {
	e.plain = false
	h, _ := e.s.tensorHandle(t)
	handle, kind := float64(pythonHandle(h)), 2*float64(e.s.announce(t))
	if t.IsParameter() {
		kind++
	}
	e.buf = marshal.AppendComplex(e.buf, handle, kind)
}

// python appends a Python object that the engine has kept.
func (e *encoder) python(number int) {
	e.tag("o", 1)
	e.buf = marshal.AppendInt(e.buf, int64(number))
}
