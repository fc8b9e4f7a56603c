package rules

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// A joint is where the new part of a graph hangs on an old one.
type joint struct {
	reader graph.Pos      // the operation that read the old tensor
	tensor graph.TensorID // what it read; 0: unknown
	node   graph.Node     // its grad_fn, in the old part
}

// joints returns the edges from the new part of a failed pass's graph into the old part by which
// the pass came to the node that failed, the nearest to the loss first.
func joints(h *inspect.History, f failure, old func(graph.Node) bool) (found []joint) {
	g := h.Graph()
	readers := map[graph.NodeID][]graph.NodeID{} // by node: those with an edge to it
	var queue []graph.NodeID
	seen := map[graph.NodeID]bool{0: true}
	push := func(id graph.NodeID) {
		if !seen[id] {
			seen[id] = true
			queue = append(queue, id)
		}
	}
	for _, r := range h.Pass(f.pass).Roots {
		push(r.Node)
	}
	for i := 0; i < len(queue); i++ {
		n, ok := g.Node(queue[i])
		if !ok {
			continue
		}
		for _, e := range n.Edges {
			readers[e.Node] = append(readers[e.Node], n.ID)
			push(e.Node)
		}
	}
	// Back from the node that failed.
	leads := map[graph.NodeID]bool{f.node.ID: true}
	for back := []graph.NodeID{f.node.ID}; len(back) > 0; back = back[1:] {
		for _, r := range readers[back[0]] {
			if !leads[r] {
				leads[r] = true
				back = append(back, r)
			}
		}
	}
	for _, id := range queue {
		n, ok := g.Node(id)
		if !ok || !leads[id] || n.Variable != 0 || !old(n) {
			continue
		}
		isRoot := len(readers[id]) == 0
		for _, r := range readers[id] {
			reader, _ := g.Node(r)
			if leads[r] && !old(reader) {
				found = append(found, joint{reader.Created, resultRead(h, reader, n), n})
			}
		}
		if pass := h.Pass(f.pass); isRoot && len(pass.Roots) > 0 {
			found = append(found, joint{pass.At, pass.Roots[0].Tensor, n})
		}
	}
	return found
}

// resultRead returns a result of one node's operation that another node's operation read.
func resultRead(h *inspect.History, reader, maker graph.Node) graph.TensorID {
	made := func(id graph.TensorID) bool {
		t, ok := h.Graph().Tensor(id)
		return ok && (t.Node == maker.ID || h.Tensor(id).Node == maker.ID)
	}
	if op := h.NodeOp(reader.ID); op != nil {
		if i := slices.IndexFunc(op.Inputs, made); i >= 0 {
			return op.Inputs[i]
		}
	}
	if op := h.NodeOp(maker.ID); op != nil {
		if i := slices.IndexFunc(op.Outputs, made); i >= 0 {
			return op.Outputs[i]
		}
	}
	return 0
}
