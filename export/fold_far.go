package export

import "github.com/gradtui/gradtui/graph"

// far keeps the units that are nearest to the roots, as many as there is room
// for, and puts the rest into one box.
func (f *folder) far() {
	boxes, arrows := f.fixed+1, 0
	kept := map[unit]bool{}
	queue := f.starts()
	found := map[unit]bool{}
	for _, u := range queue {
		found[u] = true
	}
	for len(queue) > 0 {
		u := queue[0]
		queue = queue[1:]
		links := f.linksOf(u)
		boxes, arrows = boxes+f.weight(u), arrows+len(links)
		if boxes > f.boxes || arrows > f.arrows {
			break
		}
		kept[u] = true
		for _, l := range links {
			if !found[l.to] {
				found[l.to] = true
				queue = append(queue, l.to)
			}
		}
	}
	var rest []int32
	for i := range f.nodes {
		if !kept[f.unitOf(i)] {
			rest = append(rest, int32(i))
		}
	}
	f.merge(rest, group{kind: FoldFar})
	f.settle()
}

// starts are the units of the roots' nodes, and of those of their bases.
func (f *folder) starts() []unit {
	var list []unit
	seen := map[unit]bool{}
	add := func(id graph.NodeID) {
		if i := f.at(id); i >= 0 && !seen[f.unitOf(i)] {
			seen[f.unitOf(i)] = true
			list = append(list, f.unitOf(i))
		}
	}
	for _, r := range f.roots {
		add(r.node)
	}
	f.bases(func(base graph.Tensor) { add(base.Node) })
	return list
}

// weight is the number of boxes of a unit.
func (f *folder) weight(u unit) int {
	if u < 0 {
		return 1
	}
	return int(f.weights[u])
}
