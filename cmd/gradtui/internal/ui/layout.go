package ui

import (
	"slices"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
)

// A slot is a place on the screen for a pane.
type slot uint8

const (
	left slot = iota // the whole left column
	upperLeft
	lowerLeft
	upperMiddle
	lowerMiddle
	upperRight
	corner // below upperRight, for one of several panes: the one that was focused last
	bottom // the whole width
)

// MinColumns and MinRows are the smallest screen on which panes are drawn.
const (
	MinColumns = 40
	MinRows    = 10
)

// A layout says where everything is on the screen. A hidden pane has an empty rectangle.
// The first row of a pane is its title.
type layout struct {
	title, status cells.Rect
	panes         [paneCount]cells.Rect
	rules         []int // columns with a vertical rule
	ruleRows      cells.Rect
	bare          bool // there is no graph, so that the source is worth more than the inspector
	wants         wants
	sizes         sizes
}

// wants are the rows that panes have to show, with their titles; 0: any number.
type wants [paneCount]int

// share divides a height among panes that stand one above the other: each gets what the user has set, or its part, in
// twentieths, or what it wants if that is less, and the panes that want more get the rest.
func (l *layout) share(height int, ids []paneID, twentieths []int) []int {
	heights := make([]int, len(ids))
	rest, open, parts := height, []int{}, 0
	for i, id := range ids {
		heights[i] = height * twentieths[i] / 20
		set := l.sizes.heights[id]
		switch want := l.wants[id]; {
		case set > 0:
			heights[i] = partOf(set, height)
		case want > 0 && want < heights[i]:
			heights[i] = want
		default:
			open, parts = append(open, i), parts+twentieths[i]
		}
		rest -= heights[i]
	}
	if len(open) == 0 { // the rest is for a pane that the user has not sized
		k := max(slices.IndexFunc(ids, func(id paneID) bool { return l.sizes.heights[id] == 0 }), 0)
		if l.sizes.heights[ids[k]] > 0 {
			k = len(ids) - 1
		}
		open, parts = []int{k}, twentieths[k]
	}
	for left, k := rest, 0; k < len(open); k++ {
		more := rest * twentieths[open[k]] / parts
		if k == len(open)-1 {
			more = left
		}
		heights[open[k]] += more
		left -= more
	}
	if slices.ContainsFunc(ids, func(id paneID) bool { return l.sizes.heights[id] > 0 }) {
		fit(heights)
	}
	return heights
}

// over divides a column into an upper pane, which is so many twentieths high, and a lower one.
func (l *layout) over(column cells.Rect, above, below paneID, twentieths int) (upper, lower cells.Rect) {
	h := l.share(column.H, []paneID{above, below}, []int{twentieths, 20 - twentieths})[0]
	return column.Rows(0, h), column.Rows(h, column.H)
}

// The heights of the timeline, with its head line.
const (
	strip     = 3  // usually
	tallStrip = 15 // when it is focused
)

// timelineRows returns the height of the timeline in an area.
func (l *layout) timelineRows(area cells.Rect, focus paneID, usual int) int {
	switch set := l.sizes.heights[timelinePane]; {
	case set > 0:
		return max(min(max(partOf(set, area.H), leastHeight), area.H-6), 0)
	case focus == timelinePane:
		return min(max(area.H*2/5, usual), tallStrip)
	case area.H >= 45:
		return usual + 1
	}
	return usual
}

// newLayout lays out the panes for a screen. The focused pane is always shown; with zoom it
// is the only one. last is the pane of the corner that was focused last; bare says that there is no graph, wants how many rows a pane has to show,
// sizes what the user has set.
func newLayout(columns, rows int, focus, last paneID, zoom, bare bool, wants wants, sizes sizes) layout {
	l := layout{
		bare:   bare,
		wants:  wants,
		sizes:  sizes,
		title:  cells.Rect{X: 0, Y: 0, W: columns, H: 1},
		status: cells.Rect{X: 0, Y: rows - 1, W: columns, H: 1},
	}
	area := cells.Rect{X: 0, Y: 1, W: columns, H: rows - 2}
	switch {
	case zoom:
		l.panes[focus] = area
	case columns < 100 && area.H >= tallRows:
		l.tall(area, focus, last)
	case columns < 100:
		l.narrow(area, focus, last)
	case columns < 170:
		l.two(area, focus, last)
	default:
		l.three(area, focus, last)
	}
	return l
}

