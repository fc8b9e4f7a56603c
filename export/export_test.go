package export

import (
	"testing"

	"github.com/gradtui/gradtui/graph"
)

// Spread is the spread of the unreduced graph of the default roots.
func Spread(t testing.TB, g *graph.Graph) int {
	s, err := selectGraph(g, &Options{})
	if err != nil {
		t.Fatal(err)
	}
	return (&plan{selection: s}).spread()
}

// Label makes a name fit for a picture.
func Label(name string) string { return label(name, maxLabel) }

// LayersOf are the boxes of the style layers, each as the nodes that it stands for, and the nodes
// that no box stands for.
func LayersOf(t testing.TB, g *graph.Graph) (boxes [][]graph.NodeID, rest []graph.NodeID) {
	s, err := selectGraph(g, &Options{})
	if err != nil {
		t.Fatal(err)
	}
	l := s.layered()
	seen := map[graph.NodeID]bool{}
	for i := range l.boxes {
		var ids []graph.NodeID
		for _, at := range l.boxes[i].members {
			id := s.nodes[at].id
			ids = append(ids, id)
			seen[id] = true
		}
		boxes = append(boxes, ids)
	}
	for _, n := range s.nodes {
		if !seen[n.id] {
			rest = append(rest, n.id)
		}
	}
	return boxes, rest
}
