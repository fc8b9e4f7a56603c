package ui

import (
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/fork"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/console"
)

// A forked run is the program run again with a change.
type forked struct {
	number  int
	at      graph.Pos
	change  string // as it was typed
	running bool
	said    string // how it differs from the first run
	err     error
}

// forkedMsg brings what came of a fork.
type forkedMsg struct {
	number int
	said   string
	err    error
}

// commandSet changes a tensor, a parameter, a setting or a variable at the cursor, in a run of its own.
func (m *Model) commandSet(args string) tea.Cmd {
	c := fork.Change{Text: args, Assigns: true}
	if _, err := c.Statements(); err != nil {
		return m.sayError(err)
	}
	return m.fork(c)
}

// commandFork runs statements at the cursor in a run of its own, or lists such runs.
func (m *Model) commandFork(args string) tea.Cmd {
	if args == "" {
		return m.listForks()
	}
	return m.fork(fork.Change{Text: args})
}

func (m *Model) mayFork() error {
	switch {
	case m.Fork != nil:
		return nil
	case m.Program == nil:
		return errors.New("this is a recording, and it runs nothing; gradtui fork PROGRAM --from TAPE changes a program that you name")
	}
	return errors.New("only a Python program of one process that was started here can be run again with a change")
}

func (m *Model) fork(change fork.Change) tea.Cmd {
	switch err := m.mayFork(); {
	case err != nil:
		return m.say(muted, err.Error())
	case m.at() == 0:
		return m.say(muted, "nothing has happened yet at the beginning of the tape; go to an event first")
	}
	f := forked{number: len(m.forks) + 1, at: m.at(), change: change.Text, running: true}
	m.forks = append(m.forks, f)
	m.say(muted, fmt.Sprintf("fork %d runs the program again, to change it at event %d", f.number, f.at-1))
	run, tape := m.Fork, m.tape
	return func() tea.Msg {
		said, err := run(tape, f.at, change)
		return forkedMsg{f.number, said, err}
	}
}

// forkEnded shows what came of a fork.
func (m *Model) forkEnded(msg forkedMsg) tea.Cmd {
	f := &m.forks[msg.number-1]
	f.running, f.said, f.err = false, msg.said, msg.err
	if m.overlay != nil {
		return m.say(done, fmt.Sprintf("fork %d has ended; :fork shows it", f.number))
	}
	m.notice = notice{}
	return m.showForks(f.number)
}

func (m *Model) listForks() tea.Cmd {
	if len(m.forks) == 0 {
		return m.say(muted, "there is no fork; :set opt.lr = 0.01 or :fork STATEMENTS runs the program again with a change here")
	}
	return m.showForks(0)
}

// showForks shows a fork, or all if the number is 0, the newest first.
func (m *Model) showForks(number int) tea.Cmd {
	t := &text{title: "Forks"}
	if number > 0 {
		t.title = fmt.Sprintf("Fork %d", number)
	}
	add := func(style styled) { t.lines = append(t.lines, style) }
	for i := len(m.forks) - 1; i >= 0; i-- {
		f := &m.forks[i]
		if number > 0 && f.number != number {
			continue
		}
		add(styled{{headline, fmt.Sprintf("%d  ", f.number)}, {plain, console.OneLine(f.change)}, {muted, fmt.Sprintf("  at event %d", f.at-1)}})
		switch {
		case f.running:
			add(styled{{muted, "   still running"}})
		case f.err != nil:
			for _, line := range console.Wrap(console.OneLine(f.err.Error()), max(m.columns-15, 30)) {
				add(styled{{failed, "   " + line}})
			}
		}
		for line := range strings.Lines(strings.TrimSpace(f.said)) {
			add(styled{{plain, "   " + console.Printable(strings.TrimRight(line, "\n"))}})
		}
		if i > 0 && number == 0 {
			add(nil)
		}
	}
	m.overlay = t
	return nil
}
