package ui

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/capture/control"
)

// breakpointAt is the index of the breakpoint on a line; -1: there is none.
func (m *Model) breakpointAt(file string, line int) int {
	return slices.IndexFunc(m.points, func(b control.Breakpoint) bool {
		return b.On == control.OnLine && b.Line == line && (b.File == file || strings.HasSuffix(file, "/"+b.File))
	})
}

// toggleBreakpoint sets a breakpoint on what is chosen in the pane with the keys, or
// clears the one that is there.
func (m *Model) toggleBreakpoint() tea.Cmd {
	b := m.breakpointHere()
	if b == (control.Breakpoint{}) {
		return m.say(muted, "nothing is chosen that a breakpoint could be on; :break takes one as a text")
	}
	same := func(p control.Breakpoint) bool { p.ID = 0; return p == b }
	if i := slices.IndexFunc(m.points, same); i >= 0 {
		return m.setBreakpoints(slices.Delete(slices.Clone(m.points), i, i+1), "cleared: "+b.String())
	}
	return m.addBreakpoint(b)
}

// breakpointHere is a breakpoint on what is chosen: the line in the source, the name
// of a tensor, or the operation of a node.
func (m *Model) breakpointHere() (b control.Breakpoint) {
	switch {
	case m.focus == sourcePane && m.place.File != "":
		view := m.panes[sourcePane].(*sourceView)
		return control.Breakpoint{On: control.OnLine, File: filepath.ToSlash(m.place.File), Line: view.chosen + 1}
	case m.focus == findingsPane && m.place.File != "":
		return control.Breakpoint{On: control.OnLine, File: filepath.ToSlash(m.place.File), Line: m.place.Line}
	}
	if t, ok := m.graph().Tensor(m.chosen.tensor); ok && t.Name != "" {
		return control.Breakpoint{On: control.OnTensor, Pattern: t.Name}
	}
	if n, ok := m.graph().Node(m.chosen.node); ok {
		if v, ok := m.graph().Tensor(n.Variable); ok && v.Name != "" {
			return control.Breakpoint{On: control.OnTensor, Pattern: v.Name}
		}
		return control.Breakpoint{On: control.OnOp, Pattern: n.Name}
	}
	return b
}

func (m *Model) addBreakpoint(b control.Breakpoint) tea.Cmd {
	b.ID = 1
	for _, p := range m.points {
		b.ID = max(b.ID, p.ID+1)
	}
	return m.setBreakpoints(append(slices.Clone(m.points), b), fmt.Sprintf("breakpoint %d: %s", b.ID, b))
}

// setBreakpoints tells the program which breakpoints there are now.
func (m *Model) setBreakpoints(points []control.Breakpoint, said string) tea.Cmd {
	if err := m.Program.Break(points...); err != nil {
		return m.sayError(err)
	}
	m.points = points
	return m.say(strong, said)
}

func (m *Model) commandBreak(args string) tea.Cmd {
	if args == "" {
		return m.listBreakpoints()
	}
	if !m.live() {
		return m.sayError(errors.New("no program is running here, so nothing would stop at a breakpoint"))
	}
	b, err := control.ParseBreakpoint(args)
	if err != nil {
		return m.sayError(err)
	}
	return m.addBreakpoint(b)
}

func (m *Model) listBreakpoints() tea.Cmd {
	t := &text{title: "Breakpoints"}
	for _, p := range m.points {
		t.lines = append(t.lines, styled{{keycap, fmt.Sprintf("%3d  ", p.ID)}, {plain, p.String()}})
	}
	if len(m.points) == 0 {
		t.lines = append(t.lines, styled{{plain, "There are none. b sets one on what is chosen;"}},
			styled{{plain, ":break takes " + control.BreakpointSyntax}})
	}
	m.overlay = t
	return nil
}

func (m *Model) commandClear(args string) tea.Cmd {
	if !m.live() || len(m.points) == 0 {
		return m.say(muted, "there are no breakpoints")
	}
	if args == "" {
		return m.setBreakpoints(nil, "all breakpoints are cleared")
	}
	n, ok := number(args, "")
	i := slices.IndexFunc(m.points, func(b control.Breakpoint) bool { return b.ID == n })
	if !ok || i < 0 {
		return m.sayError(fmt.Errorf("there is no breakpoint %q; :break lists them", args))
	}
	return m.setBreakpoints(slices.Delete(slices.Clone(m.points), i, i+1), "cleared: "+m.points[i].String())
}

// breakpointWords are what a breakpoint may begin with.
func (m *Model) breakpointWords() []string {
	words := strings.FieldsFunc(control.BreakpointSyntax, func(r rune) bool { return r < 'a' || r > 'z' })
	return append(words, m.names()...)
}
