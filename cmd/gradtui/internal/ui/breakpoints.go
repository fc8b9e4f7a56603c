package ui

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
)

// breakpointAt returns the index of the breakpoint on a line, or -1.
func (s *state) breakpointAt(file string, line int) int {
	return slices.IndexFunc(s.program.breakpoints, func(b control.Breakpoint) bool {
		return b.On == control.OnLine && b.Line == line && (b.File == file || strings.HasSuffix(file, "/"+b.File))
	})
}

// toggleBreakpoint sets a breakpoint on what is chosen in the focused pane, or clears it.
func (m *Model) toggleBreakpoint() tea.Cmd {
	var b control.Breakpoint
	if p, ok := m.panes.all[m.focus].(breakable); ok {
		b = p.breakpoint(&m.state)
	}
	if b == (control.Breakpoint{}) {
		return m.say(muted, "select a tensor, node or line first, or type :break WHERE")
	}
	same := func(p control.Breakpoint) bool { p.ID = 0; return p == b }
	if i := slices.IndexFunc(m.program.breakpoints, same); i >= 0 {
		return m.setBreakpoints(slices.Delete(slices.Clone(m.program.breakpoints), i, i+1), "cleared: "+b.String())
	}
	return m.addBreakpoint(b)
}

// breakOnNode returns a breakpoint on the operation of a node, or on the tensor whose
// gradient it accumulates.
func (s *state) breakOnNode(id graph.NodeID) (b control.Breakpoint) {
	n, ok := s.graph().Node(id)
	if !ok {
		return b
	}
	if n.Variable != 0 {
		if b = s.breakOnTensor(n.Variable); b != (control.Breakpoint{}) {
			return b
		}
	}
	return control.Breakpoint{On: control.OnOp, Pattern: n.Name}
}

// breakOnTensor returns a breakpoint on the name of a tensor.
func (s *state) breakOnTensor(id graph.TensorID) (b control.Breakpoint) {
	if t, ok := s.graph().Tensor(id); ok && t.Name != "" {
		return control.Breakpoint{On: control.OnTensor, Pattern: t.Name}
	}
	return b
}

// breakOnLine returns a breakpoint on a line; the zero Breakpoint if the line is unknown.
func breakOnLine(f graph.Frame) (b control.Breakpoint) {
	if f.File == "" || f.Line <= 0 {
		return b
	}
	return control.Breakpoint{On: control.OnLine, File: filepath.ToSlash(f.File), Line: f.Line}
}

func (m *Model) addBreakpoint(b control.Breakpoint) tea.Cmd {
	b.ID = 1
	for _, p := range m.program.breakpoints {
		b.ID = max(b.ID, p.ID+1)
	}
	return m.setBreakpoints(append(slices.Clone(m.program.breakpoints), b), fmt.Sprintf("breakpoint %d: %s", b.ID, b))
}

// setBreakpoints replaces the breakpoints of the program.
func (m *Model) setBreakpoints(points []control.Breakpoint, said string) tea.Cmd {
	if err := m.Program.Break(points...); err != nil {
		return m.sayError(err)
	}
	m.program.breakpoints = points
	return m.say(strong, said)
}

func (m *Model) commandBreak(args string) tea.Cmd {
	if args == "" {
		return m.listBreakpoints()
	}
	if !m.live() {
		return m.sayError(errors.New("breakpoints need a running program; this is a recorded tape"))
	}
	b, err := control.ParseBreakpoint(args)
	if err != nil {
		return m.sayError(err)
	}
	return m.addBreakpoint(b)
}

func (m *Model) listBreakpoints() tea.Cmd {
	t := &text{title: "Breakpoints"}
	for _, p := range m.program.breakpoints {
		t.lines = append(t.lines, styled{{keycap, fmt.Sprintf("%3d  ", p.ID)}, {plain, p.String()}})
	}
	if len(m.program.breakpoints) == 0 {
		t.lines = append(t.lines, styled{{plain, "There are none. b sets one on the selection;"}},
			styled{{plain, ":break takes " + control.BreakpointSyntax}})
	}
	m.overlay = t
	return nil
}

func (m *Model) commandClear(args string) tea.Cmd {
	if !m.live() || len(m.program.breakpoints) == 0 {
		return m.say(muted, "there are no breakpoints")
	}
	if args == "" {
		return m.setBreakpoints(nil, "all breakpoints are cleared")
	}
	n, ok := number(args, "")
	i := slices.IndexFunc(m.program.breakpoints, func(b control.Breakpoint) bool { return b.ID == n })
	if !ok || i < 0 {
		return m.sayError(fmt.Errorf("there is no breakpoint %q; :break lists them", args))
	}
	return m.setBreakpoints(slices.Delete(slices.Clone(m.program.breakpoints), i, i+1), "cleared: "+m.program.breakpoints[i].String())
}

// breakpointWords returns the words that a breakpoint may begin with, for completion.
func (s *state) breakpointWords() []string {
	words := strings.FieldsFunc(control.BreakpointSyntax, func(r rune) bool { return r < 'a' || r > 'z' })
	return append(words, s.names()...)
}
