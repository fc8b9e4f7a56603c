package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/edits"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/compare"
)

// A runBefore is the run before a restart, until its findings were compared with the new ones.
type runBefore struct {
	tape   *graph.Tape
	report *inspect.Result // over its first events; nil: the rules have not run
	upTo   graph.Pos       // how many these are
	until  graph.Pos       // how far the new run goes, as events of this one
	edited []edits.Edit    // files that were edited between the runs
}

// A runDiff says how the findings differ from the findings of the run before.
type runDiff struct {
	report *inspect.Result // of this run
	gone   []inspect.Finding
	added  []inspect.Finding
	both   int
}

// changedMsg brings a comparison with the run before.
type changedMsg runDiff

// compareRuns compares the findings with the ones of the run before, once the program is where it was then and
// the rules have run. Those of the run before are the ones that it had when it was as far.
func (m *Model) compareRuns() tea.Cmd {
	b, f := m.before, &m.findings
	if b == nil || m.way != nil || m.restarting || m.program.ahead != notAhead || !m.settled() || f.checking || f.report == nil || f.upTo < m.tape.Len() {
		return nil
	}
	m.before = nil
	found, rules, options := f.report, m.Rules, inspect.Options{ReadLeftOut: m.ReadLeftOut}
	return func() tea.Msg {
		if b.report == nil || b.upTo != b.until {
			b.report = findingsUpTo(b.tape, b.until, rules, options)
		}
		c := runDiff{report: found}
		c.gone, c.added, c.both = compare.FindingsOfEdited(b.report.Findings, found.Findings, func(at graph.Frame) int {
			for i := range b.edited {
				if e := &b.edited[i]; e.Name == at.File && e.Moved != nil {
					return e.Moved[at.Line]
				}
			}
			return at.Line
		})
		return changedMsg(c)
	}
}

// changed takes the comparison with the run before.
func (m *Model) changed(msg changedMsg) tea.Cmd {
	c := runDiff(msg)
	m.findings.since = &c
	m.refresh()
	words := c.words()
	if m.notice.text != "" {
		words = m.notice.text + " · " + words
	}
	return m.say(strong, words)
}

// changeSince returns how the findings differ from the ones of the run before; nil if there was none, or the program has gone
// on since they were compared.
func (s *state) changeSince() *runDiff {
	if c := s.findings.since; c != nil && c.report == s.findings.report {
		return c
	}
	return nil
}

// mostNamedFindings bounds the findings that a message names.
const mostNamedFindings = 2

// words says what is gone, new and still there.
func (c *runDiff) words() string {
	if len(c.gone)+len(c.added)+c.both == 0 {
		return "findings: none, as before"
	}
	list := func(what string, all []inspect.Finding) string {
		if len(all) > mostNamedFindings {
			return fmt.Sprintf("%d %s", len(all), what)
		}
		var names []string
		for i := range all {
			names = append(names, nameOfFinding(&all[i]))
		}
		return what + ": " + strings.Join(names, ", ")
	}
	var parts []string
	if len(c.gone) > 0 {
		parts = append(parts, list("gone", c.gone))
	}
	if len(c.added) > 0 {
		parts = append(parts, list("new", c.added))
	}
	if c.both > 0 {
		parts = append(parts, fmt.Sprintf("%d still there", c.both))
	}
	return "findings: " + strings.Join(parts, "; ")
}

// counts is a short form of words; "" if nothing has changed.
func (c *runDiff) counts() string {
	var parts []string
	if n := len(c.gone); n > 0 {
		parts = append(parts, fmt.Sprintf("%d gone", n))
	}
	if n := len(c.added); n > 0 {
		parts = append(parts, fmt.Sprintf("%d new", n))
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, ", ") + " since the last run"
}

// isNew reports whether the run before did not have a finding.
func (c *runDiff) isNew(f *inspect.Finding) bool {
	for i := range c.added {
		if FindingKey(&c.added[i]) == FindingKey(f) {
			return true
		}
	}
	return false
}

func nameOfFinding(f *inspect.Finding) string {
	if !f.Primary.Known() {
		return f.Code
	}
	return f.Code + " " + lineName(f.Primary.Frame)
}

// drawGone lists the findings that only the run before had.
func (s *state) drawGone(r cells.Region) {
	c := s.changeSince()
	if c == nil {
		return
	}
	for y := range min(len(c.gone), r.H) {
		styled{{done, "✓ gone "}, {muted, nameOfFinding(&c.gone[y])}}.write(r, 1, y)
	}
}
