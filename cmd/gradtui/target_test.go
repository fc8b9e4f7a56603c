//go:build unix

package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
	"github.com/gradtui/gradtui/inspect/report"
)

// did runs a command line in this process and returns its exit code and all that it writes.
func did(t *testing.T, in string, args ...string) (code int, said string) {
	t.Helper()
	var out bytes.Buffer
	code = execute(t.Context(), args, cli.Streams{In: strings.NewReader(in), Out: &out, Err: &out})
	return code, out.String()
}

// populate fills the working directory with files of all sorts. Those that could be run
// leave a mark when they are.
func populate(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	script := "#!/usr/bin/env python3\nopen('mark', 'w')\n"
	for name, text := range map[string]string{
		"run.tape": script, "RUN.TAPE": script, "run.tape#2": script, "x.tape/__main__.py": script,
		"run": script, "run.txt": script, "begins": "# gradtui tape 1.0\n", "train.py": script, "app.pyz": "PK",
		"app/__main__.py": script, "scripts/b.py": script, "scripts/a.py": script, "main/main.py": "", "main/a.py": "",
		"pkg/x.go": "package x\n", "pkg/x.py": script, "plain": "words\n", "empty/readme": "",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"link.tape": "train.py", "folder.tape": "app", "linked.py": "run.tape"} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	for _, pipe := range []string{"pipe.tape", "pipe", "pipe.star"} {
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheNameSaysWhatIsATapeAndWhatIsAProgram(t *testing.T) {
	populate(t)
	words := func(t target.Target, err error) string {
		switch {
		case err != nil:
			return "error: " + err.Error()
		case t.IsTape:
			return "tape"
		case t.Language == launch.Python:
			return "Python"
		}
		return "Go"
	}
	const tape, python, golang = "tape", "Python", "Go"
	const never = "error: NAME is a tape and cannot be run"
	for _, c := range []struct {
		name                     string
		read, run, readAsProgram string // the beginning of an error is enough
	}{
		{"run.tape", tape, never, "error: run.tape is a tape by its name"},
		{"RUN.TAPE", tape, never, "error: RUN.TAPE is a tape by its name"},
		{"run.tape#2", tape, never, "error: run.tape#2 is a tape by its name"},
		{"nothing.tape", tape, never, "error: nothing.tape is a tape by its name"},
		{"x.tape", tape, never, "error: x.tape is a tape by its name"},
		{"x.tape/", tape, never, "error: x.tape/ is a tape by its name"},
		{"link.tape", tape, never, "error: link.tape is a tape by its name"},
		{"folder.tape", tape, never, "error: folder.tape is a tape by its name"},
		{"pipe.tape", tape, never, "error: pipe.tape is a tape by its name"},
		{"begins", tape, never, "error: begins begins like a tape"},
		{"run", "error: run would be read as a tape, but looks like a Python program; use --program", python, python},
		{"run.txt", "error: run.txt would be read as a tape", python, python},
		{"plain", tape, "error: cannot tell from its extension or first line what plain is", python},
		{"train.py", python, python, python},
		{"linked.py", python, python, python},
		{"nothing.py", python, python, python},
		{"app.pyz", python, python, python},
		{"app", python, python, python},
		{"-", python, python, python},
		{"torchrun", python, python, python},
		{"pkg", golang, golang, golang},
		{"./pkg", golang, golang, golang},
		{"pkg/x.go", golang, golang, golang},
		{"example.com/train", golang, golang, golang},
		{"scripts", "error: scripts is a folder without a __main__.py; name one of its files (a.py, b.py), for example: scripts/a.py", "error: ", "error: "},
		{"main", "error: main is a folder without a __main__.py; name one of its files (a.py, main.py), for example: main/main.py", "error: ", "error: "},
		{"empty", "error: empty is a folder without a program", "error: ", "error: "},
		{"nothing", "error: no such file or folder: nothing", "error: ", "error: "},
		{"./nothing", "error: no such file or folder: ./nothing", "error: ", "error: "},
		{"pipe", "error: cannot read pipe: it is a named pipe", "error: ", "error: "},
		{"/dev/null", "error: cannot read /dev/null: it is a device", "error: ", "error: "},
	} {
		for _, way := range []struct {
			what, want string
			got        func(*target.Flags, string) (target.Target, error)
			program    bool
		}{
			{"read", c.read, (*target.Flags).Target, false},
			{"run", strings.Replace(c.run, "NAME", c.name, 1), (*target.Flags).Runnable, false},
			{"read with --program", c.readAsProgram, (*target.Flags).Target, true},
		} {
			f := target.Flags{AsProgram: way.program}
			if got := words(way.got(&f, c.name)); got != way.want && !(strings.HasPrefix(way.want, "error: ") && strings.HasPrefix(got, way.want)) {
				t.Errorf("%s %s: %s, want %s", way.what, c.name, got, way.want)
			}
		}
	}
}

// Nothing that may have been sent as a tape is run, and a pipe does not make gradtui wait.
func TestATapeNeverRunsCode(t *testing.T) {
	populate(t)
	for _, name := range []string{"run.tape", "RUN.TAPE", "run.tape#2", "x.tape", "x.tape/", "link.tape", "folder.tape", "run", "run.txt", "pipe.tape", "pipe", "begins"} {
		for _, line := range [][]string{
			{"check", name}, {"stat", name}, {"stat", "--against", name, "begins"}, {"export", name}, {"explain", name, "loss"},
			{"diff", name, name + "#2"}, {"diff", "begins", name}, {"ranks", name, name}, {"check", "begins", name}, {"open", "--plain-ui", name},
			{"tape", "verify", name}, {"tape", "text", name},
		} {
			did(t, "", line...)
			if _, err := os.Lstat("mark"); err == nil {
				t.Fatalf("gradtui %s has run a program", strings.Join(line, " "))
			}
		}
	}
	for _, line := range [][]string{{"check", "begins", "--script", "pipe.star"}, {"check", "begins", "--config", "pipe"}, {"open", "-"}, {"tape", "text", "-"}, {"tape", "verify", "-"}} {
		if code, said := did(t, "", line...); code != cli.ExitFailed || strings.Count(said, "\n") != 1 {
			t.Errorf("gradtui %s: %d: %s", strings.Join(line, " "), code, said)
		}
	}
}

// failing is a tape in text form that has a finding, with lines of a file NAME in it.
const failing = `# gradtui tape 1.0
# engine "builtin"
# program NAME
stack 1 NAME:1:1-1:9:"<module>"
+1ms tensor-created @1 tensor=1 storage=1 bytes=8 counter=1 dtype=float32 shape=[2] flags=requires_grad
+1ms name-bound @1 name="w" tensor=1
stack 2 NAME:2:1-2:4:"<module>"
+1ms node-created @2 node=1 name="AccumulateGrad" sequence=18446744073709551615 outputs=1 variable=1
+0s node-created @2 node=2 name="MulBackward0" outputs=1 edges=[(node=1),(node=1)] saved=[(name="other" tensor=1 flags=leaf),(name="self" tensor=1 flags=leaf)]
+0s tensor-created @2 tensor=2 storage=2 bytes=8 counter=2 dtype=float32 shape=[2] node=2
+0s op-ran @2 op="mul" inputs=[1,1] outputs=[2] node=2
stack 3 NAME:1:1-1:6:"<module>"
+1ms backward-began @3 backward=1 roots=[(tensor=2 node=2)]
+0s node-ready @3 backward=1 node=2
+0s node-executed @3 backward=1 node=2
+0s saved-freed @3 backward=1 node=2
+0s backward-ended @3 backward=1
stack 4 NAME:2:1-2:4:"<module>"
+1ms backward-began @4 backward=2 roots=[(tensor=2 node=2)]
+0s node-ready @4 backward=2 node=2
+0s backward-failed @4 backward=2 node=2 type="RuntimeError" message="Trying to backward through the graph a second time"
+1ms raised @4 type="RuntimeError" code="freed" op="backward" message="Trying to backward through the graph a second time" tensors=[2]
`

// A call stack may name any file. What is in it is shown by no command and in no format,
// unless the tape has it.
func TestATapeShowsNothingOfTheFilesThatItNames(t *testing.T) {
	const secret = "PASSWORD=hunter2"
	dir := t.TempDir()
	text := secret + "  # gradtui: ignore\n" + secret + "\n"
	for _, name := range []string{".env", "work/secret.py", "work/secret"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(dir, "work"))
	if err := os.Symlink("../.env", "link.py"); err != nil {
		t.Fatal(err)
	}
	lines := [][]string{
		{"stat", "x.tape"}, {"stat", "x.tape", "--format", "json"}, {"explain", "x.tape", "w"}, {"explain", "x.tape", "w", "--format", "json"},
		{"diff", "x.tape", "y.tape"}, {"diff", "x.tape", "y.tape", "--format", "json"}, {"tape", "text", "x.tape"}, {"tape", "verify", "x.tape"},
		{"open", "--plain-ui", "x.tape"},
	}
	for _, format := range report.FormatNames() {
		lines = append(lines, []string{"check", "x.tape", "--only", "second-backward", "--format", format})
	}
	for _, format := range []string{"text", "json", "dot", "mermaid"} {
		lines = append(lines, []string{"export", "x.tape", "--saved", "--attrs", "--format", format})
	}
	for _, name := range []string{
		"/etc/passwd", "../.env", filepath.Join(dir, ".env"), "secret", "secret.py", "./secret.py", filepath.Join(dir, "work/secret.py"),
		"link.py", "/dev/zero", "/dev/stdin", "/proc/self/environ", "..", ".", "x.tape",
	} {
		// With a sum as well, as of a text that is left out.
		leftOut := fmt.Sprintf("+0s source-read file=%q size=%d sum=%q left_out=\"it is too long\"\n", name, len(text), sum(text))
		for _, more := range []string{"", leftOut} {
			tape := strings.ReplaceAll(failing, "NAME", fmt.Sprintf("%q", name)) + more
			for _, file := range []string{"x.tape", "y.tape"} {
				if err := os.WriteFile(file, []byte(tape), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for _, line := range lines {
				code, said := did(t, "C\nm\np source\nq\n", line...)
				if strings.Contains(said, "hunter2") || strings.Contains(said, "root:") {
					t.Errorf("gradtui %s shows %s:\n%s", strings.Join(line, " "), name, said)
				}
				if code == cli.ExitFailed {
					t.Errorf("gradtui %s of %s: %s", strings.Join(line, " "), name, said)
				}
				if line[0] == "check" && code != cli.ExitFindings {
					t.Errorf("%s hides a finding: %d\n%s", name, code, said)
				}
			}
		}
	}
}

// sum is the SHA-256 of a text.
func sum(text string) string {
	s := sha256.Sum256([]byte(text))
	return hex.EncodeToString(s[:])
}

// A program in an archive, in a folder or on standard input has its source on the tape, as
// one in a file has: the finding shows the line.
func TestProgramsOfAllSortsHaveTheirSourceOnTheTape(t *testing.T) {
	needsPython(t)
	const program = `import torch
w = torch.ones(3, requires_grad=True)
y = w.exp()
y += 1  # the culprit
y.sum().backward()
`
	t.Chdir(t.TempDir())
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	main, err := w.Create("__main__.py")
	if err == nil {
		_, err = main.Write([]byte(program))
	}
	if err := errors.Join(err, w.Close(), os.Mkdir("app", 0o700)); err != nil {
		t.Fatal(err)
	}
	long := program + strings.Repeat("#\n", 1<<19)
	for name, text := range map[string]string{"app.pyz": archive.String(), "app/__main__.py": program, "tool": program, "train.py": program, "long.py": long} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range [][]string{{"app.pyz"}, {"app"}, {"train.py"}, {"--program", "tool"}, {"-"}, {"long.py"}} {
		name := line[len(line)-1]
		record := append([]string{"record", "-f", "-o", "run.tape"}, line...)
		if code, said := did(t, program, record...); code == cli.ExitFailed {
			t.Fatalf("%s: %s", name, said)
		}
		code, said := did(t, "", "check", "run.tape")
		if shown := strings.Contains(said, "| y += 1  # the culprit\n"); code != cli.ExitFindings || shown == (name == "long.py") {
			t.Errorf("the tape of %s: %d\n%s", name, code, said)
		}
	}
	if code, said := did(t, "", "check", "long.py"); code != cli.ExitFindings || !strings.Contains(said, "| y += 1  # the culprit\n") {
		t.Errorf("a text that is left out is not read from the folder of the program: %d\n%s", code, said)
	}
	if code, said := did(t, "# gradtui tape 1.0\n", "check", "-"); code != cli.ExitFailed || !strings.Contains(said, "a tape has to be a file") {
		t.Errorf("a tape on standard input: %d: %s", code, said)
	}
}

func TestAnUnknownEngineOfTheEnvironmentIsSaid(t *testing.T) {
	needsPython(t)
	path := filepath.Join(t.TempDir(), "prog.py")
	if err := os.WriteFile(path, []byte("import torch\nprint(torch.ones(2))\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(python.EngineVariable, "buildin")
	want := `the environment variable GRADTUI_ENGINE: unknown engine "buildin" (did you mean "builtin"?); use one of auto, builtin, torch` + "\n"
	for _, command := range []string{"run", "check", "stat"} {
		if code, said := did(t, "", command, path); code != cli.ExitFailed || said != "gradtui: "+want {
			t.Errorf("gradtui %s: %d\n%s", command, code, said)
		}
	}
	if code, said := did(t, "", "doctor"); code != cli.ExitOK || !strings.Contains(said, "engine     "+want) {
		t.Errorf("gradtui doctor: %d\n%s", code, said)
	}
	if code, said := did(t, "", "run", "--plain", "--engine", "builtin", path); code != cli.ExitOK || said != "tensor([1., 1.])\n" {
		t.Errorf("with --engine: %d\n%s", code, said)
	}
}
