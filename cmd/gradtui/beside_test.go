//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
)

// besideTorch makes the PATH have a Python without torch, and after it one that says that it has
// torch, and returns the path of that one and of a program.
func besideTorch(t *testing.T) (with, program string) {
	t.Helper()
	found := needsPython(t)
	if found.Torch != "" {
		t.Skip("skipped where python3 has torch")
	}
	dir := t.TempDir()
	with, program = filepath.Join(dir, "two", "python3"), filepath.Join(dir, "prog.py")
	answer := `{"Executable": "/two", "Implementation": "cpython", "Version": [3, 12, 1], "Torch": "2.6.0"}`
	for path, text := range map[string]string{
		filepath.Join(dir, "one", "python3"): fmt.Sprintf("#!/bin/sh\nexec '%s' \"$@\"\n", found.Executable),
		with:                                 fmt.Sprintf("#!/bin/sh\necho '%s'\n", answer),
		program:                              "import torch\nprint(torch.ones(2))\n",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv(python.EngineVariable, "")
	t.Setenv("VIRTUAL_ENV", "")
	t.Setenv("CONDA_PREFIX", "")
	t.Setenv("PATH", filepath.Join(dir, "one")+":"+filepath.Dir(with)+":"+os.Getenv("PATH"))
	return with, program
}

func TestTheFirstLineNamesAPythonThatHasTorch(t *testing.T) {
	with, program := besideTorch(t)
	want := fmt.Sprintf("gradtui: running prog.py on the built-in engine, because this Python has no torch; use --python %s for PyTorch 2.6.0, or --engine builtin to hide this note\n", with)
	for _, line := range [][]string{{"run", program}, {"check", "--show-output", program}, {"stat", program}, {"run", "--plain-ui", program}} {
		code, said := did(t, "c\nq\n", line...)
		if code != cli.ExitOK || !strings.HasPrefix(said, want) || strings.Count(said, "PyTorch 2.6.0") != 1 {
			t.Errorf("gradtui %s: %d\n%s", line, code, said)
		}
	}
	for _, line := range [][]string{{"run", "--quiet", program}, {"run", "--plain", program}, {"run", "--engine", "builtin", program}, {"run", "--python", "python3", program}} {
		if code, said := did(t, "", line...); code != cli.ExitOK || strings.Contains(said, "2.6.0") {
			t.Errorf("gradtui %s: %d\n%s", line, code, said)
		}
	}
}

func TestTheEndOfAnUnsupportedProgramSaysHowItRunsOnPyTorch(t *testing.T) {
	with, program := besideTorch(t)
	if err := os.WriteFile(program, []byte("import torch\ntry:\n    torch.lobpcg(torch.ones(2, 2))\nfinally:\n    print('over')\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	lacks := "gradtui's built-in engine does not have torch.lobpcg"
	advice := fmt.Sprintf("--engine torch --python %s runs it on PyTorch 2.6.0", with)
	for _, line := range [][]string{{"run", program}, {"run", "--engine", "builtin", program}, {"run", "--python", "python3", program}, {"stat", program}} {
		_, said := did(t, "", line...)
		if note := "gradtui: the built-in engine lacks something that the program needs; " + advice + "\n"; !strings.Contains(said, "torch.Unsupported: "+lacks+"\n") || strings.Count(said, note) != 1 {
			t.Errorf("gradtui %s:\n%s", line, said)
		}
	}
	for _, line := range [][]string{{"check", program}, {"check", "--quiet", program}} {
		if _, said := did(t, "", line...); !strings.Contains(strings.Join(strings.Fields(said), " "), "the check is not complete: "+lacks+"; "+advice) {
			t.Errorf("gradtui %s:\n%s", line, said)
		}
	}
	for _, line := range [][]string{{"run", "--quiet", program}, {"run", "--plain", program}} {
		if _, said := did(t, "", line...); strings.Contains(said, "--engine torch") {
			t.Errorf("gradtui %s:\n%s", line, said)
		}
	}
	_, said := did(t, "c\nstatus\nq\n", "run", "--plain-ui", program)
	if !strings.Contains(said, "exit code 1; "+advice) {
		t.Errorf("the debugger:\n%s", said)
	}
	if err := os.Remove(with); err != nil {
		t.Fatal(err)
	}
	for _, line := range [][]string{{"run", "--ranks", "2", program}, {"run", "--engine", "torch", program}, {"run", program}} {
		if _, said := did(t, "", line...); !strings.Contains(said, "--engine torch") {
			t.Errorf("gradtui %s:\n%s", line, said)
		}
	}
}
