//go:build unix

package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/tuitest"
	"github.com/gradtui/gradtui/internal/processes"
	"github.com/gradtui/gradtui/internal/testing/require"
)

// listening is a program that prints which signals it gets, each at once, and all of them
// when its input ends.
const listening = `
import os, signal, sys, torch
got = []
def note(number, frame):
    got.append(int(number))
    os.write(1, b"got %d\n" % number)
signal.signal(signal.SIGINT, note)
signal.signal(signal.SIGTERM, note)
torch.ones(1)
print("ready", os.getpgrp() == os.getpgid(os.getppid()), os.getsid(0) == os.getsid(os.getppid()), flush=True)
for line in sys.stdin:
    print("read", line, end="", flush=True)
print("all", got)
`

// A grouped is a gradtui that leads a process group, and the program in it.
type grouped struct {
	*exec.Cmd
	in     io.WriteCloser
	stdout io.Closer
	out    *bufio.Reader
}

// inGroup starts gradtui run --plain with the program of a text as the leader of a process
// group, as a shell does.
func inGroup(t *testing.T, text string) *grouped {
	t.Helper()
	needsPython(t)
	takesInterrupts(t)
	path := filepath.Join(t.TempDir(), "program.py")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "run", "--plain", path)
	cmd.Env = append(os.Environ(), "GRADTUI_TEST_COMMAND=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Stderr = t.Output()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	return &grouped{cmd, in, out, bufio.NewReader(out)}
}

// expect reads a line of the program.
func (g *grouped) expect(t *testing.T, want string) {
	t.Helper()
	if line, err := g.out.ReadString('\n'); line != want+"\n" {
		t.Fatalf("%q, %v; want %q", line, err, want)
	}
}

// TestAProgramIsInTheGroupOfGradtuiAndGetsEachSignalOnce sends signals to the group, as a
// terminal and CI services do, and to gradtui alone.
func TestAProgramIsInTheGroupOfGradtuiAndGetsEachSignalOnce(t *testing.T) {
	for name, c := range map[string]struct {
		group  bool
		signal syscall.Signal
		want   string
	}{
		"an interrupt of the group":         {true, syscall.SIGINT, "2"},
		"an interrupt of gradtui":           {false, syscall.SIGINT, "2"},
		"a request to the group to end":     {true, syscall.SIGTERM, "15"},
		"a request to gradtui alone to end": {false, syscall.SIGTERM, "15"},
	} {
		t.Run(name, func(t *testing.T) {
			g := inGroup(t, listening)
			g.expect(t, "ready True True")
			to := g.Process.Pid
			if c.group {
				to = -to
			}
			if err := syscall.Kill(to, c.signal); err != nil {
				t.Fatal(err)
			}
			g.expect(t, "got "+c.want)
			g.in.Close()
			g.expect(t, "all ["+c.want+"]")
			g.Wait()
		})
	}
}

func TestCtrlCInATerminalIsOneInterrupt(t *testing.T) {
	needsPython(t)
	takesInterrupts(t)
	path := filepath.Join(t.TempDir(), "program.py")
	if err := os.WriteFile(path, []byte(listening), 0o600); err != nil {
		t.Fatal(err)
	}
	s := tuitest.Start(t, tuitest.Terminal{Columns: 80, Rows: 24}, "gradtui", "run", "--plain", path)
	s.Until("ready True True")
	s.Keys("ctrl+c")
	s.Until("got 2")
	s.Keys("enter")
	s.Until("read")
	s.Keys("ctrl+d")
	s.Until("all [2]")
	s.Exit(0)
}

