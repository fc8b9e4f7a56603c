package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"
)

// Wheel turns the wheel over a pane, down or, with notches below 0, up.
func (d *driver) Wheel(id paneID, notches int) {
	r := d.layout.panes[id]
	button := tea.MouseWheelDown
	if notches < 0 {
		button, notches = tea.MouseWheelUp, -notches
	}
	for range notches {
		d.Send(tea.MouseWheelMsg{X: r.X + 1, Y: r.Y + 1, Button: button})
	}
}

// Drag presses the button at a cell, moves it to another one and releases it.
func (d *driver) Drag(x, y, toX, toY int) {
	d.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	d.Send(tea.MouseMotionMsg{X: (x + toX) / 2, Y: (y + toY) / 2, Button: tea.MouseLeft}, tea.MouseMotionMsg{X: toX, Y: toY, Button: tea.MouseLeft})
	d.Send(tea.MouseReleaseMsg{X: toX, Y: toY, Button: tea.MouseLeft})
}

// heights are the heights of the panes on the screen.
func (d *driver) heights() (h [paneCount]int) {
	for id, r := range d.layout.panes {
		h[id] = r.H
	}
	return h
}

func TestTheWheelScrollsThePaneUnderItAndNothingElse(t *testing.T) {
	d := open(t, recorded(t, "nbody"), 80, 24)
	d.Press("1", "+")
	d.Press("g")
	at, chosen, row, focus := d.at(), d.Model.chosen, d.panes.graph.chosen, d.focus
	before := d.Pane(graphPane)
	d.Wheel(graphPane, 4)
	if d.at() != at || d.Model.chosen != chosen || d.panes.graph.chosen != row || d.focus != focus {
		t.Errorf("event %d, %v, row %d; want %d, %v, %d", d.at(), d.Model.chosen, d.panes.graph.chosen, at, chosen, row)
	}
	if d.panes.graph.top != 12 || d.Pane(graphPane) == before {
		t.Errorf("the first row is %d\n%s", d.panes.graph.top, d.Pane(graphPane))
	}
	d.Wheel(graphPane, -2)
	if d.panes.graph.top != 6 {
		t.Errorf("the first row is %d", d.panes.graph.top)
	}
	d.Press("down") // the choice is shown again
	d.Screen()
	if d.panes.graph.chosen != row+1 || d.panes.graph.top > row+1 {
		t.Errorf("row %d, from %d", d.panes.graph.chosen, d.panes.graph.top)
	}
	line := d.panes.source.chosen
	for id := range paneCount {
		d.Wheel(id, 3)
		d.Wheel(id, -5)
		checkFrame(t, d.Model)
	}
	if d.panes.source.chosen != line || d.focus != graphPane || d.at() != at {
		t.Errorf("line %d, want %d", d.panes.source.chosen, line)
	}
}

// The window of the timeline moves, and not the cursor, until a key moves that.
func TestTheWheelMovesTheWindowOfTheTimeline(t *testing.T) {
	d := open(t, recorded(t, "nbody"), 120, 40)
	d.Press("4", "+", "+", "+")
	from, _ := d.window.stretch(d.tape.Len())
	at := d.at()
	d.Wheel(timelinePane, -6)
	if now, _ := d.window.stretch(d.tape.Len()); now >= from || d.at() != at {
		t.Errorf("from event %d, was %d; event %d, was %d", now, from, d.at(), at)
	}
	d.Screen()
	d.Press("left")
	if lo, hi := d.window.stretch(d.tape.Len()); d.at() >= at || d.at() < lo || d.at() > hi {
		t.Errorf("event %d is not in %d to %d; it was %d", d.at(), lo, hi, at)
	}
}

func TestTheWheelScrollsTheHelp(t *testing.T) {
	d := open(t, recorded(t, "inplace"), 80, 24)
	d.Press("?")
	first := d.Screen()
	d.Send(tea.MouseWheelMsg{X: 5, Y: 5, Button: tea.MouseWheelDown})
	if d.Screen() == first {
		t.Error(first)
	}
	d.Send(tea.MouseWheelMsg{X: 5, Y: 5, Button: tea.MouseWheelUp})
	if d.Screen() != first || d.overlay == nil {
		t.Error(d.Screen())
	}
}

func TestBordersAreDragged(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {60, 50}, {60, 70}, {120, 40}, {200, 60}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			d := open(t, recorded(t, "lesson"), size[0], size[1])
			d.Press("1")
			for id, r := range d.layout.panes {
				border, ok := d.layout.borderAt(r.X+2, r.Y)
				if !ok || r.H == 0 {
					continue
				}
				before := d.heights()
				d.Drag(r.X+2, r.Y, r.X+2, r.Y-1)
				after := d.heights()
				if after[id] != before[id]+1 || paneID(id) != timelinePane && after[border.above] != before[border.above]-1 {
					t.Errorf("the border above %s: %v, then %v", paneID(id).name(), before, after)
				}
				if d.focus != graphPane {
					t.Errorf("a drag has chosen %s", d.focus.name())
				}
			}
			for i, x := range d.layout.rules {
				d.Drag(x, 5, x+7, 5)
				if d.layout.rules[i] != x+7 {
					t.Errorf("rule %d is at %d, want %d", i, d.layout.rules[i], x+7)
				}
			}
			checkFrame(t, d.Model)
			d.command("size")
			usual := open(t, recorded(t, "lesson"), size[0], size[1])
			usual.Press("1")
			if d.layout.panes != usual.layout.panes {
				t.Errorf("%v, want %v", d.layout.panes, usual.layout.panes)
			}
		})
	}
}

