package dag

import (
	"cmp"
	"math"
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// GroupKind says what holds a group together.
type GroupKind uint8

// The kinds of groups.
const (
	ModuleCall GroupKind = iota // nodes made in one call of a module
	Repetition                  // equal stretches, one after the other
	Step                        // one of them, if it is more than a node or a group
)

// A Group is a stretch of the order of execution that can be folded. What a pass
// executes in between of the nodes of a module call, such as AccumulateGrad, belongs
// to it; when that is more, the call has several groups.
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

// Len is the number of nodes.
func (g *Group) Len() int { return g.Last - g.First }

// inner is the level of what lies directly in the group: the steps of a loop are on a
// level with what is in front of the loop and behind it.
func (g *Group) inner() int {
	if g.Kind == Repetition {
		return g.Level
	}
	return g.Level + 1
}

// nest sorts groups, outer ones first, and says how they lie in one another. Of
// groups with the same nodes the one that comes first in the list is the outer one.
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

// maxModuleDepth bounds how deep calls of modules nest. What is further in counts as
// part of the call there.
const maxModuleDepth = 32

// A callTree holds the calls of modules, by ModuleID; 0 is outside of all.
type callTree struct {
	outer []graph.ModuleID
	depth []uint8
	same  []graph.ModuleID // the call that it counts as part of
}

func (d *Dag) newCallTree() *callTree {
	most := graph.ModuleID(0)
	for i := range d.nodes {
		most = max(most, d.nodes[i].module)
	}
	t := &callTree{make([]graph.ModuleID, most+1), make([]uint8, most+1), make([]graph.ModuleID, most+1)}
	for id := graph.ModuleID(1); id <= most; id++ {
		// An outer call was entered before.
		switch outer := d.g.ModuleOuter(id); {
		case t.depth[outer] == maxModuleDepth:
			t.same[id], t.depth[id], t.outer[id] = t.same[outer], maxModuleDepth, t.outer[outer]
		default:
			t.same[id], t.depth[id], t.outer[id] = id, t.depth[outer]+1, t.same[outer]
		}
	}
	return t
}

// path appends the calls around a node, the outermost first.
func (t *callTree) path(dst []graph.ModuleID, module graph.ModuleID) []graph.ModuleID {
	n := int(t.depth[module])
	dst = slices.Grow(dst[:0], n)[:n]
	for id := t.same[module]; n > 0; id = t.outer[id] {
		n--
		dst[n] = id
	}
	return dst
}

// moduleCalls finds the stretches of nodes that one call of a module made. Of several
// with the same nodes, it is the outermost call.
func (d *Dag) moduleCalls() []Group {
	type run struct {
		module graph.ModuleID
		first  int
	}
	var groups []Group
	var open []run // those that the node before lies in, the outermost first
	leave := func(depth, at int) {
		for i := len(open) - 1; i >= depth; i-- {
			r := open[i]
			if i > depth && open[i-1].first == r.first || at == r.first+1 {
				continue // the call around it holds the same nodes, or it is a node
			}
			groups = append(groups, Group{Kind: ModuleCall, First: r.first, Last: at, Module: r.module})
		}
		open = open[:min(depth, len(open))]
	}
	tree := d.newCallTree()
	var path []graph.ModuleID
	for i := 0; i < len(d.nodes); {
		leaves := i // AccumulateGrad nodes from leaves to i
		for i < len(d.nodes) && d.nodes[i].leaf {
			i++
		}
		path = path[:0]
		if i < len(d.nodes) {
			path = tree.path(path, d.nodes[i].module)
		}
		common := 0
		for common < min(len(open), len(path)) && open[common].module == path[common] {
			common++
		}
		// A leaf belongs to a run that goes on behind it, and also to one that
		// holds all of what sends it gradients.
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
			for _, module := range path[common:] {
				open = append(open, run{module, i})
			}
			i++
		}
	}
	return groups
}
