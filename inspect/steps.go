package inspect

import "github.com/gradtui/gradtui/graph"

// A StopKind is a kind of place on a tape at which a step ends.
type StopKind int

// The kinds of stops.
const (
	StopOp       StopKind = iota // an operation has run
	StopLine                     // the program comes to another line
	StopNode                     // a node of a backward pass is about to run
	StopBackward                 // a backward pass begins or ends
)

// NextStop is the first stop of a kind after a position.
func NextStop(t *graph.Tape, d *graph.Decoder, from graph.Pos, kind StopKind) (graph.Pos, bool) {
	for p := from + 1; p < t.Len(); p++ {
		if stopsAt(d, p, kind) {
			return p, true
		}
	}
	return 0, false
}

// PrevStop is the last stop of a kind before a position.
func PrevStop(t *graph.Tape, d *graph.Decoder, from graph.Pos, kind StopKind) (graph.Pos, bool) {
	for p := from - 1; p >= 0; p-- {
		if stopsAt(d, p, kind) {
			return p, true
		}
	}
	return 0, false
}

func stopsAt(d *graph.Decoder, p graph.Pos, kind StopKind) bool {
	k, err := d.Kind(p)
	switch kind {
	case StopNode:
		return err == nil && k == graph.KindNodeExecuted
	case StopOp:
		k, err = d.Kind(p - 1)
		return err == nil && k == graph.KindOpRan
	}
	return false
}
