package graph

import "iter"

// A Graph is what the events before a position amount to: the tensors and nodes
// that exist, their versions, gradients and statuses. It belongs to a [Cursor],
// which moves it through time.
//
// The graph keeps what changes; what an event said once and for all is read
// from the tape when somebody asks for it.
type Graph struct {
	tape *Tape
	dec  Decoder // for what readers of the graph ask
	pos  Pos

	// Indexed by identifier; element 0 is unused.
	tensors   []tensorState
	nodes     []nodeState
	storages  []storageState
	counters  []counterState
	backwards []backwardState
	modules   []moduleState // in order of entry; element 0 means outside of all

	threads   []threadState
	threadIDs map[ThreadID]uint32
	bindings  []binding
	bindIDs   map[bindingKey]uint32
	iteration uint32 // position + 1 of the newest Iteration event

	journal []change
}

// The mutable fields of all states are 32 bits wide: identifiers, versions,
// flags, and positions stored as position + 1 so that 0 means never. That lets
// one journal undo them all.

type tensorState struct {
	created uint32 // position
	storage StorageID
	counter CounterID
	base    TensorID
	node    uint32
	output  uint32
	grad    uint32
	binding uint32 // newest binding of a name
	valued  uint32 // the event that holds its newest value
	flags   uint32
	dtype   DType
	view    ViewKind
}

const (
	tensorRequiresGrad = 1 << iota
	tensorRetainsGrad
	tensorReleased
)

type nodeState struct {
	created  uint32
	variable TensorID
	module   uint32
	backward uint32 // the pass that touched it last
	ready    uint32
	executed uint32
	failed   uint32
	freed    uint32
	waiting  uint32 // gradients it still waits for in that pass
	runs     uint32
	released uint32
}

type storageState struct {
	bytes uint64
	live  uint32 // tensors that use it and were not released
}

type counterState struct {
	version uint32
	mutated uint32
}

type backwardState struct {
	began  uint32
	outer  uint32 // the pass that this one interrupted
	ended  uint32
	failed uint32
}

type moduleState struct {
	entered uint32
	outer   uint32
	left    uint32
}

type threadState struct {
	id       ThreadID
	module   uint32
	backward uint32
	modes    uint32 // bit set: differs from the start
}

type bindingKey struct{ scope, name StringID }

type binding struct {
	bindingKey
	tensor uint32
	bound  uint32 // the event that bound it
}

func newGraph(t *Tape) *Graph {
	return &Graph{
		tape:      t,
		dec:       Decoder{tape: t, fresh: true},
		tensors:   make([]tensorState, 1),
		nodes:     make([]nodeState, 1),
		storages:  make([]storageState, 1),
		counters:  make([]counterState, 1),
		backwards: make([]backwardState, 1),
		modules:   make([]moduleState, 1),
		bindings:  make([]binding, 1),
		threadIDs: map[ThreadID]uint32{},
		bindIDs:   map[bindingKey]uint32{},
	}
}

// Tape is the tape that the graph was folded from.
func (g *Graph) Tape() *Tape { return g.tape }

// Pos is the position: the number of events that the graph includes.
func (g *Graph) Pos() Pos { return g.pos }

// A Tensor is a tensor as it is at the graph's position.
type Tensor struct {
	ID           TensorID
	Name         string // the newest name bound to it; "" if none
	DType        DType
	Shape        []int
	Strides      []int // empty: contiguous
	Offset       uint64
	Flags        TensorFlags // as at creation
	RequiresGrad bool
	RetainsGrad  bool
	Node         NodeID // grad_fn
	Output       uint32 // output_nr
	Base         TensorID
	View         ViewKind
	Storage      StorageID
	Counter      CounterID
	Version      uint32
	Grad         TensorID // .grad
	Released     bool
	Created      Pos
	Mutated      Pos   // the newest event that moved its version counter; -1: none
	Value        Value // newest known content
	ValueStale   bool  // its memory was changed through another tensor since
}

// Leaf reports whether the tensor is a leaf: it has no grad_fn.
func (t Tensor) Leaf() bool { return t.Node == 0 }

