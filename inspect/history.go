package inspect

import (
	"slices"
	"sync/atomic"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/internal/running"
)

// Options say where a check looks for what is not on the tape, and how much it keeps in memory.
type Options struct {
	// ReadLeftOut reads a source file whose text the tape leaves out; nil: none is read.
	// All other source text comes from the tape.
	ReadLeftOut func(name string, e *graph.SourceRead) ([]byte, error)
	// Window is how many of the newest events are known in full at least, whatever the
	// length of the tape; 0: [DefaultWindow]; negative: only the last few iterations.
	Window graph.Pos
	// Progress, if it is not nil, counts the events that the history has taken.
	Progress *Progress
}

// Progress counts events. Other goroutines may look at it.
type Progress struct{ events atomic.Int64 }

// Events returns how many events were counted so far.
func (p *Progress) Events() int { return int(p.events.Load()) }

// progressEvery is how many events are counted at once.
const progressEvery = 1024

// A History knows what happened on a tape up to a position, ordered as questions about causes
// ask: which operation made a tensor, what flowed into it, when its memory was changed, what
// updated a parameter. All of it is computed from the events; the graph of the same position is
// beside it. Of a long tape it forgets most (forget.go): what is forgotten is missing in the lists
// of type [Log], and nil or empty elsewhere.
type History struct {
	tape    *graph.Tape
	options Options
	cursor  *graph.Cursor  // behind the event at pos
	dec     *graph.Decoder // reads single events

	// The event that was taken last.
	pos   graph.Pos
	head  graph.Header
	event graph.Event

	// What happened, each list in the order of events.
	tensors      Log[Tensor] // by TensorID
	made         []uint32    // by NodeID: the event that created the node
	ops          Log[Op]     // the operations that ran
	writes       Log[Write]  // the changes in place
	passes       []Pass      // by BackwardID; element 0 is unused
	steps        []Step      // the steps of optimizers
	updates      Log[Update] // the changes to leaves that require grad
	zeroings     Log[Zeroing]
	calls        []Call        // of functions that are not operations
	exits        Log[Exit]     // the values that became plain numbers
	hooks        []Hook        // the hooks that were registered
	optimizers   []Params      // the parameters that optimizers got
	modules      []Params      // the parameters that outermost modules registered
	missingGrads []MissingGrad // the reads of .grad that gave None
	raised       []Raise       // the errors that reached the program
	flags        []Flagging    // the switches of requires_grad flags
	holders      []Holder      // where the program keeps tensors, as it was found out
	failed       graph.Pos     // of the exception that ended the program; -1: none did

	// Facts of which the history forgets little or nothing.
	callSites     map[graph.StackID]*callSite        // when the program came to each call stack
	assignedGrads map[graph.TensorID]graph.Pos       // where the program first assigned a .grad that is not zero
	gradOf        map[graph.StorageID]graph.TensorID // the leaf whose .grad is, or was, in a storage
	gains         map[graph.TensorID]Gain            // what all passes together gave to a leaf
	updated       []uint32                           // the events of all updates
	params        []uint32                           // the events that created parameters

	// Indices over the lists.
	uses     map[graph.TensorID][]int             // the operations that read a tensor; made by finish
	storages map[graph.StorageID][]graph.TensorID // the tensors in a storage
	changed  map[graph.CounterID][]int            // the operations that changed memory in place, without optimizers
	numbers  map[float64][]int                    // the exits with a value
	names    map[scoped]graph.TensorID            // what a name means now
	places   map[place]int                        // of holders, by what they are now
	savers   savers

	// What is going on at pos.
	last    map[graph.ThreadID]*callSite // where each thread is
	modes   map[graph.ThreadID]graph.Pos // where grad mode was switched off; not there: it is on
	step    int                          // index of the step that runs; -1: none
	running running.Passes               // the passes that run
	pending []int                        // writes whose operation is not known yet: its event follows

	shared  map[string]any // what rules found out together
	linked  int            // how many tensors link has looked at
	sources sources        // the text of the program
	lastRan lastRuns       // when lines ran
	memory  forgetting     // what was forgotten, and what must not be
}

