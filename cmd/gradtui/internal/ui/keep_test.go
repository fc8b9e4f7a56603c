package ui

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/session"
)

// sessionFile is the file of a session in a folder of the test.
func sessionFile(t *testing.T) *session.File {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	f, err := session.For("/somewhere/train.py")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// with opens the debugger on a tape with what a session has kept.
func with(t *testing.T, f *session.File, name string) *driver {
	t.Helper()
	o := optionsFor(recorded(t, name))
	o.SessionFile = f
	var err error
	if o.Earlier, err = f.Load(); err != nil {
		t.Fatal(err)
	}
	return openWith(t, o, 80, 24)
}

func TestWhatWasSetIsThereTheNextTime(t *testing.T) {
	f := sessionFile(t)
	d := with(t, f, "lesson")
	d.Press(":")
	d.Type("break op mul")
	d.Press("enter", ":")
	d.Type("break op pow skip 1")
	d.Press("enter", "/")
	d.Type("pow")
	d.Press("enter", "6", "z", "1", "-")
	d.asked.watches = append(d.asked.watches, watchedValue{text: "h.max()"})
	folds := d.scope.foldsNow()
	if err := d.Keep(); err != nil {
		t.Fatal(err)
	}
	again := with(t, f, "lesson")
	if diff := cmp.Diff(d.points(), again.points()); diff != "" || len(d.points()) != 2 {
		t.Error(diff)
	}
	if again.focus != graphPane || !again.zoomed || again.query != "pow" {
		t.Errorf("%s, zoomed %v, %q", again.focus.name(), again.zoomed, again.query)
	}
	if diff := cmp.Diff(folds, again.scope.foldsNow()); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(again.Screen(), "from the last session: 2 breakpoints") {
		t.Error(again.Screen())
	}
	if len(again.asked.watches) != 1 || again.asked.watches[0].text != "h.max()" {
		t.Errorf("%v", again.asked.watches)
	}
	again.Press(":", "up")
	if !strings.Contains(again.Screen(), ":break op pow skip 1") {
		t.Error(again.Screen())
	}
	again.Press("esc", "/", "alt+up")
	if !strings.Contains(again.Screen(), "pow") {
		t.Error(again.Screen())
	}
}

func TestASessionIsRemoved(t *testing.T) {
	f := sessionFile(t)
	d := with(t, f, "lesson")
	if err := d.Keep(); err != nil {
		t.Fatal(err)
	}
	d.settle(d.run("session"))
	if !strings.Contains(d.notice.text, f.Path()) {
		t.Error(d.notice.text)
	}
	d.settle(d.run("session clear"))
	if err := d.Keep(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(f.Path()); err == nil {
		t.Error("the file is there")
	}
	d.settle(d.run("session"))
	if d.notice.text != "removed; nothing is kept for the next time" {
		t.Error(d.notice.text)
	}
	if d := open(t, recorded(t, "lesson"), 80, 24); d.Keep() != nil || d.run("session clear") != nil || d.notice.style != failed {
		t.Error("a debugger without a session keeps one:", d.notice.text)
	}
}

// A query that this gradtui does not understand is left out.
func TestWhatCannotBeReadOfASessionIsLeftOut(t *testing.T) {
	o := optionsFor(recorded(t, "lesson"))
	o.Earlier = &session.Session{Breakpoints: []session.Breakpoint{{Query: "no such ( query"}, {Query: "nan"}}, Focus: "Nothing"}
	d := openWith(t, o, 80, 24)
	if len(d.points()) != 1 || d.points()[0].Query != "nan" || d.focus != graphPane {
		t.Errorf("%v, %s", d.points(), d.focus.name())
	}
}
