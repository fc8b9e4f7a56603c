package autograd

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/autograd/internal/schema"
)

// Call runs an operator by name and returns its results. Arguments are tensors,
// Go numbers, bools and strings, []int, []*Tensor, or nil for None. Errors are
// of type *Error.
func Call(name string, args []any, opts ...Option) ([]*Tensor, error) {
	op, ok := Lookup(name)
	if !ok {
		return nil, fail(AttributeError, CodeUnsupported, "module 'torch' has no attribute '%s'", name)
	}
	return op.Call(args, opts...)
}

// Call runs the operator with the first overload that accepts the arguments.
func (op *Operator) Call(args []any, opts ...Option) ([]*Tensor, error) {
	return op.call(asFunction, args, opts)
}

// CallMethod is Call for args[0].name(args[1:]...): messages do not count self
// among the arguments.
func (op *Operator) CallMethod(args []any, opts ...Option) ([]*Tensor, error) {
	return op.call(asMethod, args, opts)
}

// single runs the operator for a method with one result.
func (op *Operator) single(opts []Option, args ...any) *Tensor {
	outs, err := op.call(byGo, args, opts)
	if err != nil {
		return errTensor(err)
	}
	return outs[0]
}

// truth runs the operator for a method that returns a bool.
func (op *Operator) truth(opts []Option, args ...any) (bool, error) {
	outs, err := op.call(byGo, args, opts)
	if err != nil {
		return false, err
	}
	return outs[0].Truth()
}

// pair runs the operator for a method with two results.
func (op *Operator) pair(opts []Option, args ...any) (*Tensor, *Tensor) {
	outs, err := op.call(byGo, args, opts)
	if err != nil {
		t := errTensor(err)
		return t, t
	}
	return outs[0], outs[1]
}

// triple runs the operator for a method with three results.
func (op *Operator) triple(opts []Option, args ...any) (*Tensor, *Tensor, *Tensor) {
	outs, err := op.call(byGo, args, opts)
	if err != nil {
		t := errTensor(err)
		return t, t, t
	}
	return outs[0], outs[1], outs[2]
}

// list runs the operator for a method whose number of results varies.
func (op *Operator) list(opts []Option, args ...any) ([]*Tensor, error) {
	return op.call(byGo, args, opts)
}

// inPlace runs an in-place operator.
func (op *Operator) inPlace(opts []Option, args ...any) error {
	_, err := op.call(byGo, args, opts)
	return err
}

// call runs the operator with the first overload that accepts the arguments.
func (op *Operator) call(by caller, args []any, opts []Option) ([]*Tensor, error) {
	_, outs, err := op.invoke(by, args, opts)
	return outs, err
}

// invoke finds the overload, runs it, and records an error on the tape.
func (op *Operator) invoke(by caller, args []any, opts []Option) (o *Op, outs []*Tensor, err error) {
	if r := recorder; r != nil {
		r.enterOp()
		defer func() { r.leaveOp(outs) }()
	}
	defer func() {
		// A panic below is a bug in the engine. The program gets an error that
		// says so.
		if r := recover(); r != nil {
			outs, err = nil, noted(panicError(op.name, r), op.name)
		}
	}()
	if e := carried(args); e != nil {
		return nil, nil, e
	}
	var into []*Tensor
	if len(opts) > 0 {
		given := opts
		if into, opts, err = takeOut(op.name, opts); err != nil {
			return nil, nil, err
		}
		if into != nil && by != byGo && !op.takesOut(by) {
			return nil, nil, noted(op.explain(by, args, given), op.name)
		}
	}
	a := newArgs()
	inPlace, e := op.bind(a, by, args, opts)
	if e == nil {
		o = a.op
		if n := o.results(); into != nil && (inPlace || n > 0 && n != len(into)) {
			err = fail(TypeError, CodeArgument, "%s() got an unexpected keyword argument 'out'", op.name)
		} else if into != nil {
			outs, err = op.callOut(a, into)
		} else {
			outs, err = o.run(a, inPlace)
		}
		if err == nil {
			return o, outs, nil
		}
		e = asError(err)
	}
	if e.Op == "" {
		e.Op = op.name
	}
	recordError(e)
	return o, nil, e
}

// results returns how many tensors out= accepts; 0 if the number of results
// varies.
func (o *Op) results() int {
	r := o.schema.Returns
	if len(r) == 1 && strings.HasSuffix(r[0], "[]") {
		return 0
	}
	return len(r)
}

// carried returns the error that an argument carries, if any.
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

// panicError returns the error of a call that panicked with r, which is either
// a refusal or a bug in the engine.
func panicError(where string, r any) *Error {
	if r, ok := r.(refusal); ok {
		return r.err
	}
	return fail(RuntimeError, CodeInternal, "%s: internal error of the engine: %v\n%s", where, r, debug.Stack())
}

