package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// findings are what the rules found. The rules run in a goroutine of their own, whenever
// the program stops and at the end, and during a run if a breakpoint is on a finding.
type findings struct {
	report   *inspect.Result // nil: the rules have not run yet
	upTo     graph.Pos       // how many events they saw
	checking bool            // they run now
	opened   int             // the index of the finding that is open; -1: none
	walked   int             // the index of the place of it that m or M went to last; -1: none

	seen   map[string]bool // findings that breakpoints have been compared with
	caught string          // why the program is being interrupted; "": it is not
	since  *runDiff        // how they differ from the findings before a restart; nil: not known
}

// all returns the findings so far.
func (f *findings) all() []inspect.Finding {
	if f.report == nil {
		return nil
	}
	return f.report.Findings
}

func (s *state) anyFindings() bool { return len(s.findings.all()) > 0 }

// checkedMsg brings what the rules found.
type checkedMsg struct {
	report *inspect.Result
	events graph.Pos
}

// check runs the rules, if the tape has grown and the program waits or has ended.
func (m *Model) check() tea.Cmd {
	end, f := m.tape.Len(), &m.findings
	if f.checking || f.upTo == end && f.report != nil || !m.settled() && !m.watching() {
		return nil
	}
	f.checking = true
	tape, rules, options := m.tape, m.Rules, inspect.Options{ReadLeftOut: m.ReadLeftOut}
	return func() tea.Msg {
		return checkedMsg{findingsUpTo(tape, end, rules, options), end}
	}
}

// findingsUpTo runs the rules over the first events of a tape.
func findingsUpTo(tape *graph.Tape, end graph.Pos, rules []inspect.Rule, options inspect.Options) *inspect.Result {
	report := inspect.CheckFirst(tape, end, rules, options)
	addEnding(tape, end, report)
	report.History = nil // which takes much more memory than the findings
	return report
}

// checked takes what the rules found.
func (m *Model) checked(msg checkedMsg) tea.Cmd {
	f := &m.findings
	atEnd := f.report == nil && m.at() == m.tape.Len() && slices.ContainsFunc(msg.report.Findings, func(f inspect.Finding) bool { return isEnding(&f) })
	f.checking, f.report, f.upTo = false, msg.report, msg.events
	if (m.arrive == failure || atEnd) && !m.moving() {
		m.openFailure()
	}
	m.index.finder.SetFindings(msg.report.Findings)
	m.interruptAtFinding()
	m.showFirst()
	m.refresh()
	return m.check()
}

// watching reports whether the rules run while the program does, because a breakpoint is
// on a finding.
func (s *state) watching() bool {
	return s.runs() && slices.ContainsFunc(s.queries, func(q standing) bool { _, ok := q.query.Finding(); return ok })
}

// interruptAtFinding interrupts a running program at a new finding that a breakpoint is on.
func (m *Model) interruptAtFinding() {
	if m.findings.seen == nil {
		m.findings.seen = map[string]bool{}
	}
	for i := range m.findings.report.Findings {
		f := &m.findings.report.Findings[i]
		key := FindingKey(f)
		known := m.findings.seen[key]
		m.findings.seen[key] = true
		if known || m.findings.caught != "" || !m.watching() || !slices.ContainsFunc(m.queries, func(q standing) bool { return f.Answers(q.query) }) {
			continue
		}
		if err := m.Program.Interrupt(); err != nil {
			m.sayError(err)
			return
		}
		m.findings.caught = "stopped at a finding: " + f.Code
		m.panes.findings.show(&m.state, i)
		m.show(findingsPane)
	}
}
