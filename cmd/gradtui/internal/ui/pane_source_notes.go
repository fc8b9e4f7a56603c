package ui

import (
	"strings"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
)

// A note is what the source pane writes above and below a line.
type note struct{ above, below []styled }

// splitRows is how high the source pane is at least when it shows another place above.
const splitRows = 8

// notes returns the notes of a file's lines: above the line of an error that the cursor stands behind what
// the error says, in at most so many rows, and below the line to change what the open finding says of it.
func (s *state) notes(file string, width, rows int) map[int]note {
	notes := map[int]note{}
	if kind, message, ok := errorAt(s.tape, s.at()-1); ok {
		h, _ := s.event(s.at() - 1)
		if at := inspect.PlaceOf(s.tape, h.Stack, s.at()-1, "").Frame; at.File == file {
			notes[at.Line] = note{above: wrapped(failed, "✗ "+kind+": "+message, width, rows)}
		}
	}
	if f := s.engaged(); f != nil && f.Primary.File == file && !isEnding(f) {
		n := notes[f.Primary.Line]
		n.below = wrapped(severityStyles[f.Severity], "  "+f.Primary.Label, width, rows)
		notes[f.Primary.Line] = n
	}
	return notes
}

// wrapped breaks a text into lines of a style. Dots stand for what has no room.
func wrapped(style cells.Style, text string, width, rows int) (lines []styled) {
	lead := text[:len(text)-len(strings.TrimLeft(text, " "))]
	for i, line := range console.Wrap(console.OneLine(text), max(width-len(lead), 10)) {
		if i == rows {
			lines[i-1] = append(lines[i-1], piece{style, " …"})
			break
		}
		lines = append(lines, styled{{style, lead + line}})
	}
	return lines
}

// engaged returns the open finding while the cursor is at one of its places; nil elsewhere.
func (s *state) engaged() *inspect.Finding {
	f := s.openedFinding()
	if f == nil {
		return nil
	}
	for _, p := range s.places(f) {
		if s.shows(p) {
			return f
		}
	}
	return nil
}

// otherPlace returns the place that belongs beside the one that is shown: the line to change of the finding
// that the cursor is at, or at that line where the program noticed.
func (s *state) otherPlace() (p inspect.Span, ok bool) {
	f := s.engaged()
	if f == nil {
		return p, false
	}
	same := func(p inspect.Span) bool { return p.File == s.place.File && p.Line == s.place.Line }
	p = f.Primary
	for _, next := range append([]inspect.Span{s.symptom(f)}, f.Related...) {
		if same(p) {
			p = next
		}
	}
	return p, p.Known() && !same(p)
}

// drawBoth draws the chosen line and another place, the line to change above the other one, with a rule
// between them.
func (v *sourceView) drawBoth(s *state, r cells.Region, f *source, other inspect.Span, focused bool) {
	context := 0
	if r.H >= 2*splitRows {
		context = 1
	}
	height := 2 + context
	main, beside := r.Below(height+1), r.Part(cells.Rect{W: r.W, H: height})
	border, under, first := height, s.place, v.isCause(s, other)
	hidden := make([]int, height+1)
	if first {
		v.rows = append(v.rows, hidden...)
	} else {
		main, beside = r.Part(cells.Rect{W: r.W, H: r.H - height - 1}), r.Below(r.H-height)
		border, under = main.H, other.Frame
	}
	v.drawFile(s, main, f, focused)
	v.drawBeside(s, beside, other, context)
	r.Fill(0, border, r.W, rule, "╌")
	r.Fit(2, border, r.W-4, muted, " "+lineName(under)+" ")
	if !first {
		for len(v.rows) < main.H {
			v.rows = append(v.rows, s.place.Line)
		}
		v.rows = append(v.rows[:main.H], hidden...)
	}
}

// isCause reports whether a place is the line to change of the open finding.
func (v *sourceView) isCause(s *state, at inspect.Span) bool {
	f := s.openedFinding()
	return f != nil && f.Primary == at
}

// drawBeside draws a place and the lines before it, and what a finding says of it.
func (v *sourceView) drawBeside(s *state, r cells.Region, at inspect.Span, context int) {
	f := s.sources.file(at.File)
	style, y := plain, 0
	for line := max(at.Line-context, 1); line <= min(at.Line, len(f.lines)); line++ {
		v.drawNumbered(s, r, y, f, line-1)
		y++
	}
	if v.isCause(s, at) {
		bad := s.openedFinding().Severity
		style = severityStyles[bad]
		r.Text(0, max(y-1, 0), style, severityMarks[bad])
	}
	for _, row := range wrapped(style, lineName(at.Frame)+" "+at.Label, r.W-2, max(r.H-y, 1)) {
		row.write(r, 1, y)
		y++
	}
}
