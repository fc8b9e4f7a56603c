package pytorch

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

	made    graph.NodeCreated // its memory is used again
	private []*tensor         // that nodes which are not announced yet have saved
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

// node returns the node that the program names by a number: its sequence number, or, for an
// AccumulateGrad node, the negated number of its tensor. It returns nil if there is none.
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

// leafNode is the AccumulateGrad node of a leaf; none for nothing and for other tensors.
func (t *Translator) leafNode(x *tensor) *node {
	if x == nil || x.edge.to != nil {
		return nil
	}
	return t.gradEdge(x).to
}

// private announces a tensor that only the graph holds, at a version; if of is not nil, a
// view of it. releasePrivate follows when the node has been announced.
func (t *Translator) private(l *layout, version uint32, of *tensor) graph.TensorID {
	x := &tensor{layout: l}
	if of != nil {
		x.storage, x.counter, x.base, x.view = of.storage, of.counter, of.viewed(), graph.PlainView
	} else {
		x.storage, x.counter = t.tensors.newStorage(l, l.extent), t.tensors.newCounter(version)
	}
	t.create(0, x, 0, 0, nil)
	t.nodes.private = append(t.nodes.private, x)
	return x.id
}

// releasePrivate says of the tensors that only the graph holds that the program does not have
// them, or else they would be counted as alive, with the graphs of what they are views of.
func (t *Translator) releasePrivate() {
	for _, x := range t.nodes.private {
		t.release(x)
	}
	clear(t.nodes.private)
	t.nodes.private = t.nodes.private[:0]
}

func leafFlag(x *tensor) graph.SavedFlags {
	if x.edge.to == nil {
		return graph.SavedLeaf
	}
	return 0
}

// copySlices is the name of the node for an in-place change of a view. It drops a node that it
// applies, even if nothing was saved.
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

// attrs returns the attributes of a tuple of (name, ("v", value)) or (name, ("r", text)).
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

// results are the n of a tuple of (dtype, shape) or None; nothing if it is not there, or not
// about as many.
func (f *fields) results(i, n int) []graph.Result {
	if !f.given(i) {
		return nil
	}
	all := f.inner(i)
	if len(all.v) != n {
		f.bad = f.bad || all.bad
		return nil
	}
	list := make([]graph.Result, n)
	for j := range list {
		if all.given(j) {
			r := all.inner(j)
			list[j] = graph.Result{DType: dtypeOf(r.text(0)), Shape: r.ints(1)}
			all.bad = all.bad || r.bad || len(list[j].Shape) > mostDims
		}
	}
	f.bad = f.bad || all.bad
	return list
}
