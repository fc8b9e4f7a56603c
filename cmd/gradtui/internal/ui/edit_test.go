package ui

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/graph"
)

// edited opens the debugger on a tape that names a source file, and notes the editors that it starts.
func edited(t *testing.T, path string, owns bool) (d *driver, started *[][]string) {
	t.Helper()
	tape := graph.NewTape(graph.Limits{})
	file := tape.InternString(path)
	tape.Append(graph.Header{}, &graph.SourceRead{File: file, Text: "import torch\nw = torch.ones(2)\nv = w\n"})
	o := optionsFor(tape)
	o.Owns = func(string) bool { return owns }
	d = openWith(t, o, 80, 24)
	started = &[][]string{}
	d.execute = func(c *exec.Cmd, done tea.ExecCallback) tea.Cmd {
		*started = append(*started, c.Args)
		return func() tea.Msg { return done(nil) }
	}
	d.place = graph.Frame{File: path, Line: 2}
	d.Model.refresh()
	return d, started
}

func sourceFile(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "train.py")
	if err := os.WriteFile(path, []byte("import torch\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("VISUAL", "")
	t.Setenv("EDITOR", "vim")
	return path
}

func TestTheEditorOpensTheChosenLine(t *testing.T) {
	path := sourceFile(t)
	d, started := edited(t, path, true)
	d.Press("2", "down", "E")
	if want := []string{"vim", "+3", path}; len(*started) != 1 || !slices.Equal((*started)[0], want) {
		t.Errorf("%q, %q", *started, d.notice.text)
	}
}

func TestAFileThatOnlyATapeNamesIsAskedFor(t *testing.T) {
	path := sourceFile(t)
	d, started := edited(t, path, false)
	d.Press("E")
	if len(*started) > 0 || !strings.Contains(d.Screen(), "train.py") || !strings.Contains(d.Screen(), "vim?") {
		t.Errorf("%q\n%s", *started, d.Screen())
	}
	d.Press("n")
	if len(*started) > 0 || d.overlay != nil {
		t.Error(*started)
	}
	d.Press("E", "y")
	if len(*started) != 1 {
		t.Error(d.Screen())
	}
}

func TestWhatIsNoFileIsNotEdited(t *testing.T) {
	path := sourceFile(t)
	for name, says := range map[string]string{
		filepath.Join(filepath.Dir(path), "none.py"): "cannot be opened",
		filepath.Dir(path):                           "cannot be opened",
		"<stdin>":                                    "cannot be opened",
	} {
		d, started := edited(t, name, true)
		if d.Press("E"); len(*started) > 0 || !strings.Contains(d.notice.text, says) {
			t.Errorf("%s: %q, %q", name, *started, d.notice.text)
		}
	}
	d, started := edited(t, path, true)
	d.place.File = "/etc/passwd" // no event brought it as a source
	if d.Press("E"); len(*started) > 0 || !strings.Contains(d.notice.text, "not on the tape as a source file") {
		t.Errorf("%q, %q", *started, d.notice.text)
	}
	t.Setenv("EDITOR", "")
	d.place.File = path
	if d.Press("E"); len(*started) > 0 || !strings.Contains(d.notice.text, "set $VISUAL or $EDITOR") {
		t.Errorf("%q, %q", *started, d.notice.text)
	}
}

func TestAClickBeforeALineSetsABreakpoint(t *testing.T) {
	d, _ := edited(t, sourceFile(t), true)
	d.Press("2")
	d.Screen() // a click is on what was drawn
	d.Click(sourcePane, 0, 2)
	if len(d.queries) != 1 || !strings.HasSuffix(d.queries[0].Query, "train.py:3") {
		t.Errorf("%v", d.points())
	}
	d.Click(sourcePane, 1, 2)
	if len(d.queries) != 0 {
		t.Errorf("%v", d.points())
	}
	d.Click(sourcePane, 10, 1)
	if len(d.queries) != 0 {
		t.Errorf("a click on the text: %v", d.points())
	}
}
