package ui

import (
	"fmt"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/dag"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
)

// laneView draws a row for each node, with the edges in lanes beside them, as
// git log --graph does.
type laneView struct {
	cells []dag.Cell
	flows flows
}

func (d *laneView) name() string           { return "lanes" }
func (d *laneView) forget()                {}
func (d *laneView) begin(*graphView, bool) {}

func (d *laneView) about(*state) string {
	if d.flows.on {
		return "norms of values and gradients"
	}
	return ""
}

func (d *laneView) draw(s *state, v *graphView, r cells.Region) {
	from, to := v.window(v.view.Rows(), r.H)
	places := min(v.view.Places(from, to), max((r.W/3+1)/2, 2))
	file, rows := "", r
	if d.flows.on && r.W >= 2*flowColumns {
		rows = r.Part(cells.Rect{W: r.W - flowColumns, H: r.H})
	}
	for i := from; i < to; i++ {
		row := v.view.Row(i)
		file = d.drawRow(s, v, rows, i-from, &row, places, file)
		if i == v.chosen {
			r.Flag(i-from, v.mark)
		}
	}
	if d.flows.draw(s, v, r, from, to); !d.flows.on { // which take the edge
		drawScrollBar(r, from, v.view.Rows())
	}
}

// drawRow draws the lanes, the mark and the text of a row, below a row about a file.
func (d *laneView) drawRow(s *state, v *graphView, r cells.Region, y int, row *dag.Row, places int, above string) string {
	d.cells = row.Cells(d.cells[:0], places)
	mark, text := v.rowText(s, row)
	differs := v.contrast(s, row)
	differs.draw(r, 0, y)
	text = append(text, differs.note()...)
	x := drawGutter(r, 1, y, d.cells, mark)
	if row.More > 0 {
		x = r.Text(x, y, muted, fmt.Sprintf("+%d", row.More))
	}
	return v.drawRow(s, r, x+1+2*row.Level, y, row, text, above)
}

func (d *laneView) move(v *graphView, columns, rows int) {
	v.list.move(columns+rows, v.view.Rows())
}

func (d *laneView) rowAt(v *graphView, _, y int) (int, bool) {
	return v.top + y, v.top+y < v.view.Rows()
}

func (d *laneView) open(v *graphView) bool { return v.unfold() }

// drawGutter draws lines and a mark, and returns the column after them.
func drawGutter(r cells.Region, x, y int, gutter []dag.Cell, mark statusMark) int {
	for _, c := range gutter {
		if c.Mark {
			r.Text(x, y, mark.style, mark.mark)
		} else {
			r.Text(x, y, lanes, boxText(c.Dir))
		}
		x++
	}
	return x
}

// boxTexts are the characters of lines, as strings.
var boxTexts = func() (texts [32]string) {
	for i := range texts {
		texts[i] = string(dag.Dir(i).Box())
	}
	return texts
}()

func boxText(d dag.Dir) string { return boxTexts[d%32] }

func (d *laneView) wheel(v *graphView, rows, page int) { v.scroll(rows, v.view.Rows(), page) }
