package ui

import (
	"fmt"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/internal/console"
)

// drawTitle says what is looked at, where the cursor is, and what the program is
// doing. In a narrow window the last of these is what stays.
func (m *Model) drawTitle(r cells.Region) {
	state, at := m.doing(), m.whereabouts()
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

// whereabouts says where the cursor is.
func (m *Model) whereabouts() piece {
	if m.moving() {
		return piece{running, fmt.Sprintf("going to event %d: %d", m.goal, m.at())}
	}
	text := fmt.Sprintf("event %d of %d", m.at(), m.tape.Len())
	if rank := m.rankName(); rank != "" {
		text = rank + " · " + text
	}
	return piece{plain, text}
}

// doing says what the program is doing.
func (m *Model) doing() piece {
	switch {
	case m.file.failed:
		return piece{warned, " · tape without its end"}
	case m.file.reading == Behind:
		return piece{running, " · reading the file"}
	case m.file.reading == Waiting && m.following:
		return piece{running, " · following the file"}
	case m.file.reading == Waiting:
		return piece{strong, " · looking back; the file may grow"}
	case m.Program == nil:
		return piece{muted, " · tape"}
	case m.program.over:
		return piece{muted, " · program over"}
	case m.program.running:
		return piece{running, " · running"}
	case m.at() < m.tape.Len():
		return piece{strong, " · looking back; the program waits"}
	}
	return piece{strong, " · stopped"}
}

// drawStatus says what the model has to say, or else what the keys do.
func (m *Model) drawStatus(r cells.Region) {
	if m.notice.text != "" {
		r.Fit(0, 0, r.W, m.notice.style, console.OneLine(m.notice.text))
		return
	}
	x := 0
	for _, key := range hints {
		for i := range m.keys {
			b := &m.keys[i]
			if b.keys[0] != key.key || !b.works(m) {
				continue
			}
			if x+len(key.key)+1+len(key.says)+2 > r.W {
				return
			}
			x = r.Text(x, 0, keycap, key.key)
			x = r.Text(x, 0, muted, " "+key.says+"  ")
		}
	}
}

// hints are the keys that the last row tells of, as far as there is room.
var hints = []struct{ key, says string }{
	{"?", "help"}, {"n", "node"}, {"s", "op"}, {"l", "line"}, {"c", "continue"}, {"i", "interrupt"}, {"m", "cause"}, {"C", "finding"}, {"]", "rank"},
	{"/", "search"}, {"space", "fold"}, {"v", "view"}, {"tab", "pane"}, {"x", "explain"}, {"e", "export"}, {"q", "quit"},
}
