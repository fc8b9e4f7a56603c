package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/session"
	"github.com/gradtui/gradtui/graph"
)

func TestBookmarksAreSetAndGoneTo(t *testing.T) {
	d := open(t, recorded(t, "lesson"), 80, 24)
	d.Press("<", "n")
	first := d.at()
	d.Press("`")
	d.settle(d.run("goto end"))
	d.settle(d.run("mark the end"))
	if want := "bookmark: the end: "; !strings.HasPrefix(d.notice.text, want) {
		t.Errorf("%q", d.notice.text)
	}
	golden(t, "Bookmarks", func() string { d.Press("'"); return d.Screen() }())
	d.Press("up", "enter")
	if d.at() != first || d.overlay != nil {
		t.Errorf("event %d, want %d", d.at(), first)
	}
	d.settle(d.run("go the end"))
	if d.at() != d.tape.Len() {
		t.Errorf("event %d", d.at())
	}
	d.settle(d.run("go 1"))
	d.Press("4")
	if !strings.Contains(d.Pane(timelinePane), "bookmarks") || strings.Count(d.Pane(timelinePane), "◈") != 2 {
		t.Error(d.Pane(timelinePane))
	}
	d.Press("`") // again: it is removed
	if len(d.bookmarks) != 1 || !strings.HasPrefix(d.notice.text, "bookmark removed") {
		t.Errorf("%v, %q", d.bookmarks, d.notice.text)
	}
	d.Press("'", "d", "esc")
	if len(d.bookmarks) != 0 {
		t.Error(d.bookmarks)
	}
	d.settle(d.run("go the end"))
	if d.notice.text != `there is no bookmark "the end"; ' lists them` {
		t.Error(d.notice.text)
	}
}

func TestANameIsGivenToOneBookmark(t *testing.T) {
	d := open(t, recorded(t, "lesson"), 80, 24)
	for _, at := range []int{30, 10, 20} {
		d.settle(d.run(fmt.Sprint("goto ", at)))
		d.settle(d.run("mark a"))
	}
	if len(d.bookmarks) != 1 || d.bookmarks[0].Event != 20 {
		t.Error(d.bookmarks)
	}
}

// A bookmark of another run is at its line, if its event is another one.
func TestABookmarkIsFoundInAnotherRun(t *testing.T) {
	p := fly(t, 80, 24, func(run int) error { return trains(run) }, nil)
	p.tap("B")
	p.command(fmt.Sprint("goto ", p.firstOf(graph.KindBackwardBegan)+1))
	p.command("mark pass")
	line := p.line(p.at() - 1)
	p.tap("<")
	p.command("restart")
	p.tap("`", "c")
	p.put(Do(func(m *Model) tea.Cmd { return m.run("go pass") }))
	p.until("the answer", func() bool { return strings.Contains(p.notice.text, "in this run") })
	if got := p.line(p.at() - 1); got != line {
		t.Errorf("%v, want %v: %s", got, line, p.notice.text)
	}
	p.said("another one in this run")
}

// What a session holds may name places that no tape has.
func TestBookmarksOfASessionDoNoHarm(t *testing.T) {
	o := optionsFor(recorded(t, "lesson"))
	o.Earlier = &session.Session{Bookmarks: []session.Bookmark{
		{Text: "a\x1b[2Jb", Place: session.Place{Event: 1 << 40, Kind: "op-ran"}},
		{Name: "x\ny", Place: session.Place{Event: 3, Kind: "no-kind", File: "a b:c", Line: 1, Iteration: 7}},
	}}
	d := openWith(t, o, 80, 24)
	d.Press("'")
	if s := d.Screen(); !strings.Contains(s, "of another run") || strings.Contains(s, "\x1b[2J") {
		t.Error(s)
	}
	d.Press("enter")
	if !strings.Contains(d.notice.text, "this run did not come to") {
		t.Error(d.notice.text)
	}
	d.settle(d.run("go 2"))
	if !strings.Contains(d.notice.text, "this run did not come to") {
		t.Error(d.notice.text)
	}
}
