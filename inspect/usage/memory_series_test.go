package usage_test

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/internal/testtape"
	"github.com/gradtui/gradtui/inspect/usage"
)

// usesOf is what is in use at each position of a tape, as a meter tells that looks
// after every event.
func usesOf(t rapid.TB, tape *graph.Tape) []usage.Use {
	grown := graph.NewTape(graph.Limits{})
	meter := usage.NewMeter(grown)
	from, to := tape.NewExporter(), grown.NewImporter()
	uses := make([]usage.Use, 1)
	for range tape.Len() {
		block, n, err := from.AppendBlock(nil, 1)
		if err == nil {
			_, err = to.Append(block)
		}
		if err != nil || n != 1 {
			t.Fatal(n, err)
		}
		uses = append(uses, meter.Use())
	}
	return uses
}

// bounds are those of some uses.
func bounds(uses []usage.Use) (low, high usage.Use) {
	low, high = uses[0], uses[0]
	for _, u := range uses {
		low = usage.Use{Nodes: min(low.Nodes, u.Nodes), Bytes: min(low.Bytes, u.Bytes), Graph: min(low.Graph, u.Graph)}
		high = usage.Use{Nodes: max(high.Nodes, u.Nodes), Bytes: max(high.Bytes, u.Bytes), Graph: max(high.Graph, u.Graph)}
	}
	return low, high
}

func checkSeries(t rapid.TB, s *usage.MemorySeries, uses []usage.Use, from, to graph.Pos, n int) {
	t.Helper()
	for _, got := range s.Buckets(from, to, n) {
		want := usage.UseBucket{From: got.From, To: got.To, Last: uses[got.To]}
		want.Min, want.Max = bounds(uses[min(got.From+1, got.To) : got.To+1])
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	}
	_, high := bounds(uses)
	peak, at := s.Peak()
	if peak.Bytes != max(high.Bytes, 0) || peak.Bytes > 0 && uses[at+1] != peak {
		t.Fatalf("peak %v by event %d, want %v", peak, at, high)
	}
}

func TestASeriesKnowsWhatWasInUse(t *testing.T) {
	for name, tape := range testtape.Examples(t) {
		t.Run(name, func(t *testing.T) {
			uses := usesOf(t, tape)
			s := usage.NewMemorySeries(tape)
			s.Extend(tape.Len())
			for p, want := range uses {
				if got := s.At(graph.Pos(p)); got != want {
					t.Fatalf("at %d: %v, want %v", p, got, want)
				}
			}
			for _, n := range []int{1, 7, 100} {
				checkSeries(t, s, uses, 0, tape.Len(), n)
			}
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		tape := testtape.Draw(t)
		uses := usesOf(t, tape)
		s := usage.NewMemorySeries(tape)
		testtape.InSlices(t, tape, s.Extend)
		from, to, n := testtape.DrawStretch(t, tape)
		checkSeries(t, s, uses, from, to, n)
		if p := max(min(to, tape.Len()), 0); s.At(p) != uses[p] {
			t.Fatalf("at %d: %v, want %v", p, s.At(p), uses[p])
		}
	})
}

// A peak that one event made and another one ended shows in a single bucket of all.
func TestAPeakShowsAtAnyResolution(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	const events = 20_000 // more than two levels of the pyramid
	for i := range events {
		switch i {
		case 7777:
			tape.Append(graph.Header{}, &graph.TensorCreated{Tensor: 1, Storage: 1, Bytes: 1000, Counter: 1})
		case 7778:
			tape.Append(graph.Header{}, &graph.TensorReleased{Tensor: 1})
		default:
			tape.Append(graph.Header{}, &graph.LineReached{})
		}
	}
	s := usage.NewMemorySeries(tape)
	s.Extend(events)
	for _, n := range []int{1, 2, 3, 50, 333, events} {
		peaks := 0
		for _, b := range s.Buckets(0, events, n) {
			if b.Max.Bytes == 1000 {
				peaks++
			}
		}
		if peaks != 1 {
			t.Errorf("%d of %d buckets have the peak", peaks, n)
		}
	}
}

func TestLinesAccountForWhatIsInUse(t *testing.T) {
	for name, tape := range testtape.Examples(t) {
		t.Run(name, func(t *testing.T) {
			all := usage.NewLineUses(tape)
			for _, at := range []graph.Pos{0, tape.Len() / 2, tape.Len(), tape.Len() / 3, tape.Len() / 2} {
				lines, err := all.At(context.Background(), at)
				if err != nil {
					t.Fatal(err)
				}
				var total usage.Use
				for i, l := range lines {
					total = usage.Use{Nodes: total.Nodes + l.Nodes, Bytes: total.Bytes + l.Bytes, Graph: total.Graph + l.Graph}
					if i > 0 && l.Bytes > lines[i-1].Bytes {
						t.Errorf("%v holds more than the line before", l.Frame)
					}
				}
				if want := usage.Measure(tape, at).Total.End; total != want {
					t.Errorf("at %d the lines hold %v, all is %v", at, total, want)
				}
			}
		})
	}
}

func TestTheSearchForLinesEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	tape := testtape.FromText(t, testtape.Training(2, true))
	if _, err := usage.NewLineUses(tape).At(ctx, tape.Len()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func BenchmarkMemorySeriesExtend(b *testing.B) {
	tape := testtape.Million()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var s *usage.MemorySeries
	for b.Loop() {
		s = usage.NewMemorySeries(tape)
		s.Extend(tape.Len())
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(tape.Len()), "ns/event")
	b.ReportMetric((float64(after.HeapAlloc)-float64(before.HeapAlloc))/float64(tape.Len()), "bytes/event")
	runtime.KeepAlive(s)
}

func BenchmarkMemorySeriesBuckets(b *testing.B) {
	tape := testtape.Million()
	s := usage.NewMemorySeries(tape)
	s.Extend(tape.Len())
	for b.Loop() {
		s.Buckets(0, tape.Len(), 200)
	}
}