func TestATitleThatIsClickedFocusesItsPane(t *testing.T) {
	d := open(t, recorded(t, "lesson"), 120, 40)
	d.Press("1")
	r := d.layout.panes[timelinePane]
	d.Drag(r.X+3, r.Y, r.X+3, r.Y)
	if d.focus != timelinePane || d.sizes != (sizes{}) {
		t.Errorf("%s, %v", d.focus.name(), d.sizes)
	}
}

// Whatever is dragged where, at any size: the screen stays whole.
func TestNoDragBreaksTheScreen(t *testing.T) {
	tape := recorded(t, "inplace")
	rapid.Check(t, func(r *rapid.T) {
		d := open(t, tape, rapid.SampledFrom([]int{20, 40, 41, 99, 100, 169, 170, 200}).Draw(r, "columns"), rapid.SampledFrom([]int{5, 10, 11, 24, 40, 56, 60}).Draw(r, "rows"))
		for range rapid.IntRange(1, 8).Draw(r, "drags") {
			if rapid.Bool().Draw(r, "a key") {
				d.Press(rapid.SampledFrom([]string{"1", "2", "3", "4", "5", "6", "z"}).Draw(r, "pane"))
			}
			x, y := rapid.IntRange(0, d.columns), rapid.IntRange(0, d.rows)
			d.Drag(x.Draw(r, "x"), y.Draw(r, "y"), x.Draw(r, "to x"), y.Draw(r, "to y"))
			if rapid.IntRange(0, 3).Draw(r, "resize") == 0 {
				d.Send(tea.WindowSizeMsg{Width: rapid.IntRange(10, 200).Draw(r, "width"), Height: rapid.IntRange(4, 70).Draw(r, "height")})
			}
			if d.fits() && d.layout.panes[d.focus].H == 0 {
				r.Fatalf("the focused pane is not shown: %v", d.sizes)
			}
			checkFrame(t, d.Model)
		}
	})
}

func TestSizesAreTypedAndKept(t *testing.T) {
	file := sessionFile(t)
	o := optionsFor(recorded(t, "lesson"))
	o.SessionFile = file
	d := openWith(t, o, 120, 40)
	for _, line := range []string{"size graph 70%", "size inspector 30", "size graph width 40%", "size timeline 20%"} {
		d.command(line)
	}
	_, column := d.layout.column(graphPane)
	if got, want := d.layout.panes[graphPane].H, partOf(700, column); got != want {
		t.Errorf("graph: %d rows of %d, want %d", got, column, want)
	}
	if d.layout.rules[0] != 48 || d.layout.panes[timelinePane].H != partOf(200, 38) {
		t.Errorf("rule at %d, timeline %d", d.layout.rules[0], d.layout.panes[timelinePane].H)
	}
	if err := d.Keep(); err != nil {
		t.Fatal(err)
	}
	o.Earlier, _ = file.Load()
	again := openWith(t, o, 120, 40)
	if again.layout.panes != d.layout.panes {
		t.Errorf("%v, want %v", again.layout.panes, d.layout.panes)
	}
	for line, says := range map[string]string{"size graph": "is not a size", "size graph 0": "is not a size", "size graph 60% 2": "is not a size", "size grap": "is not a size", "size x 3": "unknown pane"} {
		if d.command(line); !strings.Contains(d.notice.text, says) {
			t.Errorf("%s: %q", line, d.notice.text)
		}
	}
	d.Send(tea.WindowSizeMsg{Width: 200, Height: 60}) // the graph has its column for itself
	d.command("size graph 50%")
	if d.layout.rules[0] != 100 {
		t.Errorf("rule at %d", d.layout.rules[0])
	}
}

func TestASecondClickOpens(t *testing.T) {
	d := open(t, recorded(t, "inplace"), 120, 40)
	now := time.Unix(1e9, 0)
	d.now = func() time.Time { return now }
	d.Screen()
	row := slices.Index(d.panes.source.rows, d.place.Line-3) // a line that computes something
	at := d.at()
	d.Click(sourcePane, 12, row)
	now = now.Add(time.Second)
	d.Click(sourcePane, 12, row)
	if d.at() != at {
		t.Errorf("two slow clicks went to event %d", d.at())
	}
	now = now.Add(doubleClick / 2)
	d.Click(sourcePane, 12, row)
	if d.at() == at || d.panes.source.chosen != d.place.Line-1 {
		t.Errorf("a double click did nothing\n%s", d.Screen())
	}
	if len(d.queries) > 0 {
		t.Error("a breakpoint was set")
	}
	d.Press("1", "g")
	row = d.panes.graph.chosen - d.panes.graph.top
	now = now.Add(time.Second)
	d.Click(graphPane, 12, row+1)
	d.Click(graphPane, 12, row+1)
	if d.focus != inspectorPane {
		t.Errorf("%s\n%s", d.focus.name(), d.Screen())
	}
}
