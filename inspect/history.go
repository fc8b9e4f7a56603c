package inspect

import (
	"regexp"
	"slices"
	"sort"

	"github.com/gradtui/gradtui/graph"
)

// Options say where a check looks for what is not on the tape.
type Options struct {
	// ReadFile reads a source file that is not on the tape; nil: none is read.
	ReadFile func(name string) ([]byte, error)
}

// A History is what happened on a tape up to a position, in the order in which
// questions about causes come: which operation made a tensor, what flowed into it,
// when its memory was changed, who updated a parameter. All of it is computed from
// the events; the graph of the same position is beside it.
type History struct {
	tape   *graph.Tape
	cursor *graph.Cursor

	pos      graph.Pos
	head     graph.Header
	event    graph.Event
	reporter *reporter

	tensors   []TensorStory // by TensorID
	made      []graph.Pos   // by NodeID: its creation
	ops       []Op
	writes    []Write
	passes    []Pass // by BackwardID; element 0 is unused
	steps     []Step
	updates   []Update
	zeroings  []Zeroing
	calls     []Call
	exits     []Exit
	hooks     []Hook
	groups    []Params // of optimizers
	modules   []Params // registered by outermost modules
	gradReads []Read
	raised    []Raise
	failed    graph.Pos // of the exception that ended the program; -1
	visits    map[graph.StackID][]graph.Pos
	last      map[graph.ThreadID]graph.StackID
	step      int // index of the step that runs; -1
	running   []graph.BackwardID
	pending   []int // writes whose operator is not known yet
	names     map[scoped]graph.TensorID
	modes     map[graph.ThreadID]graph.Pos       // where grad mode was switched off
	given     map[graph.TensorID]graph.Pos       // where the program first assigned a .grad that is not zero
	gradOf    map[graph.StorageID]graph.TensorID // the leaf whose .grad is, or was, in a storage
	uses      [][]int                            // by TensorID: the ops that read it
	storages  map[graph.StorageID][]graph.TensorID
	numbers   map[float64][]int // value -> the exits with it
	flags     []Flagging
	changed   map[graph.CounterID][]int // the operations that changed memory in place, but for those of optimizers
	shared    map[string]any            // what rules found out together
	sources   sources
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
	Op       int // index of the operation that made it; -1: none
	Names    []Naming
	Released graph.Pos // -1: the program still has it
	Writes   []int     // indices of the changes through this very tensor
	Cuts     []Flow    // where its values came from without a gradient
}

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
	Value    graph.Value
	Op       int // index of the operation; -1: unknown
	Step     int // index of the optimizer step; -1: none
	Pass     graph.BackwardID
}

// A Pass is a run of backward() or autograd.grad().
type Pass struct {
	At     graph.Pos
	Stack  graph.StackID
	Flags  graph.BackwardFlags
	Roots  []graph.Root
	Inputs []graph.TensorID
	End    graph.Pos // -1: it is running
	Failed *graph.BackwardFailed
	Leaves []Contribution // gradients that it accumulated
}

// A Contribution is a gradient that reached a .grad.
type Contribution struct {
	At     graph.Pos
	Tensor graph.TensorID
	Grad   graph.TensorID
	How    graph.AccumulateMode
	Added  graph.Value
	Total  graph.Value
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
	Op       int             // index of the operation; -1: none
	Cut      graph.CutReason // 0: the gradient goes the same way back
}

// NewHistory returns the history at the beginning of a tape.
func NewHistory(tape *graph.Tape, options Options) *History {
	return &History{
		tape: tape, cursor: graph.NewCursor(tape), pos: -1,
		tensors: make([]TensorStory, 1), made: make([]graph.Pos, 1), passes: make([]Pass, 1),
		failed: -1, step: -1,
		visits: map[graph.StackID][]graph.Pos{}, last: map[graph.ThreadID]graph.StackID{},
		names: map[scoped]graph.TensorID{}, modes: map[graph.ThreadID]graph.Pos{},
		given: map[graph.TensorID]graph.Pos{}, gradOf: map[graph.StorageID]graph.TensorID{}, storages: map[graph.StorageID][]graph.TensorID{},
		numbers: map[float64][]int{}, changed: map[graph.CounterID][]int{}, shared: map[string]any{}, sources: sources{read: options.ReadFile, lines: map[string][]string{}},
	}
}

// Tape is the tape that the history tells of.
func (h *History) Tape() *graph.Tape { return h.tape }

// Graph is the graph at the history's position.
func (h *History) Graph() *graph.Graph { return h.cursor.Graph() }

// next takes one more event; false at the end of the tape.
func (h *History) next() bool {
	for h.cursor.Pos() < h.tape.Len() {
		h.pos = h.cursor.Pos()
		head, e, err := h.cursor.Next()
		if err != nil {
			continue // a damaged event says nothing
		}
		h.head, h.event = head, e
		if old, ok := h.last[head.Thread]; !ok || old != head.Stack {
			h.last[head.Thread] = head.Stack
			h.visits[head.Stack] = append(h.visits[head.Stack], h.pos)
		}
		h.take(head, e)
		return true
	}
	return false
}

