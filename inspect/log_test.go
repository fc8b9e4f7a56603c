package inspect

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/graph"
)

func TestALogKeepsTheNumbersOfWhatItForgets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type element struct{ at graph.Pos }
		none := element{-1}
		l := Log[element]{at: func(e *element) graph.Pos { return e.at }, empty: func() element { return none }}
		known := map[int]element{}
		at := graph.Pos(0)
		for range rapid.IntRange(0, 50).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "add") {
				at += graph.Pos(rapid.IntRange(0, 2).Draw(t, "after"))
				known[l.Len()] = element{at}
				l.add(element{at})
				continue
			}
			before := graph.Pos(rapid.IntRange(0, int(at)+1).Draw(t, "before"))
			keep := rapid.IntRange(1, 4).Draw(t, "keep every")
			l.forget(before, func(i int, _ *element) bool { return i%keep == 0 })
			for i, e := range known {
				if i%keep != 0 && (e.at < before || i < l.base) {
					delete(known, i)
				}
			}
		}
		from := graph.Pos(rapid.IntRange(0, int(at)+1).Draw(t, "from"))
		var all, later, back []int
		for i := range l.All() {
			all = append(all, i)
		}
		for i := range l.From(from) {
			later = append(later, i)
		}
		for i := range l.Backward(l.Len()) {
			back = append(back, i)
		}
		slices.Reverse(back)
		var wantAll, wantLater []int
		for i := range l.Len() {
			e, ok := known[i]
			if got := *l.At(i); ok && got != e || !ok && got != none || l.Knows(i) != ok {
				t.Fatalf("element %d is %v, want %v (known: %t)", i, got, e, ok)
			}
			if ok {
				wantAll = append(wantAll, i)
			}
			if ok && e.at >= from {
				wantLater = append(wantLater, i)
			}
		}
		if !slices.Equal(all, wantAll) || !slices.Equal(back, wantAll) || !slices.Equal(later, wantLater) {
			t.Fatalf("all are %v, backward %v, want %v; from %d on %v, want %v", all, back, wantAll, from, later, wantLater)
		}
	})
}
