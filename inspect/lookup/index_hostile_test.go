package lookup_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/lookup"
	"github.com/gradtui/gradtui/internal/testing/tapetest"
)

func TestATraceTakesAnyTape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tape := tapetest.Hostile(t)
		tr, steps := lookup.NewIndex(tape), lookup.NewSteps(tape)
		p := graph.Pos(rapid.IntRange(0, int(tape.Len())).Draw(t, "position"))
		g := tape.CursorAt(p).Graph()
		for id := range graph.NodeID(g.NodeCount() + 2) {
			v, ok := tr.NodeAt(g, id)
			if !ok {
				continue
			}
			if len(v.Edges) > lookup.MaxShown || len(v.Inputs) > lookup.MaxShown || len(v.Runs) > lookup.MaxRuns {
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
			if !slices.IsSorted(v.Events) {
				t.Errorf("t%d: %v", id, v.Events)
			}
			for _, at := range v.Events {
				tr.TensorEvent(g, id, at)
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
