package ui

import (
	"fmt"
	"path/filepath"

	"github.com/gradtui/gradtui/capture/control"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/find"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
)

// state is what the panes share.
type state struct {
	tape   *graph.Tape
	cursor *graph.Cursor
	dec    *graph.Decoder
	steps  *inspect.Steps
	goal   graph.Pos // where the cursor is going

	// Indices over the tape, which work.go brings up to its end.
	scout    *graph.Cursor // leaves checkpoints, so that the cursor goes anywhere at once
	trace    *inspect.Trace
	timeline *inspect.Timeline
	memory   *inspect.MemorySeries
	printed  *printed
	finder   *find.Index

	sources *sources

	report    *inspect.Report // of the rules; nil: they have not run yet
	reported  graph.Pos       // events that they saw
	checking  bool
	arrive    arrival // what to do when the cursor is there
	chosen    selection
	place     graph.Frame // the line that the source pane shows
	window    window
	query     string // of the last search
	sought    sought // what the cursor is on its way to
	scope     scope
	next      nextNode     // as of the last question
	pinned    graph.NodeID // the root that the user chose; 0: none
	program   programState
	file      fileState
	points    []control.Breakpoint
	hunt      hunt
	following bool     // the cursor goes with the end of the tape
	typed     []string // command lines, oldest first
}

// programState is what the program is doing.
type programState struct {
	running bool
	over    bool
	stop    control.Stop // the newest one
	result  string       // how it ended
}

// selection is what the inspector tells of.
type selection struct {
	node   graph.NodeID
	tensor graph.TensorID
}

// arrival says how the cursor got where it is going.
type arrival uint8

const (
	look    arrival = iota // what is there is chosen
	keep                   // what is chosen stays
	pick                   // what was looked for is chosen
	failure                // the failed node is chosen, and its finding opened
)

func newState(o Options) state {
	file := fileState{reading: Behind}
	if o.More == nil {
		file.reading = Finished
	}
	cursor := graph.NewCursor(o.Tape)
	return state{
		tape: o.Tape, cursor: cursor, scout: cursor.Scout(), dec: o.Tape.NewDecoder(), steps: inspect.NewSteps(o.Tape),
		trace: inspect.NewTrace(o.Tape), timeline: inspect.NewTimeline(o.Tape), memory: inspect.NewMemorySeries(o.Tape),
		printed: newPrinted(o.Tape), finder: find.NewIndex(o.Tape),
		sources: newSources(o.Tape, o.ReadLeftOut),
		program: programState{running: o.Program != nil}, following: o.Program != nil || o.More != nil,
		file: file,
	}
}

// graph is the graph at the cursor.
func (s *state) graph() *graph.Graph { return s.cursor.Graph() }

// at is the cursor's position.
func (s *state) at() graph.Pos { return s.cursor.Pos() }

// moving reports whether the cursor is on its way.
func (s *state) moving() bool { return s.goal != s.cursor.Pos() }

// event reads an event; nil if there is none or it is damaged.
func (s *state) event(p graph.Pos) (graph.Header, graph.Event) {
	if p < 0 || p >= s.tape.Len() {
		return graph.Header{}, nil
	}
	h, e, err := s.dec.Read(p)
	if err != nil {
		return graph.Header{}, nil
	}
	return h, e
}

// line is the innermost line of the program at an event; the zero Frame for none.
func (s *state) line(p graph.Pos) graph.Frame {
	h, err := s.dec.Header(p)
	if err != nil {
		return graph.Frame{}
	}
	return s.tape.Stack(h.Stack).Top()
}

// lineName is how the panes call a line of the program: "train.py:12".
func lineName(f graph.Frame) string {
	return console.OneLine(fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line))
}

// lineOf is the line that made a node.
func (s *state) lineOf(n graph.Node) graph.Frame { return s.line(n.Created) }

// runningPass is the innermost backward pass that runs at the cursor.
func (s *state) runningPass() (graph.Backward, bool) {
	b, ok := s.graph().Backward(graph.BackwardID(s.graph().BackwardCount()))
	for ok && !b.Running() {
		b, ok = s.graph().Backward(b.Outer)
	}
	return b, ok
}

// soon is how many events a node may bring before it has run: hooks, what a custom
// function computes, the passes of checkpoints.
const soon = 1 << 16

// A nextNode is the node that was found to run next at a position, while the tape had
// so many events.
type nextNode struct {
	at, end graph.Pos
	node    graph.NodeID
}

// aboutToRun is the node of a backward pass that runs next, or has begun to, at the
// cursor; 0 for none.
func (s *state) aboutToRun() graph.NodeID {
	at, end := s.at(), s.tape.Len()
	if stop := s.program.stop; stop.Node != 0 && at == end && !s.program.running && !s.program.over {
		return graph.NodeID(stop.Node)
	}
	if s.next.at != at || s.next.end != end {
		s.next = nextNode{at, end, s.findNext(at)}
	}
	return s.next.node
}

// findNext looks for the end of what the next node does.
func (s *state) findNext(at graph.Pos) graph.NodeID {
	b, ok := s.runningPass()
	if !ok {
		return 0
	}
	for p := at; p < min(at+soon, s.tape.Len()); p++ {
		k, err := s.dec.Kind(p)
		if err != nil || k != graph.KindNodeExecuted && k != graph.KindBackwardFailed {
			continue
		}
		switch _, e := s.event(p); e := e.(type) {
		case *graph.NodeExecuted:
			if e.Backward == b.ID {
				return e.Node
			}
		case *graph.BackwardFailed:
			if e.Backward == b.ID {
				return e.Node
			}
		}
	}
	return 0
}

// chooseNode makes the inspector tell of a node, and the source show where it was made.
func (m *Model) chooseNode(id graph.NodeID) {
	n, ok := m.graph().Node(id)
	if !ok {
		return
	}
	m.chosen = selection{node: id}
	m.place = m.lineOf(n)
	m.refresh()
}

// chooseTensor makes the inspector tell of a tensor.
func (m *Model) chooseTensor(id graph.TensorID) {
	t, ok := m.graph().Tensor(id)
	if !ok {
		return
	}
	m.chosen = selection{tensor: id, node: t.Node}
	m.place = m.line(t.Created)
	m.refresh()
}

// refresh tells the panes that something else is to be shown.
func (m *Model) refresh() {
	for _, p := range m.panes {
		p.refresh(m)
	}
}