// Numel is the number of elements.
func (t Tensor) Numel() int {
	n := 1
	for _, s := range t.Shape {
		n *= s
	}
	return n
}

// Tensor returns the tensor with the given identifier; ok is false when it does
// not exist (yet).
func (g *Graph) Tensor(id TensorID) (t Tensor, ok bool) {
	if id == 0 || int(id) >= len(g.tensors) {
		return Tensor{}, false
	}
	s := &g.tensors[id]
	e, ok := decodeAs[*TensorCreated](g, Pos(s.created))
	if !ok {
		return Tensor{}, false
	}
	c := &g.counters[s.counter]
	t = Tensor{
		ID: id, Name: g.bindingName(s.binding), DType: e.DType,
		Shape: e.Shape, Strides: e.Strides, Offset: e.Offset, Flags: e.Flags,
		RequiresGrad: g.RequiresGrad(id), RetainsGrad: s.flags&tensorRetainsGrad != 0,
		Node: NodeID(s.node), Output: s.output, Base: s.base, View: s.view,
		Storage: s.storage, Counter: s.counter, Version: c.version,
		Grad: TensorID(s.grad), Released: s.flags&tensorReleased != 0,
		Created: Pos(s.created), Mutated: Pos(c.mutated) - 1, Value: e.Value,
	}
	if s.valued != 0 {
		if v, ok := g.valueAt(Pos(s.valued) - 1); ok {
			t.Value = v
		}
	}
	t.ValueStale = c.mutated > max(s.valued, s.created+1)
	return t, true
}

// valueAt reads the value out of an event that carries one.
func (g *Graph) valueAt(p Pos) (Value, bool) {
	_, e, err := g.dec.Read(p)
	if err != nil {
		return Value{}, false
	}
	switch e := e.(type) {
	case *Mutated:
		return e.Value, e.Value.Known()
	case *GradAccumulated:
		return e.Value, e.Value.Known()
	}
	return Value{}, false
}

// RequiresGrad reports whether a tensor requires grad: its flag is set, it has a
// grad_fn, or it is a view of a tensor that requires grad.
func (g *Graph) RequiresGrad(id TensorID) bool {
	if id == 0 || int(id) >= len(g.tensors) {
		return false
	}
	s := &g.tensors[id]
	if s.flags&tensorRequiresGrad != 0 || s.node != 0 {
		return true
	}
	if s.base == 0 {
		return false
	}
	b := &g.tensors[s.base]
	return b.flags&tensorRequiresGrad != 0 || b.node != 0
}

// Version is the current version of a tensor.
func (g *Graph) Version(id TensorID) uint32 {
	if id == 0 || int(id) >= len(g.tensors) {
		return 0
	}
	return g.counters[g.tensors[id].counter].version
}

// TensorCount is the number of tensors that exist; their identifiers are 1 to
// TensorCount.
func (g *Graph) TensorCount() int { return len(g.tensors) - 1 }

// NodeCount is the number of nodes; their identifiers are 1 to NodeCount.
func (g *Graph) NodeCount() int { return len(g.nodes) - 1 }

// Tensors yields all tensors in order of creation.
func (g *Graph) Tensors() iter.Seq[Tensor] {
	return func(yield func(Tensor) bool) {
		for id := 1; id < len(g.tensors); id++ {
			if t, ok := g.Tensor(TensorID(id)); ok && !yield(t) {
				return
			}
		}
	}
}

// Nodes yields all nodes in order of creation.
func (g *Graph) Nodes() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for id := 1; id < len(g.nodes); id++ {
			if n, ok := g.Node(NodeID(id)); ok && !yield(n) {
				return
			}
		}
	}
}

// Status says how far a node is in the backward pass that touched it last.
type Status uint8

// The statuses of a node.
const (
	Idle    Status = iota // no gradient has reached it
	Waiting               // some of the gradients that it waits for have arrived
	Ready                 // all have; it will run
	Done                  // it ran
	Failed                // it raised an error
)

var statusNames = []string{"idle", "waiting", "ready", "done", "failed"}

