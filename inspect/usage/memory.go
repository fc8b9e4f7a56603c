package usage

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/internal/running"
	"github.com/gradtui/gradtui/internal/packed"
)

// A Use is memory that is in use at some moment.
type Use struct {
	Nodes int   // of the backward graph that are alive
	Bytes int64 // of all storages that are alive
	Graph int64 // of the storages that only the graph keeps alive: saved tensors
}

func (u *Use) add(v Use) {
	u.Nodes += v.Nodes
	u.Bytes += v.Bytes
	u.Graph += v.Graph
}

// Memory follows the events of a tape and knows what is alive: the tensors that the
// program holds, the nodes that they lead to, the tensors that these saved, and all their
// storages. It counts references as the engine does. A tape says what the program dropped, not
// what the engine dropped; so a tensor counts as held by the program from its creation to
// its release, unless it seems to have existed inside one call only.
type Memory struct {
	tape     *graph.Tape
	tensors  packed.List[memTensor]  // by TensorID
	nodes    packed.List[memNode]    // by NodeID
	storages packed.List[memStorage] // by StorageID
	kept     map[graph.NodeID]kept   // by the nodes that are alive

	now    Use
	peak   Use
	peakAt graph.Pos
	lines  lineTable
	dirty  []int // lines that changed since the peak

	running running.Passes
	roots   map[graph.BackwardID][]graph.TensorID
	asked   int // running running.Passes whose gradients go to the program: autograd.grad()
	byNames bool
	names   map[scopedName]graph.TensorID // if byNames
	call    call
	inCall  graph.TensorID // the first tensor of the call
	pending []reference
	list    []uint32 // scratch
}

// A scopedName is a name in a function, class or module.
type scopedName struct{ scope, name graph.StringID }

// A call is one entry into the engine. Its events have the same time and place.
type call struct {
	thread graph.ThreadID
	stack  graph.StackID
	time   time.Duration
}

type memTensor struct {
	storage graph.StorageID
	counter graph.CounterID
	node    graph.NodeID
	base    graph.TensorID
	grad    graph.TensorID
	refs    int32 // what keeps the object alive
	pins    int32 // what keeps its memory alive: the object, a node that saved its own result
	gradOf  int32 // living tensors whose .grad it is
	names   int32 // if byNames
	held    bool  // by the program
	own     bool  // counted among the storage's owners
	created bool
	// released: the program had it and dropped it. It may come back for a moment, as
	// the .grad of another tensor, which does not count.
	released bool
}

type memNode struct {
	refs     int32
	line     int32
	variable graph.TensorID
	freed    bool
}

// Kept is what a node keeps alive, in one list, for there are many nodes: the nodes of
// its edges and the inner one, the inputs that it saved, its own results that it saved.
type kept struct {
	list           []uint32
	saved, outputs uint32 // where the inputs and the results begin
}

func (k kept) edges() []uint32   { return k.list[:k.saved] }
func (k kept) inputs() []uint32  { return k.list[k.saved:k.outputs] }
func (k kept) results() []uint32 { return k.list[k.outputs:] }

// savedTensors returns the inputs and the results.
func (k kept) savedTensors() []uint32 { return k.list[k.saved:] }

type memStorage struct {
	bytes  int64
	device graph.StringID
	refs   int32 // living tensors and pins
	owners int32 // tensors that the program can reach without the graph
	line   int32
}

// NewMemory returns what is in use at the beginning of a tape: nothing.
func NewMemory(tape *graph.Tape) *Memory {
	return &Memory{
		tape: tape, byNames: recordedGo(tape), names: map[scopedName]graph.TensorID{}, kept: map[graph.NodeID]kept{},
		roots: map[graph.BackwardID][]graph.TensorID{}, lines: newLineTable(tape), peakAt: -1,
	}
}

// recordedGo reports whether a Go program recorded a tape. There the garbage collector drops
// tensors at an unknown time, so the program counts as holding what has a name.
func recordedGo(tape *graph.Tape) bool {
	for _, file := range tape.Files() {
		switch filepath.Ext(file) {
		case ".go":
			return true
		case ".py":
			return false
		}
	}
	return false
}

