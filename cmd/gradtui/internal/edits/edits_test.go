package edits_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/edits"
	"github.com/gradtui/gradtui/graph"
)

// A project is a folder of source files whose program is watched. There is no clock: each write gets a time of
// its own.
type project struct {
	t    *testing.T
	dir  string
	tape *graph.Tape
	now  time.Time
}

func begin(t *testing.T) *project {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &project{t: t, dir: dir, tape: graph.NewTape(graph.Limits{}), now: time.Unix(1e9, 0)}
}

func (p *project) path(name string) string { return filepath.Join(p.dir, name) }

func (p *project) write(name, text string) {
	p.t.Helper()
	p.now = p.now.Add(time.Second)
	err := os.WriteFile(p.path(name), []byte(text), 0o600)
	if err == nil {
		err = os.Chtimes(p.path(name), p.now, p.now)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// runs puts files on the tape, as a run does that reads them.
func (p *project) runs(names ...string) {
	p.t.Helper()
	for _, name := range names {
		text, err := os.ReadFile(p.path(name))
		if err != nil {
			p.t.Fatal(err)
		}
		p.tape.Append(graph.Header{}, &graph.SourceRead{File: p.tape.InternString(p.path(name)), Text: string(text)})
	}
}

func (p *project) watch() *edits.Watch {
	return edits.New(p.tape, func(path string) bool { return strings.HasPrefix(path, p.dir) })
}

// sees checks which files a look finds edited.
func (p *project) sees(w *edits.Watch, want ...string) []edits.Edit {
	p.t.Helper()
	found := w.Look()
	var names []string
	for _, e := range found {
		names = append(names, filepath.Base(e.Name))
	}
	if !cmp.Equal(names, want) {
		p.t.Errorf("edited: %q, want %q", names, want)
	}
	return found
}

func TestAnEditedFileIsSeenWhenItDoesNotChangeAnyMore(t *testing.T) {
	p := begin(t)
	p.write("train.py", "a\nb\nc\n")
	p.write("model.py", "m\n")
	p.runs("train.py", "model.py")
	w := p.watch()
	p.sees(w)
	p.sees(w)
	p.write("train.py", "a\n") // the first piece
	p.sees(w)
	p.write("train.py", "a\nnew\nb\n")
	p.sees(w)
	e := p.sees(w, "train.py")[0]
	for line, want := range map[int]int{1: 1, 2: 3, 3: 4} { // line 3 is not there any more
		if got := e.Line(line); got != want {
			t.Errorf("line %d is line %d now, want %d", line, got, want)
		}
	}
	p.sees(w, "train.py")
	p.write("train.py", "a\nb\nc\n") // as it was
	p.sees(w, "train.py")
	p.sees(w)
}

func TestAFileThatIsSavedAsItWasIsNotEdited(t *testing.T) {
	p := begin(t)
	p.write("train.py", "a\n")
	p.runs("train.py")
	w := p.watch()
	for range 3 {
		p.write("train.py", "a\n")
		p.sees(w)
		p.sees(w)
	}
}

// Many editors write another file and rename it, with or without a time when there is none.
func TestAFileThatIsReplacedIsSeen(t *testing.T) {
	p := begin(t)
	p.write("train.py", "a\n")
	p.runs("train.py")
	w := p.watch()
	p.sees(w)
	p.sees(w)
	p.write("train.py~", "b\n")
	if err := os.Remove(p.path("train.py")); err != nil {
		t.Fatal(err)
	}
	p.sees(w)
	p.sees(w)
	if err := os.Rename(p.path("train.py~"), p.path("train.py")); err != nil {
		t.Fatal(err)
	}
	p.sees(w)
	p.sees(w, "train.py")
}

func TestFilesOfOthersAreNotWatched(t *testing.T) {
	p, other := begin(t), begin(t)
	other.write("library.py", "a\n")
	p.tape.Append(graph.Header{}, &graph.SourceRead{File: p.tape.InternString(other.path("library.py")), Text: "b\n"})
	p.tape.Append(graph.Header{}, &graph.SourceRead{File: p.tape.InternString("<stdin>"), Text: "b\n"})
	w := p.watch()
	p.sees(w)
	p.sees(w)
}

// The new run fails before it reads model.py, which is watched nevertheless.
func TestFilesOfAnEarlierRunAreStillWatched(t *testing.T) {
	p := begin(t)
	p.write("train.py", "a\n")
	p.write("model.py", "m\n")
	p.runs("train.py", "model.py")
	w := p.watch()
	p.sees(w)
	p.sees(w)
	p.write("model.py", "m(\n")
	if found := w.Restarts(); len(found) != 1 || filepath.Base(found[0].Name) != "model.py" {
		t.Errorf("edited right before the restart: %v", found)
	}
	p.tape = graph.NewTape(graph.Limits{})
	w.Follow(p.tape)
	p.sees(w) // the run reads what is there now
	p.runs("train.py")
	p.sees(w)
	p.write("model.py", "m()\n")
	p.sees(w)
	p.sees(w, "model.py")
}

// What is compared is what the run has read, also if the file was edited before the first look.
func TestAnEditBeforeTheFirstLookIsSeen(t *testing.T) {
	p := begin(t)
	p.write("train.py", "a\n")
	p.runs("train.py")
	p.write("train.py", "b\n")
	w := p.watch()
	p.sees(w)
	p.sees(w, "train.py")
}
