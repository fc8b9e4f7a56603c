package inspect

import "testing"

func TestRanksAreNamedInRuns(t *testing.T) {
	for want, ranks := range map[string][]int{
		"rank 1 of 8": {1}, "ranks 0-2, 5 of 8": {0, 1, 2, 5}, "all 8 ranks": {0, 1, 2, 3, 4, 5, 6, 7},
	} {
		if got := RankNames(ranks, 8); got != want {
			t.Errorf("%v: %q", ranks, got)
		}
	}
	if got := RankNames([]int{0}, 1); got != "rank 0 of 1" {
		t.Error(got)
	}
}
