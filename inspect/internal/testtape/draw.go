package testtape

import (
	"io"
	"sync"

	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/examples"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/testing/tapetest"
)

// Examples returns the tapes of the built-in programs.
func Examples(t rapid.TB) map[string]*graph.Tape {
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

// Draw draws a tape of an engine, or one with anything between its events.
func Draw(t *rapid.T) *graph.Tape {
	switch rapid.IntRange(0, 2).Draw(t, "tape") {
	case 0:
		return tapetest.WellFormed(t)
	case 1:
		return tapetest.Hostile(t)
	}
	return tapetest.Recorded(rapid.Uint64().Draw(t, "seed"), 300)
}

// DrawStretch draws two positions and a number of parts.
func DrawStretch(t *rapid.T, tape *graph.Tape) (from, to graph.Pos, n int) {
	from = graph.Pos(rapid.IntRange(-1, int(tape.Len())).Draw(t, "from"))
	to = graph.Pos(rapid.IntRange(int(from), int(tape.Len())+1).Draw(t, "to"))
	return from, to, rapid.IntRange(1, 9).Draw(t, "n")
}

// InSlices takes a tape in slices.
func InSlices(t *rapid.T, tape *graph.Tape, to func(graph.Pos)) {
	for p := graph.Pos(0); p < tape.Len(); {
		p += graph.Pos(rapid.IntRange(1, 200).Draw(t, "slice"))
		to(p)
	}
}

// Million returns a tape of a million events.
var Million = sync.OnceValue(func() *graph.Tape { return tapetest.Recorded(1, 1_000_000) })
