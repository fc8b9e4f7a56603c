package ui

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/fork"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/session"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/console"
)

// A forked run is the program run again with a change.
type forked struct {
	number  int
	name    string
	at      graph.Pos
	change  string // in words
	running bool
	said    string // how it differs from the first run
	err     error
	run     *Model // nil: there is no tape of it
}

// forkedMsg brings what came of a fork.
type forkedMsg struct {
	of *forked
	Forked
	err error
}

// commandSet changes a tensor, a parameter, a setting or a variable at the cursor, in a run of its own.
func (m *Model) commandSet(args string) tea.Cmd {
	c := fork.Change{Text: args, Assigns: true}
	if _, err := c.Statements(); err != nil {
		return m.sayError(err)
	}
	return m.fork(c, args)
}

// commandFork runs statements at the cursor in a run of its own, or lists such runs.
func (m *Model) commandFork(args string) tea.Cmd {
	if args == "" {
		return m.commandForks("")
	}
	return m.fork(fork.Change{Text: args}, args)
}

// commandEdit runs the program with another text of the line that the source pane shows, or asks for it.
func (m *Model) commandEdit(args string) tea.Cmd {
	at := graph.Frame{File: m.place.File, Line: m.panes.source.chosen + 1}
	lines := m.sources.file(at.File).lines
	switch err := m.mayFork(); {
	case err != nil:
		return m.say(muted, err.Error())
	case at.File == "" || at.Line > len(lines):
		return m.say(muted, "no line of the program is shown")
	case args != "":
		e := fork.Edit{File: at.File, Line: at.Line, Text: args}
		return m.fork(fork.Change{Text: e.String(), Edits: true}, lineName(at)+": "+args)
	}
	p := &prompt{title: lineName(at) + ": ", do: func(m *Model, text string) tea.Cmd { return m.commandEdit(strings.TrimSpace(text)) }}
	p.set(strings.TrimSpace(console.Printable(lines[at.Line-1])))
	m.overlay = p
	return nil
}

func (m *Model) mayFork() error {
	switch {
	case m.Fork != nil:
		return nil
	case m.among.forkOf(m) != nil:
		return errors.New("this is a fork; [ goes to the first run, which can be run again with a change")
	case m.Program == nil:
		return errors.New("this is a recording, and it runs nothing; gradtui fork PROGRAM --from TAPE changes a program that you name")
	}
	return errors.New("only a Python program of one process that was started here can be run again with a change")
}

// fork runs the program again with a change, which is shown as words.
func (m *Model) fork(change fork.Change, words string) tea.Cmd {
	switch err := m.mayFork(); {
	case err != nil:
		return m.say(muted, err.Error())
	case m.at() == 0 && !change.Edits:
		return m.say(muted, "nothing has happened yet at the beginning of the tape; go to an event first")
	}
	n := len(m.among.forks) + 1
	f := &forked{number: n, name: fmt.Sprintf("fork %d", n), at: m.at(), change: words, running: true}
	m.among.forks = append(m.among.forks, f)
	if change.Edits {
		f.at = 0
		m.say(muted, f.name+" runs the program again, with the edited line from the start; the file stays as it is")
	} else {
		m.say(muted, fmt.Sprintf("%s runs the program again, to change it at event %d", f.name, f.at-1))
	}
	run, tape := m.Fork, m.tape
	return func() tea.Msg {
		came, err := run(tape, f.at, change)
		return forkedMsg{f, came, err}
	}
}

// forkEnded shows what came of a fork. Its tape becomes another run, which is moment A from now on.
func (m *Model) forkEnded(msg forkedMsg) tea.Cmd {
	f := msg.of
	f.running, f.said, f.err = false, msg.Said, msg.err
	var begin tea.Cmd
	if msg.Tape != nil {
		begin = m.addFork(f, msg.Tape)
	}
	if m.overlay != nil {
		m.say(done, f.name+" has ended; :forks shows it")
		return begin
	}
	m.notice = notice{}
	return tea.Batch(begin, m.showForks(f))
}

