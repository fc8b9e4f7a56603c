package ui

import (
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
)

// A pane shows one side of what happened. It keeps where it is scrolled to and which row
// is chosen in it; everything else is the state, which all panes share. What concerns
// more than the pane itself it asks for with an intent.
type pane interface {
	// about is what the title says after the pane's name.
	about(s *state) string
	// draw draws the rows that fit into the region.
	draw(s *state, r cells.Region, focused bool)
	// move chooses a row that is so many rows away, or scrolls; allRows goes to an end.
	// page is how many rows are visible.
	move(s *state, rows, page int) intent
	// open does what enter and a click on the chosen row do.
	open(s *state) intent
	// click chooses the row of the body that was clicked on.
	click(s *state, column, row int) intent
	// wheel scrolls by so many rows; what is chosen stays. page is how many rows are visible.
	wheel(s *state, rows, page int)
	// refresh is called when the cursor, the selection or the layout has changed. body is
	// where the pane is drawn, empty if it is not shown.
	refresh(s *state, body cells.Rect)
}

// What a pane may do in addition.
type (
	// A sideScroller is a pane that goes on to the left and to the right.
	sideScroller interface {
		sideways(s *state, n int) intent
	}
	// A breakable pane has something chosen that a query can be about; "" means nothing.
	breakable interface {
		breakpoint(s *state) string
	}
	// A copier copies something else than the selection.
	copier interface {
		copied(s *state) string
	}
	// A speaker says what it shows in other words than it draws, for readers of lines.
	speaker interface {
		words(s *state) []string
	}
)

// drawScrollBar draws at the right edge of a list which of its n rows are seen, if not all are.
func drawScrollBar(r cells.Region, top, n int) {
	if n <= r.H || r.H < 3 {
		return
	}
	size := max(r.H*r.H/n, 1)
	first := max(min(top*(r.H-size)/(n-r.H), r.H-size), 0)
	for y := first; y < first+size; y++ {
		r.Text(r.W-1, y, muted, "┃")
	}
}

// allRows is the argument of move for the keys home and end.
const allRows = 1 << 30

// A list has a chosen row and a first visible row.
type list struct {
	chosen, top int
	away        int // the chosen row, from 1, that the mouse has scrolled away from; 0: none
}

// move moves the choice in a list of n rows.
func (l *list) move(rows, n int) { l.chosen, l.away = max(min(l.chosen+rows, n-1), 0), 0 }

// scroll scrolls a list of n rows. The chosen row stays what it is, and may be out of sight until another is chosen.
func (l *list) scroll(rows, n, height int) {
	l.top, l.away = max(min(l.top+rows, n-height), 0), l.chosen+1
}

// scrolledAway reports whether the chosen row may be out of sight.
func (l *list) scrolledAway() bool { return l.away == l.chosen+1 }

// window scrolls to the chosen row, unless the mouse has scrolled away from it, and returns the first visible row and the one after
// the last.
func (l *list) window(n, height int) (from, to int) {
	l.chosen = max(min(l.chosen, n-1), 0)
	if !l.scrolledAway() {
		l.top, l.away = min(max(l.top, l.chosen-height+1), l.chosen), 0
	}
	l.top = max(min(l.top, n-height), 0)
	return l.top, min(l.top+height, n)
}

// A scroll has a first visible row.
type scroll struct{ top int }

func (s *scroll) move(rows, n, height int) { s.top = max(min(s.top+rows, n-height), 0) }