func (s Status) String() string { return enumName(uint8(s), statusNames) }

// A Node is a node of the backward graph as it is at the graph's position.
type Node struct {
	ID       NodeID
	Name     string
	Sequence uint64
	Outputs  int
	Variable TensorID // AccumulateGrad: the leaf
	Edges    []Edge   // next_functions
	Saved    []SavedTensor
	Attrs    []Attr
	Module   ModuleID // the module whose forward pass created it
	Status   Status
	Backward BackwardID // the pass that Status belongs to
	Waiting  int        // gradients it still waits for in that pass
	Runs     int        // how often it ran, over all passes
	Freed    bool       // its saved tensors were freed
	FreedAt  Pos        // by this event; -1: not freed
	Executed Pos        // its newest run; -1: none
	Released bool
	Created  Pos
}

// ModuleID names one call of a module; zero is outside of all modules.
type ModuleID uint32

// A SavedTensor is one slot of what a node keeps for backward.
type SavedTensor struct {
	Name    string
	Tensor  TensorID // zero: the slot is empty
	Flags   SavedFlags
	Version uint32 // when it was saved
	Current uint32 // now
	Freed   bool
}

// Modified reports whether the tensor was changed in place since it was saved,
// so that backward will raise when it reads the slot.
func (s SavedTensor) Modified() bool {
	return s.Tensor != 0 && !s.Freed && s.Version != s.Current
}

// Node returns the node with the given identifier; ok is false when it does not
// exist (yet).
func (g *Graph) Node(id NodeID) (n Node, ok bool) {
	if id == 0 || int(id) >= len(g.nodes) {
		return Node{}, false
	}
	s := &g.nodes[id]
	e, ok := decodeAs[*NodeCreated](g, Pos(s.created))
	if !ok {
		return Node{}, false
	}
	n = Node{
		ID: id, Name: g.tape.String(e.Name), Sequence: e.Sequence, Outputs: int(e.Outputs),
		Variable: e.Variable, Edges: e.Edges, Attrs: e.Attrs,
		Module: ModuleID(s.module), Status: g.status(s), Backward: BackwardID(s.backward),
		Waiting: int(s.waiting), Runs: int(s.runs),
		Freed: s.freed != 0, FreedAt: Pos(s.freed) - 1, Executed: Pos(s.executed) - 1,
		Released: s.released != 0, Created: Pos(s.created),
	}
	n.Saved = make([]SavedTensor, len(e.Saved))
	for i, sv := range e.Saved {
		n.Saved[i] = SavedTensor{
			Name: g.tape.String(sv.Name), Tensor: sv.Tensor, Flags: sv.Flags,
			Version: sv.Version, Current: g.Version(sv.Tensor), Freed: n.Freed && sv.Tensor != 0,
		}
	}
	return n, true
}

func (g *Graph) status(s *nodeState) Status {
	switch ran := s.executed > g.backwards[s.backward].began+1; {
	case s.failed != 0:
		return Failed
	case ran:
		return Done
	case s.ready != 0:
		return Ready
	case s.waiting > 0:
		return Waiting
	default:
		return Idle
	}
}

// decodeAs reads an event that must be of a certain type.
func decodeAs[E Event](g *Graph, p Pos) (e E, ok bool) {
	_, any, err := g.dec.Read(p)
	if err != nil {
		return e, false
	}
	e, ok = any.(E)
	return e, ok
}

// Storage returns the size of a storage in bytes and the number of tensors that
// use it and were not released.
func (g *Graph) Storage(id StorageID) (bytes uint64, live int) {
	if id == 0 || int(id) >= len(g.storages) {
		return 0, 0
	}
	s := &g.storages[id]
	return s.bytes, int(s.live)
}

// A Module is one call of a module's forward pass.
type Module struct {
	ID      ModuleID
	Path    string
	Type    string
	Outer   ModuleID // the call around it
	Entered Pos
	Left    Pos // -1: it has not returned
}

