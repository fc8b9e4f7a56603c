package lookup_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/internal/testtape"
	"github.com/gradtui/gradtui/inspect/lookup"
	"github.com/gradtui/gradtui/inspect/usage"
)

// naive says what happens in some events by looking at each of them.
func naive(tape *graph.Tape, from, to graph.Pos) (b lookup.Bucket) {
	b.From, b.To = from, to
	var running []graph.BackwardID
	for p := graph.Pos(0); p < max(to, from+1) && p < tape.Len(); p++ {
		_, e, err := tape.At(p)
		if err != nil {
			continue
		}
		a := lookup.ActivityOther
		inside := len(running) > 0
		var ended graph.BackwardID
		switch e := e.(type) {
		case *graph.OpRan:
			if a = lookup.ActivityForward; inside {
				a = lookup.ActivityOther
			}
		case *graph.Mutated:
			if a = lookup.ActivityInPlace; inside {
				a = lookup.ActivityOther
			}
		case *graph.NodeExecuted:
			a = lookup.ActivityNode
		case *graph.SavedFreed:
			a = lookup.ActivityFreed
		case *graph.Raised, *graph.ProgramFailed:
			a = lookup.ActivityError
		case *graph.Warned:
			a = lookup.ActivityWarning
		case *graph.HookRan:
			a = lookup.ActivityHook
		case *graph.OptimizerStepped:
			if a = lookup.ActivityStep; e.Done {
				a = lookup.ActivityStepped
			}
		case *graph.GradsZeroed:
			a = lookup.ActivityZeroing
		case *graph.OutputWritten:
			a = lookup.ActivityOutput
		case *graph.Iteration:
			a = lookup.ActivityIteration
		case *graph.BackwardBegan:
			a = lookup.ActivityPassBegan
			running = append(running, e.Backward)
		case *graph.BackwardEnded:
			a, ended = lookup.ActivityPassEnded, e.Backward
		case *graph.BackwardFailed:
			a, ended = lookup.ActivityPassFailed, e.Backward
		}
		if p >= from && len(running) > 0 && running[len(running)-1] != 0 {
			b.Backward = running[len(running)-1]
		}
		if ended != 0 {
			running = slices.DeleteFunc(running, func(r graph.BackwardID) bool { return r == ended })
		}
		if p >= from && p < to {
			b.Counts[a]++
		}
	}
	if from >= tape.Len() && len(running) > 0 {
		b.Backward = running[len(running)-1]
	}
	return b
}

// The pass with the number zero, which only a damaged tape has, is not a pass.
func hasPassZero(tape *graph.Tape) bool {
	for p := range tape.Len() {
		if _, e, err := tape.At(p); err == nil {
			if b, ok := e.(*graph.BackwardBegan); ok && b.Backward == 0 {
				return true
			}
		}
	}
	return false
}

