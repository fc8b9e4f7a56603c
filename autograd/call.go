package autograd

import (
	"fmt"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/gradtui/gradtui/autograd/internal/schema"
)

// Call runs an operator by name. Arguments are tensors, Go numbers, bools and
// strings, []int, []*Tensor, or nil for None. Errors are of type *Error.
func Call(name string, args []any, opts ...Option) ([]*Tensor, error) {
	f, ok := Lookup(name)
	if !ok {
		return nil, fail(AttributeError, CodeUnsupported, "module 'torch' has no attribute '%s'", name)
	}
	return f.Call(args, opts...)
}

// Call runs the operator with the overload that fits the arguments.
func (f *Operator) Call(args []any, opts ...Option) ([]*Tensor, error) {
	return f.call(false, args, opts)
}

// CallMethod is Call for args[0].name(args[1:]...): messages count arguments
// from the one after self.
func (f *Operator) CallMethod(args []any, opts ...Option) ([]*Tensor, error) {
	args, opts = f.selfInPlace(args, opts)
	return f.call(true, args, opts)
}

// single runs the operator for a method with one result.
func (f *Operator) single(opts []Option, args ...any) *Tensor {
	outs, err := f.call(true, args, opts)
	if err != nil {
		return errTensor(err)
	}
	return outs[0]
}

// truth runs the operator for a method that returns a bool.
func (f *Operator) truth(opts []Option, args ...any) (bool, error) {
	outs, err := f.call(true, args, opts)
	if err != nil {
		return false, err
	}
	return outs[0].Truth()
}

// pair runs the operator for a method with two results.
func (f *Operator) pair(opts []Option, args ...any) (*Tensor, *Tensor) {
	outs, err := f.call(true, args, opts)
	if err != nil {
		t := errTensor(err)
		return t, t
	}
	return outs[0], outs[1]
}

// triple runs the operator for a method with three results.
func (f *Operator) triple(opts []Option, args ...any) (*Tensor, *Tensor, *Tensor) {
	outs, err := f.call(true, args, opts)
	if err != nil {
		t := errTensor(err)
		return t, t, t
	}
	return outs[0], outs[1], outs[2]
}

// list runs the operator for a method whose number of results varies.
func (f *Operator) list(opts []Option, args ...any) ([]*Tensor, error) {
	return f.call(true, args, opts)
}

// inPlace runs an in-place operator.
func (f *Operator) inPlace(opts []Option, args ...any) error {
	_, err := f.call(true, args, opts)
	return err
}

var argsPool = sync.Pool{New: func() any { return new(Args) }}

// call finds the overload, runs it, and notes what went wrong on the tape.
func (f *Operator) call(method bool, args []any, opts []Option) (outs []*Tensor, err error) {
	if recorder != nil {
		recorder.enter()
		defer recorder.leave()
	}
	defer func() {
		// A panic below is a defect of the engine; the program gets an
		// error that says so.
		if r := recover(); r != nil {
			outs, err = nil, internalError(f.name, r)
		}
	}()
	if e := carried(args); e != nil {
		return nil, e
	}
	out, opts := takeOut(opts)
	a := argsPool.Get().(*Args)
	inPlace, e := f.bind(a, method, args, opts)
	if e != nil {
		if listed := f.gather(method, args); listed != nil {
			if form, err := f.bind(a, method, listed, opts); err == nil {
				inPlace, e = form, nil
			}
		}
	}
	if e == nil {
		if out != nil {
			outs, err = f.callOut(a, out)
		} else {
			outs, err = a.op.run(a, inPlace)
		}
		if err == nil {
			return outs, nil
		}
		e = asError(err)
	}
	if e.Op == "" {
		e.Op = f.name
	}
	recordError(e)
	return nil, e
}

// carried is the error of an argument that an operator failed to make.
func carried(args []any) *Error {
	for _, arg := range args {
		switch x := arg.(type) {
		case *Tensor:
			if x != nil && x.err != nil {
				return x.err
			}
		case []*Tensor:
			for _, t := range x {
				if t != nil && t.err != nil {
					return t.err
				}
			}
		}
	}
	return nil
}

func internalError(where string, r any) *Error {
	return fail(RuntimeError, CodeInternal, "%s: internal error of the engine: %v\n%s", where, r, debug.Stack())
}

