package ui

import (
	"errors"
	"reflect"

	tea "charm.land/bubbletea/v2"
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
	case nil, livingMsg, FileExists:
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
	case m.ranks != nil && m.Program != nil:
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
	m.restarting, m.program.running = true, true
	m.way = m.spotToReturnTo()
	again, file, kept := m.Restart, m.SessionFile, m.Session()
	if m.forgotten {
		file = nil
	}
	m.say(muted, "starting the program again")
	return func() tea.Msg {
		if file != nil {
			file.Save(kept) // it is kept at the end, too, and an error is shown then
		}
		o, err := again()
		return restartedMsg{o, err}
	}
}

// restartedMsg brings the new run of the program.
type restartedMsg struct {
	options Options // its tape, program and notice
	err     error
}

// restarted shows the new run as the old one was shown, and goes to where the user was.
func (m *Model) restarted(msg restartedMsg) tea.Cmd {
	m.restarting = false
	if msg.err != nil {
		return tea.Batch(m.over(), m.sayError(msg.err))
	}
	o := m.Options
	kept := m.Session()
	o.Earlier = &kept
	o.Tape, o.Program, o.Notice, o.Ahead = msg.options.Tape, msg.options.Program, msg.options.Notice, false
	fresh := New(o)
	fresh.columns, fresh.rows, fresh.canvas = m.columns, m.rows, m.canvas
	fresh.palette, fresh.dark, fresh.terminal, fresh.colourless = m.palette, m.dark, m.terminal, m.colourless
	fresh.last, fresh.query, fresh.way, fresh.forgotten = m.last, m.query, m.way, m.forgotten
	fresh.life = &life{m.life.number + 1}
	fresh.panes.graph.settleAs(m.panes.graph)
	fresh.keys = m.keys
	if o.Notice == "" {
		fresh.notice = notice{"started again", strong}
	}
	for i := range fresh.queries { // which keep their numbers
		fresh.queries[i].ID = m.queries[i].ID
	}
	*m = *fresh
	m.resize(m.columns, m.rows)
	return m.begin()
}
