package autograd

import (
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gradtui/gradtui/graph"
)

// A Recorder writes what the engine does to a tape. Without a recorder the cost
// is a nil check.
type Recorder struct {
	tape   *graph.Tape
	batch  graph.Batch
	gen    uint32
	began  time.Time
	serial uint64 // serial of the newest tensor when recording began

	depth  int // of nested entries into the engine
	muted  int // inside a backward pass without create_graph
	header graph.Header
	given  bool      // a front end supplies the stack, and says what the program has dropped
	inOp   bool      // the program has called an operator
	inner  []*Tensor // tensors that were announced during this call

	tensors  graph.TensorID
	nodes    graph.NodeID
	storages graph.StorageID
	counters graph.CounterID
	passes   graph.BackwardID

	stacks  map[stackKey]graph.StackID
	waiting bool      // an op is being connected to the graph
	held    []change  // changes of history, recorded when the op's node is complete
	busy    bool      // a node is being announced
	early   []*Tensor // tensors that were announced before their grad_fn

	summaries   [remembered]summary
	nextSummary int

	gate     Gate // can stop the program
	stopping bool // the gate will stop the program when the tape is unlocked

	operands func() []*Tensor // set by SetOperands

	idle    func()                   // set by OnIdle
	resting bool                     // the function of OnIdle is running
	met     func(t *Tensor, n *Node) // for tests: called for what is recorded

	first int // leading elements that a summary keeps

	amounts     *graph.Amounts // of tensors with certain names; nil: names do not matter
	paths       map[graph.ThreadID][]string
	resultNames []ResultName
	result      int // index of the result that is announced; -1: the only one

	// Scratch: events are encoded at once, so their memory can be reused.
	floats  []float64
	attrs   attrMemory
	part    graph.Attr // says which composed operator the next one is a part of; without a name: it is none
	rebase  graph.Rebased
	created graph.TensorCreated
	made    graph.NodeCreated
	ran     graph.OpRan
	readyEv graph.NodeReady
	done    graph.NodeExecuted
	freedEv graph.SavedFreed
	mutated graph.Mutated
	arrive  graph.GradArrived
	added   graph.GradAccumulated
}

var (
	recorder   *Recorder
	generation uint32
)

// reserve is memory that is never touched; it only takes address space. Go's
// collector runs when the heap has doubled. A program with small tensors has an
// almost empty heap, so the collector would run every few thousand ops and take
// a third of the time. With the reserve it waits until this much garbage has
// accumulated.
var reserve []byte

const reserveBytes = 32 << 20

// Record makes the engine write to a tape. It returns the recorder, and a
// function that stops the recording and restores the previous recorder, if any.
func Record(tape *graph.Tape) (r *Recorder, stop func()) {
	generation++
	if reserve == nil {
		reserve = make([]byte, reserveBytes)
	}
	r = &Recorder{
		tape: tape, gen: generation, began: time.Now(), serial: serials,
		stacks: map[stackKey]graph.StackID{}, first: graph.UsualElements,
	}
	if n := tape.Limits().Elements; n > 0 {
		r.first = min(n, graph.MostElements)
	}
	if r.amounts = tape.Limits().Named; r.amounts != nil {
		r.paths = map[graph.ThreadID][]string{}
	}
	r.result = -1
	before := recorder
	recorder = r
	return r, func() {
		if recorder == r {
			recorder = before
		}
	}
}

// A Gate gets every event and can stop the program there; package control
// implements one.
type Gate interface {
	// Saw is called with an event while the tape is locked. It reports whether
	// the program must stop.
	Saw(graph.Batch, graph.Header, graph.Event) bool
	// Starts is Saw for a node of a backward pass that is about to run: its
	// inputs are ready, and none of its own events has been recorded.
	Starts(graph.Batch, graph.Header, graph.NodeID) bool
	// Wait blocks until the program may continue.
	Wait()
}

// SetGate makes the recorder show every event to a gate; nil removes the gate.
func (r *Recorder) SetGate(g Gate) { r.gate = g }

func recording() bool { return recorder != nil }

// SetStack sets the call stack of the program for the following events, instead
// of the Go stack.
func (r *Recorder) SetStack(id graph.StackID) {
	r.given = true
	r.header.Stack = id
}

// SetOperands sets a function that returns the tensor arguments of the running
// function, for the events of errors.
func (r *Recorder) SetOperands(f func() []*Tensor) { r.operands = f }

// Note appends an event about the program that the engine itself cannot
// observe. make may number tensors and strings.
func (r *Recorder) Note(make func(n Notes) graph.Event) {
	r.single(func() graph.Event { return make(Notes{r}) })
}

// Released records that the program has dropped its last reference to a tensor.
func (r *Recorder) Released(t *Tensor) {
	if r.muted > 0 || t.gen != r.gen || recorder != r || t.flags&releasedFlag != 0 {
		return
	}
	t.flags |= releasedFlag
	r.begin()
	defer r.end()
	r.append(&graph.TensorReleased{Tensor: t.id})
}

// Notes returns the identifiers that events contain.
type Notes struct{ r *Recorder }

// String returns the identifier of a string.
func (n Notes) String(s string) graph.StringID { return n.r.batch.String(s) }

// Tensor returns the identifier of a tensor, and announces the tensor if need
// be.
func (n Notes) Tensor(t *Tensor) graph.TensorID { return n.r.tensor(t) }

// Tensors returns the identifiers of tensors.
func (n Notes) Tensors(ts []*Tensor) []graph.TensorID { return n.r.tensorIDs(ts) }