// bind picks the first overload that the arguments fit.
func (f *Operator) bind(a *Args, method bool, args []any, opts []Option) (inPlace bool, err *Error) {
	for i := range f.ops {
		o := &f.ops[i]
		a.reset(o.Op, f.name, o.inPlace)
		a.method = method
		e := a.bind(f, args, opts)
		if e == nil {
			return o.inPlace, nil
		}
		if err == nil {
			err = e
		}
	}
	if len(f.ops) == 0 {
		return false, fail(AttributeError, CodeUnsupported, "no operator %s", f.name)
	}
	if len(args) > 0 && isNone(args[0]) && f.ops[0].In&Method != 0 {
		return false, noneError(f.name)
	}
	if len(f.ops) > 1 {
		err = f.noOverload(args, opts)
	}
	if symbol, ok := operatorSymbols[f.name]; ok && len(args) == 2 {
		err = operandError(f.name, symbol, args[0], args[1])
	}
	return false, err
}

// noOverload lists the overloads, as PyTorch does when none fits.
func (f *Operator) noOverload(args []any, opts []Option) *Error {
	var got, want strings.Builder
	for i, arg := range args {
		if i > 0 {
			got.WriteString(", ")
		}
		got.WriteString(pythonTypeOf(arg))
	}
	for _, o := range opts {
		if got.Len() > 0 {
			got.WriteString(", ")
		}
		fmt.Fprintf(&got, "%s=%s", o.Name, pythonTypeOf(o.Value))
	}
	for i := range f.ops {
		fmt.Fprintf(&want, "\n * %s", signature(f.ops[i].schema))
	}
	return fail(TypeError, CodeArgument, "%s() received an invalid combination of arguments - got (%s), but expected one of:%s", f.name, got.String(), want.String())
}

// signature writes the parameters as PyTorch lists them in messages.
func signature(s *schema.Schema) string {
	var b strings.Builder
	b.WriteByte('(')
	star := false
	for i, p := range s.Params {
		if i > 0 {
			b.WriteString(", ")
		}
		if p.KwOnly && !star {
			star = true
			b.WriteString("*, ")
		}
		b.WriteString(pythonType(&p))
		b.WriteByte(' ')
		b.WriteString(p.Name)
		if p.HasDefault {
			b.WriteString(" = " + pythonValue(p.Default))
		}
	}
	b.WriteByte(')')
	return b.String()
}

// pythonValue writes the default of a parameter as Python does.
func pythonValue(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case string:
		return "'" + v + "'"
	case []int64:
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = fmt.Sprint(x)
		}
		return "(" + strings.Join(parts, ",") + ")"
	}
	if s, ok := toScalar(v); ok {
		return s.String()
	}
	return fmt.Sprint(v)
}

// takeOut separates the option out= from the others.
func takeOut(opts []Option) (*Tensor, []Option) {
	for i, o := range opts {
		if o.Name != "out" {
			continue
		}
		rest := append(opts[:i:i], opts[i+1:]...)
		t, _ := o.Value.(*Tensor)
		return t, rest
	}
	return nil, opts
}

// callOut runs an operator and writes its result into an existing tensor.
func (f *Operator) callOut(a *Args, out *Tensor) ([]*Tensor, error) {
	if err := out.usable("out"); err != nil {
		return nil, err
	}
	if gradMode() {
		needs := out.requiresGrad()
		a.each(func(t *Tensor) error { needs = needs || t.requiresGrad(); return nil })
		if needs {
			return nil, fail(RuntimeError, CodeArgument, "%s(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad.", f.name)
		}
	}
	if err := a.checkOperands(out); err != nil {
		return nil, err
	}
	outs, err := a.op.run(a, false)
	if err != nil {
		return nil, err
	}
	r := outs[0]
	if !canCast(r.dtype, out.dtype) {
		return nil, castError(r.dtype, out.dtype)
	}
	if !sameSizes(r.sizes, out.sizes) {
		if out.Numel() != 0 {
			warn("UserWarning", fmt.Sprintf("An output with one or more elements was resized since it had shape %s, which does not match the required output shape %s. This behavior is deprecated, and in a future PyTorch release outputs will not be resized unless they have zero elements. You can explicitly reuse an out tensor t by resizing it, inplace, to zero elements with t.resize_(0).", shapeText(out.sizes), shapeText(r.sizes)))
		}
		if err := out.resize(r.sizes); err != nil {
			return nil, err
		}
	}
	copyData(out, r)
	from := out.version.v
	out.bump()
	recordMutated(out, from)
	return []*Tensor{out}, nil
}
