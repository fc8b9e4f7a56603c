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
	looks := looks(cell.Style)
	looks.Text = cell.Content
	return looks
}

// Style is how a cell looks, in words; "" if it is plain.
func (c Cell) Style() string {
	words := strings.Fields(c.Attrs)
	if c.Fg != "" {
		words = append(words, c.Fg)
	}
	if c.Bg != "" {
		words = append(words, "on", c.Bg)
	}
	return strings.Join(words, " ")
}

// Styles says how the screen looks beside its text: for each line, which columns have
// which style.
func (s Screen) Styles() string {
	var b strings.Builder
	for y := range s.Rows {
		var runs []string
		for x := 0; x < s.Columns; {
			first, style := x, s.Cell(x, y).Style()
			for x++; x < s.Columns && s.continues(x, y, style); x++ {
			}
			if style != "" {
				runs = append(runs, fmt.Sprintf("%d-%d %s", first, x-1, style))
			}
		}
		if len(runs) > 0 {
			fmt.Fprintf(&b, "%d: %s\n", y, strings.Join(runs, ", "))
		}
	}
	return b.String()
}

// continues says whether a cell has a style, or is the second half of one that has.
func (s Screen) continues(x, y int, style string) bool {
	cell := s.Cell(x, y)
	return cell.Text == "" || cell.Style() == style
}

// attributes are what Cell.Attrs is made of.
var attributes = []struct {
	name string
	is   func(uv.Style) bool
}{
	{"bold", func(s uv.Style) bool { return s.Attrs&uv.AttrBold != 0 }},
	{"faint", func(s uv.Style) bool { return s.Attrs&uv.AttrFaint != 0 }},
	{"italic", func(s uv.Style) bool { return s.Attrs&uv.AttrItalic != 0 }},
	{"underline", func(s uv.Style) bool { return s.Underline != uv.UnderlineNone }},
	{"blink", func(s uv.Style) bool { return s.Attrs&(uv.AttrBlink|uv.AttrRapidBlink) != 0 }},
	{"reverse", func(s uv.Style) bool { return s.Attrs&uv.AttrReverse != 0 }},
	{"conceal", func(s uv.Style) bool { return s.Attrs&uv.AttrConceal != 0 }},
	{"strike", func(s uv.Style) bool { return s.Attrs&uv.AttrStrikethrough != 0 }},
}

// looks is a cell without text.
func looks(style uv.Style) Cell {
	var words []string
	for _, attr := range attributes {
		if attr.is(style) {
			words = append(words, attr.name)
		}
	}
	return Cell{Fg: colorName(style.Fg), Bg: colorName(style.Bg), Attrs: strings.Join(words, " ")}
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
