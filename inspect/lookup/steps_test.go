package lookup_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/internal/testtape"
	"github.com/gradtui/gradtui/inspect/lookup"
)

var everyStop = []lookup.Stop{
	lookup.StopEvent, lookup.StopOp, lookup.StopLine, lookup.StopNode, lookup.StopNodeDone,
	lookup.StopBackward, lookup.StopIteration, lookup.StopInPlace, lookup.StopError,
}

func TestSteppingBackUndoesSteppingForward(t *testing.T) {
	anyTape(t, func(t *rapid.T, tape *graph.Tape) {
		s := lookup.NewSteps(tape)
		kind := rapid.SampledFrom(everyStop).Draw(t, "kind")
		path := []graph.Pos{0}
		for p, ok := s.Next(0, kind); ok; p, ok = s.Next(p, kind) {
			if p <= path[len(path)-1] {
				t.Fatalf("from %d forward to %d", path[len(path)-1], p)
			}
			path = append(path, p)
		}
		for i := len(path) - 1; i > 0; i-- {
			if p, ok := s.Prev(path[i], kind); p != path[i-1] || !ok {
				t.Fatalf("from %d back to %d, want %d", path[i], p, path[i-1])
			}
		}
		if p, ok := s.Prev(0, kind); p != 0 || ok {
			t.Errorf("from 0 back to %d, %v", p, ok)
		}
		// Anywhere else a step leads to the next of these stops, or the one before.
		from := graph.Pos(rapid.IntRange(0, int(tape.Len())).Draw(t, "from"))
		if p, ok := s.Prev(from, kind); ok && p >= from {
			t.Errorf("from %d back to %d", from, p)
		} else if again, more := s.Next(p, kind); ok && more && again < from {
			t.Errorf("from %d back to %d, past %d", from, p, again)
		}
	})
}

const stepped = testtape.FiveLines + `
+0s tensor-created @1 tensor=1 storage=1 bytes=8 counter=1 dtype=float32 shape=[2] flags=requires_grad
+0s name-bound @1 name="w" tensor=1
+0s op-ran @2 op="detach" inputs=[1] outputs=[1]
+0s lineage-cut @2 why=detach inputs=[1] output=1
+0s name-bound @2 name="d" tensor=1
+0s node-created @3 node=1 name="AccumulateGrad" outputs=1 variable=1
+0s op-ran @3 op="mul" inputs=[1] outputs=[1]
+0s backward-began @4 backward=1 roots=[(tensor=1 node=1)]
+0s node-ready @4 backward=1 node=1
+0s node-executed @4 backward=1 node=1
+0s saved-freed @4 backward=1 node=1
+0s backward-ended @4 backward=1
+0s mutated tensor=1 to=1
+0s mutated @5 tensor=1 from=1 to=2
+0s raised @5 type="RuntimeError"
`

func TestStopsLieBehindTheirEventsAndWhatBelongsToThem(t *testing.T) {
	tape := testtape.FromText(t, stepped)
	s := lookup.NewSteps(tape)
	for kind, want := range map[lookup.Stop][]graph.Pos{
		lookup.StopOp:       {5, 7},
		lookup.StopLine:     {1, 3, 6, 8, 14},
		lookup.StopNode:     {9},
		lookup.StopNodeDone: {11},
		lookup.StopBackward: {8, 12},
		lookup.StopInPlace:  {13, 14},
		lookup.StopError:    {15},
		"nonsense":          nil,
	} {
		var got []graph.Pos
		for p, ok := s.Next(0, kind); ok; p, ok = s.Next(p, kind) {
			got = append(got, p)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", kind, diff)
		}
	}
	// A program that is stepped live stops before its result has a name.
	if p, ok := s.Next(3, lookup.StopOp); p != 7 || !ok {
		t.Errorf("from the operation itself to %d", p)
	}
	if p, ok := s.Prev(4, lookup.StopOp); p != 0 || !ok {
		t.Errorf("from the operation itself back to %d", p)
	}
}

func TestStopsAreFoundOnATapeThatGrows(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	s := lookup.NewSteps(tape)
	if p, ok := s.Next(0, lookup.StopIteration); ok {
		t.Errorf("a stop at %d of nothing", p)
	}
	tape.Append(graph.Header{}, &graph.LineReached{})
	tape.Append(graph.Header{}, &graph.Iteration{Number: 1})
	if p, ok := s.Next(0, lookup.StopIteration); p != 2 || !ok {
		t.Errorf("the iteration stops at %d, %v", p, ok)
	}
	for _, p := range []graph.Pos{-1, 99} {
		s.Next(p, lookup.StopOp)
		s.Prev(p, lookup.StopOp)
	}
}
