package pytorch

import (
	"github.com/gradtui/gradtui/capture/python/protocol"
	"github.com/gradtui/gradtui/graph"
)

// This file takes nodes that were found in the graph and that no operation of the program
// made: C++ code did, or the program before the recording began.

// A found node is one of a record "nodes".
type found struct {
	name     string
	sequence int
	outputs  int
	variable *tensor
	edges    []fields
	below    []int // positions in the record of the nodes that edges lead to
	saved    []fields
	attrs    []graph.Attr
	results  []graph.Result
}

// found takes nodes that no operation of the program made. Those that others lead to come
// first on the tape.
func (t *Translator) found(f *fields) {
	list := make([]found, len(f.tuple(0)))
	position := map[int]int{} // by sequence number
	for i := range list {
		n := f.nodeFound(i)
		if n.variable == nil {
			position[n.sequence] = i
		}
		list[i] = n
	}
	for i := range list {
		for _, e := range list[i].edges {
			if p, ok := position[e.int(1)]; ok && e.int(0) == protocol.EdgeAbsolute {
				list[i].below = append(list[i].below, p)
			}
		}
	}
	order, ok := inwards(len(list), func(i int) []int { return list[i].below })
	if f.bad || !ok {
		f.bad = true
		return
	}
	for _, i := range order {
		if t.take(&list[i], f); f.bad {
			return
		}
	}
}

// nodeFound reads node i of a record "nodes": name, sequence number, outputs, edges, saved
// tensors, attributes, variable, results.
func (f *fields) nodeFound(i int) (n found) {
	all := fields{t: f.t, v: f.tuple(0)}
	v := all.inner(i)
	n = found{name: v.text(0), sequence: v.int(1), outputs: v.count(2), variable: v.tensorOrNone(6)}
	edges, saved := v.inner(3), v.inner(4)
	for j := range edges.v {
		n.edges = append(n.edges, edges.inner(j))
	}
	for j := range saved.v {
		n.saved = append(n.saved, saved.inner(j))
	}
	n.attrs, n.results = v.attrs(5), v.results(7, n.outputs)
	f.bad = f.bad || v.bad || edges.bad || saved.bad || n.variable == nil && n.sequence < 0
	return n
}

// take announces a node of a record "nodes", unless it is there already.
func (t *Translator) take(n *found, f *fields) {
	if n.variable != nil {
		t.gradEdge(n.variable)
		return
	}
	if t.nodes.known[name{t.header.Thread, n.sequence}] != nil {
		return
	}
	made := &node{sequence: uint64(n.sequence), outputs: n.outputs, saves: len(n.saved) > 0 || n.name == copySlices}
	for i := range n.edges {
		made.edges = append(made.edges, t.foundEdge(&n.edges[i]))
		f.bad = f.bad || n.edges[i].bad
	}
	defer t.releasePrivate()
	saved := make([]graph.Saved, len(n.saved))
	for i := range saved {
		saved[i] = t.foundSaved(&n.saved[i])
		f.bad = f.bad || n.saved[i].bad
	}
	if f.bad {
		return
	}
	t.nodes.made = graph.NodeCreated{Name: t.batch.String(n.name), Edges: t.nodes.made.Edges, Saved: saved, Attrs: n.attrs, Results: n.results}
	t.announce(made)
	t.register(n.sequence, made)
}

// foundEdge is an edge of a node that was found.
func (t *Translator) foundEdge(f *fields) edge {
	switch f.int(0) {
	case protocol.EdgeNone:
		return edge{}
	case protocol.EdgeAbsolute:
		return edge{t.find(f.int(1)), uint32(f.count(2))}.whole()
	case protocol.EdgeVariable:
		return edge{to: t.leafNode(f.tensor(1))}
	}
	f.bad = true
	return edge{}
}

// foundSaved is a saved tensor of a node that was found.
func (t *Translator) foundSaved(f *fields) graph.Saved {
	slot := graph.Saved{Name: t.batch.String(f.text(0))}
	switch f.int(1) {
	case protocol.SavedNothing:
	case protocol.SavedExplicit:
		ref := f.inner(2)
		x, version := ref.tensor(0), ref.count(1)
		if f.bad = f.bad || ref.bad; !f.bad {
			slot.Tensor, slot.Version, slot.Flags = x.id, uint32(version), leafFlag(x)
		}
	case protocol.SavedPrivate:
		l := t.layouts[f.int(2)]
		if f.bad = f.bad || l == nil; !f.bad {
			slot.Tensor, slot.Flags = t.private(l, 0, nil), graph.SavedLeaf
		}
	default:
		f.bad = true
	}
	return slot
}
