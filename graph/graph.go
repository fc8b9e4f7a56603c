package graph

import "iter"

// A Graph is what the events before a position amount to: the tensors and nodes
// that exist, their versions, gradients and statuses. It belongs to a [Cursor],
// which moves it through time.
//
// The graph keeps what changes; what an event said once and for all is read
// from the tape on demand.
type Graph struct {
	tape *Tape
	dec  Decoder // for what readers of the graph ask
	scan Decoder // for those who go through all nodes
	pos  Pos

	tables
	journal journal

	*numbers
	lastThread struct { // the one asked for last
		id    ThreadID
		index uint32
	}
}

// Numbers are what threads and names got when they were seen first, and keep.
type numbers struct {
	threadIDs map[ThreadID]uint32
	bindIDs   map[bindingKey]uint32
	names     []bindingKey
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
	shaped  uint32 // the event that said last how it shows its memory; 0: its creation
	view    uint32 // ViewKind
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
	bytesLow, bytesHigh uint32
	live                uint32 // tensors that use it and were not released
	mutated             uint32
}

func sized(bytes uint64) storageState {
	return storageState{bytesLow: uint32(bytes), bytesHigh: uint32(bytes >> 32)}
}

func (s *storageState) bytes() uint64 { return uint64(s.bytesHigh)<<32 | uint64(s.bytesLow) }

type counterState struct {
	version uint32
	mutated uint32
}

type backwardState struct {
	began  uint32
	thread uint32 // index
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
	module   uint32
	backward uint32
	modes    uint32 // bit set: differs from the start
}

type bindingKey struct{ scope, name StringID }

type binding struct {
	tensor uint32
	bound  uint32 // the event that bound it
}

func newGraph(t *Tape) *Graph {
	g := &Graph{
		tape:    t,
		dec:     Decoder{tape: t, fresh: true},
		scan:    Decoder{tape: t},
		journal: journal{most: journalBlocks},
		numbers: &numbers{map[ThreadID]uint32{}, map[bindingKey]uint32{}, make([]bindingKey, 1)},
	}
	g.tables.begin()
	return g
}

// Tape is the tape that the graph was folded from.
func (g *Graph) Tape() *Tape { return g.tape }

// Pos is the position: the number of events that the graph includes.
func (g *Graph) Pos() Pos { return g.pos }

// TensorCount is the number of tensors that exist; their identifiers are 1 to
// TensorCount.
func (g *Graph) TensorCount() int { return g.tensors.len() - 1 }

// NodeCount is the number of nodes; their identifiers are 1 to NodeCount.
func (g *Graph) NodeCount() int { return g.nodes.len() - 1 }

// Tensors yields all tensors in order of creation.
func (g *Graph) Tensors() iter.Seq[Tensor] {
	return func(yield func(Tensor) bool) {
		for id := 1; id < g.tensors.len(); id++ {
			if t, ok := g.Tensor(TensorID(id)); ok && !yield(t) {
				return
			}
		}
	}
}

// Nodes yields all nodes in order of creation.
func (g *Graph) Nodes() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for id := 1; id < g.nodes.len(); id++ {
			if n, ok := g.Node(NodeID(id)); ok && !yield(n) {
				return
			}
		}
	}
}

// decodeAs reads an event that must be of a certain type.
func decodeAs[E Event](g *Graph, p Pos) (e E, ok bool) {
	_, any, err := g.dec.ReadUntimed(p)
	if err != nil {
		return e, false
	}
	e, ok = any.(E)
	return e, ok
}

// Storage returns the size of a storage in bytes and the number of tensors that
// use it and were not released.
func (g *Graph) Storage(id StorageID) (bytes uint64, live int) {
	if !g.storages.has(id) {
		return 0, 0
	}
	s := g.storages.at(id)
	return s.bytes(), int(s.live)
}

// A Module is one call of a module's forward pass.
type Module struct {
	ID      ModuleID
	Path    string
	Type    string
	Mode    ModuleMode
	Outer   ModuleID // the call around it
	Entered Pos
	Left    Pos // -1: it has not returned
}

// Module returns a call of a module; ok is false for zero and unknown ones.
func (g *Graph) Module(id ModuleID) (m Module, ok bool) {
	if !g.modules.has(id) {
		return Module{}, false
	}
	s := g.modules.at(id)
	e, ok := decodeAs[*ModuleEntered](g, Pos(s.entered))
	if !ok {
		return Module{}, false
	}
	return Module{
		ID: id, Path: g.tape.String(e.Path), Type: g.tape.String(e.Type), Mode: e.Mode,
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
	if !g.backwards.has(id) {
		return Backward{}, false
	}
	s := g.backwards.at(id)
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
func (g *Graph) BackwardCount() int { return g.backwards.len() - 1 }

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
	if i, ok := g.threadIDs[thread]; ok && int(i) < g.threads.len() && g.threads.at(i).modes&(1<<m) != 0 {
		return !on
	}
	return on
}

// ModuleOf returns the innermost call of a module that runs in a thread; zero: none does.
func (g *Graph) ModuleOf(thread ThreadID) ModuleID {
	if i, ok := g.threadIDs[thread]; ok && int(i) < g.threads.len() {
		return ModuleID(g.threads.at(i).module)
	}
	return 0
}

// A Binding is a name of the program and the tensor it means.
type Binding struct {
	Scope, Name string
	Tensor      TensorID
}

// Bindings yields the names that are bound, in the order of their first use.
func (g *Graph) Bindings() iter.Seq[Binding] {
	return func(yield func(Binding) bool) {
		for i := uint32(1); int(i) < g.bindings.len(); i++ {
			name, to := g.names[i], TensorID(g.bindings.at(i).tensor)
			if to != 0 && !yield(Binding{g.tape.String(name.scope), g.tape.String(name.name), to}) {
				return
			}
		}
	}
}

// Lookup finds the tensor that a name means: the one bound to it last, in
// whatever scope. A scope can be given in front: "train.loss".
func (g *Graph) Lookup(name string) (TensorID, bool) {
	var found binding
	for i := uint32(1); int(i) < g.bindings.len(); i++ {
		b := *g.bindings.at(i)
		if b.tensor == 0 || b.bound < found.bound {
			continue
		}
		scope, local := g.tape.String(g.names[i].scope), g.tape.String(g.names[i].name)
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
	return g.tape.String(g.names[i].name)
}
