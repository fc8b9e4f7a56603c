package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/inspect"
)

// ahead is how far the run to the first place of interest is; see [Options].
type ahead uint8

const (
	notAhead     ahead = iota
	runningAhead       // the program runs
	lookingAhead       // it has stopped or ended, and the rules look for findings
)

// secondIteration is hit where the first iteration of a training loop is over.
const secondIteration = "iteration == 2"

// runAhead lets a program run from its first event.
func (m *Model) runAhead() tea.Cmd {
	if err := m.Program.Break(append(m.points(), control.Breakpoint{Query: secondIteration})...); err != nil {
		return m.sayError(err)
	}
	m.program.ahead = runningAhead
	m.say(muted, "running to the first failure, or to the end of the first iteration")
	return m.resume(control.Continue)
}

// cameAhead takes the stop, or the end, of a program that ran ahead.
func (m *Model) cameAhead() tea.Cmd {
	m.program.ahead = lookingAhead
	if !m.live() {
		return nil
	}
	if err := m.Program.Break(m.points()...); err != nil {
		return m.sayError(err)
	}
	return nil
}

// atError reports whether the last event is an error, which the program has not caught yet.
func (m *Model) atError() bool {
	_, _, ok := errorAt(m.tape, m.tape.Len()-1)
	return ok
}

// showFirst shows the finding that the run ahead has found, at the line to change unless the cursor stands
// at the failure.
func (m *Model) showFirst() {
	if m.program.ahead != lookingAhead || m.findings.upTo < m.tape.Len() {
		return
	}
	m.program.ahead = notAhead
	next := "c runs on, s goes to the next operation"
	if !m.live() {
		next = "< goes to the beginning, / searches"
	}
	all := m.findings.all()
	if !slices.ContainsFunc(all, func(f inspect.Finding) bool { return f.Severity > inspect.SeverityHint }) {
		if m.live() {
			m.say(strong, "the first iteration is over, and nothing is wrong so far; "+next)
		}
		return
	}
	m.show(findingsPane)
	if m.engaged() == nil {
		m.panes.findings.show(&m.state, 0)
		m.walk(1)
	}
	m.say(strong, "m goes to the next line of the finding, x explains, "+next)
}

// points are the breakpoints as the program takes them.
func (s *state) points() (points []control.Breakpoint) {
	for _, q := range s.queries {
		points = append(points, q.Breakpoint)
	}
	return points
}
