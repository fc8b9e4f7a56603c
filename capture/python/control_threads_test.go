package python

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
)

// conversing talks with the test while it is under control: each line that it reads is
// answered by one that it prints.
const conversing = `
import os, signal, sys, threading
import torch

lock = threading.Lock()
def say(text):
    with lock:
        print(text, flush=True)

x = torch.full((2,), 0.5, requires_grad=True)

def other():
    sys.stdin.readline()
    for i in range(3000):
        x + i
    say("the other thread goes on")
    sys.stdin.readline()
    torch.erfinv(x)
    say("the other thread has stopped, too")

thread = threading.Thread(target=other, daemon=True)
thread.start()
torch.erfinv(x)
say("went on")
thread.join()

try:
    torch.erfinv(x)
except KeyboardInterrupt:
    say("interrupted")
torch.erfinv(x)
say("went on")

child = os.fork()
if child == 0:
    torch.erfinv(x)
    os._exit(7)
say("child " + str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])))

x.register_hook(lambda g: torch.erfinv(g * 0) + g)
x.sum().backward()
say("backward")

say("endless")
while True:
    try:
        while True:
            y = x + 1
    except KeyboardInterrupt:
        break
say("end")
`

// TestAProgramThatWaitsStaysUsable is about what else goes on in a program on PyTorch that
// has stopped: its threads, its signal handlers and the processes that it forks.
func TestAProgramThatWaitsStaysUsable(t *testing.T) {
	for _, on := range torches() {
		t.Run(on.name, func(t *testing.T) {
			on.require(t)
			path := filepath.Join(t.TempDir(), "program.py")
			if err := os.WriteFile(path, []byte(conversing), 0o644); err != nil {
				t.Fatal(err)
			}
			hear, tell := io.Pipe()
			said, say, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer said.Close()
			signals := make(chan os.Signal, 1)
			points := []control.Breakpoint{{ID: 1, Query: "op erfinv"}}
			s, tape := control.NewSession(control.Command{Breakpoints: &points}), graph.NewTape(graph.Limits{})
			over := make(chan *Run, 1)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go func() {
				p := Program{Path: path, Python: on.python, Engine: PyTorch, Session: s, Stdin: hear, Stdout: say, Stderr: t.Output(), Signals: signals}
				run, err := p.Run(ctx, tape)
				if err != nil {
					t.Error(err)
					s.End()
				}
				say.Close()
				over <- run
			}()
			lines := bufio.NewScanner(said)
			hears := func(want string) {
				t.Helper()
				for lines.Scan() {
					if got := lines.Text(); got == want {
						return
					} else if !strings.Contains(got, "UCX") {
						t.Errorf("the program says %q, not %q", got, want)
					}
				}
				t.Fatalf("the program has ended and not said %q", want)
			}
			stops := func() control.Stop {
				t.Helper()
				stop, ok := <-s.Stops()
				if !ok {
					t.Fatal("the program has ended instead of stopping")
				}
				return stop
			}

			first := stops()
			io.WriteString(tell, "\n")
			hears("the other thread goes on")
			io.WriteString(tell, "\n")
			s.Resume(control.Continue)
			second := stops()
			if first.Thread == second.Thread {
				t.Errorf("both stops are in thread %d", first.Thread)
			}
			hears("went on")
			s.Resume(control.Continue)
			hears("the other thread has stopped, too")

			stops()
			signals <- syscall.SIGINT
			hears("interrupted")
			s.Resume(control.Continue)
			stops()
			s.Resume(control.Continue)
			hears("went on")
			hears("child 7")

			if stop := stops(); stop.Reason != control.BreakpointHit { // in a hook
				t.Errorf("%+v", stop)
			}
			s.Resume(control.Continue)
			hears("backward")
			hears("endless")
			for range 3 {
				s.Interrupt()
				if stop := stops(); stop.Reason != control.Interrupted || int(tape.Len()) > stop.Events+8 { // more events of the operation may follow
					t.Errorf("%+v, and there are %d events", stop, tape.Len())
				}
				s.Resume(control.Continue)
			}
			s.Detach()
			signals <- syscall.SIGINT
			hears("end")
			if run := <-over; run == nil || run.Damaged != nil || run.ExitCode != 0 {
				t.Errorf("%+v", run)
			}
		})
	}
}
