package ui

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/lookup"
	"github.com/gradtui/gradtui/internal/testing/tapetest"
)

// screens are the sizes that panes are drawn at.
var screens = [][2]int{{80, 24}, {120, 40}, {200, 50}}

// drawAll draws a pane of some examples at all sizes: as it is with the keys, and as it is
// without.
func drawAll(t *testing.T, id paneID, keys ...string) {
	for _, name := range []string{"lesson", "inplace", "nbody"} {
		d := open(t, recorded(t, name), 80, 24)
		var all strings.Builder
		for _, size := range screens {
			d.resize(size[0], size[1])
			d.Press("1")
			if d.layout.panes[id].H > 0 {
				fmt.Fprintf(&all, "%dx%d\n%s", size[0], size[1], d.Pane(id))
			}
			d.Press(string(rune('1' + id)))
			fmt.Fprintf(&all, "%dx%d with the keys\n%s", size[0], size[1], d.Pane(id))
		}
		d.Press(keys...)
		fmt.Fprintf(&all, "after %s\n%s", strings.Join(keys, " "), d.Pane(id))
		golden(t, id.name()+"-"+name, all.String())
	}
}

func TestTheTimelineShowsTheRunAtAGlance(t *testing.T) {
	drawAll(t, timelinePane, "up", "up", "left", "+", "+")
}

// Each position is in the part whose events the indices count there, and each column
// belongs to one part.
func TestAScaleDividesTheTapeAsTheIndicesDo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tape := tapetest.Recorded(rapid.Uint64().Draw(t, "seed"), 100)
		timeline := lookup.NewTimeline(tape)
		timeline.Extend(tape.Len())
		from := graph.Pos(rapid.IntRange(0, int(tape.Len())-1).Draw(t, "from"))
		to := graph.Pos(rapid.IntRange(int(from)+1, int(tape.Len())).Draw(t, "to"))
		s := scale{from, to, rapid.IntRange(1, 300).Draw(t, "columns")}
		buckets := timeline.Buckets(from, to, s.known(tape.Len()))
		if len(buckets) != s.parts() || s.column(0) != 0 || s.column(s.parts()) != s.columns {
			t.Fatalf("%d parts, %d buckets", s.parts(), len(buckets))
		}
		for p := from; p < to; p++ {
			b := buckets[s.part(p)]
			if from, to := s.events(s.part(p)); p < b.From || p >= b.To || from != b.From || to != b.To {
				t.Fatalf("event %d is in part %d, which has %d to %d", p, s.part(p), b.From, b.To)
			}
		}
		for c := range s.columns {
			if i := s.at(c); c < s.column(i) || c >= s.column(i+1) {
				t.Fatalf("column %d belongs to part %d, from %d to %d", c, i, s.column(i), s.column(i+1))
			}
		}
	})
}

// The cursor stands in the column that was gone to, and steps to the neighbours.
func TestArrowsAndClicksMoveTheCursorByColumns(t *testing.T) {
	d := open(t, recorded(t, "local-rule"), 120, 40)
	d.Press("4")
	v := d.panes.all[timelinePane].(*timelineView)
	d.draw()
	column := func() int { return v.scale.part(d.at() - 1) }
	d.Click(timelinePane, v.gutter+50, 0)
	if got := column(); got != 50 {
		t.Errorf("a click on column 50 went to column %d", got)
	}
	for _, step := range []struct {
		key  string
		want int
	}{{"left", 49}, {"left", 48}, {"right", 49}, {"right", 50}, {"home", 0}, {"left", 0}, {"right", 0}, {"right", 1}, {"end", v.scale.parts() - 1}} {
		if d.Press(step.key); column() != step.want {
			t.Errorf("%s went to column %d at event %d, want %d", step.key, column(), d.at(), step.want)
		}
	}
}

// Up and down go through the events that a scan of the tape finds, in both directions.
func TestUpAndDownGoThroughTheLandmarks(t *testing.T) {
	for _, name := range []string{"second-backward", "lesson"} {
		tape := recorded(t, name)
		d := open(t, tape, 120, 40)
		want := map[graph.Pos]bool{0: true, tape.Len(): true}
		for p := range tape.Len() {
			switch _, e, _ := tape.At(p); e := e.(type) {
			case *graph.BackwardBegan, *graph.BackwardFailed, *graph.Raised, *graph.ProgramFailed:
				want[p+1] = true
			case *graph.OptimizerStepped:
				if !e.Done {
					want[p+1] = true
				}
			}
		}
		for _, p := range d.index.timeline.Iterations() {
			want[p+1] = true
		}
		for _, f := range d.findings.all() {
			want[f.At+1] = true
		}
		through := func(key string, from, to graph.Pos) map[graph.Pos]bool {
			been := map[graph.Pos]bool{from: true}
			for d.at() != to && len(been) <= len(want) {
				d.Press(key)
				been[d.at()] = true
			}
			return been
		}
		d.Press("4", "home")
		for _, way := range []struct {
			key      string
			from, to graph.Pos
		}{{"down", 0, tape.Len()}, {"up", tape.Len(), 0}} {
			got := through(way.key, way.from, way.to)
			for p := range want {
				if !got[p] {
					t.Errorf("%s: %s does not come to event %d", name, way.key, p-1)
				}
			}
			if len(got) > len(want) {
				t.Errorf("%s: %s comes to %d events, want %d", name, way.key, len(got), len(want))
			}
		}
	}
}

func TestZoomingKeepsTheCursorInSight(t *testing.T) {
	d := open(t, recorded(t, "local-rule"), 80, 24)
	d.Press("4")
	inside := func(after string) {
		t.Helper()
		from, to := d.window.stretch(d.tape.Len())
		if d.at() < from || d.at() > to || from > 0 && d.at() == from {
			t.Fatalf("after %s the cursor is at %d, the window from %d to %d", after, d.at(), from, to)
		}
	}
	for _, keys := range [][]string{{"up", "up", "up"}, {"+"}, {"+", "+", "+", "+"}, {"left"}, {"home"}, {"end"}, {"-", "-"}, {"up", "up", "up", "up", "up"}} {
		d.Press(keys...)
		inside(strings.Join(keys, " "))
	}
	for range 30 {
		d.Press("+")
	}
	inside("zooming in")
	if from, to := d.window.stretch(d.tape.Len()); to-from != leastSpan {
		t.Errorf("zoomed in as far as it goes there are %d events", to-from)
	}
	for range 30 {
		d.Press("-")
	}
	if d.window != (window{}) {
		t.Errorf("zoomed out as far as it goes there is still a window: %v", d.window)
	}
}

// A tape of which nothing is known yet is drawn as such, and no size is too small.
func TestWhatIsNotReadYetIsShownSo(t *testing.T) {
	m := New(Options{Tape: recorded(t, "lesson")})
	for _, id := range []paneID{timelinePane, memoryPane} {
		for _, size := range [][2]int{{0, 0}, {1, 1}, {5, 2}, {30, 5}, {30, 12}, {130, 30}} {
			c := cells.New(size[0], size[1])
			m.panes.all[id].draw(&m.state, c.All(), false)
			if size[0] >= 30 && id == timelinePane && !strings.Contains(c.Text(), unread) {
				t.Errorf("%s at %v does not say what is not read:\n%s", id.name(), size, c.Text())
			}
		}
	}
}