func TestATimelineCountsWhatHappened(t *testing.T) {
	check := func(t rapid.TB, tape *graph.Tape, line *lookup.Timeline, from, to graph.Pos, n int) {
		t.Helper()
		at := max(from, 0)
		for _, b := range line.Buckets(from, to, n) {
			if b.From != at {
				t.Fatalf("a bucket begins at %d, the one before ended at %d", b.From, at)
			}
			at = b.To
			b.Iteration = 0
			if diff := cmp.Diff(naive(tape, b.From, b.To), b); diff != "" {
				t.Fatal(diff)
			}
		}
		if at != max(min(to, tape.Len()), 0) {
			t.Fatalf("the last bucket ends at %d", at)
		}
	}
	for name, tape := range testtape.Examples(t) {
		t.Run(name, func(t *testing.T) {
			line := lookup.NewTimeline(tape)
			line.Extend(tape.Len())
			check(t, tape, line, 0, tape.Len(), 1)
			check(t, tape, line, 0, tape.Len(), 7)
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		tape := testtape.Draw(t)
		if hasPassZero(tape) {
			return
		}
		line := lookup.NewTimeline(tape)
		testtape.InSlices(t, tape, line.Extend)
		from, to, n := testtape.DrawStretch(t, tape)
		check(t, tape, line, from, to, n)
	})
}

func TestATimelineFindsTheNextEventOfAnActivity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tape := testtape.Draw(t)
		line := lookup.NewTimeline(tape)
		testtape.InSlices(t, tape, line.Extend)
		of := []lookup.Activity{lookup.ActivityForward, lookup.ActivityPassEnded, lookup.ActivityPassFailed}
		p, _, _ := testtape.DrawStretch(t, tape)
		is := func(q graph.Pos) bool {
			c := line.Count(q, q+1)
			return c[of[0]]+c[of[1]]+c[of[2]] == 1
		}
		next, prev := max(p, 0), min(p, tape.Len())-1
		for next < tape.Len() && !is(next) {
			next++
		}
		for prev >= 0 && !is(prev) {
			prev--
		}
		if got, ok := line.Next(p, of...); ok != (next < tape.Len()) || ok && got != next {
			t.Fatalf("next of %d is %d %t, want %d", p, got, ok, next)
		}
		if got, ok := line.Prev(p, of...); ok != (prev >= 0) || ok && got != prev {
			t.Fatalf("previous of %d is %d %t, want %d", p, got, ok, prev)
		}
	})
}

// A timeline that follows a tape knows the iterations that are found in the end.
func TestATimelineKnowsIterations(t *testing.T) {
	for name, text := range map[string]string{
		"steps": testtape.Training(5, false), "one turn": testtape.Training(1, false),
		"events of the program": testtape.FiveLines + "+0s op-ran @1\n+0s iteration @2\n+0s op-ran @3\n+0s iteration @2\n+0s op-ran @3\n+0s op-ran @5",
		"two loops":             testtape.Training(3, false) + "+0s optimizer-stepped @3 optimizer=\"SGD\" done=true\n+0s op-ran @2\n+0s optimizer-stepped @3 optimizer=\"SGD\" done=true\n+0s op-ran @5",
	} {
		tape := testtape.FromText(t, text)
		for slice := graph.Pos(1); slice < 9; slice++ {
			line := lookup.NewTimeline(tape)
			for p := graph.Pos(0); p < tape.Len(); {
				p += slice
				line.Extend(p)
				sameIterations(t, line, tape)
			}
		}
		line := lookup.NewTimeline(tape)
		line.Extend(tape.Len())
		for _, b := range line.Buckets(0, tape.Len(), int(tape.Len())) {
			number := 0
			for _, i := range usage.Iterations(tape, tape.Len()) {
				if i.From == b.From {
					number = i.Number
				}
			}
			if b.Iteration != number {
				t.Errorf("%s: at %d begins %d, want %d", name, b.From, b.Iteration, number)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		tape := testtape.Draw(t)
		line := lookup.NewTimeline(tape)
		testtape.InSlices(t, tape, func(p graph.Pos) {
			line.Extend(p)
			sameIterations(t, line, tape)
		})
	})
}

func sameIterations(t rapid.TB, line *lookup.Timeline, tape *graph.Tape) {
	t.Helper()
	if len(line.Iterations()) == 0 { // no iterations, or those of a program that only runs forward
		return
	}
	var want []graph.Pos
	for _, i := range usage.Iterations(tape, line.Pos()) {
		want = append(want, i.From)
	}
	if diff := cmp.Diff(want, line.Iterations()); diff != "" {
		t.Fatalf("iterations of the first %d events: %s", line.Pos(), diff)
	}
}

func BenchmarkTimelineExtend(b *testing.B) {
	tape := testtape.Million()
	for b.Loop() {
		lookup.NewTimeline(tape).Extend(tape.Len())
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(tape.Len()), "ns/event")
}

func BenchmarkTimelineBuckets(b *testing.B) {
	tape := testtape.Million()
	line := lookup.NewTimeline(tape)
	line.Extend(tape.Len())
	for b.Loop() {
		line.Buckets(0, tape.Len(), 200)
	}
}
