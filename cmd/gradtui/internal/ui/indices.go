package ui

import (
	"github.com/gradtui/gradtui/cmd/gradtui/internal/find"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/lookup"
	"github.com/gradtui/gradtui/inspect/usage"
	"github.com/gradtui/gradtui/query"
)

// indices are computed from all events of the tape, in slices between two messages
// (work.go).
type indices struct {
	scout    *graph.Cursor       // leaves checkpoints, so that the cursor goes anywhere at once
	lookup   *lookup.Index       // nodes and tensors: what the inspector shows
	timeline *lookup.Timeline    // activity over the tape
	memory   *usage.MemorySeries // bytes over the tape
	printed  *printed            // the program's output
	finder   *find.Index         // the search
	turns    *query.Hits         // where the number of the iteration changes, as queries count it
	asked    []*query.Hits       // of breakpoints
	listed   *query.Hits         // of the list that is shown; nil: none
}

// turns asks where the number of the iteration changes.
var turns = func() *query.Query {
	q, err := query.Parse("changes(iteration)")
	if err != nil {
		panic(err)
	}
	return q
}()

func newIndices(tape *graph.Tape, cursor *graph.Cursor) indices {
	return indices{
		scout: cursor.Scout(), lookup: lookup.NewIndex(tape), timeline: lookup.NewTimeline(tape),
		memory: usage.NewMemorySeries(tape), printed: newPrinted(tape), finder: find.NewIndex(tape),
		turns: query.NewHits(tape, turns),
	}
}

// An index is computed from the events of a tape, in order.
type index interface {
	Pos() graph.Pos // how many events it knows
	Extend(to graph.Pos)
}

func (x *indices) all() []index {
	all := append(make([]index, 0, 16), x.scout, x.printed, x.timeline, x.memory, x.lookup, x.finder, x.turns)
	for _, hits := range x.asked {
		all = append(all, hits)
	}
	if x.listed != nil {
		all = append(all, x.listed)
	}
	return all
}

// behind returns the index that knows the fewest events.
func (x *indices) behind() index {
	behind := index(x.scout)
	for _, i := range x.all() {
		if i.Pos() < behind.Pos() {
			behind = i
		}
	}
	return behind
}
