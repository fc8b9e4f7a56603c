package script

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/lookup"
	"github.com/gradtui/gradtui/internal/suggest"
	"github.com/gradtui/gradtui/query"
)

// A session is what a script sees: a recorded run and a position on its tape, at first the end.
type session struct {
	options  Options
	found    *inspect.Result
	tape     *graph.Tape
	cursor   *graph.Cursor
	dec      *graph.Decoder
	steps    *lookup.Steps
	expected map[int]bool           // the findings that the script expects
	asked    map[string][]graph.Pos // the hits of queries
}

func newSession(found *inspect.Result, o Options) *session {
	tape := found.History.Tape()
	return &session{
		options: o, found: found, tape: tape, cursor: tape.CursorAt(tape.Len()), dec: tape.NewDecoder(),
		steps: lookup.NewSteps(tape), expected: map[int]bool{},
	}
}

func (s *session) graph() *graph.Graph { return s.cursor.Graph() }

// place returns the line of an event, the zero frame for none.
func (s *session) place(p graph.Pos) graph.Frame {
	if p < 0 {
		return graph.Frame{}
	}
	return s.found.History.At(p, "").Frame
}

func (s *session) tensor(id graph.TensorID) starlark.Value {
	t, ok := s.graph().Tensor(id)
	if !ok {
		return starlark.None
	}
	return &object[graph.Tensor]{tensorKind, s, t}
}

func (s *session) node(id graph.NodeID) starlark.Value {
	n, ok := s.graph().Node(id)
	if !ok {
		return starlark.None
	}
	return &object[graph.Node]{nodeKind, s, n}
}

func (s *session) value(v graph.Value) starlark.Value {
	if !v.Known() {
		return starlark.None
	}
	return &object[graph.Value]{valueKind, s, v}
}

// pass returns a backward pass of the whole run.
func (s *session) pass(id graph.BackwardID) inspect.Pass { return *s.found.History.Pass(id) }

// nodesOf returns the nodes that events of a kind name within a pass.
func (s *session) nodesOf(id graph.BackwardID, k graph.Kind) starlark.Value {
	pass := s.pass(id)
	end := pass.End
	if end < 0 {
		end = s.tape.Len() - 1
	}
	found := []starlark.Value{}
	for p := pass.At; p <= end; p++ {
		if kind, err := s.dec.Kind(p); err != nil || kind != k {
			continue
		}
		_, e, err := s.dec.ReadUntimed(p)
		if err != nil {
			continue
		}
		switch e := e.(type) {
		case *graph.NodeExecuted:
			if e.Backward == id {
				found = append(found, s.node(e.Node))
			}
		case *graph.SavedFreed:
			if e.Backward == id {
				found = append(found, s.node(e.Node))
			}
		}
	}
	return list(found)
}

// accumulated returns the event that added a gradient.
func (s *session) accumulated(a arrival) *graph.GradAccumulated {
	_, e, err := s.tape.At(a.At)
	if added, ok := e.(*graph.GradAccumulated); ok && err == nil {
		return added
	}
	return &graph.GradAccumulated{}
}

// named finds a tensor by its name, or by its number: "t17".
func (s *session) named(name string) (starlark.Value, error) {
	if id, ok := s.graph().Lookup(name); ok {
		return s.tensor(id), nil
	}
	if n, err := strconv.ParseUint(strings.TrimPrefix(name, "t"), 10, 32); err == nil && strings.HasPrefix(name, "t") {
		if t := s.tensor(graph.TensorID(n)); t != starlark.None {
			return t, nil
		}
	}
	var known []string
	for b := range s.graph().Bindings() {
		known = append(known, b.Name)
	}
	return nil, fmt.Errorf("no tensor is called %q at event %d of %d%s", name, s.cursor.Pos(), s.tape.Len(), suggest.Hint(name, known))
}

// A stop is a condition of run_to().
type stop struct {
	line, event, backward int
	op                    string
	finding               string
	query                 string
}

// what describes the condition.
func (c stop) what() string {
	switch {
	case c.line > 0:
		return fmt.Sprintf("line %d", c.line)
	case c.op != "":
		return "the operation " + c.op
	case c.backward != 0:
		return fmt.Sprintf("backward pass %d", c.backward)
	case c.finding != "":
		return "a finding " + c.finding
	case c.query != "":
		return "a hit of " + c.query
	}
	return fmt.Sprintf("event %d", c.event)
}

// hits returns the positions where a query hits in the whole run.
func (s *session) hits(text string) ([]graph.Pos, error) {
	if found, ok := s.asked[text]; ok {
		return found, nil
	}
	q, err := query.Parse(text)
	if err != nil {
		return nil, err
	}
	var found []graph.Pos
	if _, ok := q.Finding(); ok {
		found = inspect.Hits(s.found.Findings, q)
	} else {
		all := query.NewHits(s.tape, q)
		all.Extend(s.tape.Len())
		found = all.All()
	}
	if s.asked == nil {
		s.asked = map[string][]graph.Pos{}
	}
	s.asked[text] = found
	return found, nil
}

// runTo moves past the next event that meets the condition, or past all events
// of a line, and reports whether there is one. The cursor stays where it is if there is none.
func (s *session) runTo(c stop) bool {
	p := s.cursor.Pos()
	if c.finding != "" {
		for _, f := range s.found.Findings {
			if f.Code == c.finding && f.At >= p {
				return s.cursor.Seek(f.At+1) == nil
			}
		}
		return false
	}
	if c.query != "" {
		found, _ := s.hits(c.query)
		i, exact := slices.BinarySearch(found, p)
		if exact {
			i++
		}
		return i < len(found) && s.cursor.Seek(found[i]) == nil
	}
	if c.line == 0 && c.op == "" && c.backward == 0 {
		return c.event >= int(p) && s.cursor.Seek(graph.Pos(c.event)) == nil
	}
	for ; p < s.tape.Len(); p++ {
		if !s.meets(c, p) {
			continue
		}
		for p = s.steps.Behind(p+1, lookup.StopOp); c.line > 0 && s.meets(c, p); {
			p = s.steps.Behind(p+1, lookup.StopOp)
		}
		return s.cursor.Seek(p) == nil
	}
	return false
}

func (s *session) meets(c stop, p graph.Pos) bool {
	kind, err := s.dec.Kind(p)
	if err != nil || c.op != "" && kind != graph.KindOpRan || c.backward != 0 && kind != graph.KindBackwardBegan {
		return false
	}
	head, e, err := s.dec.ReadUntimed(p)
	if err != nil {
		return false
	}
	switch e := e.(type) {
	case *graph.OpRan:
		if c.op != "" {
			return s.tape.String(e.Op) == c.op
		}
	case *graph.BackwardBegan:
		if c.backward != 0 {
			return int(e.Backward) == c.backward
		}
	}
	return c.line > 0 && s.tape.Stack(head.Stack).Top().Line == c.line
}

// units are what step() and back() move by.
var units = map[string]lookup.Stop{"event": lookup.StopEvent, "op": lookup.StopOp, "node": lookup.StopNodeDone}

// move goes n units forward, or back if n is negative. It reports whether there were that many.
func (s *session) move(unit lookup.Stop, n int) bool {
	next, count := s.steps.Next, n
	if n < 0 {
		next, count = s.steps.Prev, -n
	}
	for range count {
		p, ok := next(s.cursor.Pos(), unit)
		if !ok || s.cursor.Seek(p) != nil {
			return false
		}
	}
	return true
}
