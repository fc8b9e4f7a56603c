package ui

import (
	"fmt"
	"path/filepath"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/edits"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/session"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/console"
)

// state is what the panes share and read. It has no facts of its own: what it knows
// follows from the tape, the cursor, and what the user selected.
type state struct {
	Options
	position
	index    indices
	findings findings
	sources  *sources // the files of the program
	program  programState
	file     fileState
	queries  []standing // the breakpoints
	// bookmarks are places of this run or of another one, in the order of their events.
	bookmarks []session.Bookmark
	seeking   seeking
	asked     asked
	edited    []edits.Edit         // source files that were edited since the run has read them
	tried     map[string]*triedFix // by the key of the finding

	chosen selection
	place  graph.Frame // the line that the source pane shows
	scope  scope       // the graph that is shown
	window window      // the stretch of the tape that charts show
	next   nextNode    // the last answer of aboutToRun
	pin    *pin        // the moment that the cursor is compared with; nil: none
	tied   tie         // whether that moment follows the cursor
}

// programState is what the program is doing.
type programState struct {
	running  bool
	over     bool
	started  bool  // it has stopped for the first time, or ended
	resumed  bool  // it has gone on from there
	ahead    ahead // how far the run to the first place of interest is
	starting starting
	stop     control.Stop // the newest one
	result   string       // how it ended
}

// selection is the node or the tensor that the inspector shows.
type selection struct {
	node   graph.NodeID
	tensor graph.TensorID
}

func newState(o Options) state {
	at := newPosition(o)
	return state{
		Options: o, position: at, index: newIndices(o.Tape, at.cursor), sources: newSources(o.Tape, o.ReadLeftOut),
		program: programState{running: o.Program != nil}, file: newFileState(o),
	}
}

// lineName is how panes name a line of the program: "train.py:12".
func lineName(f graph.Frame) string {
	return console.OneLine(fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line))
}

// soon is how many events a node may cause before it has run: hooks, operations of a
// custom function, the passes of checkpoints.
const soon = 1 << 16

// A nextNode is the node that runs next at a position, found while the tape had end events.
type nextNode struct {
	at, end graph.Pos
	node    graph.NodeID
}

// aboutToRun returns the node of a backward pass that runs next, or has begun to, at the
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

// findNext looks for the event of the next node.
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

// chooseNode selects a node, and shows the line that made it.
func (m *Model) chooseNode(id graph.NodeID) {
	n, ok := m.graph().Node(id)
	if !ok {
		return
	}
	m.chosen = selection{node: id}
	m.place = m.lineOf(n)
	m.refresh()
}

// chooseTensor selects a tensor, and shows the line that made it.
func (m *Model) chooseTensor(id graph.TensorID) {
	t, ok := m.graph().Tensor(id)
	if !ok {
		return
	}
	m.chosen = selection{tensor: id, node: t.Node}
	m.place = m.line(t.Created)
	m.refresh()
}

// refresh lets the panes follow the cursor, the selection and the layout, and the layout what the panes have
// to show.
func (m *Model) refresh() {
	m.window.follow(m.at(), m.tape.Len())
	for range 2 {
		before := m.layout
		m.layout = m.layoutNow()
		for id, p := range m.panes.all {
			body := m.layout.panes[id]
			body.H = max(body.H-1, 0)
			p.refresh(&m.state, body)
		}
		if m.layout.panes == before.panes {
			return
		}
	}
}
