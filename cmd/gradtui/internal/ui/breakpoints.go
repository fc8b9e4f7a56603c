package ui

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/query"
)

// A standing query is a breakpoint: it stops a program that runs, and has hits on the tape.
type standing struct {
	control.Breakpoint
	query *query.Query
	hits  *query.Hits // an index of the tape
}

// found returns the positions of the hits so far, in order. The debugger finds findings itself.
func (q *standing) found(s *state) []graph.Pos {
	if _, ok := q.query.Finding(); !ok {
		return q.hits.All()
	}
	return inspect.Hits(s.findings.all(), q.query)
}

// breakpointAt returns the index of the breakpoint on a line, or -1.
func (s *state) breakpointAt(file string, line int) int {
	return slices.IndexFunc(s.queries, func(q standing) bool {
		f, l, ok := q.query.Place()
		return ok && l == line && query.EndsIn(file, f)
	})
}

// toggleBreakpoint sets a breakpoint on what is chosen in the focused pane, or clears it.
func (m *Model) toggleBreakpoint() tea.Cmd {
	asked := ""
	if p, ok := m.panes.all[m.focus].(breakable); ok {
		asked = p.breakpoint(&m.state)
	}
	if asked == "" {
		return m.say(muted, "select a tensor, node or line first, or type :break QUERY")
	}
	if i := slices.IndexFunc(m.queries, func(q standing) bool { return q.Query == asked && q.Skip == 0 }); i >= 0 {
		return m.clearBreakpoint(i)
	}
	return m.addBreakpoint(control.Breakpoint{Query: asked})
}

// breakOnNode returns a query for the operation of a node, or for the tensor whose gradient
// it accumulates.
func (s *state) breakOnNode(id graph.NodeID) string {
	n, ok := s.graph().Node(id)
	if !ok {
		return ""
	}
	if n.Variable != 0 {
		if asked := s.breakOnTensor(n.Variable); asked != "" {
			return asked
		}
	}
	return "op " + n.Name
}

// breakOnTensor returns a query for the name of a tensor; "" if it has none.
func (s *state) breakOnTensor(id graph.TensorID) string {
	t, ok := s.graph().Tensor(id)
	switch {
	case !ok || t.Name == "":
		return ""
	case strings.ContainsAny(t.Name, " ()\"'=<>!,"):
		return "touches(tensor(" + strconv.Quote(t.Name) + "))"
	}
	return "tensor " + t.Name
}

// breakOnLine returns a query for a line; "" if the line is unknown.
func breakOnLine(f graph.Frame) string {
	if f.File == "" || f.Line <= 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d", filepath.ToSlash(f.File), f.Line)
}

func (m *Model) addBreakpoint(b control.Breakpoint) tea.Cmd {
	q, err := query.Parse(b.Query)
	if err != nil {
		return m.sayError(err)
	}
	b.ID = 1
	for _, p := range m.queries {
		b.ID = max(b.ID, p.ID+1)
	}
	added := append(slices.Clone(m.queries), standing{b, q, query.NewHits(m.tape, q)})
	said := fmt.Sprintf("breakpoint %d: %s", b.ID, b)
	if m.tape.Len() > 0 && m.at() < m.tape.Len() || !m.live() {
		said += "; c goes to the next hit, C back"
	}
	return m.setBreakpoints(added, said)
}

func (m *Model) clearBreakpoint(i int) tea.Cmd {
	cleared := m.queries[i]
	return m.setBreakpoints(slices.Delete(slices.Clone(m.queries), i, i+1), "cleared: "+cleared.String())
}

// setBreakpoints replaces the breakpoints, also in a program that runs.
func (m *Model) setBreakpoints(queries []standing, said string) tea.Cmd {
	if m.live() {
		before := m.queries
		m.queries = queries
		if err := m.Program.Break(m.points()...); err != nil {
			m.queries = before
			return m.sayError(err)
		}
	}
	m.queries = queries
	m.index.asked = nil
	for _, q := range queries {
		m.index.asked = append(m.index.asked, q.hits)
	}
	return m.say(strong, said)
}

func (m *Model) commandBreak(args string) tea.Cmd {
	if args == "" {
		return m.listBreakpoints()
	}
	b, err := control.ParseBreakpoint(args)
	if err != nil {
		return m.sayError(err)
	}
	return m.addBreakpoint(b)
}

