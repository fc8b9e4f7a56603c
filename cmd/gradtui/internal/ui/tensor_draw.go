package ui

import (
	"fmt"
	"math"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/tensorview"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/internal/console"
)

// numberColumns is how many columns an element takes.
const numberColumns = 11

// Where the histogram has room beside the numbers.
const (
	besideColumns  = 34
	besideFromHere = 110 // columns of the screen
)

const tensorKeys = "esc close · < > in time · = pin · : slice · [ ] leading index · v other view · enter go there"

func (v *tensorView) draw(m *Model, r cells.Region) {
	r.Clear()
	r.Fill(0, 0, r.W, headFocus, "━")
	r.Fit(1, 0, r.W-2, headFocus, " "+v.title()+" ")
	y := 1
	for _, line := range v.facts(m) {
		for _, part := range wrapPieces(line, r.W-2) {
			if y < r.H-1 {
				part.write(r, 1, y)
				y++
			}
		}
	}
	body := r.Part(cells.Rect{X: 1, Y: y, W: r.W - 2, H: max(r.H-1-y, 0)})
	switch {
	case v.way == asHistogram:
		v.drawHistogram(body)
	case v.way == asMarks:
		v.drawGrid(body, grid{columns: 1, rows: 1, show: v.each(v.mark)})
	case v.way == asHeat:
		v.drawGrid(body.Part(cells.Rect{W: body.W, H: body.H - 1}), grid{columns: 1, rows: 2, show: v.halves})
		v.scale().write(body, 0, body.H-1)
	case r.W >= besideFromHere:
		v.drawHistogram(body.Part(cells.Rect{X: body.W - besideColumns, W: besideColumns, H: body.H}))
		v.drawGrid(body.Part(cells.Rect{W: body.W - besideColumns - 2, H: body.H}), grid{numberColumns, 1, v.each(v.number)})
	default:
		v.drawGrid(body, grid{numberColumns, 1, v.each(v.number)})
	}
	status := r.Part(m.layout.status)
	status.Clear()
	switch {
	case v.slice != nil:
		v.slice.draw(status, 0, 0, ":slice ")
	case v.said != "":
		status.Fit(0, 0, status.W, warned, v.said)
	default:
		status.Fit(0, 0, status.W, muted, tensorKeys)
	}
}

// wrapPieces breaks a line of pieces that is too long; then all of it has the style of its first
// piece.
func wrapPieces(line styled, width int) []styled {
	if line.width() <= width || len(line) == 0 {
		return []styled{line}
	}
	var parts []styled
	for _, text := range console.Wrap(line.text(), max(width, 20)) {
		parts = append(parts, styled{{line[0].style, text}})
	}
	return parts
}

func (v *tensorView) cursor(m *Model) *tea.Cursor {
	if v.slice == nil {
		return nil
	}
	return tea.NewCursor(v.slice.draw(cells.New(m.columns, 1).All(), 0, 0, ":slice "), m.layout.status.Y)
}

// number shows an element as a number.
func (v *tensorView) number(x float64) piece {
	text := tensorview.Number(x)
	if x >= 0 {
		text = "+" + text
		if x == 0 {
			text = "0"
		}
	}
	return piece{v.heat(x), text}
}

// mark shows an element as one character.
func (v *tensorView) mark(x float64) piece {
	return piece{v.heat(x), tensorview.Mark(x, v.stats.Largest())}
}

// heat is the colour of an element, by its sign and size.
func (v *tensorView) heat(x float64) cells.Style {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return failed
	}
	size := tensorview.SizeOf(x, v.stats.Largest())
	switch {
	case size == tensorview.Nothing:
		return muted
	case x < 0:
		return heatBelow + cells.Style(size-1)
	}
	return heatAbove + cells.Style(size-1)
}

// each shows the elements one by one.
func (v *tensorView) each(show func(float64) piece) func(row, column int) (piece, bool) {
	return func(row, column int) (piece, bool) {
		x, known, there := v.view.At(row, column)
		if there && !known {
			return piece{muted, "…"}, true
		}
		return show(x), there
	}
}

// halves shows an element and the one below it in the halves of a block, by colour alone; what is
// not finite is a mark.
func (v *tensorView) halves(row, column int) (piece, bool) {
	upper, there := v.halfOf(row, column)
	lower, _ := v.halfOf(row+1, column)
	if upper == halfBroken || lower == halfBroken {
		return piece{failed, "?"}, true
	}
	return piece{halfBlocks + upper*halfLevels + lower, "▀"}, there
}

// scale says what the colours of the halves mean.
func (v *tensorView) scale() styled {
	largest := v.stats.Largest()
	s := styled{{muted, "-" + tensorview.Number(largest) + " "}}
	for size := cells.Style(4); size > 0; size-- {
		s = append(s, piece{heatBelow + size - 1, "█"})
	}
	s = append(s, piece{muted, " 0 "})
	for size := range cells.Style(4) {
		s = append(s, piece{heatAbove + size, "█"})
	}
	return append(s, piece{muted, " " + tensorview.Number(largest) + " · steps at half, a tenth, a thousandth"})
}

