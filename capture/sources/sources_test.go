//go:build unix

package sources_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/capture/sources"
	"github.com/gradtui/gradtui/graph"
)

// recorded are the source-read events of a tape, by the base of their names.
func recorded(t *testing.T, tape *graph.Tape) map[string]graph.SourceRead {
	t.Helper()
	found := map[string]graph.SourceRead{}
	for p := range tape.Len() {
		_, e, err := tape.At(p)
		if err != nil {
			t.Fatal(err)
		}
		read := e.(*graph.SourceRead)
		name := filepath.Base(tape.String(read.File))
		if _, ok := found[name]; ok {
			t.Errorf("%s is on the tape twice", name)
		}
		found[name] = *read
	}
	return found
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFilesThatStacksNameAreOnTheTapeOnce(t *testing.T) {
	dir := t.TempDir()
	tape := graph.NewTape(graph.Limits{})
	tool := write(t, filepath.Join(dir, "tool"), "a script\n")
	t.Chdir(dir)
	tape.SetInfo(graph.Info{Program: "tool"})
	r := sources.NewRecorder(tape)
	pipe := filepath.Join(dir, "pipe.py")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	a := write(t, filepath.Join(dir, "a.py"), "import torch\n")
	long := write(t, filepath.Join(dir, "long.py"), strings.Repeat("#", sources.MaxText+1))
	var stack graph.Stack
	for _, file := range []string{a, write(t, filepath.Join(dir, "secret"), "secret"), pipe, "/dev/zero", "<string>", "", long, tool} {
		stack = append(stack, graph.Frame{File: file, Line: 1})
	}
	id := tape.InternStack(stack)
	for range 2 {
		r.Stack(id)
		r.File(a)
	}
	r.Text("<cell>", "x = 1\n")
	r.Text(a, "another text")

	got := recorded(t, tape)
	if why := got["long.py"].LeftOut; why != "it has 1048577 bytes, and a tape takes 1048576 of a file" {
		t.Error(why)
	}
	if e := got["long.py"]; e.Text != "" || e.Size != sources.MaxText+1 || len(e.Sum) != 64 {
		t.Errorf("%+v", e)
	}
	texts := map[string]string{}
	for name, e := range got {
		texts[name] = e.Text
	}
	want := map[string]string{"a.py": "import torch\n", "tool": "a script\n", "<cell>": "x = 1\n", "long.py": ""}
	if diff := cmp.Diff(want, texts); diff != "" {
		t.Error(diff)
	}
}

func TestATapeTakesSoMuchSourceText(t *testing.T) {
	dir := t.TempDir()
	tape := graph.NewTape(graph.Limits{})
	r := sources.NewRecorder(tape)
	for i := range 20 {
		r.File(write(t, filepath.Join(dir, string(rune('a'+i))+".py"), strings.Repeat("#", sources.MaxText)))
	}
	taken, left := 0, 0
	for _, e := range recorded(t, tape) {
		if e.LeftOut == "" {
			taken++
		} else {
			left++
		}
	}
	if taken != 16 || left != 4 {
		t.Errorf("%d texts are on the tape, %d are left out", taken, left)
	}
}

// What is read of the folder of a program is source code in it, and the file that ran.
func TestOnlyTheFileThatRanIsReadOfTheFolder(t *testing.T) {
	dir := t.TempDir()
	text := strings.Repeat("#", sources.MaxText+1)
	program := write(t, filepath.Join(dir, "project", "train.py"), text)
	leaf := func(name string) string { return filepath.Join(dir, "project", name) }
	write(t, leaf("secret"), text)
	write(t, leaf("changed.py"), text[1:]+"-")
	outside := write(t, filepath.Join(dir, "outside.py"), text)
	for link, to := range map[string]string{"link.py": outside, "inside.py": "train.py", "up": ".."} {
		if err := os.Symlink(to, leaf(link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(leaf("pipe.py"), 0o600); err != nil {
		t.Fatal(err)
	}
	tape := graph.NewTape(graph.Limits{})
	sources.NewRecorder(tape).File(program)
	e := recorded(t, tape)["train.py"]

	t.Chdir(leaf(""))
	for _, folder := range []sources.Folder{sources.FolderOf("train.py"), sources.FolderOf("../project")} {
		for _, name := range []string{program, "train.py", "./train.py", "inside.py"} {
			if got, err := folder.Read(name, &e); err != nil || string(got) != text {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, name := range []string{
			"secret", leaf("secret"), "changed.py", outside, "../outside.py", "link.py", "up/outside.py", "pipe.py", "/dev/null", "nothing.py", "",
		} {
			if _, err := folder.Read(name, &e); err == nil {
				t.Errorf("%s was read", name)
			}
		}
	}
	if _, err := sources.FolderOf("train.py").Read("train.py", &graph.SourceRead{Size: e.Size, LeftOut: "it is too long"}); err == nil {
		t.Error("a file was read of which no sum is known")
	}
	if _, err := sources.FolderOf("no/package").Read(program, &e); err == nil {
		t.Error("a file was read in no folder")
	}
}
