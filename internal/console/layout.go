package console

import (
	"strings"
	"unicode/utf8"
)

// tabWidth is the distance of tab stops.
const tabWidth = 4

// A Line is a line of source code as a terminal shows it: its tabs are spaces, its
// control characters pictures.
type Line struct {
	cells   []cell
	columns []int // by byte of the source: the column, from 0; and the width of all
}

// A cell is a rune with the ones that are drawn into it.
type cell struct {
	text         string
	start, width int
}

// NewLine lays out a line of source code.
func NewLine(source string) *Line {
	l := &Line{columns: make([]int, 0, len(source)+1)}
	at := 0
	for i := 0; i < len(source); {
		r, size := utf8.DecodeRuneInString(source[i:])
		joined := joins(r) && len(l.cells) > 0
		start := at
		if joined {
			start = l.cells[len(l.cells)-1].start
		}
		for range size {
			l.columns = append(l.columns, start)
		}
		i += size
		switch {
		case r == '\t':
			n := tabWidth - at%tabWidth
			l.cells = append(l.cells, cell{strings.Repeat(" ", n), at, n})
			at += n
		case joined:
			l.cells[len(l.cells)-1].text += string(r)
		default:
			r = Shown(r)
			n := RuneWidth(r)
			l.cells = append(l.cells, cell{string(r), at, n})
			at += n
		}
	}
	l.columns = append(l.columns, at)
	return l
}

// Column returns the column, from 0, of a byte of the source; the column of the end for anything
// after it.
func (l *Line) Column(offset int) int {
	return l.columns[min(max(offset, 0), len(l.columns)-1)]
}

// Width is how many columns the line takes.
func (l *Line) Width() int { return l.columns[len(l.columns)-1] }

// Cut is the part of the line that fits into some columns and shows what is between
// two of them, or its beginning; dots stand for what was cut off. shift is how far
// the text has moved to the left.
func (l *Line) Cut(from, to, columns int) (text string, shift int) {
	if l.Width() <= columns {
		return l.Text(0, l.Width()), 0
	}
	const dots = "…"
	if to > columns-1 {
		// As much of what is before as there is room for, but no more than half.
		shift = max(from-max((columns-(to-from))/2, 1), 0)
	}
	shift = min(shift, max(l.Width()-columns, 0))
	first, last := shift, shift+columns
	left, right := "", ""
	if first > 0 {
		left, first = dots, first+1
	}
	if last < l.Width() {
		right, last = dots, last-1
	}
	return left + l.Text(first, last) + right, shift
}

// Text is what is between two columns. A wide rune that is only half between them is
// a space.
func (l *Line) Text(from, to int) string {
	var b strings.Builder
	for _, c := range l.cells {
		switch end := c.start + c.width; {
		case c.start >= from && end <= to:
			b.WriteString(c.text)
		case end > from && c.start < to:
			b.WriteString(strings.Repeat(" ", min(end, to)-max(c.start, from)))
		}
	}
	return b.String()
}
