package editor

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEachEditorTakesALineInItsWay(t *testing.T) {
	for editor, want := range map[string]string{
		"vim":                  "vim +7 /a b.py",
		"/usr/bin/nvim":        "/usr/bin/nvim +7 /a b.py",
		"nano":                 "nano +7 /a b.py",
		"micro":                "micro +7 /a b.py",
		"emacsclient -nw":      "emacsclient -nw +7 /a b.py",
		"hx":                   "hx /a b.py:7",
		"code --wait":          "code --wait -g /a b.py:7",
		"subl":                 "subl /a b.py:7",
		"zed":                  "zed /a b.py:7",
		"pycharm":              "pycharm --line 7 /a b.py",
		"some-editor --option": "some-editor --option /a b.py",
	} {
		got := Open(strings.Fields(editor), "/a b.py", 7).Args
		if strings.Join(got, " ") != want {
			t.Errorf("%q, want %q", got, want)
		}
		if last := got[len(got)-1]; !strings.Contains(last, "/a b.py") {
			t.Errorf("%q: the file is not one argument", got)
		}
	}
	if got := Open([]string{"vim"}, "/a.py", 0).Args; !cmp.Equal(got, []string{"vim", "/a.py"}) {
		t.Errorf("without a line: %q", got)
	}
}

func TestVisualComesBeforeEditor(t *testing.T) {
	t.Setenv("VISUAL", "")
	t.Setenv("EDITOR", "")
	if got := Command(); got != nil {
		t.Error(got)
	}
	t.Setenv("EDITOR", "nano -w")
	if got := Command(); !cmp.Equal(got, []string{"nano", "-w"}) {
		t.Error(got)
	}
	t.Setenv("VISUAL", "vim")
	if got := Command(); !cmp.Equal(got, []string{"vim"}) {
		t.Error(got)
	}
}

func TestOnlyRegularFilesAreFound(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path, link := filepath.Join(dir, "a.py"), filepath.Join(dir, "link.py")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	names := []string{path}
	if os.Symlink(path, link) == nil {
		names = append(names, link) // which shows where it leads
	}
	for _, name := range names {
		if got, err := Find(name); err != nil || got != path {
			t.Errorf("%q, %v", got, err)
		}
	}
	wrong := []string{dir, filepath.Join(dir, "none.py"), ""}
	if runtime.GOOS != "windows" {
		wrong = append(wrong, "/dev/null")
	}
	for _, name := range wrong {
		if got, err := Find(name); err == nil {
			t.Errorf("%q is %q", name, got)
		}
	}
}
