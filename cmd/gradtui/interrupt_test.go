//go:build unix

package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
)

// TestCtrlCDrawsWhatTheProgramDid interrupts everything that runs in a terminal
// while the program does: the program ends, and what it did until then is drawn.
func TestCtrlCDrawsWhatTheProgramDid(t *testing.T) {
	eachEndless(t, func(t *testing.T, program []string) {
		path := filepath.Join(t.TempDir(), "loss.svg")
		code, said := interrupt(t, ctrlC, append([]string{"export", "-o", path}, program...)...)
		if code != cli.ExitStopped {
			t.Errorf("exit code %d, want %d", code, cli.ExitStopped)
		}
		if svg, err := os.ReadFile(path); err != nil || !strings.Contains(string(svg), "MulBackward0") {
			t.Errorf("no picture of the graph: %v; gradtui said:\n%s", err, said)
		}
	})
}

// TestACheckThatIsInterruptedReportsWhatItFound does the same to check, or tells
// gradtui alone to stop.
func TestACheckThatIsInterruptedReportsWhatItFound(t *testing.T) {
	check := func(t *testing.T, program []string, kill func(pid int) error, why string) {
		path := filepath.Join(t.TempDir(), "report.txt")
		code, said := interrupt(t, kill, append([]string{"check", "--show-output", "-o", path}, program...)...)
		if code != cli.ExitFailed {
			t.Errorf("exit code %d, want %d", code, cli.ExitFailed)
		}
		if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), "not complete: "+why) || !strings.Contains(string(text), "no problems found in") {
			t.Errorf("%v\n%s\ngradtui said:\n%s", err, text, said)
		}
	}
	eachEndless(t, func(t *testing.T, program []string) {
		check(t, program, ctrlC, "the program was interrupted")
		check(t, program, func(pid int) error { return syscall.Kill(pid, syscall.SIGTERM) }, "gradtui was asked to stop")
	})
}

// eachEndless runs a test with programs that print "epoch 2 " sometime and do not
// end.
func eachEndless(t *testing.T, test func(t *testing.T, program []string)) {
	t.Run("Go", func(t *testing.T) { test(t, []string{"./testdata/train", "--", "--wait"}) })
	t.Run("Python", func(t *testing.T) {
		needsPython(t)
		test(t, []string{"testdata/endless.py"})
	})
}

// ctrlC is what a terminal does to all that runs in it.
func ctrlC(pid int) error { return syscall.Kill(-pid, syscall.SIGINT) }

// takesInterrupts lets what is started take interrupts, also where this process was started
// in the background, which ignores them.
func takesInterrupts(t *testing.T) {
	ignored := make(chan os.Signal, 1)
	signal.Notify(ignored, os.Interrupt)
	t.Cleanup(func() { signal.Stop(ignored) })
}

// interrupt runs a command with an endless program and ends it.
func interrupt(t *testing.T, kill func(pid int) error, args ...string) (code int, said string) {
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), "GRADTUI_TEST_COMMAND=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	takesInterrupts(t)
	var errors strings.Builder
	cmd.Stderr = &errors
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
	if err := kill(cmd.Process.Pid); err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, output)
	cmd.Wait()
	return cmd.ProcessState.ExitCode(), errors.String()
}