// changesUse are the kinds of events that take looks at. It need not see the others.
var changesUse = [256]bool{
	graph.KindTensorCreated: true, graph.KindNodeCreated: true, graph.KindOpRan: true, graph.KindRebased: true,
	graph.KindReshaped: true, graph.KindNameBound: true, graph.KindTensorReleased: true, graph.KindBackwardBegan: true,
	graph.KindBackwardEnded: true, graph.KindBackwardFailed: true, graph.KindSavedFreed: true,
	graph.KindGradAccumulated: true, graph.KindGradAssigned: true,
}

// Take adds an event.
func (m *Memory) Take(p graph.Pos, head graph.Header, e graph.Event) {
	m.tensors.Settle()
	m.nodes.Settle()
	m.storages.Settle()
	if c := (call{head.Thread, head.Stack, head.Time}); c != m.call {
		m.call, m.inCall = c, graph.TensorID(max(m.tensors.Len(), 1))
	}
	switch e := e.(type) {
	case *graph.TensorCreated:
		m.created(head, e)
	case *graph.NodeCreated:
		m.nodeCreated(head, e)
	case *graph.OpRan:
		m.ran(e)
	case *graph.Rebased:
		m.rebase(e.Tensor, e.Node)
	case *graph.Reshaped:
		m.reshaped(head, e)
	case *graph.NameBound:
		m.bound(e)
	case *graph.TensorReleased:
		m.hold(e.Tensor, false)
		if t := m.known(e.Tensor); t != nil {
			t.released = true
		}
	case *graph.BackwardBegan:
		m.began(e)
	case *graph.BackwardEnded:
		m.ended(e.Backward)
	case *graph.BackwardFailed:
		m.ended(e.Backward)
	case *graph.SavedFreed:
		m.free(e.Node)
	case *graph.GradAccumulated:
		m.setGrad(e.Tensor, e.Grad)
	case *graph.GradAssigned:
		m.setGrad(e.Tensor, e.Grad)
	}
	m.settle()
	if m.now.Bytes > m.peak.Bytes {
		m.peak, m.peakAt = m.now, p
		for _, i := range m.dirty {
			line := &m.lines.list[i]
			line.Peak, line.dirty = line.End, false
		}
		m.dirty = m.dirty[:0]
	}
}

func (m *Memory) created(head graph.Header, e *graph.TensorCreated) {
	t := m.tensor(e.Tensor)
	if t == nil || t.created {
		return
	}
	t.created, t.storage, t.counter, t.node, t.base = true, e.Storage, e.Counter, e.Node, e.Base
	m.sized(head, e.Storage, e.Bytes, e.Device)
	if t.pins > 0 {
		m.keepStorage(e.Storage, 1)
	}
	if t.refs > 0 {
		m.keepParts(t, 1)
	}
	m.hold(e.Tensor, m.heldAtFirst(e))
}

// heldAtFirst guesses whether the program gets a new tensor. A gradient belongs to the tensor
// whose gradient it is, and a tensor that is made in a backward pass to the graph, unless the
// program shows later that it has it.
func (m *Memory) heldAtFirst(e *graph.TensorCreated) bool {
	switch {
	case m.byNames, e.Flags&graph.FlagNumber != 0:
		return false
	case e.Flags&graph.FlagGradient != 0:
		return len(m.running) == 0 || m.asked > 0
	}
	return len(m.running) == 0
}

func (m *Memory) nodeCreated(head graph.Header, e *graph.NodeCreated) {
	n := m.node(e.Node)
	if _, known := m.kept[e.Node]; n == nil || known || n.refs > 0 {
		return
	}
	n.line, n.variable = int32(m.lines.of(head.Stack)), e.Variable
	own := func(s graph.Saved) bool { return s.Flags&(graph.SavedOutput|graph.SavedCopy) != 0 }
	list := m.list[:0]
	for _, edge := range e.Edges {
		if edge.Node != 0 {
			list = append(list, uint32(edge.Node))
		}
	}
	if e.Inner != 0 {
		list = append(list, uint32(e.Inner))
	}
	saved := len(list)
	for _, s := range e.Saved {
		if s.Tensor != 0 && !own(s) {
			list = append(list, uint32(s.Tensor))
		}
	}
	outputs := len(list)
	for _, s := range e.Saved {
		if s.Tensor != 0 && own(s) {
			list = append(list, uint32(s.Tensor))
		}
	}
	m.kept[e.Node] = kept{slices.Clone(list), uint32(saved), uint32(outputs)}
	m.list = list
	m.lines.list[n.line].Nodes++
}

