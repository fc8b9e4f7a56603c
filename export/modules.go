package export

import (
	"iter"
	"slices"
	"strings"

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
	case strings.TrimSpace(path) == "":
		return titled(typ)
	case strings.TrimSpace(typ) == "":
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

// clusters say which units a picture shows inside of which module call.
type clusters struct {
	tree  *moduleTree
	units [][]unit // by call + 1: those directly inside; 0 is outside of all calls
	inner [][]int  // by call + 1: the calls directly inside that hold anything
}

// clusters places some units.
func (p *plan) clusters(tree *moduleTree, units iter.Seq[unit]) *clusters {
	c := &clusters{tree: tree, units: make([][]unit, len(tree.calls)+1), inner: make([][]int, len(tree.calls)+1)}
	for u := range units {
		at := p.callOf(tree, u) + 1
		c.units[at] = append(c.units[at], u)
	}
	filled := make([]bool, len(tree.calls)+1)
	for call := len(tree.calls); call > 0; call-- {
		filled[call] = filled[call] || len(c.units[call]) > 0
		outer := tree.calls[call-1].outer + 1
		filled[outer] = filled[outer] || filled[call]
	}
	for call, m := range tree.calls {
		if filled[call+1] {
			c.inner[m.outer+1] = append(c.inner[m.outer+1], call)
		}
	}
	return c
}

// walk visits everything from the outside in: each call with open and close
// around what it holds. The depth is bounded by maxModuleDepth.
func (c *clusters) walk(open func(id graph.ModuleID, depth int), item func(u unit, depth int), close func(depth int)) {
	var visit func(call, depth int)
	visit = func(call, depth int) {
		for _, u := range c.units[call+1] {
			item(u, depth)
		}
		for _, inner := range c.inner[call+1] {
			open(c.tree.calls[inner].id, depth)
			visit(inner, depth+1)
			close(depth)
		}
	}
	visit(-1, 0)
}

// callOf is the module call that a unit belongs to: for a group, the innermost
// one around all of it; -1 is outside of all.
func (p *plan) callOf(tree *moduleTree, u unit) int {
	if u >= 0 {
		return tree.at[p.nodes[u].module]
	}
	g := p.groups[^u]
	if g.kind == FoldModules {
		return tree.calls[tree.at[g.module]].outer
	}
	call := -2
	for _, i := range g.members {
		if p.nodes[i].leaf != 0 {
			continue
		}
		if c := tree.at[p.nodes[i].module]; call == -2 {
			call = c
		} else {
			call = tree.common(call, c)
		}
	}
	return max(call, -1)
}
