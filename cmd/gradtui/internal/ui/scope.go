package ui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/dag"
	"github.com/gradtui/gradtui/graph"
)

// scope is the part of the graph that is looked at: what backward from the roots
// visits. It is made anew only when the roots are others: nodes and edges stay as
// they were created.
type scope struct {
	root  graph.NodeID // the first one; 0: there is none yet
	roots []graph.NodeID
	pass  graph.BackwardID // the pass whose roots they are; 0: none
	view  *dag.View
}

// update finds the roots at the cursor.
func (s *scope) update(m *Model) {
	g := m.graph()
	roots, pass := m.rootsNow(g)
	if s.view != nil && slices.Equal(s.roots, roots) {
		s.pass = pass
		return
	}
	s.roots, s.pass, s.root = roots, pass, 0
	if len(roots) > 0 {
		s.root = roots[0]
	}
	s.view = dag.NewView(dag.Collect(g, roots))
}

// rootsNow are the roots to look from: the one that was chosen; those of the backward
// pass that runs, or that ended and nothing was computed since; or else the newest
// node.
func (m *Model) rootsNow(g *graph.Graph) ([]graph.NodeID, graph.BackwardID) {
	if _, ok := g.Node(m.pinned); ok {
		return []graph.NodeID{m.pinned}, 0
	}
	newest := newestNode(g)
	if id := graph.BackwardID(g.BackwardCount()); id > 0 {
		b, _ := g.Backward(id)
		n, _ := g.Node(newest)
		if b.Running() || n.Created < b.Finished {
			var roots []graph.NodeID
			for _, r := range b.Roots {
				if _, ok := g.Node(r.Node); ok {
					roots = append(roots, r.Node)
				}
			}
			if len(roots) > 0 {
				return roots, id
			}
		}
	}
	if newest == 0 {
		return nil, 0
	}
	return []graph.NodeID{newest}, 0
}

// newestNode is the node that was created last, but for AccumulateGrad.
func newestNode(g *graph.Graph) graph.NodeID {
	for id := graph.NodeID(g.NodeCount()); id > 0; id-- {
		if n, ok := g.Node(id); ok && n.Variable == 0 {
			return id
		}
	}
	return 0
}

// setRoot makes a node the root; 0 gives the choice back.
func (m *Model) setRoot(id graph.NodeID) tea.Cmd {
	m.pinned = id
	m.scope.update(m)
	m.refresh()
	if id == 0 {
		return m.say(muted, "the root is that of the backward pass, or the newest node")
	}
	return m.say(muted, fmt.Sprintf("the graph is that of n%d; r gives the choice back", id))
}

// pinRoot makes the chosen node the root, or gives the choice back.
func (m *Model) pinRoot() tea.Cmd {
	if m.pinned == m.chosen.node {
		return m.setRoot(0)
	}
	return m.setRoot(m.chosen.node)
}

// resultOf is the tensor that a node's operation gave; 0 if it is not known.
func (m *Model) resultOf(id graph.NodeID) graph.TensorID {
	p, ok := m.trace.Op(id)
	if !ok {
		return 0
	}
	if _, e := m.event(p); e != nil {
		if op, ok := e.(*graph.OpRan); ok && len(op.Outputs) > 0 {
			return op.Outputs[0]
		}
	}
	return 0
}
