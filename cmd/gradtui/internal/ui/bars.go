package ui

import (
	"fmt"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/internal/console"
)

// drawTitle says what is looked at, and what the program is doing.
func (m *Model) drawTitle(r cells.Region) {
	x := r.Text(0, 0, headFocus, "gradtui ")
	x = r.Fit(x, 0, r.W/2-x, strong, console.OneLine(m.Title))
	state := m.doing()
	state.write(r, max(r.W-state.width(), x+2), 0)
}

// doing says where the cursor is and what the program is doing.
func (m *Model) doing() styled {
	at := styled{{plain, fmt.Sprintf("event %d of %d", m.at(), m.tape.Len())}}
	if m.moving() {
		at = styled{{running, fmt.Sprintf("going to event %d: %d", m.goal, m.at())}}
	}
	switch {
	case m.file.failed:
		return append(at, piece{warned, " · tape without its end"})
	case m.file.reading == Behind:
		return append(at, piece{running, " · reading the file"})
	case m.file.reading == Waiting && m.following:
		return append(at, piece{running, " · following the file"})
	case m.file.reading == Waiting:
		return append(at, piece{strong, " · looking back"}, piece{muted, "; the file may grow"})
	case m.Program == nil:
		return append(at, piece{muted, " · tape"})
	case m.program.over:
		return append(at, piece{muted, " · program over"})
	case m.program.running:
		return append(at, piece{running, " · running"})
	case m.at() < m.tape.Len():
		return append(at, piece{strong, " · looking back"}, piece{muted, "; the program waits"})
	}
	return append(at, piece{strong, " · stopped"})
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
	{"?", "help"}, {"n", "node"}, {"s", "op"}, {"l", "line"}, {"c", "continue"}, {"i", "interrupt"}, {"m", "cause"}, {"C", "finding"},
	{"/", "search"}, {"space", "fold"}, {"v", "view"}, {"tab", "pane"}, {"x", "explain"}, {"e", "export"}, {"q", "quit"},
}
