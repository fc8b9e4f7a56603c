package ui

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
)

// A triedFix is the fix of a finding that the program was run with.
type triedFix struct {
	running bool
	said    string // what became of it
	err     error
}

// verdict is the line of what was said that begins with proven or suggestion.
func (f *triedFix) verdict() string {
	switch {
	case f.running:
		return "its fix is being tried"
	case f.err != nil:
		return f.err.Error()
	}
	for line := range strings.Lines(f.said) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "proven: ") || strings.HasPrefix(line, "suggestion: ") {
			return line
		}
	}
	return "its fix was tried"
}

// triedMsg brings what came of a fix.
type triedMsg struct {
	key  string // of the finding
	said string
	err  error
}

// mayFix says why fixes cannot be tried; nil: they can.
func (m *Model) mayFix() error {
	switch {
	case m.Fix != nil:
		return nil
	case m.Program == nil:
		return errors.New("this is a recording, and it runs nothing; gradtui fix PROGRAM --from TAPE tries fixes with a program that you name")
	}
	return errors.New("only a Python program of one process that was started here can be run with an edit")
}

// fix tries the fix of the open finding, in a run of its own, or shows again what came of it.
func (m *Model) fix() tea.Cmd {
	if !m.anyFindings() {
		return m.say(muted, m.noFindings())
	}
	f := m.openedFinding()
	key := FindingKey(f)
	if tried := m.tried[key]; tried != nil {
		if tried.running {
			return m.say(muted, "the program is still running with the fix of "+f.Code)
		}
		return m.showFix(key)
	}
	if f.Fix == nil {
		return m.say(muted, "no edit is known for this finding; "+console.OneLine(f.Help))
	}
	if err := m.mayFix(); err != nil {
		return m.say(muted, err.Error())
	}
	if m.tried == nil {
		m.tried = map[string]*triedFix{}
	}
	m.tried[key] = &triedFix{running: true}
	m.panes.findings.made = findingsKey{}
	m.say(muted, "running the program again with the fix: "+console.OneLine(f.Fix.Title))
	run, tape, only := m.Fix, m.tape, fmt.Sprintf("%s:%d", f.Code, f.Primary.Line)
	return func() tea.Msg {
		said, err := run(tape, only)
		return triedMsg{key, said, err}
	}
}

// fixEnded shows what came of a fix.
func (m *Model) fixEnded(msg triedMsg) tea.Cmd {
	m.tried[msg.key] = &triedFix{said: msg.said, err: msg.err}
	m.panes.findings.made = findingsKey{}
	if m.overlay != nil {
		return m.say(done, "the fix was tried; F shows it")
	}
	m.notice = notice{}
	return m.showFix(msg.key)
}

func (m *Model) showFix(key string) tea.Cmd {
	tried := m.tried[key]
	t := &text{title: "Fix of " + console.OneLine(key)}
	t.lines = m.saidLines(tried.said, tried.err, func(line string) cells.Style {
		switch {
		case strings.HasPrefix(line, "+") && !strings.HasPrefix(line, "+++"):
			return done
		case strings.HasPrefix(line, "-") && !strings.HasPrefix(line, "---"):
			return failed
		}
		return plain
	})
	m.overlay = t
	return nil
}

// saidLines are the lines of what a command of gradtui said, below its error.
func (m *Model) saidLines(said string, err error, style func(line string) cells.Style) (lines []styled) {
	if err != nil {
		for _, line := range console.Wrap(console.OneLine(err.Error()), max(m.columns-15, 30)) {
			lines = append(lines, styled{{failed, line}})
		}
	}
	for line := range strings.Lines(strings.TrimSpace(said)) {
		lines = append(lines, styled{{style(line), console.Printable(strings.TrimRight(line, "\r\n"))}})
	}
	return lines
}

// fixRows says below the open finding what its fix is, and what came of it.
func (s *state) fixRows(f *inspect.Finding, add func(style cells.Style, lead, text string)) {
	if f.Fix == nil {
		return
	}
	lead := "fix: "
	tried := s.tried[FindingKey(f)]
	switch {
	case tried != nil:
		add(strong, lead, f.Fix.Title+"; "+tried.verdict())
	case s.Fix != nil:
		add(strong, lead, f.Fix.Title+"; F tries it")
	default:
		add(strong, lead, f.Fix.Title)
	}
}

// commandFix tries the fix of the open finding, or of the first one of a rule.
func (m *Model) commandFix(args string) tea.Cmd {
	if code := strings.TrimSpace(args); code != "" && m.anyFindings() {
		i := slices.IndexFunc(m.findings.report.Findings, func(f inspect.Finding) bool { return f.Code == code })
		if i < 0 {
			return m.say(muted, "there is no finding of "+console.OneLine(code))
		}
		m.panes.findings.show(&m.state, i)
	}
	return m.fix()
}