// addFork adds the run of a fork, and compares this one with it.
func (m *Model) addFork(f *forked, tape *graph.Tape) tea.Cmd {
	o := m.Options
	o.Tape, o.Program, o.More, o.Restart, o.Fork, o.Earlier, o.SessionFile = tape, nil, nil, nil, nil, nil, nil
	o.Ahead, o.Notice = false, ""
	f.run = m.among.add(New(o))
	begin := m.among.begin(f.run)
	f.run.pinElsewhere(m)
	return tea.Batch(begin, m.pinFork(f))
}

// pinFork makes a fork moment A, which follows the cursor.
func (m *Model) pinFork(f *forked) tea.Cmd {
	m.pinElsewhere(f.run)
	m.setTied(true, 0)
	return m.say(muted, f.name+" is moment A now, and follows the cursor; a swaps, P unpins, :tie off lets it stay")
}

// forkOf returns the fork that a run is; nil: none.
func (r *Runs) forkOf(m *Model) *forked {
	for _, f := range r.forks {
		if f.run == m {
			return f
		}
	}
	return nil
}

// alike is how far the tape of a run is the same as the tape of its fork.
func (r *Runs) alike(m, other *Model) graph.Pos {
	for _, f := range r.forks {
		if f.run != nil && (f.run == m && r.models[0] == other || f.run == other && r.models[0] == m) {
			return f.at
		}
	}
	return 0
}

// forkNamed returns the fork with a number or a name; nil: there is none.
func (r *Runs) forkNamed(name string) *forked {
	for _, f := range r.forks {
		if f.name == name || strconv.Itoa(f.number) == name {
			return f
		}
	}
	return nil
}

func (m *Model) forkNames() (names []string) {
	for _, f := range m.among.forks {
		names = append(names, strconv.Itoa(f.number))
	}
	return names
}

// commandForks lists the forks, pins one, or names it: forks, forks 2, forks 2 small steps.
func (m *Model) commandForks(args string) tea.Cmd {
	if len(m.among.forks) == 0 {
		return m.say(muted, "there is no fork; :set opt.lr = 0.01 or :fork STATEMENTS runs the program again with a change here")
	}
	if args == "" {
		return m.showForks(m.among.forks...)
	}
	number, name, _ := strings.Cut(args, " ")
	f := m.among.forkNamed(args)
	if f != nil {
		name = ""
	} else {
		f = m.among.forkNamed(number)
	}
	switch name = console.OneLine(strings.TrimSpace(name)); {
	case f == nil:
		return m.sayError(fmt.Errorf("there is no fork %q; :forks lists them", args))
	case len(name) > session.MostText:
		return m.sayError(errors.New("the name is too long"))
	case name != "" && m.among.forkNamed(name) != nil:
		return m.sayError(fmt.Errorf("a fork is called %q already", name))
	case name != "":
		f.name = name
		return m.say(muted, fmt.Sprintf("fork %d is called %s now", f.number, name))
	case f.running:
		return m.say(muted, f.name+" is still running")
	case f.run == nil:
		return m.say(muted, f.name+" has no tape to compare with")
	case f.run == m:
		return m.say(muted, f.name+" is the run that is shown")
	}
	return m.pinFork(f)
}

// showForks shows forks, the newest first, and the losses of all runs.
func (m *Model) showForks(all ...*forked) tea.Cmd {
	t := &text{title: "Forks"}
	if len(all) == 1 {
		t.title = fmt.Sprintf("Fork %d", all[0].number)
	}
	add := func(style styled) { t.lines = append(t.lines, style) }
	for i, f := range slices.Backward(all) {
		where := "  from the start"
		if f.at > 0 {
			where = fmt.Sprintf("  at event %d", f.at-1)
		}
		add(styled{{headline, fmt.Sprintf("%d  ", f.number)}, {plain, console.OneLine(f.change)}, {muted, where}, {strong, f.ownName()}})
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
		if i > 0 {
			add(nil)
		}
	}
	m.overlay = t
	return m.drawLosses(t)
}

// ownName is the name that a fork was given, behind its change.
func (f *forked) ownName() string {
	if f.name == fmt.Sprintf("fork %d", f.number) {
		return ""
	}
	return "  " + f.name
}
