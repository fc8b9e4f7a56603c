package ui

import "github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"

// paneID numbers the panes as the keys 1 to 7 do.
type paneID int

const (
	graphPane paneID = iota
	sourcePane
	inspectorPane
	timelinePane
	findingsPane
	outputPane
	memoryPane
	paneCount
)

var paneNames = [paneCount]string{"Graph", "Source", "Inspector", "Timeline", "Findings", "Output", "Memory"}

// MinColumns and MinRows are the smallest screen on which panes are drawn.
const (
	MinColumns = 40
	MinRows    = 10
)

// A layout says where things are on the screen. A pane that is not shown has an empty
// rectangle. Each pane's first row is its head line.
type layout struct {
	title, status cells.Rect
	panes         [paneCount]cells.Rect
	rules         []int // columns with a vertical rule
	ruleRows      cells.Rect
}

// The heights of the timeline, with its head line.
const (
	strip     = 3  // where it is always shown
	tallStrip = 15 // when it has the keys
)

// timelineRows is the height of the timeline in an area.
func timelineRows(area cells.Rect, focus paneID, usual int) int {
	switch {
	case focus == timelinePane:
		return min(max(area.H*2/5, usual), tallStrip)
	case area.H >= 45:
		return usual + 1
	}
	return usual
}

// arrange lays out the panes for a screen. The pane with the keys is always shown; with
// zoom it is the only one. last is the pane of the lower group that had the keys last.
func arrange(columns, rows int, focus, last paneID, zoom bool) layout {
	l := layout{
		title:  cells.Rect{X: 0, Y: 0, W: columns, H: 1},
		status: cells.Rect{X: 0, Y: rows - 1, W: columns, H: 1},
	}
	area := cells.Rect{X: 0, Y: 1, W: columns, H: rows - 2}
	switch {
	case zoom:
		l.panes[focus] = area
	case columns < 100:
		l.narrow(area, focus, last)
	case columns < 170:
		l.two(area, focus, last)
	default:
		l.three(area, focus, last)
	}
	return l
}

// narrow has the graph or the pane with the keys above, and below it what goes with
// it: the source beside the graph, the inspector beside everything else.
func (l *layout) narrow(area cells.Rect, focus, last paneID) {
	below := inspectorPane
	if focus == inspectorPane {
		below = sourcePane
	}
	timeline := timelineRows(area, focus, min(2, max(area.H-14, 0)))
	bottom := min(max(area.H*2/5, 5), 14)
	if focus == timelinePane {
		focus = graphPane
		bottom = min(bottom, area.H-timeline-5)
	}
	top := area.H - bottom - timeline
	l.panes[focus] = area.Rows(0, top)
	l.panes[below] = area.Rows(top, bottom)
	l.panes[timelinePane] = area.Rows(top+bottom, timeline)
}

// two has the graph over the source, and the inspector over one of the others.
func (l *layout) two(area cells.Rect, focus, last paneID) {
	body, timeline := divide(area, focus)
	left := body.W * 11 / 20
	l.split(body, left)
	a, b := body.Columns(0, left), body.Columns(left+1, body.W)
	upper := body.H * 11 / 20
	l.panes[graphPane], l.panes[sourcePane] = a.Rows(0, upper), a.Rows(upper, a.H)
	upper = body.H * 13 / 20
	l.panes[inspectorPane], l.panes[last] = b.Rows(0, upper), b.Rows(upper, b.H)
	l.panes[timelinePane] = timeline
}

// three has the graph, the source over the output, and the inspector over one of the
// others.
func (l *layout) three(area cells.Rect, focus, last paneID) {
	body, timeline := divide(area, focus)
	first, second := body.W*38/100, body.W*70/100
	l.split(body, first, second)
	a, b, c := body.Columns(0, first), body.Columns(first+1, second-first-1), body.Columns(second+1, body.W)
	if last == outputPane {
		last = findingsPane
	}
	upper := body.H * 13 / 20
	l.panes[graphPane] = a
	l.panes[sourcePane], l.panes[outputPane] = b.Rows(0, upper), b.Rows(upper, b.H)
	l.panes[inspectorPane], l.panes[last] = c.Rows(0, upper), c.Rows(upper, c.H)
	l.panes[timelinePane] = timeline
}

// divide takes the timeline's rows off an area.
func divide(area cells.Rect, focus paneID) (body, timeline cells.Rect) {
	h := timelineRows(area, focus, strip)
	return area.Rows(0, area.H-h), area.Rows(area.H-h, h)
}

func (l *layout) split(body cells.Rect, columns ...int) { l.ruleRows, l.rules = body, columns }

// at is the pane at a cell, and where in its body the cell is; the head line is row -1.
func (l *layout) at(x, y int) (id paneID, column, row int, ok bool) {
	for id, r := range l.panes {
		if r.Contains(x, y) {
			return paneID(id), x - r.X, y - r.Y - 1, true
		}
	}
	return 0, 0, 0, false
}
