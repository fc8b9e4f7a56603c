package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

const (
	// slice is how long work goes on before the next message is looked at.
	slice = 4 * time.Millisecond
	// portion is how many events are taken between two looks at the clock.
	portion = 512
	// nearby is how far the cursor moves at once.
	nearby = 1024
)

// start says where the debugger stands first: where the last backward pass failed, or
// at the end.
func (m *Model) start() tea.Cmd {
	if m.Program != nil || m.More != nil {
		return nil
	}
	return m.goToFailure(m.tape.Len(), look)
}

// goTo moves the cursor, at once if that is near.
func (m *Model) goTo(p graph.Pos, how arrival) tea.Cmd {
	m.goal, m.arrive = max(min(p, m.tape.Len()), 0), how
	if d := m.goal - m.at(); d <= nearby && d >= -nearby {
		m.cursor.Seek(m.goal)
		m.arrived()
	}
	return nil
}

// work does a slice of what is to be done: first the cursor's way, then the indices.
func (m *Model) work() tea.Cmd {
	until := time.Now().Add(slice)
	for m.unfinished() && time.Now().Before(until) {
		if !m.moving() {
			m.index()
		} else if m.cursor.Approach(m.goal, portion) {
			m.arrived()
		}
	}
	return m.check()
}

// index brings the index that is farthest behind nearer to the end of the tape.
func (m *Model) index() {
	behind := m.indices()[0]
	for _, i := range m.indices() {
		if i.Pos() < behind.Pos() {
			behind = i
		}
	}
	behind.Extend(min(behind.Pos()+portion, m.tape.Len()))
}

// A follower is computed from the events of a tape, in order.
type follower interface {
	Pos() graph.Pos // how many events it knows
	Extend(to graph.Pos)
}

func (m *Model) indices() [6]follower {
	return [6]follower{m.scout, m.printed, m.timeline, m.memory, m.trace, m.finder}
}

// unfinished reports whether there is work.
func (m *Model) unfinished() bool {
	if m.moving() {
		return true
	}
	for _, i := range m.indices() {
		if i.Pos() < m.tape.Len() {
			return true
		}
	}
	return false
}

// keepWorking sends for the next slice, if there is work and none is on its way.
func (m *Model) keepWorking() tea.Cmd {
	if m.working || !m.unfinished() {
		return nil
	}
	m.working = true
	return func() tea.Msg { return workMsg{} }
}

// check runs the rules, beside everything else, when the tape has grown and the
// program waits or is over.
func (m *Model) check() tea.Cmd {
	end := m.tape.Len()
	if m.checking || m.reported == end && m.report != nil || !m.settled() && !m.hunting() {
		return nil
	}
	m.checking = true
	tape, rules, options := m.tape, m.Rules, inspect.Options{ReadLeftOut: m.ReadLeftOut}
	return func() tea.Msg {
		report := inspect.CheckFirst(tape, end, rules, options)
		report.History = nil // which takes much more memory than the findings
		return checkedMsg{report, end}
	}
}

// checked takes what the rules found.
func (m *Model) checked(msg checkedMsg) tea.Cmd {
	m.checking, m.report, m.reported = false, msg.report, msg.events
	if m.arrive == failure && !m.moving() {
		m.openFailure()
	}
	m.finder.SetFindings(msg.report.Findings)
	m.hunt.look(m)
	m.refresh()
	return m.check()
}
