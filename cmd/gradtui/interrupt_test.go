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
)

// TestCtrlCDrawsWhatTheProgramDid interrupts everything that runs in a terminal
// while the program does: the program ends, and what it did until then is drawn.
func TestCtrlCDrawsWhatTheProgramDid(t *testing.T) {
	t.Run("Go", func(t *testing.T) { interrupt(t, "./testdata/train", "--", "--wait") })
	t.Run("Python", func(t *testing.T) {
		needsPython(t)
		t.Setenv("XDG_CACHE_HOME", t.TempDir())
		interrupt(t, "testdata/endless.py")
	})
}

// interrupt runs a program that prints "epoch 2 " sometime and does not end.
func interrupt(t *testing.T, program ...string) {
	path := filepath.Join(t.TempDir(), "loss.svg")
	cmd := exec.CommandContext(t.Context(), os.Args[0], append([]string{"export", "-o", path}, program...)...)
	cmd.Env = append(os.Environ(), "GRADTUI_TEST_COMMAND=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var said strings.Builder
	cmd.Stderr = &said
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer input.Close()
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	printed := bufio.NewScanner(output)
	for printed.Scan() && !strings.HasPrefix(printed.Text(), "epoch 2 ") {
	}
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, output)
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitStopped {
		t.Errorf("exit code %d, want %d", code, exitStopped)
	}
	if svg, err := os.ReadFile(path); err != nil || !strings.Contains(string(svg), "MulBackward0") {
		t.Errorf("no picture of the graph: %v; gradtui said:\n%s", err, said.String())
	}
}