type scoped struct{ scope, name graph.StringID }

// NewHistory returns the history at the beginning of a tape.
func NewHistory(tape *graph.Tape, options Options) *History {
	h := &History{
		tape: tape, options: options, cursor: graph.NewForwardCursor(tape), dec: tape.NewDecoder(), pos: -1,
		tensors:  Log[Tensor]{at: func(t *Tensor) graph.Pos { return t.Created }, empty: unknownTensor},
		ops:      Log[Op]{at: func(o *Op) graph.Pos { return o.At }, empty: func() Op { return Op{At: -1, Off: -1, Step: -1} }},
		writes:   Log[Write]{at: func(w *Write) graph.Pos { return w.At }, empty: func() Write { return Write{At: -1, Op: -1, Step: -1} }},
		updates:  Log[Update]{at: func(u *Update) graph.Pos { return u.At }, empty: func() Update { return Update{At: -1, Step: -1, Write: -1} }},
		zeroings: Log[Zeroing]{at: func(z *Zeroing) graph.Pos { return z.At }, empty: func() Zeroing { return Zeroing{At: -1} }},
		exits:    Log[Exit]{at: func(e *Exit) graph.Pos { return e.At }, empty: func() Exit { return Exit{At: -1} }},
		made:     make([]uint32, 1), passes: make([]Pass, 1),
		failed: -1, step: -1,
		callSites: map[graph.StackID]*callSite{}, last: map[graph.ThreadID]*callSite{},
		names: map[scoped]graph.TensorID{}, places: map[place]int{}, modes: map[graph.ThreadID]graph.Pos{},
		assignedGrads: map[graph.TensorID]graph.Pos{}, gradOf: map[graph.StorageID]graph.TensorID{}, storages: map[graph.StorageID][]graph.TensorID{},
		numbers: map[float64][]int{}, changed: map[graph.CounterID][]int{}, gains: map[graph.TensorID]Gain{},
		shared: map[string]any{}, sources: sources{read: options.ReadLeftOut, lines: map[string][]string{}},
		memory: newForgetting(options.Window),
	}
	h.tensors.add(unknownTensor()) // number 0
	return h
}

// unknownTensor returns what is known of a tensor that was forgotten: nothing.
func unknownTensor() Tensor { return Tensor{Created: -1, Op: -1} }

// A callSite is a call stack that the program came to.
type callSite struct {
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
			here = h.arriveAt(head)
		}
		if k := e.Kind(); k != graph.KindTensorHeld && k != graph.KindValueRead { // whose places in the program depend on the recorder
			h.watch(here, e.Kind())
		}
		h.take(head, e)
		if h.options.Progress != nil && h.pos%progressEvery == 0 {
			h.options.Progress.events.Store(int64(h.pos))
		}
		return true
	}
	return false
}

// arriveAt notes that a thread has come to another call stack.
func (h *History) arriveAt(head graph.Header) *callSite {
	here := h.callSites[head.Stack]
	if here == nil {
		here = &callSite{stack: head.Stack}
		h.callSites[head.Stack] = here
	}
	h.last[head.Thread] = here
	here.visits = append(here.visits, uint32(h.pos))
	here.twice |= here.once & here.now
	here.once |= here.now
	here.now = 0
	return here
}

// ReadHistory returns the history of the first events of a tape.
func ReadHistory(tape *graph.Tape, events graph.Pos, options Options) *History {
	h := NewHistory(tape, options)
	h.readTo(events)
	return h
}

func (h *History) readTo(events graph.Pos) {
	for h.cursor.Pos() < events && h.next() {
		h.settle(func(graph.Pos) {})
	}
	h.finish()
}

// finish computes what only the whole tape can tell.
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
