package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/internal/console"
)

// An overlay is drawn over the panes and takes all keys until it is closed.
type overlay interface {
	draw(m *Model, r cells.Region)
	press(m *Model, key tea.KeyPressMsg) tea.Cmd
	paste(m *Model, text string) tea.Cmd
	// cursor returns where text is typed; nil if nowhere.
	cursor(m *Model) *tea.Cursor
}

func (m *Model) close() tea.Cmd {
	m.overlay, m.index.listed = nil, nil
	return nil
}

// box draws the frame of an overlay in the middle of the screen and returns its inside.
func box(r cells.Region, title string, columns, rows int) cells.Region {
	columns, rows = min(columns+4, r.W), min(rows+2, r.H)
	frame := r.Part(cells.Rect{X: (r.W - columns) / 2, Y: (r.H - rows) / 2, W: columns, H: rows})
	frame.Clear()
	frame.Text(0, 0, headFocus, "┏")
	frame.Fill(1, 0, columns-2, headFocus, "━")
	frame.Text(columns-1, 0, headFocus, "┓")
	for y := 1; y < rows-1; y++ {
		frame.Text(0, y, headFocus, "┃")
		frame.Text(columns-1, y, headFocus, "┃")
	}
	frame.Text(0, rows-1, headFocus, "┗")
	frame.Fill(1, rows-1, columns-2, headFocus, "━")
	frame.Text(columns-1, rows-1, headFocus, "┛")
	frame.Fit(2, 0, columns-4, headFocus, " "+title+" ")
	return frame.Part(cells.Rect{X: 2, Y: 1, W: columns - 4, H: rows - 2})
}

// A text is an overlay of lines that can be scrolled.
type text struct {
	title string
	lines []styled
	drawn drawn
	scroll
}

// Drawn are lines of a text that are said in other words where nothing is drawn.
type drawn struct {
	from, to int
	words    []string
}

// words are the lines without styles.
func (t *text) words() []string {
	p := t.drawn
	return slices.Concat(sentences(t.lines[:p.from]), p.words, sentences(t.lines[p.to:]))
}

// A question is an overlay that waits for one key.
type question struct {
	title, text, answers string
	yes                  []string // the keys that mean it
	do                   Do
}

func (q *question) draw(m *Model, r cells.Region) {
	width := min(max(console.Width(q.text), console.Width(q.answers)), m.columns-6)
	lines := wrapped(plain, q.text, width, max(m.rows-6, 1))
	inside := box(r, q.title, width, len(lines)+1)
	for y, line := range lines {
		line.write(inside, 0, y)
	}
	inside.Fit(0, len(lines), inside.W, muted, q.answers)
}

func (q *question) press(m *Model, key tea.KeyPressMsg) tea.Cmd {
	m.close()
	if slices.Contains(q.yes, key.String()) {
		return q.do(m)
	}
	return nil
}

func (q *question) paste(*Model, string) tea.Cmd { return nil }
func (q *question) cursor(*Model) *tea.Cursor    { return nil }

// styled is a line of pieces.
type styled []piece

type piece struct {
	style cells.Style
	text  string
}

// width returns how many columns the pieces take.
func (s styled) width() (columns int) {
	for _, p := range s {
		columns += console.Width(p.text)
	}
	return columns
}

// text returns the line without styles.
func (s styled) text() string {
	text := ""
	for _, p := range s {
		text += p.text
	}
	return text
}

// write draws the pieces one after the other and returns the column after them.
func (s styled) write(r cells.Region, x, y int) int {
	for _, p := range s {
		x = r.Fit(x, y, r.W-x, p.style, p.text)
	}
	return x
}

func (t *text) draw(m *Model, r cells.Region) {
	width := 0
	for _, l := range t.lines {
		width = max(width, l.width())
	}
	width = min(max(width, 40), m.columns-6)
	height := min(len(t.lines), m.rows-5)
	inside := box(r, t.title, width, height+1)
	for y := 0; y < inside.H-1 && t.top+y < len(t.lines); y++ {
		t.lines[t.top+y].write(inside, 0, y)
	}
	more := "esc closes"
	if len(t.lines) > height {
		more = "↑ ↓ scroll · esc closes"
	}
	inside.Fit(0, inside.H-1, inside.W, muted, more)
}

func (t *text) press(m *Model, key tea.KeyPressMsg) tea.Cmd {
	height := min(len(t.lines), m.rows-5)
	if by, ok := scrolling(key.String(), height); ok {
		t.move(by, len(t.lines), height)
		return nil
	}
	switch key.String() {
	case "esc", "q", "?", "enter", "ctrl+c", "f1":
		return m.close()
	}
	return nil
}

// scrolling returns by how many rows a key scrolls an area of this height.
func scrolling(key string, height int) (rows int, ok bool) {
	switch key {
	case "down", "j":
		return 1, true
	case "up", "k":
		return -1, true
	case "pgdown", "space":
		return height, true
	case "pgup":
		return -height, true
	case "home":
		return -allRows, true
	case "end":
		return allRows, true
	}
	return 0, false
}

func (t *text) paste(*Model, string) tea.Cmd { return nil }
func (t *text) cursor(*Model) *tea.Cursor    { return nil }