// Tensor is the story of a tensor; nil if there is none with that number.
func (h *History) Tensor(id graph.TensorID) *TensorStory {
	if id == 0 || int(id) >= len(h.tensors) {
		return nil
	}
	return &h.tensors[id]
}

// Tensors is the number of tensors; their numbers are 1 to that.
func (h *History) Tensors() int { return len(h.tensors) - 1 }

// NodeMade is the event that created a node, -1 for an unknown one.
func (h *History) NodeMade(id graph.NodeID) graph.Pos {
	if id == 0 || int(id) >= len(h.made) {
		return -1
	}
	return h.made[id]
}

// Ops are the operations, in order.
func (h *History) Ops() []Op { return h.ops }

// Writes are the changes in place, in order.
func (h *History) Writes() []Write { return h.writes }

// Passes are the backward passes by their number; element 0 is none.
func (h *History) Passes() []Pass { return h.passes }

// Steps are the steps of optimizers.
func (h *History) Steps() []Step { return h.steps }

// Updates are the changes of leaves that require grad.
func (h *History) Updates() []Update { return h.updates }

// Zeroings are the events that cleared gradients.
func (h *History) Zeroings() []Zeroing { return h.zeroings }

// Calls are the calls of functions that are no operations.
func (h *History) Calls() []Call { return h.calls }

// Exits are the values that left the world of tensors.
func (h *History) Exits() []Exit { return h.exits }

// Flaggings are the switches of requires_grad flags.
func (h *History) Flaggings() []Flagging { return h.flags }

// Shared is what several rules need and one of them computes, under a name of
// theirs.
func (h *History) Shared(name string, compute func() any) any {
	if v, ok := h.shared[name]; ok {
		return v
	}
	v := compute()
	h.shared[name] = v
	return v
}

// Hooks are the hooks that were registered.
func (h *History) Hooks() []Hook { return h.hooks }

// Optimizers are the groups of parameters that optimizers got.
func (h *History) Optimizers() []Params { return h.groups }

// Modules are the parameters that outermost modules had registered.
func (h *History) Modules() []Params { return h.modules }

// MissingGrads are the reads of .grad that gave None.
func (h *History) MissingGrads() []Read { return h.gradReads }

// Raised are the errors that reached the program.
func (h *History) Raised() []Raise { return h.raised }

// Failed is the event of the exception that ended the program; ok is false if none
// did.
func (h *History) Failed() (p graph.Pos, ok bool) { return h.failed, h.failed >= 0 }

// GivenGrads are the tensors that the program itself gave a .grad, and where first.
func (h *History) GivenGrads() map[graph.TensorID]graph.Pos { return h.given }

// GradOf is the tensor whose .grad a tensor is, or was, or shows the memory of.
func (h *History) GradOf(grad graph.TensorID) (graph.TensorID, bool) {
	if t := h.Tensor(grad); t != nil {
		leaf, ok := h.gradOf[t.Storage]
		return leaf, ok
	}
	return 0, false
}

// holdsGrad notes that a tensor is the .grad of a leaf.
func (h *History) holdsGrad(leaf, grad graph.TensorID) {
	if t := h.Tensor(grad); t != nil {
		h.gradOf[t.Storage] = leaf
	}
}

// GradModeOff is where grad mode was switched off in a thread for what runs there
// now; -1: it is on.
func (h *History) GradModeOff(thread graph.ThreadID) graph.Pos {
	if p, off := h.modes[thread]; off {
		return p
	}
	return -1
}

// Visits are the times when the program came to a call stack, in order.
func (h *History) Visits(s graph.StackID) []graph.Pos { return h.visits[s] }

// StackAt is the call stack of an event.
func (h *History) StackAt(p graph.Pos) graph.StackID {
	if p < 0 {
		return 0
	}
	head, _, err := h.tape.At(p)
	if err != nil {
		return 0
	}
	return head.Stack
}

// visitBefore is the newest visit of a stack before p, leaving out the visit that p
// itself belongs to; -1: there is none.
func (h *History) visitBefore(s graph.StackID, p graph.Pos) graph.Pos {
	v := h.visits[s]
	i := sort.Search(len(v), func(i int) bool { return v[i] > p })
	if i < 2 {
		return -1
	}
	return v[i-2]
}

// visited reports whether the program came to a stack after one event and before
// another.
func (h *History) visited(s graph.StackID, after, before graph.Pos) bool {
	v := h.visits[s]
	i := sort.Search(len(v), func(i int) bool { return v[i] > after })
	return i < len(v) && v[i] < before
}

// UpdatedBetween reports whether the program changed a parameter after one event
// and before another.
func (h *History) UpdatedBetween(after, before graph.Pos) bool {
	i := sort.Search(len(h.updates), func(i int) bool { return h.updates[i].At > after })
	return i < len(h.updates) && h.updates[i].At < before
}

