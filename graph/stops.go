package graph

import "slices"

// A StopRule says at which events a step ends. A program that is stepped live (package
// control) and a recording (package inspect/lookup) go by the same rules.
type StopRule struct {
	Kinds []Kind // a step ends behind one of these
	Tail  []Kind // these belong to the event before them
	// Enter and Leave begin and end a span, such as a backward pass. A step inside ends
	// behind the innermost Leave, a step outside behind the next Enter.
	Enter Kind
	Leave []Kind
}

// The rules of the steps that follow from kinds of events alone.
var (
	OpStops       = StopRule{Kinds: []Kind{KindOpRan}, Tail: []Kind{KindNameBound, KindLineageCut}}
	BackwardStops = StopRule{Enter: KindBackwardBegan, Leave: []Kind{KindBackwardEnded, KindBackwardFailed}}
	ModuleStops   = StopRule{Enter: KindModuleEntered, Leave: []Kind{KindModuleLeft}}
)

// Bounds are the kinds of events that begin and end a span.
func (r StopRule) Bounds() []Kind { return append([]Kind{r.Enter}, r.Leave...) }

// Ends reports whether a step ends behind an event of a kind. before and after are how many
// spans the program is in when the step begins and behind the event.
func (r StopRule) Ends(k Kind, before, after int) bool {
	switch {
	case r.Enter == 0:
		return slices.Contains(r.Kinds, k)
	case before == 0:
		return k == r.Enter
	}
	return after < before && slices.Contains(r.Leave, k)
}
