package graph

import (
	"fmt"
	"slices"
	"sort"
)

// A Cursor is a position on a tape together with the graph at that position.
// Moving it by one event costs what the event changed; a seek costs the events
// between, or on a long tape those from the nearest of the positions at which the
// cursor has left a checkpoint. A Cursor serves one goroutine; several cursors may
// read one tape while it grows.
type Cursor struct {
	graph *Graph
	dec   *Decoder
	*checkpoints
}

// Checkpoints are positions from which the cursors of one goroutine can go.
type checkpoints struct {
	list     []*checkpoint // in order; the first one is at the beginning of the tape
	interval Pos           // between two of them, but for the last one
	step     Pos           // distance between checkpoints; 0: there will be no others
}

const (
	// checkpointEvents is how many events lie between two checkpoints at first, and always
	// between the newest and where the cursor that leaves them is. The interval between the
	// others is doubled when there are more than maxCheckpoints.
	checkpointEvents = 1 << 16
	maxCheckpoints   = 32
	// settledEvents is how often a graph packs what was not used for a while.
	settledEvents = 1 << 8
)

// NewCursor returns a cursor at the beginning of the tape.
func NewCursor(t *Tape) *Cursor {
	c := NewForwardCursor(t)
	c.interval, c.step = checkpointEvents, checkpointEvents
	return c
}

// NewForwardCursor returns a cursor at the beginning of the tape that takes less memory:
// it leaves no checkpoints, so that it goes far back from the beginning only.
func NewForwardCursor(t *Tape) *Cursor {
	g := newGraph(t)
	return &Cursor{g, t.NewDecoder(), &checkpoints{list: []*checkpoint{g.tables.checkpoint(0)}}}
}

// Scout returns a cursor that goes ahead of this one and leaves checkpoints for both. It
// is served by the same goroutine.
func (c *Cursor) Scout() *Cursor {
	scout := &Cursor{newGraph(c.graph.tape), c.graph.tape.NewDecoder(), c.checkpoints}
	scout.graph.numbers = c.graph.numbers
	scout.restore(c.list[0])
	return scout
}

// Extend moves a scout on to a position, or farther if there are checkpoints already. It
// costs what is new.
func (c *Cursor) Extend(to Pos) {
	if last := c.list[len(c.list)-1]; last.pos > c.Pos() {
		c.restore(last)
	}
	c.Approach(max(to, c.Pos()), int(to))
}

// CursorAt returns a new cursor at a position; a position behind the end counts as
// the end.
func (t *Tape) CursorAt(p Pos) *Cursor {
	c := NewCursor(t)
	c.Seek(min(p, t.Len()))
	return c
}

// Pos is the cursor's position.
func (c *Cursor) Pos() Pos { return c.graph.pos }

// Graph is the graph at the cursor's position. It changes when the cursor
// moves.
func (c *Cursor) Graph() *Graph { return c.graph }

// Next moves over one event and returns it; the event is valid until the next
// call. At the end of the tape it returns [ErrPosition].
func (c *Cursor) Next() (Header, Event, error) {
	g := c.graph
	h, e, err := c.dec.Read(g.pos)
	if e == nil {
		return h, nil, err
	}
	if err == nil {
		g.apply(h, e)
	}
	c.passed()
	return h, e, err
}

// Prev moves back over one event; at the beginning it reports false.
func (c *Cursor) Prev() bool {
	p := c.graph.pos
	if p == 0 {
		return false
	}
	c.Approach(p-1, int(p))
	return true
}

// Seek moves to a position between 0 and the length of the tape.
func (c *Cursor) Seek(p Pos) error {
	if n := c.graph.tape.Len(); p < 0 || p > n {
		return fmt.Errorf("%w: %d of %d", ErrPosition, p, n)
	}
	c.Approach(p, int(max(p, c.Pos())))
	return nil
}

// Approach moves nearer to a position on the tape, over a number of events at most, and
// reports whether it is there. The way may lead over a checkpoint: it is a short one,
// not a straight one.
func (c *Cursor) Approach(p Pos, events int) bool {
	g := c.graph
	if p < 0 || p > g.tape.Len() {
		return false
	}
	near := c.before(p)
	switch {
	case p < g.pos && p >= g.journal.floor && (g.pos-p <= p-near.pos || g.pos-p <= nearEvents):
		for ; g.pos > p && events > 0; events-- {
			g.pos--
			g.revert()
		}
		return g.pos == p
	case p < g.pos, near.pos > g.pos:
		c.restore(near)
	}
	for ; g.pos < p && events > 0; events-- {
		if h, e := c.dec.readBrief(g.pos); e != nil {
			g.apply(h, e)
		}
		c.passed()
	}
	return g.pos == p
}

// nearEvents is how far it is shorter to go back event by event than from a checkpoint.
const nearEvents = 1 << 10

// restore moves to a checkpoint.
func (c *Cursor) restore(at *checkpoint) {
	g := c.graph
	g.tables.restore(at)
	g.journal.forget(at.pos)
	g.pos = at.pos
}

// before is the last checkpoint that is not behind a position.
func (c *checkpoints) before(p Pos) *checkpoint {
	return c.list[sort.Search(len(c.list), func(i int) bool { return c.list[i].pos > p })-1]
}

// passed goes on behind the event that was applied.
func (c *Cursor) passed() {
	g := c.graph
	g.pos++
	if g.pos%settledEvents != 0 {
		return
	}
	g.tables.settle()
	if c.step != 0 && g.pos%c.step == 0 && c.list[len(c.list)-1].pos < g.pos {
		c.leave(g.tables.checkpoint(g.pos))
	}
}

// leave adds a checkpoint behind the others. Most positions are near to the end of the
// tape or to where the cursor is, so there is always one that is not far from the newest.
func (c *checkpoints) leave(newest *checkpoint) {
	c.list = append(c.list, newest)
	if len(c.list) > maxCheckpoints {
		c.interval *= 2
	}
	c.list = slices.DeleteFunc(c.list, func(p *checkpoint) bool { return p != newest && p.pos%c.interval != 0 })
}
