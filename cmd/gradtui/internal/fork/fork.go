// Package fork runs a program once more up to an event of its first run, changes it there and lets
// it go on. Begin with [Fork.Session], start the program with it, and call [Fork.Steer]. Or it runs
// the program with edited lines from the start ([Apply]) and says where that differs ([Compare]).
package fork

import (
	"errors"
	"fmt"

	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/compare"
)

// A Fork says where a run is changed, and how.
type Fork struct {
	Base *graph.Tape // of the first run
	At   graph.Pos   // how many events of it come before the change
	Do   Change      // which runs in the innermost frame of the program
}

// ErrDiverged is the error of a second run that is not the same as the first one up to the change.
var ErrDiverged = errors.New("the second run is not the same as the first one")

// Session returns the session with which the program is to be started.
func (f *Fork) Session() *control.Session {
	return control.NewSession(control.Command{Resume: true, Step: control.StepEvent, Times: f.steps()})
}

// steps counts the events up to the change that are steps of the run.
func (f *Fork) steps() (n int) {
	d := f.Base.NewDecoder()
	for p := range f.At {
		if kind, err := d.Kind(p); err != nil || !kind.Beside() {
			n++
		}
	}
	return n
}

// Steer changes a program when it has come to the place, and lets it go on; tape is the one that it
// makes. printed is what the statements printed. An error means that it was not changed; the program stands
// then, or is over.
func (f *Fork) Steer(s *control.Session, tape *graph.Tape) (printed string, err error) {
	_, stopped := <-s.Stops()
	run := compare.NewRerun(f.Base, tape)
	switch same := run.Advance(f.At); {
	case !same:
		return "", fmt.Errorf("%w: %s", ErrDiverged, difference(f.Base, tape, run))
	case run.First() < f.At:
		return "", fmt.Errorf("%w: it ended after %d of %d events", ErrDiverged, run.First(), f.At)
	case !stopped:
		return "", errors.New("the program ended before it could be changed")
	}
	do, err := f.Do.Statements()
	if err != nil {
		return "", err
	}
	answer, err := s.Ask(control.Ask{Kind: control.AskRun, Text: do})
	switch {
	case err != nil:
		return "", fmt.Errorf("the program was not changed: %w", err)
	case answer.Raised != "":
		return "", fmt.Errorf("the change failed: %s", answer.Raised)
	}
	return answer.Output, s.Detach()
}

// difference describes the first events that are not the same.
func difference(base, tape *graph.Tape, run *compare.Rerun) string {
	return fmt.Sprintf("event %d was %s, and is %s now", run.First(), eventText(base, run.First()), eventText(tape, run.Second()))
}

// mostOfEvent bounds how much of an event a message shows, in bytes.
const mostOfEvent = 300

func eventText(tape *graph.Tape, p graph.Pos) string {
	if p >= tape.Len() {
		return "the end of the run"
	}
	head, e, err := tape.At(p)
	if err != nil {
		return "damaged"
	}
	text := string(tape.EventText(nil, e))
	if len(text) > mostOfEvent {
		text = text[:mostOfEvent] + "…"
	}
	if at := tape.Stack(head.Stack).Top(); at.Line > 0 {
		text += fmt.Sprintf(" (%s:%d)", at.File, at.Line)
	}
	return text
}
