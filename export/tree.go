package export

import "slices"

// A tree arranges the units of a plan for a listing: each unit has one place,
// under one of its consumers, and the others refer to it.
//
// The input that lies deepest goes on in its consumer's column (the heir), the
// others branch off, so that a listing is about as wide as the graph branches
// and not as deep as it is long.
type tree struct {
	*plan
	order []unit         // inputs in front of their consumers
	place map[unit]int32 // in order
	depth []int32        // by place: nodes on the longest way down
	under []int32        // by place: the place of the consumer that lists it; -1: none
	heir  []int32        // by place: the place of the input that goes on; -1: none
	level []int32        // by place: how many units deep it is listed, from 1
}

func newTree(p *plan) *tree {
	t := &tree{plan: p, place: map[unit]int32{}}
	t.sort()
	t.depth = make([]int32, len(t.order))
	for i, u := range t.order {
		for _, l := range p.linksOf(u) {
			if to := t.place[l.to]; int(to) < i { // groups can bring circles
				t.depth[i] = max(t.depth[i], t.depth[to]+1)
			}
		}
	}
	t.adopt()
	return t
}

// sort fills order, depth first from the roots.
func (t *tree) sort() {
	type visit struct {
		u     unit
		links []link
	}
	const entered = -1
	var stack []visit
	enter := func(u unit) {
		if _, seen := t.place[u]; !seen {
			t.place[u] = entered
			stack = append(stack, visit{u, t.linksOf(u)})
		}
	}
	for _, u := range t.starts() {
		enter(u)
		for len(stack) > 0 {
			v := &stack[len(stack)-1]
			if len(v.links) > 0 {
				to := v.links[0].to
				v.links = v.links[1:]
				enter(to)
				continue
			}
			t.place[v.u] = int32(len(t.order))
			t.order = append(t.order, v.u)
			stack = stack[:len(stack)-1]
		}
	}
}

// adopt decides where each unit is listed: under a consumer that it is the
// deepest input of, or else under the newest one.
func (t *tree) adopt() {
	t.under, t.heir = make([]int32, len(t.order)), make([]int32, len(t.order))
	for i := range t.order {
		t.under[i], t.heir[i] = -1, -1
	}
	started := map[unit]bool{}
	for _, u := range t.starts() {
		started[u] = true
	}
	for i := len(t.order) - 1; i >= 0; i-- {
		deepest := int32(-1)
		for _, l := range t.linksOf(t.order[i]) {
			to := t.place[l.to]
			if int(to) < i && (deepest < 0 || t.depth[to] > t.depth[deepest]) {
				deepest = to
			}
		}
		if deepest >= 0 && t.under[deepest] < 0 && !started[t.order[deepest]] {
			t.under[deepest], t.heir[i] = int32(i), deepest
		}
	}
	for i := len(t.order) - 1; i >= 0; i-- {
		for _, l := range t.linksOf(t.order[i]) {
			to := t.place[l.to]
			if int(to) < i && t.under[to] < 0 && !started[l.to] {
				t.under[to] = int32(i)
			}
		}
	}
	t.level = make([]int32, len(t.order))
	for i := len(t.order) - 1; i >= 0; i-- {
		t.level[i] = 1
		if t.under[i] >= 0 {
			t.level[i] += t.level[t.under[i]]
		}
	}
}

// heirOf finds the link to the heir of the unit at a place; -1: there is none.
func (t *tree) heirOf(links []link, at int32) int {
	if t.heir[at] < 0 {
		return -1
	}
	heir := t.order[t.heir[at]]
	return slices.IndexFunc(links, func(l link) bool { return l.to == heir })
}
