package dag

import (
	"cmp"
	"math"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/arrange"
)

// GroupKind says what holds a group together.
type GroupKind uint8

// The kinds of groups.
const (
	ModuleCall GroupKind = iota // nodes made in one call of a module
	Repetition                  // equal stretches, one after the other
	Step                        // one of them, if it is more than a node or a group
)

// A Group is a stretch of the order of execution that can be folded. An AccumulateGrad
// node that runs between the nodes of a module call belongs to the call's group. If other
// nodes run between them, the call has several groups.
type Group struct {
	Kind        GroupKind
	First, Last int            // its nodes are those from First up to, not including, Last
	Level       int            // in how many others it lies, Repetitions apart
	Module      graph.ModuleID // of a ModuleCall
	Times       int            // of a Repetition: how often
	Each        int            // of a Repetition: how many nodes at a time
	Number      int            // of a Step: which one, from 1

	parent int32 // -1: none
	after  int32 // the next group that does not lie in this one
}

// Len returns the number of nodes.
func (g *Group) Len() int { return g.Last - g.First }

// inner returns the level of what lies directly in the group. The steps of a loop have the
// level of what is in front of the loop and behind it.
func (g *Group) inner() int {
	if g.Kind == Repetition {
		return g.Level
	}
	return g.Level + 1
}

// nest sorts groups, outer ones first, and sets their levels and which group each lies in.
// Of groups with the same nodes the one that comes first in the list is the outer one.
func nest(groups []Group) []Group {
	slices.SortStableFunc(groups, func(a, b Group) int {
		return cmp.Or(a.First-b.First, b.Last-a.Last)
	})
	open := int32(-1)
	leave := func(until, next int) {
		for open >= 0 && groups[open].Last <= until {
			groups[open].after = int32(next)
			open = groups[open].parent
		}
	}
	for i := range groups {
		g := &groups[i]
		leave(g.First, i)
		g.parent, g.Level = open, 0
		if open >= 0 {
			g.Level = groups[open].inner()
		}
		open = int32(i)
	}
	leave(math.MaxInt, len(groups))
	return groups
}

// findGroups finds what can be folded.
func (d *Dag) findGroups() []Group {
	groups := nest(d.moduleCalls())
	return nest(append(groups, d.repetitions(groups)...))
}

// calls finds the calls of modules that made the nodes.
func (d *Dag) calls() *arrange.Calls {
	return arrange.NewCalls(d.g, func(yield func(graph.ModuleID) bool) {
		for i := range d.nodes {
			if !yield(d.nodes[i].module) {
				return
			}
		}
	})
}

// moduleCalls finds the stretches of nodes that one call of a module made. Of several calls
// with the same nodes it takes the outermost one.
func (d *Dag) moduleCalls() []Group {
	calls := d.calls()
	type run struct{ call, first int }
	var groups []Group
	var open []run // around the node before, the outermost first
	leave := func(depth, at int) {
		for i := len(open) - 1; i >= depth; i-- {
			r := open[i]
			if i > depth && open[i-1].first == r.first || at == r.first+1 {
				continue // the call around it holds the same nodes, or it is a node
			}
			groups = append(groups, Group{Kind: ModuleCall, First: r.first, Last: at, Module: calls.List[r.call].ID})
		}
		open = open[:min(depth, len(open))]
	}
	var path []int
	for i := 0; i < len(d.nodes); {
		leaves := i // AccumulateGrad nodes from leaves to i
		for i < len(d.nodes) && d.nodes[i].leaf {
			i++
		}
		path = path[:0]
		if i < len(d.nodes) {
			path = calls.Path(path, calls.At(d.nodes[i].module))
		}
		common := 0
		for common < min(len(open), len(path)) && open[common].call == path[common] {
			common++
		}
		// A leaf belongs to a run that goes on behind it, and to a run that holds all
		// nodes that send it gradients.
		for ; leaves < i; leaves++ {
			depth := common
			if senders := d.Senders(leaves); len(senders) > 0 {
				for depth < len(open) && open[depth].first <= int(senders[0]) {
					depth++
				}
			}
			leave(depth, leaves)
		}
		leave(common, i)
		if i < len(d.nodes) {
			for _, call := range path[common:] {
				open = append(open, run{call, i})
			}
			i++
		}
	}
	return groups
}
