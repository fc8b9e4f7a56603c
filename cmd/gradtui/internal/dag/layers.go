package dag

import (
	"cmp"
	"fmt"
	"math"
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
// layer below the lowest of those that lead to it, and lines that pass a layer have a
// bend there. Lines that lead to the same box share their bends.
type layout struct {
	boxes  []box // of the rows first, then bends
	layers [][]int32
	frame  bool
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

// port is the column where lines enter a box, an even number.
func (b *box) port() int { return b.x + b.enter() }

// enter is how far that is from the left.
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

// Fixed numbers of sweeps, which go down and up in turns.
const (
	orderSweeps = 8
	placeSweeps = 8
)

// sweep calls f for each layer but the first one in the way, and tells it which
// neighbours come from the layer before.
func (l *layout) sweep(times int, f func(layer []int32, before func(*box) []int32)) {
	for i := range times {
		if i%2 == 0 {
			for n := 1; n < len(l.layers); n++ {
				f(l.layers[n], func(b *box) []int32 { return b.up })
			}
		} else {
			for n := len(l.layers) - 2; n >= 0; n-- {
				f(l.layers[n], func(b *box) []int32 { return b.down })
			}
		}
	}
}

// order sorts the layers so that few lines cross: each box goes to the median of its
// neighbours.
func (l *layout) order() {
	l.sweep(orderSweeps, func(layer []int32, before func(*box) []int32) {
		for _, i := range layer {
			b := &l.boxes[i]
			b.want = l.median(before(b), float64(b.at), func(n *box) int { return n.at })
		}
		slices.SortStableFunc(layer, func(a, b int32) int { return cmp.Compare(l.boxes[a].want, l.boxes[b].want) })
		for at, i := range layer {
			l.boxes[i].at = at
		}
	})
}

// median is that of a number of some boxes, or another one if there are none.
func (l *layout) median(boxes []int32, none float64, of func(*box) int) float64 {
	if len(boxes) == 0 {
		return none
	}
	values := make([]int, len(boxes))
	for i, b := range boxes {
		values[i] = of(&l.boxes[b])
	}
	slices.Sort(values)
	n := len(values)
	return float64(values[(n-1)/2]+values[n/2]) / 2
}

// Weights of the wishes for a column: lines with bends are to be straight.
const (
	bendWeight = 8
	boxWeight  = 1
)

// place gives the boxes their columns: as near to the median of their neighbours as
// their order allows.
func (l *layout) place() {
	for _, layer := range l.layers {
		x := 0
		for _, i := range layer {
			l.boxes[i].x = x
			x += l.boxes[i].advance()
		}
	}
	l.sweep(placeSweeps, func(layer []int32, before func(*box) []int32) {
		wishes := make([]wish, len(layer))
		offset := 0
		for n, i := range layer {
			b := &l.boxes[i]
			at := l.median(before(b), float64(b.port()), (*box).port) - float64(b.enter())
			wishes[n] = wish{at - float64(offset), boxWeight}
			if b.row < 0 {
				wishes[n].weight = bendWeight
			}
			offset += b.advance()
		}
		offset = 0
		for n, at := range ascending(wishes) {
			b := &l.boxes[layer[n]]
			b.x = at + offset
			offset += b.advance()
		}
	})
	left := 0
	for _, b := range l.boxes {
		left = min(left, b.x)
	}
	for i := range l.boxes {
		l.boxes[i].x -= left
	}
}

// advance is how far behind the beginning of a box the next one can begin.
func (b *box) advance() int {
	if b.row < 0 {
		return 2
	}
	return (b.w + 3) &^ 1
}

// A wish is where something would like to be, and how much.
type wish struct{ at, weight float64 }

// ascending gives the even numbers that do not fall and are nearest to the wishes
// (least squares, by pooling neighbours that are in each other's way).
func ascending(wishes []wish) []int {
	type pool struct {
		wish
		members int
	}
	var pools []pool
	for _, w := range wishes {
		p := pool{w, 1}
		for len(pools) > 0 && pools[len(pools)-1].at > p.at {
			q := pools[len(pools)-1]
			pools = pools[:len(pools)-1]
			sum := p.weight + q.weight
			p = pool{wish{(p.at*p.weight + q.at*q.weight) / sum, sum}, p.members + q.members}
		}
		pools = append(pools, p)
	}
	at := make([]int, 0, len(wishes))
	for _, p := range pools {
		even := int(math.Round(p.at/2)) * 2
		for range p.members {
			at = append(at, even)
		}
	}
	return at
}
