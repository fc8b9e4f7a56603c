package dormant_test

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/export/graphviz"
	_ "github.com/gradtui/gradtui/export/graphviz/dormant"
)

// justStart makes the test program end where its main function begins.
const justStart = "GRADTUI_TEST_JUST_START"

func TestMain(m *testing.M) {
	graphviz.ChildMain()
	if os.Getenv(justStart) != "" {
		return
	}
	os.Exit(m.Run())
}

func TestDormantProgramsDraw(t *testing.T) {
	for _, f := range graphviz.Formats {
		p, err := graphviz.Render(context.Background(), []byte("digraph { a -> b }"), f, graphviz.Options{})
		if err != nil || len(p.Bytes) == 0 {
			t.Errorf("%s: %v", f, err)
		}
	}
}

// start returns a command that starts this program and does nothing, as a user
// all of whose directories are below dir.
func start(t testing.TB, dir string) *exec.Cmd {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path)
	cmd.Env = append(os.Environ(), justStart+"=1",
		"HOME="+dir, "XDG_CACHE_HOME="+dir, "TMPDIR="+dir)
	return cmd
}

func TestDormantProgramsLeaveTheDiskAlone(t *testing.T) {
	dir := t.TempDir()
	if out, err := start(t, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var made []string
	filepath.WalkDir(dir, func(path string, _ fs.DirEntry, _ error) error {
		if path != dir {
			made = append(made, path)
		}
		return nil
	})
	if len(made) > 0 {
		t.Errorf("starting the program made %q", made)
	}
}

// Everything rests on this order; package boot explains it.
func TestInitializersRunInTheExpectedOrder(t *testing.T) {
	cmd := start(t, t.TempDir())
	cmd.Env = append(cmd.Env, "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	order := []string{"graphviz/dormant ", "graphviz/internal/wasmtmp ", "go-graphviz/internal/wasm "}
	at := -1
	for _, name := range order {
		i := strings.Index(string(out), name)
		if i < 0 {
			// Initializers too quick to measure are not listed.
			if name == order[1] {
				continue
			}
			t.Fatalf("%s is not initialized:\n%s", name, out)
		}
		if i < at {
			t.Errorf("%s is initialized too early:\n%s", name, out)
		}
		at = i
	}
}

// BenchmarkStart starts a program that links go-graphviz in and does not use
// it.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	for b.Loop() {
		if err := start(b, dir).Run(); err != nil {
			b.Fatal(err)
		}
	}
}
