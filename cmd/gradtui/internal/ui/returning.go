package ui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/session"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/query"
)

// placeAt describes a position so that it can be found again in another run.
func (s *state) placeAt(at graph.Pos) session.Place {
	p := session.Place{Event: int(at)}
	h, e := s.event(at - 1)
	if e == nil {
		return p
	}
	p.Kind = e.Kind().String()
	p.Iteration = s.iterationAt(at)
	line := s.tape.Stack(h.Stack).Top()
	p.File, p.Line = line.File, line.Line
	return p
}

// iterationAt returns the number of the iteration at a position as queries know it, which do not look ahead; 0
// in the first one.
func (s *state) iterationAt(at graph.Pos) int {
	found := s.index.turns.All()
	n, exact := slices.BinarySearch(found, at)
	if exact {
		n++
	}
	if n == 0 {
		return 0
	}
	return n + 1
}

// isAt reports whether the event of a place is on the tape and of the same kind.
func (s *state) isAt(p session.Place) bool {
	if p.Event == 0 {
		return true
	}
	k, err := s.dec.Kind(graph.Pos(p.Event) - 1)
	return graph.Pos(p.Event) <= s.tape.Len() && err == nil && k.String() == p.Kind
}

// placeQuery asks for the line of a place in its iteration; "" if it has none.
func placeQuery(p session.Place) string {
	asked := breakOnLine(graph.Frame{File: p.File, Line: p.Line})
	if asked != "" && p.Iteration > 0 {
		asked += fmt.Sprintf(" if iteration == %d", p.Iteration)
	}
	if _, err := query.Parse(asked); err != nil {
		return ""
	}
	return asked
}

// placeWords says where a place is.
func placeWords(p session.Place) string {
	if p.Line == 0 {
		return fmt.Sprintf("event %d", p.Event)
	}
	words := lineName(graph.Frame{File: p.File, Line: p.Line})
	if p.Iteration > 0 {
		words = fmt.Sprintf("iteration %d · %s", p.Iteration, words)
	}
	return words
}

// findPlace looks on the tape for the event of a place, or else for its line in its iteration, in a goroutine.
// then takes the position, or -1, and whether it is the very event.
func (m *Model) findPlace(p session.Place, then func(m *Model, at graph.Pos, same bool) tea.Cmd) tea.Cmd {
	if m.isAt(p) {
		return then(m, graph.Pos(p.Event), true)
	}
	q, err := query.Parse(placeQuery(p))
	if err != nil {
		return then(m, -1, false)
	}
	hits, end := query.NewHits(m.tape, q), m.tape.Len()
	return func() tea.Msg {
		at := graph.Pos(-1)
		if hits.Extend(end); len(hits.All()) > 0 {
			at = hits.All()[0]
		}
		return foundPlaceMsg{func(m *Model) tea.Cmd { return then(m, at, false) }}
	}
}

// foundPlaceMsg brings what is to be done with a place that was looked for.
type foundPlaceMsg struct{ do func(*Model) tea.Cmd }

// returning is the way of a program that was started again to where the user was.
type returning struct {
	to      session.Place
	end     bool // to the end of the program
	byLine  bool // the event is another one; the program runs to the line
	looking bool // on the tape
}

// spotToReturnTo is the place of the cursor; nil at the beginning.
func (m *Model) spotToReturnTo() *returning {
	if !m.program.resumed && !m.program.over || m.goal == 0 {
		return nil
	}
	return &returning{to: m.placeAt(m.goal), end: m.program.over && m.goal == m.tape.Len()}
}

// returnOn lets the program go on towards the place, or ends the way if it is there.
func (m *Model) returnOn(stop control.Stop, first bool) tea.Cmd {
	r := m.way
	switch {
	case first && r.end:
		return m.runTo()
	case first && graph.Pos(r.to.Event) > m.tape.Len():
		return m.runTo(fmt.Sprintf("position == %d", r.to.Event))
	case !first && stop.Reason == control.Interrupted:
		return m.returned(m.tape.Len(), "interrupted on the way back to "+placeWords(r.to))
	case r.byLine:
		return m.returned(m.tape.Len(), "started again; the program is at "+placeWords(r.to)+" again")
	}
	return m.lookForReturn()
}

// runTo lets the program run to a query, without the breakpoints of the user.
func (m *Model) runTo(queries ...string) tea.Cmd {
	points := []control.Breakpoint{}
	for i, q := range queries {
		points = append(points, control.Breakpoint{ID: i + 1, Query: q})
	}
	if err := m.Program.Break(points...); err != nil {
		m.way = nil
		return m.sayError(err)
	}
	m.say(muted, "started again; going back to "+placeWords(m.way.to))
	return m.resume(control.Continue)
}

// lookForReturn looks for the place on the tape of the program that stands at its event, or has ended.
func (m *Model) lookForReturn() tea.Cmd {
	r := m.way
	r.looking = true
	return m.findPlace(r.to, func(m *Model, at graph.Pos, same bool) tea.Cmd {
		r.looking = false
		words := placeWords(r.to)
		switch asked := placeQuery(r.to); {
		case m.way != r:
			return nil
		case same:
			return m.returned(at, fmt.Sprintf("started again, and back at event %d", at))
		case at >= 0:
			return m.returned(at, fmt.Sprintf("started again; event %d is another one now, this is %s", r.to.Event, words))
		case m.live() && asked != "":
			r.byLine = true
			return m.runTo(asked)
		case m.live():
			return m.returned(m.tape.Len(), fmt.Sprintf("started again; event %d is another one now", r.to.Event))
		}
		return m.returned(-1, m.program.result+"; it did not come to "+words+" again")
	})
}

// returnedAtEnd takes the end of a program on its way.
func (m *Model) returnedAtEnd() tea.Cmd {
	switch {
	case m.way == nil || m.way.looking:
		return nil
	case m.way.end:
		return m.returned(-1, "started again: "+m.program.result)
	}
	return m.lookForReturn()
}

// returned ends the way at a position; -1 leaves the cursor where it is.
func (m *Model) returned(at graph.Pos, said string) tea.Cmd {
	m.way = nil
	if m.live() {
		if err := m.Program.Break(m.points()...); err != nil {
			return m.sayError(err)
		}
	}
	var move tea.Cmd
	if at >= 0 {
		m.following = at == m.tape.Len() && m.live()
		move = m.goTo(at, look)
	}
	m.say(strong, said)
	return tea.Batch(move, m.check(), m.runQueued())
}
