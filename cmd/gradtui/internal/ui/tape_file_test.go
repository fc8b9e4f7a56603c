package ui

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/rules"
)

// A grower is a debugger on a file that the test writes: it copies a recorded tape.
type grower struct {
	*driver
	from *graph.Exporter
}

func follow(t *testing.T, from *graph.Tape) (*grower, *graph.Importer) {
	tape := graph.NewTape(graph.Limits{})
	more := func() (Reading, error) { panic("the test says what was read") }
	d := &driver{t: t, Model: New(Options{Tape: tape, Title: "test.tape", Rules: rules.All(), More: more})}
	d.Update(tea.WindowSizeMsg{Width: 120, Height: 30})
	return &grower{d, from.NewExporter()}, tape.NewImporter()
}

// read brings events, and says what the file is like then.
func (g *grower) read(to *graph.Importer, events int, reading Reading, err error) {
	for events > 0 {
		block, n, failed := g.from.AppendBlock(nil, events)
		if failed != nil || n == 0 {
			g.t.Fatal("the tape has no more events", failed)
		}
		if _, failed := to.Append(block); failed != nil {
			g.t.Fatal(failed)
		}
		events -= n
	}
	g.Update(moreMsg{reading, err})
	for g.unfinished() {
		g.Update(workMsg{})
	}
}

// title is the first line of the screen, status the last ones: a message and the keys.
func (g *grower) title() string { title, _, _ := strings.Cut(g.Screen(), "\n"); return title }

func (g *grower) status() string {
	lines := strings.Split(strings.TrimRight(g.Screen(), "\n"), "\n")
	return strings.Join(lines[len(lines)-3:], " ")
}

func (g *grower) expect(where string, text, want string) {
	g.t.Helper()
	if !strings.Contains(text, want) {
		g.t.Errorf("the %s is %q, without %q", where, text, want)
	}
}

func TestTheCursorGoesWithTheEndOfAFileIfItIsThere(t *testing.T) {
	g, to := follow(t, recorded(t, "lesson"))
	g.expect("title", g.title(), "reading the file")
	g.read(to, 20, Behind, nil)
	g.expect("title", g.title(), "reading the file")
	g.read(to, 5, Waiting, nil)
	g.expect("title", g.title(), "event 25 of 25 · following the file")
	g.expect("last line", g.status(), "the file has no end")
	g.read(to, 5, Waiting, nil)
	g.expect("title", g.title(), "event 30 of 30")

	g.Press("S")
	at := g.at()
	if at >= 30 {
		t.Fatal("it did not step back")
	}
	g.read(to, 5, Waiting, nil)
	if g.at() != at {
		t.Errorf("the cursor went from %d to %d", at, g.at())
	}
	g.expect("title", g.title(), "of 35 · looking back")

	g.Press(">")
	g.read(to, 5, Waiting, nil)
	g.expect("title", g.title(), "event 40 of 40 · following the file")
	g.Press("S", "s", "s", "s", "s") // by hand to the end
	if g.at() != 40 {
		t.Fatal(g.at())
	}
	g.read(to, 5, Finished, nil)
	g.expect("title", g.title(), "event 45 of 45 · tape")
	g.expect("last line", g.status(), "the recording has ended, with event 45")
}

func TestWhatWasReadOfAFileStaysWhenItIsGone(t *testing.T) {
	g, to := follow(t, recorded(t, "lesson"))
	g.read(to, 30, Waiting, nil)
	g.read(to, 0, Waiting, errors.New("the tape's file is gone:\x1b[2J it was removed"))
	g.expect("last line", g.status(), "the tape's file is gone")
	g.expect("title", g.title(), "event 30 of 30 · tape incomplete")
	g.Press("S")
	g.expect("title", g.title(), "of 30")
}

func TestAFileOpensAtTheFailureOfItsLastBackwardPass(t *testing.T) {
	tape := recorded(t, "inplace")
	g, to := follow(t, tape)
	g.read(to, 10, Behind, nil)
	g.read(to, int(tape.Len())-10, Finished, nil)
	d := open(t, tape, 120, 30)
	if g.at() != d.at() || g.at() == tape.Len() && d.at() != tape.Len() {
		t.Errorf("it stands at %d, a tape that is there at once opens at %d", g.at(), d.at())
	}
}

func TestANameThatNoFileCanHaveGetsNoColours(t *testing.T) {
	lines := []string{"def f():", "    return 1"}
	if colours("a.py", lines) == nil {
		t.Error("a.py has no colours")
	}
	if colours("/tmp/"+strings.Repeat("a", 300)+".py", lines) != nil {
		t.Error("a lexer was looked for by a name of 300 bytes")
	}
}