// Module returns a call of a module; ok is false for zero and unknown ones.
func (g *Graph) Module(id ModuleID) (m Module, ok bool) {
	if id == 0 || int(id) >= len(g.modules) {
		return Module{}, false
	}
	s := &g.modules[id]
	e, ok := decodeAs[*ModuleEntered](g, Pos(s.entered))
	if !ok {
		return Module{}, false
	}
	return Module{
		ID: id, Path: g.tape.String(e.Path), Type: g.tape.String(e.Type),
		Outer: ModuleID(s.outer), Entered: Pos(s.entered), Left: Pos(s.left) - 1,
	}, true
}

// A Backward is one run of backward() or autograd.grad().
type Backward struct {
	ID       BackwardID
	Flags    BackwardFlags
	Roots    []Root
	Inputs   []TensorID
	Outer    BackwardID // the pass that this one interrupted, if any
	Began    Pos
	Finished Pos // the event that ended it; -1: it is running
	Failed   bool
}

// Running reports whether the pass has not ended yet.
func (b Backward) Running() bool { return b.Finished < 0 }

// Backward returns a backward pass; ok is false when it has not begun.
func (g *Graph) Backward(id BackwardID) (b Backward, ok bool) {
	if id == 0 || int(id) >= len(g.backwards) {
		return Backward{}, false
	}
	s := &g.backwards[id]
	e, ok := decodeAs[*BackwardBegan](g, Pos(s.began))
	if !ok {
		return Backward{}, false
	}
	return Backward{
		ID: id, Flags: e.Flags, Roots: e.Roots, Inputs: e.Inputs, Outer: BackwardID(s.outer),
		Began: Pos(s.began), Finished: Pos(max(s.ended, s.failed)) - 1, Failed: s.failed != 0,
	}, true
}

// BackwardCount is the number of backward passes that have begun.
func (g *Graph) BackwardCount() int { return len(g.backwards) - 1 }

// Iteration is the newest Iteration event and its position; ok is false before
// the first one.
func (g *Graph) Iteration() (e *Iteration, p Pos, ok bool) {
	if g.iteration == 0 {
		return nil, 0, false
	}
	p = Pos(g.iteration) - 1
	e, ok = decodeAs[*Iteration](g, p)
	return e, p, ok
}

// ModeOn reports whether a mode is on in a thread. Grad mode is on at the start,
// the others are off.
func (g *Graph) ModeOn(thread ThreadID, m Mode) bool {
	on := m == GradMode
	if i, ok := g.threadIDs[thread]; ok && g.threads[i].modes&(1<<m) != 0 {
		return !on
	}
	return on
}

// A Binding is a name of the program and the tensor it means.
type Binding struct {
	Scope, Name string
	Tensor      TensorID
}

// Bindings yields the names that are bound, in the order of their first use.
func (g *Graph) Bindings() iter.Seq[Binding] {
	return func(yield func(Binding) bool) {
		for _, b := range g.bindings[1:] {
			if b.tensor != 0 && !yield(Binding{g.tape.String(b.scope), g.tape.String(b.name), TensorID(b.tensor)}) {
				return
			}
		}
	}
}

// Lookup finds the tensor that a name means: the one bound to it last, in
// whatever scope. A scope can be given in front: "train.loss".
func (g *Graph) Lookup(name string) (TensorID, bool) {
	var found binding
	for _, b := range g.bindings[1:] {
		if b.tensor == 0 || b.bound < found.bound {
			continue
		}
		scope, local := g.tape.String(b.scope), g.tape.String(b.name)
		if local == name || scope != "" && scope+"."+local == name {
			found = b
		}
	}
	return TensorID(found.tensor), found.tensor != 0
}

func (g *Graph) bindingName(i uint32) string {
	if i == 0 {
		return ""
	}
	return g.tape.String(g.bindings[i].name)
}

// Memory is the number of bytes that the graph itself takes.
func (g *Graph) Memory() int64 {
	return int64(cap(g.tensors))*48 + int64(cap(g.nodes))*44 + int64(cap(g.storages))*16 +
		int64(cap(g.counters))*8 + int64(cap(g.journal))*16
}
