package graph

import "slices"

// A StopRule says where a step ends. A program that is stepped live (package control) and a
// recording (package inspect/lookup) go by the same rules.
type StopRule struct {
	Kinds []Kind // a step ends behind one of these
	Tail  []Kind // these belong to the event before them
	// Enter and Leave begin and end a span, such as a backward pass. A step inside ends
	// behind the innermost Leave, a step outside behind the next Enter.
	Enter Kind
	Leave []Kind
	Any   bool // a step ends behind each event that is not [Kind.Beside] the run
	Line  bool // a step ends behind the first event on another line
	Node  bool // a step ends where a node of a backward pass is about to run
}

// The rules of the steps that live programs and recordings have.
var (
	EventStops    = StopRule{Any: true}
	OpStops       = StopRule{Kinds: []Kind{KindOpRan}, Tail: []Kind{KindNameBound, KindLineageCut}}
	LineStops     = StopRule{Line: true}
	NodeStops     = StopRule{Node: true}
	BackwardStops = StopRule{Enter: KindBackwardBegan, Leave: []Kind{KindBackwardEnded, KindBackwardFailed}}
	ModuleStops   = StopRule{Enter: KindModuleEntered, Leave: []Kind{KindModuleLeft}}
)

// Bounds are the kinds of events that begin and end a span.
func (r StopRule) Bounds() []Kind { return append([]Kind{r.Enter}, r.Leave...) }

// StopFacts are what rules ask about the place behind an event. Each rule asks for some of
// them only; a fact that is not given is not the case.
type StopFacts struct {
	Kind Kind // of the event
	// Before and After are how many spans the program is in when the step begins and
	// behind the event.
	Before, After int
	// From and Here are the innermost frames of the last event before this one whose call
	// stack is known, and of this one. Unknown ones are zero.
	From, Here Frame
	NodeRuns   bool // a node of a backward pass is about to run
}

// Ends reports whether a step ends at a place.
func (r StopRule) Ends(at StopFacts) bool {
	switch {
	case r.Any:
		return at.Kind != 0 && !at.Kind.Beside()
	case r.Line:
		return at.Here != Frame{} && (at.Here.File != at.From.File || at.Here.Line != at.From.Line)
	case r.Node:
		return at.NodeRuns
	case r.Enter == 0:
		return slices.Contains(r.Kinds, at.Kind)
	case at.Before == 0:
		return at.Kind == r.Enter
	}
	return at.After < at.Before && slices.Contains(r.Leave, at.Kind)
}
