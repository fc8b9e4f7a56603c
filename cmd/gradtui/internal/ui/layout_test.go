package ui

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
)

// someSizes draws sizes that a user or a session may have set, or the usual ones.
func someSizes(t *rapid.T) (s sizes) {
	if rapid.Bool().Draw(t, "usual sizes") {
		return s
	}
	size := rapid.SampledFrom([]int{0, 0, 1, 150, 500, 700, whole - 1})
	for id := range s.heights {
		s.heights[id] = size.Draw(t, "height")
	}
	s.two[0], s.three = size.Draw(t, "two"), [2]int{size.Draw(t, "first of three"), size.Draw(t, "second of three")}
	return s
}

// Whatever the size, the focus and what panes want: each cell belongs to one thing, and the focused pane is seen.
func TestTheScreenIsDividedWithoutGaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns, rows := rapid.IntRange(MinColumns, 240).Draw(t, "columns"), rapid.IntRange(MinRows, 90).Draw(t, "rows")
		focus := paneID(rapid.IntRange(0, int(paneCount)-1).Draw(t, "focus"))
		last := rapid.SampledFrom([]paneID{findingsPane, outputPane, memoryPane}).Draw(t, "last")
		if focus.inCorner() {
			last = focus
		}
		var w wants
		for id := range w {
			w[id] = rapid.SampledFrom([]int{0, leastRows, 13, 40, allRows}).Draw(t, "want")
		}
		l := newLayout(columns, rows, focus, last, rapid.Bool().Draw(t, "zoom"), rapid.Bool().Draw(t, "bare"), w, someSizes(t))
		if l.panes[focus].H == 0 {
			t.Fatal("the focused pane is not shown")
		}
		all := append(slices.Clone(l.panes[:]), l.title, l.status)
		for _, x := range l.rules {
			all = append(all, cells.Rect{X: x, Y: l.ruleRows.Y, W: 1, H: l.ruleRows.H})
		}
		for y := range rows {
			for x := range columns {
				n := 0
				for _, r := range all {
					if r.Contains(x, y) {
						n++
					}
				}
				if n != 1 {
					t.Fatalf("%d things are at column %d of row %d", n, x, y)
				}
			}
		}
	})
}

func TestPanesWithLittleToShowGiveTheirRows(t *testing.T) {
	wanting := func(findings int) layout {
		var w wants
		w[findingsPane] = findings
		return newLayout(120, 40, graphPane, findingsPane, false, false, w, sizes{})
	}
	few, many := wanting(leastRows), wanting(allRows)
	if few.panes[findingsPane].H != leastRows || few.panes[inspectorPane].H <= many.panes[inspectorPane].H {
		t.Errorf("the findings take %d rows, the inspector %d and %d", few.panes[findingsPane].H, few.panes[inspectorPane].H, many.panes[inspectorPane].H)
	}
	tall := newLayout(60, 50, graphPane, findingsPane, false, false, wants{}, sizes{})
	for _, id := range []paneID{graphPane, sourcePane, findingsPane, timelinePane} {
		if tall.panes[id].H < 4 {
			t.Errorf("60 by 50: %s has %d rows", id.name(), tall.panes[id].H)
		}
	}
}
