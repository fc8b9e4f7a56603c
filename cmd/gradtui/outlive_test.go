//go:build unix

package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/tuitest"
)

// halves trains, waits for a line, and trains again.
const halves = `
import sys
import torch
w = torch.ones(2, requires_grad=True)
def train():
    for i in range(200):
        w.grad = None
        (w * w).sum().backward()
        with torch.no_grad():
            w.sub_(w.grad, alpha=0.001)
train()
print("half", flush=True)
sys.stdin.readline()
train()
print(w.tolist(), flush=True)
`

// A trainee is a program that has trained half.
type trainee struct {
	*exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// train starts a command that prints what halves prints.
func train(t *testing.T, cmd *exec.Cmd) *trainee {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	return &trainee{cmd, in, bufio.NewReader(out)}
}

// half waits until the program has trained half.
func (p *trainee) half(t *testing.T) {
	t.Helper()
	if line, err := p.out.ReadString('\n'); line != "half\n" {
		t.Fatalf("%q, %v", line, err)
	}
}

// whole lets the program train to its end, and returns what it prints then.
func (p *trainee) whole(t *testing.T) string {
	t.Helper()
	io.WriteString(p.in, "\n")
	rest, err := io.ReadAll(p.out)
	if err != nil {
		t.Error(err)
	}
	return string(rest)
}

// TestAProgramOutlivesGradtui kills gradtui with a signal that it cannot catch: a program
// on PyTorch that it records, or that it is attached to, goes on to its end, and its numbers
// are what they would be.
func TestAProgramOutlivesGradtui(t *testing.T) {
	python, env := importing(t)
	program := filepath.Join(t.TempDir(), "halves.py")
	if err := os.WriteFile(program, []byte(halves), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(name string, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Env = append(os.Environ(), env...)
		return cmd
	}
	alone := train(t, run(python, program))
	alone.half(t)
	want := alone.whole(t)
	if alone.Wait() != nil || !strings.HasPrefix(want, "[0.") {
		t.Fatalf("%q", want)
	}
	check := func(t *testing.T, got string) {
		if got != want {
			t.Errorf("the program printed %q, not %q", got, want)
		}
	}
	t.Run("that records it", func(t *testing.T) {
		cmd := run(os.Args[0], "record", "--engine", "torch", "--python", python, "-o", filepath.Join(t.TempDir(), "run.tape"), program)
		cmd.Env = append(cmd.Env, "GRADTUI_TEST_COMMAND=1", "PYTHONPATH=", "TMPDIR="+t.TempDir())
		p := train(t, cmd)
		p.half(t)
		if err := p.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		check(t, p.whole(t))
		p.Wait()
	})
	for _, where := range []string{"that it waits for", "that it has left"} {
		t.Run(where, func(t *testing.T) {
			s := tuitest.Start(t, tuitest.Terminal{Columns: 120, Rows: 30, Env: append(env, "TMPDIR="+t.TempDir())}, "gradtui", "attach")
			p := train(t, run(python, "-c", "import gradtui\ngradtui.attach(wait=True)"+halves))
			s.Until("stopped")
			if where == "that it has left" {
				s.Keys("c")
				p.half(t)
			}
			s.Signal(syscall.SIGKILL)
			if where == "that it waits for" {
				p.half(t)
			}
			check(t, p.whole(t))
			if err := p.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
}
