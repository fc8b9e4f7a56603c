package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/internal/testing/require"
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
	pages, err := filepath.Glob("../../docs/use/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range slices.Concat(documents, pages, []string{"../../README.md"}) {
		name := filepath.Base(path)
		if name == "README.md" {
			name = filepath.Base(filepath.Dir(path))
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !sessionBlock.Match(text) {
				return
			}
			dir := workplace(t)
			recordTapes(t, dir)
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

// recordTapes writes the tapes that documents mention: run.tape, and the tapes of the two ranks
// of a program. The built-in engine serves one process, so each rank runs on its own, and its
// tape is marked afterwards.
func recordTapes(t *testing.T, dir string) {
	t.Helper()
	transcript(t, dir, "gradtui record examples/python/inplace/inplace.py -o run.tape", "")
	const beginning = "# gradtui tape 2.0\n"
	for rank := range 2 {
		transcript(t, dir, "gradtui record examples/commands/gated.py -f -o rank.tape", "", fmt.Sprint("RANK=", rank))
		text, ok := strings.CutPrefix(transcript(t, dir, "gradtui tape text rank.tape", ""), beginning)
		if !ok {
			t.Fatalf("not a tape: %.200q", text)
		}
		text = fmt.Sprintf("%s# rank \"%d\"\n# world_size \"2\"\n%s", beginning, rank, text)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("run.rank%d.tape", rank)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// replay runs the commands of a block and gives the block as it should be: the commands
// with their output. A line "…" of the block stands for any lines of the output, and a
// line that begins with "> " is typed into the command.
func replay(t *testing.T, dir string, block []byte) []byte {
	text := strings.TrimSuffix(strings.TrimPrefix(string(block), "```console\n"), "```")
	var out strings.Builder
	out.WriteString("```console\n")
	for _, part := range regexp.MustCompile(`(?m)^\$ .*\n(?:[^$].*\n|\n)*`).FindAllString(text, -1) {
		command, shown, _ := strings.Cut(part, "\n")
		var typed, expected strings.Builder
		for line := range strings.Lines(shown) {
			if input, ok := strings.CutPrefix(line, "> "); ok {
				typed.WriteString(input)
			} else {
				expected.WriteString(line)
			}
		}
		printed := transcript(t, dir, command, typed.String())
		if !contains(printed, strings.Split("\n"+expected.String(), "\n…\n")) {
			shown = printed
		}
		out.WriteString(command + "\n" + shown)
	}
	return []byte(out.String() + "```")
}

// contains says whether a text consists of parts, in order, with any lines between them.
func contains(text string, parts []string) bool {
	text = "\n" + text
	if len(parts) == 1 {
		return text == parts[0]
	}
	for i, part := range parts {
		_, rest, ok := strings.Cut(text, part)
		if !ok || i == 0 && !strings.HasPrefix(text, part) || i == len(parts)-1 && !strings.HasSuffix(text, part) {
			return false
		}
		text = "\n" + rest
	}
	return true
}

// underlines are the marks below the lines of a traceback, which differ between
// versions of Python.
var underlines = regexp.MustCompile(`(?m)^ +[~^]+\n`)

// transcript is what a terminal shows of a command, without what is typed.
func transcript(t *testing.T, dir, command, input string, variables ...string) string {
	_, args, ok := strings.Cut(command, "gradtui ")
	if !ok {
		t.Fatalf("$ %s is not a call of gradtui", command)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, strings.Fields(args)...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(input)
	cmd.Env = slices.Concat(os.Environ(), []string{"GRADTUI_TEST_COMMAND=1", "PYTHONUNBUFFERED=1", "PWD=" + dir}, variables)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(out.String(), dir+"/", "")
	return underlines.ReplaceAllString(text, "")
}
