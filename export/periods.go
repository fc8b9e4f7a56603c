package export

import (
	"cmp"
	"slices"
)

// A run is a stretch of a sequence that repeats itself after every period.
type run struct{ start, period, length int }

// saved is how many elements go when all but the first and the last period give
// way to one box.
func (r run) saved() int { return r.length - r.length%r.period - 2*r.period - 1 }

// maxPeriods is how many periods findRuns tries.
const maxPeriods = 48

// findRuns finds runs of at least so many periods, none of which overlap. Those
// that save most win, and of equal ones the first.
//
// The periods that are worth a try are the distances at which words of the
// sequence come back: in a run, every word that is long enough to be unique in a
// period comes back after exactly one. Words of 1, 2, 4 … elements are numbered
// as in the construction of a suffix array by doubling.
func findRuns(seq []int32, times int) []run {
	var all []run
	for _, p := range periods(seq, len(seq)/times) {
		same := 0 // elements in front of i that equal those one period earlier
		for i := p; i <= len(seq); i++ {
			if i < len(seq) && seq[i] == seq[i-p] {
				same++
				continue
			}
			if length := same + p; same > 0 && length >= times*p {
				if r := (run{i - length, p, length}); r.saved() > 0 {
					all = append(all, r)
				}
			}
			same = 0
		}
	}
	slices.SortFunc(all, func(a, b run) int {
		return cmp.Or(b.saved()-a.saved(), a.start-b.start, a.period-b.period)
	})
	var chosen []run
	taken := make([]bool, len(seq))
	for _, r := range all {
		if slices.Contains(taken[r.start:r.start+r.length], true) {
			continue
		}
		for i := range r.length {
			taken[r.start+i] = true
		}
		chosen = append(chosen, r)
	}
	slices.SortFunc(chosen, func(a, b run) int { return a.start - b.start })
	return chosen
}

// periods are the distances up to longest at which words come back, the most
// frequent first.
func periods(seq []int32, longest int) []int {
	counts := make([]int, longest+1)
	words := slices.Clone(seq)
	for size := 1; size <= longest; size *= 2 {
		fresh := make([]int, longest+1)
		at := make(map[int32]int, len(words))
		for i, w := range words {
			if before, ok := at[w]; ok && i-before <= longest {
				fresh[i-before]++
			}
			at[w] = i
		}
		for p, n := range fresh {
			counts[p] = max(counts[p], n)
		}
		if len(at) == len(words) {
			break // no word of this size comes back
		}
		words = double(words, size)
	}
	list := make([]int, 0, longest)
	for p, n := range counts {
		if n > p && p > 0 {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b int) int { return cmp.Or(counts[b]-counts[a], a-b) })
	return list[:min(len(list), maxPeriods)]
}

// double numbers the words of twice the size.
func double(words []int32, size int) []int32 {
	if len(words) <= size {
		return nil
	}
	numbers := make(map[uint64]int32, len(words))
	next := make([]int32, len(words)-size)
	for i := range next {
		key := uint64(uint32(words[i]))<<32 | uint64(uint32(words[i+size]))
		n, ok := numbers[key]
		if !ok {
			n = int32(len(numbers))
			numbers[key] = n
		}
		next[i] = n
	}
	return next
}
