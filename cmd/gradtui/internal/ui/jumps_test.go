package ui

import (
	"testing"

	"github.com/gradtui/gradtui/graph"
)

func TestJumpsAreUndoneAndDoneAgain(t *testing.T) {
	d := open(t, recorded(t, "inplace"), 120, 40)
	spots := []spot{d.spot()}
	for _, keys := range [][]string{{"m"}, {"m"}, {"<"}, {":", "g", "o", "t", "o", "space", "4", "0", "enter"}, {">"}, {":", "n", "o", "d", "e", "space", "3", "enter"}, {"O"}} {
		before := d.spot()
		if d.Press(keys...); d.spot() != before {
			spots = append(spots, d.spot())
		}
	}
	if len(spots) < 6 {
		t.Fatalf("only %d spots", len(spots))
	}
	at := func(key string, i int) {
		t.Helper()
		d.Press(key)
		if got, want := d.spot(), spots[i]; got.at != want.at || got.place != want.place {
			t.Errorf("%s goes to %v, want %v", key, got, want)
		}
	}
	for i := len(spots) - 2; i >= 0; i-- {
		at("ctrl+o", i)
	}
	d.Press("ctrl+o")
	if d.notice.text != "there is no earlier jump" {
		t.Errorf("before the first jump: %q", d.notice.text)
	}
	for i := range spots[1:] {
		at("ctrl+r", i+1)
	}
	d.Press("ctrl+r")
	if d.notice.text != "there is no later jump" {
		t.Errorf("behind the last jump: %q", d.notice.text)
	}
}

// Steps are undone by steps: they are no entries of the list, and a jump from where they led is.
func TestStepsAreNoJumps(t *testing.T) {
	d := open(t, recorded(t, "inplace"), 80, 24)
	d.Press("<")
	d.jumps = jumps{}
	d.Press("s", "s", "s", "down", "up")
	if len(d.jumps.back) > 0 {
		t.Errorf("%d steps are jumps", len(d.jumps.back))
	}
	at := d.at()
	d.Press(">", "ctrl+o")
	if d.at() != at {
		t.Errorf("back is %d, want %d", d.at(), graph.Pos(at))
	}
}