// enter begins a call of the engine by the program: it records the time and the
// call stack. Calls of the engine by itself nest.
func (r *Recorder) enter() {
	if r.depth == 0 {
		r.header.Time = time.Since(r.began)
		r.header.Thread = current.id
		if !r.given {
			r.header.Stack = r.callers()
		}
	}
	r.depth++
}

// leave ends the call that enter began.
func (r *Recorder) leave() {
	r.depth--
	if r.depth > 0 {
		return
	}
	r.forgetSummaries()
	if r.idle != nil {
		r.rest()
	}
}

// enterOp is enter for an operator.
func (r *Recorder) enterOp() {
	r.enter()
	if r.depth == 1 {
		r.inOp = r.given
	}
}

// leaveOp ends the call of an operator. If the program has called it, the
// tensors that it made on its way to the results are released: the program has no
// objects for them.
func (r *Recorder) leaveOp(results []*Tensor) {
	if r.depth == 1 && r.inOp {
		r.inOp = false
		for _, t := range r.inner {
			if t.handle == 0 && indexOf(results, t) < 0 {
				r.Released(t)
			}
		}
		clear(r.inner)
		r.inner = r.inner[:0]
	}
	r.leave()
}

// rest calls the function of OnIdle. Calls of the engine by that function do
// not call it again.
func (r *Recorder) rest() {
	if r.resting {
		return
	}
	r.resting = true
	defer func() { r.resting = false }()
	r.idle()
}

// OnIdle makes the recorder call f whenever a call of the engine by the program
// ends, including calls by a hook or a Function during another call. The tape
// is not locked then. f may use the engine; such calls do not call f again. nil
// removes the function.
func (r *Recorder) OnIdle(f func()) {
	if r != nil {
		r.idle = f
	}
}

// outside suspends the engine's own state while code of the program runs.
func (r *Recorder) outside() (back func()) {
	depth, muted, header, inOp, inner := r.depth, r.muted, r.header, r.inOp, r.inner
	r.depth, r.muted, r.inOp, r.inner = 0, 0, false, nil
	r.forgetSummaries()
	return func() {
		r.depth, r.muted, r.header, r.inOp, r.inner = depth, muted, header, inOp, inner
	}
}

// single appends one event outside an operator, unless the recorder is set aside.
func (r *Recorder) single(e func() graph.Event) {
	if recorder != r {
		return
	}
	r.enter()
	defer r.leave()
	r.begin()
	defer r.end()
	if ev := e(); ev != nil {
		r.append(ev)
	}
}

func (r *Recorder) begin() { r.batch = r.tape.Lock() }

func (r *Recorder) end() {
	r.tape.Unlock()
	if r.stopping {
		r.stopping = false
		r.gate.Wait()
	}
}

func (r *Recorder) append(e graph.Event) {
	r.batch.Append(r.header, e)
	if r.gate != nil && r.gate.Saw(r.batch, r.header, e) {
		r.stopping = true
	}
	r.floats = r.floats[:0]
	r.attrs.reset()
}

// stackDepth is how many frames of a call stack are kept.
const stackDepth = 24

// callers interns the current call stack.
func (r *Recorder) callers() graph.StackID {
	// Resolving the stack takes longer than an operator. A known stack is
	// recognized by its return addresses.
	var key stackKey
	known := framePointers() && returnAddresses(key[:]) > 0
	if known {
		if id, ok := r.stacks[key]; ok {
			return id
		}
	}
	var pcs [stackDepth]uintptr
	runtime.Callers(4, pcs[:])
	if !known {
		copy(key[:], pcs[:])
		if id, ok := r.stacks[key]; ok {
			return id
		}
	}
	id := r.tape.InternStack(resolve(pcs[:]))
	r.stacks[key] = id
	return id
}

// A stackKey identifies a call stack by its return addresses, including
// addresses inside the engine.
type stackKey [stackDepth + 8]uintptr

// programStack returns the current call stack of the program.
func programStack() graph.Stack {
	if r := recorder; r != nil && r.given {
		return r.tape.Stack(r.header.Stack)
	}
	var pcs [stackDepth]uintptr
	runtime.Callers(3, pcs[:])
	return resolve(pcs[:])
}

// enginePrefix begins the names of the engine's own functions.
const enginePrefix = "github.com/gradtui/gradtui/autograd"

// notTheProgram holds prefixes of functions between the program and the engine:
// the Go runtime, and fmt, which calls the engine to print tensors.
var notTheProgram = []string{"runtime.", "fmt."}

// starters holds the arguments of [StartedBy].
var starters []string

// StartedBy sets prefixes of the names of functions that call the program, for
// programs in the recording process. The frames of these functions and of their
// callers are not part of the program's call stacks.
func StartedBy(prefixes ...string) {
	for _, p := range prefixes {
		if !slices.Contains(starters, p) {
			starters = append(starters, p)
		}
	}
}

// resolve converts program counters to frames of the program.
func resolve(pcs []uintptr) graph.Stack {
	n := 0
	for n < len(pcs) && pcs[n] != 0 {
		n++
	}
	var stack graph.Stack
	frames := runtime.CallersFrames(pcs[:n])
	for {
		f, more := frames.Next()
		begins := func(prefix string) bool { return strings.HasPrefix(f.Function, prefix) }
		test := strings.HasSuffix(f.File, "_test.go")
		if !test && slices.ContainsFunc(starters, begins) {
			return stack
		}
		engine := begins(enginePrefix) && !test
		between := slices.ContainsFunc(notTheProgram, begins)
		if !engine && !between && f.Function != "" {
			stack = append(stack, graph.Frame{File: f.File, Line: f.Line, Func: shortName(f.Function)})
		}
		if !more {
			return stack
		}
	}
}

// shortName returns a function's name without the path of its package.
func shortName(function string) string {
	return function[strings.LastIndexByte(function, '/')+1:]
}
