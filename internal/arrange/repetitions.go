package arrange

import (
	"cmp"
	"slices"
)

// MinTimes is how often something must come, one after the other, to be a repetition.
// Pictures keep the first and the last of them.
const MinTimes = 4

// repetitions finds the stretches of a sequence that repeat themselves; none overlap. The
// sequence is given as numbers, equal ones for equal elements. A repetition begins where the
// fewest links between elements lead from one time to the next.
func repetitions(numbers []int32, links func() crossings) []run {
	runs := find(numbers, MinTimes)
	if len(runs) == 0 {
		return nil
	}
	cross := links()
	cross.sum()
	for i := range runs {
		runs[i] = align(runs[i], cross, MinTimes)
	}
	return runs
}

// A run is a stretch of a sequence that repeats itself after every period.
type run struct{ Start, Period, Length int }

// times is how often the period is there as a whole.
func (r run) times() int { return r.Length / r.Period }

// saved is how many elements go when all but the first and the last period give
// way to one box.
func (r run) saved() int { return r.Length - r.Length%r.Period - 2*r.Period - 1 }

// maxPeriods is how many periods find tries.
const maxPeriods = 48

// find finds runs with at least the given number of periods, none of which overlap. The
// runs that save most win, and of equal ones the first.
//
// The periods that are worth a try are the distances at which words of the
// sequence come back: in a run, every word that is long enough to be unique in a
// period comes back after exactly one. Words of 1, 2, 4 … elements are numbered
// as in the construction of a suffix array by doubling.
func find(seq []int32, times int) []run {
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
		return cmp.Or(b.saved()-a.saved(), a.Start-b.Start, a.Period-b.Period)
	})
	var chosen []run
	taken := make([]bool, len(seq))
	for _, r := range all {
		if slices.Contains(taken[r.Start:r.Start+r.Length], true) {
			continue
		}
		for i := range r.Length {
			taken[r.Start+i] = true
		}
		chosen = append(chosen, r)
	}
	slices.SortFunc(chosen, func(a, b run) int { return a.Start - b.Start })
	return chosen
}

// periods are the distances up to longest at which words come back, the most
// frequent first.
func periods(seq []int32, longest int) []int {
	counts := make([]int, longest+1)
	words := number(seq)
	at := make([]int32, len(seq)) // by word: where it was last + 1
	for size := 1; size <= longest; size *= 2 {
		fresh := make([]int, longest+1)
		clear(at)
		distinct := 0
		for i, w := range words {
			if before := int(at[w]); before == 0 {
				distinct++
			} else if p := i + 1 - before; p <= longest {
				fresh[p]++
			}
			at[w] = int32(i) + 1
		}
		for p, n := range fresh {
			counts[p] = max(counts[p], n)
		}
		if distinct == len(words) {
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

// number numbers the words of one element.
func number(seq []int32) []int32 {
	numbers := map[int32]int32{}
	words := make([]int32, len(seq))
	for i, token := range seq {
		n, ok := numbers[token]
		if !ok {
			n = int32(len(numbers))
			numbers[token] = n
		}
		words[i] = n
	}
	return words
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

// align moves the periods of a run to where the fewest links lead from one to the
// next: that is where the loop of the program begins. It gives up at most one period, and
// leaves at least the given number. cross is how many links lead over the place in front
// of each element.
func align(r run, cross []int32, times int) run {
	end := r.Start + r.Length
	keep := max(r.times()-1, times)
	last := min(end-keep*r.Period, r.Start+r.Period-1)
	best := r.Start
	for i := r.Start; i <= last; i++ {
		if cross[i] < cross[best] {
			best = i
		}
	}
	length := end - best
	return run{best, r.Period, length - length%r.Period}
}
