package inspect

import "github.com/gradtui/gradtui/graph"

// This file holds what a history lists. At is the event, Stack the call stack of the program at
// that event.

// A Tensor is what happened to one tensor.
type Tensor struct {
	Created  graph.Pos         // the event that created it; -1: see Known
	Stack    graph.StackID     // where it was created
	Flags    graph.TensorFlags // at its creation
	Shape    []int             // now
	DType    graph.DType       // at its creation
	Node     graph.NodeID      // grad_fn at its creation
	Base     graph.TensorID    // the tensor that it is a view of; 0: none
	Storage  graph.StorageID   // now
	Counter  graph.CounterID   // its version counter
	Op       int               // number of the operation that made it; -1: none
	Names    []Naming          // in order
	Released graph.Pos         // when the program dropped it; -1: it still has it
	Cuts     []Flow            // where its values came from without a gradient
	Read     Reading           // what operations that were forgotten did with it
	Rooted   graph.BackwardID  // the first backward pass that began from it; 0: none did
}

// Known reports whether the tape created the tensor and the history has not forgotten it.
func (t *Tensor) Known() bool { return t.Created >= 0 }

// A Reading says who read a tensor.
type Reading uint8

// The readings.
const (
	ReadAtAll Reading = 1 << iota // by any operation
	ReadInUse                     // by an operation of the program that computes something and does not only copy
)

// A Naming is a name that a tensor got.
type Naming struct {
	At    graph.Pos
	Name  string
	Scope string    // the function, class or module of the name
	Lost  graph.Pos // when the name began to mean something else; -1: never
}

// An Op is an operation that ran.
type Op struct {
	At       graph.Pos
	Stack    graph.StackID
	Name     string
	Inputs   []graph.TensorID // 0: an argument that is not a tensor
	Outputs  []graph.TensorID
	Mutated  []graph.TensorID // what it modified in place
	Node     graph.NodeID     // the node that it made; 0: none
	GradMode bool             // whether operations were recorded
	Off      graph.Pos        // where grad mode had been switched off; -1: it was on
	Step     int              // index of the optimizer step that it belongs to; -1: none
	Pass     graph.BackwardID // the backward pass that it ran in; 0: none
}

// A Write is a change in place.
type Write struct {
	At       graph.Pos
	Stack    graph.StackID
	Tensor   graph.TensorID   // what was written to, perhaps a view
	From, To uint32           // the versions of its memory before and after
	Op       int              // number of the operation; -1: unknown
	Step     int              // index of the optimizer step; -1: none
	Pass     graph.BackwardID // the backward pass that it happened in; 0: none
}

// A Pass is a run of backward() or autograd.grad().
type Pass struct {
	At     graph.Pos
	Stack  graph.StackID
	Flags  graph.BackwardFlags
	Roots  []Root
	Inputs []graph.TensorID      // what gradients were asked for, as of autograd.grad(); nil once forgotten
	End    graph.Pos             // -1: it is running
	Failed *graph.BackwardFailed // nil: it did not
	Leaves []Contribution        // the gradients that it accumulated; nil once forgotten
}

// A Root is what a pass begins from.
type Root struct {
	Tensor graph.TensorID
	Node   graph.NodeID
}

// A Contribution is a gradient that reached a .grad.
type Contribution struct {
	At     graph.Pos
	Tensor graph.TensorID // the leaf, or a tensor that retains its gradient
	Grad   graph.TensorID // its .grad
	How    graph.AccumulateMode
	Zero   bool // what was added is known, and zero
}

// A Gain is what all backward passes together gave to a leaf.
type Gain struct {
	First graph.Pos // when the first gradient arrived
	Zero  bool      // all of it was exactly zero
}

// A Step is a step of an optimizer.
type Step struct {
	At, End   graph.Pos // End is -1 while it runs
	Stack     graph.StackID
	Optimizer string           // its class
	Params    []graph.TensorID // the parameters with gradients
	Number    uint32           // which optimizer it is, as in Params; zero: unknown
}

// An Update changed a leaf that requires grad: by an optimizer (Step >= 0) or by
// the program itself, in no_grad or through another tensor with the same memory.
type Update struct {
	At     graph.Pos
	Stack  graph.StackID
	Tensor graph.TensorID // the leaf
	Step   int            // index of the optimizer step; -1: none
	Write  int            // index of the change in place; -1: the leaf got other memory
	Via    graph.TensorID // what was written to, or what the new memory came from
}

// A Zeroing cleared a gradient.
type Zeroing struct {
	At     graph.Pos
	Stack  graph.StackID
	Tensor graph.TensorID // whose gradient
	Called bool           // by zero_grad()
	None   bool           // .grad became None rather than zero
}

// A Call is a call of a function that is not an operation: clip_grad_norm_,
// LRScheduler.step, Module.train, Module.eval.
type Call struct {
	At       graph.Pos
	Stack    graph.StackID
	Function string
	Tensors  []graph.TensorID // the parameters that it is about
}

// An Exit turned values of a tensor into plain numbers: item(), tolist(), numpy().
type Exit struct {
	At     graph.Pos
	Stack  graph.StackID
	Why    graph.CutReason
	Tensor graph.TensorID
	First  []float64 // the first values that it took out, if they are known
}

// A Flagging switched the requires_grad flag of a tensor.
type Flagging struct {
	At     graph.Pos
	Stack  graph.StackID
	Tensor graph.TensorID
	To     bool // what it was set to
}

// A Hook was registered.
type Hook struct {
	At    graph.Pos
	Stack graph.StackID
	graph.HookRegistered
}

// Params are the parameters of an optimizer or a module.
type Params struct {
	At      graph.Pos
	Stack   graph.StackID
	Class   string // of the optimizer or the module
	Tensors []graph.TensorID
	Number  uint32 // which optimizer it is, counted from 1; zero: unknown, and of modules
}

// A MissingGrad is a read of .grad that gave None.
type MissingGrad struct {
	At     graph.Pos
	Stack  graph.StackID
	Tensor graph.TensorID
}

// A Raise is an error that reached the program.
type Raise struct {
	At    graph.Pos
	Stack graph.StackID
	graph.Raised
	TypeName, CodeName, OpName string // the names that the event has as numbers
}

// A Flow is a step by which values went from one tensor to another.
type Flow struct {
	From, To graph.TensorID
	At       graph.Pos
	Stack    graph.StackID
	Op       int             // number of the operation; -1: none
	Cut      graph.CutReason // 0: the gradient goes the same way back
}
