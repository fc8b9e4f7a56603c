// Package cells is a screen made of cells. Begin with [New]: panes draw text into regions
// of a [Canvas], which is written as one string with colours. Everything that is drawn is
// made safe here: a control character in the name of a tensor or in the output of a
// program is shown as a symbol, so that no text of a program reaches the terminal as a
// command.
package cells

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi/kitty"

	"github.com/gradtui/gradtui/internal/console"
)

// A Style is an entry of the palette that a canvas is written with.
type Style uint8

// A Palette has for each Style what switches it on: an SGR sequence.
type Palette [256]string

// Flags are added to the style of a cell.
type Flags uint8

// The flags.
const (
	Chosen Flags = 1 << iota // the row that the keys act on
	Marked                   // the columns that something is about
)

// sgr switches flags on.
var sgr = [...]string{Chosen: "\x1b[7m", Marked: "\x1b[4m", Chosen | Marked: "\x1b[4;7m"}

// A cell is one column of a row. A wide character takes its cell and the next one,
// whose text is empty.
type cell struct {
	text  string
	style Style
	flags Flags
}

// A Canvas is a screen.
type Canvas struct {
	columns, rows int
	cells         []cell
}

// New returns a canvas of blanks.
func New(columns, rows int) *Canvas {
	c := &Canvas{columns: max(columns, 0), rows: max(rows, 0)}
	c.cells = make([]cell, c.columns*c.rows)
	c.Clear()
	return c
}

// Clear makes all cells blank.
func (c *Canvas) Clear() {
	for i := range c.cells {
		c.cells[i] = cell{text: " "}
	}
}

// Size is the number of columns and rows.
func (c *Canvas) Size() (columns, rows int) { return c.columns, c.rows }

// All is the region of the whole canvas.
func (c *Canvas) All() Region { return Region{c, Rect{0, 0, c.columns, c.rows}} }

// Write writes the canvas as lines of text with colours.
func (c *Canvas) Write(b *strings.Builder, palette *Palette) {
	for y := range c.rows {
		if y > 0 {
			b.WriteByte('\n')
		}
		row := c.cells[y*c.columns : (y+1)*c.columns]
		var style Style
		var flags Flags
		plain := true
		for _, cell := range row {
			if cell.style != style || cell.flags != flags {
				if !plain {
					b.WriteString("\x1b[m")
				}
				style, flags = cell.style, cell.flags
				if flags&Chosen == 0 { // a chosen row is of one colour
					b.WriteString(palette[style])
				}
				b.WriteString(sgr[flags])
				plain = palette[style] == "" && flags == 0
			}
			b.WriteString(cell.text)
		}
		if !plain {
			b.WriteString("\x1b[m")
		}
	}
}

