package dag

import (
	"iter"
	"slices"
)

// A Drawing is a layered drawing of rows of a view: boxes, linked from above to
// below. Its columns and lines count from 0. A terminal shows a window of it.
type Drawing struct {
	Width, Height int

	layout *layout
	grid   []Dir
	boxOf  map[int]int32 // by row
	tops   []int         // by layer: its first line
}

// A Rect is a rectangle of cells.
type Rect struct{ X, Y, W, H int }

// minBox is how wide a box is at least: its port is inside, in an even column.
const minBox = 5

// Arrange makes a layered drawing of rows of a view, given in order; width gives the
// columns that the text of each takes. With a frame, boxes are three lines high and
// their frames are part of the drawing; without, they are the text alone.
//
// The error is a [*TooLargeError].
func Arrange(v *View, rows []int, frame bool, width func(row int) int) (*Drawing, error) {
	l, err := newLayout(v, rows)
	if err != nil {
		return nil, err
	}
	l.frame = frame
	for i := range l.boxes {
		b := &l.boxes[i]
		b.w = 1
		if b.row >= 0 {
			b.w = width(b.row)
			if frame {
				b.w += 2
			}
			b.w = max(b.w, minBox, 2*l.exits(int32(i))+1)
		}
	}
	l.order()
	l.place()
	d := &Drawing{layout: l, boxOf: map[int]int32{}}
	channels := make([][]wire, len(l.layers))
	tracks := make([]int, len(l.layers))
	for n, layer := range l.layers {
		channels[n] = l.wires(layer)
		tracks[n] = l.route(channels[n])
		d.stack(layer, max(tracks[n], 1))
	}
	for i := range l.boxes {
		b := &l.boxes[i]
		d.Width = max(d.Width, b.x+b.w)
		if b.row < 0 {
			d.Width = max(d.Width, b.x+b.advance()) // the line may leave it there
		}
	}
	if n := len(l.layers); n > 0 {
		d.Height -= max(tracks[n-1], 1)
	}
	if d.Width*d.Height > maxCells {
		return nil, &TooLargeError{len(rows)}
	}
	d.grid = make([]Dir, d.Width*d.Height)
	d.draw(channels)
	return d, nil
}

