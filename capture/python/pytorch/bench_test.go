package pytorch_test

import (
	"testing"

	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/capture/python/pytorch"
	"github.com/gradtui/gradtui/graph"
)

// BenchmarkFrame translates operations with a node and a result each, and their deaths.
func BenchmarkFrame(b *testing.B) {
	const ops = 1000
	records := read(b, `
records = start + [mul, leaf(1, 1, [1.0, 2.0])]
`)
	var work []any
	previous := 1
	for i := range ops {
		n := 2 + i
		work = append(work, marshal.Tuple{2, 1, i, marshal.Tuple{previous, 1}, marshal.Tuple{n}, marshal.Tuple{}, marshal.Tuple{}, marshal.Tuple{[]any{1.5, 2.5}}})
		if previous > 1 {
			work = append(work, previous)
		}
		previous = n
	}
	work = append(work, previous)
	first, frame := encode(records), encode(work)
	b.SetBytes(int64(len(frame)))
	for b.Loop() {
		b.StopTimer()
		t := pytorch.NewTranslator(graph.NewTape(graph.Limits{}))
		t.Frame(first)
		b.StartTimer()
		if _, err := t.Frame(frame); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*ops), "ns/op-record")
}
