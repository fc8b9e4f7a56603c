package ui

import (
	"github.com/gradtui/gradtui/cmd/gradtui/internal/dag"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/internal/console"
)

// boxView draws the nodes as boxes in layers, linked from top to bottom.
type boxView struct {
	drawing *dag.Drawing
	x, y    int // the first visible cell of the drawing
	away    int // the chosen row, from 1, that the mouse has scrolled away from; 0: none
	part    bool
}

func (d *boxView) name() string           { return "drawing" }
func (d *boxView) about(*state) string    { return "" }
func (d *boxView) forget()                { d.drawing = nil }
func (d *boxView) begin(*graphView, bool) {}

// Of a graph that is too large, the drawing has the part around the chosen node.
const (
	hopsAround = 6
	mostAround = 120
)

// maxLabel is how wide a box may be.
const maxLabel = 28

// lay makes the drawing.
func (d *boxView) lay(s *state, v *graphView) {
	rows := make([]int, v.view.Rows())
	for i := range rows {
		rows[i] = i
	}
	width := func(row int) int { return console.Width(d.label(s, v, row)) + 2 }
	drawing, err := dag.Arrange(v.view, rows, true, width)
	if d.part = err != nil; d.part {
		drawing, err = dag.Arrange(v.view, v.view.Around(v.chosen, hopsAround, mostAround), true, width)
	}
	if err == nil {
		d.drawing = drawing
	}
}

// label returns the text of a box.
func (d *boxView) label(s *state, v *graphView, at int) string {
	row := v.view.Row(at)
	_, text := v.rowText(s, &row)
	label := ""
	for i, p := range text {
		if i < 2 {
			label += p.text
		}
	}
	if runes := []rune(label); len(runes) > maxLabel {
		label = string(runes[:maxLabel-1]) + "…"
	}
	return label
}

func (d *boxView) draw(s *state, v *graphView, r cells.Region) {
	if d.drawing != nil && d.part {
		if _, ok := d.drawing.Rect(v.chosen); !ok {
			d.drawing = nil // the neighbourhood of another node
		}
	}
	if d.drawing == nil {
		d.lay(s, v)
	}
	if d.drawing == nil {
		r.Fit(1, 0, r.W-1, muted, "This graph is too large for a drawing; v shows it in lanes.")
		return
	}
	d.follow(v, r.W, r.H)
	for y := range r.H {
		for x := range r.W {
			if dir := d.drawing.At(d.x+x, d.y+y); dir != 0 {
				r.Text(x, y, lanes, boxText(dir))
			}
		}
	}
	for at := range d.drawing.In(dag.Rect{X: d.x, Y: d.y, W: r.W, H: r.H}) {
		box, _ := d.drawing.Rect(at)
		row := v.view.Row(at)
		mark, text := v.rowText(s, &row)
		style := plain
		if len(text) > 0 {
			style = text[0].style
		}
		inside := r.Part(cells.Rect{X: box.X - d.x + 1, Y: box.Y - d.y + 1, W: box.W - 2, H: 1})
		left := max(d.x-box.X-1, 0) // of the text, beyond the edge
		end := inside.Text(-left, 0, mark.style, mark.mark)
		inside.Fit(end+1, 0, box.W, style, d.label(s, v, at))
		if side := box.X - d.x; side >= 0 {
			v.contrast(s, &row).draw(r, side, box.Y-d.y+1)
		}
		if at == v.chosen {
			inside.Flag(0, v.mark)
		}
	}
	if d.part {
		r.Fit(1, r.H-1, r.W-1, muted, "too large: this is the part around the selected node")
	}
}

// follow scrolls to the chosen box, unless the mouse has scrolled away from it.
func (d *boxView) follow(v *graphView, width, height int) {
	box, ok := d.drawing.Rect(v.chosen)
	if !ok {
		return
	}
	if d.away != v.chosen+1 {
		d.x = max(min(d.x, box.X-1), box.X+box.W+1-width, 0)
		d.y = max(min(d.y, box.Y-1), box.Y+box.H+1-height, 0)
		d.away = 0
	}
	d.x = max(min(d.x, d.drawing.Width-width), 0)
	d.y = max(min(d.y, d.drawing.Height-height), 0)
}

func (d *boxView) move(v *graphView, columns, rows int) {
	if d.drawing == nil {
		return
	}
	for _, way := range []struct {
		n          int
		less, more dag.Dir
	}{{columns, dag.West, dag.East}, {rows, dag.North, dag.South}} {
		side, n := way.more, way.n
		if n < 0 {
			side, n = way.less, -n
		}
		for ; n > 0; n-- {
			row, ok := d.drawing.Beside(v.chosen, side)
			if !ok {
				break
			}
			v.chosen = row
		}
	}
}

func (d *boxView) rowAt(_ *graphView, x, y int) (int, bool) {
	if d.drawing == nil {
		return 0, false
	}
	return d.drawing.RowAt(d.x+x, d.y+y)
}

func (d *boxView) open(v *graphView) bool { return v.unfold() }

func (d *boxView) wheel(v *graphView, rows, _ int) { d.y, d.away = d.y+rows, v.chosen+1 }
