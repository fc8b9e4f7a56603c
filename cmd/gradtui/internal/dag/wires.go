package dag

import (
	"cmp"
	"math"
	"slices"
)

// A wire links boxes of one layer with boxes of the next one: either one box with all
// those below that nothing else leads to, or all boxes that lead to one below. Wires
// of the same channel never touch, so it is plain what leads where.
//
// That takes care of the columns: boxes are entered in even columns, and left in odd
// ones unless the wire goes straight down into one that is its own. So no wire comes
// from above where another one goes on below, and where two cross they have
// different directions.
type wire struct {
	from  []pin
	to    []int32
	left  int // columns
	right int
	track int
}

// A pin is where a wire leaves a box.
type pin struct {
	box    int32
	column int
}

// straight reports whether the wire is one line down.
func (w *wire) straight() bool { return w.left == w.right }

// wires returns the wires of the channel below a layer, without columns. A box has its
// wires in the order of the boxes that they lead to.
func (l *layout) wires(layer []int32) []wire {
	var list []wire
	shared := map[int32]int{} // by box below: its wire
	for _, i := range layer {
		own := -1
		for _, to := range l.boxes[i].down {
			if len(l.boxes[to].up) > 1 {
				n, ok := shared[to]
				if !ok {
					n = len(list)
					shared[to] = n
					list = append(list, wire{to: []int32{to}})
				}
				list[n].from = append(list[n].from, pin{box: i})
				continue
			}
			if own < 0 {
				own = len(list)
				list = append(list, wire{from: []pin{{box: i}}})
			}
			list[own].to = append(list[own].to, to)
		}
	}
	return list
}

// exits returns how many wires leave a box.
func (l *layout) exits(i int32) int {
	n, own := 0, 0
	for _, to := range l.boxes[i].down {
		if len(l.boxes[to].up) > 1 {
			n++
		} else {
			own = 1
		}
	}
	return n + own
}

// route gives the wires of a channel their columns and tracks, and returns how many
// tracks there are.
func (l *layout) route(wires []wire) (tracks int) {
	pins := map[int32][]*pin{}
	wireOf := map[*pin]*wire{}
	for i := range wires {
		for j := range wires[i].from {
			p := &wires[i].from[j]
			pins[p.box], wireOf[p] = append(pins[p.box], p), &wires[i]
		}
	}
	for i, list := range pins {
		l.leave(&l.boxes[i], list, wireOf)
	}
	order := make([]*wire, len(wires))
	for i := range wires {
		w := &wires[i]
		order[i] = w
		w.left, w.right = w.from[0].column, w.from[0].column
		for c := range l.columns(w) {
			w.left, w.right = min(w.left, c), max(w.right, c)
		}
	}
	slices.SortStableFunc(order, func(a, b *wire) int { return cmp.Or(a.left-b.left, a.right-b.right) })
	var ends []int // by track: the last column that is taken
	for _, w := range order {
		if w.straight() {
			continue
		}
		w.track = slices.IndexFunc(ends, func(end int) bool { return end < w.left })
		if w.track < 0 {
			w.track = len(ends)
			ends = append(ends, 0)
		}
		ends[w.track] = w.right
	}
	return len(ends)
}

// columns yields the columns where a wire leaves or enters boxes.
func (l *layout) columns(w *wire) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for _, p := range w.from {
			if !yield(p.column) {
				return
			}
		}
		for _, to := range w.to {
			if !yield(l.boxes[to].port()) {
				return
			}
		}
	}
}

// leave chooses the columns where wires leave a box.
func (l *layout) leave(b *box, pins []*pin, wireOf map[*pin]*wire) {
	left, right := b.x+1, b.x+b.w-2
	if b.row < 0 {
		left, right = b.x, b.x
	}
	mean := map[*pin]float64{}
	var bent []*pin
	for _, p := range pins {
		straight := false
		for _, to := range wireOf[p].to {
			enter := l.boxes[to].port()
			mean[p] += float64(enter) / float64(len(wireOf[p].to))
			if enter >= left && enter <= right {
				p.column, straight = enter, true
			}
		}
		if !straight {
			bent = append(bent, p)
		}
	}
	slices.SortStableFunc(bent, func(p, q *pin) int { return cmp.Compare(mean[p], mean[q]) })
	// As near to where they go as the others allow.
	odd := (b.w - 1) / 2 // columns for wires that bend
	next := 0
	for n, p := range bent {
		best := int(math.Round((mean[p] - float64(b.x+1)) / 2))
		n = min(max(best, next), max(odd-len(bent)+n, 0))
		p.column, next = b.x+1+2*n, n+1
	}
}
