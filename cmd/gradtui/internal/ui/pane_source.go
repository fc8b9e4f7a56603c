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
	rows  []int // the line of each row that was drawn; 0: it is in another place
}

func (v *sourceView) about(s *state) string {
	if s.place.File == "" {
		return "no line of the program"
	}
	text := lineName(s.place)
	if s.editOf(s.place.File) != nil {
		text += " as it ran; edited since ·"
	}
	if s.place.Func != "" {
		text += " in " + s.place.Func
	}
	return console.OneLine(text)
}

func (v *sourceView) refresh(s *state, body cells.Rect) {
	if s.place != v.shown {
		v.chosen, v.away = s.place.Line-1, 0
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
	v.rows = v.rows[:0]
	if s.place.File == "" {
		r.Fit(1, 0, r.W-1, muted, "No line of the program belongs to this event.")
		return
	}
	f := s.sources.file(s.place.File)
	if len(f.lines) == 0 {
		for y, line := range console.Wrap(console.OneLine(f.missing), max(r.W-2, 1)) {
			r.Text(1, y, muted, line)
		}
		return
	}
	if other, ok := s.otherPlace(); ok && r.H >= splitRows && !v.scrolledAway() {
		if from, to := v.window(len(f.lines), r.H); other.File != s.place.File || other.Line <= from || other.Line > to {
			v.drawBoth(s, r, f, other, focused)
			return
		}
	}
	v.drawFile(s, r, f, focused)
}

// drawFile draws the lines of a file around the chosen one, with the notes of lines between them.
func (v *sourceView) drawFile(s *state, r cells.Region, f *source, focused bool) {
	notes := s.notes(s.place.File, r.W-2, max(r.H/4, 1))
	height := r.H
	for range 2 { // what the notes take is missing at the end
		from, to := v.window(len(f.lines), height)
		height = r.H
		for line, n := range notes {
			if line > from && line <= to {
				height = max(height-len(n.above)-len(n.below), 1)
			}
		}
	}
	now := s.line(s.at() - 1)
	from, _ := v.window(len(f.lines), height)
	y := 0
	note := func(line int, rows []styled) {
		for _, row := range rows {
			row.write(r, 1, y)
			v.rows = append(v.rows, line)
			y++
		}
	}
	for i := from; i < len(f.lines) && y < r.H; i++ {
		line := i + 1
		note(line, notes[line].above)
		v.drawMarks(s, r, y, line, now)
		v.drawNumbered(s, r, y, f, i)
		if i == v.chosen && focused {
			r.Flag(y, cells.Chosen)
		}
		v.rows = append(v.rows, line)
		y++
		note(line, notes[line].below)
	}
	drawScrollBar(r, from, len(f.lines))
}

// drawNumbered draws a line with its number. The columns that the program is at are marked; dots stand for
// what is cut off.
func (v *sourceView) drawNumbered(s *state, r cells.Region, y int, f *source, i int) {
	gutter := len(fmt.Sprint(len(f.lines))) + 1
	number := fmt.Sprint(i + 1)
	r.Text(2+gutter-len(number), y, lineNumber, number)
	if s.ran(s.place.File, i+1) && f == s.sources.file(s.place.File) {
		r.Text(2+gutter, y, momentMarks[3].style, markAmid)
	}
	text := r.Part(cells.Rect{X: gutter + 3, Y: y, W: r.W - gutter - 4, H: 1})
	l := console.NewLine(f.lines[i])
	v.drawLine(text, f, i, l)
	if l.Width()-v.shift > text.W {
		text.Text(text.W-1, 0, muted, "…")
	}
	if at := s.place; i+1 == at.Line && f == s.sources.file(at.File) {
		from, to := l.Column(len(f.lines[i])-len(strings.TrimLeft(f.lines[i], " \t"))), l.Width()
		if at.Col > 0 {
			from = l.Column(at.Col - 1)
		}
		if at.Col > 0 && at.EndLine <= at.Line && at.EndCol > at.Col {
			to = l.Column(at.EndCol - 1)
		}
		text.FlagColumns(from-v.shift, to-v.shift, 0, cells.Marked)
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

// click chooses a line; before its text it sets or clears a breakpoint there.
func (v *sourceView) click(s *state, column, row int) intent {
	if row >= len(v.rows) {
		return nil
	}
	if other, ok := s.otherPlace(); v.rows[row] == 0 && ok {
		return toPlace(other)
	}
	v.chosen = max(v.rows[row]-1, 0)
	if column < v.gutter(s) {
		return toggleBreak{}
	}
	return nil
}

func (v *sourceView) sideways(_ *state, n int) intent {
	v.shift = max(v.shift+4*n, 0)
	return nil
}

// nextAtLine is the intent to go behind the next event of a line. After the last event
// comes the first one again.
func (s *state) nextAtLine(file string, line int) intent {
	if p, ok := s.nextOfLine(file, line); ok {
		return after(p)
	}
	return saying(muted, fmt.Sprintf("nothing was recorded at line %d", line))
}

// nextOfLine returns the next event of a line, or else the first one.
func (s *state) nextOfLine(file string, line int) (p graph.Pos, ok bool) {
	if p, ok := s.firstOf(file, line, s.at(), s.tape.Len()); ok {
		return p, true
	}
	return s.firstOf(file, line, 0, s.at())
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
		if s.ran(s.place.File, i+1) {
			text = "between A and B, " + text
		}
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

func (v *sourceView) wheel(s *state, rows, page int) {
	v.scroll(rows, len(s.sources.file(s.place.File).lines), page)
}

// gutter is how many columns stand before the text.
func (v *sourceView) gutter(s *state) int {
	return len(fmt.Sprint(len(s.sources.file(s.place.File).lines))) + 3
}
