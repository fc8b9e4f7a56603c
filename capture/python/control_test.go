package python

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
)

// controlled runs a program under a session.
func controlled(t *testing.T, source string, first control.Command) (*control.Session, *graph.Tape, <-chan *Run) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program.py")
	if err := os.WriteFile(path, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	s, tape, over := control.NewSession(first), graph.NewTape(graph.Limits{}), make(chan *Run, 1)
	go func() {
		run, err := (&Program{Path: path, Session: s, Stdout: io.Discard, Stderr: io.Discard}).Run(context.Background(), tape)
		if err != nil {
			t.Error(err)
			s.End()
		}
		over <- run
	}()
	return s, tape, over
}

const controlledProgram = `
import torch
w = torch.ones(2, requires_grad=True)
for i in range(3):
    loss = (w * 2).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
raise SystemExit(5)
`

func TestControlsAPythonProgram(t *testing.T) {
	requirePython(t)
	points := []control.Breakpoint{{ID: 1, Query: "program.py:6"}, {ID: 2, Query: "inplace w"}}
	s, tape, over := controlled(t, controlledProgram, control.Command{Breakpoints: &points})
	for i := range 6 {
		stop, ok := <-s.Stops()
		if !ok || stop.Breakpoint != 1+i%2 {
			t.Fatalf("stop %d: %+v, %v", i, stop, ok)
		}
		h, _, _ := tape.At(graph.Pos(stop.Events - 1))
		if stack := tape.Stack(h.Stack); len(stack) == 0 || stack[0].Line != 6+2*(i%2) {
			t.Errorf("stop %d at %v", i, stack)
		}
		if i == 5 {
			s.Detach()
		} else {
			s.Resume(control.Continue)
		}
	}
	if run := <-over; run.ExitCode != 5 {
		t.Errorf("exit code %d", run.ExitCode)
	}
}

// TestAPythonProgramDiesWhileItIsStopped is about a program that is killed when it
// waits for the debugger.
func TestAPythonProgramDiesWhileItIsStopped(t *testing.T) {
	requirePython(t)
	s, _, over := controlled(t, `
import os, signal, threading, torch
about = threading.Event()
threading.Thread(target=lambda: (about.wait(), os.kill(os.getpid(), signal.SIGKILL))).start()
x = torch.ones(1)
about.set()
for i in range(1000):
    x = x + 1
`, control.Command{Breakpoints: &[]control.Breakpoint{{ID: 1, Query: "tensor x", Skip: 1}}})
	for range s.Stops() {
	}
	if run := <-over; run.ExitCode != 128+9 {
		t.Errorf("exit code %d", run.ExitCode)
	}
}

// requirePython skips a test on a machine without Python.
func requirePython(t *testing.T) {
	t.Helper()
	_, _, done, err := Find(t.Context(), "")
	if err != nil {
		t.Skip("it needs a Python: ", err)
	}
	done()
}
