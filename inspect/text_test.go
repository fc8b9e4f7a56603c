package inspect_test

import (
	"math"
	"testing"

	"github.com/gradtui/gradtui/inspect"
)

func TestBytesAreForPeople(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0 B", 1: "1 B", 980: "980 B", 1023: "1023 B", 1024: "1.0 KiB", 1536: "1.5 KiB",
		1023 << 10: "1023.0 KiB", 1<<20 - 1: "1.0 MiB", 1 << 20: "1.0 MiB", 2 << 30: "2.0 GiB",
		1<<40 - 1: "1.0 TiB", 5 << 40: "5.0 TiB", 1 << 50: "1.0 PiB", math.MaxUint64: "16.0 EiB",
	} {
		if got := inspect.Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %s, want %s", n, got, want)
		}
	}
}

func TestRanksAreNamedInRuns(t *testing.T) {
	for want, ranks := range map[string][]int{
		"rank 1 of 8": {1}, "ranks 0-2, 5 of 8": {0, 1, 2, 5}, "all 8 ranks": {0, 1, 2, 3, 4, 5, 6, 7},
	} {
		if got := inspect.RankNames(ranks, 8); got != want {
			t.Errorf("%v: %q", ranks, got)
		}
	}
	if got := inspect.RankNames([]int{0}, 1); got != "rank 0 of 1" {
		t.Error(got)
	}
}
