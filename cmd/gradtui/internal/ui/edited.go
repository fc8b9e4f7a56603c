package ui

import (
	"fmt"
	"path/filepath"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/edits"
	"github.com/gradtui/gradtui/inspect"
)

// editing is what the debugger knows of edits of the program's source files.
type editing struct {
	watch   *edits.Watch // nil: the files are not watched
	looking bool         // a look is under way
	rerun   bool         // the program is run again when a file was saved
	due     bool         // and that has to be done
}

// Messages about edits.
type (
	lookMsg  time.Time    // it is time to look
	foundMsg []edits.Edit // what a look has found
)

// watchFiles begins to look whether the program's source files are edited. It goes on when the program is started again.
func (m *Model) watchFiles() tea.Cmd {
	if m.Looks == nil || m.Owns == nil || m.Restart == nil {
		return nil
	}
	owns := m.Owns
	m.editing.watch = edits.New(m.tape, func(path string) bool { return owns(path) && !inspect.IsLibrary(path) })
	return m.waitForLook()
}

func (m *Model) waitForLook() tea.Cmd {
	looks := m.Looks
	return background(func() tea.Msg { return lookMsg(<-looks) })
}

// lookAtFiles looks at the files in a goroutine, unless that is being done.
func (m *Model) lookAtFiles() tea.Cmd {
	watch := m.editing.watch
	if m.editing.looking || m.restarting {
		return m.waitForLook()
	}
	m.editing.looking = true
	return tea.Batch(m.waitForLook(), m.stamped(background(func() tea.Msg { return foundMsg(watch.Look()) })))
}

// found takes what a look has found. A file that was edited since the look before is news.
func (m *Model) found(all []edits.Edit) tea.Cmd {
	m.editing.looking = false
	var news []string
	for _, e := range all {
		if !slices.ContainsFunc(m.edited, func(old edits.Edit) bool { return old.Name == e.Name && old.Sum == e.Sum }) {
			news = append(news, filepath.Base(e.Name))
		}
	}
	m.edited = all
	switch {
	case len(news) == 0:
		return nil
	case m.editing.rerun:
		m.editing.due = true // an update carries it out
		return nil
	}
	key := ":restart"
	for i := range m.keys {
		if b := &m.keys[i]; b.when == ifRestart && len(m.keysOf(b)) > 0 {
			key = m.keysOf(b)[0]
		}
	}
	return m.say(strong, wereEdited(news)+": "+key+" runs it again")
}

// wereEdited says which files were edited.
func wereEdited(names []string) string {
	switch len(names) {
	case 1:
		return names[0] + " was edited"
	case 2:
		return names[0] + " and " + names[1] + " were edited"
	}
	return fmt.Sprintf("%s and %d other files were edited", names[0], len(names)-1)
}

// rerunIfDue runs the program again after a file was saved, when the user is not typing.
func (m *Model) rerunIfDue() tea.Cmd {
	if !m.editing.due || m.restarting || m.overlay != nil || m.typing() != nil {
		return nil
	}
	m.editing.due = false
	if len(m.edited) == 0 {
		return nil // it was saved as it had been
	}
	return m.restart()
}

// commandRerun switches on or off that the program is run again when a file is saved, or says whether it is.
func (m *Model) commandRerun(args string) tea.Cmd {
	if args != "" && args != "on" && args != "off" {
		return m.sayError(fmt.Errorf("%q is not known; use rerun on, or rerun off", args))
	}
	if err := m.mayRestart(); err != nil && !m.restarting {
		return m.say(muted, err.Error())
	}
	switch {
	case m.editing.watch == nil:
		return m.say(muted, "the files of this program are not watched")
	case args != "":
		m.editing.rerun = args == "on"
	}
	if !m.editing.rerun {
		return m.say(plain, "the program is not run again when a file is saved; rerun on does that")
	}
	return m.say(plain, "the program is run again when one of its files is saved")
}

// editOf returns the edit of a source file; nil if the file is as the run has read it.
func (s *state) editOf(file string) *edits.Edit {
	i := slices.IndexFunc(s.edited, func(e edits.Edit) bool { return e.Name == file })
	if i < 0 {
		return nil
	}
	return &s.edited[i]
}

// lineNow returns where a line of the run is in an edited file.
func lineNow(all []edits.Edit, file string, line int) int {
	for i := range all {
		if all[i].Name == file && line > 0 {
			return all[i].Line(line)
		}
	}
	return line
}
