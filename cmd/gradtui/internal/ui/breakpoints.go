package ui

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/capture/control"
	"github.com/gradtui/gradtui/graph"
)

// breakpointAt is the index of the breakpoint on a line; -1: there is none.
func (m *Model) breakpointAt(file string, line int) int {
	return slices.IndexFunc(m.points, func(b control.Breakpoint) bool {
		return b.On == control.OnLine && b.Line == line && (b.File == file || strings.HasSuffix(file, "/"+b.File))
	})
}

// A breakable pane has something chosen that a program can stop at.
type breakable interface {
	// breakpoint is one on what is chosen; the zero Breakpoint if there can be none.
	breakpoint(m *Model) control.Breakpoint
}

// toggleBreakpoint sets a breakpoint on what is chosen in the pane with the keys, or
// clears the one that is there.
func (m *Model) toggleBreakpoint() tea.Cmd {
	var b control.Breakpoint
	if p, ok := m.panes[m.focus].(breakable); ok {
		b = p.breakpoint(m)
	}
	if b == (control.Breakpoint{}) {
		return m.say(muted, "select a tensor, node or line first, or type :break WHERE")
	}
	same := func(p control.Breakpoint) bool { p.ID = 0; return p == b }
	if i := slices.IndexFunc(m.points, same); i >= 0 {
		return m.setBreakpoints(slices.Delete(slices.Clone(m.points), i, i+1), "cleared: "+b.String())
	}
	return m.addBreakpoint(b)
}

// breakOnNode is a breakpoint on the operation of a node, or on the tensor whose
// gradient it accumulates.
func (m *Model) breakOnNode(id graph.NodeID) (b control.Breakpoint) {
	n, ok := m.graph().Node(id)
	if !ok {
		return b
	}
	if n.Variable != 0 {
		if b = m.breakOnTensor(n.Variable); b != (control.Breakpoint{}) {
			return b
		}
	}
	return control.Breakpoint{On: control.OnOp, Pattern: n.Name}
}

// breakOnTensor is a breakpoint on a name.
func (m *Model) breakOnTensor(id graph.TensorID) (b control.Breakpoint) {
	if t, ok := m.graph().Tensor(id); ok && t.Name != "" {
		return control.Breakpoint{On: control.OnTensor, Pattern: t.Name}
	}
	return b
}

// breakOnLine is a breakpoint on a line; none if it is not known.
func breakOnLine(f graph.Frame) (b control.Breakpoint) {
	if f.File == "" || f.Line <= 0 {
		return b
	}
	return control.Breakpoint{On: control.OnLine, File: filepath.ToSlash(f.File), Line: f.Line}
}

func (v *graphView) breakpoint(m *Model) (b control.Breakpoint) {
	if v.empty() || v.view.Row(v.chosen).Group != nil {
		return b
	}
	return m.breakOnNode(v.view.Row(v.chosen).Node)
}

// breakpoint is on what the row leads to, or on what all rows are about.
func (v *inspectorView) breakpoint(m *Model) (b control.Breakpoint) {
	about := fact{node: m.chosen.node, tensor: m.chosen.tensor, at: -1}
	if v.chosen < len(v.rows) && v.rows[v.chosen].leads() {
		about = v.rows[v.chosen]
	}
	switch {
	case about.at >= 0:
		return breakOnLine(m.line(about.at))
	case about.tensor != 0:
		if b = m.breakOnTensor(about.tensor); b != (control.Breakpoint{}) {
			return b
		}
		t, _ := m.graph().Tensor(about.tensor)
		return m.breakOnNode(t.Node)
	}
	return m.breakOnNode(about.node)
}

func (v *sourceView) breakpoint(m *Model) control.Breakpoint {
	return breakOnLine(graph.Frame{File: m.place.File, Line: v.chosen + 1})
}

func (v *findingsView) breakpoint(m *Model) (b control.Breakpoint) {
	if v.chosen >= len(v.rows) {
		return b
	}
	row := v.rows[v.chosen]
	return breakOnLine(span(&m.report.Findings[row.finding], max(row.span, 0)).Frame)
}

// breakpoint is on the line of the event that the cursor stands behind.
func (v *timelineView) breakpoint(m *Model) control.Breakpoint {
	return breakOnLine(m.line(m.at() - 1))
}

// breakpoint is on the line of the event that the cursor stands behind.
func (v *outputView) breakpoint(m *Model) control.Breakpoint { return breakOnLine(m.line(m.at() - 1)) }

// breakpoint is on the chosen line.
func (v *memoryView) breakpoint(*Model) (b control.Breakpoint) {
	if v.chosen >= len(v.shown.lines) {
		return b
	}
	return breakOnLine(v.shown.lines[v.chosen].Frame)
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
		return m.sayError(errors.New("no program is running here that could stop at a breakpoint"))
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
		t.lines = append(t.lines, styled{{plain, "There are none. b sets one on the selection;"}},
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
