package query

import (
	"maps"
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// A Query is a question that can be asked of a run.
type Query struct {
	text string
	tree tree
}

// String is the query as [Parse] reads it.
func (q *Query) String() string { return q.text }

// Finding returns the pattern of the codes, if the query is about findings. The diagnosis
// answers such a query; a [Matcher] of it never hits.
func (q *Query) Finding() (code string, ok bool) { return q.tree.finding, q.tree.isFinding }

// Place returns the line, if the query is FILE:LINE and nothing else. The file is the end of a
// path.
func (q *Query) Place() (file string, line int, ok bool) {
	return q.tree.file, q.tree.line, q.tree.line > 0
}

// Needs says what a query has to see of a program.
type Needs struct {
	Everything bool     // any event may be the one
	Nodes      bool     // any node of a backward pass that is about to run
	Ops        []string // patterns of the names of operations, and of nodes that are about to run
	Tensors    []string // patterns of names of tensors that are bound, changed, or get a gradient
	Lines      []Line
	Freed      []string // patterns of the names of nodes whose saved tensors are freed
	InPlace    bool     // changes in place of any tensor
	NotFinite  bool     // values that are not finite
	Errors     bool     // errors and warnings
	Values     bool     // what tensors look like: the run has to [Run.Remember] it
}

// Add adds what another query has to see.
func (n *Needs) Add(more Needs) {
	n.Everything = n.Everything || more.Everything
	n.Nodes = n.Nodes || more.Nodes
	n.InPlace = n.InPlace || more.InPlace
	n.NotFinite = n.NotFinite || more.NotFinite
	n.Errors = n.Errors || more.Errors
	n.Values = n.Values || more.Values
	n.Ops = union(n.Ops, more.Ops)
	n.Tensors = union(n.Tensors, more.Tensors)
	n.Lines = union(n.Lines, more.Lines)
	n.Freed = union(n.Freed, more.Freed)
}

// Equal reports whether both have to see the same.
func (n Needs) Equal(m Needs) bool {
	return n.Everything == m.Everything && n.Nodes == m.Nodes && n.InPlace == m.InPlace && n.NotFinite == m.NotFinite &&
		n.Errors == m.Errors && n.Values == m.Values && slices.Equal(n.Ops, m.Ops) && slices.Equal(n.Tensors, m.Tensors) &&
		slices.Equal(n.Lines, m.Lines) && slices.Equal(n.Freed, m.Freed)
}

func union[T comparable](list, more []T) []T {
	for _, x := range more {
		if !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return list
}

// A Line is a line of a source file.
type Line struct {
	File string // the end of a path
	Line int
}

// Needs says what the query has to see.
func (q *Query) Needs() Needs { return q.tree.needs() }

// A Matcher asks one query, event by event.
type Matcher struct {
	ask      expr
	m        moment
	compiler // what the expression follows
	begun    bool
}

// Start returns a matcher for a run that begins. Several matchers may share a run.
func (q *Query) Start(run *Run) *Matcher {
	ask, follows, _ := q.tree.compile() // Parse has seen the errors
	return &Matcher{ask: ask, compiler: follows, m: moment{run: run}}
}

// Saw reports whether the query hits at an event, which the run has taken.
func (q *Matcher) Saw(names Names, h graph.Header, e graph.Event) bool {
	return q.at(names, h, e, 0)
}

// Starts reports whether the query hits where a node of a backward pass is about to run. The
// event, if there is one, has not been taken.
func (q *Matcher) Starts(names Names, h graph.Header, node graph.NodeID) bool {
	return q.at(names, h, starting, node)
}

// follow keeps account of which tensors the query means.
func (q *Matcher) follow(e graph.Event) {
	if !q.begun { // names that tensors got before
		q.begun = true
		for _, s := range q.subjects {
			for _, t := range slices.Sorted(maps.Keys(q.m.run.names)) { // the newest last
				s.bound(&q.m, t, q.m.run.names[t])
			}
		}
	}
	for _, s := range q.subjects {
		s.follow(&q.m, e)
	}
}

// starting stands for the missing event of a node that is about to run.
var starting = &graph.Unknown{}

func (q *Matcher) at(names Names, h graph.Header, e graph.Event, starts graph.NodeID) bool {
	q.m.names, q.m.header, q.m.event, q.m.starts = names, h, e, starts
	q.m.top, q.m.looked, q.m.comes = graph.Frame{}, false, comesUnknown
	q.follow(e)
	if q.lines {
		q.m.arrives() // at each event, to know the last line
	}
	got := q.ask.eval(&q.m)
	return got.holds && got.fresh
}

// A moment is an event, with what is known of the run behind it.
type moment struct {
	run    *Run
	names  Names
	header graph.Header
	event  graph.Event
	starts graph.NodeID // about to run; 0: the moment is behind an event

	top    graph.Frame
	looked bool
	comes  int8
	last   graph.Frame // of the last event that comes to a line
	at     graph.StackID
}

// frame is the innermost line of the program.
func (m *moment) frame() graph.Frame {
	if !m.looked {
		m.looked, m.top = true, m.names.StackOf(m.header.Stack).Top()
	}
	return m.top
}

// text returns the text of an event that is of the right kind.
func (m *moment) text(ok bool, id func() graph.StringID) (string, bool) {
	if !ok {
		return "", false
	}
	return m.names.Text(id()), true
}

const (
	comesUnknown int8 = iota
	comesNot
	comesTo
)

// coming are the kinds of events that show that a program has come to a line.
func coming(k graph.Kind) bool {
	switch k {
	case graph.KindOpRan, graph.KindBackwardBegan, graph.KindGradsZeroed, graph.KindRaised, graph.KindLineReached:
		return true
	}
	return false
}

// arrives reports whether the program has come to its line with this event: once for each time
// that it comes there, however much happens on the line.
func (m *moment) arrives() bool {
	if m.comes == comesUnknown {
		m.comes = comesNot
		if coming(m.event.Kind()) {
			if f := m.frame(); f.File != m.last.File || f.Line != m.last.Line || f.Func != m.last.Func || m.header.Stack == m.at {
				m.comes, m.at, m.last = comesTo, m.header.Stack, f
			}
		}
	}
	return m.comes == comesTo
}
