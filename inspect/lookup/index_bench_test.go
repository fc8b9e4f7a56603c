package lookup_test

import (
	"runtime"
	"testing"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/lookup"
)

// trained records a training loop with a million events.
func trained(b *testing.B) *graph.Tape {
	b.Helper()
	tape := graph.NewTape(graph.Limits{})
	_, stop := autograd.Record(tape)
	defer stop()
	w := autograd.New([]float64{0.5, 0.25}, autograd.RequiresGrad).SetName("w")
	x := autograd.New([]float64{1, 2})
	for tape.Len() < 1_000_000 {
		h := x.Mul(w)
		for range 20 {
			h = h.Sin().Mul(w).Add(h)
		}
		check(h.Sum().Backward())
		withoutGrad(func() error { return w.Sub_(w.Grad().Mul(1e-6)) })
		w.SetGrad(nil)
	}
	return tape
}

func BenchmarkTraceExtend(b *testing.B) {
	tape := trained(b)
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		t := lookup.NewIndex(tape)
		t.Extend(tape.Len())
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(tape.Len()), "B/event")
		runtime.KeepAlive(t)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(tape.Len()), "ns/event")
}

// BenchmarkViews looks at what a person may select on a tape of a million events.
func BenchmarkViews(b *testing.B) {
	tape := trained(b)
	end := tape.CursorAt(tape.Len()).Graph()
	middle := tape.CursorAt(tape.Len() / 2).Graph()
	t := lookup.NewIndex(tape)
	t.Extend(tape.Len())
	steps := lookup.NewSteps(tape)
	for _, c := range []struct {
		name string
		look func(i int)
	}{
		{"a node", func(i int) { t.NodeAt(end, graph.NodeID(i*7919%end.NodeCount()+1)) }},
		{"a node in the middle", func(i int) { t.NodeAt(middle, graph.NodeID(i*7919%middle.NodeCount()+1)) }},
		{"the node that every pass runs", func(int) { t.NodeAt(end, 1) }},
		{"a tensor", func(i int) { t.TensorAt(end, graph.TensorID(i*7919%end.TensorCount()+1)) }},
		{"the parameter that every operation reads", func(int) { t.TensorAt(end, 1) }},
		{"a step to the next node", func(i int) { steps.Next(graph.Pos(i*7919)%tape.Len(), lookup.StopNode) }},
		{"a step back to the line before", func(i int) { steps.Prev(graph.Pos(i*7919)%tape.Len(), lookup.StopLine) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			i := 0
			for b.Loop() {
				c.look(i)
				i++
			}
		})
	}
}
