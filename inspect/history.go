package inspect

import (
	"slices"
	"sync/atomic"

	"github.com/gradtui/gradtui/graph"
)

// Options say where a check looks for what is not on the tape.
type Options struct {
	// ReadLeftOut reads a source file whose text the tape leaves out; nil: none is read.
	// Everything else that is shown of a source file is on the tape.
	ReadLeftOut func(name string, e *graph.SourceRead) ([]byte, error)
	// Window is how many of the newest events are known in full at least, whatever the
	// length of the tape; 0: [DefaultWindow], negative: those of the last few turns of the
	// program's loop only.
	Window graph.Pos
	// Progress, if it is not nil, counts the events that the history has taken.
	Progress *Progress
}

// Progress counts events for others, who look at it meanwhile.
type Progress struct{ events atomic.Int64 }

// Events is how many it has counted until now.
func (p *Progress) Events() int { return int(p.events.Load()) }

// progressEvery is how many events are counted at once.
const progressEvery = 1024

// A History is what happened on a tape up to a position, in the order in which
// questions about causes come: which operation made a tensor, what flowed into it,
// when its memory was changed, who updated a parameter. All of it is computed from
// the events; the graph of the same position is beside it.
type History struct {
	tape    *graph.Tape
	options Options
	cursor  *graph.Cursor
	dec     *graph.Decoder // for single events

	pos      graph.Pos
	head     graph.Header
	event    graph.Event
	reporter *reporter

	tensors   Log[TensorStory] // by TensorID
	made      []uint32         // by NodeID: the event that created it
	ops       Log[Op]
	writes    Log[Write]
	passes    []Pass // by BackwardID; element 0 is unused
	steps     []Step
	updates   Log[Update]
	zeroings  Log[Zeroing]
	calls     []Call
	exits     Log[Exit]
	hooks     []Hook
	groups    []Params // of optimizers
	modules   []Params // registered by outermost modules
	gradReads []Read
	raised    []Raise
	failed    graph.Pos // of the exception that ended the program; -1
	places    map[graph.StackID]*place
	last      map[graph.ThreadID]*place // where each thread is
	step      int                       // index of the step that runs; -1
	running   passes
	pending   []int // writes whose operator is not known yet
	names     map[scoped]graph.TensorID
	modes     map[graph.ThreadID]graph.Pos       // where grad mode was switched off
	given     map[graph.TensorID]graph.Pos       // where the program first assigned a .grad that is not zero
	gradOf    map[graph.StorageID]graph.TensorID // the leaf whose .grad is, or was, in a storage
	uses      map[graph.TensorID][]int           // the ops that read it
	storages  map[graph.StorageID][]graph.TensorID
	numbers   map[float64][]int // value -> the exits with it
	flags     []Flagging
	changed   map[graph.CounterID][]int // the operations that changed memory in place, but for those of optimizers
	gains     map[graph.TensorID]Gain
	updated   []uint32       // the events of all updates
	params    []uint32       // the events that created parameters
	shared    map[string]any // what rules found out together
	linked    int            // so many tensors were looked at by link
	sources   sources
	memory    forgetting
}

type scoped struct{ scope, name graph.StringID }

// A TensorStory is what happened to one tensor.
type TensorStory struct {
	Created  graph.Pos
	Stack    graph.StackID
	Flags    graph.TensorFlags
	Shape    []int
	DType    graph.DType
	Node     graph.NodeID // grad_fn at its creation
	Base     graph.TensorID
	Storage  graph.StorageID
	Counter  graph.CounterID
	Op       int // number of the operation that made it; -1: none
	Names    []Naming
	Released graph.Pos // -1: the program still has it
	Cuts     []Flow    // where its values came from without a gradient
	Read     Reading   // what operations that were forgotten did with it

	// Rooted is the first backward pass that began from it.
	Rooted graph.BackwardID
}

// Known reports whether there is a story: the tape created the tensor, and it was not
// forgotten.
func (t *TensorStory) Known() bool { return t.Created >= 0 }

