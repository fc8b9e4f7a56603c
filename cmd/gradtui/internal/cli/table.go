package cli

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
)

// A table is aligned text: its first column to the left, numbers to the right.
type table struct {
	rows  [][]string
	paint console.Paint // its heading, and the names in the first column
}

// NewTable returns a table with a heading and no rows.
func NewTable(paint console.Paint, head ...string) *table {
	return &table{rows: [][]string{head}, paint: paint}
}

// Len is the number of rows below the heading.
func (t *table) Len() int { return len(t.rows) - 1 }

func (t *table) Row(cells ...any) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = OneLine(fmt.Sprint(c))
	}
	t.rows = append(t.rows, row)
}

// Write writes the table after an empty line; of is how many rows there would be.
func (t *table) Write(w io.Writer, of int) {
	shown := t.Len()
	if shown == 0 {
		return
	}
	widths := make([]int, len(t.rows[0]))
	for _, row := range t.rows {
		for i, c := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	fmt.Fprintln(w)
	for n, row := range t.rows {
		var b strings.Builder
		first, others := console.Cyan, console.Plain
		if n == 0 {
			first, others = console.Bold, console.Bold
		}
		for i, c := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c))
			if i == 0 {
				b.WriteString(t.paint.In(first, c) + pad)
			} else {
				b.WriteString("  " + pad + t.paint.In(others, c))
			}
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
	if shown < of {
		fmt.Fprintf(w, "(%d of %d; --top 0 shows all)\n", shown, of)
	}
}

// UpTo are the first n of a list; 0: all.
func UpTo[T any](list []T, n int) []T {
	if n == 0 {
		return list
	}
	return list[:min(n, len(list))]
}

// Bytes writes a number of bytes, 0 as a dot.
func Bytes(n int64) string {
	switch {
	case n == 0:
		return "0"
	case n < 0:
		return "-" + inspect.Bytes(uint64(-n))
	}
	return inspect.Bytes(uint64(n))
}

// Ratio is how many times b is larger than a.
func Ratio(a, b int64) string {
	switch {
	case a == b:
		return "="
	case a == 0:
		return "new"
	case b == 0:
		return "gone"
	}
	return fmt.Sprintf("x%.3g", float64(b)/float64(a))
}

// Duration is a time with three digits or so.
func Duration(d time.Duration) string {
	for _, unit := range []time.Duration{time.Second, time.Millisecond, time.Microsecond} {
		if d >= unit {
			return d.Round(unit / 100).String()
		}
	}
	return d.String()
}
