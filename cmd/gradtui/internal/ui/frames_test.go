package ui

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/graph"
)

// A moment is a state of the debugger that says much: the keys that lead to it.
type moment struct {
	name string
	keys []string
}

// harness are frames of these tests, whose lines move.
var harness = regexp.MustCompile(`(?m)\b(recorded|driver_test|frames_test|programs_test|local)\.go:\d+ leads to \S+(?: \d+)?`)

func frames(t testing.TB, name, text string) {
	t.Helper()
	golden(t, strings.ReplaceAll(name, " ", "-"), harness.ReplaceAllString(text, "$1.go leads to it"))
}

// The whole screen, at all sizes.
func TestScreensAtTellingMoments(t *testing.T) {
	for _, film := range []struct {
		name    string
		tape    *graph.Tape
		moments []moment
	}{
		{"inplace", recorded(t, "inplace"), []moment{
			{"the failure", nil}, {"its cause", []string{"m"}},
			{"the beginning", []string{"1", "<"}}, {"two operations later", []string{"s", "s"}},
			{"about to run the root", []string{"n"}}, {"about to run a node", []string{"n", "n"}},
		}},
		{"second-backward", recorded(t, "second-backward"), []moment{
			{"the failure", nil}, {"the cause", []string{"m"}},
		}},
		{"retain_graph", ran(t, "retain_graph"), []moment{
			{"the end", nil}, {"in the second pass", []string{"N", "N"}}, {"in the first pass", []string{"N", "N", "N", "N"}},
		}},
		{"shared leaf", ran(t, "shared leaf"), []moment{
			{"a leaf that waits", []string{"<", "n", "n", "n", "end"}}, {"accumulated twice", []string{">", "end"}},
		}},
		{"create_graph", ran(t, "create_graph"), []moment{
			{"autograd.grad", []string{"<", "n", "n"}}, {"double backward", []string{">", "N", "N", "N"}},
		}},
	} {
		d := open(t, film.tape, 80, 24)
		var all [3]strings.Builder
		for _, m := range film.moments {
			d.Press(m.keys...)
			for i, size := range screens {
				d.resize(size[0], size[1])
				fmt.Fprintf(&all[i], "%s: %s\n%s\n", m.name, strings.Join(m.keys, " "), d.Screen())
			}
		}
		for i, size := range screens {
			frames(t, fmt.Sprintf("Screen-%s-%dx%d", film.name, size[0], size[1]), all[i].String())
		}
	}
}

// The graph in its three views.
func TestTheGraphInItsViews(t *testing.T) {
	for name, tape := range map[string]*graph.Tape{
		"inplace": recorded(t, "inplace"), "shared-leaf": ran(t, "shared leaf"), "create_graph": ran(t, "create_graph"),
	} {
		d := open(t, tape, 80, 24)
		var all strings.Builder
		for _, m := range []moment{
			{"the end", []string{">"}}, {"about to run", []string{"<", "n", "n"}}, {"a leaf is chosen", []string{"end"}},
		} {
			d.Press("1")
			d.Press(m.keys...)
			for _, key := range []string{"v", "v", "t", "v"} {
				for _, size := range [][2]int{{80, 24}, {120, 40}} {
					d.resize(size[0], size[1])
					fmt.Fprintf(&all, "%s, %dx%d\n%s", m.name, size[0], size[1], d.Pane(graphPane))
				}
				d.Press(key)
			}
		}
		frames(t, "Graph-"+name, all.String())
	}
}

// The inspector at telling moments, with all its rows.
func TestTheInspectorAtTellingMoments(t *testing.T) {
	for name, tape := range smallTapes(t) {
		d := open(t, tape, 120, 40)
		var all strings.Builder
		tell := func(what string) {
			fmt.Fprintf(&all, "%s, event %d\n", what, d.at())
			for _, f := range d.facts(facets{d.chosen, d.aboutToRun(), d.at(), true, d.scope.pass, 60, false, d.pinKey()}) {
				all.WriteString(f.text() + "\n")
			}
			all.WriteString("\n")
		}
		d.Press("<")
		for d.steps != nil {
			before := d.at()
			if d.Press("n"); d.at() == before {
				break
			}
			tell("n")
		}
		for id := range graph.NodeID(d.graph().NodeCount()) {
			if n, ok := d.graph().Node(id + 1); ok && n.Variable != 0 {
				d.chooseTensor(n.Variable)
				tell("tensor " + d.nameOf(d.chosen))
			}
		}
		frames(t, "Inspector-"+name, all.String())
	}
}

func TestThePanesOfTheSourceTheFindingsAndTheOutput(t *testing.T) {
	d := open(t, recorded(t, "inplace"), 80, 24)
	var all strings.Builder
	for _, m := range []moment{
		{"the failure", nil}, {"the finding is open", []string{"5", "enter"}}, {"the cause", []string{"m"}}, {"the beginning", []string{"<"}},
	} {
		d.Press(m.keys...)
		for _, id := range []paneID{sourcePane, findingsPane, outputPane} {
			for _, size := range screens {
				d.resize(size[0], size[1])
				d.show(id)
				fmt.Fprintf(&all, "%s, %dx%d\n%s", m.name, size[0], size[1], d.Pane(id))
			}
		}
	}
	frames(t, "Panes-inplace", all.String())
}
