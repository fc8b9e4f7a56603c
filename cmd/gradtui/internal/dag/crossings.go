package dag

import (
	"cmp"
	"slices"
)

// sweeps is how often the layers are sorted, and placed: down and up by turns.
const sweeps = 8

// sweep calls f for each layer but the first one on the way down, or up. before gives the
// neighbours of a box in the layer before.
func (l *layout) sweep(up bool, f func(layer []int32, before func(*box) []int32)) {
	if up {
		for n := len(l.layers) - 2; n >= 0; n-- {
			f(l.layers[n], func(b *box) []int32 { return b.down })
		}
		return
	}
	for n := 1; n < len(l.layers); n++ {
		f(l.layers[n], func(b *box) []int32 { return b.up })
	}
}

// order sorts the layers so that few lines cross: each box goes to the median of its
// neighbours in the layer before. The best order that comes up stays.
func (l *layout) order() {
	best, least := l.copyLayers(), l.crossings()
	for i := range sweeps {
		l.sweep(i%2 == 1, l.sort)
		l.sweep(i%2 == 1, l.swap)
		if n := l.crossings(); n < least {
			best, least = l.copyLayers(), n
		}
	}
	l.layers = best
	for _, layer := range l.layers {
		l.number(layer)
	}
}

func (l *layout) copyLayers() [][]int32 {
	layers := make([][]int32, len(l.layers))
	for i, layer := range l.layers {
		layers[i] = slices.Clone(layer)
	}
	return layers
}

// sort sorts a layer by the medians of the neighbours.
func (l *layout) sort(layer []int32, before func(*box) []int32) {
	for _, i := range layer {
		b := &l.boxes[i]
		b.want = l.median(before(b), float64(b.at), func(n *box) int { return n.at })
	}
	slices.SortStableFunc(layer, func(a, b int32) int { return cmp.Compare(l.boxes[a].want, l.boxes[b].want) })
	l.number(layer)
}

// swap lets neighbours in a layer change places where that leads to fewer crossings.
func (l *layout) swap(layer []int32, _ func(*box) []int32) {
	for n := 1; n < len(layer); n++ {
		a, b := &l.boxes[layer[n-1]], &l.boxes[layer[n]]
		if l.inverted(a.up, b.up)+l.inverted(a.down, b.down) > l.inverted(b.up, a.up)+l.inverted(b.down, a.down) {
			layer[n-1], layer[n] = layer[n], layer[n-1]
			a.at, b.at = n, n-1
		}
	}
}

// inverted counts the pairs of boxes of two lists where the one of the first list is
// further to the right.
func (l *layout) inverted(left, right []int32) int {
	at := l.values[:0]
	for _, b := range left {
		at = append(at, l.boxes[b].at)
	}
	slices.Sort(at)
	l.values = at
	sum := 0
	for _, b := range right {
		further, _ := slices.BinarySearch(at, l.boxes[b].at+1)
		sum += len(at) - further
	}
	return sum
}

func (l *layout) number(layer []int32) {
	for at, i := range layer {
		l.boxes[i].at = at
	}
}

// median returns the median of a number of some boxes, or none if there are no boxes.
func (l *layout) median(boxes []int32, none float64, of func(*box) int) float64 {
	l.values = l.values[:0]
	for _, b := range boxes {
		l.values = append(l.values, of(&l.boxes[b]))
	}
	slices.Sort(l.values)
	n := len(l.values)
	if n == 0 {
		return none
	}
	return float64(l.values[(n-1)/2]+l.values[n/2]) / 2
}

// crossings counts the crossings of the links between neighbouring layers.
func (l *layout) crossings() int {
	sum := 0
	for n := 1; n < len(l.layers); n++ {
		// Going through the links from left to right, those that end further to
		// the right than the next one are crossed by it. A binary indexed tree
		// counts them.
		tree := slices.Grow(l.values[:0], len(l.layers[n])+1)[:len(l.layers[n])+1]
		clear(tree)
		links := 0
		for _, i := range l.layers[n-1] {
			for _, to := range l.boxes[i].down {
				sum += links
				for at := l.boxes[to].at + 1; at > 0; at &= at - 1 {
					sum -= tree[at]
				}
			}
			for _, to := range l.boxes[i].down {
				links++
				for at := l.boxes[to].at + 1; at < len(tree); at += at & -at {
					tree[at]++
				}
			}
		}
		l.values = tree
	}
	return sum
}