// ran learns from an operation who has its operands. A tensor that was made in the same call was
// an intermediate result; the program has, or had, any other one.
func (m *Memory) ran(e *graph.OpRan) {
	if len(m.running) > 0 || m.byNames {
		return
	}
	if len(e.Outputs) > 1 && internal(m.tape.String(e.Op)) {
		for _, out := range e.Outputs[1:] {
			m.hold(out, false)
		}
	}
	for _, in := range e.Inputs {
		if t := m.known(in); t != nil {
			if in < m.inCall {
				m.hold(in, !t.released)
			} else if !contains(e.Outputs, in) {
				m.hold(in, false)
			}
		}
	}
}

// internal reports whether programs do not call an operation themselves. They get its first
// result only; the others are for its derivative.
func internal(op string) bool {
	return strings.HasPrefix(op, "_") || strings.HasPrefix(op, "native_") || strings.HasSuffix(op, "_forward") || strings.HasSuffix(op, "_with_indices")
}

func contains(list []graph.TensorID, id graph.TensorID) bool {
	for _, x := range list {
		if x == id {
			return true
		}
	}
	return false
}

func (m *Memory) rebase(id graph.TensorID, node graph.NodeID) {
	t := m.known(id)
	if t == nil || t.node == node {
		return
	}
	if t.refs > 0 {
		m.keepNode(t.node, -1)
		m.keepNode(node, 1)
	}
	t.node = node
}

func (m *Memory) reshaped(head graph.Header, e *graph.Reshaped) {
	m.sized(head, e.Storage, e.Bytes, e.Device)
	t := m.known(e.Tensor)
	if t == nil || t.storage == e.Storage {
		return
	}
	m.setOwn(t, false)
	if t.pins > 0 {
		m.keepStorage(e.Storage, 1)
		m.keepStorage(t.storage, -1)
	}
	t.storage = e.Storage
	m.setOwn(t, t.held || t.gradOf > 0)
}

func (m *Memory) bound(e *graph.NameBound) {
	if !m.byNames {
		if t := m.known(e.Tensor); t != nil && len(m.running) == 0 && !t.released {
			m.hold(e.Tensor, true)
		}
		return
	}
	k := scopedName{e.Scope, e.Name}
	old := m.names[k]
	m.names[k] = e.Tensor
	if old != e.Tensor {
		m.named(old, -1)
		m.named(e.Tensor, 1)
	}
}

// named counts the names of a tensor.
func (m *Memory) named(id graph.TensorID, change int32) {
	if t := m.known(id); t != nil {
		t.names += change
		m.hold(id, t.names > 0)
	}
}

func (m *Memory) began(e *graph.BackwardBegan) {
	m.running.Began(e.Backward)
	var roots []graph.TensorID
	for _, r := range e.Roots {
		if t := m.known(r.Tensor); t != nil {
			m.keepTensor(r.Tensor, 1)
			roots = append(roots, r.Tensor)
		}
	}
	m.roots[e.Backward] = roots
	if e.Flags&graph.GradOnly != 0 {
		m.asked++
	}
}

func (m *Memory) ended(id graph.BackwardID) {
	m.running.Ended(id)
	for _, t := range m.roots[id] {
		m.keepTensor(t, -1)
	}
	delete(m.roots, id)
	if len(m.running) == 0 {
		m.asked = 0
	}
}

// Now returns what is in use.
func (m *Memory) Now() Use { return m.now }

// Written returns the version counter of a tensor that the program itself modifies; ok is
// false in a backward pass, for a gradient, and for an unknown tensor.
func (m *Memory) Written(e *graph.Mutated) (counter graph.CounterID, ok bool) {
	t := m.known(e.Tensor)
	if t == nil || t.gradOf > 0 || len(m.running) > 0 {
		return 0, false
	}
	return t.counter, true
}
