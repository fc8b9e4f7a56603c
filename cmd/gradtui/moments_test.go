package main

import (
	"testing"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/tuitest"
)

// A moment is pinned, the cursor goes on, and the panes show what differs.
func TestTwoMomentsAreComparedInATerminal(t *testing.T) {
	s := tuitest.Start(t, tuitest.Terminal{Columns: 120, Rows: 40}, "gradtui", "open", tapeOf(t, "inplace"))
	s.Until("MulBackward0")
	s.Type(":goto 30\r")
	s.Until("event 30 of")
	s.Keys("P")
	s.Until("A event 30 ↔ B event 30")
	s.Until("nothing differs")
	s.Type(":goto end\r")
	s.Until("A: not reached")
	s.Type(":what differs\r")
	s.Until("What differs at A event 30")
	s.Keys("esc")
	s.Keys("a")
	s.Until("↔ B event 30")
	s.Until("nodes only at A")
	s.Keys("P")
	s.Until("event 30 of")
	s.Keys("q")
	s.Exit(0)
}

func TestTwoTapesAreComparedInATerminal(t *testing.T) {
	a, b := tapeOf(t, "inplace"), tapeOf(t, "nbody")
	d := tuitest.Start(t, tuitest.Terminal{Columns: 250, Rows: 40}, "gradtui", "diff", a, b)
	d.Until("gradtui: to see both: gradtui open " + b + " --beside " + a)
	d.Exit(1)
	s := tuitest.Start(t, tuitest.Terminal{Columns: 120, Rows: 40}, "gradtui", "open", a, "--beside", b)
	s.Until("A nbody.tape event")
	s.Keys("a")
	s.Until("A inplace.tape event")
	s.Keys("q")
	s.Exit(0)
}
