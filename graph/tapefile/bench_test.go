package tapefile_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/internal/testing/tapetest"
)

const million = 1_000_000

func report(b *testing.B, size int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/million, "ns/event")
	b.ReportMetric(float64(size)/1e6, "MB")
	b.ReportMetric(float64(size)/million, "B/event")
}

func BenchmarkWrite(b *testing.B) {
	tape := tapetest.Recorded(1, million)
	size := len(written(b, tape, 0))
	for b.Loop() {
		w, err := tapefile.NewWriter(io.Discard, graph.Info{}, tapefile.WriterOptions{})
		if err != nil {
			b.Fatal(err)
		}
		if err := w.Flush(tape); err != nil {
			b.Fatal(err)
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
	report(b, size)
}

func BenchmarkOpen(b *testing.B) {
	data := written(b, tapetest.Recorded(1, million), 0)
	for b.Loop() {
		tape, _, err := tapefile.Read(bytes.NewReader(data), int64(len(data)), tapefile.Options{})
		if err != nil || tape.Len() < million {
			b.Fatal(err)
		}
	}
	report(b, len(data))
}
