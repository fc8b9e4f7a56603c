package autograd

import (
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gradtui/gradtui/graph"
)

// A Recorder writes what the engine does to a tape. Without one the engine pays
// a nil check.
type Recorder struct {
	tape   *graph.Tape
	batch  graph.Batch
	gen    uint32
	began  time.Time
	serial uint64 // of the newest tensor when recording began

	depth  int // of nested entries into the engine
	muted  int // inside a backward pass that is not itself recorded
	header graph.Header
	given  bool // the stack is supplied from outside

	tensors  graph.TensorID
	nodes    graph.NodeID
	storages graph.StorageID
	counters graph.CounterID
	passes   graph.BackwardID

	stacks  map[stackKey]graph.StackID
	waiting bool      // an op is being wired up:
	held    []change  // what happens to histories is told when its node is complete
	busy    bool      // a node is being announced
	early   []*Tensor // tensors that were announced before their grad_fn

	summaries   [remembered]summary
	nextSummary int

	gate     Gate // may stop the program
	stopping bool // it will, as soon as the tape is not locked any more

	operands func() []*Tensor // set by SetOperands

	idle    func()                   // set by OnIdle
	resting bool                     // inside of it
	met     func(t *Tensor, n *Node) // for tests: sees what comes on the tape

	// Scratch: events are encoded at once and their memory is used again.
	floats  []float64
	attrs   attrMemory
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

// reserve is memory that is never touched: it takes address space. Go's collector
// begins when the heap has doubled, and a program with small tensors has next to
// nothing on its heap, so that it would run every few thousand ops, which costs a
// third of the time. With the reserve it waits for as much as this to pile up.
var reserve []byte

const reserveBytes = 32 << 20

// Record makes the engine write to a tape from now on. It returns a function
// that stops the recording and brings back the recorder before, if there was
// one.
func Record(tape *graph.Tape) (r *Recorder, stop func()) {
	generation++
	if reserve == nil {
		reserve = make([]byte, reserveBytes)
	}
	r = &Recorder{
		tape: tape, gen: generation, began: time.Now(), serial: serials,
		stacks: map[stackKey]graph.StackID{},
	}
	before := recorder
	recorder = r
	return r, func() {
		if recorder == r {
			recorder = before
		}
	}
}

// A Gate sees every event and may stop the program there; package control has
// one.
type Gate interface {
	// Saw looks at an event while the tape is locked and reports whether the
	// program is to stop.
	Saw(graph.Batch, graph.Header, graph.Event) bool
	// Starts is Saw for a node of a backward pass that is about to run: what it waits
	// for has happened, and nothing of what it does.
	Starts(graph.Batch, graph.Header, graph.NodeID) bool
	// Wait returns when the program may go on.
	Wait()
}

// SetGate makes the recorder show every event to a gate. nil takes it away.
func (r *Recorder) SetGate(g Gate) { r.gate = g }

func recording() bool { return recorder != nil }

// SetStack supplies the call stack of the program for the events that follow,
// instead of the stack of Go.
func (r *Recorder) SetStack(id graph.StackID) {
	r.given = true
	r.header.Stack = id
}

// SetOperands supplies what the function that runs was given, for the events of
// errors.
func (r *Recorder) SetOperands(f func() []*Tensor) { r.operands = f }

// Note appends an event about the program that the engine itself knows nothing of.
// make may number tensors and strings.
func (r *Recorder) Note(make func(n Notes) graph.Event) {
	r.single(func() graph.Event { return make(Notes{r}) })
}

// Released notes that the program has dropped its last reference to a tensor.
func (r *Recorder) Released(t *Tensor) {
	if r.muted > 0 || t.gen != r.gen || recorder != r || t.flags&releasedFlag != 0 {
		return
	}
	t.flags |= releasedFlag
	r.begin()
	defer r.end()
	r.append(&graph.TensorReleased{Tensor: t.id})
}

// Notes gives the numbers that events need.
type Notes struct{ r *Recorder }

// String returns the number of a string.
func (n Notes) String(s string) graph.StringID { return n.r.batch.String(s) }

// Tensor returns the number of a tensor, which is announced if need be.
func (n Notes) Tensor(t *Tensor) graph.TensorID { return n.r.tensor(t) }

// Tensors returns the numbers of tensors.
func (n Notes) Tensors(ts []*Tensor) []graph.TensorID { return n.r.tensorIDs(ts) }

// enter begins a call of the engine by the program: it notes the time and the
// place. Calls that the engine makes of itself nest.
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

// leave ends what enter began.
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

// rest calls the function of OnIdle. What that does with the engine is no reason
// to call it again.
func (r *Recorder) rest() {
	if r.resting {
		return
	}
	r.resting = true
	defer func() { r.resting = false }()
	r.idle()
}

// OnIdle makes the recorder call f whenever a call of the engine by the program
// ends, also one that a hook or a Function makes during another. The tape is not
// locked then. f may use the engine; such calls do not lead to f again. nil
// takes the function away.
func (r *Recorder) OnIdle(f func()) {
	if r != nil {
		r.idle = f
	}
}

// outside suspends the engine's own state while the program's code runs.
func (r *Recorder) outside() (back func()) {
	depth, muted, header := r.depth, r.muted, r.header
	r.depth, r.muted = 0, 0
	r.forgetSummaries()
	return func() { r.depth, r.muted, r.header = depth, muted, header }
}

// single appends one event outside of an operator.
func (r *Recorder) single(e func() graph.Event) {
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

// stackDepth is how many levels of the call stack are kept.
const stackDepth = 24

// callers interns the present call stack.
func (r *Recorder) callers() graph.StackID {
	// Walking the stack properly takes longer than an operator. A stack that
	// was seen before is known by its return addresses.
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

// A stackKey tells call stacks apart: their return addresses, also those inside
// the engine.
type stackKey [stackDepth + 8]uintptr

// programStack returns the present call stack of the program.
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

// notTheProgram begin the names of functions that stand between the program and
// the engine: the Go runtime, and fmt, which calls the engine to print tensors.
var notTheProgram = []string{"runtime.", "fmt."}

// starters are what [StartedBy] was given.
var starters []string

// StartedBy says how the names of functions begin that call the program, where it runs in
// the process that records it: their frames, and those that called them, are not part of
// the program's call stacks.
func StartedBy(prefixes ...string) {
	for _, p := range prefixes {
		if !slices.Contains(starters, p) {
			starters = append(starters, p)
		}
	}
}

// resolve turns program counters into frames of the program.
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
