package passorder_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gradtui/gradtui/internal/passorder"
)

// The orders were printed by a C++ program with libstdc++'s std::push_heap and
// std::pop_heap, comparing by sequence number alone.
func TestNodesWithEqualNumbersRunInTheOrderOfTheCPlusPlusHeap(t *testing.T) {
	const leaf = math.MaxUint64
	for _, c := range []struct {
		sequences []uint64
		want      []int // positions in sequences
	}{
		{[]uint64{1, 5, 3, 4, 2}, []int{1, 3, 2, 4, 0}},
		{[]uint64{leaf, leaf, leaf, leaf, leaf, leaf, leaf}, []int{0, 2, 5, 6, 4, 1, 3}},
		{[]uint64{leaf, leaf, leaf, leaf, leaf, leaf, leaf, leaf, leaf, leaf}, []int{0, 2, 6, 9, 8, 5, 7, 4, 1, 3}},
		{[]uint64{7, leaf, 7, leaf, 3, 7, leaf, 3, leaf}, []int{1, 6, 3, 8, 2, 5, 0, 7, 4}},
		{[]uint64{1, 2, 2, leaf, leaf, 1, 2, leaf, leaf, leaf, 1, 2}, []int{3, 4, 9, 7, 8, 2, 6, 11, 1, 0, 10, 5}},
	} {
		var q passorder.Queue[int]
		for i, s := range c.sequences {
			q.Push(s, i)
		}
		var got []int
		for q.Len() > 0 {
			got = append(got, q.Pop())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.sequences, got, c.want)
		}
	}
}
