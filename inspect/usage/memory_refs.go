package usage

import (
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/packed"
)

// This file counts the references of memory.

// maxIDs bounds the accepted identifiers: a damaged tape may hold any number.
const maxIDs = 1 << 28

// tensor makes room for a tensor, which may be mentioned before it is created.
func (m *Memory) tensor(id graph.TensorID) *memTensor {
	return at(&m.tensors, int(id))
}

func (m *Memory) node(id graph.NodeID) *memNode { return at(&m.nodes, int(id)) }

func (m *Memory) storage(id graph.StorageID) *memStorage { return at(&m.storages, int(id)) }

// at returns an element, which may be changed until the next event is taken.
func at[T any](list *packed.List[T], id int) *T {
	if id <= 0 || id >= maxIDs || id > 2*list.Len()+1024 {
		return nil
	}
	for id >= list.Len() {
		var zero T
		list.Push(zero)
	}
	return list.Change(id)
}

// known returns a tensor that has been created.
func (m *Memory) known(id graph.TensorID) *memTensor {
	if id == 0 || int(id) >= m.tensors.Len() {
		return nil
	}
	if t := m.tensors.Change(int(id)); t.created {
		return t
	}
	return nil
}

// A reference was added or removed, and its consequences are not counted yet. Chains of nodes are
// as long as programs run, too long for recursion.
type reference struct {
	tensor graph.TensorID
	node   graph.NodeID
	change int32
}

func (m *Memory) keepTensor(id graph.TensorID, change int32) {
	if id != 0 {
		m.pending = append(m.pending, reference{tensor: id, change: change})
	}
}

func (m *Memory) keepNode(id graph.NodeID, change int32) {
	if id != 0 {
		m.pending = append(m.pending, reference{node: id, change: change})
	}
}

// settle counts the pending references, newest first, and their consequences. So a dropped
// reference has to be noted before the one that replaces it.
func (m *Memory) settle() {
	for n := len(m.pending); n > 0; n = len(m.pending) {
		r := m.pending[n-1]
		m.pending = m.pending[:n-1]
		if r.tensor != 0 {
			m.countTensor(r)
		} else {
			m.countNode(r)
		}
	}
}

func (m *Memory) countTensor(r reference) {
	t := m.tensor(r.tensor)
	if t == nil {
		return
	}
	before := t.refs > 0
	t.refs += r.change
	if after := t.refs > 0; after != before {
		m.pin(t, r.change)
		if t.created {
			m.keepParts(t, r.change)
		}
	}
}

// keepParts counts what a tensor keeps alive: its history, its base if it is a view, its
// gradient.
func (m *Memory) keepParts(t *memTensor, change int32) {
	m.keepNode(t.node, change)
	m.keepTensor(t.base, change)
	m.keepTensor(t.grad, change)
	m.owned(t.grad, change)
}

func (m *Memory) countNode(r reference) {
	n := m.node(r.node)
	if n == nil {
		return
	}
	before := n.refs > 0
	n.refs += r.change
	if after := n.refs > 0; after == before {
		return
	}
	m.use(n.line, Use{Nodes: int(r.change)})
	k := m.kept[r.node]
	for _, next := range k.edges() {
		m.keepNode(graph.NodeID(next), r.change)
	}
	m.keepTensor(n.variable, r.change)
	if !n.freed {
		m.keepSaved(k, r.change)
	}
	if n.refs == 0 {
		delete(m.kept, r.node) // it will not come back
	}
}

func (m *Memory) keepSaved(n kept, change int32) {
	for _, id := range n.inputs() {
		m.keepTensor(graph.TensorID(id), change)
	}
	for _, id := range n.results() {
		if t := m.tensor(graph.TensorID(id)); t != nil {
			m.pin(t, change)
		}
	}
}

// free drops what a node saved.
func (m *Memory) free(id graph.NodeID) {
	n := m.node(id)
	if n == nil || n.freed {
		return
	}
	n.freed = true
	k, known := m.kept[id]
	if n.refs > 0 {
		m.keepSaved(k, -1)
	}
	if known {
		m.kept[id] = kept{k.edges(), k.saved, k.saved}
	}
}

// hold says whether the program holds a tensor.
func (m *Memory) hold(id graph.TensorID, held bool) {
	t := m.known(id)
	if t == nil || t.held == held {
		return
	}
	t.held = held
	change := int32(1)
	if !held {
		change = -1
	}
	m.keepTensor(id, change)
	m.setOwn(t, t.held || t.gradOf > 0)
}

// setGrad makes a tensor the .grad of another one; zero: .grad became None.
func (m *Memory) setGrad(id, grad graph.TensorID) {
	t := m.known(id)
	if t == nil || t.grad == grad {
		return
	}
	old := t.grad
	t.grad = grad
	if t.refs > 0 {
		m.keepTensor(old, -1)
		m.owned(old, -1)
		m.keepTensor(grad, 1)
		m.owned(grad, 1)
	}
}

// owned counts a living tensor that has another one as its gradient.
func (m *Memory) owned(grad graph.TensorID, change int32) {
	if t := m.known(grad); t != nil {
		t.gradOf += change
		m.setOwn(t, t.held || t.gradOf > 0)
	}
}

// setOwn says whether a tensor can be reached without the graph.
func (m *Memory) setOwn(t *memTensor, own bool) {
	if t.own == own {
		return
	}
	t.own = own
	s := m.storage(t.storage)
	if s == nil {
		return
	}
	before := s.graphOnly()
	if own {
		s.owners++
	} else {
		s.owners--
	}
	m.use(s.line, Use{Graph: s.graphOnly() - before})
}

// pin counts the references that keep a tensor's memory alive.
func (m *Memory) pin(t *memTensor, change int32) {
	before := t.pins > 0
	t.pins += change
	if after := t.pins > 0; t.created && after != before {
		m.keepStorage(t.storage, change)
	}
}

func (m *Memory) keepStorage(id graph.StorageID, change int32) {
	s := m.storage(id)
	if s == nil {
		return
	}
	alive, only := s.alive(), s.graphOnly()
	s.refs += change
	m.use(s.line, Use{Bytes: s.alive() - alive, Graph: s.graphOnly() - only})
}

// alive returns the bytes of a storage that is alive.
func (s *memStorage) alive() int64 {
	if s.refs > 0 {
		return s.bytes
	}
	return 0
}

// graphOnly returns the bytes of a storage that is alive through the graph only.
func (s *memStorage) graphOnly() int64 {
	if s.owners > 0 {
		return 0
	}
	return s.alive()
}

// sized notes the size of a storage, where it is and who made it.
func (m *Memory) sized(head graph.Header, id graph.StorageID, bytes uint64, device graph.StringID) {
	s := m.storage(id)
	if s == nil || s.bytes == int64(bytes) {
		return
	}
	alive, only := s.alive(), s.graphOnly()
	if s.bytes == 0 {
		s.line, s.device = int32(m.lines.of(head.Stack)), device
	}
	m.lines.list[s.line].Made += max(int64(bytes)-s.bytes, 0)
	s.bytes = int64(bytes)
	m.use(s.line, Use{Bytes: s.alive() - alive, Graph: s.graphOnly() - only})
}

// use counts what a line uses.
func (m *Memory) use(line int32, u Use) {
	if u == (Use{}) {
		return
	}
	m.now.add(u)
	l := &m.lines.list[line]
	l.End.add(u)
	if !l.dirty {
		l.dirty = true
		m.dirty = append(m.dirty, int(line))
	}
}
