package terminal

import (
	"fmt"
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// A Screen is what a terminal shows at one moment.
type Screen struct {
	Columns, Rows int
	Cursor        struct {
		X, Y   int
		Hidden bool
	}
	cells []uv.Cell
}

// A Cell is one character on the screen and how it looks.
type Cell struct {
	Text   string // one grapheme, "" for the second half of a wide one
	Fg, Bg string // a number of the palette, "#rrggbb", or "" for the terminal's own
	Attrs  string // any of bold, faint, italic, underline, blink, reverse, conceal, strike
}

func snapshot(emulator *vt.Emulator, m *modes) Screen {
	s := Screen{Columns: emulator.Width(), Rows: emulator.Height()}
	at := emulator.CursorPosition()
	s.Cursor.X, s.Cursor.Y, s.Cursor.Hidden = at.X, at.Y, m.cursorHidden()
	s.cells = make([]uv.Cell, 0, s.Columns*s.Rows)
	for y := range s.Rows {
		for x := range s.Columns {
			cell := uv.EmptyCell
			if c := emulator.CellAt(x, y); c != nil {
				cell = *c
			}
			if cell.Content == "" && cell.Width != 0 {
				cell.Content = " "
			}
			s.cells = append(s.cells, cell)
		}
	}
	return s
}

// row is the cells of a line; none beyond the screen.
func (s Screen) row(y int) []uv.Cell {
	if y < 0 || y >= s.Rows {
		return nil
	}
	return s.cells[y*s.Columns : (y+1)*s.Columns]
}

// Line is the text of a line, without the blanks at its end.
func (s Screen) Line(y int) string {
	var b strings.Builder
	for _, cell := range s.row(y) {
		b.WriteString(cell.Content)
	}
	return strings.TrimRight(b.String(), " ")
}

// Lines are the texts of all lines.
func (s Screen) Lines() []string {
	lines := make([]string, s.Rows)
	for y := range lines {
		lines[y] = s.Line(y)
	}
	return lines
}

// String is the text of the screen, a line for each of its rows.
func (s Screen) String() string { return strings.Join(s.Lines(), "\n") + "\n" }

// Find is the cell where a text begins, the topmost if it is there more than once.
func (s Screen) Find(text string) (x, y int, ok bool) {
	if text == "" {
		return 0, 0, true
	}
	for y, line := range s.Lines() {
		before, _, ok := strings.Cut(line, text)
		if !ok {
			continue
		}
		x, n := 0, 0 // the cell that begins after so many bytes
		for row := s.row(y); n < len(before) || row[x].Content == ""; x++ {
			n += len(row[x].Content)
		}
		return x, y, true
	}
	return 0, 0, false
}

// Cell is a cell of the screen; an empty one beyond it.
func (s Screen) Cell(x, y int) Cell {
	if x < 0 || x >= s.Columns || y < 0 || y >= s.Rows {
		return Cell{}
	}
	cell := s.cells[y*s.Columns+x]
	return Cell{
		Text:  cell.Content,
		Fg:    colorName(cell.Style.Fg),
		Bg:    colorName(cell.Style.Bg),
		Attrs: attributes(cell.Style),
	}
}

// A Run is a part of a line whose cells look the same.
type Run struct {
	X, Width int // in cells
	Text     string
	Style    uv.Style
}

// String is where the run is and how it looks.
func (r Run) String() string {
	return fmt.Sprintf("%d-%d %s", r.X, r.X+r.Width-1, describe(r.Style))
}

// Runs are the parts of a line, from left to right, all of its cells.
func (s Screen) Runs(y int) (runs []Run) {
	for x, cell := range s.row(y) {
		if n := len(runs); n > 0 && (cell.Width == 0 || runs[n-1].Style.Equal(&cell.Style)) {
			runs[n-1].Width++
			runs[n-1].Text += cell.Content
			continue
		}
		runs = append(runs, Run{X: x, Width: 1, Text: cell.Content, Style: cell.Style})
	}
	return runs
}

// Styles says how the screen looks beside its text: for each line that has a style, the
// parts that have.
func (s Screen) Styles() string {
	var b strings.Builder
	for y := range s.Rows {
		var styled []string
		for _, run := range s.Runs(y) {
			if !run.Style.IsZero() {
				styled = append(styled, run.String())
			}
		}
		if len(styled) > 0 {
			fmt.Fprintf(&b, "%d: %s\n", y, strings.Join(styled, ", "))
		}
	}
	return b.String()
}

// describe is a style in words.
func describe(style uv.Style) string {
	words := strings.Fields(attributes(style))
	if fg := colorName(style.Fg); fg != "" {
		words = append(words, fg)
	}
	if bg := colorName(style.Bg); bg != "" {
		words = append(words, "on", bg)
	}
	return strings.Join(words, " ")
}

func attributes(style uv.Style) string {
	var words []string
	for _, attr := range []struct {
		is   bool
		name string
	}{
		{style.Attrs&uv.AttrBold != 0, "bold"},
		{style.Attrs&uv.AttrFaint != 0, "faint"},
		{style.Attrs&uv.AttrItalic != 0, "italic"},
		{style.Underline != uv.UnderlineNone, "underline"},
		{style.Attrs&(uv.AttrBlink|uv.AttrRapidBlink) != 0, "blink"},
		{style.Attrs&uv.AttrReverse != 0, "reverse"},
		{style.Attrs&uv.AttrConceal != 0, "conceal"},
		{style.Attrs&uv.AttrStrikethrough != 0, "strike"},
	} {
		if attr.is {
			words = append(words, attr.name)
		}
	}
	return strings.Join(words, " ")
}

func colorName(c color.Color) string {
	switch c := c.(type) {
	case nil:
		return ""
	case ansi.BasicColor:
		return fmt.Sprint(uint8(c))
	case ansi.IndexedColor:
		return fmt.Sprint(uint8(c))
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
