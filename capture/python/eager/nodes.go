package eager

import (
	"slices"

	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/graph"
)

// A node is one of the backward graph.
type node struct {
	id       graph.NodeID
	sequence uint64
	outputs  int
	edges    []edge
	saves    bool    // there is something to free when it has run
	variable *tensor // of an AccumulateGrad node
	marked   uint    // the newest sweep that came by
}

// An edge leads to a result of a node's operation. The zero edge leads nowhere.
type edge struct {
	to *node
	nr uint32
}

func (e edge) id() graph.NodeID {
	if e.to == nil {
		return 0
	}
	return e.to.id
}

// A name is what the program calls a node by: threads count on their own.
type name struct {
	thread   graph.ThreadID
	sequence int
}

// nodes are those that the program may still refer to.
type nodes struct {
	known   map[name]*node
	threads []graph.ThreadID // that made nodes
	last    graph.NodeID
	sweepAt int  // how many nodes there may be until it is time to look for those that are gone
	sweeps  uint // so far

	made graph.NodeCreated // its memory is used again
}

// minSweep is for how many nodes it is not worth looking.
const minSweep = 1 << 12

func (ns *nodes) init() { ns.known, ns.sweepAt = map[name]*node{}, minSweep }

// find is the node with a sequence number: of the thread that runs, or else of another one.
// It is nil if there is none; C++ code makes nodes that the program has not told of.
func (t *Translator) find(sequence int) *node {
	ns := &t.nodes
	if n := ns.known[name{t.header.Thread, sequence}]; n != nil {
		return n
	}
	for _, thread := range ns.threads {
		if n := ns.known[name{thread, sequence}]; n != nil {
			return n
		}
	}
	return nil
}

// register makes a node known by its sequence number.
func (t *Translator) register(sequence int, n *node) {
	ns := &t.nodes
	if len(ns.known) >= ns.sweepAt {
		t.sweep()
	}
	if thread := t.header.Thread; !slices.Contains(ns.threads, thread) {
		ns.threads = append(ns.threads, thread)
	}
	ns.known[name{t.header.Thread, sequence}] = n
}

// sweep forgets the nodes that nothing leads to: no tensor of the program, and no backward
// pass.
func (t *Translator) sweep() {
	ns := &t.nodes
	ns.sweeps++
	var todo []*node
	mark := func(n *node) {
		if n != nil && n.marked != ns.sweeps {
			n.marked = ns.sweeps
			todo = append(todo, n)
		}
	}
	for _, x := range t.tensors.known {
		mark(x.edge.to)
		if x.base != nil {
			mark(x.base.edge.to)
		}
	}
	for _, n := range t.op.made {
		mark(n)
	}
	t.passes.eachNode(mark)
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range n.edges {
			mark(e.to)
		}
	}
	for key, n := range ns.known {
		if n.marked != ns.sweeps {
			delete(ns.known, key)
		}
	}
	ns.sweepAt = max(minSweep, 2*len(ns.known))
}

// gradEdge is where the gradient of a tensor goes: to its grad_fn, or to the AccumulateGrad
// node of a leaf, which is made when it is needed first.
func (t *Translator) gradEdge(x *tensor) edge {
	if x.edge.to != nil {
		return x.edge
	}
	if x.accumulator == nil {
		x.accumulator = &node{sequence: graph.MaxSequence, outputs: 1, variable: x}
		t.nodes.made = graph.NodeCreated{
			Name: t.batch.String("AccumulateGrad"), Edges: t.nodes.made.Edges[:0], Saved: t.nodes.made.Saved[:0],
		}
		t.announce(x.accumulator)
	}
	return edge{to: x.accumulator}
}

// announce appends the event for a node: nodes.made, whose name, saved tensors and
// attributes are there.
func (t *Translator) announce(n *node) {
	ns := &t.nodes
	ns.last++
	n.id = ns.last
	e := &ns.made
	e.Node, e.Sequence, e.Outputs = n.id, n.sequence, uint32(n.outputs)
	e.Variable = 0
	if n.variable != nil {
		e.Variable = n.variable.id
	}
	e.Edges = e.Edges[:0]
	for _, to := range n.edges {
		e.Edges = append(e.Edges, graph.Edge{Node: to.id(), Input: to.nr})
	}
	t.append(e)
}

// edge is a gradient edge: None, (sequence number, output), or (-n, 0) for the
// AccumulateGrad node of tensor n. One that leads to an unknown node leads nowhere.
func (f *fields) edge(i int) edge {
	if !f.given(i) {
		return edge{}
	}
	to := f.inner(i)
	number, nr := to.int(0), to.count(1)
	f.bad = f.bad || to.bad
	if f.bad {
		return edge{}
	}
	return f.t.edgeTo(number, nr)
}

// whole is the edge, or the zero one if it leads nowhere.
func (e edge) whole() edge {
	if e.to == nil {
		return edge{}
	}
	return e
}

// node is the node that the program calls by a number: its sequence number, or that of the
// tensor of an AccumulateGrad node with a minus. It is nil if there is none.
func (t *Translator) node(number int) *node {
	if number >= 0 {
		return t.find(number)
	}
	if x := t.tensors.known[-number]; x != nil && x.edge.to == nil {
		return x.accumulator
	}
	return nil
}

// edgeTo is an edge to the node that the program calls by a number.
func (t *Translator) edgeTo(number, nr int) edge {
	if number >= 0 {
		return edge{t.find(number), uint32(nr)}.whole()
	}
	return edge{to: t.leafNode(t.tensors.known[-number])}
}

