package lookup

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/graph"
)

// Postings are lists of positions, however many there are of one identifier.
func TestPostingsGiveBackWhatWasAdded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p postings
		want := map[uint32][]graph.Pos{}
		at := graph.Pos(0)
		for range rapid.IntRange(1, 3000).Draw(t, "events") {
			at += graph.Pos(rapid.IntRange(0, 300).Draw(t, "step"))
			id := uint32(rapid.SampledFrom([]int{1, 1, 1, 2, 3, 900}).Draw(t, "identifier"))
			p.add(id, at)
			if list := want[id]; len(list) == 0 || list[len(list)-1] != at {
				want[id] = append(list, at)
			}
		}
		end := graph.Pos(rapid.IntRange(0, int(at)+1).Draw(t, "end"))
		for id := range uint32(1000) {
			n, _ := slices.BinarySearch(want[id], end)
			got := slices.Collect(p.before(id, end))
			slices.Reverse(got)
			if !slices.Equal(got, want[id][:n]) {
				t.Fatalf("%d before %d: %v, want %v", id, end, got, want[id][:n])
			}
			newest := graph.Pos(-1)
			if n > 0 {
				newest = want[id][n-1]
			}
			if at := p.newest(id, end); at != newest {
				t.Fatalf("the newest of %d before %d is %d, want %d", id, end, at, newest)
			}
		}
	})
}
