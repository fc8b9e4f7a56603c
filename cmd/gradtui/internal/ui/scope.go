package ui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/dag"
	"github.com/gradtui/gradtui/graph"
)

// scope is the part of the graph that is shown: what backward visits from the roots. It is
// made again only when the roots change, because nodes and edges stay as they were
// created. A large graph is laid out in a goroutine; until then the previous one stays, if
// it exists at the cursor.
type scope struct {
	root   graph.NodeID // the first one; 0: there is none yet
	roots  []graph.NodeID
	pass   graph.BackwardID // the pass whose roots they are; 0: none
	pinned graph.NodeID     // the root that the user pinned; 0: none
	view   *dag.View        // nil: there is none yet

	byHand    bool           // folds were changed by hand, which later views follow
	folds     dag.Folds      // what was folded in an earlier run
	wanted    []graph.NodeID // the roots of the graph that is to be arranged; nil: none
	from      graph.Pos      // where they were the roots
	arranging bool
	scout     *graph.Cursor // of the one who arranges
}

// atOnce is how many nodes are arranged within an update.
const atOnce = 2048

// update finds the roots at the cursor.
func (s *scope) update(m *Model) {
	g := m.graph()
	roots, pass := m.rootsNow(g)
	s.wanted = nil
	switch {
	case s.view != nil && slices.Equal(s.roots, roots):
		s.pass = pass
	case dag.Few(g, roots, atOnce):
		s.show(dag.NewView(dag.Collect(g, roots)), roots, pass)
	default:
		s.wanted, s.from = roots, m.at()
		if s.view == nil || !exist(g, s.roots) {
			s.show(nil, roots, pass)
		} else {
			s.pass = 0
		}
	}
}

// show makes a view the one that is seen.
func (s *scope) show(view *dag.View, roots []graph.NodeID, pass graph.BackwardID) {
	if s.byHand && view != nil {
		view.Apply(s.folds)
		if s.view != nil {
			view.Follow(s.view)
		}
	}
	s.view, s.roots, s.pass, s.root = view, roots, pass, 0
	if len(roots) > 0 {
		s.root = roots[0]
	}
}

// foldsNow returns what is folded, to be applied in another run; nil if it was not changed by hand.
func (s *scope) foldsNow() dag.Folds {
	switch {
	case !s.byHand:
		return nil
	case s.view == nil:
		return s.folds
	}
	return s.folds.With(s.view.Folds())
}

func exist(g *graph.Graph, nodes []graph.NodeID) bool {
	return !slices.ContainsFunc(nodes, func(id graph.NodeID) bool { _, _, ok := g.NodeOrigin(id); return !ok })
}

// arrangedMsg brings the view of a large graph.
type arrangedMsg struct {
	view  *dag.View
	roots []graph.NodeID
}

// arrangeGraph arranges the graph that is wanted, if that is not being done.
func (m *Model) arrangeGraph() tea.Cmd {
	s := &m.scope
	if s.wanted == nil || s.arranging {
		return nil
	}
	s.arranging = true
	if s.scout == nil {
		s.scout = graph.NewCursor(m.tape)
	}
	scout, roots, from := s.scout, s.wanted, s.from
	return func() tea.Msg {
		scout.Seek(from)
		return arrangedMsg{dag.NewView(dag.Collect(scout.Graph(), roots)), roots}
	}
}

// arranged takes a view. The roots may have changed since it was asked for.
func (m *Model) arranged(msg arrangedMsg) tea.Cmd {
	s := &m.scope
	s.arranging = false
	if s.wanted == nil || !exist(m.graph(), msg.roots) {
		return nil
	}
	roots, pass := m.rootsNow(m.graph())
	if slices.Equal(msg.roots, roots) {
		s.wanted = nil
	} else {
		pass = 0
	}
	msg.view.On(m.graph())
	s.show(msg.view, msg.roots, pass)
	m.refresh()
	return nil
}

// rootsNow returns the roots: the pinned node; or the roots of the backward pass that runs,
// or that ended and nothing was computed since; or else the newest node.
func (s *state) rootsNow(g *graph.Graph) ([]graph.NodeID, graph.BackwardID) {
	if _, ok := g.Node(s.scope.pinned); ok {
		return []graph.NodeID{s.scope.pinned}, 0
	}
	newest := newestNode(g)
	b, ok := s.runningPass()
	if !ok {
		b, ok = g.Backward(graph.BackwardID(g.BackwardCount()))
	}
	if ok {
		n, _ := g.Node(newest)
		if b.Running() || n.Created < b.Finished {
			var roots []graph.NodeID
			for _, r := range b.Roots {
				if _, ok := g.Node(r.Node); ok {
					roots = append(roots, r.Node)
				}
			}
			if len(roots) > 0 {
				return roots, b.ID
			}
		}
	}
	if newest == 0 {
		return nil, 0
	}
	return []graph.NodeID{newest}, 0
}

// newestNode returns the node that was created last, except for AccumulateGrad.
func newestNode(g *graph.Graph) graph.NodeID {
	for id := graph.NodeID(g.NodeCount()); id > 0; id-- {
		if _, made, ok := g.NodeOrigin(id); ok && made.Variable == 0 {
			return id
		}
	}
	return 0
}

// setRoot pins a node as root; 0 unpins it.
func (m *Model) setRoot(id graph.NodeID) tea.Cmd {
	m.scope.pinned = id
	m.scope.update(m)
	m.refresh()
	if id == 0 {
		return m.say(muted, "root unpinned: it is the root of the backward pass, or the newest node")
	}
	return m.say(muted, fmt.Sprintf("the root is n%d; r unpins it", id))
}

// pinRoot pins the selected node as root, or unpins it.
func (m *Model) pinRoot() tea.Cmd {
	if m.scope.pinned == m.chosen.node {
		return m.setRoot(0)
	}
	return m.setRoot(m.chosen.node)
}

// resultOf returns the result of a node's operation; 0 if it is not known.
func (s *state) resultOf(id graph.NodeID) graph.TensorID {
	p, ok := s.index.lookup.Op(id)
	if !ok {
		return 0
	}
	if _, e := s.event(p); e != nil {
		if op, ok := e.(*graph.OpRan); ok && len(op.Outputs) > 0 {
			return op.Outputs[0]
		}
	}
	return 0
}
