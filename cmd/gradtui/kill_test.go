package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/tuitest"
	"github.com/gradtui/gradtui/graph/tapefile"
)

// passes are the backward passes of the programs that are killed here.
const passes = 5

// onTape waits until what the program did before it waits is in the file.
func onTape(t *testing.T, path string) {
	t.Helper()
	var r *tapefile.Reader
	for poll := time.NewTicker(20 * time.Millisecond); ; <-poll.C {
		if t.Context().Err() != nil {
			t.Fatal("it was not flushed")
		}
		if r == nil {
			var err error
			if r, err = tapefile.OpenReader(path, tapefile.Options{}); err != nil {
				continue // it is not there yet
			}
			defer r.Close()
		}
		if _, err := r.More(); err != nil {
			t.Fatal(err)
		}
		g := r.Tape().CursorAt(r.Tape().Len()).Graph()
		if last, ok := g.Backward(passes); ok && !last.Running() {
			return
		}
	}
}

// checkTape checks that the tape has all backward passes, and that it can be looked at.
func checkTape(t *testing.T, path string, closed bool) {
	t.Helper()
	tape, report, err := tapefile.Open(path, tapefile.Options{})
	if err != nil || report.Damage != nil {
		t.Fatal(err, report)
	}
	if report.Closed != closed {
		t.Errorf("closed is %v", report.Closed)
	}
	if n := tape.CursorAt(tape.Len()).Graph().BackwardCount(); n != passes {
		t.Errorf("%d backward passes are left of %d", n, passes)
	}
	s := tuitest.Start(t, tuitest.Terminal{Columns: 120, Rows: 30}, "gradtui", "open", path)
	s.Until("MulBackward0")
	if !closed {
		s.Until("following the file")
	}
	s.Keys("Q")
	s.Exit(0)
}

// recording is gradtui record with a program.
func recording(t *testing.T, path, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), os.Args[0], append([]string{"record", program, "-o", path, "--"}, args...)...)
	// What a killed gradtui leaves behind is in a folder of the test.
	cmd.Env = append(os.Environ(), "GRADTUI_TEST_COMMAND=1", "TMPDIR="+t.TempDir())
	cmd.Stderr = t.Output()
	return cmd
}

// TestATapeSurvivesAKill kills gradtui with a signal that it cannot catch while
// the program runs: what was flushed before is on the tape.
func TestATapeSurvivesAKill(t *testing.T) {
	check := func(t *testing.T, program string, args ...string) {
		path := filepath.Join(t.TempDir(), "run.tape")
		cmd := recording(t, path, program, args...)
		input, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		defer input.Close()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		onTape(t, path)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		input.Close() // the program ends, and with it its hold on our streams
		cmd.Wait()
		checkTape(t, path, false)
	}
	t.Run("Go", func(t *testing.T) { check(t, "./testdata/train", "--wait", "--epochs", "5") })
	t.Run("Python", func(t *testing.T) {
		needsPython(t)
		check(t, "testdata/killed.py")
	})
}

// TestAKilledRecordingLeavesTheTapeBefore and itself beside it: --force replaces a tape when
// the new one is complete. The next gradtui removes what else the killed one has left.
func TestAKilledRecordingLeavesTheTapeBefore(t *testing.T) {
	needsPython(t)
	path := filepath.Join(t.TempDir(), "run.tape")
	if err := os.WriteFile(path, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	record := func(args ...string) *exec.Cmd {
		cmd := recording(t, path, "testdata/killed.py", args...)
		cmd.Args = slices.Insert(cmd.Args, 2, "--force")
		return cmd
	}
	killed := record()
	input, err := killed.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer input.Close()
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	part := tapefile.PartName(path)
	onTape(t, part)
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	input.Close()
	killed.Wait()
	checkTape(t, part, false)
	if before, err := os.ReadFile(path); string(before) != "before" {
		t.Errorf("the tape before holds %q, %v", before, err)
	}

	next := record("--kill")
	next.Env = killed.Env // with the same folder for temporary files
	next.Run()
	checkTape(t, path, true)
	if _, err := os.Lstat(part); !errors.Is(err, os.ErrNotExist) {
		t.Error("the part is still there:", err)
	}
	if left, err := os.ReadDir(temporary(killed)); len(left) > 0 || err != nil {
		t.Errorf("%v is left, %v", left, err)
	}
}

// temporary is the folder for temporary files of a command.
func temporary(cmd *exec.Cmd) string {
	return strings.TrimPrefix(cmd.Env[len(cmd.Env)-1], "TMPDIR=")
}

func TestATapeHasWhatAProgramDidBeforeItWasKilled(t *testing.T) {
	needsPython(t)
	path := filepath.Join(t.TempDir(), "run.tape")
	cmd := recording(t, path, "testdata/killed.py", "--kill")
	cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != 128+int(syscall.SIGKILL) {
		t.Errorf("the exit code is %d", code)
	}
	checkTape(t, path, true)
}

func TestTheTapeOfADebuggedProgramSurvivesAKill(t *testing.T) {
	needsPython(t)
	path := filepath.Join(t.TempDir(), "run.tape")
	env := []string{"TMPDIR=" + t.TempDir()}
	s := tuitest.Start(t, tuitest.Terminal{Columns: 120, Rows: 30, Env: env}, "gradtui", "run", "-o", path, "testdata/killed.py")
	s.Until("stopped")
	s.Keys("c")
	onTape(t, path)
	s.Signal(syscall.SIGKILL)
	checkTape(t, path, false)
}

func TestADebuggedProgramLeavesItsTape(t *testing.T) {
	needsPython(t)
	path := filepath.Join(t.TempDir(), "run.tape")
	s := tuitest.Start(t, tuitest.Terminal{Columns: 120, Rows: 30}, "gradtui", "run", "-o", path, "testdata/killed.py", "--kill")
	s.Until("stopped")
	s.Keys("c")
	s.Until("a signal ended the program")
	s.Keys("Q")
	s.Exit(128 + int(syscall.SIGKILL))
	checkTape(t, path, true)

	text, err := exec.Command("gradtui", "run", "--plain", "-o", path, "testdata/killed.py").CombinedOutput()
	if err == nil || !strings.Contains(string(text), "--force") {
		t.Errorf("it overwrites a tape: %v\n%s", err, text)
	}
}
