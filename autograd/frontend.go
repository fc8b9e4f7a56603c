package autograd

import (
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// This file holds what a front end in another process needs besides the object
// protocol of dynamic.go: numbers for objects, functions that are looked up
// once, and names for the tape.

// Handle returns the number that SetHandle gave to the tensor, or 0.
func (t *Tensor) Handle() uint32 { return t.handle }

// SetHandle stores a front end's number for the tensor.
func (t *Tensor) SetHandle(h uint32) { t.handle = h }

// Handle returns the number that SetHandle gave to the node, or 0.
func (n *Node) Handle() uint32 { return n.handle }

// SetHandle stores a front end's number for the node.
func (n *Node) SetHandle(h uint32) { n.handle = h }

// A Dynamic is a function that takes and returns Python values; dynamic.go
// lists them.
type Dynamic func(args []any, opts []Option) (any, error)

// Resolve finds a function by its full name once, for a front end that calls it
// often. Besides the functions of [CallFunction] it knows the methods of the
// first argument ("Tensor.add") and its attributes: "get.shape" reads one,
// "set.grad" assigns the second argument to it.
func Resolve(name string) Dynamic {
	if f, by := operatorOf(name); f != nil {
		return func(args []any, opts []Option) (any, error) { return f.value(by, args, opts) }
	}
	kind, rest, _ := strings.Cut(name, ".")
	switch kind {
	case "get":
		return func(args []any, _ []Option) (any, error) {
			if len(args) != 1 {
				return nil, fail(TypeError, CodeArgument, "expected 1 argument, got %d", len(args))
			}
			return Attr(args[0], rest)
		}
	case "set":
		return func(args []any, _ []Option) (any, error) {
			if len(args) != 2 {
				return nil, fail(TypeError, CodeArgument, "expected 2 arguments, got %d", len(args))
			}
			return nil, SetAttr(args[0], rest, args[1])
		}
	case "Tensor":
		return func(args []any, opts []Option) (any, error) {
			if len(args) == 0 {
				return nil, fail(TypeError, CodeArgument, "unbound method Tensor.%s() needs an argument", rest)
			}
			return CallAttr(args[0], rest, args[1:], opts...)
		}
	}
	return func(args []any, opts []Option) (any, error) { return CallFunction(name, args, opts...) }
}

// PredictionOf returns what decides the outcome of calls of a function that
// [Resolve] finds, and whether it changes its first argument. Only operators are
// predicted.
func PredictionOf(name string) (by Prediction, inPlace bool) {
	op, _ := operatorOf(name)
	if op == nil {
		return NotPredicted, false
	}
	return op.predicted(), op.ops[0].inPlace
}

// predicted returns what decides the outcome of calls that return one tensor or
// a bool. All overloads with such results agree.
func (op *Operator) predicted() Prediction {
	for _, o := range op.ops {
		if r := o.schema.Returns; len(r) == 1 && (r[0] == "Tensor" || r[0] == "bool") {
			return o.Predicted
		}
	}
	return NotPredicted
}

// pythonPlaces lists where Python programs find operators, and their prefixes
// in the op table.
var pythonPlaces = []struct {
	place          Place
	module, prefix string
}{
	{Torch, "torch.", ""}, {Method, "Tensor.", ""}, {Property, "get.", ""}, {Linalg, "torch.linalg.", "linalg_"},
	{Special, "torch.special.", "special_"}, {Functional, "torch.nn.functional.", "nn_functional_"},
}

// FunctionNames lists the functions, methods and attributes that [Resolve]
// knows, sorted.
func FunctionNames() []string {
	var names []string
	for name := range torchFunctions {
		names = append(names, name)
	}
	for name := range tensorMethods {
		names = append(names, "Tensor."+name)
	}
	for name := range tensorAttributes {
		names = append(names, "get."+name)
	}
	for name, op := range operators {
		for _, p := range pythonPlaces {
			short, special := strings.CutPrefix(name, "special_")
			_, linalg := strings.CutPrefix(name, "linalg_")
			switch {
			case len(op.ops) == 0 || !op.in(p.place):
			case special && p.place == Torch: // aliases
				names = append(names, "torch.special."+short)
			case special && p.place == Method || linalg && p.place != Linalg:
			default:
				names = append(names, p.module+strings.TrimPrefix(name, p.prefix))
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Tape returns the tape that the recorder writes to.
func (r *Recorder) Tape() *graph.Tape { return r.tape }

// TensorID returns the identifier of a tensor on the tape.
func (r *Recorder) TensorID(t *Tensor) (id graph.TensorID) {
	r.single(func() graph.Event { id = r.tensor(t); return nil })
	return id
}

// Bind records that a name of the program refers to a tensor, unless it is the
// name that was recorded last. Both strings are interned on the tape.
func (r *Recorder) Bind(t *Tensor, name, scope graph.StringID) {
	if t == nil || t.err != nil || t.gen == r.gen && t.named == name && t.scope == scope {
		return
	}
	r.single(func() graph.Event {
		id := r.tensor(t)
		t.named, t.scope = name, scope
		r.append(&graph.NameBound{Name: name, Scope: scope, Tensor: id})
		if r.amounts != nil {
			r.bound(t, r.batch.Text(name))
		}
		return nil
	})
}
