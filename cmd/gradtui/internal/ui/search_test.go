package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/find"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/console"
)

// searching is the open overlay.
func (d *driver) searching() *search {
	d.t.Helper()
	s, ok := d.overlay.(*search)
	if !ok {
		d.t.Fatal("no search is open")
	}
	return s
}

func TestASearchShowsWhatTheLettersMayMean(t *testing.T) {
	d := open(t, recorded(t, "lesson"), 80, 24)
	var all strings.Builder
	for _, text := range []string{"", "t:loss", "n:mul", "!", "nothing like it"} {
		d.Press("/")
		d.Type(text)
		c := cells.New(d.columns, d.rows)
		d.overlay.draw(d.Model, c.All())
		all.WriteString(c.Text())
		d.Press("esc")
	}
	golden(t, "Search-lesson", all.String())
}

// Enter chooses what was found. What does not exist yet at the cursor exists then.
func TestEnterGoesToWhatWasFound(t *testing.T) {
	d := open(t, recorded(t, "nbody"), 120, 40)
	for _, from := range []string{"<", ">"} {
		for _, query := range []string{"vel", "t7", "n:pow", "n2000", "@1234", "nbody.go:31", "f:nbody.go", "op", "accelerations"} {
			d.Press(from, "/")
			d.Type(query)
			if len(d.searching().hits) == 0 {
				t.Fatalf("nothing is found for %q", query)
			}
			before, h := d.at(), d.searching().hits[0]
			d.Press("enter")
			switch {
			case d.overlay != nil:
				t.Errorf("%q: the overlay stays", query)
			case h.Tensor != 0 && d.chosen.tensor != h.Tensor, h.Node != 0 && d.chosen.node != h.Node:
				t.Errorf("%q: %v is chosen, found was %v", query, d.chosen, h)
			case h.File != "" && (d.place.File != h.File || h.Kind == find.File && h.Line != 0 && d.place.Line != h.Line):
				t.Errorf("%q: the source shows %v, found was %s:%d", query, d.place, h.File, h.Line)
			}
			want := h.At + 1
			if (h.Tensor != 0 || h.Node != 0) && !h.Later {
				want = before
			}
			if d.at() != want {
				t.Errorf("%q from %d: the cursor is at %d, want %d", query, before, d.at(), want)
			}
		}
	}
}

// A text with a comparison or a call asks for events.
func TestAQueryCanBeSearched(t *testing.T) {
	d := open(t, recorded(t, "nbody"), 120, 40)
	d.Press("/")
	d.Type(`op == "pow" and iteration == 2`)
	if !strings.Contains(d.Screen(), "enter lists the events") {
		t.Errorf("it is not said what enter does:\n%s", d.Screen())
	}
	d.Press("enter")
	d.settle(d.keepWorking())
	h, ok := d.overlay.(*hits)
	if !ok {
		t.Fatalf("no list of hits:\n%s", d.Screen())
	}
	found := h.of.found(&d.state)
	if len(found) == 0 {
		t.Fatal("nothing is found")
	}
	d.Press("home", "enter")
	if _, e := d.event(d.at() - 1); e == nil || e.Kind() != graph.KindOpRan {
		t.Errorf("the cursor is behind %v", e)
	}
	for _, text := range []string{"loss", "n:mul", "op ==", "f(", "(root"} {
		if s := (&search{}); func() bool { s.set(text); return s.isQuery() }() {
			t.Errorf("%q is taken for a query", text)
		}
	}
}

func TestASearchOpensFindings(t *testing.T) {
	d := open(t, recorded(t, "inplace"), 80, 24)
	d.Press("<", "/")
	d.Type("!inplace")
	d.Press("enter")
	f := d.findings.report.Findings[0]
	if d.focus != findingsPane || d.findings.opened != 0 || d.at() != f.Primary.At+1 {
		t.Errorf("finding %d is open in pane %d, the cursor at %d, want it at %d", d.findings.opened, d.focus, d.at(), f.Primary.At+1)
	}
}

