package export

import (
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// An arrow leads from a box to one that uses its result.
type arrow struct {
	from, to  string
	kind      arrowKind
	count     int     // edges that it stands for
	out, in   int     // the number of the result and of the input; -1: neither of them counts
	outs, ins int     // how many there are
	rows      int     // how many rows it goes down at least; 0: it does not matter
	unit      unit    // what it leads to, if edges is not empty
	edges     []int32 // of the selection that it stands for; only if the diagram shows something of them
	shape     string  // of a data input
}

type arrowKind uint8

const (
	flowArrow arrowKind = iota
	viewArrow           // to a view from its base
	sameArrow           // from a leaf to the same tensor as an output
	loopArrow           // from one repetition of a folded block to the next
	dataArrow           // from a tensor that needs no gradient
)

// leafBox is the box that shows a leaf, or "" if there is none.
func (d *diagram) leafBox(id graph.TensorID) string {
	if i, ok := d.leaves[id]; ok && d.unitOf(i) >= 0 {
		return nodeID(d.nodes[i].id)
	}
	return ""
}

// arrows yields all arrows: those into each unit, then those to outputs.
func (d *diagram) arrows(yield func(arrow) bool) {
	for u := range d.units {
		for a := range d.arrowsInto(u) {
			if !yield(a) {
				return
			}
		}
	}
	for a := range d.dataArrows {
		if !yield(a) {
			return
		}
	}
	drawn := map[graph.TensorID]bool{}
	into := func(t graph.Tensor, node graph.NodeID, output uint32) bool {
		if drawn[t.ID] {
			return true
		}
		drawn[t.ID] = true
		a := arrow{to: tensorID(t.ID), count: 1, out: -1, in: -1}
		if i := d.at(node); i >= 0 {
			a.from = d.unitID(d.unitOf(i))
			if d.unitOf(i) >= 0 {
				n, _ := d.g.Node(node)
				a.out, a.outs = int(output), n.Outputs
			}
			return yield(a)
		}
		if a.from = d.leafBox(t.ID); a.from != "" {
			a.kind = sameArrow
			return yield(a)
		}
		return true
	}
	for _, r := range d.roots {
		t, ok := d.g.Tensor(r.tensor)
		if !ok {
			continue
		}
		if !into(t, r.node, r.output) {
			return
		}
		base, ok := d.g.Tensor(t.Base)
		if !ok {
			continue
		}
		from := tensorID(base.ID)
		if !d.outputs[base.ID] {
			from = d.leafBox(base.ID)
		} else if !into(base, base.Node, base.Output) {
			return
		}
		if !yield(arrow{from: from, to: tensorID(t.ID), kind: viewArrow, count: 1, out: -1, in: -1}) {
			return
		}
	}
}

// arrowsInto yields the arrows from the inputs of a unit.
func (d *diagram) arrowsInto(u unit) func(yield func(arrow) bool) {
	return func(yield func(arrow) bool) {
		ins := 0
		if u >= 0 {
			ins = len(d.next(int(u)))
		}
		var edges map[unit][]int32
		if d.layered != nil || d.gradients != nil {
			edges = d.edgesOf(u)
		}
		for _, l := range d.linksOf(u) {
			a := arrow{from: d.unitID(l.to), to: d.unitID(u), count: int(l.count), in: int(l.in), ins: ins, out: int(l.out)}
			if l.to >= 0 {
				a.outs = int(d.nodes[l.to].outputs)
			}
			if a.unit = u; edges != nil {
				if a.edges = edges[l.to]; u >= 0 && l.in >= 0 {
					a.edges = []int32{int32(d.nodes[u].first) + l.in}
				}
			}
			if d.layers != nil {
				a.rows = d.layers.length(l.to, u)
			}
			if !yield(a) {
				return
			}
		}
		if n := d.carried(u); n > 0 {
			yield(arrow{from: d.unitID(u), to: d.unitID(u), kind: loopArrow, count: n, out: -1, in: -1})
		}
	}
}

// edgesOf are the edges of a unit, by the unit that they lead to.
func (d *diagram) edgesOf(u unit) map[unit][]int32 {
	edges := map[unit][]int32{}
	of := func(i int) {
		for k, e := range d.next(i) {
			if to := d.at(e.Node); to >= 0 && d.unitOf(to) != u {
				edges[d.unitOf(to)] = append(edges[d.unitOf(to)], int32(d.nodes[i].first)+int32(k))
			}
		}
	}
	if u >= 0 {
		of(int(u))
		return edges
	}
	for _, i := range d.groups[^u].members {
		of(int(i))
	}
	return edges
}

// label says what an arrow stands for and which result and input it joins, unless there is
// only one or the box has places for them.
func (a *arrow) label(places int) string {
	switch a.kind {
	case viewArrow:
		return "view"
	case sameArrow:
		return "the same tensor"
	case loopArrow:
		return counted(a.count, "result") + " to the next"
	}
	var parts []string
	if a.count > 1 {
		parts = append(parts, multiple(a.count))
	}
	if a.out >= 0 && (a.outs > places && a.outs > 1 || a.out >= max(a.outs, 1)) {
		parts = append(parts, "result "+strconv.Itoa(a.out))
	}
	if a.in >= 0 && a.ins > places && a.ins > 1 {
		parts = append(parts, "input "+strconv.Itoa(a.in))
	}
	return strings.Join(parts, " to ")
}
