package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
)

// sourceView shows the file of the place that everything else is about, with marks
// at lines: where the cursor is, breakpoints, findings.
type sourceView struct {
	list
	shown graph.Frame // the place that it was scrolled to
	shift int         // columns to the left of what is seen
	marks map[int]inspect.Severity
}

func newSource() *sourceView { return &sourceView{} }

func (v *sourceView) about(m *Model) string {
	if m.place.File == "" {
		return "no line of the program"
	}
	text := lineName(m.place)
	if m.place.Func != "" {
		text += " in " + m.place.Func
	}
	return console.OneLine(text)
}

func (v *sourceView) refresh(m *Model) {
	if m.place != v.shown {
		v.chosen = m.place.Line - 1
		if m.place.File != v.shown.File {
			v.shift = 0
		}
		height := m.layout.panes[sourcePane].H - 1
		if at := v.chosen - v.top; at < 2 || at >= height-2 {
			v.top = max(v.chosen-height/2, 0)
		}
		v.shown = m.place
	}
	v.marks = map[int]inspect.Severity{}
	if m.report == nil {
		return
	}
	for _, f := range m.report.Findings {
		if f.Primary.File == m.place.File {
			v.marks[f.Primary.Line] = max(v.marks[f.Primary.Line], f.Severity)
		}
	}
}

func (v *sourceView) draw(m *Model, r cells.Region) {
	if m.place.File == "" {
		r.Fit(1, 0, r.W-1, muted, "No line of the program belongs to this event.")
		return
	}
	f := m.sources.file(m.place.File)
	if len(f.lines) == 0 {
		r.Fit(1, 0, r.W-1, muted, console.OneLine(f.missing))
		r.Fit(1, 1, r.W-1, plain, v.about(m))
		return
	}
	now := m.line(m.at() - 1)
	from, to := v.window(len(f.lines), r.H)
	gutter := len(fmt.Sprint(len(f.lines))) + 1
	for i := from; i < to; i++ {
		y, line := i-from, i+1
		v.drawMarks(m, r, y, line, now)
		number := fmt.Sprint(line)
		r.Text(2+gutter-len(number), y, lineNumber, number)
		text := r.Part(cells.Rect{X: gutter + 3, Y: y, W: r.W - gutter - 3, H: 1})
		l := console.NewLine(f.lines[i])
		v.drawLine(text, f, i, l)
		if line == m.place.Line {
			from, to := l.Column(len(f.lines[i])-len(strings.TrimLeft(f.lines[i], " \t"))), l.Width()
			if m.place.Col > 0 {
				from = l.Column(m.place.Col - 1)
			}
			if m.place.Col > 0 && m.place.EndLine <= line && m.place.EndCol > m.place.Col {
				to = l.Column(m.place.EndCol - 1)
			}
			text.FlagColumns(from-v.shift, to-v.shift, 0, cells.Marked)
		}
		if i == v.chosen && m.focus == sourcePane {
			r.Flag(y, cells.Chosen)
		}
	}
}

// drawLine draws a line in its colours.
func (v *sourceView) drawLine(r cells.Region, f *source, i int, l *console.Line) {
	if i >= len(f.colours) || len(f.colours[i]) == 0 {
		r.Text(-v.shift, 0, plain, l.Text(0, l.Width()))
		return
	}
	at := 0
	for _, s := range f.colours[i] {
		to := l.Column(s.end)
		r.Text(at-v.shift, 0, s.style, l.Text(at, to))
		at = to
	}
}

// drawMarks draws what is to be said about a line in front of it.
func (v *sourceView) drawMarks(m *Model, r cells.Region, y, line int, now graph.Frame) {
	if s, ok := v.marks[line]; ok {
		r.Text(0, y, severityStyles[s], severityMarks[s])
	}
	if m.breakpointAt(m.place.File, line) >= 0 {
		r.Text(0, y, failed, "●")
	}
	switch {
	case now.File == m.place.File && now.Line == line:
		r.Text(1, y, running, "▶")
	case line == m.place.Line:
		r.Text(1, y, strong, "▷")
	}
}

func (v *sourceView) move(m *Model, rows, _ int) {
	v.list.move(rows, len(m.sources.file(m.place.File).lines))
}

// open goes to the first event of the line after the cursor, or else of the whole
// tape.
func (v *sourceView) open(m *Model) tea.Cmd { return m.goToLine(m.place.File, v.chosen+1) }

func (v *sourceView) click(m *Model, _, row int) tea.Cmd {
	v.chosen = v.top + row
	return nil
}

func (v *sourceView) sideways(_ *Model, n int) tea.Cmd {
	v.shift = max(v.shift+4*n, 0)
	return nil
}

// goToLine goes behind the next event of a line; after the last one comes the first
// one again.
func (m *Model) goToLine(file string, line int) tea.Cmd {
	if p, ok := m.firstOf(file, line, m.at(), m.tape.Len()); ok {
		return m.goToEvent(p)
	}
	if p, ok := m.firstOf(file, line, 0, m.at()); ok {
		return m.goToEvent(p)
	}
	return m.say(muted, fmt.Sprintf("nothing was recorded at line %d", line))
}

// firstOf is the first event of a line from one position up to, not including, another
// one.
func (m *Model) firstOf(file string, line int, from, to graph.Pos) (p graph.Pos, ok bool) {
	var here []bool // by stack: it is on the line
	for p := from; p < to; p++ {
		h, err := m.dec.Header(p)
		if err != nil {
			continue
		}
		for id := graph.StackID(len(here)); id <= h.Stack; id++ {
			top := m.tape.Stack(id).Top()
			here = append(here, top.Line == line && top.File == file)
		}
		if here[h.Stack] {
			return p, true
		}
	}
	return 0, false
}
