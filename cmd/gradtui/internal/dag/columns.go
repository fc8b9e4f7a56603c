package dag

import "math"

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
	for i := range sweeps {
		l.sweep(i%2 == 1, l.placeLayer)
	}
	left := 0
	for _, b := range l.boxes {
		left = min(left, b.x)
	}
	for i := range l.boxes {
		l.boxes[i].x -= left
	}
}

// placeLayer places the boxes of a layer by the columns of their neighbours.
func (l *layout) placeLayer(layer []int32, before func(*box) []int32) {
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
}

// advance returns how far behind the beginning of a box the next one can begin.
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