// All returns all rows of a view.
func (v *View) All() []int {
	rows := make([]int, len(v.rows))
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// stack puts a layer below the layers before, with some lines of channel below it.
func (d *Drawing) stack(layer []int32, channel int) {
	h := 1
	if d.layout.frame {
		h = 3
	}
	for _, i := range layer {
		b := &d.layout.boxes[i]
		b.y, b.h = d.Height, h
		if b.row >= 0 {
			d.boxOf[b.row] = i
		}
	}
	d.tops = append(d.tops, d.Height)
	d.Height += h + channel
}

func (d *Drawing) at(x, y int) *Dir { return &d.grid[y*d.Width+x] }

// down draws a line from the middle of a cell to the middle of another one below it.
func (d *Drawing) down(x, from, to int) {
	for y := from; y < to; y++ {
		*d.at(x, y) |= South
		*d.at(x, y+1) |= North
	}
}

// across draws a line from the middle of a cell to the middle of another one to its right.
func (d *Drawing) across(y, from, to int) {
	for x := from; x < to; x++ {
		*d.at(x, y) |= East
		*d.at(x+1, y) |= West
	}
}

func (d *Drawing) draw(channels [][]wire) {
	for i := range d.layout.boxes {
		b := &d.layout.boxes[i]
		if bottom, right := b.y+b.h-1, b.x+b.w-1; b.row >= 0 && d.layout.frame {
			d.across(b.y, b.x, right)
			d.across(bottom, b.x, right)
			d.down(b.x, b.y, bottom)
			d.down(right, b.y, bottom)
		}
	}
	for n, wires := range channels {
		for i := range wires {
			d.drawWire(&wires[i], n)
		}
		for i := range wires {
			d.bridge(&wires[i], n)
		}
	}
}

// line returns the line of a wire's track in the channel below a layer.
func (d *Drawing) line(w *wire, layer int) int {
	b := &d.layout.boxes[d.layout.layers[layer][0]]
	return b.y + b.h + w.track
}

func (d *Drawing) drawWire(w *wire, layer int) {
	y := d.line(w, layer)
	d.across(y, w.left, w.right)
	for _, p := range w.from {
		b := &d.layout.boxes[p.box]
		bottom := b.y + b.h - 1
		if b.row < 0 { // a bend is a line itself
			d.down(b.x, b.y, bottom)
			d.across(bottom, b.x, p.column)
		}
		d.down(p.column, bottom, y)
	}
	for _, to := range w.to {
		b := &d.layout.boxes[to]
		d.down(b.port(), y, b.y)
	}
}

// bridge lets a wire pass beneath the wires that it crosses.
func (d *Drawing) bridge(w *wire, layer int) {
	y := d.line(w, layer)
	own := map[int]bool{}
	for c := range d.layout.columns(w) {
		own[c] = true
	}
	for x := w.left; x <= w.right; x++ {
		if c := d.at(x, y); !own[x] && *c&(North|South) != 0 {
			*c |= Bridge
		}
	}
}

// At returns the lines of a cell; outside the drawing there are none.
func (d *Drawing) At(x, y int) Dir {
	if x < 0 || y < 0 || x >= d.Width || y >= d.Height {
		return 0
	}
	return *d.at(x, y)
}

// Rect returns the box of a row, its frame included; ok is false if the row is not in the
// drawing.
func (d *Drawing) Rect(row int) (r Rect, ok bool) {
	i, ok := d.boxOf[row]
	if !ok {
		return Rect{}, false
	}
	b := &d.layout.boxes[i]
	return Rect{b.x, b.y, b.w, b.h}, true
}

// In yields the rows whose boxes are in a window, or partly.
func (d *Drawing) In(window Rect) iter.Seq[int] {
	return func(yield func(int) bool) {
		n, _ := slices.BinarySearch(d.tops, window.Y)
		for n = max(n-1, 0); n < len(d.tops) && d.tops[n] < window.Y+window.H; n++ {
			layer := d.layout.layers[n]
			i, _ := slices.BinarySearchFunc(layer, window.X, func(i int32, x int) int {
				b := &d.layout.boxes[i]
				return b.x + b.w - 1 - x
			})
			for ; i < len(layer); i++ {
				b := &d.layout.boxes[layer[i]]
				if b.x >= window.X+window.W {
					break
				}
				if b.row >= 0 && b.y+b.h > window.Y && !yield(b.row) {
					return
				}
			}
		}
	}
}

// RowAt returns the row whose box holds a cell; ok is false if none does.
func (d *Drawing) RowAt(x, y int) (row int, ok bool) {
	for row := range d.In(Rect{x, y, 1, 1}) {
		return row, true
	}
	return 0, false
}

// Beside returns the row whose box is next to a row's box on a side: in the same layer, or
// the nearest one in the layers above or below. ok is false if there is none.
func (d *Drawing) Beside(row int, side Dir) (other int, ok bool) {
	i, ok := d.boxOf[row]
	if !ok {
		return 0, false
	}
	b := &d.layout.boxes[i]
	step := 1
	if side == North || side == West {
		step = -1
	}
	layer := d.layout.layers[b.layer]
	if side == East || side == West {
		for at := b.at + step; at >= 0 && at < len(layer); at += step {
			if row := d.layout.boxes[layer[at]].row; row >= 0 {
				return row, true
			}
		}
		return 0, false
	}
	for n := b.layer + step; n >= 0 && n < len(d.layout.layers); n += step {
		other, far := -1, 0
		for _, i := range d.layout.layers[n] {
			c := &d.layout.boxes[i]
			if away := max(c.port()-b.port(), b.port()-c.port()); c.row >= 0 && (other < 0 || away < far) {
				other, far = c.row, away
			}
		}
		if other >= 0 {
			return other, true
		}
	}
	return 0, false
}
