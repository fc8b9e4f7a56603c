package export

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/arrange"
)

// A plan says which nodes of a selection get a box of their own in a picture and
// which share one.
type plan struct {
	*selection
	group  []int32 // by position of the node: number of its group + 1; nil: there are none
	groups []group
}

// A group is some nodes that share a box.
type group struct {
	*arrange.Group         // nil: they are the far end
	members        []int32 // positions, ascending
	links          []link
}

// kind says how the group reduces the picture.
func (g *group) kind() FoldKind {
	if g.Group == nil {
		return FoldFar
	}
	return foldKinds[g.Kind]
}

// A unit is what gets a box: the node at a position, or the group ^unit.
type unit int32

// A link leads from a unit to one that it gets its inputs from. It stands for
// count edges.
type link struct {
	to      unit
	count   int32
	in, out int32 // of one edge between two nodes: which input it is, of which result; else -1
}

func (p *plan) unitOf(i int) unit {
	if p.group != nil && p.group[i] != 0 {
		return ^unit(p.group[i] - 1)
	}
	return unit(i)
}

// units yields all units in the order of the first node of each.
func (p *plan) units(yield func(unit) bool) {
	for i := range p.nodes {
		u := p.unitOf(i)
		if u < 0 && p.groups[^u].members[0] != int32(i) {
			continue
		}
		if !yield(u) {
			return
		}
	}
}

// starts returns the units of the nodes of the roots and of their bases.
func (p *plan) starts() []unit {
	var list []unit
	seen := map[unit]bool{}
	add := func(id graph.NodeID) {
		if i := p.at(id); i >= 0 && !seen[p.unitOf(i)] {
			seen[p.unitOf(i)] = true
			list = append(list, p.unitOf(i))
		}
	}
	for _, r := range p.roots {
		add(r.node)
	}
	p.bases(func(base graph.Tensor) { add(base.Node) })
	return list
}

// linksOf returns the links of a unit in the order of its edges. Parallel edges
// between two nodes stay apart, those to or from a group are one link, which
// keeps the number of its input if it stands for one edge of a node.
func (p *plan) linksOf(u unit) []link {
	if u < 0 {
		return p.groups[^u].links
	}
	edges := p.next(int(u))
	links := make([]link, 0, len(edges))
	var groups map[unit]int
	for in, e := range edges {
		i := p.at(e.Node)
		if i < 0 {
			continue
		}
		l := link{to: p.unitOf(i), count: 1, in: int32(in), out: int32(e.Input)}
		if l.to < 0 {
			if at, ok := groups[l.to]; ok {
				links[at].count++
				links[at].in = -1
				continue
			}
			if groups == nil {
				groups = map[unit]int{}
			}
			groups[l.to] = len(links)
			l.out = -1
		}
		links = append(links, l)
	}
	return links
}

// share gives each group one box, given the number of each node's group + 1. Groups
// without nodes go, and the rest are numbered in the order of their first node.
func (p *plan) share(of []int32, groups []group) {
	p.group, p.groups = of, nil
	number := make([]int32, len(groups)+1)
	for i, g := range of {
		if g == 0 {
			continue
		}
		if number[g] == 0 {
			p.groups = append(p.groups, group{Group: groups[g-1].Group})
			number[g] = int32(len(p.groups))
		}
		of[i] = number[g]
		members := &p.groups[of[i]-1].members
		*members = append(*members, int32(i))
	}
	for i := range p.groups {
		p.groups[i].links = p.groupLinks(^unit(i))
	}
}

// groupLinks collects the links of a group, the newest first.
func (p *plan) groupLinks(u unit) []link {
	var links []link
	at := map[unit]int{}
	for _, i := range slices.Backward(p.groups[^u].members) {
		for _, e := range p.next(int(i)) {
			to := p.at(e.Node)
			if to < 0 || p.unitOf(to) == u {
				continue
			}
			target := p.unitOf(to)
			if j, ok := at[target]; ok {
				links[j].count++
				continue
			}
			at[target] = len(links)
			links = append(links, link{to: target, count: 1, in: -1, out: -1})
		}
	}
	return links
}
