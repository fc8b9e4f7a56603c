package usage

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// MemoryAt returns what is in use after the first events of a tape.
func MemoryAt(tape *graph.Tape, events graph.Pos) *Memory {
	m := NewMemory(tape)
	d := tape.NewDecoder()
	for p := range events {
		if head, e, err := d.Read(p); err == nil {
			m.Take(p, head, e)
		}
	}
	return m
}

// A Holder is what keeps a tensor alive.
type Holder uint8

// The holders.
const (
	HeldByNothing Holder = iota // it is gone
	HeldByProgram               // the program has it, whatever else does
	HeldByGraph                 // the graph, or another tensor
	HeldAsResult                // only its memory is alive: the node that computed it saved it
)

// Holder returns what keeps a tensor alive; ok is false if it was never created.
func (m *Memory) Holder(id graph.TensorID) (h Holder, ok bool) {
	t := m.known(id)
	switch {
	case t == nil:
		return HeldByNothing, false
	case t.held:
		return HeldByProgram, true
	case t.refs > 0:
		return HeldByGraph, true
	case t.pins > 0:
		return HeldAsResult, true
	}
	return HeldByNothing, true
}

// LeadingTo returns the other tensors of the program whose graphs lead to a tensor.
func (m *Memory) LeadingTo(id graph.TensorID) (held []graph.TensorID) {
	own := m.known(id)
	if own == nil {
		return nil
	}
	target := make([]bool, m.nodes.Len()) // nodes that lead there
	found := false
	if own.node != 0 {
		target[own.node], found = true, true
	}
	// A node is younger than what it leads to, but for AccumulateGrad.
	for node := 1; node < m.nodes.Len(); node++ {
		n, k := m.nodes.At(node), m.kept[graph.NodeID(node)]
		if n.refs == 0 || target[node] {
			continue
		}
		leads := n.variable == id || slices.Contains(k.savedTensors(), uint32(id))
		for _, e := range k.edges() {
			leads = leads || int(e) < len(target) && target[e]
		}
		target[node] = leads
		found = found || leads
	}
	if !found {
		return nil
	}
	for other := 1; other < m.tensors.Len(); other++ {
		o := m.tensors.At(other)
		if graph.TensorID(other) != id && o.held && o.node != 0 && int(o.node) < len(target) && target[o.node] {
			held = append(held, graph.TensorID(other))
		}
	}
	return held
}

// Reach counts the living nodes that a node leads to, itself included, and the storages that
// they saved.
func (m *Memory) Reach(from graph.NodeID) (u Use) {
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
