package inspect_test

import (
	"io"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/examples"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/tapetest"
)

// recordings are the tapes of the examples.
func recordings(t rapid.TB) map[string]*graph.Tape {
	tapes := map[string]*graph.Tape{}
	for _, e := range examples.All {
		tape := graph.NewTape(graph.Limits{})
		_, stop := autograd.Record(tape)
		if err := e.Run(io.Discard); err != nil && !e.Fails {
			t.Fatal(e.Name, err)
		}
		stop()
		tapes[e.Name] = tape
	}
	return tapes
}

// drawTape draws a tape of an engine, or one with anything between its events.
func drawTape(t *rapid.T) *graph.Tape {
	switch rapid.IntRange(0, 2).Draw(t, "tape") {
	case 0:
		return tapetest.WellFormed(t)
	case 1:
		return tapetest.Hostile(t)
	}
	return tapetest.Recorded(rapid.Uint64().Draw(t, "seed"), 300)
}

// drawStretch draws two positions and a number of parts.
func drawStretch(t *rapid.T, tape *graph.Tape) (from, to graph.Pos, n int) {
	from = graph.Pos(rapid.IntRange(-1, int(tape.Len())).Draw(t, "from"))
	to = graph.Pos(rapid.IntRange(int(from), int(tape.Len())+1).Draw(t, "to"))
	return from, to, rapid.IntRange(1, 9).Draw(t, "n")
}

// extend takes a tape in slices.
func extend(t *rapid.T, tape *graph.Tape, to func(graph.Pos)) {
	for p := graph.Pos(0); p < tape.Len(); {
		p += graph.Pos(rapid.IntRange(1, 200).Draw(t, "slice"))
		to(p)
	}
}

// naive says what happens in some events by looking at each of them.
func naive(tape *graph.Tape, from, to graph.Pos) (b inspect.Bucket) {
	b.From, b.To = from, to
	var running []graph.BackwardID
	for p := graph.Pos(0); p < max(to, from+1) && p < tape.Len(); p++ {
		_, e, err := tape.At(p)
		if err != nil {
			continue
		}
		a := inspect.ActivityOther
		inside := len(running) > 0
		var ended graph.BackwardID
		switch e := e.(type) {
		case *graph.OpRan:
			if a = inspect.ActivityForward; inside {
				a = inspect.ActivityOther
			}
		case *graph.Mutated:
			if a = inspect.ActivityInPlace; inside {
				a = inspect.ActivityOther
			}
		case *graph.NodeExecuted:
			a = inspect.ActivityNode
		case *graph.SavedFreed:
			a = inspect.ActivityFreed
		case *graph.Raised, *graph.ProgramFailed:
			a = inspect.ActivityError
		case *graph.Warned:
			a = inspect.ActivityWarning
		case *graph.HookRan:
			a = inspect.ActivityHook
		case *graph.OptimizerStepped:
			if a = inspect.ActivityStep; e.Done {
				a = inspect.ActivityStepped
			}
		case *graph.GradsZeroed:
			a = inspect.ActivityZeroing
		case *graph.OutputWritten:
			a = inspect.ActivityOutput
		case *graph.Iteration:
			a = inspect.ActivityIteration
		case *graph.BackwardBegan:
			a = inspect.ActivityPassBegan
			running = append(running, e.Backward)
		case *graph.BackwardEnded:
			a, ended = inspect.ActivityPassEnded, e.Backward
		case *graph.BackwardFailed:
			a, ended = inspect.ActivityPassFailed, e.Backward
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

// The pass with the number zero, which only a damaged tape has, is no pass.
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
	check := func(t rapid.TB, tape *graph.Tape, line *inspect.Timeline, from, to graph.Pos, n int) {
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
	for name, tape := range recordings(t) {
		t.Run(name, func(t *testing.T) {
			line := inspect.NewTimeline(tape)
			line.Extend(tape.Len())
			check(t, tape, line, 0, tape.Len(), 1)
			check(t, tape, line, 0, tape.Len(), 7)
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		tape := drawTape(t)
		if hasPassZero(tape) {
			return
		}
		line := inspect.NewTimeline(tape)
		extend(t, tape, line.Extend)
		from, to, n := drawStretch(t, tape)
		check(t, tape, line, from, to, n)
	})
}

func TestATimelineFindsTheNextEventOfAnActivity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tape := drawTape(t)
		line := inspect.NewTimeline(tape)
		extend(t, tape, line.Extend)
		of := []inspect.Activity{inspect.ActivityForward, inspect.ActivityPassEnded, inspect.ActivityPassFailed}
		p, _, _ := drawStretch(t, tape)
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
		"steps": training(5, false), "one turn": training(1, false),
		"events of the program": fiveLines + "+0s op-ran @1\n+0s iteration @2\n+0s op-ran @3\n+0s iteration @2\n+0s op-ran @3\n+0s op-ran @5",
		"two loops":             training(3, false) + "+0s optimizer-stepped @3 optimizer=\"SGD\" done=true\n+0s op-ran @2\n+0s optimizer-stepped @3 optimizer=\"SGD\" done=true\n+0s op-ran @5",
	} {
		tape := tapeOf(t, text)
		for slice := graph.Pos(1); slice < 9; slice++ {
			line := inspect.NewTimeline(tape)
			for p := graph.Pos(0); p < tape.Len(); {
				p += slice
				line.Extend(p)
				sameIterations(t, line, tape)
			}
		}
		line := inspect.NewTimeline(tape)
		line.Extend(tape.Len())
		for _, b := range line.Buckets(0, tape.Len(), int(tape.Len())) {
			number := 0
			for _, i := range inspect.Iterations(tape, tape.Len()) {
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
		tape := drawTape(t)
		line := inspect.NewTimeline(tape)
		extend(t, tape, func(p graph.Pos) {
			line.Extend(p)
			sameIterations(t, line, tape)
		})
	})
}

func sameIterations(t rapid.TB, line *inspect.Timeline, tape *graph.Tape) {
	t.Helper()
	if len(line.Iterations()) == 0 { // no iterations, or those of a program that only runs forward
		return
	}
	var want []graph.Pos
	for _, i := range inspect.Iterations(tape, line.Pos()) {
		want = append(want, i.From)
	}
	if diff := cmp.Diff(want, line.Iterations()); diff != "" {
		t.Fatalf("iterations of the first %d events: %s", line.Pos(), diff)
	}
}

var million = sync.OnceValue(func() *graph.Tape { return tapetest.Recorded(1, 1_000_000) })

func BenchmarkTimelineExtend(b *testing.B) {
	tape := million()
	for b.Loop() {
		inspect.NewTimeline(tape).Extend(tape.Len())
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(tape.Len()), "ns/event")
}

func BenchmarkTimelineBuckets(b *testing.B) {
	tape := million()
	line := inspect.NewTimeline(tape)
	line.Extend(tape.Len())
	for b.Loop() {
		line.Buckets(0, tape.Len(), 200)
	}
}