// narrow has one column: the focused pane above, and below it the inspector, or the
// source if the inspector or the findings are focused or there is no graph. The graph stands in for the timeline.
func (l *layout) narrow(area cells.Rect, focus, last paneID) {
	below := inspectorPane
	if focus == inspectorPane || focus == findingsPane || l.bare && focus != sourcePane {
		below = sourcePane
	}
	timeline := l.timelineRows(area, focus, min(2, max(area.H-14, 0)))
	bottom := min(max(area.H*2/5, 5), 14)
	if focus == timelinePane {
		focus = graphPane
		bottom = min(bottom, area.H-timeline-5)
	}
	top := area.H - bottom - timeline
	if top < bottom && l.sizes.heights[timelinePane] > 0 || l.sizes.heights[focus] > 0 || l.sizes.heights[below] > 0 {
		top = l.share(area.H-timeline, []paneID{focus, below}, []int{11, 9})[0]
		bottom = area.H - timeline - top
	}
	l.panes[focus] = area.Rows(0, top)
	l.panes[below] = area.Rows(top, bottom)
	l.panes[timelinePane] = area.Rows(top+bottom, timeline)
}

// The heights from which on a narrow screen shows three panes and four.
const (
	tallRows   = 38
	tallerRows = 54
)

// tall has one column of the graph, the source and a pane of the corner, in order, with the inspector where
// there is room for it or it is focused.
func (l *layout) tall(area cells.Rect, focus, last paneID) {
	timeline := l.timelineRows(area, focus, strip)
	body := area.Rows(0, area.H-timeline)
	ids, parts := []paneID{graphPane, sourcePane, last}, []int{7, 6, 7}
	switch {
	case area.H >= tallerRows:
		ids, parts = []paneID{graphPane, sourcePane, inspectorPane, last}, []int{5, 5, 5, 5}
	case focus == inspectorPane:
		ids[0] = inspectorPane
	}
	y := 0
	for i, h := range l.share(body.H, ids, parts) {
		l.panes[ids[i]] = body.Rows(y, h)
		y += h
	}
	l.panes[timelinePane] = area.Rows(body.H, timeline)
}

// cornerOf returns the pane of the corner in three columns, where the output has a place of its own.
func cornerOf(last paneID) paneID {
	if last == outputPane {
		return findingsPane
	}
	return last
}

// two has two columns.
func (l *layout) two(area cells.Rect, focus, last paneID) {
	body, timeline := l.divide(area, focus)
	middle := columnsAt(body.W, l.sizes.two[:], []int{body.W * 11 / 20})[0]
	l.split(body, middle)
	a, b := body.Columns(0, middle), body.Columns(middle+1, body.W)
	rects := map[slot]cells.Rect{bottom: timeline}
	rects[upperLeft], rects[lowerLeft] = l.over(a, graphPane, sourcePane, 11)
	rects[upperRight], rects[corner] = l.over(b, inspectorPane, last, 13)
	l.place(rects, last, func(k *paneKind) slot { return k.two })
}

// three has three columns.
func (l *layout) three(area cells.Rect, focus, last paneID) {
	body, timeline := l.divide(area, focus)
	at := columnsAt(body.W, l.sizes.three[:], []int{body.W * 38 / 100, body.W * 70 / 100})
	first, second := at[0], at[1]
	l.split(body, first, second)
	b, c := body.Columns(first+1, second-first-1), body.Columns(second+1, body.W)
	rects := map[slot]cells.Rect{left: body.Columns(0, first), bottom: timeline}
	rects[upperMiddle], rects[lowerMiddle] = l.over(b, sourcePane, outputPane, 13)
	rects[upperRight], rects[corner] = l.over(c, inspectorPane, cornerOf(last), 13)
	l.place(rects, last, func(k *paneKind) slot { return k.three })
}

// place gives the panes their slots. The corner is for the pane last, or, if that has a
// slot of its own, for the first of those in the corner.
func (l *layout) place(rects map[slot]cells.Rect, last paneID, slotOf func(*paneKind) slot) {
	taken := false
	for id := range paneKinds {
		at := slotOf(&paneKinds[id])
		if at == corner {
			if slotOf(&paneKinds[last]) == corner && paneID(id) != last || taken {
				continue
			}
			taken = true
		}
		l.panes[id] = rects[at]
	}
}

// divide takes the timeline's rows off an area.
func (l *layout) divide(area cells.Rect, focus paneID) (body, timeline cells.Rect) {
	h := l.timelineRows(area, focus, strip)
	return area.Rows(0, area.H-h), area.Rows(area.H-h, h)
}

func (l *layout) split(body cells.Rect, columns ...int) { l.ruleRows, l.rules = body, columns }

// at returns the pane at a cell, and the cell within its body; the title is row -1.
func (l *layout) at(x, y int) (id paneID, column, row int, ok bool) {
	for id, r := range l.panes {
		if r.Contains(x, y) {
			return paneID(id), x - r.X, y - r.Y - 1, true
		}
	}
	return 0, 0, 0, false
}
