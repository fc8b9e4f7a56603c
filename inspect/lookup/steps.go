package lookup

import (
	"slices"
	"sort"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/usage"
)

// A Stop is what a cursor is moved to.
type Stop string

// The stops. Each lies behind the event that is the reason, and behind those that belong
// to it. A program that is stepped live stops at the same places (package control).
const (
	StopEvent     Stop = "event"     // every event
	StopOp        Stop = "op"        // an operation has run, and its result has its name
	StopLine      Stop = "line"      // something has happened on another line
	StopNode      Stop = "node"      // a node of a backward pass is about to run
	StopNodeDone  Stop = "node-done" // a node has run, and what it saved is freed
	StopBackward  Stop = "backward"  // a backward pass has begun or is over
	StopIteration Stop = "iteration" // an iteration of the program's main loop has begun
	StopInPlace   Stop = "inplace"   // a tensor was changed in place
	StopError     Stop = "error"     // an error was raised
)

// A stopRule says behind which events there is a stop.
type stopRule struct {
	graph.StopRule
	// is decides instead, if it is not nil.
	is func(s *Steps, p graph.Pos) bool
}

var stopRules = map[Stop]stopRule{
	StopEvent:     {is: func(*Steps, graph.Pos) bool { return true }},
	StopOp:        {StopRule: graph.OpStops},
	StopLine:      {StopRule: graph.LineStops},
	StopNode:      {StopRule: graph.NodeStops},
	StopNodeDone:  stopsBehind([]graph.Kind{graph.KindNodeExecuted}, graph.KindSavedFreed),
	StopBackward:  stopsBehind(graph.BackwardStops.Bounds()),
	StopIteration: {is: (*Steps).iterationBegins},
	StopInPlace:   stopsBehind([]graph.Kind{graph.KindMutated}),
	StopError:     stopsBehind([]graph.Kind{graph.KindRaised, graph.KindBackwardFailed, graph.KindProgramFailed}),
}

func stopsBehind(kinds []graph.Kind, tail ...graph.Kind) stopRule {
	return stopRule{StopRule: graph.StopRule{Kinds: kinds, Tail: tail}}
}

// Steps finds the stops on a tape. It serves one goroutine.
type Steps struct {
	tape *graph.Tape
	dec  *graph.Decoder

	starts []graph.Pos // of the iterations of the first events
	events graph.Pos   // how many these were
	ahead  int         // events that this step has looked at beyond those that it passed
}

// maxStepAhead bounds how many events a step looks ahead at, in all: a tape may hold
// thousands of backward passes that never end.
const maxStepAhead = 1 << 20

// NewSteps returns the stops of a tape, which may grow.
func NewSteps(tape *graph.Tape) *Steps {
	return &Steps{tape: tape, dec: tape.NewDecoder()}
}

// Next returns the first stop behind a position; ok is false if there is none (yet), or no
// such kind of stop. A position among the events that belong to a stop counts as that
// stop.
func (s *Steps) Next(from graph.Pos, kind Stop) (p graph.Pos, ok bool) {
	rule, ok := stopRules[kind]
	if !ok {
		return from, false
	}
	s.ahead = 0
	for p, end := max(from, 0), s.tape.Len(); p < end; p++ {
		if s.meets(rule, p) {
			return s.Behind(p+1, kind), true
		}
	}
	return from, false
}

// Prev returns the last stop before a position, or the beginning of the tape; ok is false
// there, and for an unknown kind of stop. It undoes Next.
func (s *Steps) Prev(from graph.Pos, kind Stop) (p graph.Pos, ok bool) {
	rule, ok := stopRules[kind]
	if from = min(from, s.tape.Len()); !ok || from <= 0 {
		return max(from, 0), false
	}
	s.ahead = 0
	for from > 1 && s.among(rule.Tail, from-1) {
		from--
	}
	for p := from - 2; p >= 0; p-- {
		if s.meets(rule, p) {
			return s.Behind(p+1, kind), true
		}
	}
	return 0, true
}

// Behind returns the first position from p on that is not among the events that belong to a
// stop before them.
func (s *Steps) Behind(p graph.Pos, kind Stop) graph.Pos {
	for tail := stopRules[kind].Tail; s.among(tail, p); p++ {
	}
	return p
}

func (s *Steps) meets(rule stopRule, p graph.Pos) bool {
	var at graph.StopFacts
	switch {
	case rule.is != nil:
		return rule.is(s, p)
	case rule.Line:
		at.From, at.Here = s.lines(p)
	case rule.Node:
		at.NodeRuns = s.nodeRuns(p)
	default:
		at.Kind, _ = s.dec.Kind(p)
	}
	return rule.Ends(at)
}

// among reports whether the event at a position is of one of some kinds.
func (s *Steps) among(kinds []graph.Kind, p graph.Pos) bool {
	if len(kinds) == 0 {
		return false
	}
	k, err := s.dec.Kind(p)
	return err == nil && slices.Contains(kinds, k)
}

// nodeRuns reports whether the event at p is the last one before a node of its backward
// pass runs. Nothing on a tape says that a node begins to run: it does so when the
// gradients of the node before it are delivered, and what follows is its own until it
// was executed or failed. At the end of the tape it may be about to.
func (s *Steps) nodeRuns(p graph.Pos) bool {
	k, pass := s.delivers(p)
	if pass == 0 || k == graph.KindBackwardEnded || k == graph.KindBackwardFailed {
		return false
	}
	end := s.tape.Len()
	for p++; p < end && s.ahead < maxStepAhead; p++ {
		s.ahead++
		if k, of := s.delivers(p); of == pass {
			return k == graph.KindNodeExecuted || k == graph.KindBackwardFailed
		}
	}
	return true
}

// delivers returns the kind of an event by which a node leaves its gradients to others, these
// get ready, or the pass ends, and the pass; zero for another event.
func (s *Steps) delivers(p graph.Pos) (graph.Kind, graph.BackwardID) {
	if !s.among(delivering, p) {
		return 0, 0
	}
	_, e, _ := s.dec.ReadUntimed(p)
	return e.Kind(), passOf(e)
}

var delivering = []graph.Kind{
	graph.KindGradArrived, graph.KindNodeReady, graph.KindNodeExecuted, graph.KindSavedFreed,
	graph.KindBackwardEnded, graph.KindBackwardFailed,
}

// lines returns the innermost frames of the newest event before p whose call stack is known,
// and of the event at p. Both are zero if the latter is not known.
func (s *Steps) lines(p graph.Pos) (from, here graph.Frame) {
	h, err := s.dec.Header(p)
	if err != nil || h.Stack == 0 {
		return from, here
	}
	here = s.tape.Stack(h.Stack).Top()
	for q := p - 1; q >= 0; q-- {
		if before, err := s.dec.Header(q); err == nil && before.Stack != 0 {
			return s.tape.Stack(before.Stack).Top(), here
		}
	}
	return from, here
}

// iterationBegins reports whether an event is the first of an iteration. Which are the
// iterations can change when the tape grows.
func (s *Steps) iterationBegins(p graph.Pos) bool {
	if n := s.tape.Len(); n != s.events {
		s.starts, s.events = nil, n
		for _, i := range usage.Iterations(s.tape, n) {
			s.starts = append(s.starts, i.From)
		}
	}
	i := sort.Search(len(s.starts), func(i int) bool { return s.starts[i] >= p })
	return i < len(s.starts) && s.starts[i] == p
}
