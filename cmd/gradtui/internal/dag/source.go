package dag

import (
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/arrange"
)

// A source is a Dag as the nodes of a tree of groups. Equal nodes have the same name and are
// in the same line of the program.
type source struct {
	*Dag
	numbers map[line]int
	lines   map[graph.StackID]int
}

// A line is a line of the program.
type line struct {
	file string
	line int
}

// findGroups finds what can be folded.
func (d *Dag) findGroups() *arrange.Tree {
	return arrange.Build(&source{d, map[line]int{}, map[graph.StackID]int{}}, arrange.Options{})
}

func (s *source) Module(i int) graph.ModuleID { return s.nodes[i].module }

func (s *source) Leaf(i int) bool { return s.nodes[i].leaf }

// What returns the name of a node and its line. The one of a leaf is where the variable was
// first used, and does not matter.
func (s *source) What(i int) (operation, line int) {
	n := &s.nodes[i]
	if n.leaf {
		return int(n.name), 0
	}
	return int(n.name), s.line(n.stack)
}

// line numbers the line that a call stack ends in, from 1.
func (s *source) line(id graph.StackID) int {
	if n, ok := s.lines[id]; ok {
		return n
	}
	top := s.g.Tape().Stack(id).Top()
	key := line{top.File, top.Line}
	n, ok := s.numbers[key]
	if !ok {
		n = len(s.numbers) + 1
		s.numbers[key] = n
	}
	s.lines[id] = n
	return n
}