// TestWhatIsIgnoredStaysIgnored, as below nohup, or in the background of a script.
func TestWhatIsIgnoredStaysIgnored(t *testing.T) {
	needsPython(t)
	path := filepath.Join(t.TempDir(), "program.py")
	const program = "import signal, sys, torch\nprint(signal.getsignal(int(sys.argv[1])) == signal.SIG_IGN)\n"
	if err := os.WriteFile(path, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, ignored := range []syscall.Signal{syscall.SIGHUP, syscall.SIGINT} {
		signal.Ignore(ignored)
		out, err := exec.Command("gradtui", "run", "--plain", path, strconv.Itoa(int(ignored))).Output()
		signal.Reset(ignored)
		require.Signals()
		if err != nil || string(out) != "True\n" {
			t.Errorf("%v: %q, %v", ignored, out, err)
		}
	}
}

// TestStoppingAndGoingOn stops the group, as Ctrl-Z does, and lets it go on, as fg does.
func TestStoppingAndGoingOn(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/proc says that a process is stopped")
	}
	g := inGroup(t, listening)
	g.expect(t, "ready True True")
	self, _ := processes.Find(g.Process.Pid)
	program := -1
	for _, p := range self.Below(false) {
		if line, _ := os.ReadFile(procFile(p.PID, "cmdline")); strings.Contains(string(line), "program.py") {
			program = p.PID
		}
	}
	all := []int{g.Process.Pid, program}
	syscall.Kill(-g.Process.Pid, syscall.SIGTSTP)
	for _, pid := range all {
		untilState(t, pid, "T")
	}
	io.WriteString(g.in, "line\n")
	syscall.Kill(-g.Process.Pid, syscall.SIGCONT)
	g.expect(t, "read line")
	g.in.Close()
	g.expect(t, "all []")
	if err := g.Wait(); err != nil {
		t.Error(err)
	}
}

func procFile(pid int, name string) string {
	return filepath.Join("/proc", strconv.Itoa(pid), name)
}

// untilState waits until a process is in a state.
func untilState(t *testing.T, pid int, want string) {
	t.Helper()
	for poll := time.NewTicker(5 * time.Millisecond); ; <-poll.C {
		if t.Context().Err() != nil {
			t.Fatalf("process %d is not in the state %s", pid, want)
		}
		text, err := os.ReadFile(procFile(pid, "stat"))
		if err != nil {
			t.Fatal(err)
		}
		if _, after, _ := strings.Cut(string(text), ") "); strings.HasPrefix(after, want) {
			return
		}
	}
}

// TestChildrenEndWithACancelledProgram, except for one that has begun a session of its own.
func TestChildrenEndWithACancelledProgram(t *testing.T) {
	const parent = `
import os, signal, torch
torch.ones(1)
reader, writer = os.pipe()
for own in False, True:
    if os.fork() == 0:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if own:
            os.setsid()
        print(os.getpid(), flush=True)
        os.write(writer, b"!")
        os.read(0, 1)
        print("detached" if own else "child", "goes on", flush=True)
        os._exit(0)
    os.read(reader, 1)
print("ready", flush=True)
signal.pause()
`
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("it is not known which processes there are")
	}
	g := inGroup(t, parent)
	for range 2 {
		g.out.ReadString('\n')
	}
	g.expect(t, "ready")
	if err := g.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if state, err := g.Process.Wait(); err != nil || state.ExitCode() != 128+int(syscall.SIGTERM) {
		t.Errorf("%v, %v", state, err)
	}
	g.in.Close()
	rest, err := io.ReadAll(g.out)
	if string(rest) != "detached goes on\n" {
		t.Errorf("%q, %v", rest, err)
	}
}

// TestAProgramWhoseReaderEndsEndsAsWithoutGradtui, as in gradtui run program.py | head -1.
func TestAProgramWhoseReaderEndsEndsAsWithoutGradtui(t *testing.T) {
	g := inGroup(t, `
import torch
torch.ones(1)
try:
    for i in range(10**9):
        print(i)
except BrokenPipeError:
    import os
    os._exit(7)
`)
	g.expect(t, "0")
	g.stdout.Close()
	g.Wait()
	if code := g.ProcessState.ExitCode(); code != 7 {
		t.Errorf("exit code %d", code)
	}
}
