package graph_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gradtui/gradtui/graph"
)

func TestALimitOfEventsStopsRecording(t *testing.T) {
	tape := graph.NewTape(graph.Limits{Events: 3})
	for i := range 6 {
		p, ok := tape.Append(graph.Header{}, &graph.Iteration{Number: uint64(i)})
		if ok != (i < 3) || ok && p != graph.Pos(i) {
			t.Errorf("event %d: %d, %t", i, p, ok)
		}
	}
	wantStopped(t, tape, 4, "the limit of 3 events was reached")
}

func TestALimitOfBytesStopsRecording(t *testing.T) {
	const limit = 100_000
	for name, grow := range map[string]func(*graph.Tape, int){
		"events": func(tape *graph.Tape, i int) {},
		"strings": func(tape *graph.Tape, i int) {
			tape.InternString(strings.Repeat("x", i))
		},
		"stacks": func(tape *graph.Tape, i int) {
			tape.InternStack(graph.Stack{{File: "a.py", Line: i}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			tape := graph.NewTape(graph.Limits{Bytes: limit})
			for i := range limit {
				grow(tape, i)
				if _, ok := tape.Append(graph.Header{}, &graph.LineReached{}); !ok {
					break
				}
			}
			wantStopped(t, tape, tape.Len(), "the limit of 100000 bytes was reached")
			stopped := tape.Size()
			if stopped < limit || stopped > limit+2000 {
				t.Errorf("%d bytes", stopped)
			}
			if id := tape.InternString("never seen"); id != 0 {
				t.Errorf("a stopped tape took a string")
			}
			if id := tape.InternStack(graph.Stack{{File: "never seen"}}); id != 0 {
				t.Errorf("a stopped tape took a stack")
			}
			if tape.Size() != stopped {
				t.Errorf("a stopped tape grew to %d bytes", tape.Size())
			}
		})
	}
}

func wantStopped(t *testing.T, tape *graph.Tape, events graph.Pos, why string) {
	t.Helper()
	_, e, err := tape.At(tape.Len() - 1)
	if err != nil {
		t.Fatal(err)
	}
	stop, ok := e.(*graph.RecordingStopped)
	if !ok || stop.Reason != why || tape.Stopped() != why || tape.Len() != events {
		t.Errorf("%d events, the last is %+v; stopped: %q", tape.Len(), e, tape.Stopped())
	}
}

func TestImportingStopsAtALimit(t *testing.T) {
	source := graph.NewTape(graph.Limits{})
	for range 100 {
		source.Append(graph.Header{}, &graph.LineReached{})
	}
	x := source.NewExporter()
	tape := graph.NewTape(graph.Limits{Events: 70})
	im := tape.NewImporter()
	for _, want := range []int{50, 20, 0} {
		block, _, _ := x.AppendBlock(nil, 50)
		if n, err := im.Append(block); n != want || err != nil {
			t.Errorf("%d events, %v; want %d", n, err, want)
		}
	}
	wantStopped(t, tape, 71, "the limit of 70 events was reached")
}

func TestAnEventThatIsTooLargeIsShortened(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	first := make([]float64, graph.MaxEventSize)
	first[0], first[9] = 3, math.NaN()
	v := graph.Value{DType: graph.Float32, Count: uint64(len(first)), First: first}
	for _, e := range []graph.Event{
		&graph.OutputWritten{Stream: 1, Text: strings.Repeat("ö", graph.MaxEventSize)},
		&graph.Mutated{Tensor: 1, To: 1, Value: v},
	} {
		if _, ok := tape.Append(graph.Header{}, e); !ok {
			t.Fatal(tape.Stopped())
		}
	}
	_, e, _ := tape.At(0)
	if s := e.(*graph.OutputWritten).Text; len(s) > 4096 || !strings.HasSuffix(s, "ö…") {
		t.Errorf("%d bytes, ending in %q", len(s), s[len(s)-8:])
	}
	_, e, _ = tape.At(1)
	if v := e.(*graph.Mutated).Value; len(v.First) != 16 || v.Count != graph.MaxEventSize || v.NaN != 1 || v.Max != 3 {
		t.Errorf("%+v", v)
	}
	if len(v.First) != graph.MaxEventSize {
		t.Error("the caller's event was changed")
	}
}

func TestAnEventThatCannotBeShortenedStopsRecording(t *testing.T) {
	for _, edges := range []int{graph.MaxRecords + 1, graph.MaxEventSize} {
		tape := graph.NewTape(graph.Limits{})
		if _, ok := tape.Append(graph.Header{}, &graph.NodeCreated{Edges: make([]graph.Edge, edges)}); ok || tape.Len() != 1 {
			t.Fatal(tape.Len())
		}
		if why := tape.Stopped(); !strings.Contains(why, "a node-created event could not be recorded") {
			t.Error(why)
		}
	}
}

func TestTimesNeverDecrease(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	for _, now := range []time.Duration{-5, 10, 3, math.MaxInt64, 11} {
		tape.Append(graph.Header{Time: now}, &graph.LineReached{})
	}
	for p, want := range []time.Duration{0, 10, 10, math.MaxInt64, math.MaxInt64} {
		if h, _, err := tape.At(graph.Pos(p)); h.Time != want || err != nil {
			t.Errorf("event %d at %v, want %v (%v)", p, h.Time, want, err)
		}
	}
}

func TestUnknownStringsAndStacksAreRecordedAsNone(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	known := tape.InternString("mul")
	tape.Append(graph.Header{Stack: 9}, &graph.OpRan{Op: known + 1, Attrs: []graph.Attr{{Name: known}}})
	h, e, err := tape.At(0)
	if op := e.(*graph.OpRan); err != nil || h.Stack != 0 || op.Op != 0 || op.Attrs[0].Name != known {
		t.Errorf("%+v %+v %v", h, e, err)
	}
}

func TestLongStringsAndDeepStacksAreCut(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	long := strings.Repeat("x", graph.MaxString)
	if id := tape.InternString(long); tape.String(id) != long {
		t.Error("a string of the largest size was cut")
	}
	cut := tape.String(tape.InternString(long + "ö"))
	if len(cut) > graph.MaxString || !strings.HasSuffix(cut, "x…") {
		t.Errorf("%d bytes, ending in %q", len(cut), cut[len(cut)-8:])
	}
	if got := tape.String(tape.InternString("a\xff\xfeb")); got != "a\uFFFDb" {
		t.Errorf("%q", got)
	}
	deep := make(graph.Stack, graph.MaxFrames+5)
	deep[0] = graph.Frame{File: "a.py", Line: -3, Col: math.MaxInt}
	id := tape.InternStack(deep)
	got := tape.Stack(id)
	if want := (graph.Frame{File: "a.py", Col: math.MaxInt32}); len(got) != graph.MaxFrames || got.Top() != want {
		t.Errorf("%d frames, %+v", len(got), got.Top())
	}
	if tape.InternStack(got) != id {
		t.Error("the same stack got another number")
	}
}

func closed(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}

func TestGrownTellsWhenTheTapeIsLonger(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	tape.Append(graph.Header{}, &graph.LineReached{})
	if !closed(tape.Grown(0)) {
		t.Error("the tape is longer than 0")
	}
	next, later := tape.Grown(1), tape.Grown(3)
	tape.Lock()
	tape.Unlock()
	if closed(next) {
		t.Error("an empty batch")
	}
	b := tape.Lock()
	b.Append(graph.Header{}, &graph.LineReached{})
	b.Append(graph.Header{}, &graph.LineReached{})
	if closed(next) {
		t.Error("the batch has not ended")
	}
	tape.Unlock()
	if !closed(next) || closed(later) {
		t.Error("the tape has 3 events")
	}
	tape.Append(graph.Header{}, &graph.LineReached{})
	if !closed(later) {
		t.Error("the tape has 4 events")
	}
}

func TestPositionsOffTheTapeAreErrors(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	for range 5000 {
		tape.Append(graph.Header{}, &graph.LineReached{})
	}
	c := graph.NewCursor(tape)
	for _, p := range []graph.Pos{-1, 5000, math.MaxInt} {
		if _, _, err := tape.At(p); err == nil {
			t.Errorf("At(%d)", p)
		}
		if _, err := tape.NewDecoder().Kind(p); err == nil {
			t.Errorf("Kind(%d)", p)
		}
		if err := c.Seek(p); (err != nil) != (p != 5000) {
			t.Errorf("Seek(%d): %v", p, err)
		}
	}
	if got := tape.CursorAt(1e6).Pos(); got != 5000 {
		t.Error(got)
	}
	if _, e, err := c.Next(); e != nil || err == nil {
		t.Error("Next at the end")
	}
}

// Times are found again wherever a decoder comes from.
func TestTimesDoNotDependOnTheOrderOfReading(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	const n = 10_000
	for i := range n {
		tape.Append(graph.Header{Time: time.Duration(i * i)}, &graph.LineReached{})
	}
	d := tape.NewDecoder()
	for i := range n {
		p := i * 7919 % n
		for _, p := range []int{p, p, min(p+1, n-1), max(p-1, 0)} {
			if h, _, err := d.Read(graph.Pos(p)); err != nil || h.Time != time.Duration(p*p) {
				t.Fatalf("event %d at %v (%v)", p, h.Time, err)
			}
		}
	}
}
