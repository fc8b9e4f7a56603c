package ui

import (
	"errors"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/compare"
)

// NewBeside returns a debugger of a tape that compares it with another one, which need not be of the same
// program, nor of the same engine. The cursor of the other tape is moment A.
func NewBeside(o, other Options) *Runs {
	r := &Runs{relation: besides}
	for _, one := range []Options{o, other} {
		r.add(New(one))
	}
	r.shown = r.models[0]
	for _, m := range r.models {
		m.pinBeside()
	}
	return r
}

// pinBeside makes the cursor of the other tape moment A; false: there is no other tape.
func (m *Model) pinBeside() bool {
	if m.among.relation != besides {
		return false
	}
	other := m.among.models[0]
	if other == m {
		other = m.among.models[1]
	}
	m.pinElsewhere(other)
	return true
}

// pinElsewhere makes the cursor of another debugger moment A.
func (m *Model) pinElsewhere(other *Model) {
	m.pin = &pin{
		state: &other.state, elsewhere: other, alike: m.among.alike(m, other),
		matcher: compare.NewMatcher(other.tape, m.tape), ran: newRanLines(m.tape),
	}
}

// swapTapes shows the tape of moment A, and compares it with this one.
func (m *Model) swapTapes() tea.Cmd {
	to := m.pin.elsewhere
	if to.pin == nil || to.pin.elsewhere != m {
		to.pinElsewhere(m)
		to.tied = m.tied
	}
	m.among.show(to)
	return of(to, to.matchMoments())
}

// commandPinRank pins another rank of a distributed program.
func (m *Model) commandPinRank(number string) tea.Cmd {
	if m.amongRanks() {
		for _, other := range m.among.models {
			if other != m && !other.launches() && other.rankNumber() == number {
				m.pinElsewhere(other)
				return m.say(muted, fmt.Sprintf("the cursor of rank %s is moment A now; a swaps, P unpins", number))
			}
		}
	}
	return m.sayError(fmt.Errorf("there is no other rank %q here", number))
}

// commandTie lets moment A follow the cursor, or stay.
func (m *Model) commandTie(args string) tea.Cmd {
	switch {
	case m.pin == nil:
		return m.say(muted, notPinned)
	case args == "off":
		m.setTied(false, 0)
		return m.say(muted, "moment A stays where it is")
	case args != "" && args != "on":
		return m.sayError(errors.New("tie takes on or off"))
	}
	now, _ := m.index.timeline.Iteration(m.goal - 1)
	then, _ := m.pin.index.timeline.Iteration(m.pin.goal - 1)
	m.setTied(true, then-now)
	if m.pin.elsewhere == nil && then == now {
		m.setTied(false, 0)
		return m.say(muted, "both moments are in one iteration: pin another one first, as with :pin iteration 2")
	}
	return m.say(muted, "moment A follows to the corresponding event; :tie off lets it stay")
}

// A tie says how moment A follows the cursor.
type tie struct {
	on    bool
	shift int       // of iterations, from the cursor to moment A on the same tape
	at    graph.Pos // where the cursor was when A followed last; -1: nowhere
	busy  bool      // A's place is being looked for
}

func (m *Model) setTied(on bool, shift int) {
	m.tied = tie{on: on, shift: shift, at: -1}
	if m.pin.elsewhere != nil {
		m.pin.elsewhere.tied = m.tied
	}
}

// tiedMsg brings the place that corresponds to the cursor.
type tiedMsg struct {
	of     *pin
	at, to graph.Pos
	ok     bool
}

// followTied finds the place of moment A that corresponds to the cursor, if the cursor has moved.
func (m *Model) followTied() tea.Cmd {
	t, p := &m.tied, m.pin
	if p == nil || !t.on || t.busy || m.moving() || t.at == m.at() || m.among.shown != m {
		return nil
	}
	t.busy = true
	tape, other, at, shift, same, alike := m.tape, p.tape, m.at(), t.shift, p.elsewhere == nil, p.alike
	return func() tea.Msg {
		if same {
			to, ok := compare.Shifted(tape, at, shift)
			return tiedMsg{p, at, to, ok}
		}
		if at <= alike {
			return tiedMsg{p, at, at, true}
		}
		return tiedMsg{p, at, compare.Counterpart(tape, other, at), true}
	}
}

// follows moves moment A.
func (m *Model) follows(msg tiedMsg) tea.Cmd {
	m.tied.busy, m.tied.at = false, msg.at
	if msg.of != m.pin || !m.tied.on {
		return nil
	}
	if !msg.ok {
		return m.say(muted, "moment A has no corresponding iteration")
	}
	if other := m.pin.elsewhere; other != nil {
		other.tied.at = msg.to
		other.following = false
		return of(other, tea.Batch(other.goTo(msg.to, look), other.keepWorking()))
	}
	m.movePin(msg.to)
	return nil
}

// shownAgain lets the debugger that is shown compare with one that has moved.
func (r *Runs) shownAgain(moved *Model) tea.Cmd {
	if m := r.shown; m != moved && slices.Contains(r.models, moved) && m.pin != nil && m.pin.elsewhere == moved {
		return of(m, m.matchMoments())
	}
	return nil
}
