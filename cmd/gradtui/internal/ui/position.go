package ui

import (
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/lookup"
)

// position is where on the tape the debugger is, and where it is going.
type position struct {
	tape      *graph.Tape
	cursor    *graph.Cursor
	dec       *graph.Decoder
	steps     *lookup.Steps
	goal      graph.Pos // where the cursor is going
	arrive    arrival   // what to do when it is there
	following bool      // it goes with the end of the tape
}

// arrival says what happens when the cursor has come to its goal.
type arrival uint8

const (
	look    arrival = iota // what is there is selected
	keep                   // the selection stays
	pick                   // what was searched for is selected
	failure                // the failed node is selected, and its finding opened
)

func newPosition(o Options) position {
	return position{
		tape: o.Tape, cursor: graph.NewCursor(o.Tape), dec: o.Tape.NewDecoder(), steps: lookup.NewSteps(o.Tape),
		following: o.Program != nil || o.More != nil,
	}
}

// graph returns the graph at the cursor.
func (p *position) graph() *graph.Graph { return p.cursor.Graph() }

// at returns the cursor's position.
func (p *position) at() graph.Pos { return p.cursor.Pos() }

// moving reports whether the cursor is on its way.
func (p *position) moving() bool { return p.goal != p.cursor.Pos() }

// event reads an event; nil if there is none or it is damaged.
func (p *position) event(at graph.Pos) (graph.Header, graph.Event) {
	if at < 0 || at >= p.tape.Len() {
		return graph.Header{}, nil
	}
	h, e, err := p.dec.Read(at)
	if err != nil {
		return graph.Header{}, nil
	}
	return h, e
}

// line returns the innermost line of the program at an event; the zero Frame for none.
func (p *position) line(at graph.Pos) graph.Frame {
	h, err := p.dec.Header(at)
	if err != nil {
		return graph.Frame{}
	}
	return p.tape.Stack(h.Stack).Top()
}

// lineOf returns the line that made a node.
func (p *position) lineOf(n graph.Node) graph.Frame { return p.line(n.Created) }

// runningPass returns the innermost backward pass that runs at the cursor.
func (p *position) runningPass() (graph.Backward, bool) {
	b, ok := p.graph().Backward(graph.BackwardID(p.graph().BackwardCount()))
	for ok && !b.Running() {
		b, ok = p.graph().Backward(b.Outer)
	}
	return b, ok
}