// Answers come in any order, and enter may be pressed before any has come: what is
// shown and gone to is what the last text means.
func TestALateAnswerDoesNotReplaceANewerOne(t *testing.T) {
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}} {
		d := open(t, recorded(t, "lesson"), 80, 24)
		d.Press("/")
		var answers []tea.Cmd
		for _, r := range "xy" {
			answers = append(answers, d.press(tea.KeyPressMsg(tea.Key{Code: r, Text: string(r)})))
		}
		answers = append(answers, d.press(tea.KeyPressMsg(tea.Key{Code: tea.KeyBackspace})))
		d.press(tea.KeyPressMsg(tea.Key{Code: tea.KeyEnter}))
		s := d.searching()
		for _, i := range order {
			if msg := answers[i](); msg != nil {
				d.Send(msg)
			}
		}
		want, err := d.index.finder.Find(t.Context(), "x", d.at(), mostHits)
		if err != nil {
			t.Fatal(err)
		}
		if d.overlay != nil || len(want) == 0 || !slices.EqualFunc(s.hits, want, func(a, b find.Hit) bool { return a.Label == b.Label && a.At == b.At }) {
			t.Errorf("answers in order %v: %d hits, want %d; the overlay: %v", order, len(s.hits), len(want), d.overlay)
		}
	}
}

func TestASearchBeginsWithTheLastOne(t *testing.T) {
	d := open(t, recorded(t, "lesson"), 80, 24)
	d.Press("/")
	d.Type("loss")
	d.Press("esc", "/")
	if s := d.searching(); s.String() != "loss" || len(s.hits) == 0 {
		t.Errorf("the search begins with %q and %d hits", s.String(), len(s.hits))
	}
	if d.Type("n"); d.searching().String() != "n" {
		t.Errorf("what is typed comes to %q", d.searching().String())
	}
	d.Press("esc", "/", "end")
	if d.Type("2"); d.searching().String() != "n2" {
		t.Errorf("after a key that moves in it, it is %q", d.searching().String())
	}
}

// While the tape grows, what is new is found without another key.
func TestASearchKnowsWhatWasReadSince(t *testing.T) {
	whole := recorded(t, "lesson")
	tape := graph.NewTape(graph.Limits{})
	more, to := whole.NewExporter(), tape.NewImporter()
	grow := func(events graph.Pos) {
		for more.Next() < events {
			block, _, err := more.AppendBlock(nil, 64)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := to.Append(block); err != nil {
				t.Fatal(err)
			}
		}
	}
	grow(whole.Len() / 3)
	d := open(t, tape, 80, 24)
	d.Press("/")
	d.Type("n:")
	before := len(d.searching().hits)
	grow(whole.Len())
	d.Send(workMsg{})
	if after := len(d.searching().hits); after <= before {
		t.Errorf("%d nodes are found before and %d after", before, after)
	}
}

// The name of a file and the line are seen however deep its folder is.
func TestFoldersGiveWay(t *testing.T) {
	hit := find.Hit{Kind: find.File, Label: "/a/very/deep/folder/名前/of/a/project/train.py:12", Matched: []int{43, 44}}
	m := New(Options{Tape: graph.NewTape(graph.Limits{})})
	for _, columns := range []int{20, 40, 60, 200} {
		var text string
		for _, p := range m.hitText(hit, 1, columns)[1:] {
			text += p.text
		}
		if most := max((columns-kindColumns)/2, 8); console.Width(text) > most && columns < 200 || !strings.HasSuffix(text, ":12") {
			t.Errorf("in %d columns it is %q", columns, text)
		}
	}
}

func TestGotoCompletesTheNamesOfFiles(t *testing.T) {
	d := open(t, recorded(t, "lesson"), 80, 24)
	d.Press(":")
	d.Type("goto less")
	d.Press("tab")
	if got := d.overlay.(*commandLine).String(); got != "goto lesson.go" {
		t.Errorf("the completion is %q", got)
	}
}

func TestHitsOfOneNameShareARow(t *testing.T) {
	d := open(t, recorded(t, "lesson"), 100, 30)
	d.Press("/")
	d.Type("descend.loss")
	s := d.searching()
	if len(s.groups) != 1 || s.groups[0].times != len(s.hits) || len(s.hits) < 10 {
		t.Fatalf("%d rows of %d hits", len(s.groups), len(s.hits))
	}
	if want := fmt.Sprintf("descend.loss ×%d", len(s.hits)); !strings.Contains(d.Screen(), want) {
		t.Errorf("%q is missing in\n%s", want, d.Screen())
	}
	newest := s.hits[0]
	d.Press("right", "down")
	if len(s.groups) != len(s.hits) || s.chosen != 1 || s.hits[1].At >= newest.At {
		t.Errorf("right shows %d rows of %d, row %d is chosen", len(s.groups), len(s.hits), s.chosen)
	}
	second := s.hits[1]
	if d.Press("enter"); d.chosen.tensor != second.Tensor {
		t.Errorf("enter selects t%d, want t%d", d.chosen.tensor, second.Tensor)
	}
}
