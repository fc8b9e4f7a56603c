package ui

import (
	"fmt"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/internal/console"
)

// drawTitle draws the first row: the name of the tape, the position of the cursor, and
// what the program is doing. A narrow window has room for the last one only.
func (m *Model) drawTitle(r cells.Region) {
	state := m.doing()
	at := m.whereabouts(r.W - console.Width(state.text) - len(shortTitle) - 1)
	if m.starts() {
		state, at = piece{running, spinner[m.program.starting.frame%len(spinner)] + " " + m.startWords()}, piece{}
	}
	room := r.W - console.Width(state.text)
	r.Text(room, 0, state.style, state.text)
	if n := console.Width(at.text); room-n > len(shortTitle) {
		room -= n
		r.Text(room, 0, at.style, at.text)
	}
	room--
	x := r.Fit(0, 0, room, headFocus, shortTitle)
	r.Fit(x, 0, room-x, strong, console.OneLine(m.Title))
}

const shortTitle = "gradtui "

// whereabouts describes the position of the cursor, and moment A, in so many columns.
func (m *Model) whereabouts(columns int) piece {
	if m.moving() {
		return piece{running, fmt.Sprintf("going to event %d: %d", m.goal, m.at())}
	}
	run := m.runName()
	if m.among.relation == besides { // the title names the tape
		run = ""
	} else if run != "" {
		run += " · "
	}
	text := fmt.Sprintf("event %d of %d", m.at(), m.tape.Len())
	if m.pin != nil {
		text = m.momentsText(columns - console.Width(run))
	}
	text = run + text
	return piece{plain, text}
}

// doing describes what the program is doing.
func (s *state) doing() piece {
	switch {
	case s.file.failed:
		return piece{warned, " · tape incomplete"}
	case s.file.reading == Behind:
		return piece{running, " · reading the file"}
	case s.file.reading == Waiting && s.following:
		return piece{running, " · following the file"}
	case s.file.reading == Waiting:
		return piece{strong, " · looking back; the file may grow"}
	case s.Program == nil:
		return piece{muted, " · tape"}
	case s.program.over:
		return piece{muted, " · program ended"}
	case s.program.running:
		return piece{running, " · running"}
	case s.at() < s.tape.Len():
		return piece{strong, " · looking back; the program waits"}
	}
	return piece{strong, " · stopped"}
}

// drawStatus draws the last row: the keys that act, and a message beside them. A message that has no room
// there stands in rows of its own above.
func (m *Model) drawStatus(all cells.Region) {
	r := all.Part(m.layout.status)
	said := console.OneLine(m.notice.text)
	width := console.Width(said)
	switch {
	case said == "":
		m.drawKeys(r)
	case width <= r.W-roomForKeys:
		r.Text(r.W-width, 0, m.notice.style, said)
		m.drawKeys(r.Part(cells.Rect{W: r.W - width - 2, H: 1}))
	default:
		m.drawKeys(r)
		lines := wrapped(m.notice.style, said, r.W-1, maxNotice)
		above := all.Part(cells.Rect{Y: r.Y - len(lines), W: all.W, H: len(lines)})
		above.Clear()
		for y, line := range lines {
			line.write(above, 0, y)
		}
	}
}

const (
	roomForKeys = 40 // columns of the last row that a message leaves to the keys
	maxNotice   = 4  // rows of a message
)

// drawKeys draws as many keys as there is room for.
func (m *Model) drawKeys(r cells.Region) {
	x := 0
	for _, key := range hints {
		for i := range m.keys {
			b := &m.keys[i]
			if b.keys[0] != key.key || !b.works(m) {
				continue
			}
			if len(m.keysOf(b)) == 0 {
				continue
			}
			name := m.keysOf(b)[0]
			if x+len(name)+1+len(key.says) > r.W {
				return
			}
			x = r.Text(x, 0, keycap, name)
			x = r.Text(x, 0, muted, " "+key.says+"  ")
		}
	}
}

// hints are the keys of the last row, as far as there is room.
var hints = []struct{ key, says string }{
	{"?", "help"}, {"n", "node"}, {"s", "op"}, {"u", "line"}, {"c", "continue"}, {"i", "interrupt"}, {"m", "cause"}, {"f", "finding"}, {"]", "run"},
	{"/", "search"}, {"space", "fold"}, {"v", "view"}, {"tab", "pane"}, {"x", "explain"}, {"e", "export"}, {"q", "quit"},
}