// gradNode is where the gradient of a tensor goes, if anything has led there yet.
func (x *tensor) gradNode() *node {
	if x.edge.to != nil {
		return x.edge.to
	}
	return x.accumulator
}

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
			if p, ok := position[e.int(1)]; ok && e.int(0) == edgeAbsolute {
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
		if !t.make(&list[i]) {
			f.bad = true
			return
		}
	}
}

// nodeFound reads node i of a record "nodes": name, sequence number, outputs, edges, saved
// tensors, attributes, variable.
func (f *fields) nodeFound(i int) (n found) {
	all := fields{t: f.t, v: f.tuple(0)}
	v := all.inner(i)
	n = found{name: v.text(0), sequence: v.int(1), outputs: v.count(2), variable: v.tensorOrNone(6)}
	for j := range v.tuple(3) {
		edges := v.inner(3)
		n.edges = append(n.edges, edges.inner(j))
	}
	for j := range v.tuple(4) {
		saved := v.inner(4)
		n.saved = append(n.saved, saved.inner(j))
	}
	n.attrs = v.attrs(5)
	f.bad = f.bad || v.bad || n.variable == nil && n.sequence < 0
	return n
}

// make announces a node of a record "nodes".
func (t *Translator) make(n *found) bool {
	if n.variable != nil {
		t.gradEdge(n.variable)
		return true
	}
	if t.nodes.known[name{t.header.Thread, n.sequence}] != nil {
		return true
	}
	made := &node{sequence: uint64(n.sequence), outputs: n.outputs, saves: len(n.saved) > 0 || n.name == copySlices}
	for _, e := range n.edges {
		switch kind := e.int(0); kind {
		case edgeNone:
			made.edges = append(made.edges, edge{})
		case edgeAbsolute:
			made.edges = append(made.edges, edge{t.find(e.int(1)), uint32(e.count(2))}.whole())
		case edgeVariable:
			made.edges = append(made.edges, edge{to: t.leafNode(e.tensor(1))})
		default:
			return false
		}
		if e.bad {
			return false
		}
	}
	saved := make([]graph.Saved, 0, len(n.saved))
	for _, s := range n.saved {
		slot := graph.Saved{Name: t.batch.String(s.text(0))}
		switch kind := s.int(1); kind {
		case savedExplicit:
			ref := s.inner(2)
			x, version := ref.tensor(0), ref.count(1)
			if ref.bad {
				return false
			}
			slot.Tensor, slot.Version, slot.Flags = x.id, uint32(version), leafFlag(x)
		case savedPrivate:
			l := t.layouts[s.int(2)]
			if l == nil {
				return false
			}
			slot.Tensor, slot.Flags = t.private(l, nil), graph.SavedLeaf
		case savedNothing:
		default:
			return false
		}
		if s.bad {
			return false
		}
		saved = append(saved, slot)
	}
	e := &t.nodes.made
	*e = graph.NodeCreated{Name: t.batch.String(n.name), Edges: e.Edges, Saved: saved, Attrs: n.attrs}
	t.announce(made)
	t.register(n.sequence, made)
	return true
}

// leafNode is the AccumulateGrad node of a leaf; none for nothing and for other tensors.
func (t *Translator) leafNode(x *tensor) *node {
	if x == nil || x.edge.to != nil {
		return nil
	}
	return t.gradEdge(x).to
}

// private announces a tensor that only the graph holds; if of is not nil, a view of it.
func (t *Translator) private(l *layout, of *tensor) graph.TensorID {
	x := &tensor{layout: l}
	if of != nil {
		x.storage, x.counter, x.base, x.view = of.storage, of.counter, of.viewed(), graph.PlainView
	} else {
		x.storage, x.counter = t.tensors.newStorage(l.extent), t.tensors.newCounter(0)
	}
	t.create(0, x, 0, 0, nil)
	return x.id
}

func leafFlag(x *tensor) graph.SavedFlags {
	if x.edge.to == nil {
		return graph.SavedLeaf
	}
	return 0
}

// copySlices is the name of the node for a change in place of a view. It drops a node that
// it applies, also if nothing was saved.
const copySlices = "CopySlices"

// inwards orders n things so that each comes after those below it. ok is false if that
// cannot be.
func inwards(n int, below func(i int) []int) (order []int, ok bool) {
	const (
		unseen = iota
		open
		done
	)
	state := make([]byte, n)
	next := make([]int, n) // below whom to look
	for root := range n {
		if state[root] != unseen {
			continue
		}
		stack := []int{root}
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			state[i] = open
			if list := below(i); next[i] < len(list) {
				child := list[next[i]]
				next[i]++
				switch state[child] {
				case open:
					return nil, false
				case unseen:
					stack = append(stack, child)
				}
				continue
			}
			state[i] = done
			order = append(order, i)
			stack = stack[:len(stack)-1]
		}
	}
	return order, true
}

// attrs are those of a tuple of (name, ("v", value)) or (name, ("r", text)).
func (f *fields) attrs(i int) (list []graph.Attr) {
	all := f.inner(i)
	for j := range all.v {
		pair := all.inner(j)
		a := graph.Attr{Name: f.t.batch.String(pair.text(0))}
		spec, _ := marshal.At[marshal.Tuple](pair.v, 1)
		var ok bool
		if a.AttrValue, ok = attrOf(spec); !ok || pair.bad {
			f.bad = true
		}
		list = append(list, a)
	}
	f.bad = f.bad || all.bad
	return list
}
