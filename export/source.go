package export

import "github.com/gradtui/gradtui/graph"

// A source is a selection as the nodes of a tree. Equal operations are equal nodes,
// whatever line they are in.
type source struct {
	*selection
	ends []int32
}

func (s *source) Len() int { return len(s.nodes) }

func (s *source) Graph() *graph.Graph { return s.g }

func (s *source) Module(i int) graph.ModuleID { return s.nodes[i].module }

func (s *source) Leaf(i int) bool { return s.nodes[i].leaf != 0 }

func (s *source) Next(i int) []int32 {
	s.ends = s.ends[:0]
	for _, e := range s.next(i) {
		if to := s.at(e.Node); to >= 0 {
			s.ends = append(s.ends, int32(to))
		}
	}
	return s.ends
}

func (s *source) What(i int) (operation, line int) {
	_, made, _ := s.g.NodeOrigin(s.nodes[i].id)
	return int(made.Name), 0
}
