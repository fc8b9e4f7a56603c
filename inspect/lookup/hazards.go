package lookup

import "github.com/gradtui/gradtui/graph"

// A Hazard is a saved tensor that was modified in place since it was saved: if
// backward reaches the node, it fails.
type Hazard struct {
	Node  graph.NodeID
	Name  string // of the node
	Saved graph.SavedTensor
	// SavedAt is the event that saved the tensor, ModifiedAt the newest one
	// that changed it.
	SavedAt, ModifiedAt graph.Pos
}

// Hazards lists what would make a backward pass fail at the graph's position, in
// the order of the nodes. Nodes whose saved tensors were freed, and nodes that nothing
// refers to any more, do not count, nor does a change before the tensor was saved.
func Hazards(g *graph.Graph) (found []Hazard) {
	for n := range g.Nodes() {
		if !n.Released {
			found = append(found, hazardsOf(g, n)...)
		}
	}
	return found
}

func hazardsOf(g *graph.Graph, n graph.Node) (found []Hazard) {
	for _, s := range n.Saved {
		if t, ok := g.Tensor(s.Tensor); ok && s.Modified() {
			found = append(found, Hazard{n.ID, n.Name, s, n.Created, t.Mutated})
		}
	}
	return found
}
