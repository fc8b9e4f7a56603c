package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
)

// outputView shows what the program has printed up to the cursor. While the program
// runs, text that is typed there goes to it.
type outputView struct {
	scroll
	stick  bool  // the newest line stays in sight
	line   input // what is typed for the program
	typing bool
}

func newOutput() *outputView { return &outputView{stick: true} }

func (v *outputView) about(m *Model) string {
	n, now := len(m.printed.lines), m.printed.until(m.at())
	if n == 0 {
		return ""
	}
	text := plural(now+m.printed.dropped, "line")
	if now < n {
		text += fmt.Sprintf("; ↓ %d later", n-now)
	}
	return text
}

func (v *outputView) refresh(*Model) {}

func (v *outputView) draw(m *Model, r cells.Region) {
	n, now := len(m.printed.lines), m.printed.until(m.at())
	height := r.H
	if v.typing {
		height--
	}
	if v.stick { // what was printed last stays in sight, with some of what comes later
		v.top = now - height
		if now < n {
			v.top = now - height*2/3
		}
	}
	v.top = max(min(v.top, n-height), 0)
	if n == 0 {
		r.Fit(1, 0, r.W-1, muted, "The program has not printed anything yet.")
	}
	for y := 0; y < height && v.top+y < n; y++ {
		l := m.printed.lines[v.top+y]
		style, mark := plain, ""
		if l.stream == 2 {
			style, mark = warned, "!"
		}
		if v.top+y >= now {
			style = muted
			if mark == "" {
				mark = "↓"
			}
		}
		r.Text(0, y, style, mark)
		r.Fit(1, y, r.W-1, style, strings.ReplaceAll(l.text, "\t", "    "))
	}
	if v.typing {
		v.line.draw(r, 0, r.H-1, "input> ")
	}
}

func (v *outputView) move(m *Model, rows, page int) {
	n := len(m.printed.lines)
	v.scroll.move(rows, n, page)
	v.stick = v.top >= n-page
}

// open begins to type for the program.
func (v *outputView) open(m *Model) tea.Cmd {
	if !m.live() {
		return m.say(muted, "no program is running here that reads input")
	}
	v.typing = true
	return m.say(muted, "enter sends the line to the program, esc stops typing, ctrl+d ends its input")
}

func (v *outputView) click(*Model, int, int) tea.Cmd { return nil }

// press takes a key that is typed for the program.
func (v *outputView) press(m *Model, key tea.KeyPressMsg) tea.Cmd {
	text := ""
	switch key.String() {
	case "enter":
		text = v.line.String() + "\n"
		v.line = input{}
	case "ctrl+d":
		text = "\x04"
		v.typing = false
	default:
		v.line.press(key)
		return nil
	}
	if err := m.Program.Input(text); err != nil {
		v.typing = false
		return m.sayError(fmt.Errorf("typing to the program: %w", err))
	}
	return nil
}

// typing is the pane in which text is typed; nil: none.
func (m *Model) typing() *outputView {
	v := m.panes[outputPane].(*outputView)
	if m.focus == outputPane && v.typing && m.live() {
		return v
	}
	v.typing = false
	return nil
}
