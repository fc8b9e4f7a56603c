package usage

import (
	"math"

	"github.com/gradtui/gradtui/graph"
)

// A Loss is what a backward pass began from.
type Loss struct {
	At    graph.Pos // where the pass begins
	Name  string    // the newest of the tensor; "": it has none
	Value float64   // NaN: it has several elements, or the tape does not have it
}

// Losses returns what the backward passes in the first events of a tape began from. Passes from several
// tensors are left out.
func Losses(tape *graph.Tape, events graph.Pos) (all []Loss) {
	d, cursor := tape.NewDecoder(), tape.CursorAt(0)
	for p := range events {
		if kind, err := d.Kind(p); err != nil || kind != graph.KindBackwardBegan {
			continue
		}
		_, e, err := d.ReadUntimed(p)
		began, ok := e.(*graph.BackwardBegan)
		if !ok || err != nil || len(began.Roots) != 1 {
			continue
		}
		cursor.Seek(p)
		loss := Loss{At: p, Value: math.NaN()}
		if t, ok := cursor.Graph().Tensor(began.Roots[0].Tensor); ok {
			loss.Name = t.Name
			if t.Value.Known() && t.Value.Count == 1 && len(t.Value.First) == 1 {
				loss.Value = t.Value.First[0]
			}
		}
		all = append(all, loss)
	}
	return all
}
