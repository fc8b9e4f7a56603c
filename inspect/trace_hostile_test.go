package inspect_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/tapetest"
)

func TestATraceTakesAnyTape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tape := tapetest.Hostile(t)
		tr, steps := inspect.NewTrace(tape), inspect.NewSteps(tape)
		p := graph.Pos(rapid.IntRange(0, int(tape.Len())).Draw(t, "position"))
		g := tape.CursorAt(p).Graph()
		for id := range graph.NodeID(g.NodeCount() + 2) {
			v, ok := tr.NodeAt(g, id)
			if !ok {
				continue
			}
			if len(v.Edges) > inspect.MaxShown || len(v.Inputs) > inspect.MaxShown || len(v.Runs) > inspect.MaxRuns {
				t.Errorf("n%d: %d edges, %d inputs, %d runs", id, len(v.Edges), len(v.Inputs), len(v.Runs))
			}
			for _, r := range v.Runs {
				tr.NodeIn(g, id, r.Pass.ID)
			}
		}
		for id := range graph.TensorID(g.TensorCount() + 2) {
			v, ok := tr.TensorAt(g, id)
			if !ok {
				continue
			}
			if !slices.IsSorted(v.History) {
				t.Errorf("t%d: %v", id, v.History)
			}
			for _, at := range v.History {
				tr.Tell(g, id, at)
			}
		}
		for _, kind := range everyStop {
			steps.Next(p, kind)
			steps.Prev(p, kind)
		}
		if tr.Memory() > int64(tape.Len())*64+1<<20 {
			t.Errorf("%d bytes for %d events", tr.Memory(), tape.Len())
		}
	})
}