// halfOf is the level of an element in a half of a block.
func (v *tensorView) halfOf(row, column int) (level cells.Style, there bool) {
	x, known, there := v.view.At(row, column)
	switch size := cells.Style(tensorview.SizeOf(x, v.stats.Largest())); {
	case !there || !known:
		return halfUnknown, there
	case math.IsNaN(x) || math.IsInf(x, 0):
		return halfBroken, true
	case size == tensorview.Nothing:
		return halfZero, true
	case x < 0:
		return halfBelow + size - 1, true
	default:
		return halfAbove + size - 1, true
	}
}

// A grid says how the elements are shown: a cell of so many columns for so many rows of elements.
type grid struct {
	columns, rows int
	show          func(row, column int) (p piece, there bool)
}

// drawGrid draws the elements with their labels.
func (v *tensorView) drawGrid(r cells.Region, g grid) {
	columns := g.columns
	rows, all := v.view.Size()
	if rows == 0 || all == 0 {
		r.Fit(0, 0, r.W, muted, "no elements")
		return
	}
	label := len(v.view.RowLabel(rows-1)) + 1
	head := 1
	if columns == 1 {
		head = 0
		if v.view.ColumnLabel(0) != "" {
			head = 1
		}
	}
	fit := max((r.W-label)/columns, 1)
	v.top = max(min(v.top, rows-(r.H-head)*g.rows), 0)
	v.top += -v.top & (g.rows - 1)
	v.left = max(min(v.left, all-fit), 0)
	for c := v.left; c < min(all, v.left+fit); c++ {
		x := label + (c-v.left)*columns
		switch text := v.view.ColumnLabel(c); {
		case columns > 1:
			r.Fit(x+max(columns-len(text), 1), 0, columns-1, lineNumber, text)
		case (c-v.left)%10 == 0:
			r.Fit(x, 0, 9, lineNumber, text)
		}
	}
	for y := 0; y < r.H-head && v.top+y*g.rows < rows; y++ {
		row := v.top + y*g.rows
		r.Fit(0, head+y, label, lineNumber, v.view.RowLabel(row))
		for c := v.left; c < min(all, v.left+fit); c++ {
			p, there := g.show(row, c)
			if !there {
				continue
			}
			at := label + (c-v.left)*columns
			r.Fit(at+max(columns-console.Width(p.text), 0), head+y, columns, p.style, p.text)
		}
	}
	if v.top+(r.H-head)*g.rows < rows {
		r.Text(r.W-1, r.H-1, muted, "↓")
	}
	if v.left+fit < all {
		r.Text(r.W-1, 0, muted, "→")
	}
}

const (
	histogramBins  = 20
	histogramLabel = 11
)

// drawHistogram draws a bar for each bin.
func (v *tensorView) drawHistogram(r cells.Region) {
	lines := v.histogram(max(r.W-histogramLabel-9, 4), max(min(histogramBins, r.H-1), 1))
	for y, line := range lines {
		if y < r.H {
			line.write(r, 0, y)
		}
	}
}

// histogram returns the lines of the histogram, with bars of at most so many columns.
func (v *tensorView) histogram(columns, bins int) []styled {
	bins = max(min(bins, v.stats.Known), 1)
	if len(v.bins) != bins {
		v.bins = v.view.Histogram(bins)
	}
	if len(v.bins) == 0 {
		return []styled{{{muted, "no finite elements are known"}}}
	}
	head := "distribution"
	if !v.stats.Whole {
		head = fmt.Sprintf("of the %d known", v.stats.Known)
	}
	lines := []styled{{{headline, head}}}
	most := 0
	for _, b := range v.bins {
		most = max(most, b.Count)
	}
	for _, b := range v.bins {
		bar := b.Count * columns / most
		if b.Count > 0 {
			bar = max(bar, 1)
		}
		style := heatAbove + 2
		if b.To <= 0 && b.From < 0 {
			style = heatBelow + 2
		}
		lines = append(lines, styled{
			{lineNumber, fmt.Sprintf("%*s ", histogramLabel-1, fmt.Sprintf("%.3g", b.From))},
			{style, strings.Repeat("█", bar)}, {muted, fmt.Sprintf(" %d", b.Count)},
		})
	}
	return lines
}

// Bounds of what is said of a grid at once.
const (
	saidRows    = 20
	saidColumns = 10
)

// words says what the screen shows.
func (v *tensorView) words(m *Model) []string {
	lines := sentences(v.facts(m))
	rows, columns := v.view.Size()
	if !v.value.Known() || rows == 0 || columns == 0 {
		return lines
	}
	for row := range min(rows, saidRows) {
		parts := []string{}
		for c := range min(columns, saidColumns) {
			x, known, there := v.view.At(row, c)
			switch {
			case known:
				parts = append(parts, tensorview.Number(x))
			case there:
				parts = append(parts, "not known")
			}
		}
		text := strings.Join(parts, ", ")
		if columns > saidColumns {
			text += fmt.Sprintf(" and %d more", columns-saidColumns)
		}
		if label := v.view.RowLabel(row); label != "" {
			text = "row " + label + ": " + text
		}
		lines = append(lines, text)
	}
	if rows > saidRows {
		lines = append(lines, fmt.Sprintf("and %d more rows; a slice such as %d: shows others", rows-saidRows, saidRows))
	}
	for _, b := range v.view.Histogram(5) {
		lines = append(lines, fmt.Sprintf("from %s to %s: %d", tensorview.Number(b.From), tensorview.Number(b.To), b.Count))
	}
	return lines
}
