package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/graph"
)

const (
	// slice is how long work goes on before the next message.
	slice = 4 * time.Millisecond
	// portion is how many events are taken between two looks at the clock.
	portion = 512
	// nearby is how far the cursor moves at once.
	nearby = 1024
)

// start moves the cursor of a recorded tape to the last failure, or to the end.
func (m *Model) start() tea.Cmd {
	if m.Program != nil || m.More != nil {
		return nil
	}
	return m.goToFailure(m.tape.Len(), look)
}

// goTo moves the cursor, at once if the position is near.
func (m *Model) goTo(p graph.Pos, how arrival) tea.Cmd {
	m.goal, m.arrive = max(min(p, m.tape.Len()), 0), how
	if d := m.goal - m.at(); d <= nearby && d >= -nearby {
		m.cursor.Seek(m.goal)
		m.arrived()
	}
	return nil
}

// work works for a slice of time: first it moves the cursor, then it extends the indices.
func (m *Model) work() tea.Cmd {
	until := time.Now().Add(slice)
	for m.unfinished() && time.Now().Before(until) {
		switch {
		case m.moving():
			if m.cursor.Approach(m.goal, portion) {
				m.arrived()
			}
		case m.pinWanders():
			if m.pin.cursor.Approach(m.pin.goal, portion) {
				m.pinArrived()
			}
		case m.ranBehind():
			from, to, _ := m.amid()
			m.pin.ran.approach(from, to, portion)
		default:
			behind := m.index.behind()
			behind.Extend(min(behind.Pos()+portion, m.tape.Len()))
		}
	}
	return m.check()
}

// unfinished reports whether there is work left.
func (s *state) unfinished() bool {
	return s.moving() || s.pinWanders() || s.ranBehind() || s.index.behind().Pos() < s.tape.Len()
}

// keepWorking asks for the next slice, if there is work and none was asked for.
func (m *Model) keepWorking() tea.Cmd {
	if m.working || !m.unfinished() {
		return nil
	}
	m.working = true
	return func() tea.Msg { return workMsg{} }
}
