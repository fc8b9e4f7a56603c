// Package pythontest records Python programs for tests. The engine's state is the
// process's, so each program is served by a process of its own: the test binary once
// more.
package pythontest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/internal/testing/require"
)

// recording makes this binary record a program.
const recording = "GRADTUI_TEST_RECORD"

// chosen is the environment variable that tells the processes which Python was found, so
// that not each of them has to ask it what it is.
const chosen = "GRADTUI_TEST_PYTHON"

// patience is what a program may take before it is killed.
const patience = 2 * time.Minute

// Main runs the tests of a package, or records the program that one of them asks for.
// TestMain calls it.
func Main(m *testing.M) {
	if os.Getenv(recording) == "" {
		code := m.Run()
		if bare != "" {
			os.RemoveAll(bare)
		}
		os.Exit(code)
	}
	if err := record(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func record(program, output string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	p := python.Program{Path: program, Choice: Choice(), Engine: python.Builtin, Stdout: os.Stdout, Stderr: os.Stderr}
	run, err := p.Run(ctx, nil)
	if err != nil {
		return err
	}
	if !run.Connected || run.Damaged != nil {
		return errors.Join(fmt.Errorf("nothing was recorded, or not all (exit code %d)", run.ExitCode), run.Damaged)
	}
	w, err := tapefile.Create(output, run.Tape.Info(), tapefile.WriterOptions{})
	if err != nil {
		return err
	}
	return errors.Join(w.Flush(run.Tape), w.Close())
}

// found is the Python of this machine, as JSON; empty if each process has to find it: there
// is none, or it is gone when its finder is.
var found = sync.OnceValue(func() string {
	c, _, closed, err := python.Find(context.Background(), "")
	if err != nil {
		return ""
	}
	defer closed()
	if c.From == "embedded" {
		return ""
	}
	if c.Interpreter.Numpy == "" {
		c = withoutPackages(c)
	}
	data, err := json.Marshal(c)
	if err != nil {
		return ""
	}
	return string(data)
})

// bare is the folder of an environment without packages.
var bare string

// withoutPackages makes an environment of a Python without what is installed there: it may
// be read whenever Python starts, for longer than most programs run.
func withoutPackages(c *python.Candidate) *python.Candidate {
	var err error
	if bare, err = os.MkdirTemp("", ""); err != nil {
		return c
	}
	if exec.Command(c.Interpreter.Executable, "-m", "venv", "--without-pip", bare).Run() != nil {
		return c
	}
	inside, _, closed, err := python.Find(context.Background(), bare)
	if err != nil {
		return c
	}
	closed()
	return inside
}

// Environment returns the environment of a process that runs programs with [Choice].
func Environment() []string {
	return append(os.Environ(), chosen+"="+found(), "PYTHONDONTWRITEBYTECODE=1")
}

// WithNumPy is the same with a Python that has NumPy; nil if there is none.
func WithNumPy() []string {
	for _, name := range []string{"", "/usr/bin/python3"} {
		c, _, closed, err := python.Find(context.Background(), name)
		if err != nil {
			continue
		}
		closed()
		if data, err := json.Marshal(c); err == nil && c.Interpreter.Numpy != "" {
			return append(Environment(), chosen+"="+string(data))
		}
	}
	return nil
}

// Choice is the Python that such a process takes, and the built-in engine; nil if it has to
// find a Python.
func Choice() *python.Choice {
	c := &python.Choice{Engine: python.Builtin}
	if json.Unmarshal([]byte(os.Getenv(chosen)), &c.Python) != nil {
		return nil
	}
	return c
}

// Record runs a program and returns its tape. Without a Python the test is skipped,
// unless GRADTUI_REQUIRE asks for one.
func Record(t testing.TB, program string) *graph.Tape {
	t.Helper()
	output := filepath.Join(t.TempDir(), "run.tape")
	cmd := exec.Command(os.Args[0], program, output)
	cmd.Env = append(Environment(), recording+"=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		if strings.Contains(string(out), python.ErrNoPython.Error()) {
			require.Missing(t, "python", python.ErrNoPython.Error())
		}
		t.Fatalf("recording %s: %v\n%s", program, err, out)
	}
	tape, _, err := tapefile.Open(output, tapefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tape
}
