package dag

import (
	"math/bits"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/arrange"
)

// A Row is a row of a view.
type Row struct {
	First, Last int            // the places of its nodes in the order, up to, not including, Last
	Node        graph.NodeID   // the node; of a folded group, the first one
	Group       *arrange.Group // nil: it is a node
	Level       int            // in how many groups it lies, Repetitions apart
	Consumers   int            // how many rows send it gradients; it is shared if there are several
	Lane        int            // where it stands; may be MaxLanes or more
	More        int            // how many lanes beyond MaxLanes lead on to the row below

	before lanes // of the row above
	lanes  lanes
}

// A Link is a line from a row to another one further down.
type Link struct {
	Row  int  // that it leads to
	Lane int  // in which that stands
	Join bool // another row above leads there too, so the lane is there already
}

// Rows returns the number of rows.
func (v *View) Rows() int { return len(v.rows) }

// Row returns a row, from 0 to Rows()-1; it takes the same time whichever it is.
func (v *View) Row(i int) Row {
	s := &v.rows[i]
	r := Row{
		First: v.first(i), Last: v.last(i), Node: v.Node(v.first(i)),
		Consumers: int(s.consumers), Lane: int(s.own), More: int(s.more), lanes: s.lanes,
	}
	if s.group >= 0 {
		r.Group = &v.groups[s.group]
		r.Level = r.Group.Level
	} else if s.around >= 0 {
		r.Level = v.groups[s.around].Inner()
	}
	if i > 0 {
		r.before = v.rows[i-1].lanes
	}
	return r
}

// Links returns the lines that begin in a row: one for each row that it leads to.
func (v *View) Links(i int) []Link {
	links := make([]Link, 0, len(v.linksOf(i)))
	for _, to := range v.linksOf(i) {
		target := &v.rows[to]
		links = append(links, Link{int(to), int(target.own), int(target.mentioned) < i})
	}
	return links
}

// A Cell is a character of the gutter.
type Cell struct {
	Dir
	Mark bool // the mark of the row's node goes here
	Lane int  // that the cell belongs to, or that is to its left
}

// Places returns how many lanes wide the gutter of some rows has to be, including the place
// that lanes beyond MaxLanes share.
func (v *View) Places(from, to int) int {
	places := 0
	for i := max(from, 0); i < min(to, len(v.rows)); i++ {
		l := &v.rows[i].lanes
		places = max(places, min(int(l.own), MaxLanes)+1, bits.Len16(l.open))
		if l.more > 0 {
			return MaxLanes + 1
		}
	}
	return places
}

// Cells appends the gutter of a row, with the given number of places for lanes: two cells
// for each, but one for the last. The line between two rows is drawn by both: where a
// lane leaves a cell downwards, it enters the one below from above.
func (r *Row) Cells(dst []Cell, places int) []Cell {
	own := min(r.Lane, MaxLanes)
	left, right := own, own // how far the row's own lines go
	if to := r.lanes.to; to != 0 {
		left, right = min(left, bits.TrailingZeros16(to)), max(right, bits.Len16(to)-1)
	}
	if r.lanes.toFar {
		right = MaxLanes
	}
	for lane := range places {
		c := Cell{Mark: lane == own, Lane: lane}
		above, below, reached := r.at(lane)
		if above {
			c.Dir |= North
		}
		if below {
			c.Dir |= South
		}
		if lane > left && lane <= right {
			c.Dir |= West
		}
		if lane >= left && lane < right {
			c.Dir |= East
		}
		if lane != own && !reached && c.Dir&(North|South) != 0 && c.Dir&(East|West) != 0 {
			c.Dir |= Bridge
		}
		dst = append(dst, c)
		if lane == places-1 {
			break
		}
		gap := Cell{Lane: lane}
		if c.Dir&East != 0 {
			gap.Dir = East | West
		}
		dst = append(dst, gap)
	}
	return dst
}

// at says whether a lane comes from the row above, whether it leads on to the row
// below, and whether the row leads to it.
func (r *Row) at(lane int) (above, below, reached bool) {
	if lane >= MaxLanes {
		return r.before.more > 0, r.lanes.more > 0, r.lanes.toFar
	}
	bit := uint16(1) << lane
	return r.before.open&bit != 0, r.lanes.open&bit != 0, r.lanes.to&bit != 0
}
