package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/session"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/compare"
	"github.com/gradtui/gradtui/internal/console"
)

// A pin is the other moment, A, which all panes compare the cursor, B, with. It has a state of its own:
// another cursor on the same tape, or the state of the debugger of another tape.
type pin struct {
	*state
	elsewhere *Model // whose tape it is on, and who moves it; nil: it is on the tape of the cursor

	alike   graph.Pos // so many events are the same on both tapes, as a run and its fork have them
	matcher *compare.Matcher
	match   *compare.Match // nil: both show one graph, or it is not known yet
	rootsA  []graph.NodeID // that the nodes were matched for
	rootsB  []graph.NodeID
	matched bool // match is known for these roots
	asking  bool
	named   namedNodes // what namesOf said
	ran     *ranLines  // between the moments
}

// namedNodes is a text about the nodes that are at A only, and what it was made for.
type namedNodes struct {
	match *compare.Match
	at    graph.Pos
	text  string
}

// newPin returns a moment on the tape of a state, which is not there yet.
func newPin(s *state, at graph.Pos) *pin {
	o := s.Options
	o.Program, o.More = nil, nil
	there := &state{Options: o, index: s.index, sources: s.sources, file: s.file}
	there.position = position{tape: s.tape, cursor: s.cursor.Scout(), dec: s.tape.NewDecoder(), steps: s.steps, goal: at}
	there.index.asked, there.index.listed = nil, nil
	return &pin{state: there, matcher: compare.NewMatcher(s.tape, s.tape), ran: newRanLines(s.tape)}
}

// ready reports whether the moment's graph is there.
func (p *pin) ready() bool { return !p.moving() }

// wanders reports whether the debugger has to move the moment.
func (s *state) pinWanders() bool { return s.pin != nil && s.pin.elsewhere == nil && s.pin.moving() }

// togglePin pins the cursor's position, or lets the pinned one go.
func (m *Model) togglePin() tea.Cmd {
	if m.pin != nil && (m.pin.elsewhere == nil || m.among.relation != besides) {
		return m.unpin()
	}
	return m.pinAt(m.goal)
}

func (m *Model) unpin() tea.Cmd {
	if m.pin == nil {
		return m.say(muted, notPinned)
	}
	beside := m.pin.elsewhere != nil
	m.pin, m.tied = nil, tie{}
	defer m.refresh()
	if !beside && m.pinBeside() {
		return m.say(muted, "moment A is the other tape again")
	}
	return m.say(muted, "no moment is pinned any more")
}

// pinAt makes a position moment A.
func (m *Model) pinAt(at graph.Pos) tea.Cmd {
	m.pin, m.tied = newPin(&m.state, at), tie{}
	m.movePin(at)
	return m.say(muted, fmt.Sprintf("event %d is moment A now; go on, and each pane shows what differs; a swaps, P unpins", at))
}

// movePin moves moment A on the tape of the cursor, at once if that is near.
func (m *Model) movePin(to graph.Pos) {
	m.pin.goal = to
	if d := to - m.pin.at(); d <= nearby && d >= -nearby {
		m.pin.cursor.Seek(to)
		m.pinArrived()
	}
}

// pinArrived finds the graph that is shown at moment A.
func (m *Model) pinArrived() {
	s := &m.pin.scope
	s.roots, s.pass = m.pin.rootsNow(m.pin.graph())
	s.root = 0
	if len(s.roots) > 0 {
		s.root = s.roots[0]
	}
	m.refresh()
}

// swapPin exchanges the cursor and moment A.
func (m *Model) swapPin() tea.Cmd {
	if m.pin.elsewhere != nil {
		return m.swapTapes()
	}
	at := m.pin.goal
	m.movePin(m.goal)
	m.following, m.tied = false, tie{}
	return m.goTo(at, look)
}

// commandPin pins a place: pin, pin 120, pin iteration 2.
func (m *Model) commandPin(args string) tea.Cmd {
	switch args {
	case "":
		return m.pinAt(m.goal)
	case "off":
		return m.unpin()
	}
	if rank, ok := strings.CutPrefix(args, "rank "); ok {
		return m.commandPinRank(strings.TrimSpace(rank))
	}
	return m.toMoment(args, func(m *Model, p graph.Pos) tea.Cmd { return m.pinAt(p) })
}

func (m *Model) commandSwap(string) tea.Cmd {
	if m.pin == nil {
		return m.say(muted, because(notPinned)(m))
	}
	return m.swapPin()
}

const notPinned = "no moment is pinned; P pins the cursor"

// placeForms are the forms of a place on the tape.
const placeForms = "an event from 0 to %d, end, backward:K, iteration K, FILE:LINE or the name of a bookmark"

// toMoment does something with the position that a user has named. An iteration takes the whole tape to find.
func (m *Model) toMoment(where string, do func(*Model, graph.Pos) tea.Cmd) tea.Cmd {
	if k, ok := strings.CutPrefix(where, "iteration"); ok {
		n, err := strconv.Atoi(strings.TrimLeft(k, " :"))
		tape, at := m.tape, m.goal
		return func() tea.Msg {
			p, ok := compare.InIteration(tape, at, n)
			return Do(func(m *Model) tea.Cmd {
				if err != nil || !ok {
					return m.sayError(fmt.Errorf("there is no iteration %q on the tape", strings.TrimSpace(k)))
				}
				return do(m, p)
			})
		}
	}
	if i := slices.IndexFunc(m.bookmarks, func(b session.Bookmark) bool { return b.Name == where }); i >= 0 {
		return m.findPlace(m.bookmarks[i].Place, func(m *Model, at graph.Pos, _ bool) tea.Cmd {
			if at < 0 {
				return m.sayError(fmt.Errorf("this run did not come to the bookmark %q", where))
			}
			return do(m, at)
		})
	}
	p, err := m.momentAt(where)
	if err != nil {
		return m.sayError(err)
	}
	return do(m, p)
}

