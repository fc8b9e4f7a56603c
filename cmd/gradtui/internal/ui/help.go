package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/internal/console"
)

// help is the overlay of the keys that work at the moment, the panes, the commands and the marks. What is
// typed filters them.
type help struct {
	text
	input
	rows []helpRow
}

// A helpRow is a row of the help, which may have a second line.
type helpRow struct {
	group string
	lines []styled
}

// openHelp opens the help.
func (m *Model) openHelp() tea.Cmd {
	h := &help{text: text{title: "Keys"}}
	row := func(group, label string, style cells.Style, says string) {
		line := styled{{style, "  " + label + strings.Repeat(" ", max(14-console.Width(label), 1))}, {plain, says}}
		h.rows = append(h.rows, helpRow{group, []styled{line}})
	}
	for i := range m.keys {
		if b := &m.keys[i]; b.help != "" && b.works(m) {
			row(b.group, m.label(b), keycap, b.help)
		}
	}
	for id := range paneCount {
		row("Panes", id.key(), keycap, id.name()+": "+paneKinds[id].help)
	}
	for _, c := range commands {
		h.rows = append(h.rows, helpRow{"Commands", []styled{{{keycap, "  :" + c.name + " " + c.args}}, {{plain, "      " + c.help}}}})
	}
	marks := statusMarks[:]
	if focused(timelinePane, memoryPane)(m) {
		marks = timeMarks[:]
	}
	if m.pin != nil {
		marks = slices.Concat(marks, momentMarks[:])
	}
	for _, s := range marks {
		row("Marks", s.mark, s.style, s.means)
	}
	h.filter()
	m.overlay = h
	return nil
}

// filter lays the rows that have all words of the text, with their groups.
func (h *help) filter() {
	h.text.lines, h.text.top = nil, 0
	words := strings.Fields(strings.ToLower(h.input.String()))
	group := ""
	for _, row := range h.rows {
		said := strings.ToLower(row.group)
		for _, line := range row.lines {
			said += " " + strings.ToLower(line.text())
		}
		if !hasAll(said, words) {
			continue
		}
		if row.group != group {
			if group != "" {
				h.text.lines = append(h.text.lines, nil)
			}
			group = row.group
			h.text.lines = append(h.text.lines, styled{{headline, group}})
		}
		h.text.lines = append(h.text.lines, row.lines...)
	}
}

func hasAll(said string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(said, w) {
			return false
		}
	}
	return true
}

func (h *help) draw(m *Model, r cells.Region) {
	width := 40
	for _, row := range h.rows { // of all rows, so that typing does not move the frame
		for _, line := range row.lines {
			width = max(width, line.width())
		}
	}
	height := h.height(m)
	inside := box(r, h.title, min(width, m.columns-6), height+1)
	for y := 0; y < height && h.top+y < len(h.text.lines); y++ {
		h.text.lines[h.top+y].write(inside, 0, y)
	}
	if len(h.text.lines) == 0 {
		inside.Fit(0, 0, inside.W, muted, "Nothing has these words.")
	}
	if typed := h.input.String(); typed != "" {
		x := inside.Fit(0, inside.H-1, inside.W, keycap, "search: "+typed)
		inside.Fit(x+2, inside.H-1, inside.W-x-2, muted, "esc clears")
		return
	}
	inside.Fit(0, inside.H-1, inside.W, muted, "type to search · ↑ ↓ scroll · esc closes")
}

// height is how many rows are seen: as many as all take, also while fewer are left.
func (h *help) height(m *Model) int {
	all := 0
	group := ""
	for _, row := range h.rows {
		if row.group != group {
			all, group = all+2, row.group
		}
		all += len(row.lines)
	}
	return max(min(all-1, m.rows-5), 1)
}

func (h *help) press(m *Model, key tea.KeyPressMsg) tea.Cmd {
	name := key.String()
	by, scrolls := scrolling(name, h.height(m))
	switch {
	case scrolls && key.Text == "":
		h.text.move(by, len(h.text.lines), h.height(m))
	case name == "esc" && len(h.input.text) > 0:
		h.input.set("")
		h.filter()
	case name == "esc" || name == "enter" || name == "ctrl+c" || name == "f1" || name == "?" && len(h.input.text) == 0:
		return m.close()
	case name == "space" && len(h.input.text) == 0:
		h.text.move(h.height(m), len(h.text.lines), h.height(m))
	default:
		before := h.input.String()
		if h.input.press(key); h.input.String() != before {
			h.filter()
		}
	}
	return nil
}

func (h *help) paste(_ *Model, pasted string) tea.Cmd {
	h.input.insert(pasted)
	h.filter()
	return nil
}

func (h *help) cursor(*Model) *tea.Cursor { return nil }