func (m *Model) listBreakpoints() tea.Cmd {
	t := &text{title: "Breakpoints"}
	for i := range m.queries {
		q := &m.queries[i]
		t.lines = append(t.lines, styled{
			{keycap, fmt.Sprintf("%3d  ", q.ID)}, {plain, q.String()}, {muted, "  " + m.hitCount(q)},
		})
	}
	if len(m.queries) == 0 {
		t.lines = append(t.lines, styled{{plain, "There are none. b sets one on the selection;"}},
			styled{{plain, ":break takes " + query.Syntax + ","}},
			styled{{plain, `or a query such as op == "mm" and max(out) > 100`}})
	}
	m.overlay = t
	return nil
}

// hitCount says how many hits a query has on the tape.
func (s *state) hitCount(q *standing) string {
	n := plural(len(q.found(s)), "hit")
	if q.hits.Pos() < s.tape.Len() {
		n += " so far"
	}
	return n
}

func (m *Model) commandClear(args string) tea.Cmd {
	if len(m.queries) == 0 {
		return m.say(muted, "there are no breakpoints")
	}
	if args == "" {
		return m.setBreakpoints(nil, "all breakpoints are cleared")
	}
	n, ok := number(args, "")
	i := slices.IndexFunc(m.queries, func(q standing) bool { return q.ID == n })
	if !ok || i < 0 {
		return m.sayError(fmt.Errorf("there is no breakpoint %q; :break lists them", args))
	}
	return m.clearBreakpoint(i)
}

// breakpointWords returns the words that a breakpoint may begin with, for completion.
func (s *state) breakpointWords() []string {
	words := strings.FieldsFunc(query.Syntax, func(r rune) bool { return r < 'a' || r > 'z' })
	for _, w := range query.Words() {
		if name, _, ok := strings.Cut(w.Form, "("); ok && !strings.ContainsAny(name, " ,") {
			words = append(words, name+"(")
		}
	}
	return append(words, s.names()...)
}

// nextHit returns the first hit of a breakpoint behind the cursor, or with back the last one
// before it. sure says that every hit is known that could be the answer.
func (s *state) nextHit(back bool) (at graph.Pos, of *standing, sure bool) {
	at, sure = -1, true
	for i := range s.queries {
		q := &s.queries[i]
		found := q.found(s)
		n, exact := slices.BinarySearch(found, s.at())
		switch {
		case back:
			n--
			sure = sure && q.hits.Pos() >= min(s.at(), s.tape.Len())
		case exact:
			n++
		}
		if n >= 0 && n < len(found) && (at < 0 || found[n] < at != back) {
			at, of = found[n], q
		}
		if !back {
			sure = sure && (q.hits.Pos() >= s.tape.Len() || at >= 0 && q.hits.Pos() >= at)
		}
	}
	return at, of, sure
}

// seeking is the hit that is awaited until enough of the tape has been read to know it.
type seeking uint8

const (
	seekingNothing seeking = iota
	seekingNext
	seekingPrevious
)

// toHit goes to the next hit, or to the one before, or waits until it is known.
func (m *Model) toHit(back bool) tea.Cmd {
	at, of, sure := m.nextHit(back)
	if !sure {
		m.seeking = seekingNext
		if back {
			m.seeking = seekingPrevious
		}
		return m.say(muted, "looking for hits on the tape…")
	}
	m.seeking = seekingNothing
	switch {
	case at >= 0:
		m.following = false
		i, _ := slices.BinarySearch(of.found(&m.state), at)
		m.say(strong, fmt.Sprintf("hit %d of %s: %s", i+1, strings.TrimSuffix(m.hitCount(of), " hits"), of))
		return m.goTo(at, look)
	case back:
		return m.say(muted, "no earlier hit of a breakpoint")
	case m.live():
		return m.resume(control.Continue)
	}
	switch {
	case len(m.queries) > 0:
		m.say(muted, "no later hit of a breakpoint: this is the end of the tape")
	case m.at() == m.tape.Len():
		m.say(muted, "this is the end of the tape")
	}
	return m.goTo(m.tape.Len(), look)
}

// keepSeeking goes to the hit that was asked for, once it is known.
func (m *Model) keepSeeking() tea.Cmd {
	back := m.seeking == seekingPrevious
	if m.seeking == seekingNothing || m.moving() {
		return nil
	}
	if _, _, sure := m.nextHit(back); !sure {
		return nil
	}
	return m.toHit(back)
}

// proceed goes to the next hit of a breakpoint on the tape, or lets the program run, or goes to
// the end of the tape.
func (m *Model) proceed() tea.Cmd {
	if m.runs() {
		return m.resume(control.Continue) // which says so
	}
	return m.toHit(false)
}

// goBack goes to the previous hit of a breakpoint.
func (m *Model) goBack() tea.Cmd {
	if len(m.queries) == 0 {
		return m.say(muted, "no breakpoint is set, so there is nothing to go back to; b sets one on the selection, :break QUERY any")
	}
	return m.toHit(true)
}
