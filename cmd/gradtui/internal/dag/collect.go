package dag

import (
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/readyqueue"
)

// A Dag is the part of a backward graph that some roots lead to. Its nodes are
// numbered in the order in which a backward pass from the roots executes them, so
// an edge always leads to a higher number.
type Dag struct {
	g       *graph.Graph
	nodes   []node
	edges   []int32 // the nodes that edges lead to
	senders []int32 // the other way round
	index   []int32 // by NodeID: the number + 1
}

// A node is what arranging needs to know about a node.
type node struct {
	id          graph.NodeID
	name        graph.StringID
	stack       graph.StackID
	module      graph.ModuleID
	leaf        bool  // AccumulateGrad
	first, last int32 // its part of edges
	from, until int32 // its part of senders
}

// Collect finds the nodes that a backward pass from the roots visits: all that they
// lead to along next_functions. Roots that do not exist count as absent.
//
// Their order is that of PyTorch's engine: a node is ready when all gradients that it
// waits for have arrived, and of the ready ones the one with the highest sequence
// number runs. The graph may be at any position; what its cursor does later to the
// statuses of the nodes does not matter to the result.
func Collect(g *graph.Graph, roots []graph.NodeID) *Dag {
	d := &Dag{g: g, index: make([]int32, g.NodeCount()+1)}
	sequence := d.discover(roots)
	d.sort(roots, sequence)
	d.findSenders()
	return d
}

// discover reads the nodes in any order, with edges that hold identifiers, and
// gives their sequence numbers.
func (d *Dag) discover(roots []graph.NodeID) (sequence []uint64) {
	var stack []graph.NodeID
	visit := func(id graph.NodeID) {
		if int(id) < len(d.index) && d.index[id] == 0 {
			d.index[id] = -1
			stack = append(stack, id)
		}
	}
	d.index[0] = -1 // no node
	for _, id := range roots {
		visit(id)
	}
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		h, e, ok := d.g.NodeOrigin(id)
		if !ok {
			continue
		}
		n := node{
			id: id, name: e.Name, stack: h.Stack, module: d.g.NodeModule(id), leaf: e.Variable != 0,
			first: int32(len(d.edges)),
		}
		for _, edge := range e.Edges {
			if edge.Node != 0 {
				visit(edge.Node)
				d.edges = append(d.edges, int32(edge.Node))
			}
		}
		n.last = int32(len(d.edges))
		d.nodes = append(d.nodes, n)
		sequence = append(sequence, e.Sequence)
		d.index[id] = int32(len(d.nodes))
	}
	d.index[0] = 0
	return sequence
}

// sort renumbers the nodes in order of execution.
func (d *Dag) sort(roots []graph.NodeID, sequence []uint64) {
	waiting := make([]int32, len(d.nodes))
	each := func(ids []int32, f func(i int32)) {
		for _, id := range ids {
			if i := d.index[id]; i > 0 {
				f(i - 1)
			}
		}
	}
	starts := make([]int32, 0, len(roots))
	for _, id := range roots {
		if int(id) < len(d.index) {
			starts = append(starts, int32(id))
		}
	}
	expect := func(i int32) { waiting[i]++ }
	each(starts, expect)
	each(d.edges, expect)

	var queue readyqueue.Queue[int32]
	deliver := func(i int32) {
		if waiting[i]--; waiting[i] == 0 {
			queue.Push(sequence[i], i)
		}
	}
	each(starts, deliver)
	ordered := make([]node, 0, len(d.nodes))
	edges := make([]int32, 0, len(d.edges))
	for queue.Len() > 0 {
		n := d.nodes[queue.Pop()]
		out := d.edges[n.first:n.last]
		each(out, deliver)
		n.first = int32(len(edges))
		each(out, func(i int32) { edges = append(edges, int32(d.nodes[i].id)) })
		n.last = int32(len(edges))
		ordered = append(ordered, n)
	}
	d.nodes, d.edges = ordered, edges
	for i, n := range d.nodes {
		d.index[n.id] = int32(i) + 1
	}
	for i, id := range d.edges {
		d.edges[i] = d.index[id] - 1
	}
}

// findSenders turns the edges round.
func (d *Dag) findSenders() {
	for _, to := range d.edges {
		d.nodes[to].until++
	}
	at := int32(0)
	for i := range d.nodes {
		n := &d.nodes[i]
		n.from, n.until, at = at, at, at+n.until
	}
	d.senders = make([]int32, len(d.edges))
	for i := range d.nodes {
		for _, to := range d.Next(i) {
			n := &d.nodes[to]
			d.senders[n.until] = int32(i)
			n.until++
		}
	}
}

// Graph is the graph that the nodes belong to.
func (d *Dag) Graph() *graph.Graph { return d.g }

// Len is the number of nodes.
func (d *Dag) Len() int { return len(d.nodes) }

// Node is the node that is executed at a place in the order, from 0.
func (d *Dag) Node(i int) graph.NodeID { return d.nodes[i].id }

// IndexOf is the place of a node in the order.
func (d *Dag) IndexOf(id graph.NodeID) (i int, ok bool) {
	if int(id) >= len(d.index) || d.index[id] <= 0 {
		return 0, false
	}
	return int(d.index[id]) - 1, true
}

// Next are the places of the nodes that one sends gradients to, in the order of its
// next_functions; one that it sends several to is there several times. The caller
// must not change it.
func (d *Dag) Next(i int) []int32 { return d.edges[d.nodes[i].first:d.nodes[i].last] }

// Senders are the places of the nodes that send gradients to one, in order.
func (d *Dag) Senders(i int) []int32 { return d.senders[d.nodes[i].from:d.nodes[i].until] }

// Few reports whether a backward pass from the roots visits at most so many nodes. It
// looks at no more than that.
func Few(g *graph.Graph, roots []graph.NodeID, most int) bool {
	seen := map[graph.NodeID]bool{0: true}
	var todo []graph.NodeID
	visit := func(id graph.NodeID) {
		if !seen[id] {
			seen[id] = true
			todo = append(todo, id)
		}
	}
	for _, id := range roots {
		visit(id)
	}
	for len(todo) > 0 && len(seen)-1 <= most {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if _, e, ok := g.NodeOrigin(id); ok {
			for _, edge := range e.Edges {
				visit(edge.Node)
			}
		}
	}
	return len(seen)-1 <= most
}

// On makes the nodes those of another graph of the same tape, one that holds all of
// them: Tally counts what they are there.
func (d *Dag) On(g *graph.Graph) { d.g = g }
