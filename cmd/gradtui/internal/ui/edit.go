package ui

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/editor"
	"github.com/gradtui/gradtui/internal/console"
)

// editMsg brings the path of a source file that the user wants to edit.
type editMsg struct {
	path string
	line int
	err  error
}

// edit opens the chosen line of the source pane in the user's editor. A path that only a tape names may be any
// file, so the user is asked.
func (m *Model) edit() tea.Cmd {
	name, line := m.place.File, m.panes.source.chosen+1
	switch {
	case name == "":
		return m.say(muted, "no line of the program is shown")
	case !m.sources.has(name):
		return m.say(muted, lineName(m.place)+" is not on the tape as a source file")
	case editor.Command() == nil:
		return m.sayError(editor.ErrNone)
	}
	line = lineNow(m.edited, name, line)
	return func() tea.Msg {
		path, err := editor.Find(name)
		return editMsg{path, line, err}
	}
}

// editFound opens a file that exists, or asks first.
func (m *Model) editFound(msg editMsg) tea.Cmd {
	command := editor.Command()
	if msg.err != nil || command == nil {
		return m.sayError(errors.Join(msg.err))
	}
	open := func(m *Model) tea.Cmd {
		return m.execute(editor.Open(command, msg.path, msg.line), func(err error) tea.Msg {
			if err != nil {
				return saidMsg{console.OneLine(fmt.Sprintf("%s: %v", filepath.Base(command[0]), err)), failed}
			}
			return saidMsg{"", plain}
		})
	}
	if m.Owns != nil && m.Owns(msg.path) {
		return open(m)
	}
	m.overlay = &question{
		title: "Edit?", text: console.OneLine(fmt.Sprintf("Open %s in %s?", msg.path, filepath.Base(command[0]))),
		answers: "y or enter opens it · any other key does not", yes: []string{"y", "enter"}, do: open,
	}
	return nil
}

// executor suspends the debugger and gives the terminal to a command.
type executor func(c *exec.Cmd, done tea.ExecCallback) tea.Cmd

// has reports whether the tape has a file as a source of the program.
func (s *sources) has(name string) bool {
	s.file(name)
	_, ok := s.onTape[name]
	return ok
}
