package ui

import (
	"fmt"
	"strings"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
)

// sourceView shows the file of the current line, with marks at lines: the cursor,
// breakpoints, findings.
type sourceView struct {
	list
	shown graph.Frame // the place that it was scrolled to
	shift int         // columns that are scrolled away to the left
	marks map[int]inspect.Severity
}

func (v *sourceView) about(s *state) string {
	if s.place.File == "" {
		return "no line of the program"
	}
	text := lineName(s.place)
	if s.place.Func != "" {
		text += " in " + s.place.Func
	}
	return console.OneLine(text)
}

func (v *sourceView) refresh(s *state, body cells.Rect) {
	if s.place != v.shown {
		v.chosen = s.place.Line - 1
		if s.place.File != v.shown.File {
			v.shift = 0
		}
		if at := v.chosen - v.top; at < 2 || at >= body.H-2 {
			v.top = max(v.chosen-body.H/2, 0)
		}
		v.shown = s.place
	}
	v.marks = map[int]inspect.Severity{}
	if s.findings.report == nil {
		return
	}
	for _, f := range s.findings.report.Findings {
		if f.Primary.File == s.place.File {
			v.marks[f.Primary.Line] = max(v.marks[f.Primary.Line], f.Severity)
		}
	}
}

func (v *sourceView) draw(s *state, r cells.Region, focused bool) {
	if s.place.File == "" {
		r.Fit(1, 0, r.W-1, muted, "No line of the program belongs to this event.")
		return
	}
	f := s.sources.file(s.place.File)
	if len(f.lines) == 0 {
		r.Fit(1, 0, r.W-1, muted, console.OneLine(f.missing))
		r.Fit(1, 1, r.W-1, plain, v.about(s))
		return
	}
	now := s.line(s.at() - 1)
	from, to := v.window(len(f.lines), r.H)
	gutter := len(fmt.Sprint(len(f.lines))) + 1
	for i := from; i < to; i++ {
		y, line := i-from, i+1
		v.drawMarks(s, r, y, line, now)
		number := fmt.Sprint(line)
		r.Text(2+gutter-len(number), y, lineNumber, number)
		text := r.Part(cells.Rect{X: gutter + 3, Y: y, W: r.W - gutter - 3, H: 1})
		l := console.NewLine(f.lines[i])
		v.drawLine(text, f, i, l)
		if line == s.place.Line {
			from, to := l.Column(len(f.lines[i])-len(strings.TrimLeft(f.lines[i], " \t"))), l.Width()
			if s.place.Col > 0 {
				from = l.Column(s.place.Col - 1)
			}
			if s.place.Col > 0 && s.place.EndLine <= line && s.place.EndCol > s.place.Col {
				to = l.Column(s.place.EndCol - 1)
			}
			text.FlagColumns(from-v.shift, to-v.shift, 0, cells.Marked)
		}
		if i == v.chosen && focused {
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

// drawMarks draws the marks of a line in front of it.
func (v *sourceView) drawMarks(s *state, r cells.Region, y, line int, now graph.Frame) {
	if bad, ok := v.marks[line]; ok {
		r.Text(0, y, severityStyles[bad], severityMarks[bad])
	}
	if s.breakpointAt(s.place.File, line) >= 0 {
		r.Text(0, y, failed, "●")
	}
	switch {
	case now.File == s.place.File && now.Line == line:
		r.Text(1, y, running, "▶")
	case line == s.place.Line:
		r.Text(1, y, strong, "▷")
	}
}

func (v *sourceView) move(s *state, rows, _ int) intent {
	v.list.move(rows, len(s.sources.file(s.place.File).lines))
	return nil
}

// open goes to the next event of the line.
func (v *sourceView) open(s *state) intent { return s.nextAtLine(s.place.File, v.chosen+1) }

func (v *sourceView) click(_ *state, _, row int) intent {
	v.chosen = v.top + row
	return nil
}

func (v *sourceView) sideways(_ *state, n int) intent {
	v.shift = max(v.shift+4*n, 0)
	return nil
}

// nextAtLine is the intent to go behind the next event of a line. After the last event
// comes the first one again.
func (s *state) nextAtLine(file string, line int) intent {
	if p, ok := s.firstOf(file, line, s.at(), s.tape.Len()); ok {
		return after(p)
	}
	if p, ok := s.firstOf(file, line, 0, s.at()); ok {
		return after(p)
	}
	return saying(muted, fmt.Sprintf("nothing was recorded at line %d", line))
}

// firstOf returns the first event of a line in [from, to).
func (s *state) firstOf(file string, line int, from, to graph.Pos) (p graph.Pos, ok bool) {
	var here []bool // by stack: it is on the line
	for p := from; p < to; p++ {
		h, err := s.dec.Header(p)
		if err != nil {
			continue
		}
		for id := graph.StackID(len(here)); id <= h.Stack; id++ {
			top := s.tape.Stack(id).Top()
			here = append(here, top.Line == line && top.File == file)
		}
		if here[h.Stack] {
			return p, true
		}
	}
	return 0, false
}

func (v *sourceView) breakpoint(s *state) string {
	return breakOnLine(graph.Frame{File: s.place.File, Line: v.chosen + 1})
}

func (v *sourceView) copied(s *state) string {
	if s.place.File == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", s.place.File, v.chosen+1)
}

func (v *sourceView) words(s *state) (lines []string) {
	file := s.sources.file(s.place.File)
	if len(file.lines) == 0 {
		return []string{file.missing}
	}
	now := s.line(s.at() - 1)
	from, to := around(v.chosen, len(file.lines))
	for i := from; i < to; i++ {
		text := fmt.Sprintf("%d: %s", i+1, file.lines[i])
		if s.breakpointAt(s.place.File, i+1) >= 0 {
			text = "breakpoint, " + text
		}
		if bad, ok := v.marks[i+1]; ok {
			text = bad.String() + ", " + text
		}
		if now.File == s.place.File && now.Line == i+1 {
			text = "here, " + text
		}
		if i == v.chosen {
			text = "selected, " + text
		}
		lines = append(lines, text)
	}
	return lines
}
