package dag

import (
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/arrange"
	"github.com/gradtui/gradtui/internal/passorder"
)

// A Dag is the part of a backward graph that some roots lead to. Its nodes are
// numbered in the order in which a backward pass from the roots executes them, so
// an edge always leads to a higher number.
type Dag struct {
	g     *graph.Graph
	nodes []node
	edges []int32 // the nodes that edges lead to
	index []int32 // by NodeID: the number + 1
}

// A node is what arranging needs to know about a node.
type node struct {
	id          graph.NodeID
	name        graph.StringID
	stack       graph.StackID
	module      graph.ModuleID
	leaf        bool  // AccumulateGrad
	first, last int32 // its part of edges
}

// Collect finds the nodes that a backward pass from the roots visits: all that they
// lead to along next_functions. Roots that do not exist count as absent.
//
// They are in the order in which PyTorch's engine runs them: see package passorder. The
// graph may be at any position; what its cursor does later to the statuses of the nodes
// does not matter to the result.
func Collect(g *graph.Graph, roots []graph.NodeID) *Dag {
	d := &Dag{g: g}
	sequence := d.discover(roots)
	d.sort(roots, sequence)
	return d
}

// discover reads the nodes, the newest first, with edges that hold identifiers, and gives
// their sequence numbers.
func (d *Dag) discover(roots []graph.NodeID) (sequence []uint64) {
	d.index = arrange.Reach(d.g, roots, func(id graph.NodeID) ([]graph.Edge, bool) {
		h, e, ok := d.g.NodeOrigin(id)
		if !ok {
			return nil, false
		}
		n := node{
			id: id, name: e.Name, stack: h.Stack, module: d.g.NodeModule(id), leaf: e.Variable != 0,
			first: int32(len(d.edges)),
		}
		for _, edge := range e.Edges {
			if edge.Node != 0 {
				d.edges = append(d.edges, int32(edge.Node))
			}
		}
		n.last = int32(len(d.edges))
		d.nodes, sequence = append(d.nodes, n), append(sequence, e.Sequence)
		return e.Edges, true
	})
	return sequence
}

// sort renumbers the nodes in order of execution.
func (d *Dag) sort(roots []graph.NodeID, sequence []uint64) {
	pass := passorder.New(len(d.nodes), len(d.edges))
	number := func(id graph.NodeID) int32 { // the newest is the first one
		if i, ok := d.IndexOf(id); ok {
			return int32(len(d.nodes) - 1 - i)
		}
		return passorder.None
	}
	var next []int32
	for i, n := range d.nodes {
		next = next[:0]
		for _, id := range d.edges[n.first:n.last] {
			if to := number(graph.NodeID(id)); to != passorder.None {
				next = append(next, to)
			}
		}
		pass.Add(sequence[i], next...)
	}
	starts := make([]int32, len(roots))
	for i, id := range roots {
		starts[i] = number(id)
	}
	order := pass.Run(starts)
	nodes := make([]node, len(order))
	for at, i := range order {
		nodes[at] = d.nodes[i]
		d.index[nodes[at].id] = int32(at) + 1
	}
	edges := d.edges[:0]
	for at, i := range order {
		nodes[at].first = int32(len(edges))
		for _, to := range pass.Next(i) {
			edges = append(edges, d.index[d.nodes[to].id]-1)
		}
		nodes[at].last = int32(len(edges))
	}
	d.nodes, d.edges = nodes, edges
}

// Graph returns the graph that the nodes belong to.
func (d *Dag) Graph() *graph.Graph { return d.g }

// Len returns the number of nodes.
func (d *Dag) Len() int { return len(d.nodes) }

// Node returns the node at a place in the order of execution, from 0.
func (d *Dag) Node(i int) graph.NodeID { return d.nodes[i].id }

// IndexOf returns the place of a node in the order; ok is false if it is not there.
func (d *Dag) IndexOf(id graph.NodeID) (i int, ok bool) {
	if int(id) >= len(d.index) || d.index[id] <= 0 {
		return 0, false
	}
	return int(d.index[id]) - 1, true
}

// Next returns the places of the nodes that one sends gradients to, in the order of its
// next_functions. A node that it sends several to is there several times. The caller must
// not change the result.
func (d *Dag) Next(i int) []int32 { return d.edges[d.nodes[i].first:d.nodes[i].last] }

// Few reports whether a backward pass from the roots visits at most that many nodes. It
// does not look at more.
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

// On moves to another graph of the same tape, which must hold all of the nodes: Tally then
// counts the statuses that they have there.
func (d *Dag) On(g *graph.Graph) { d.g = g }
