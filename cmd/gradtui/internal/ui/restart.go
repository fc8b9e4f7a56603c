package ui

import (
	"errors"
	"reflect"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/edits"
)

// A life is one run of the program under the debugger. Messages that were asked for in an earlier
// one are dropped.
type life struct{ number int }

// livingMsg is a message of a model to itself, with the life in which it was asked for.
type livingMsg struct {
	life *life
	msg  tea.Msg
}

// stamped marks the messages of a command with the life that it was asked for in.
func (m *Model) stamped(cmd tea.Cmd) tea.Cmd {
	if cmd == nil || m.Restart == nil {
		return cmd
	}
	now := m.life
	return func() tea.Msg { return stamp(now, cmd()) }
}

func stamp(now *life, msg tea.Msg) tea.Msg {
	switch msg := msg.(type) {
	case nil, livingMsg, ownMsg, FileExists, lookMsg:
		return msg
	case tea.BatchMsg:
		for i, c := range msg {
			if c != nil {
				msg[i] = func() tea.Msg { return stamp(now, c()) }
			}
		}
		return msg
	case Background:
		return Background(func() tea.Msg { return stamp(now, msg()) })
	}
	if reflect.TypeOf(msg).PkgPath() == ours {
		return livingMsg{now, msg}
	}
	return msg
}

// mayRestart says why the program cannot be started again; nil if it can.
func (m *Model) mayRestart() error {
	switch {
	case m.Restart != nil && m.restarting:
		return errors.New("the program is being started again")
	case m.Restart != nil:
		return nil
	case m.among.relation == distributed && m.Program != nil:
		return errors.New("the ranks of a program cannot be started again from here; quit, and run it again")
	case m.Program == nil:
		return errors.New("this is a recording, and nothing runs that could be started again; gradtui run PROGRAM runs one")
	case m.NoRestart != "":
		return errors.New(m.NoRestart)
	}
	return errors.New("the program was not started here, so it cannot be started again here")
}

// askToRestart starts the program again, after a question if it has not ended.
func (m *Model) askToRestart() tea.Cmd {
	if m.mayRestart() != nil || !m.live() {
		return m.restart()
	}
	m.overlay = &question{
		title: "Restart?", text: "The program has not ended: a restart ends it and runs it again.",
		answers: "y, R or enter restarts · any other key goes on", yes: []string{"y", "R", "enter"}, do: (*Model).restart,
	}
	return nil
}

// restart ends the program and starts it again.
func (m *Model) restart() tea.Cmd {
	if err := m.mayRestart(); err != nil {
		return m.say(muted, err.Error())
	}
	m.before = m.thisRun()
	m.way = m.spotToReturnTo()
	m.restarting, m.program.running, m.editing.due = true, true, false
	again, watch, file, kept := m.Restart, m.editing.watch, m.SessionFile, m.Session()
	if m.forgotten {
		file = nil
	}
	m.say(muted, "starting the program again")
	return func() tea.Msg {
		if file != nil {
			file.Save(kept) // it is kept at the end, too, and an error is shown then
		}
		var edited []edits.Edit
		if watch != nil {
			edited = watch.Restarts()
		}
		o, err := again()
		return restartedMsg{o, edited, err}
	}
}

// restartedMsg brings the new run of the program.
type restartedMsg struct {
	options Options      // its tape, program and notice
	edited  []edits.Edit // files that were edited since the last run has read them
	err     error
}

// restarted shows the new run as the old one was shown, and goes to where the user was.
func (m *Model) restarted(msg restartedMsg) tea.Cmd {
	m.restarting = false
	if msg.err != nil {
		m.way, m.before = nil, nil
		return tea.Batch(m.over(), m.sayError(msg.err))
	}
	o := m.Options
	kept := m.Session()
	o.Earlier = &kept
	o.Tape, o.Program, o.Notice, o.Ahead = msg.options.Tape, msg.options.Program, msg.options.Notice, m.Ahead && m.blank()
	fresh := New(o)
	fresh.columns, fresh.rows, fresh.canvas = m.columns, m.rows, m.canvas
	fresh.palette, fresh.dark, fresh.terminal, fresh.colourless = m.palette, m.dark, m.terminal, m.colourless
	fresh.last, fresh.query, fresh.way, fresh.forgotten = m.last, m.query, m.way, m.forgotten
	fresh.life = &life{m.life.number + 1}
	fresh.panes.graph.settleAs(m.panes.graph)
	fresh.keys, fresh.among = m.keys, m.among
	fresh.editing, fresh.before = editing{watch: m.editing.watch, rerun: m.editing.rerun}, m.before
	if m.editing.watch != nil {
		m.editing.watch.Follow(o.Tape)
	}
	fresh.takeEdits(msg.edited)
	if w := fresh.way; w != nil && fresh.before != nil && !w.asFar() {
		fresh.before.until = w.until
	}
	if o.Notice == "" {
		fresh.notice = notice{"started again", strong}
	}
	for i := range fresh.queries { // which keep their numbers
		fresh.queries[i].ID = m.queries[i].ID
	}
	*m = *fresh
	m.among.models, m.among.forks = []*Model{m}, nil // forks are of the run that is over
	m.resize(m.columns, m.rows)
	return m.begin()
}

// thisRun is this run as the one before a restart, with which the new one is compared where it will stand; nil if it
// will stand at its first event.
func (m *Model) thisRun() *runBefore {
	b := &runBefore{tape: m.tape, report: m.findings.report, upTo: m.findings.upTo, until: m.tape.Len()}
	if m.spotToReturnTo() == nil && !m.blank() {
		return nil
	}
	return b
}

// takeEdits moves the places of the run before to where they are in the edited files.
func (m *Model) takeEdits(edited []edits.Edit) {
	if len(edited) == 0 {
		return
	}
	m.bookmarks = slices.Clone(m.bookmarks)
	for i := range m.bookmarks {
		p := &m.bookmarks[i].Place
		p.Line = lineNow(edited, p.File, p.Line)
	}
	if m.before != nil {
		m.before.edited = edited
	}
	if m.way != nil {
		m.way.edited = true
		m.way.to.Line = lineNow(edited, m.way.to.File, m.way.to.Line)
		if placeQuery(m.way.to) != "" {
			m.way.to.Kind = "" // an event with that number may be of the same kind, and another one
		}
	}
}