// Text is the canvas without colours, and without blanks at the ends of lines.
func (c *Canvas) Text() string {
	var b strings.Builder
	for y := range c.rows {
		var line strings.Builder
		for _, cell := range c.cells[y*c.columns : (y+1)*c.columns] {
			line.WriteString(cell.text)
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// A Rect is a rectangle of cells.
type Rect struct{ X, Y, W, H int }

// Contains reports whether a cell is in the rectangle.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Rows is the part of a rectangle from a row on, at most n rows.
func (r Rect) Rows(from, n int) Rect {
	from = min(max(from, 0), r.H)
	return Rect{r.X, r.Y + from, r.W, max(min(n, r.H-from), 0)}
}

// Columns is the part of a rectangle from a column on, at most n columns.
func (r Rect) Columns(from, n int) Rect {
	from = min(max(from, 0), r.W)
	return Rect{r.X + from, r.Y, max(min(n, r.W-from), 0), r.H}
}

// A Region is a rectangle to draw in: what would lie outside it is cut off.
// Coordinates count from its upper left corner.
type Region struct {
	canvas *Canvas
	Rect
}

// Part returns a region inside this one.
func (r Region) Part(part Rect) Region {
	x, y := max(part.X, 0), max(part.Y, 0)
	return Region{r.canvas, Rect{
		r.X + x, r.Y + y,
		max(min(part.X+part.W, r.W)-x, 0), max(min(part.Y+part.H, r.H)-y, 0),
	}}
}

// Below is the region without its first rows.
func (r Region) Below(rows int) Region { return Region{r.canvas, r.Rect.Rows(rows, r.H)} }

// Text draws text from a column of a row on, and returns the column after it, which
// may be outside.
func (r Region) Text(x, y int, style Style, text string) int {
	row := r.row(y)
	if row == nil {
		return x + console.Width(text)
	}
	for i := 0; i < len(text); {
		if x >= r.W {
			return x + console.Width(text[i:])
		}
		if b := text[i]; b >= ' ' && b < 0x7f {
			if x >= 0 {
				row.put(x, text[i:i+1], style)
			}
			i, x = i+1, x+1
			continue
		}
		first, size := utf8.DecodeRuneInString(text[i:])
		glyph := text[i : i+size]
		if shown := console.Shown(first); shown != first || first == utf8.RuneError {
			first, glyph = shown, string(shown)
		}
		switch width := console.RuneWidth(first); {
		case width == 0: // drawn into the cell before
			if at := x - 1; at >= 0 && len(row[at].text) < maxCell {
				row[at].text += glyph
			}
		case x < 0 || x+width > r.W: // only a half of it would be inside
			for k := max(x, 0); k < min(x+width, r.W); k++ {
				row.put(k, " ", style)
			}
			x += width
		default:
			row.put(x, glyph, style)
			if width == 2 {
				row.put(x+1, " ", style)
				row[x+1].text = ""
			}
			x += width
		}
		i += size
	}
	return x
}

// Placeholder draws the piece of a picture that belongs into a column and a row of it.
// A terminal that has been given the picture puts it there; the style says which picture.
func (r Region) Placeholder(x, y int, style Style, column, row int) {
	if cells := r.row(y); x >= 0 && x < len(cells) {
		cells.put(x, string([]rune{kitty.Placeholder, kitty.Diacritic(row), kitty.Diacritic(column)}), style)
	}
}

// A row is the cells of a region in one row.
type row []cell

func (r Region) row(y int) row {
	if y < 0 || y >= r.H || r.W == 0 {
		return nil
	}
	return r.canvas.cells[(r.Y+y)*r.canvas.columns+r.X:][:r.W]
}

// put draws one character into a cell. Of a wide one that was there before, the other
// half goes as well.
func (r row) put(x int, text string, style Style) {
	if r[x].text == "" && x > 0 {
		r[x-1].text = " "
	}
	if x+1 < len(r) && r[x+1].text == "" {
		r[x+1].text = " "
	}
	r[x].text, r[x].style = text, style
}

// maxCell bounds the bytes of a cell: a hostile text can put any number of accents on
// a letter.
const maxCell = 32

// Fit draws text in at most n columns; dots stand for what is cut off at its end.
func (r Region) Fit(x, y, n int, style Style, text string) int {
	n = min(n, r.W-x)
	if n <= 0 {
		return x
	}
	if len(text) <= n || console.Width(text) <= n {
		return r.Text(x, y, style, text)
	}
	part := r.Part(Rect{x, y, n - 1, 1})
	part.Text(0, 0, style, text)
	r.Text(x+n-1, y, style, "…")
	return x + n
}

// Fill fills a row from a column on with a character that is one column wide.
func (r Region) Fill(x, y, n int, style Style, with string) {
	row, from, to := r.row(y), max(x, 0), min(x+n, r.W)
	if row == nil || from >= to {
		return
	}
	r.Text(from, y, style, with)
	for k := from + 1; k < to; k++ {
		row.put(k, row[from].text, style)
	}
}

// Flag adds flags to the cells of a row.
func (r Region) Flag(y int, flags Flags) { r.FlagColumns(0, r.W, y, flags) }

// FlagColumns adds flags to the cells of a row between two columns.
func (r Region) FlagColumns(from, to, y int, flags Flags) {
	row := r.row(y)
	for x := max(from, 0); x < min(to, len(row)); x++ {
		row[x].flags |= flags
	}
}

// Clear makes the region blank.
func (r Region) Clear() {
	for y := range r.H {
		row := r.row(y)
		for x := range row {
			row[x] = cell{text: " "}
		}
	}
}
