package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/graph"
)

// nextByScan is the node whose run is the next that ends in the innermost pass that runs,
// found without the graph.
func nextByScan(events []graph.Event, at graph.Pos) graph.NodeID {
	var running []graph.BackwardID
	for _, e := range events[:at] {
		switch e := e.(type) {
		case *graph.BackwardBegan:
			running = append(running, e.Backward)
		case *graph.BackwardEnded:
			running = slices.DeleteFunc(running, func(id graph.BackwardID) bool { return id == e.Backward })
		case *graph.BackwardFailed:
			running = slices.DeleteFunc(running, func(id graph.BackwardID) bool { return id == e.Backward })
		}
	}
	if len(running) == 0 {
		return 0
	}
	pass := running[len(running)-1]
	for _, e := range events[at:] {
		switch e := e.(type) {
		case *graph.NodeExecuted:
			if e.Backward == pass {
				return e.Node
			}
		case *graph.BackwardFailed:
			if e.Backward == pass {
				return e.Node
			}
		}
	}
	return 0
}

func eventsOf(t testing.TB, tape *graph.Tape) (events []graph.Event) {
	t.Helper()
	for p := range tape.Len() {
		_, e, err := tape.At(p)
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

func TestTheNodeThatIsAboutToRunIsTheOneThatRunsNext(t *testing.T) {
	for name, tape := range smallTapes(t) {
		d, events := open(t, tape, 80, 24), eventsOf(t, tape)
		for at := range tape.Len() + 1 {
			d.goTo(at, look)
			if got, want := d.aboutToRun(), nextByScan(events, at); got != want {
				t.Errorf("%s, event %d: n%d is about to run, want n%d", name, at, got, want)
			}
		}
	}
}

// n comes to each node before it runs, in the order in which they run, and chooses it.
func TestTheNodesThatRunAreVisitedInOrder(t *testing.T) {
	tapes := smallTapes(t)
	for _, name := range []string{"lesson", "local-rule"} {
		tapes[name] = recorded(t, name)
	}
	for name, tape := range tapes {
		var want, got []graph.NodeID
		for _, e := range eventsOf(t, tape) {
			switch e := e.(type) {
			case *graph.NodeExecuted:
				want = append(want, e.Node)
			case *graph.BackwardFailed:
				if e.Node != 0 {
					want = append(want, e.Node)
				}
			}
		}
		d := open(t, tape, 80, 24)
		d.Press("1", "<")
		for before := graph.Pos(-1); d.at() != before; {
			before = d.at()
			if d.Press("n"); d.at() == before || d.aboutToRun() == 0 {
				continue
			}
			got = append(got, d.aboutToRun())
			if d.chosen.node != d.aboutToRun() {
				t.Errorf("%s, event %d: n%d is chosen, n%d is about to run", name, d.at(), d.chosen.node, d.aboutToRun())
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: visited %v, want %v", name, got, want)
		}
	}
}

// A step back undoes a step, and a step undoes a step back, from every stop. Before the first node there is none
// to go back to.
func TestStepsUndoEachOther(t *testing.T) {
	for name, tape := range smallTapes(t) {
		d := open(t, tape, 80, 24)
		for _, keys := range [][2]string{{"n", "N"}, {"s", "S"}, {"u", "U"}} {
			d.Press("<")
			stops := []graph.Pos{0}
			for d.Press(keys[0]); d.at() != stops[len(stops)-1]; d.Press(keys[0]) {
				stops = append(stops, d.at())
			}
			first := 0
			if keys[1] == "N" {
				first = 1
				d.goTo(stops[min(1, len(stops)-1)], look)
				if before := d.at(); before > 0 {
					if d.Press("N"); d.at() != before || !strings.Contains(d.notice.text, "no earlier") {
						t.Errorf("%s: N goes from the first node to %d: %q", name, d.at(), d.notice.text)
					}
				}
			}
			for i := len(stops) - 1; i > first; i-- {
				d.goTo(stops[i], look)
				if d.Press(keys[1]); d.at() != stops[i-1] && i < len(stops)-1 {
					t.Errorf("%s: %s from %d goes to %d, want %d", name, keys[1], stops[i], d.at(), stops[i-1])
				}
				before := d.at()
				d.Press(keys[0])
				if d.Press(keys[1]); d.at() != before {
					t.Errorf("%s: %s and %s from %d go to %d", name, keys[0], keys[1], before, d.at())
				}
			}
		}
	}
}

// looksLike describes the screen, without what depends on the way there.
func looksLike(d *driver) string {
	var b strings.Builder
	if err := d.graph().Dump(&b); err != nil {
		d.t.Fatal(err)
	}
	fmt.Fprintln(&b, d.chosen, d.place, d.scope.roots, d.scope.pass)
	d.draw()
	for _, f := range d.panes.all[inspectorPane].(*inspectorView).rows {
		fmt.Fprintln(&b, f.text())
	}
	if v := d.panes.graph; !v.empty() {
		for i := range v.view.Rows() {
			row := v.view.Row(i)
			mark, text := v.rowText(&d.state, &row)
			_, known := v.view.RowOf(d.chosen.node)
			fmt.Fprintln(&b, known && i == v.chosen, mark.mark, text.text())
		}
	}
	return b.String()
}

func TestWhatIsShownDoesNotDependOnTheWay(t *testing.T) {
	tapes := smallTapes(t)
	rapid.Check(t, func(r *rapid.T) {
		tape := tapes[rapid.SampledFrom(slices.Sorted(keys(tapes))).Draw(r, "tape")]
		d, fresh := open(t, tape, 80, 24), open(t, tape, 80, 24)
		at := graph.Pos(0)
		for range rapid.IntRange(1, 8).Draw(r, "moves") {
			at = graph.Pos(rapid.IntRange(0, int(tape.Len())).Draw(r, "to"))
			d.chosen = selection{}
			d.goTo(at, look)
		}
		fresh.chosen = selection{}
		fresh.goTo(at, look)
		if got, want := looksLike(d), looksLike(fresh); got != want {
			r.Fatalf("at %d:\n%s\nfrom elsewhere:\n%s", at, want, got)
		}
	})
}

func keys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// Whatever is pressed, the chosen row is the row of the selected node, in each view.
func TestTheChosenRowIsTheChosenNode(t *testing.T) {
	tapes := smallTapes(t)
	tapes["lesson"] = recorded(t, "lesson")
	rapid.Check(t, func(r *rapid.T) {
		name := rapid.SampledFrom(slices.Sorted(keys(tapes))).Draw(r, "tape")
		d := open(t, tapes[name], 80, 24)
		d.Press("1")
		for range rapid.IntRange(1, 30).Draw(r, "keys") {
			d.Press(rapid.SampledFrom([]string{
				"n", "N", "s", "S", "u", "U", "B", "v", "t", "r", "space", "+", "-", "<", ">",
				"up", "down", "left", "right", "pgup", "pgdown", "home", "end", "enter", "1", "3", "z",
			}).Draw(r, "key"))
			if n := strings.Count(d.Screen(), "\n"); n != 24 {
				r.Fatalf("%d rows", n)
			}
			v := d.panes.graph
			if v.empty() || d.chosen.node == 0 {
				continue
			}
			if row, ok := v.view.RowOf(d.chosen.node); ok && row != v.chosen {
				r.Fatalf("row %d is chosen, n%d is in %d", v.chosen, d.chosen.node, row)
			}
			if tree := v.tree; v.renderings[v.shown] == rendering(tree) && d.layout.panes[graphPane].H > 1 && tree.row() != v.chosen {
				r.Fatalf("in the tree row %d is chosen, not %d", tree.row(), v.chosen)
			}
		}
	})
}