// momentAt returns the position that a user has named.
func (m *Model) momentAt(where string) (graph.Pos, error) {
	if where == "end" {
		return m.tape.Len(), nil
	}
	if k, ok := strings.CutPrefix(where, "backward:"); ok {
		if n, err := strconv.Atoi(k); err == nil {
			for p := range m.tape.Len() {
				if kind, err := m.dec.Kind(p); err != nil || kind != graph.KindBackwardBegan {
					continue
				}
				if _, e, err := m.dec.ReadUntimed(p); err == nil && int(e.(*graph.BackwardBegan).Backward) == n {
					return p + 1, nil
				}
			}
		}
		return 0, fmt.Errorf("there is no backward pass %q on the tape", k)
	}
	if file, line, ok := strings.Cut(where, ":"); ok {
		if n, err := strconv.Atoi(line); err == nil {
			for _, f := range m.tape.Files() {
				if f == file || strings.HasSuffix(f, "/"+file) {
					if p, ok := m.nextOfLine(f, n); ok {
						return p + 1, nil
					}
				}
			}
		}
		return 0, fmt.Errorf("nothing was recorded at %s", where)
	}
	p, err := strconv.Atoi(where)
	if err != nil || p < 0 || graph.Pos(p) > m.tape.Len() {
		return 0, fmt.Errorf("%q is not a position: use "+placeForms, where, m.tape.Len())
	}
	return graph.Pos(p), nil
}

// momentText names the position of a state: "event 120 iteration 2".
func (s *state) momentText() string {
	text := fmt.Sprintf("event %d", s.goal)
	if n, _ := s.index.timeline.Iteration(s.goal - 1); n > 0 {
		text += fmt.Sprintf(" iteration %d", n)
	}
	return text
}

// momentsText names both moments, in so many columns if it can.
func (m *Model) momentsText(columns int) string {
	other := ""
	if m.pin.elsewhere != nil {
		other = m.pin.elsewhere.runName() + " "
	}
	long := console.OneLine(fmt.Sprintf("A %s%s ↔ B %s", other, m.pin.momentText(), m.momentText()))
	if console.Width(long) <= columns {
		return long
	}
	return fmt.Sprintf("A %d ↔ B %d", m.pin.goal, m.goal)
}

// matchedMsg brings which nodes of the two moments correspond.
type matchedMsg struct {
	of             *pin
	match          *compare.Match
	rootsA, rootsB []graph.NodeID
}

// matchMoments finds out which nodes of the two graphs correspond, if that is not known.
func (m *Model) matchMoments() tea.Cmd {
	p := m.pin
	if p == nil || p.asking || m.moving() || !p.ready() || p.matched && slices.Equal(p.rootsA, p.scope.roots) && slices.Equal(p.rootsB, m.scope.roots) {
		return nil
	}
	a, b := compare.Moment{At: p.at(), Roots: p.scope.roots}, compare.Moment{At: m.at(), Roots: m.scope.roots}
	if p.elsewhere == nil && slices.Equal(a.Roots, b.Roots) {
		p.take(matchedMsg{rootsA: a.Roots, rootsB: b.Roots})
		return nil
	}
	p.asking = true
	return func() tea.Msg { return matchedMsg{p, p.matcher.Nodes(a, b), a.Roots, b.Roots} }
}

func (p *pin) take(msg matchedMsg) {
	p.asking, p.matched, p.match, p.rootsA, p.rootsB = false, true, msg.match, msg.rootsA, msg.rootsB
}

// matchedMoments takes which nodes correspond.
func (m *Model) matchedMoments(msg matchedMsg) tea.Cmd {
	msg.of.take(msg)
	m.refresh()
	return nil
}

// known reports whether it is known which nodes correspond.
func (p *pin) known() bool {
	return p.ready() && p.matched && slices.Equal(p.rootsA, p.scope.roots)
}

// node returns the node at moment A that corresponds to one at the cursor.
func (p *pin) node(id graph.NodeID) (a graph.Node, ok bool) {
	if p.match != nil {
		there, matched := p.match.InA(id)
		if !matched && p.elsewhere != nil {
			return graph.Node{}, false
		}
		if matched {
			id = there
		}
	}
	a, ok = p.graph().Node(id)
	return a, ok && !a.Released
}

// tensor returns the tensor at moment A that corresponds to one at the cursor, where the state s is: what its
// name meant, or the result of the corresponding node, or the tensor itself.
func (p *pin) tensor(s *state, id graph.TensorID) (a graph.Tensor, ok bool) {
	t, ok := s.graph().Tensor(id)
	if !ok {
		return graph.Tensor{}, false
	}
	if now, bound := s.graph().Lookup(t.Name); bound && t.Name != "" && now == id {
		if then, bound := p.graph().Lookup(t.Name); bound {
			return p.graph().Tensor(then)
		}
	}
	if n, found := p.node(t.Node); found && t.Node != 0 && t.Output == 0 {
		if a, ok := p.graph().Tensor(p.resultOf(n.ID)); ok {
			return a, true
		}
	}
	if p.elsewhere != nil && t.Created >= p.alike {
		return graph.Tensor{}, false
	}
	return p.graph().Tensor(id)
}
