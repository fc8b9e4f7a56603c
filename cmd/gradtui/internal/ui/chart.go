package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
)

// A window is the stretch of the tape that the timeline and the memory pane show.
type window struct {
	from, span graph.Pos // span 0: the whole tape
	away       graph.Pos // the cursor, from 1, that the mouse has scrolled away from; 0: none
}

// leastSpan is how many events a window has at least, if the tape has them.
const leastSpan = 16

// stretch returns the events in the window of a tape with so many events.
func (w window) stretch(events graph.Pos) (from, to graph.Pos) {
	if w.span == 0 || w.span >= events {
		return 0, events
	}
	from = max(min(w.from, events-w.span), 0)
	return from, from + w.span
}

// zoom shows half as many events, or twice as many. A position stays where it is.
func (w *window) zoom(at, events graph.Pos, in bool) {
	from, to := w.stretch(events)
	old := max(to-from, 1)
	if in {
		w.span = max(old/2, min(leastSpan, events))
	} else {
		w.span = old * 2
	}
	w.from = at - graph.Pos(int64(at-from)*int64(w.span)/int64(old))
	if w.span >= events {
		*w = window{}
	}
}

// follow moves the window so that a position is in it.
func (w *window) follow(at, events graph.Pos) {
	if w.away == at+1 {
		return
	}
	w.away = 0
	if from, to := w.stretch(events); from > 0 && at <= from || at > to {
		w.from = max(at-w.span/2, 0)
	}
}

// scroll shows later or earlier events, an eighth of the window for each notch of the wheel. The cursor at a position may
// be out of sight until it moves.
func (w *window) scroll(rows int, at, events graph.Pos) {
	if from, to := w.stretch(events); from > 0 || to < events {
		w.from = max(min(from+graph.Pos(rows)*max(w.span/(8*notch), 1), events-w.span), 0)
		w.away = at + 1
	}
}

// A scale spreads a stretch of the tape over columns: it divides the events into parts,
// as the indices do, each of which takes a column, or several if there are fewer events
// than columns.
type scale struct {
	from, to graph.Pos
	columns  int
}

func (s *state) scale(columns int) scale {
	from, to := s.window.stretch(s.tape.Len())
	return scale{from, to, columns}
}

// parts returns how many parts there are.
func (s scale) parts() int { return max(min(s.columns, int(s.to-s.from)), 0) }

// known returns how many parts an index knows after so many events.
func (s scale) known(events graph.Pos) int {
	if events >= s.to {
		return s.parts()
	}
	return int(int64(max(events-s.from, 0)) * int64(s.parts()) / int64(s.to-s.from))
}

// part returns the part of an event, or the nearest one.
func (s scale) part(p graph.Pos) int {
	n := s.parts()
	if n == 0 {
		return 0
	}
	d := min(max(p, s.from), s.to-1) - s.from
	return int((int64(d+1)*int64(n) - 1) / int64(s.to-s.from))
}

// holds reports whether an event is in the stretch.
func (s scale) holds(p graph.Pos) bool { return p >= s.from && p < s.to }

// events returns the events of a part.
func (s scale) events(part int) (from, to graph.Pos) {
	n := int64(max(s.parts(), 1))
	at := func(i int) graph.Pos { return s.from + graph.Pos(int64(s.to-s.from)*int64(i)/n) }
	return at(part), at(part + 1)
}

// column returns the column where a part begins.
func (s scale) column(part int) int { return part * s.columns / max(s.parts(), 1) }

// at returns the part at a column.
func (s scale) at(column int) int {
	n := s.parts()
	column = min(max(column, 0), s.columns-1)
	return max(((column+1)*n-1)/max(s.columns, 1), 0)
}

// cursor returns the columns of the event before a position.
func (s scale) cursor(at graph.Pos) (from, to int) {
	part := s.part(at - 1)
	return s.column(part), s.column(part + 1)
}

// flagCursor highlights the cursor's columns in all rows.
func (s scale) flagCursor(at graph.Pos, r cells.Region) {
	from, to := s.cursor(at)
	for y := range r.H {
		r.FlagColumns(from, to, y, cells.Chosen)
	}
}

// unread fills what has not been read yet.
const unread = "░"

// fillUnread fills the columns of the events that an index does not know yet.
func (s scale) fillUnread(r cells.Region, events graph.Pos) {
	at := s.column(s.known(events))
	for y := range r.H {
		r.Fill(at, y, r.W-at, muted, unread)
	}
}

// drawAxis draws which events are shown and which one the cursor stands behind.
func (s scale) drawAxis(cursor graph.Pos, r cells.Region) {
	at, _ := s.cursor(cursor)
	label := fmt.Sprint(cursor)
	from, to := at, at+1+len(label)
	if to <= r.W {
		r.Text(at, 0, running, cursorMark+label)
	} else {
		from, to = at-len(label), at+1
		r.Text(from, 0, running, label+cursorMark)
	}
	if first := fmt.Sprint(s.from); len(first) < from {
		r.Text(0, 0, muted, first)
	}
	if last := fmt.Sprint(s.to); r.W-len(last) > to {
		r.Text(r.W-len(last), 0, muted, last)
	}
}

// cursorMark points to the cursor's column from below.
const cursorMark = "▲"

// goToPart is the intent to move the cursor behind the last event of a part.
func (s scale) goToPart(part int) intent {
	if part < 0 {
		return goTo(s.from)
	}
	_, to := s.events(min(part, s.parts()-1))
	return goTo(to)
}

// step is the intent to move the cursor from at by n parts, even out of the window of a
// tape that has so many events.
func (s scale) step(n int, at, events graph.Pos) intent {
	if s.parts() == 0 {
		return nil
	}
	part := s.part(at-1) + n
	if at <= s.from {
		part = n - 1
	}
	if from, to := s.events(0); part < 0 && s.from > 0 {
		return goTo(at - (to - from))
	} else if part >= s.parts() && s.to < events {
		return goTo(at + (to - from))
	}
	return s.goToPart(part)
}

func (m *Model) zoomIn() tea.Cmd  { m.window.zoom(m.at(), m.tape.Len(), true); return nil }
func (m *Model) zoomOut() tea.Cmd { m.window.zoom(m.at(), m.tape.Len(), false); return nil }

// A series caches the buckets of an index for the parts of a scale. It asks the index
// again when the scale has changed or the index knows more.
type series[B any] struct {
	scale   scale
	known   int
	buckets []B
}

// of returns the buckets that an index knows after so many events.
func (s *series[B]) of(sc scale, events graph.Pos, buckets func(from, to graph.Pos, n int) []B) []B {
	if known := sc.known(events); s.buckets == nil || s.scale != sc || s.known != known {
		s.scale, s.known, s.buckets = sc, known, buckets(sc.from, min(sc.to, events), known)
	}
	return s.buckets
}

// eighths are the characters that fill a cell from below.
var eighths = [...]string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}

// fill returns how many eighths of a cell stand for n, if most fills so many rows. A
// number above zero is always visible.
func fill(n, most float64, rows int) int {
	if n <= 0 || most <= 0 {
		return 0
	}
	return min(max(int(n/most*float64(8*rows)+0.5), 1), 8*rows)
}

// drawBar fills the cells of some columns from below.
func drawBar(r cells.Region, from, to, filled int, style cells.Style) {
	for y := r.H - 1; y >= 0 && filled > 0; y-- {
		r.Fill(from, y, to-from, style, eighths[min(filled, 8)])
		filled -= 8
	}
}
