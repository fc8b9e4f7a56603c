package query

import (
	"github.com/gradtui/gradtui/graph"
)

// Hits are the answers to a query on a tape, in order. They follow a tape that grows.
type Hits struct {
	tape  *graph.Tape
	dec   *graph.Decoder
	names Names
	run   *Run
	query *Matcher
	found []graph.Pos
	pos   graph.Pos
}

// NewHits returns the hits of a query in the first 0 events of a tape; [Hits.Extend] goes on.
func NewHits(tape *graph.Tape, q *Query) *Hits {
	run := NewRun()
	run.Remember(q.Needs().Values)
	return &Hits{tape: tape, dec: tape.NewDecoder(), names: OnTape(tape), run: run, query: q.Start(run)}
}

// Pos returns how many events were looked at.
func (x *Hits) Pos() graph.Pos { return x.pos }

// Extend looks at the events before a position, at most those that the tape has.
func (x *Hits) Extend(to graph.Pos) {
	for to = min(to, x.tape.Len()); x.pos < to; x.pos++ {
		h, e, err := x.dec.ReadUntimed(x.pos)
		if err != nil {
			continue
		}
		var node graph.NodeID
		switch e := e.(type) {
		case *graph.NodeExecuted:
			node = e.Node
		case *graph.BackwardFailed:
			node = e.Node
		}
		if node != 0 && x.query.Starts(x.names, h, node) {
			x.add(x.pos)
		}
		x.run.Take(h, e)
		if x.query.Saw(x.names, h, e) {
			x.add(x.pos + 1)
		}
	}
}

// add notes a hit, once for each position.
func (x *Hits) add(p graph.Pos) {
	if n := len(x.found); n == 0 || x.found[n-1] != p {
		x.found = append(x.found, p)
	}
}

// All returns the positions of the hits so far: behind the event, or in front of a node that
// runs there. The caller must not change it.
func (x *Hits) All() []graph.Pos { return x.found }
