package graph

import "fmt"

// A Cursor is a position on a tape together with the graph at that position.
// Moving it by one event costs what the event changed; a seek costs the events
// between. A Cursor serves one goroutine; several cursors may read one tape
// while it grows.
type Cursor struct {
	graph *Graph
	dec   *Decoder
}

// NewCursor returns a cursor at the beginning of the tape.
func NewCursor(t *Tape) *Cursor {
	return &Cursor{graph: newGraph(t), dec: t.NewDecoder()}
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
	g.pos++
	return h, e, err
}

// Prev moves back over one event; at the beginning it reports false.
func (c *Cursor) Prev() bool {
	g := c.graph
	if g.pos == 0 {
		return false
	}
	g.pos--
	g.revert()
	return true
}

// Seek moves to a position between 0 and the length of the tape.
func (c *Cursor) Seek(p Pos) error {
	if n := c.graph.tape.Len(); p < 0 || p > n {
		return fmt.Errorf("%w: %d of %d", ErrPosition, p, n)
	}
	g := c.graph
	for g.pos > p {
		c.Prev()
	}
	for ; g.pos < p; g.pos++ {
		if h, e := c.dec.readBrief(g.pos); e != nil {
			g.apply(h, e)
		}
	}
	return nil
}
