package autograd_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/graph"

	. "github.com/gradtui/gradtui/autograd"
)

// TestRecordingTellsTheWholeStory runs the programs of testdata/behaviour with
// a recorder. They must behave as without a recorder, the tape must be well
// ordered, and the folded tape must be equal to the engine's own state.
func TestRecordingTellsTheWholeStory(t *testing.T) {
	for module, programs := range behaviours {
		t.Run(module, func(t *testing.T) {
			for _, want := range readBehaviours(t, module) {
				program := programs[want.Case]
				if program == nil {
					continue
				}
				t.Run(want.Case, func(t *testing.T) {
					silent := observe(program)
					tape := graph.NewTape(graph.Limits{})
					r, stop := Record(tape)
					defer stop()
					w := NewWitness(tape, r)
					recorded := observe(program)
					if show(silent.Result) != show(recorded.Result) || silent.Error != recorded.Error {
						t.Errorf("a recorder changes the result:\n%s %s\nwithout:\n%s %s", recorded.Result, recorded.Error, silent.Result, silent.Error)
					}
					checkTape(t, tape, w)
				})
			}
		})
	}
}

// checkTape checks that a tape is valid and agrees with the engine.
func checkTape(t *testing.T, tape *graph.Tape, w *Witness) {
	t.Helper()
	for _, p := range graph.Validate(tape, 5) {
		t.Error(p)
	}
	for i, d := range w.Differences() {
		if i == 5 {
			t.Error("and more")
			break
		}
		t.Error(d)
	}
}

// TestRecordingEmptyViews records empty views. Their offsets may be beyond the
// end of the memory.
func TestRecordingEmptyViews(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	_, stop := Record(tape)
	defer stop()
	outs, err := Call("unbind", []any{Zeros([]int{5, 0, 3})})
	if err != nil || len(outs) != 5 {
		t.Errorf("%d results, %v", len(outs), err)
	}
	for _, p := range graph.Validate(tape, 5) {
		t.Error(p)
	}
}

// TestNodesOfNoRecordedTensorDescribeTheirResults checks nodes from before the
// recording, whose tensors may be gone, and the new nodes of a base and a view
// after another view was changed.
func TestNodesOfNoRecordedTensorDescribeTheirResults(t *testing.T) {
	x := Ones([]int{2, 3}).RequiresGrad_(true)
	y := x.Mul(x).Sum()
	tape := graph.NewTape(graph.Limits{})
	_, stop := Record(tape)
	defer stop()
	y.Mul(y)
	z := x.Mul(x)
	z.Select(0, 1).Mul_(x.Select(0, 0))
	c := graph.NewCursor(tape)
	if err := c.Seek(tape.Len()); err != nil {
		t.Fatal(err)
	}
	var got []string
	for n := range c.Graph().Nodes() {
		if len(n.Results) > 0 {
			got = append(got, fmt.Sprint(n.Name, n.Results))
		}
	}
	want := []string{"MulBackward0[{float32 [2 3]}]", "SumBackward0[{float32 []}]", "CopySlices[{float32 [2 3]}]", "AsStridedBackward0[{float32 [3]}]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestOnIdleIsCalledBetweenCalls checks that the function sees an unlocked and
// complete tape, even inside hooks, and is not called for its own calls of the
// engine.
func TestOnIdleIsCalledBetweenCalls(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	r, stop := Record(tape)
	defer stop()
	calls, ends := 0, []graph.Pos(nil)
	r.OnIdle(func() {
		calls++
		ends = append(ends, tape.Len())
		Ones([]int{1}).Add(1)
	})
	x := Ones([]int{2}).RequiresGrad_(true)
	y := x.Mul(x).Sum()
	before := calls
	inHook := 0
	x.RegisterHook(func(g *Tensor) *Tensor {
		at := calls
		g.Mul(2)
		inHook = calls - at
		return nil
	})
	if err := y.Backward(); err != nil {
		t.Fatal(err)
	}
	if before < 4 || inHook != 1 || calls < before+2 {
		t.Errorf("%d calls before backward, %d in the hook, %d in all", before, inHook, calls)
	}
	for i := 1; i < len(ends); i++ {
		if ends[i] <= ends[i-1] {
			t.Errorf("call %d came at event %d, the one before at %d", i, ends[i], ends[i-1])
		}
	}
	r.OnIdle(nil)
	at := calls
	x.Mul(x)
	if calls != at {
		t.Error("called after it was removed")
	}
	(*Recorder)(nil).OnIdle(func() {})
}

// TestRecordingAnExpandedTensorTakesNoTime summarizes a view that repeats an
// element very often, without looking at each repetition.
func TestRecordingAnExpandedTensorTakesNoTime(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	r, stop := Record(tape)
	defer stop()
	w := NewWitness(tape, r)
	x := New([][]float64{{1}, {2}, {math.Inf(1)}}).Expand([]int{3, 1 << 40})
	if x.Err() != nil {
		t.Fatal(x.Err())
	}
	checkTape(t, tape, w)
	c := graph.NewCursor(tape)
	if err := c.Seek(tape.Len()); err != nil {
		t.Fatal(err)
	}
	g, _ := c.Graph().Tensor(graph.TensorID(c.Graph().TensorCount()))
	if v := g.Value; v.Count != 3<<40 || v.Inf != 1<<40 || v.Min != 1 || v.Max != 2 || v.Mean != 1.5 {
		t.Errorf("summary %+v", v)
	}
}
