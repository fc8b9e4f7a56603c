package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
)

// A pane shows one side of what happened. It keeps where it is scrolled to and what is
// chosen in it; everything else is the model's.
type pane interface {
	// about is what the head line says after the pane's name.
	about(m *Model) string
	// draw draws the rows that fit into the region.
	draw(m *Model, r cells.Region)
	// move moves the choice, or what has none by scrolling, by rows; many rows go to an
	// end. page is how many rows there are to see.
	move(m *Model, rows, page int)
	// open does what enter and a click on the chosen row do.
	open(m *Model) tea.Cmd
	// click chooses the row of the body that was clicked on.
	click(m *Model, column, row int) tea.Cmd
	// refresh is called when the cursor has moved or something else was chosen.
	refresh(m *Model)
}

// allRows is what move gets for the keys home and end.
const allRows = 1 << 30

// A list is rows of which one is chosen, some of which are to be seen.
type list struct{ chosen, top int }

// move moves the choice in a list of n rows.
func (l *list) move(rows, n int) { l.chosen = max(min(l.chosen+rows, n-1), 0) }

// window scrolls so that the choice can be seen, and returns the first row to draw
// and the one after the last.
func (l *list) window(n, height int) (from, to int) {
	l.chosen = max(min(l.chosen, n-1), 0)
	l.top = min(max(l.top, l.chosen-height+1), l.chosen)
	l.top = max(min(l.top, n-height), 0)
	return l.top, min(l.top+height, n)
}

// A scroll is rows of which none is chosen.
type scroll struct{ top int }

func (s *scroll) move(rows, n, height int) { s.top = max(min(s.top+rows, n-height), 0) }
