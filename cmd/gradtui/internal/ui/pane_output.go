package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/internal/console"
)

// outputView shows what the program has printed up to the cursor. While the program
// runs, text that is typed there goes to it.
type outputView struct {
	scroll
	stick  bool  // the newest line stays visible
	line   input // what is typed for the program
	typing bool
	width  int // of the lines in the pane
	height int // of the pane's body
}

func newOutput() *outputView { return &outputView{stick: true} }

func (v *outputView) about(s *state) string {
	n, now := len(s.index.printed.lines), s.index.printed.until(s.at())
	if n == 0 {
		return ""
	}
	text := plural(now+s.index.printed.dropped, "line")
	if from, to, ok := s.amid(); ok {
		text += "; " + amidText(s.index.printed.until(to)-s.index.printed.until(from), "line")
	}
	if now < n {
		text += fmt.Sprintf("; ↓ %d later", n-now)
	}
	return text
}

func (v *outputView) refresh(_ *state, body cells.Rect) { v.height = body.H }

func (v *outputView) draw(s *state, r cells.Region, _ bool) {
	n, now := len(s.index.printed.lines), s.index.printed.until(s.at())
	height := r.H
	if v.typing {
		height--
	}
	left := 0 // columns of the marks of what was printed between the moments
	if s.pin != nil {
		left = 1
	}
	v.width = r.W - 2 - left
	if v.stick { // keeps the newest line visible, with some of the later ones
		v.top = v.firstUpTo(s, now, height)
		if now < n {
			v.top = v.firstUpTo(s, now, height*2/3)
		}
	}
	v.top = max(min(v.top, v.firstUpTo(s, n, height)), 0)
	if n == 0 {
		r.Fit(1, 0, r.W-1, muted, "The program has not printed anything yet.")
	}
	for i, y := v.top, 0; y < height && i < n; i++ {
		l := &s.index.printed.lines[i]
		style, mark := plain, ""
		if l.stream == 2 {
			style, mark = warned, "!"
		}
		if i >= now {
			style = muted
			if mark == "" {
				mark = "↓"
			}
		}
		r.Text(left, y, style, mark)
		between := s.between(l.at)
		for _, part := range broken(l.text, v.width) {
			if y < height {
				r.Text(left+1, y, style, part)
				if between {
					r.Text(0, y, momentMarks[3].style, markAmid)
				}
			}
			y++
		}
	}
	drawScrollBar(r.Part(cells.Rect{W: r.W, H: height}), v.top, n)
	if v.typing {
		v.line.draw(r, 0, r.H-1, "input> ")
	}
}

// broken breaks a line of output where a terminal of so many columns does.
func broken(text string, columns int) (parts []string) {
	text = strings.ReplaceAll(text, "\t", "    ")
	from, used := 0, 0
	for i, c := range text {
		n := console.RuneWidth(console.Shown(c))
		if used+n > columns && i > from {
			parts, from, used = append(parts, text[from:i]), i, 0
		}
		used += n
	}
	return append(parts, text[from:])
}

// firstUpTo returns the first of the lines before one of them that fit into so many rows together.
func (v *outputView) firstUpTo(s *state, end, rows int) int {
	first := end
	for ; first > 0; first-- {
		if rows -= len(broken(s.index.printed.lines[first-1].text, v.width)); rows < 0 && first < end {
			break
		}
	}
	return first
}

func (v *outputView) move(s *state, rows, page int) intent {
	last := v.firstUpTo(s, len(s.index.printed.lines), page)
	v.top = max(min(v.top+rows, last), 0)
	v.stick = v.top >= last && s.index.printed.until(s.at()) == len(s.index.printed.lines)
	return nil
}

// open starts to type input for the program.
func (v *outputView) open(s *state) intent {
	if !s.live() {
		return saying(muted, noReader)
	}
	v.typing = true
	return saying(muted, "enter sends the line to the program, esc stops typing, ctrl+d ends its input")
}

// noReader is said when text for the program has no program.
const noReader = "no running program reads input here"

func (v *outputView) click(*state, int, int) intent { return nil }

// press takes a key that is typed for the program.
func (v *outputView) press(key tea.KeyPressMsg) intent {
	switch key.String() {
	case "enter":
		text := v.line.String() + "\n"
		v.line = input{}
		return sendInput(text)
	case "ctrl+d":
		v.typing = false
		return sendInput("\x04")
	}
	v.line.press(key)
	return nil
}

// typing returns the pane in which text is being typed; nil if none.
func (m *Model) typing() *outputView {
	v := m.panes.output
	if m.focus == outputPane && v.typing && m.live() {
		return v
	}
	v.typing = false
	return nil
}

// breakpoint is on the line of the event that the cursor stands behind.
func (v *outputView) breakpoint(s *state) string { return breakOnLine(s.line(s.at() - 1)) }

// copied returns the visible output.
func (v *outputView) copied(s *state) string {
	from := v.top
	var text []string
	for i := from; i < min(from+v.height, len(s.index.printed.lines)); i++ {
		text = append(text, s.index.printed.lines[i].text)
	}
	return strings.Join(text, "\n")
}

func (v *outputView) words(s *state) (lines []string) {
	n := s.index.printed.until(s.at())
	from := max(n-maxRows, 0)
	if from+s.index.printed.dropped > 0 {
		lines = append(lines, fmt.Sprintf("%s before.", plural(from+s.index.printed.dropped, "line")))
	}
	for _, line := range s.index.printed.lines[from:n] {
		text := line.words()
		if s.between(line.at) {
			text = "Between A and B: " + text
		}
		lines = append(lines, text)
	}
	return lines
}

func (v *outputView) rowCount(s *state) int { return len(s.index.printed.lines) }

func (v *outputView) wheel(s *state, rows, page int) { v.move(s, rows, page) }
