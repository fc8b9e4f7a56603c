package find

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/examples"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
	"github.com/gradtui/gradtui/internal/testing/tapetest"
)

// A program with two loss tensors, one of them in a function, a layer and an update.
const program = `
stack 1 "/home/me/train.py":3:1-3:9:"<module>"
stack 2 "/home/me/train.py":12:5-12:9:"Net.forward" "/home/me/train.py":5:1-5:9:"<module>"
stack 3 "/home/me/lib/train.py":120:5-120:9:"step" "/home/me/train.py":6:1-6:9:"<module>"
+1ms tensor-created @1 tensor=1 storage=1 bytes=8 counter=1 dtype=float32 shape=[2]
+0s name-bound @1 name="weight" tensor=1
+0s module-entered @1 path="layers.0" type="Linear"
+1ms node-created @2 node=1 name="AccumulateGrad" outputs=1 variable=1
+0s node-created @2 node=2 name="MulBackward0" outputs=1 edges=[(node=1)]
+0s tensor-created @2 tensor=2 storage=2 bytes=8 counter=2 dtype=float32 shape=[2] node=2
+0s op-ran @2 op="mul" inputs=[1] outputs=[2] node=2
+0s name-bound @2 name="loss" scope="Net.forward" tensor=2
+0s name-bound @1 name="loss" tensor=2
+1ms node-created @2 node=3 name="MulBackward0" outputs=1 edges=[(node=1)]
+0s tensor-created @2 tensor=3 storage=3 bytes=8 counter=3 dtype=float32 shape=[2] node=3
+0s op-ran @2 op="mul" inputs=[1] outputs=[3] node=3
+0s name-bound @1 name="loss" tensor=3
+1ms op-ran @3 op="add_" inputs=[1] outputs=[1] mutated=[1]
`