// A Reading says who read a tensor.
type Reading uint8

// The readings.
const (
	ReadAtAll Reading = 1 << iota // by any operation
	ReadInUse                     // by one of the program that computes something, and not only copies
)

// A Naming is a name that a tensor got.
type Naming struct {
	At          graph.Pos
	Name, Scope string
	// Lost is when the name began to mean something else; -1: never.
	Lost graph.Pos
}

// An Op is an operation that ran.
type Op struct {
	At       graph.Pos
	Stack    graph.StackID
	Name     string
	Inputs   []graph.TensorID
	Outputs  []graph.TensorID
	Mutated  []graph.TensorID
	Node     graph.NodeID
	GradMode bool
	Off      graph.Pos        // where grad mode had been switched off; -1: it was on
	Step     int              // index of the optimizer step that it belongs to; -1: none
	Pass     graph.BackwardID // the backward pass that it ran in; 0: none
}

// A Write is a change in place.
type Write struct {
	At       graph.Pos
	Stack    graph.StackID
	Tensor   graph.TensorID
	From, To uint32
	Op       int // number of the operation; -1: unknown
	Step     int // index of the optimizer step; -1: none
	Pass     graph.BackwardID
}

// A Pass is a run of backward() or autograd.grad().
type Pass struct {
	At     graph.Pos
	Stack  graph.StackID
	Flags  graph.BackwardFlags
	Roots  []Root
	Inputs []graph.TensorID // nil once it was forgotten
	End    graph.Pos        // -1: it is running
	Failed *graph.BackwardFailed
	Leaves []Contribution // gradients that it accumulated; nil once it was forgotten
}

// A Root is what a pass begins from.
type Root struct {
	Tensor graph.TensorID
	Node   graph.NodeID
}

// A Contribution is a gradient that reached a .grad.
type Contribution struct {
	At     graph.Pos
	Tensor graph.TensorID
	Grad   graph.TensorID
	How    graph.AccumulateMode
	Zero   bool // what was added is known, and zero
}

// A Gain is what all backward passes together gave to a leaf.
type Gain struct {
	First graph.Pos
	Zero  bool // all of it was exactly zero
}

// A Step is a step of an optimizer.
type Step struct {
	At, End   graph.Pos // End is -1 while it runs
	Stack     graph.StackID
	Optimizer string
	Params    []graph.TensorID // those with gradients
}

// An Update changed a leaf that requires grad: by an optimizer (Step >= 0) or by
// the program itself, in no_grad or through another tensor with the same memory.
type Update struct {
	At     graph.Pos
	Stack  graph.StackID
	Tensor graph.TensorID // the leaf
	Step   int
	Write  int            // index of the change in place; -1: the leaf got other memory
	Via    graph.TensorID // what was written to, or what the new memory came from
}

// A Zeroing cleared a gradient.
type Zeroing struct {
	At     graph.Pos
	Stack  graph.StackID
	Tensor graph.TensorID // whose gradient
	Called bool           // by zero_grad()
}

// A Call is one of a function that is no operation: clip_grad_norm_,
// LRScheduler.step.
type Call struct {
	At       graph.Pos
	Stack    graph.StackID
	Function string
	Tensors  []graph.TensorID // the parameters that it is about
}

// An Exit took a value out of the world of tensors: item(), tolist(), numpy().
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
	To     bool
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
	Class   string
	Tensors []graph.TensorID
}

// A Read looked for something that was not there.
type Read struct {
	At     graph.Pos
	Stack  graph.StackID
	Tensor graph.TensorID
}

// A Raise is an error that reached the program.
type Raise struct {
	At    graph.Pos
	Stack graph.StackID
	graph.Raised
	TypeName, CodeName, OpName string
}

// A Flow is a way that values went from one tensor to another.
type Flow struct {
	From, To graph.TensorID
	At       graph.Pos
	Stack    graph.StackID
	Op       int             // number of the operation; -1: none
	Cut      graph.CutReason // 0: the gradient goes the same way back
}

