package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/internal/require"
)

var update = flag.Bool("update", false, "write what the commands print into the documents")

// sessionBlock is a part of a document that shows commands and what they print.
var sessionBlock = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")

func TestTheDocumentsShowWhatTheCommandsPrint(t *testing.T) {
	if p := needsPython(t); p.Version[1] < 11 {
		t.Skipf("skipped with %v: its functions do not know the names of their classes", p)
	}
	documents, err := filepath.Glob("../../examples/python/*/README.md")
	if err != nil || len(documents) < 11 {
		t.Fatalf("only %d examples were found (%v)", len(documents), err)
	}
	for _, path := range append(documents, "../../README.md") {
		name := filepath.Base(filepath.Dir(path))
		if name == ".." {
			name = "README.md"
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			dir := workplace(t)
			got := sessionBlock.ReplaceAllFunc(text, func(block []byte) []byte {
				return replay(t, dir, block)
			})
			if *update && !bytes.Equal(got, text) {
				if err := os.WriteFile(path, got, 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(text), string(got)); diff != "" {
				t.Errorf("%s shows something else than the commands print (go test -run %s -update rewrites it):\n%s", path, t.Name(), diff)
			}
		})
	}
}

// needsPython gives the Python that programs run in. Without one the test is
// skipped, unless GRADTUI_REQUIRE lists python.
func needsPython(t *testing.T) *python.Interpreter {
	t.Helper()
	found, _, closed, err := python.Find(t.Context(), "")
	if err != nil {
		require.Missing(t, "python", err.Error())
	}
	closed()
	return found.Interpreter
}

// workplace is a folder that looks like the repository to the commands, where they
// may write files.
func workplace(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(repository, "examples"), filepath.Join(dir, "examples")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// replay runs the commands of a block and gives the block as it should be.
func replay(t *testing.T, dir string, block []byte) []byte {
	out := []byte("```console\n")
	for line := range bytes.Lines(block) {
		command, ok := bytes.CutPrefix(line, []byte("$ "))
		if !ok {
			continue
		}
		out = append(out, line...)
		out = append(out, transcript(t, dir, strings.TrimSpace(string(command)))...)
	}
	return append(out, "```"...)
}

// underlines are the marks below the lines of a traceback, which differ between
// versions of Python.
var underlines = regexp.MustCompile(`(?m)^ +[~^]+\n`)

// transcript is what a terminal shows of a command.
func transcript(t *testing.T, dir, command string) string {
	_, args, ok := strings.Cut(command, "gradtui ")
	if !ok {
		t.Fatalf("$ %s is no call of gradtui", command)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, strings.Fields(args)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GRADTUI_TEST_COMMAND=1", "PYTHONUNBUFFERED=1", "PWD="+dir)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(out.String(), dir+"/", "")
	return underlines.ReplaceAllString(text, "")
}
