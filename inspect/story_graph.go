package inspect

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// memoryAt is what is in use after the first events of a tape.
func memoryAt(tape *graph.Tape, events graph.Pos) *memory {
	m := newMemory(tape)
	d := tape.NewDecoder()
	for p := range events {
		if head, e, err := d.Read(p); err == nil {
			m.take(p, head, e)
		}
	}
	return m
}

// holders tells who keeps the tensor and its graph alive, and how much that is.
func (w *storyteller) holders() {
	none := Span{At: -1}
	m := memoryAt(w.h.tape, w.h.cursor.Pos())
	t := m.known(w.t.ID)
	if t == nil {
		return
	}
	switch {
	case t.held:
		w.tell("held", none, "by the program")
	case t.refs > 0:
		w.tell("held", none, "not by the program any more, but by the graph or another tensor")
	case t.pins > 0:
		w.tell("held", none, "its memory only, by the node that saved it as its result")
	default:
		w.tell("held", none, "by nothing any more")
	}
	for _, id := range m.leadingTo(w.t, t) {
		w.tell("held", w.h.In(w.h.Tensor(id).Stack, w.h.Tensor(id).Created, ""), "by the graph of %s, which the program has", w.names.numbered(id))
	}
	if w.t.Node == 0 {
		return
	}
	w.story.Graph = m.reach(w.t.Node)
	if n := m.node(w.t.Node); n == nil || n.refs == 0 {
		w.tell("graph", none, "its graph is gone")
		return
	}
	w.tell("graph", none, "its graph has %s and holds %s", count(w.story.Graph.Nodes, "node"), Bytes(uint64(w.story.Graph.Bytes)))
}

// leadingTo are other tensors of the program whose graphs lead to a tensor.
func (m *memory) leadingTo(t graph.Tensor, own *memTensor) (held []graph.TensorID) {
	target := make([]bool, m.nodes.Len()) // nodes that lead there
	found := false
	if own.node != 0 {
		target[own.node], found = true, true
	}
	// A node is younger than what it leads to, but for AccumulateGrad.
	for id := 1; id < m.nodes.Len(); id++ {
		n, k := m.nodes.At(id), m.kept[graph.NodeID(id)]
		if n.refs == 0 || target[id] {
			continue
		}
		leads := n.variable == t.ID || slices.Contains(k.savedTensors(), uint32(t.ID))
		for _, e := range k.edges() {
			leads = leads || int(e) < len(target) && target[e]
		}
		target[id] = leads
		found = found || leads
	}
	if !found {
		return nil
	}
	for id := 1; id < m.tensors.Len(); id++ {
		o := m.tensors.At(id)
		if graph.TensorID(id) != t.ID && o.held && o.node != 0 && int(o.node) < len(target) && target[o.node] {
			held = append(held, graph.TensorID(id))
		}
	}
	return held
}

// reach counts the living nodes that a node leads to, and the storages that they
// saved.
func (m *memory) reach(from graph.NodeID) (u Use) {
	seen := map[graph.NodeID]bool{from: true}
	storages := map[graph.StorageID]bool{}
	save := func(id graph.TensorID) {
		if t := m.known(id); t != nil && !storages[t.storage] {
			storages[t.storage] = true
			s := m.storage(t.storage)
			u.Bytes += s.alive()
			u.Graph += s.graphOnly()
		}
	}
	for queue := []graph.NodeID{from}; len(queue) > 0; {
		id := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		n := m.node(id)
		if n == nil || n.refs == 0 {
			continue
		}
		u.Nodes++
		for _, t := range m.kept[id].savedTensors() {
			save(graph.TensorID(t))
		}
		for _, e := range m.kept[id].edges() {
			if next := graph.NodeID(e); !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return u
}
