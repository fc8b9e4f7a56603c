package ui

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/examples"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/usage"
)

// longTapes are the tapes of an example that runs again and again.
var longTapes = sync.OnceValue(func() (tapes map[int]*graph.Tape) {
	e, _ := examples.Find("lesson")
	tapes = map[int]*graph.Tape{}
	for _, events := range []int{1000, 1_000_000} {
		tape := graph.NewTape(graph.Limits{})
		capture.Local(tape, nil, nil, func() error {
			for int(tape.Len()) < events {
				if err := e.Run(nowhere{}); err != nil {
					return err
				}
			}
			return nil
		})
		tapes[events] = tape
	}
	return tapes
})

type nowhere struct{}

func (nowhere) Write(b []byte) (int, error) { return len(b), nil }

// eachLong runs a benchmark on debuggers that have read a short and a long tape.
func eachLong(b *testing.B, run func(b *testing.B, m *Model)) {
	for events, tape := range longTapes() {
		b.Run(fmt.Sprint(events, " events"), func(b *testing.B) {
			m := New(Options{Tape: tape})
			m.resize(200, 50)
			for _, i := range m.index.all() {
				i.Extend(tape.Len())
			}
			m.cursor.Seek(tape.Len())
			m.goTo(tape.Len(), look)
			b.ResetTimer()
			run(b, m)
		})
	}
}

func benchmarkPane(b *testing.B, id paneID) {
	eachLong(b, func(b *testing.B, m *Model) {
		c := cells.New(200, 50)
		b.ReportAllocs()
		for b.Loop() {
			m.drawPane(id, c.All())
		}
	})
}

func BenchmarkTimelineFrame(b *testing.B) { benchmarkPane(b, timelinePane) }
func BenchmarkMemoryFrame(b *testing.B)   { benchmarkPane(b, memoryPane) }

// BenchmarkLandmark is a step to the landmark before and back.
func BenchmarkLandmark(b *testing.B) {
	eachLong(b, func(b *testing.B, m *Model) {
		for b.Loop() {
			m.landmarkAfter(m.landmarkBefore(m.tape.Len() / 2))
		}
	})
}

// BenchmarkLines is what is computed beside everything else when the cursor moves.
func BenchmarkLines(b *testing.B) {
	eachLong(b, func(b *testing.B, m *Model) {
		for b.Loop() {
			if _, err := usage.NewLineUses(m.tape).At(context.Background(), m.tape.Len()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkSearch is what is computed beside everything else on each key.
func BenchmarkSearch(b *testing.B) {
	eachLong(b, func(b *testing.B, m *Model) {
		for b.Loop() {
			if _, err := m.index.finder.Find(context.Background(), "los", m.at(), mostHits); err != nil {
				b.Fatal(err)
			}
		}
	})
}
