package capture

import "github.com/gradtui/gradtui/graph"

// RecordDamage says on the tape that its end is missing, if err says what was wrong with
// what the program sent.
func RecordDamage(tape *graph.Tape, err error) {
	if err != nil {
		tape.Append(graph.Header{}, &graph.RecordingStopped{Reason: err.Error()})
	}
}
