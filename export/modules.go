package export

import (
	"iter"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/arrange"
)

// calls finds the calls of modules that made the nodes.
func (s *selection) calls() *arrange.Calls { return arrange.NewCalls(&source{selection: s}) }

// moduleText returns a text such as "layers.0 (Linear)".
func (s *selection) moduleText(id graph.ModuleID) string {
	m, _ := s.g.Module(id)
	m.Path, m.Type = label(m.Path, maxLabel), label(m.Type, maxLabel)
	path, typ := arrange.CallName(m)
	if typ == "" {
		return titled(path)
	}
	return path + " (" + typ + ")"
}

// clusters say which units a picture shows inside which module call.
type clusters struct {
	calls *arrange.Calls
	units [][]unit // by call + 1: those directly inside; 0 is outside all calls
	inner [][]int  // by call + 1: the calls directly inside that hold anything
}

// clusters places some units.
func (p *plan) clusters(calls *arrange.Calls, units iter.Seq[unit]) *clusters {
	c := &clusters{calls: calls, units: make([][]unit, len(calls.List)+1), inner: make([][]int, len(calls.List)+1)}
	for u := range units {
		at := p.callOf(calls, u) + 1
		c.units[at] = append(c.units[at], u)
	}
	filled := make([]bool, len(calls.List)+1)
	for call := len(calls.List); call > 0; call-- {
		filled[call] = filled[call] || len(c.units[call]) > 0
		outer := calls.List[call-1].Outer + 1
		filled[outer] = filled[outer] || filled[call]
	}
	for call, m := range calls.List {
		if filled[call+1] {
			c.inner[m.Outer+1] = append(c.inner[m.Outer+1], call)
		}
	}
	return c
}

// walk visits everything from the outside in: each call with open and close
// around what it holds. The depth is bounded, as arrange.Calls is.
func (c *clusters) walk(open func(id graph.ModuleID, depth int), item func(u unit, depth int), close func(depth int)) {
	var visit func(call, depth int)
	visit = func(call, depth int) {
		for _, u := range c.units[call+1] {
			item(u, depth)
		}
		for _, inner := range c.inner[call+1] {
			open(c.calls.List[inner].ID, depth)
			visit(inner, depth+1)
			close(depth)
		}
	}
	visit(-1, 0)
}

// callOf returns the place of the module call that a unit belongs to: for a group, of the
// innermost one around all of it.
func (p *plan) callOf(calls *arrange.Calls, u unit) int {
	if u >= 0 {
		return calls.At(p.nodes[u].module)
	}
	g := p.groups[^u]
	if g.kind() == FoldModules {
		return calls.At(p.g.ModuleOuter(g.Module))
	}
	call := -2
	for _, i := range g.members {
		if p.nodes[i].leaf != 0 {
			continue
		}
		if c := calls.At(p.nodes[i].module); call == -2 {
			call = c
		} else {
			call = calls.Common(call, c)
		}
	}
	return max(call, -1)
}
