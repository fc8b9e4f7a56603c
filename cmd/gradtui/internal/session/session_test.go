package session

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// file is the file of a program in a state folder of the test.
func file(t *testing.T) *File {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	f, err := For("/somewhere/train.py")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func load(t *testing.T, f *File) *Session {
	t.Helper()
	s, err := f.Load()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestWhatIsSavedIsLoaded(t *testing.T) {
	f := file(t)
	if diff := cmp.Diff(&Session{Program: "/somewhere/train.py"}, load(t, f)); diff != "" {
		t.Error("a new session:\n" + diff)
	}
	want := Session{
		Version: version, Program: "/somewhere/train.py", Breakpoints: []Breakpoint{{"op mm", 2}, {"nan", 0}}, Watches: []string{"max(h)"},
		Bookmarks: []Bookmark{{"a", "here", Place{Event: 7, Kind: "op-ran", Iteration: 2, File: "train.py", Line: 3}}},
		Folds:     map[string]bool{"module fc": true}, Focus: "Source", Zoomed: true,
		Commands: []string{"break nan"}, Searches: []string{"loss"},
	}
	for range 2 { // the second time over the first
		if err := f.Save(want); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(&want, load(t, f)); diff != "" {
		t.Error(diff)
	}
	if info, err := os.Stat(f.Path()); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	if info, err := os.Stat(filepath.Dir(f.Path())); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Error(info.Mode(), err)
	}
	if err := errors.Join(f.Remove(), f.Remove()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(f.Path()); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the file is still there:", err)
	}
}

func TestProgramsHaveSessionsOfTheirOwn(t *testing.T) {
	f := file(t)
	other, err := For("/elsewhere/train.py")
	if err != nil || other.Path() == f.Path() {
		t.Error(err, other.Path())
	}
}

func TestADamagedSessionIsIgnored(t *testing.T) {
	text := func(change func(*Session)) string {
		s := Session{Version: version, Program: "/somewhere/train.py"}
		change(&s)
		b, _ := json.Marshal(s)
		return string(b)
	}
	for name, c := range map[string]struct{ text, says string }{
		"empty":         {"", "unexpected end"},
		"cut":           {`{"version": 1, "brea`, "unexpected end"},
		"another kind":  {`{"version": 1, "breakpoints": "all"}`, "cannot unmarshal"},
		"a newer one":   {text(func(s *Session) { s.Version = 99 }), "version 99"},
		"another's":     {text(func(s *Session) { s.Program = "/x.py" }), "belongs to /x.py"},
		"a long list":   {text(func(s *Session) { s.Commands = make([]string, Most+1) }), "too long"},
		"a long text":   {text(func(s *Session) { s.Commands = []string{strings.Repeat("x", MostText+1)} }), "too long"},
		"a long file":   {strings.Repeat(" ", maxBytes+1), ""},
		"negative":      {text(func(s *Session) { s.Bookmarks = []Bookmark{{Place: Place{Event: -1}}} }), "negative"},
		"negative skip": {text(func(s *Session) { s.Breakpoints = []Breakpoint{{"nan", -1}} }), "negative"},
		"a size":        {text(func(s *Session) { s.Sizes = &Sizes{Heights: map[string]int{"graph": 1000}} }), "a size in it"},
	} {
		t.Run(name, func(t *testing.T) {
			f := file(t)
			if err := errors.Join(os.MkdirAll(filepath.Dir(f.Path()), 0o700), os.WriteFile(f.Path(), []byte(c.text), 0o600)); err != nil {
				t.Fatal(err)
			}
			s, err := f.Load()
			if err == nil || !strings.HasPrefix(err.Error(), "the saved session is ignored: ") || !strings.Contains(err.Error(), c.says) {
				t.Error(err)
			}
			if len(s.Commands)+len(s.Bookmarks)+len(s.Breakpoints) > 0 {
				t.Error("something of it was taken")
			}
		})
	}
}

func TestASessionThatOthersCanWriteIsIgnored(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no mode there")
	}
	f := file(t)
	if err := errors.Join(f.Save(Session{Watches: []string{"x"}}), os.Chmod(f.Path(), 0o666)); err != nil {
		t.Fatal(err)
	}
	if s, err := f.Load(); err == nil || len(s.Watches) > 0 {
		t.Error("the file of everybody was read")
	}
	if err := errors.Join(os.Chmod(f.Path(), 0o600), os.Chmod(filepath.Dir(f.Path()), 0o777)); err != nil {
		t.Fatal(err)
	}
	if s, err := f.Load(); err == nil || len(s.Watches) > 0 {
		t.Error("a file in a folder of everybody was read")
	}
	if err := f.Save(Session{}); err == nil {
		t.Error("a file was written to a folder of everybody")
	}
}

// What was set is saved as far as it can be loaded again.
func TestASessionIsSavedWithinItsBounds(t *testing.T) {
	f := file(t)
	s := Session{Commands: append([]string{strings.Repeat("x", MostText+1), "a\xff"}, make([]string, Most+5)...)}
	s.Commands[len(s.Commands)-1] = "newest"
	s.Bookmarks = make([]Bookmark, Most+5)
	if err := f.Save(s); err != nil {
		t.Fatal(err)
	}
	got := load(t, f)
	if len(got.Commands) != Most || got.Commands[Most-1] != "newest" || len(got.Bookmarks) != Most {
		t.Errorf("%d lines, %d bookmarks", len(got.Commands), len(got.Bookmarks))
	}
}