// NewHistory returns the history at the beginning of a tape.
func NewHistory(tape *graph.Tape, options Options) *History {
	h := &History{
		tape: tape, options: options, cursor: graph.NewForwardCursor(tape), dec: tape.NewDecoder(), pos: -1,
		tensors:  Log[TensorStory]{at: func(t *TensorStory) graph.Pos { return t.Created }, empty: noStory},
		ops:      Log[Op]{at: func(o *Op) graph.Pos { return o.At }, empty: func() Op { return Op{At: -1, Off: -1, Step: -1} }},
		writes:   Log[Write]{at: func(w *Write) graph.Pos { return w.At }, empty: func() Write { return Write{At: -1, Op: -1, Step: -1} }},
		updates:  Log[Update]{at: func(u *Update) graph.Pos { return u.At }, empty: func() Update { return Update{At: -1, Step: -1, Write: -1} }},
		zeroings: Log[Zeroing]{at: func(z *Zeroing) graph.Pos { return z.At }, empty: func() Zeroing { return Zeroing{At: -1} }},
		exits:    Log[Exit]{at: func(e *Exit) graph.Pos { return e.At }, empty: func() Exit { return Exit{At: -1} }},
		made:     make([]uint32, 1), passes: make([]Pass, 1),
		failed: -1, step: -1,
		places: map[graph.StackID]*place{}, last: map[graph.ThreadID]*place{},
		names: map[scoped]graph.TensorID{}, modes: map[graph.ThreadID]graph.Pos{},
		given: map[graph.TensorID]graph.Pos{}, gradOf: map[graph.StorageID]graph.TensorID{}, storages: map[graph.StorageID][]graph.TensorID{},
		numbers: map[float64][]int{}, changed: map[graph.CounterID][]int{}, gains: map[graph.TensorID]Gain{},
		shared: map[string]any{}, sources: sources{read: options.ReadLeftOut, lines: map[string][]string{}},
		memory: newForgetting(options.Window),
	}
	h.tensors.add(noStory()) // number 0
	return h
}

// noStory is that of a tensor which was forgotten.
func noStory() TensorStory { return TensorStory{Created: -1, Op: -1} }

// A place is a call stack that the program came to.
type place struct {
	stack  graph.StackID
	visits []uint32 // when it came there
	// The kinds of events at this visit, at the visits before, and at two of them.
	now, once, twice kindSet
}

// next takes one more event; false at the end of the tape.
func (h *History) next() bool {
	for h.cursor.Pos() < h.tape.Len() {
		h.pos = h.cursor.Pos()
		head, e, err := h.cursor.Next()
		if err != nil {
			continue // a damaged event says nothing
		}
		h.head, h.event = head, e
		here := h.last[head.Thread]
		if here == nil || here.stack != head.Stack {
			here = h.comeTo(head)
		}
		h.watch(here, e.Kind())
		h.take(head, e)
		if h.options.Progress != nil && h.pos%progressEvery == 0 {
			h.options.Progress.events.Store(int64(h.pos))
		}
		return true
	}
	return false
}

// comeTo notes that a thread has come to another call stack.
func (h *History) comeTo(head graph.Header) *place {
	here := h.places[head.Stack]
	if here == nil {
		here = &place{stack: head.Stack}
		h.places[head.Stack] = here
	}
	h.last[head.Thread] = here
	here.visits = append(here.visits, uint32(h.pos))
	here.twice |= here.once & here.now
	here.once |= here.now
	here.now = 0
	return here
}

// finish tells what it takes the whole tape to know.
func (h *History) finish() {
	if h.options.Progress != nil {
		h.options.Progress.events.Store(int64(h.pos) + 1)
	}
	h.uses = map[graph.TensorID][]int{}
	for i, op := range h.ops.All() {
		for _, in := range op.Inputs {
			if in != 0 && !slices.Contains(op.Mutated, in) {
				h.uses[in] = append(h.uses[in], i)
			}
		}
	}
	h.link(h.tape.Len())
}
