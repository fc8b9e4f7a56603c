package processes

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"testing"
)

// TestMain is a process that starts another one, if it is asked to, and waits until its
// input ends.
func TestMain(m *testing.M) {
	switch os.Getenv("PROCESSES_TEST") {
	case "parent":
		child := exec.Command(os.Args[0])
		child.Env = []string{"PROCESSES_TEST=child"}
		child.Stdin, child.Stdout = os.Stdin, os.Stdout
		if err := child.Run(); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	case "child":
		os.Stdout.WriteString("!")
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestProcessesBelow starts a process that starts another one, in this session and in one
// of its own.
func TestProcessesBelow(t *testing.T) {
	self, ok := Find(os.Getpid())
	if !ok {
		t.Skip("nothing is known of processes on", runtime.GOOS)
	}
	if self.Parent != os.Getppid() {
		t.Errorf("the parent is %d, not %d", self.Parent, os.Getppid())
	}
	for _, detached := range []bool{false, true} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = []string{"PROCESSES_TEST=parent"}
		if detached {
			ownSession(cmd)
		}
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
		if _, err := out.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		parent, _ := Find(cmd.Process.Pid)
		below := parent.Below(false)
		if len(below) != 1 || below[0].Parent != parent.PID {
			t.Fatalf("below the parent: %+v", below)
		}
		child := below[0]
		of := self.Below(false)
		if got := slices.Contains(of, parent) && slices.Contains(of, child); got == detached {
			t.Errorf("a session of its own %v: among those below this one %v", detached, got)
		}
		if all := self.Below(true); !slices.Contains(all, parent) || !slices.Contains(all, child) {
			t.Errorf("below this one: %+v", all)
		}
		if err := child.Signal(os.Kill); err != nil {
			t.Error(err)
		}
		in.Close()
		cmd.Wait()
		if err := child.Signal(os.Kill); err == nil {
			t.Error("a process that has ended was signalled")
		}
		if got := parent.Below(true); got != nil {
			t.Errorf("below a process that has ended: %+v", got)
		}
		other := self
		other.started++ // the number of this process, but not this process
		if err := other.Signal(os.Kill); !errors.Is(err, ErrGone) || other.Below(true) != nil {
			t.Error("another process with the same number was taken for it:", err)
		}
	}
}
