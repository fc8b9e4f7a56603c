package dag

import (
	"fmt"
	"slices"
)

// Bounds on what is arranged as a layered drawing.
const (
	maxUnits = 2000
	maxBends = 100_000
	maxCells = 8 << 20
)

// A TooLargeError says that a graph is too large for a layered drawing. A smaller
// part of it may fit: see [View.Around].
type TooLargeError struct{ Rows int }

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%d rows are too many for a layered drawing", e.Rows)
}

// A layout is a layered drawing in the making, after Sugiyama: each box goes into the
// layer below the lowest box that leads to it, and lines that pass a layer have a
// bend there. Lines that lead to the same box share their bends.
type layout struct {
	boxes  []box     // of the rows first, then bends
	layers [][]int32 // boxes from left to right
	frame  bool
	values []int // memory for numbers
}

// A box is the box of a row, or a bend.
type box struct {
	row      int // -1: a bend
	layer    int
	at       int     // place in its layer
	want     float64 // where in the layer it would like to be
	up, down []int32 // boxes in the layer above and below that it is linked with
	x, w     int     // columns; x is even
	y, h     int
}

// port returns the column where lines enter a box, an even number.
func (b *box) port() int { return b.x + b.enter() }

// enter returns how far the port is from the left.
func (b *box) enter() int { return b.w / 2 &^ 1 }

// newLayout puts rows of a view into layers.
func newLayout(v *View, rows []int) (*layout, error) {
	if len(rows) > maxUnits {
		return nil, &TooLargeError{len(rows)}
	}
	l := &layout{}
	unitOf := map[int]int32{}
	for i, r := range rows {
		unitOf[r] = int32(i)
		l.boxes = append(l.boxes, box{row: r})
	}
	up := make([][]int32, len(rows))
	down := make([][]int32, len(rows))
	for i, r := range rows { // in order, so that layers are final when they are read
		for _, to := range v.linksOf(r) {
			if u, ok := unitOf[int(to)]; ok {
				l.boxes[u].layer = max(l.boxes[u].layer, l.boxes[i].layer+1)
				up[u], down[i] = append(up[u], int32(i)), append(down[i], u)
			}
		}
	}
	for i := range rows { // a root stands right above what it leads to
		if len(up[i]) == 0 && len(down[i]) > 0 {
			low := slices.MinFunc(down[i], func(a, b int32) int { return l.boxes[a].layer - l.boxes[b].layer })
			l.boxes[i].layer = l.boxes[low].layer - 1
		}
	}
	if !l.link(up) {
		return nil, &TooLargeError{len(rows)}
	}
	for i := range l.boxes {
		b := &l.boxes[i]
		for b.layer >= len(l.layers) {
			l.layers = append(l.layers, nil)
		}
		b.at = len(l.layers[b.layer])
		l.layers[b.layer] = append(l.layers[b.layer], int32(i))
	}
	return l, nil
}

// link links boxes of neighbouring layers, with bends between others; up are the
// boxes that lead to each one. It reports whether the bends are not too many.
func (l *layout) link(up [][]int32) bool {
	for to := range up {
		if len(up[to]) == 0 {
			continue
		}
		layer := l.boxes[to].layer
		high := layer
		for _, from := range up[to] {
			high = min(high, l.boxes[from].layer)
		}
		first := int32(len(l.boxes)) // the bend in the layer below high
		if len(l.boxes)+layer-high-1 > len(up)+maxBends {
			return false
		}
		in := func(layer int) int32 { // the box or bend there
			if layer == l.boxes[to].layer {
				return int32(to)
			}
			return first + int32(layer-high-1)
		}
		for i := high + 1; i < layer; i++ {
			l.boxes = append(l.boxes, box{row: -1, layer: i})
		}
		for i := high + 1; i < layer; i++ {
			l.connect(in(i), in(i+1))
		}
		for _, from := range up[to] {
			l.connect(from, in(l.boxes[from].layer+1))
		}
	}
	return true
}

func (l *layout) connect(from, to int32) {
	l.boxes[from].down = append(l.boxes[from].down, to)
	l.boxes[to].up = append(l.boxes[to].up, from)
}
