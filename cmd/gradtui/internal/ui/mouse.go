package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// mouse is what the mouse has begun.
type mouse struct {
	drag    *drag // of a border; nil: none
	clicked tea.Mouse
	when    time.Time // of that click
}

// doubleClick is how long the second click of two may take.
const doubleClick = 400 * time.Millisecond

// click focuses the pane under the mouse and chooses the row, which a second click opens; or it takes a border.
func (m *Model) click(at tea.Mouse) tea.Cmd {
	m.mouse.drag = nil
	if m.overlay != nil || at.Button != tea.MouseLeft || !m.fits() {
		return nil
	}
	now := m.now()
	again := at == m.mouse.clicked && now.Sub(m.mouse.when) < doubleClick
	m.mouse.clicked, m.mouse.when = at, now
	if again {
		m.mouse.when = time.Time{} // a third click is a first one again
	}
	if d, ok := m.layout.borderAt(at.X, at.Y); ok {
		m.mouse.drag = &d
		return nil
	}
	id, column, row, ok := m.layout.at(at.X, at.Y)
	if !ok {
		return nil
	}
	m.show(id)
	switch p := m.panes.all[id]; {
	case row < 0:
		return nil
	case again && (id == graphPane || id == sourcePane && column >= m.panes.source.gutter(&m.state)): // other panes open at a click, or at one on the chosen row
		return m.apply(p.open(&m.state))
	default:
		return m.apply(p.click(&m.state, column, row))
	}
}

// dragTo moves the border that the mouse has taken.
func (m *Model) dragTo(at tea.Mouse) {
	if d := m.mouse.drag; d != nil && at.Button == tea.MouseLeft && (d.moved || at.X != m.mouse.clicked.X || at.Y != m.mouse.clicked.Y) {
		d.moved = true
		d.drop(m, at.X, at.Y)
	}
}

// release ends a drag. A title that was not moved was a click on the pane.
func (m *Model) release() {
	if d := m.mouse.drag; d != nil && !d.moved && d.rule < 0 {
		m.show(d.below)
	}
	m.mouse.drag = nil
}

// notch is how many rows the wheel scrolls at once.
const notch = 3

// wheel scrolls what the mouse is on. The cursor and what is chosen stay.
func (m *Model) wheel(at tea.Mouse) tea.Cmd {
	rows, columns := 0, 0
	switch at.Button {
	case tea.MouseWheelUp:
		rows = -notch
	case tea.MouseWheelDown:
		rows = notch
	case tea.MouseWheelLeft:
		columns = -1
	case tea.MouseWheelRight:
		columns = 1
	}
	if m.overlay != nil {
		if o, ok := m.overlay.(interface{ wheel(m *Model, rows int) }); ok {
			o.wheel(m, rows)
		}
		return nil
	}
	id, _, _, ok := m.layout.at(at.X, at.Y)
	switch {
	case !ok:
	case columns != 0 && id == sourcePane:
		return m.apply(m.panes.source.sideways(&m.state, columns))
	case rows != 0:
		m.panes.all[id].wheel(&m.state, rows, m.layout.panes[id].H-1)
	}
	return nil
}

// wheel scrolls the lines.
func (t *text) wheel(m *Model, rows int) { t.move(rows, len(t.lines), min(len(t.lines), m.rows-5)) }

func (h *help) wheel(m *Model, rows int) { h.text.move(rows, len(h.text.lines), h.height(m)) }

func (h *hits) wheel(m *Model, rows int) { h.scroll(rows, len(h.of.found(&m.state)), 1) }

func (l *bookmarkList) wheel(m *Model, rows int) { l.scroll(rows, len(m.bookmarks), 1) }

func (v *tensorView) wheel(_ *Model, rows int) { v.top += rows }
