package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/inspect/usage"
)

func TestTheMemoryPaneShowsWhatIsHeldAndByWhom(t *testing.T) {
	drawAll(t, memoryPane, "left", "left", "z")
}

// The list belongs to the cursor's position, whatever the way there, and enter
// shows a line in the source.
func TestTheLinesOfTheMemoryPaneAreThoseAtTheCursor(t *testing.T) {
	d := open(t, recorded(t, "local-rule"), 120, 40)
	v := d.panes.memory
	d.Press("7")
	for _, keys := range [][]string{{"<"}, {"n", "n"}, {"right", "right"}, {">"}, {"N", "S"}} {
		d.Press(keys...)
		at := d.at() // the tape is short
		want, err := usage.NewLineUses(d.tape).At(context.Background(), at)
		if err != nil {
			t.Fatal(err)
		}
		if v.shown.at != at || !cmp.Equal(v.shown.lines, want) {
			t.Errorf("after %v: the lines at %d, of event %d:\n%s", keys, at, v.shown.at, cmp.Diff(want, v.shown.lines))
		}
	}
	d.Press("home", "down", "enter")
	if want := v.shown.lines[1].Frame; d.place != want {
		t.Errorf("enter shows %v, want %v", d.place, want)
	}
	d.draw()
	d.Click(memoryPane, v.rows.X+12, v.rows.Y+1)
	if want := v.shown.lines[0].Frame; d.place != want {
		t.Errorf("a click shows %v, want %v", d.place, want)
	}
}

// The peak is the peak at every resolution, and the sentence about the cursor says the
// series' numbers.
func TestThePeakIsMarkedAtAnyWidth(t *testing.T) {
	d := open(t, recorded(t, "local-rule"), 120, 40)
	peak, at := d.index.memory.Peak()
	for columns := 60; columns <= 200; columns += 20 {
		d.resize(columns, 40)
		d.Press("7")
		if text := d.Pane(memoryPane); !strings.Contains(text, size(peak.Bytes)) {
			t.Errorf("at %d columns the peak of %s is not to be seen:\n%s", columns, size(peak.Bytes), text)
		}
	}
	d.Press("<")
	v := d.panes.memory
	if got, want := v.about(&d.state), fmt.Sprintf("0 B held, 0 B by saved tensors, peak %s at event %d", size(peak.Bytes), at); got != want {
		t.Errorf("at the beginning: %q, want %q", got, want)
	}
}
