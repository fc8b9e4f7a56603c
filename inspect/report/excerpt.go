package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
)

// maxSpanLines is how many lines of a long span are shown.
const maxSpanLines = 4

// A mark underlines a part of a line.
type mark struct {
	line     int
	from, to int // bytes of the line; to is after the last one
	label    string
	primary  bool
	more     bool // the span goes on below
}

// excerpts shows the lines that a finding is about, one file after the other, each in the order of
// its lines. The primary span's file comes first.
func (t *textWriter) excerpts(f *inspect.Finding, style console.Style) {
	if !f.Primary.Known() {
		return
	}
	spans := append([]inspect.Span{f.Primary}, f.Related...)
	files, gutter := []string{}, 1
	for _, s := range spans {
		if !slices.Contains(files, s.File) {
			files = append(files, s.File)
		}
		gutter = max(gutter, len(fmt.Sprint(min(max(s.EndLine, s.Line), s.Line+maxSpanLines-1))))
	}
	for i, file := range files {
		t.excerpt(excerpt{t, gutter, style}, file, i == 0, spans)
	}
}

// An excerpt is how lines are shown.
type excerpt struct {
	*textWriter
	gutter int
	style  console.Style // of the primary span
}

func (t *textWriter) excerpt(x excerpt, file string, first bool, spans []inspect.Span) {
	var marks []mark
	var unseen []inspect.Span
	var head inspect.Span
	for i, s := range spans {
		if s.File != file {
			continue
		}
		if head.File == "" {
			head = s
		}
		if m := t.marks(s, i == 0); m != nil {
			marks = append(marks, m...)
		} else {
			unseen = append(unseen, s)
		}
	}
	arrow := ":::"
	if first {
		arrow = "-->"
	}
	fmt.Fprintf(t, "%s%s %s\n", strings.Repeat(" ", x.gutter), t.In(console.Blue, arrow), console.OneLine(t.place(head)))
	if len(marks) > 0 {
		x.margin("")
		x.newline()
	}
	slices.SortStableFunc(marks, func(a, b mark) int { return cmp.Compare(a.line, b.line) })
	for i, m := range marks {
		if i == 0 || marks[i-1].line != m.line {
			x.source(file, m)
		}
		x.underline(file, m)
		if m.more {
			fmt.Fprintln(x, x.In(console.Blue, "..."))
		}
	}
	for _, s := range unseen {
		if s.Label != "" {
			x.unseen(s)
		}
	}
}

// unseen shows a span whose source is not known.
func (x *excerpt) unseen(s inspect.Span) {
	lead := fmt.Sprintf("%*s = ", x.gutter, "")
	for _, line := range console.Wrap(console.OneLine(fmt.Sprintf("line %d: %s", s.Line, s.Label)), columns-len(lead)) {
		fmt.Fprintf(x, "%s%s\n", x.In(console.Blue, lead), line)
		lead = strings.Repeat(" ", len(lead))
	}
}

// place is a span's beginning: file:line:col.
func (r *Report) place(s inspect.Span) string {
	l := r.locate(s)
	if l.Col > 0 {
		return fmt.Sprintf("%s:%d:%d", l.File, l.Line, l.Col)
	}
	return fmt.Sprintf("%s:%d", l.File, l.Line)
}

// marks are what is to be underlined for a span; nil if the source is not known.
func (r *Report) marks(s inspect.Span, primary bool) (marks []mark) {
	last := max(s.EndLine, s.Line)
	for n := s.Line; n <= min(last, s.Line+maxSpanLines-1); n++ {
		text, ok := r.line(s.File, n)
		if !ok {
			break
		}
		code := strings.TrimRight(text, " \t")
		m := mark{line: n, from: len(code) - len(strings.TrimLeft(code, " \t")), to: len(code), primary: primary}
		if n == s.Line && s.Col > 0 {
			m.from = min(s.Col-1, len(text))
		}
		if n == s.EndLine && s.EndCol > 0 && s.Col > 0 {
			m.to = min(s.EndCol-1, len(text))
		}
		marks = append(marks, m)
	}
	if n := len(marks); n > 0 {
		marks[n-1].label = s.Label
		marks[n-1].more = n == maxSpanLines && last >= s.Line+maxSpanLines
	}
	return marks
}

// margin begins a line with a text in the gutter.
func (x *excerpt) margin(number string) {
	fmt.Fprint(x, x.In(console.Blue, fmt.Sprintf("%*s |", x.gutter, number)))
}

func (x *excerpt) newline() { fmt.Fprintln(x) }

// room is how wide the source may be.
func (x *excerpt) room() int { return columns - x.gutter - 3 }

// cut lays out a line so that what is marked can be seen. from and to are the
// columns of the mark.
func (x *excerpt) cut(file string, m mark) (text string, from, to int) {
	source, _ := x.line(file, m.line)
	l := console.NewLine(source)
	from, to = l.Column(m.from), l.Column(m.to)
	text, shift := l.Cut(from, to, x.room())
	from = from - shift
	return text, from, max(min(to-shift, x.room()), from+1)
}

// source writes a line of the program.
func (x *excerpt) source(file string, m mark) {
	text, _, _ := x.cut(file, m)
	x.margin(fmt.Sprint(m.line))
	if text != "" {
		fmt.Fprint(x, " ", strings.TrimRight(text, " "))
	}
	x.newline()
}

// minLabel is the least width of a label beside the underline. With less room the label goes
// below.
const minLabel = 24

// underline writes the line below: what is marked, and what it has to do with the
// finding.
func (x *excerpt) underline(file string, m mark) {
	_, from, to := x.cut(file, m)
	sign, style := "-", console.Blue
	if m.primary {
		sign, style = "^", x.style
	}
	x.margin("")
	fmt.Fprint(x, " ", strings.Repeat(" ", from), x.In(style, strings.Repeat(sign, to-from)))
	label := console.OneLine(m.label)
	if label == "" {
		x.newline()
		return
	}
	beside := x.room() - to - 1
	if beside < min(minLabel, console.Width(label)) {
		x.newline()
		to = min(from, x.room()-minLabel) - 1
		x.label(style, to, console.Wrap(label, x.room()-to-1))
		return
	}
	lines := console.Wrap(label, beside)
	fmt.Fprint(x, " ", x.In(style, lines[0]))
	x.newline()
	x.label(style, to, lines[1:])
}

// label writes lines of a label after a column.
func (x *excerpt) label(style console.Style, after int, lines []string) {
	for _, line := range lines {
		x.margin("")
		fmt.Fprint(x, " ", strings.Repeat(" ", after+1), x.In(style, line))
		x.newline()
	}
}
