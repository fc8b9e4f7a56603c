package arrange

import "github.com/gradtui/gradtui/graph"

// Kind says what holds a group together.
type Kind uint8

// The kinds of groups.
const (
	ModuleCall Kind = iota // nodes made in one call of a module
	Repetition             // equal steps, one after the other
	Step                   // one of them, if it is more than a node or a group
	Chain                  // nodes in a row, each the only input of the next one
)

// A Group is nodes that can be shown as one row or box.
type Group struct {
	Kind        Kind
	Round       uint8          // of a Repetition: how many searches before found others beside it
	Between     bool           // of a Repetition: the first and the last step lie outside
	Module      graph.ModuleID // of a ModuleCall
	Parent      int32          // the group that it lies in directly; None
	After       int32          // the next group that does not lie in this one
	First, Last int            // its nodes are those from First up to, not including, Last in the tree's order
	Level       int            // in how many others it lies, Repetitions apart
	Times       int            // of a Repetition: how many steps it holds
	Each        int            // of a Repetition: how many nodes a step has; of a Chain: how many are in the row
	Number      int            // of a Step: which one, from 1
}

// None stands for no group.
const None = -1

// Len returns the number of nodes.
func (g *Group) Len() int { return g.Last - g.First }

// Inner returns the level of what lies directly in the group. The steps of a loop have the
// level of what is in front of the loop and behind it.
func (g *Group) Inner() int {
	if g.Kind == Repetition {
		return g.Level
	}
	return g.Level + 1
}

// Name returns what a group is called, and what is said beside its name, which may be
// nothing. Texts of the program are in it as they are. number writes a number.
func (g *Group) Name(of *graph.Graph, number func(int) string) (name, about string) {
	nodes := func(n int) string {
		if n == 1 {
			return "1 node"
		}
		return number(n) + " nodes"
	}
	switch {
	case g.Kind == ModuleCall:
		m, _ := of.Module(g.Module)
		return CallName(m)
	case g.Kind == Step:
		return "repetition " + number(g.Number), ""
	case g.Kind == Chain:
		return nodes(g.Each) + " in a row", ""
	case g.Between:
		return number(g.Times) + " more", "× " + nodes(g.Each)
	}
	return "×" + number(g.Times), nodes(g.Each) + " each"
}

// A Tree is groups of nodes, one inside the other or apart, each with at least two nodes.
type Tree struct {
	// Groups has outer groups in front of those in them, and groups that lie in the same
	// one in the order of their first nodes.
	Groups []Group
	// Order is the nodes in an order in which each group is a stretch; nil: the order in
	// which they were given.
	Order []int32
}

// Walk calls f for each row that is left when some groups are folded: the place in the
// order of its first node, the group that it is, and the innermost group that it lies in or
// is; None if there is none.
func (t *Tree) Walk(nodes int, folded []bool, f func(first int, group, around int32)) {
	next, around := 0, int32(None)
	for i := 0; i < nodes; {
		for around >= 0 && t.Groups[around].Last <= i {
			around = t.Groups[around].Parent
		}
		group := int32(None)
		for next < len(t.Groups) && t.Groups[next].First == i {
			around = int32(next)
			if folded[next] {
				group = around
				break
			}
			next++
		}
		f(i, group, around)
		if group < 0 {
			i++
			continue
		}
		i, next = t.Groups[group].Last, int(t.Groups[group].After)
	}
}

// Levels returns how many levels of groups there are.
func (t *Tree) Levels() int {
	levels := 0
	for i := range t.Groups {
		levels = max(levels, t.Groups[i].Level+1)
	}
	return levels
}
