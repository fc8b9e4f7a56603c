package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/edits"
	"github.com/gradtui/gradtui/graph"
)

// An author edits a source file of the program under the debugger. The test says when the debugger looks.
type author struct {
	*pilot
	path  string
	saved time.Time
}

// edit opens the debugger on a function whose tape names a file that can be edited.
func edit(t *testing.T, program func(run int) error, change func(*Options)) *author {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	a := &author{path: filepath.Join(dir, "train.py"), saved: time.Unix(1e9, 0)}
	reads := func(tape *graph.Tape) {
		text, err := os.ReadFile(a.path)
		if err != nil {
			t.Error(err)
		}
		tape.Append(graph.Header{}, &graph.SourceRead{File: tape.InternString(a.path), Text: string(text)})
	}
	if err := os.WriteFile(a.path, []byte("a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a.pilot = fly(t, 80, 24, program, func(o *Options) {
		reads(o.Tape)
		again := o.Restart
		o.Restart = func() (Options, error) {
			next, err := again()
			reads(next.Tape)
			return next, err
		}
		o.Owns, o.Looks = func(path string) bool { return path == a.path }, make(chan time.Time)
		if change != nil {
			change(o)
		}
	})
	a.rest()
	return a
}

// save writes the file, and lets the debugger look until it is sure.
func (a *author) save(text string) {
	a.t.Helper()
	a.saved = a.saved.Add(time.Second)
	err := os.WriteFile(a.path, []byte(text), 0o600)
	if err == nil {
		err = os.Chtimes(a.path, a.saved, a.saved)
	}
	if err != nil {
		a.t.Fatal(err)
	}
	a.glance()
	a.glance()
}

// glance lets the debugger look once, as it does when it is time.
func (a *author) glance() {
	a.t.Helper()
	a.until("the look before", func() bool { return !a.editing.looking && !a.restarting })
	a.put(lookMsg{})
	a.until("a look", func() bool { return !a.editing.looking })
}

func TestAnEditIsSaidOnceAndShown(t *testing.T) {
	a := edit(t, eachTheSame, nil)
	a.tap("n")
	a.save("b\n")
	a.until("the message", func() bool { return strings.Contains(a.notice.text, "edited") })
	a.said("train.py was edited: R runs it again")
	a.place = graph.Frame{File: a.path, Line: 1}
	if title := a.panes.source.about(&a.state); !strings.Contains(title, "as it ran; edited since") {
		t.Error(title)
	}
	a.tap("tab")
	a.glance()
	if a.notice.text != "" || a.begun.Load() != 1 {
		t.Errorf("it says %q, %d runs", a.notice.text, a.begun.Load())
	}
	a.save("a\n") // as it ran
	a.until("a look", func() bool { return len(a.edited) == 0 })
	if title := a.panes.source.about(&a.state); strings.Contains(title, "edited") {
		t.Error(title)
	}
}

func TestAProgramIsRunAgainWhenItIsSaved(t *testing.T) {
	a := edit(t, eachTheSame, func(o *Options) { o.rerun = true })
	a.tap("n", "n")
	a.save("b\n")
	a.until("the second run", func() bool { return a.begun.Load() == 2 && !a.restarting })
	a.rest()
	if len(a.edited) > 0 {
		t.Errorf("edited: %v", a.edited)
	}
	a.glance()
	a.glance()
	a.command("rerun off")
	a.save("c\n")
	a.until("the message", func() bool { return strings.Contains(a.notice.text, "edited") })
	if a.begun.Load() != 2 {
		t.Errorf("%d runs", a.begun.Load())
	}
}

// A command line that is being typed is not taken away.
func TestARerunWaitsForTheUserToEndALine(t *testing.T) {
	a := edit(t, eachTheSame, func(o *Options) { o.rerun = true })
	a.tap("n", ":", "m", "a")
	a.save("b\n")
	a.until("a look", func() bool { return a.editing.due })
	if a.begun.Load() != 1 || a.overlay == nil {
		t.Fatalf("%d runs\n%s", a.begun.Load(), a.Screen())
	}
	a.put(keyPress("esc"))
	a.until("the second run", func() bool { return a.begun.Load() == 2 && !a.restarting })
}

func TestARestartSaysHowTheFindingsDiffer(t *testing.T) {
	twice := func(run int) error { // the second run has no mistake
		w := autograd.New([]float64{1, 2}, autograd.RequiresGrad)
		loss := w.Mul(w).Sum()
		if err := loss.Backward(); err != nil || run == 1 {
			return err
		}
		return loss.Backward()
	}
	p := fly(t, 120, 40, twice, nil)
	p.tap("c")
	compared := func(want string) {
		t.Helper()
		p.tap("R")
		p.until("the comparison", func() bool { return p.before == nil })
		p.until("the message", func() bool { return strings.Contains(p.notice.text, "findings: ") })
		p.said(want)
	}
	compared("findings: gone: second-backward edited_test.go:")
	if title := p.panes.findings.about(&p.state); title != "none, 1 gone since the last run" {
		t.Error(title)
	}
	if shown := p.Pane(findingsPane); !strings.Contains(shown, "✓ gone second-backward") {
		t.Error(shown)
	}
	compared("findings: new: second-backward edited_test.go:")
	if shown := p.Pane(findingsPane); !strings.Contains(shown, "new ✗ second-backward") {
		t.Error(shown)
	}
	compared("findings: 1 still there")
}

// A mistake in an edit ends the program early. The edit after it leads back to where the user was before.
func TestAWayThatIsLostIsTakenAgain(t *testing.T) {
	p := fly(t, 80, 24, func(run int) error {
		if run == 1 {
			autograd.New([]float64{1})
			return nil
		}
		return trains(0)
	}, nil)
	p.tap("n", "n", "n", "n")
	at := p.at()
	p.command("restart")
	p.said("it did not come to")
	p.command("restart")
	if p.at() != at {
		t.Errorf("event %d, want %d: %s", p.at(), at, p.notice.text)
	}
	p.said("back at event")
}

// The same place has another line in an edited file.
func TestARestartFollowsEditedLines(t *testing.T) {
	p := fly(t, 80, 24, func(run int) error { return trains(run) }, nil)
	p.tap("n", "n", "n", "n", "n")
	at := p.line(p.at() - 1)
	if at.Line == 0 {
		t.Fatal("no line")
	}
	moved := edits.Edit{Name: at.File, Moved: map[int]int{at.Line - 1: at.Line - 1, at.Line: at.Line}}
	m := New(p.Options)
	m.way = &returning{to: p.placeAt(p.at())}
	moved.Moved[at.Line] = at.Line + 2
	m.takeEdits([]edits.Edit{moved})
	if m.way.to.Line != at.Line+2 || !m.way.edited || m.isAt(m.way.to) {
		t.Errorf("%+v, want line %d", m.way.to, at.Line+2)
	}
}
