package arrange

import "github.com/gradtui/gradtui/graph"

// Reach visits the nodes that some nodes lead to along next_functions, these included, each
// once and the newest first: an edge leads to a node that was created before. visit returns
// the edges of a node; ok is false if it cannot be read. Nodes that do not exist count as
// absent.
//
// The result has an element for each NodeID, and says for the nodes that visit could read
// at which position they come in order of creation, from 1; for others it is 0.
func Reach(g *graph.Graph, from []graph.NodeID, visit func(graph.NodeID) (edges []graph.Edge, ok bool)) (positions []int32) {
	positions = make([]int32, g.NodeCount()+1)
	const reached = 1
	waiting, newest := 0, graph.NodeID(0)
	reach := func(id graph.NodeID) {
		if id != 0 && int(id) < len(positions) && positions[id] == 0 {
			positions[id] = reached
			waiting++
			newest = max(newest, id)
		}
	}
	for _, id := range from {
		reach(id)
	}
	oldest := newest + 1
	for waiting > 0 {
		oldest--
		if positions[oldest] == 0 {
			continue
		}
		waiting--
		edges, ok := visit(oldest)
		if !ok {
			positions[oldest] = 0
			continue
		}
		for _, e := range edges {
			if e.Node < oldest {
				reach(e.Node)
			}
		}
	}
	position := int32(0)
	for id := oldest; id <= newest; id++ {
		if positions[id] == reached {
			position++
			positions[id] = position
		}
	}
	return positions
}
