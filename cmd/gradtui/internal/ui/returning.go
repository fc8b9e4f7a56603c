package ui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/session"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
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
	until   graph.Pos // the same, as a position of the run before; of a lost way, the end of that run
	end     bool      // to the end of the program
	over    bool      // the run before had ended
	failed  int       // the iteration, from 1, in which it had failed; 0: it had not
	edited  bool      // the program was edited: its events may be other ones
	byLine  bool      // the event is another one; the program runs to the line
	looking bool      // on the tape
}

// A lostWay is a way that did not arrive: the program ended before, for example because of a mistake in an edit. The
// next restart goes on with it, unless the cursor has moved.
type lostWay struct {
	returning
	at, events graph.Pos // the cursor, and the end of the tape
}

// spotToReturnTo is the place of the cursor, or the one that it was on its way to; nil at the beginning.
func (m *Model) spotToReturnTo() *returning {
	switch {
	case m.way != nil:
		again := *m.way
		again.byLine, again.looking = false, false
		return &again
	case m.lost != nil && m.goal == m.lost.at && m.tape.Len() == m.lost.events:
		again := m.lost.returning
		again.until = m.tape.Len()
		return &again
	case !m.program.resumed && !m.program.over || m.goal == 0 || m.blank():
		return nil
	}
	return &returning{
		to: m.placeAt(m.goal), until: m.goal, end: m.program.over && m.goal == m.tape.Len(), over: m.program.over, failed: m.failedIn(),
	}
}

// failedIn returns the iteration, from 1, in which a program that is over has failed; 0 if it has not.
func (m *Model) failedIn() int {
	end := m.tape.Len()
	failed := slices.ContainsFunc(m.findings.all(), func(f inspect.Finding) bool { return isEnding(&f) })
	for p := end - 1; p >= max(end-lookBack, 0) && !failed; p-- {
		_, _, failed = errorAt(m.tape, p)
	}
	if !m.program.over || !failed {
		return 0
	}
	return max(m.iterationAt(end), 1)
}

// asFar reports whether the program runs on to where the run before had ended, so that what it finds there can be
// compared, and only the cursor goes back.
func (r *returning) asFar() bool { return r.end || r.over && r.edited }

// returnOn lets the program go on towards the place, or ends the way if it is there.
func (m *Model) returnOn(stop control.Stop, first bool) tea.Cmd {
	r := m.way
	switch {
	case first && r.asFar() && r.edited && r.failed > 0: // the edit may have mended it, and then it may run for long
		return m.runTo(fmt.Sprintf("iteration == %d", r.failed+1))
	case first && r.asFar():
		return m.runTo()
	case first && r.edited && placeQuery(r.to) != "":
		r.byLine = true
		return m.runTo(placeQuery(r.to))
	case first && graph.Pos(r.to.Event) > m.tape.Len():
		return m.runTo(fmt.Sprintf("position == %d", r.to.Event))
	case !first && stop.Reason == control.Interrupted:
		m.before = nil
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
		case at >= 0 && r.edited:
			return m.returned(at, "started again, and back at "+words)
		case at >= 0:
			return m.returned(at, fmt.Sprintf("started again; event %d is another one now, this is %s", r.to.Event, words))
		case m.live() && r.asFar():
			return m.returned(m.tape.Len(), "started again; it did not come to "+words+" again")
		case m.live() && asked != "":
			r.byLine = true
			return m.runTo(asked)
		case m.live():
			return m.returned(m.tape.Len(), fmt.Sprintf("started again; event %d is another one now", r.to.Event))
		}
		m.lost = &lostWay{*r, m.goal, m.tape.Len()}
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