// SameIteration reports whether two events belong to one iteration of the loop that
// the later one is in. A tape knows no loops: a new iteration has begun when the
// program comes to the later event's call stack again and parameters were updated
// since, or, in a program that updates none, when it has come again to where the
// earlier event was.
func (h *History) SameIteration(earlier, later graph.Pos) bool {
	again := h.visitBefore(h.StackAt(later), later)
	if again < 0 || earlier > again {
		return true
	}
	if len(h.updates) > 0 {
		return !h.UpdatedBetween(again, later)
	}
	return !h.visited(h.StackAt(earlier), again, later)
}

// OpAt finds the operation of an event: the one that was recorded at p or is the
// next one after it.
func (h *History) OpAt(p graph.Pos) *Op {
	i := sort.Search(len(h.ops), func(i int) bool { return h.ops[i].At >= p })
	if i == len(h.ops) {
		return nil
	}
	return &h.ops[i]
}

// Maker is the operation that made a tensor; nil if none did.
func (h *History) Maker(id graph.TensorID) *Op {
	t := h.Tensor(id)
	if t == nil || t.Op < 0 {
		return nil
	}
	return &h.ops[t.Op]
}

// NodeOp is the operation that made a node; nil if none did.
func (h *History) NodeOp(id graph.NodeID) *Op {
	p := h.NodeMade(id)
	if p < 0 {
		return nil
	}
	if op := h.OpAt(p); op != nil && op.Node == id {
		return op
	}
	return nil
}

// Uses are the indices of the operations that read a tensor.
func (h *History) Uses(id graph.TensorID) []int {
	if int(id) >= len(h.uses) {
		return nil
	}
	return h.uses[id]
}

// Sharing are the tensors in one storage, in order of creation.
func (h *History) Sharing(s graph.StorageID) []graph.TensorID { return h.storages[s] }

// Name is what the program calls a tensor: the newest name that it got, or "".
func (h *History) Name(id graph.TensorID) string {
	t := h.Tensor(id)
	if t == nil || len(t.Names) == 0 {
		return ""
	}
	return t.Names[len(t.Names)-1].Name
}

// Called is a name for messages: `x`, "a view of `x`", "a tensor of shape [2, 3]".
func (h *History) Called(id graph.TensorID) string {
	t := h.Tensor(id)
	switch {
	case t == nil:
		return "a tensor"
	case h.Name(id) != "":
		return "`" + h.Name(id) + "`"
	case h.Name(t.Base) != "":
		return "a view of `" + h.Name(t.Base) + "`"
	}
	return "a tensor of shape " + shapeText(t.Shape)
}

// At is the place of an event.
func (h *History) At(p graph.Pos, label string) Span {
	return h.In(h.StackAt(p), p, label)
}

// In is the innermost line of the program in a call stack.
func (h *History) In(s graph.StackID, p graph.Pos, label string) Span {
	stack := h.tape.Stack(s)
	for _, f := range stack {
		if !libraryFile.MatchString(f.File) {
			return Span{Frame: f, Label: label, At: p}
		}
	}
	return Span{Frame: stack.Top(), Label: label, At: p}
}

// libraryFile matches files that came with Python or were installed.
var libraryFile = regexp.MustCompile(`[/\\](?:site-packages|dist-packages|lib[/\\]python3[^/\\]*)[/\\]`)

// Callers are the lines that called what ran at an event, innermost first, without
// the line itself.
func (h *History) Callers(p graph.Pos, label string) (spans []Span) {
	stack := h.tape.Stack(h.StackAt(p))
	for _, f := range stack[min(1, len(stack)):] {
		if !libraryFile.MatchString(f.File) {
			spans = append(spans, Span{Frame: f, Label: label, At: p})
		}
	}
	return spans
}

// LeafUpdated is the leaf that requires grad whose memory a tensor shows: itself,
// what it is a view of, or what it was detached from.
func (h *History) leafOf(id graph.TensorID) (graph.TensorID, bool) {
	t := h.Tensor(id)
	if t == nil {
		return 0, false
	}
	for _, other := range h.storages[t.Storage] {
		if h.Tensor(other).Base != 0 {
			continue // a loop makes many views
		}
		if o, ok := h.Graph().Tensor(other); ok && o.Leaf() && o.RequiresGrad && o.Storage == t.Storage {
			return other, true
		}
	}
	return 0, false
}

// finish tells what it takes the whole tape to know.
func (h *History) finish() {
	h.uses = make([][]int, len(h.tensors))
	for i := range h.ops {
		for _, in := range h.ops[i].Inputs {
			if in != 0 && int(in) < len(h.uses) && !slices.Contains(h.ops[i].Mutated, in) {
				h.uses[in] = append(h.uses[in], i)
			}
		}
	}
	h.link()
}