func tapeOf(t testing.TB, text string) *graph.Tape {
	t.Helper()
	tape := graph.NewTape(graph.Limits{})
	if err := tape.ReadText(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return tape
}

func indexOf(tape *graph.Tape) *Index {
	x := NewIndex(tape)
	x.Extend(tape.Len())
	return x
}

// find writes hits as "kind label (detail)".
func find(t rapid.TB, x *Index, query string, at graph.Pos, most int) (found []string) {
	t.Helper()
	hits, err := x.Find(context.Background(), query, at, most)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range hits {
		text := fmt.Sprintf("%s %s (%s)", h.Kind, h.Label, h.Detail)
		if h.Later {
			text += " later"
		}
		found = append(found, text)
	}
	return found
}

func TestAQueryFindsWhatItMayMean(t *testing.T) {
	x := indexOf(tapeOf(t, program))
	x.SetFindings([]inspect.Finding{{
		Code: "inplace-saved-tensor", Message: "`weight` was modified", Severity: inspect.SeverityError, At: 13,
		Primary: inspect.Span{Frame: graph.Frame{File: "/home/me/lib/train.py", Line: 120}},
	}})
	for _, c := range []struct {
		query string
		at    graph.Pos
		want  []string
	}{
		{"loss", 14, []string{"tensor loss (t3, float32 [2])", "tensor loss (t2, float32 [2])"}},
		{"loss", 9, []string{"tensor loss (t2, float32 [2])", "tensor loss (t3, float32 [2]) later"}},
		{"LSS", 14, []string{"tensor loss (t3, float32 [2])", "tensor loss (t2, float32 [2])"}},
		{"net.forward.loss", 14, []string{"tensor Net.forward.loss (t2, float32 [2])"}},
		{"n2", 14, []string{"node MulBackward0 (n2, train.py:12)"}},
		{"n:3", 4, []string{"node MulBackward0 (n3, train.py:12) later"}},
		{"n:mulb", 6, []string{"node MulBackward0 (n2, train.py:12)", "node MulBackward0 (n3, train.py:12) later"}},
		{"n:", 14, []string{"node AccumulateGrad (n1, train.py:12)", "node MulBackward0 (n3, train.py:12)", "node MulBackward0 (n2, train.py:12)"}},
		{"t1", 14, []string{"tensor t1 (t1, float32 [2], train.py:3)"}},
		{"n9", 14, nil},
		{"add_", 14, []string{"op add_ (event 13, train.py:120)"}},
		{"linear", 14, []string{"module layers.0 Linear (event 2, train.py:3)"}},
		{"@13", 14, []string{"position event 13 (op-ran, train.py:120)"}},
		{"@14", 14, nil},
		{"!", 13, []string{"finding inplace-saved-tensor: `weight` was modified (error, train.py:120) later"}},
		{"!inpl", 14, []string{"finding inplace-saved-tensor: `weight` was modified (error, train.py:120)"}},
		{"Weight was MOD", 14, []string{"finding inplace-saved-tensor: `weight` was modified (error, train.py:120)"}},
		{"f:train.py", 14, []string{"file /home/me/train.py (4 lines ran)", "file /home/me/lib/train.py (1 lines ran)"}},
		{"f:forward", 14, []string{"function Net.forward (train.py:12)"}},
		{"f:me/train.py:12", 14, []string{"file /home/me/train.py:12 (Net.forward)", "file /home/me/lib/train.py:12 ()", "file /home/me/lib/train.py:120 (step)"}},
		{"lib/train.py:", 14, []string{"file /home/me/lib/train.py:120 (step)"}},
		{"", 14, nil},
		{"zzz", 14, nil},
		{"  \x1b[", 14, nil},
	} {
		if diff := cmp.Diff(c.want, find(t, x, c.query, c.at, 10)); diff != "" {
			t.Errorf("%q at %d: %s", c.query, c.at, diff)
		}
	}
}

func TestALabelThatStandsForMuchLeavesRoomForOthers(t *testing.T) {
	text := program
	for i := range 50 {
		text += fmt.Sprintf("+0s node-created @3 node=%d name=\"MulBackward1\" outputs=1\n", i+4)
	}
	x := indexOf(tapeOf(t, text))
	want := []string{"node MulBackward1 (n53, train.py:120)", "node MulBackward1 (n52, train.py:120)", "node MulBackward1 (n51, train.py:120)", "node MulBackward0 (n3, train.py:12)", "node MulBackward0 (n2, train.py:12)", "node AccumulateGrad (n1, train.py:12)"}
	got := find(t, x, "n:mul", 100, 6)
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestWordsAreCompleted(t *testing.T) {
	x := indexOf(tapeOf(t, program))
	for _, c := range []struct {
		word  string
		kinds []Kind
		want  []string
	}{
		{"lo", []Kind{Tensor}, []string{"Net.forward.loss", "loss"}},
		{"W", []Kind{Tensor, Op}, []string{"weight"}},
		{"net", []Kind{Tensor}, []string{"Net.forward.loss"}},
		{"", []Kind{Op}, []string{"add_", "mul"}},
		{"train", []Kind{File}, []string{"/home/me/lib/train.py", "/home/me/train.py"}},
		{"/home/me/t", []Kind{File}, []string{"/home/me/train.py"}},
		{"x", []Kind{Op}, nil},
	} {
		if diff := cmp.Diff(c.want, x.Completer(c.kinds...)([]string{"break", c.word})); diff != "" {
			t.Errorf("%q: %s", c.word, diff)
		}
	}
	if got := x.Completer(Op)(nil); got != nil {
		t.Error(got)
	}
}

// What the graph has under a name is found by the name, at any position.
func TestNamesOfExamplesAreFound(t *testing.T) {
	for _, e := range examples.All {
		tape := graph.NewTape(graph.Limits{})
		_, stop := autograd.Record(tape)
		if err := e.Run(io.Discard); err != nil && !e.Fails {
			t.Fatal(e.Name, err)
		}
		stop()
		x := indexOf(tape)
		for _, at := range []graph.Pos{tape.Len() / 2, tape.Len()} {
			g := tape.CursorAt(at).Graph()
			tensors, nodes := map[string][]graph.TensorID{}, map[string][]graph.NodeID{}
			for b := range g.Bindings() {
				tensors[b.Name] = append(tensors[b.Name], b.Tensor)
			}
			for n := range g.Nodes() {
				nodes[n.Name] = append(nodes[n.Name], n.ID)
			}
			for name, ids := range tensors {
				if missing := without(ids, existing(t, x, "t:"+name, at, func(h Hit) graph.TensorID { return h.Tensor })); len(missing) > 0 {
					t.Errorf("%s at %d: %s does not find %v", e.Name, at, name, missing)
				}
			}
			for name, ids := range nodes {
				if missing := without(ids, existing(t, x, "n:"+name, at, func(h Hit) graph.NodeID { return h.Node })); len(missing) > 0 {
					t.Errorf("%s at %d: %s does not find %v", e.Name, at, name, missing)
				}
				last := ids[len(ids)-1]
				if hits, err := x.Find(context.Background(), fmt.Sprint("n", last), at, 1); err != nil || hits[0].Node != last || hits[0].Label != name {
					t.Errorf("%s at %d: n%d is %v", e.Name, at, last, hits)
				}
			}
		}
	}
}

// existing are the things that a query finds and that exist.
func existing[T comparable](t testing.TB, x *Index, query string, at graph.Pos, of func(Hit) T) map[T]bool {
	t.Helper()
	hits, err := x.Find(context.Background(), query, at, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	found := map[T]bool{}
	for _, h := range hits {
		if !h.Later {
			found[of(h)] = true
		}
	}
	return found
}

func without[T comparable](ids []T, found map[T]bool) []T {
	return slices.DeleteFunc(slices.Clone(ids), func(id T) bool { return found[id] })
}

// Whatever is on a tape and in a query, hits can be drawn, exist and are marked right;
// an index that has followed the tape finds what one finds that saw it at once.
func TestHitsAreSound(t *testing.T) {
	queries := rapid.OneOf(
		rapid.SampledFrom([]string{"x", "loss", "t:", "n:", "f:", "!", "@3", "n2", "t1", "n:1", "encoder", "mul", "s:1", "self.weight", ":", "f::"}),
		rapid.String(),
	)
	rapid.Check(t, func(t *rapid.T) {
		tape := tapetest.Hostile(t)
		x := NewIndex(tape)
		for p := graph.Pos(0); p < tape.Len(); p += 7 {
			x.Extend(p)
		}
		x.Extend(tape.Len())
		findings := []inspect.Finding{{Code: "a", Message: rapid.String().Draw(t, "message"), Severity: inspect.SeverityHint}}
		x.SetFindings(findings)
		at := graph.Pos(rapid.IntRange(0, int(tape.Len())).Draw(t, "at"))
		query, most := queries.Draw(t, "query"), rapid.IntRange(0, 20).Draw(t, "most")
		hits, err := x.Find(context.Background(), query, at, most)
		if err != nil || len(hits) > most {
			t.Fatal(len(hits), err)
		}
		for _, h := range hits {
			if console.OneLine(h.Label) != h.Label || console.OneLine(h.Detail) != h.Detail {
				t.Fatalf("%q or %q cannot be drawn", h.Label, h.Detail)
			}
			for _, i := range h.Matched {
				if i < 0 || i >= len(h.Label) {
					t.Fatalf("byte %d of %q matches", i, h.Label)
				}
			}
			if h.At >= tape.Len() && h.Kind != Finding || h.Later != (h.At >= at) {
				t.Fatalf("%+v is at %d", h, at)
			}
		}
		y := indexOf(tape)
		y.SetFindings(findings)
		if diff := cmp.Diff(find(t, y, query, at, most), find(t, x, query, at, most)); diff != "" {
			t.Fatal(diff)
		}
		x.Completer(Tensor, File, Op)([]string{query})
	})
}

func TestASearchEndsWithItsContext(t *testing.T) {
	x := indexOf(tapeOf(t, program))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if hits, err := x.Find(ctx, "loss", 1, 10); !errors.Is(err, context.Canceled) || hits != nil {
		t.Error(hits, err)
	}
}

func TestAnIndexIsSearchedWhileItGrows(t *testing.T) {
	tape := tapetest.Recorded(1, 2000)
	x := NewIndex(tape)
	var wait sync.WaitGroup
	wait.Go(func() {
		for p := graph.Pos(0); p <= tape.Len(); p += 50 {
			x.Extend(p)
		}
	})
	for range 50 {
		find(t, x, "mul", x.Pos(), 10)
	}
	wait.Wait()
	if found := find(t, x, "mulb", x.Pos(), 10); len(found) != 10 || !strings.ContainsFunc(found[0], unicode.IsDigit) {
		t.Error(found)
	}
}

var million = sync.OnceValue(func() *graph.Tape { return tapetest.Recorded(1, 1_000_000) })

func BenchmarkExtend(b *testing.B) {
	tape := million()
	for b.Loop() {
		indexOf(tape)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(tape.Len()), "ns/event")
}

func BenchmarkFind(b *testing.B) {
	tape := million()
	x := indexOf(tape)
	b.Logf("%d nodes, %d labels", x.nodes.Len(), len(x.labels))
	for b.Loop() {
		find(b, x, "mulb", tape.Len()/2, 50)
	}
}

// Every line and tensor of this program has a name of its own.
func BenchmarkFindAmongMany(b *testing.B) {
	tape := graph.NewTape(graph.Limits{})
	for i := range 100_000 {
		s := tape.InternStack(graph.Stack{{File: "train.py", Line: i + 1, Func: fmt.Sprint("function", i)}})
		tape.Append(graph.Header{Stack: s}, &graph.NodeCreated{Node: graph.NodeID(i + 1), Name: tape.InternString(fmt.Sprint("Op", i, "Backward"))})
	}
	x := indexOf(tape)
	for b.Loop() {
		find(b, x, "op99", tape.Len()/2, 50)
	}
}