// takeOut separates the option out=, one tensor or several, from the other
// options.
func takeOut(name string, opts []Option) ([]*Tensor, []Option, error) {
	for i, o := range opts {
		if o.Name != "out" {
			continue
		}
		rest := append(opts[:i:i], opts[i+1:]...)
		var given []any
		switch x := none(o.Value).(type) {
		case nil:
			return nil, rest, nil
		case Tuple:
			given = x
		case []any:
			given = x
		default:
			given = []any{x}
		}
		into := make([]*Tensor, len(given))
		for i, x := range given {
			t, ok := none(x).(*Tensor)
			if !ok {
				return nil, nil, fail(TypeError, CodeArgument, "%s(): argument 'out' must be Tensor, not %s", name, pythonTypeOf(o.Value))
			}
			into[i] = t
		}
		return into, rest, nil
	}
	return nil, opts, nil
}

// takesOut reports whether programs can pass out= to the operator.
func (op *Operator) takesOut(by caller) bool {
	list, _ := op.signatures(by)
	return slices.ContainsFunc(list, func(s schema.Signature) bool {
		return slices.ContainsFunc(s.Args, func(a schema.Argument) bool { return a.Name == "out" })
	})
}

func outGradError(name string) *Error {
	return fail(RuntimeError, CodeArgument, "%s(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad.", name)
}

// broadcasts reports whether t is an operand that was broadcast to the shape of
// the result r. Such a tensor is not resized when it is out=.
func (a *Args) broadcasts(t, r *Tensor) bool {
	operand, all := false, []int{}
	mismatch := a.each(func(o *Tensor) error {
		operand = operand || o == t
		sizes, err := broadcastSizes(all, o.sizes)
		all = sizes
		if err != nil {
			return err
		}
		return nil
	})
	return operand && mismatch == nil && a.op.InPlace && sameSizes(all, r.sizes)
}

// callOut runs an operator and writes its results into existing tensors.
func (op *Operator) callOut(a *Args, into []*Tensor) ([]*Tensor, error) {
	needs := false
	for _, out := range into {
		if err := out.usable("out"); err != nil {
			return nil, err
		}
		needs = needs || out.requiresGrad()
	}
	if gradMode() {
		a.each(func(t *Tensor) error { needs = needs || t.requiresGrad(); return nil })
		if needs {
			return nil, outGradError(op.name)
		}
	}
	if computesTangents() {
		dual := slices.ContainsFunc(into, func(t *Tensor) bool { return tangentOf(t) != nil })
		a.each(func(t *Tensor) error { dual = dual || tangentOf(t) != nil; return nil })
		if dual {
			return nil, fail(NotImplementedError, CodeNoDerivative, "Trying to use forward AD with %s_out that does not support it because it is an out= function", op.name)
		}
	}
	for _, out := range into {
		if err := mayWrite(out, op.name+" with out="); err != nil {
			return nil, err
		}
		if overlaps(out.sizes, out.strides) && a.op.Overlap != OverlapAllowed {
			return nil, fail(RuntimeError, CodeOverlap, selfOverlapText)
		}
		if err := a.checkOperands(out); err != nil {
			return nil, err
		}
	}
	outs, err := a.op.run(a, false)
	if err != nil {
		return nil, err
	}
	if len(outs) != len(into) {
		return nil, fail(TypeError, CodeArgument, "%s() got an unexpected keyword argument 'out'", op.name)
	}
	for i, out := range into {
		if err := a.writeOut(outs[i], out); err != nil {
			return nil, err
		}
	}
	return into, nil
}

// writeOut writes a result into an existing tensor.
func (a *Args) writeOut(r, out *Tensor) error {
	if !sameSizes(r.sizes, out.sizes) && a.broadcasts(out, r) {
		return fail(RuntimeError, CodeShape, "output with shape %s doesn't match the broadcast shape %s", shapeText(out.sizes), shapeText(r.sizes))
	}
	if err := a.op.checkOutDType(r.dtype, out.dtype); err != nil {
		return err
	}
	if !sameSizes(r.sizes, out.sizes) {
		if out.Numel() != 0 {
			warnFrom("./aten/src/ATen/native/Resize.cpp:30", fmt.Sprintf("An output with one or more elements was resized since it had shape %s, which does not match the required output shape %s. This behavior is deprecated, and in a future PyTorch release outputs will not be resized unless they have zero elements. You can explicitly reuse an out tensor t by resizing it, inplace, to zero elements with t.resize_(0).", shapeText(out.sizes), shapeText(r.sizes)))
		}
		if err := out.resize(r.sizes); err != nil {
			return err
		}
	}
	copyData(out, r)
	if err := changeAllowed(out); err != nil {
		return err
	}
	from := out.version.v
	out.bump()
	recordMutated(out, from)
	return nil
}
