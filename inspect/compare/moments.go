package compare

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/arrange"
)

// A Moment is a position on a tape, with the roots of the graph that is looked at there.
type Moment struct {
	At    graph.Pos
	Roots []graph.NodeID
}

// A Matcher finds which nodes of the graphs of two moments correspond. The moments are on one tape, or on
// two. It serves one goroutine at a time.
type Matcher struct {
	a, b  *graph.Cursor
	lines *alignment
}

// NewMatcher returns a matcher for moments on two tapes, which may be the same.
func NewMatcher(a, b *graph.Tape) *Matcher {
	return &Matcher{a: graph.NewCursor(a), b: graph.NewCursor(b)}
}

// A Match says which nodes of two graphs correspond.
type Match struct {
	toA, toB     map[graph.NodeID]graph.NodeID
	OnlyA, OnlyB []graph.NodeID // without a counterpart, in the order in which they were made
}

// InA returns the node at moment A that corresponds to one at moment B.
func (m *Match) InA(b graph.NodeID) (a graph.NodeID, ok bool) { a, ok = m.toA[b]; return a, ok }

// InB returns the node at moment B that corresponds to one at moment A.
func (m *Match) InB(a graph.NodeID) (b graph.NodeID, ok bool) { b, ok = m.toB[a]; return b, ok }

// Nodes matches the nodes that lead to the gradients of two moments: of one kind, as [Parts] compares
// them, the first one made with the first one made, and so on.
func (m *Matcher) Nodes(a, b Moment) *Match {
	x := m.kinds(m.a, a, func(l *alignment) func(graph.Frame) string { return l.ofA })
	y := m.kinds(m.b, b, func(l *alignment) func(graph.Frame) string { return l.ofB })
	found := &Match{toA: map[graph.NodeID]graph.NodeID{}, toB: map[graph.NodeID]graph.NodeID{}}
	left := map[nodeKind][]graph.NodeID{}
	for _, n := range y {
		left[n.kind] = append(left[n.kind], n.id)
	}
	for _, n := range x {
		same := left[n.kind]
		if len(same) == 0 {
			found.OnlyA = append(found.OnlyA, n.id)
			continue
		}
		left[n.kind] = same[1:]
		found.toB[n.id], found.toA[same[0]] = same[0], n.id
	}
	for _, n := range y {
		if _, ok := found.toA[n.id]; !ok {
			found.OnlyB = append(found.OnlyB, n.id)
		}
	}
	return found
}

// A namedNode is a node with its kind.
type namedNode struct {
	id   graph.NodeID
	kind nodeKind
}

// kinds returns the nodes of a moment, the first one made first.
func (m *Matcher) kinds(c *graph.Cursor, at Moment, side func(*alignment) func(graph.Frame) string) (nodes []namedNode) {
	tape := c.Graph().Tape()
	if m.lines == nil {
		m.lines = &alignment{}
		if a, b := m.a.Graph().Tape(), m.b.Graph().Tape(); a != b {
			m.lines = alignLines(sourcesOf(a), sourcesOf(b))
		}
	}
	if c.Seek(min(at.At, tape.Len())) != nil {
		return nil
	}
	names := newKindNames(c.Graph(), side(m.lines))
	arrange.Reach(c.Graph(), at.Roots, func(id graph.NodeID) ([]graph.Edge, bool) {
		head, e, ok := c.Graph().NodeOrigin(id)
		if !ok {
			return nil, false
		}
		edges := slices.Clone(e.Edges) // the event is valid until the next call
		nodes = append(nodes, namedNode{id, names.kind(head.Stack, e)})
		return edges, true
	})
	slices.Reverse(nodes)
	return nodes
}
