package arrange

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// repeats reports whether a run of a sequence repeats itself.
func repeats(seq []int32, r run) bool {
	for i := r.Start + r.Period; i < r.Start+r.Length; i++ {
		if seq[i] != seq[i-r.Period] {
			return false
		}
	}
	return true
}

func TestWhatIsFoundRepeatsItselfAndDoesNotOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var seq []int32
		for range rapid.IntRange(0, 6).Draw(t, "pieces") {
			piece := rapid.SliceOfN(rapid.Int32Range(0, 4), 1, 6).Draw(t, "piece")
			for range rapid.IntRange(1, 9).Draw(t, "times") {
				seq = append(seq, piece...)
			}
		}
		times := rapid.IntRange(3, 5).Draw(t, "least")
		end := 0
		for _, r := range find(seq, times) {
			if r.Start < end || r.Start+r.Length > len(seq) || r.times() < times || !repeats(seq, r) {
				t.Fatalf("%v after %d in %v", r, end, seq)
			}
			end = r.Start + r.Length
		}
	})
}

func TestALoopIsFoundInTheMiddleOfOtherThings(t *testing.T) {
	for _, c := range []struct {
		seq  string
		want []run
	}{
		{"", nil},
		{"abcd", nil},
		{"xyz" + strings.Repeat("abc", 5) + "zyx", []run{{Start: 3, Period: 3, Length: 15}}},
		{strings.Repeat("a", 6) + strings.Repeat("bc", 7), []run{{Start: 0, Period: 1, Length: 6}, {Start: 6, Period: 2, Length: 14}}},
		{strings.Repeat("aabaac", 4), []run{{Start: 0, Period: 6, Length: 24}}},
		{strings.Repeat("abc", 3), nil},
	} {
		if got := find([]int32(slices.Collect(func(yield func(int32) bool) {
			for _, r := range c.seq {
				yield(r)
			}
		})), 4); !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, want %v", c.seq, got, c.want)
		}
	}
}

// A loop h = f(h, w): each step uses what the step before made, and a weight.
func TestTheStepsOfALoopHaveEqualTokensWhateverElseTheyShare(t *testing.T) {
	const steps, weight = 6, 0
	tokens := newTokens(1 + 2*steps)
	var seq []int32
	element := func(name string, id int, uses ...int) {
		tokens.text(name)
		for _, u := range uses {
			tokens.use(u)
		}
		tokens.use(id)
		seq = append(seq, tokens.end())
	}
	element("w", weight)
	before := weight
	for i := range steps {
		product, sum := 1+2*i, 2+2*i
		element("mul", product, before, weight)
		element("add", sum, product)
		before = sum
	}
	runs := find(seq, 4)
	if len(runs) != 1 || runs[0].Period != 2 || runs[0].Length < 2*(steps-1) {
		t.Errorf("%v in %v", runs, seq)
	}
}

func TestARunIsMovedToWhereTheLoopBegins(t *testing.T) {
	// Blocks of three elements from 2 on, with links between all of a block, and
	// one from its last element to the next block.
	cross := newCrossings(19)
	for i := 2; i+3 < 19; i += 3 {
		cross.link(i, i+1)
		cross.link(i, i+2)
		cross.link(i+1, i+2)
		cross.link(i+2, i+3)
	}
	cross.sum()
	got := align(run{Start: 3, Period: 3, Length: 16}, cross, 4)
	if want := (run{Start: 5, Period: 3, Length: 12}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}
