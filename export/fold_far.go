package export

import "slices"

// far keeps the units that are nearest to the roots, as many as there is room
// for, and puts the rest into one box.
func (f *folder) far() {
	group, groups := f.group, f.groups
	for boxes := f.boxes; ; boxes /= 2 {
		f.group, f.groups = group, groups
		f.cutOff(f.nearest(boxes))
		if boxes <= f.fixed+1 || f.fits() {
			return
		}
	}
}

// cutOff puts all nodes into one box, except the nodes of some units.
func (f *folder) cutOff(kept map[unit]bool) {
	of := make([]int32, len(f.nodes))
	rest := int32(len(f.groups)) + 1
	for i := range of {
		switch u := f.unitOf(i); {
		case !kept[u]:
			of[i] = rest
		case u < 0:
			of[i] = int32(^u) + 1
		}
	}
	f.share(of, append(slices.Clone(f.groups), group{}))
}

// nearest walks breadth first from the roots and returns the units that make up a
// picture with that many boxes.
func (f *folder) nearest(boxes int) map[unit]bool {
	kept := map[unit]bool{}
	queue := f.starts()
	found := map[unit]bool{}
	for _, u := range queue {
		found[u] = true
	}
	room, arrows := boxes-f.fixed-1, f.arrows
	for ; len(queue) > 0; queue = queue[1:] {
		u := queue[0]
		links := f.linksOf(u)
		room, arrows = room-f.weight(u), arrows-len(links)
		if room < 0 || arrows < 0 {
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
	return kept
}

// weight returns the number of boxes of a unit.
func (f *folder) weight(u unit) int {
	if u < 0 {
		return 1
	}
	return int(f.weights[u])
}
