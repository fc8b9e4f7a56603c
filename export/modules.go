package export

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// maxModuleDepth bounds how deep modules nest in a picture. What is further in
// counts as part of the module there.
const maxModuleDepth = 32

// A moduleTree holds the module calls that made the nodes of a selection, and the
// calls around them.
type moduleTree struct {
	calls []moduleCall // in order of entry: outer calls come first
	at    map[graph.ModuleID]int
	depth int
}

// A moduleCall is one call of a module.
type moduleCall struct {
	id    graph.ModuleID
	outer int // its place in calls; -1: outside of all
	depth int // 1: outside of all others
}

func newModuleTree(s *selection) *moduleTree {
	t := &moduleTree{at: map[graph.ModuleID]int{0: -1}}
	var ids []graph.ModuleID
	outer := map[graph.ModuleID]graph.ModuleID{}
	for _, n := range s.nodes {
		for id := n.module; id != 0; id = outer[id] {
			if _, known := outer[id]; known {
				break
			}
			m, ok := s.g.Module(id)
			if !ok || m.Outer >= id {
				m.Outer = 0
			}
			outer[id] = m.Outer
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	for _, id := range ids {
		c := moduleCall{id: id, outer: t.at[outer[id]], depth: 1}
		if c.outer >= 0 {
			if around := t.calls[c.outer]; around.depth == maxModuleDepth {
				t.at[id] = c.outer
				continue
			} else {
				c.depth = around.depth + 1
			}
		}
		t.at[id] = len(t.calls)
		t.calls = append(t.calls, c)
		t.depth = max(t.depth, c.depth)
	}
	return t
}

// ancestors finds, for each call, the call around it at a level, or itself; -1
// for calls that are further out.
func (t *moduleTree) ancestors(level int) []int {
	up := make([]int, len(t.calls))
	for i, c := range t.calls {
		switch {
		case c.depth < level:
			up[i] = -1
		case c.depth == level:
			up[i] = i
		default:
			up[i] = up[c.outer]
		}
	}
	return up
}

// moduleText is "layers.0 (Linear)".
func (s *selection) moduleText(id graph.ModuleID) string {
	m, _ := s.g.Module(id)
	path, typ := label(m.Path, maxLabel), label(m.Type, maxLabel)
	switch {
	case path == "":
		return typ
	case typ == "":
		return path
	}
	return path + " (" + typ + ")"
}

// common is the innermost call around two calls.
func (t *moduleTree) common(a, b int) int {
	for a != b {
		if a < b {
			a, b = b, a
		}
		a = t.calls[a].outer // the later call cannot be around the other
	}
	return a
}
