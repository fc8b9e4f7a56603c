//go:build unix

package live_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/live"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
)

func TestMain(m *testing.M) {
	signals := make(chan os.Signal, 1) // from now on there is a goroutine for signals
	signal.Notify(signals)
	signal.Stop(signals)
	os.Exit(m.Run())
}

// A program is one under test.
type program struct {
	*live.Program
	t *testing.T
}

// start starts a program and sees to it that nothing is left of it in the end.
func start(t *testing.T, o live.Options) program {
	t.Helper()
	before := runtime.NumGoroutine()
	p, err := live.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		p.Close(ctx)
		// Goroutines that have nothing left to do may take a moment.
		for poll := time.NewTicker(time.Millisecond); ctx.Err() == nil; <-poll.C {
			if runtime.NumGoroutine() <= before {
				return
			}
		}
		stacks := make([]byte, 64<<10)
		t.Errorf("goroutines are left:\n%s", stacks[:runtime.Stack(stacks, true)])
	})
	return program{p, t}
}

// startPython starts a Python program with the given text, called program.py.
func startPython(t *testing.T, source string, o live.Options) program {
	t.Helper()
	o.Python = thePython(t)
	o.Language, o.Name = launch.Python, filepath.Join(t.TempDir(), "program.py")
	if err := os.WriteFile(o.Name, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	return start(t, o)
}

// thePython is the interpreter that programs run in. Without one the test is skipped.
func thePython(t *testing.T) string {
	t.Helper()
	path, err := findPython()
	if err != nil {
		t.Skip("it needs a Python: ", err)
	}
	return path
}

var findPython = sync.OnceValues(func() (string, error) {
	found, _, done, err := python.Find(context.Background(), "")
	if err != nil {
		return "", err
	}
	defer done()
	return found.Interpreter.Executable, nil
})

// stop waits for the program to stop.
func (p program) stop() control.Stop {
	p.t.Helper()
	stop, ok := <-p.Stops()
	if !ok {
		<-p.Done()
		p.t.Fatalf("the program has ended instead of stopping: %s\n%s", p.Result(), p.text(0))
	}
	return stop
}

// at is the event that the program has stopped at.
func (p program) at(stop control.Stop) graph.Event {
	p.t.Helper()
	_, e, err := p.Tape().At(graph.Pos(stop.Events - 1))
	if err != nil {
		p.t.Fatal(err)
	}
	return e
}

// end waits for the end of the program and returns its exit code.
func (p program) end() int {
	p.t.Helper()
	<-p.Done()
	if err := p.Result().Err; err != nil {
		p.t.Fatal(err)
	}
	return p.Result().ExitCode
}

// text is what the program has written to a stream; 0 is both.
func (p program) text(stream uint8) string {
	var text strings.Builder
	for e := range outputs(p.Tape()) {
		if stream == 0 || e.Stream == stream {
			text.WriteString(e.Text)
		}
	}
	return text.String()
}

// outputs are the events of a program's output.
func outputs(tape *graph.Tape) func(func(*graph.OutputWritten) bool) {
	return func(yield func(*graph.OutputWritten) bool) {
		for p := range tape.Len() {
			if _, e, err := tape.At(p); err == nil {
				if o, ok := e.(*graph.OutputWritten); ok && !yield(o) {
					return
				}
			}
		}
	}
}

// until waits until the program has written a text.
func (p program) until(text string) {
	p.t.Helper()
	for seen := p.Tape().Len(); !strings.Contains(p.text(0), text); seen = p.Tape().Len() {
		select {
		case <-p.Tape().Grown(seen):
		case <-p.Done():
			if !strings.Contains(p.text(0), text) {
				p.t.Fatalf("the program never wrote %q: %s\n%s", text, p.Result(), p.text(0))
			}
			return
		}
	}
}

const training = `import sys, torch
w = torch.ones(2, requires_grad=True)
print("made w")
for i in range(2):
    loss = (w * 2).sum()
    print("loss", loss.item())
    loss.backward()
print("über", "done")
print("bye", file=sys.stderr)
sys.exit(3)
`

// When a program stops, what it has printed until then is on the tape, behind what it
// did before it.
func TestStepsAPythonProgramToItsEnd(t *testing.T) {
	p := startPython(t, training, live.Options{})
	if stop := p.stop(); stop.Reason != control.Interrupted || stop.Events != 2 { // the source, and the tensor
		t.Errorf("the first stop is %+v", stop)
	}
	var story []string
	for p.Resume(control.StepOp) == nil {
		stop, running := <-p.Stops()
		if !running {
			break
		}
		story = append(story, p.Tape().String(p.at(stop).(*graph.OpRan).Op)+" "+strconv.Quote(p.text(1)))
	}
	want := []string{
		`mul "made w\n"`, `sum "made w\n"`,
		`mul "made w\nloss 4.0\n"`, `sum "made w\nloss 4.0\n"`,
	}
	if diff := cmp.Diff(want, story); diff != "" {
		t.Error(diff)
	}
	if code := p.end(); code != 3 {
		t.Errorf("exit code %d", code)
	}
	if got, want := p.text(1), "made w\nloss 4.0\nloss 4.0\nüber done\n"; got != want {
		t.Errorf("it wrote %q", got)
	}
	if got := p.text(2); got != "bye\n" {
		t.Errorf("it wrote %q to stderr", got)
	}
	if problems := graph.Validate(p.Tape(), 3); len(problems) > 0 {
		t.Error(problems)
	}
	if got := p.Result().String(); got != "the program ended with exit code 3" {
		t.Error(got)
	}
}

func TestTheProgramIsInATerminal(t *testing.T) {
	p := startPython(t, `import os, signal, sys, torch
for f in sys.stdin, sys.stdout, sys.stderr:
    print(f.isatty(), *os.get_terminal_size(f.fileno()))
print(os.getsid(0) == os.getpid(), os.tcgetpgrp(0) == os.getpgrp())
os.write(1, b"a\tb\r\nc\x00\xff\n")
name = input("name? ")
print("hello", name)
print("end of file:", repr(sys.stdin.read()))
both = {signal.SIGWINCH, signal.SIGINT}
signal.pthread_sigmask(signal.SIG_BLOCK, both)
print("waiting")
print(signal.sigwait(both).name, *os.get_terminal_size())
print(signal.sigwait(both).name)
`, live.Options{Free: true, Size: live.Size{Columns: 72, Rows: 33}})
	p.until("name? ")
	p.Input("Ada\n")
	p.until("hello Ada\n")
	p.EndInput()
	p.until("waiting")
	p.Resize(live.Size{Columns: 100, Rows: 40})
	p.until("SIGWINCH 100 40\n")
	p.Input("\x03")
	if code := p.end(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	want := "True 72 33\nTrue 72 33\nTrue 72 33\nTrue True\na\tb\r\nc\x00\xff\nAda\nhello Ada\nend of file: ''\nwaiting\nSIGWINCH 100 40\n^CSIGINT\n"
	if diff := cmp.Diff(want, p.text(1)); diff != "" {
		t.Error(diff)
	}
	if got := p.text(2); got != "name? " { // where Python writes it in a terminal
		t.Errorf("it wrote %q to stderr", got)
	}
	if err := p.Input("x"); !errors.Is(err, live.ErrInput) {
		t.Errorf("input after the end: %v", err)
	}
}

// A program that floods its terminal is not stopped by it, and what it wrote before it
// ended is there.
func TestAFloodOfOutputIsBounded(t *testing.T) {
	p := startPython(t, `import sys
line = "x" * 65535 + "\n"
print("begin")
for i in range(1 << 10):
    sys.stdout.write(line)
print("the end")
import torch
torch.ones(1)
`, live.Options{Free: true})
	if code := p.end(); code != 0 {
		t.Errorf("exit code %d: %s", code, p.text(2))
	}
	const written = 64<<20 + len("begin\n") + len("the end\n")
	text, dropped, marks := 0, 0, 0
	for e := range outputs(p.Tape()) {
		text += len(e.Text)
		dropped += int(e.Dropped)
		if e.Dropped > 0 {
			marks++
		}
	}
	if text+dropped != written || marks != 2 {
		t.Errorf("%d bytes are on the tape and %d are said to be missing, in %d places, of %d", text, dropped, marks, written)
	}
	if size := p.Tape().Size(); size > 10<<20 {
		t.Errorf("the tape takes %d bytes", size)
	}
	if got := p.text(1); !strings.HasPrefix(got, "begin\nxxx") || !strings.HasSuffix(got, "xxx\nthe end\n") {
		t.Errorf("it begins %q and ends %q", got[:20], got[len(got)-20:])
	}
}

func TestInterruptsALoopAndBreaksThere(t *testing.T) {
	p := startPython(t, `import torch
x = torch.zeros(1)
while True:
    x = x + 1
    y = x * 2
`, live.Options{Free: true})
	p.Interrupt() // before there is anything
	if stop := p.stop(); stop.Reason != control.Interrupted {
		t.Errorf("%+v", stop)
	}
	point, err := control.ParseBreakpoint("program.py:5 skip 10")
	if err != nil {
		t.Fatal(err)
	}
	point.ID = 4
	p.Break(point)
	p.Resume(control.Continue)
	stop := p.stop()
	if stop.Breakpoint != 4 {
		t.Errorf("%+v", stop)
	}
	if e, ok := p.at(stop).(*graph.OpRan); !ok || p.Tape().String(e.Op) != "mul" {
		t.Errorf("stopped at %T", p.at(stop))
	}
	p.Break()
	p.Resume(control.Continue)
	p.Interrupt()
	p.stop()
	p.Detach()
	p.Signal(os.Interrupt)
	if code := p.end(); code != 130 {
		t.Errorf("exit code %d", code)
	}
	if got := p.text(2); !strings.Contains(got, "KeyboardInterrupt") {
		t.Errorf("it wrote %q", got)
	}
}

func TestAnExceptionIsInTheOutput(t *testing.T) {
	p := startPython(t, "import torch\nw = torch.ones(1)\nraise ValueError('no more')\n", live.Options{Free: true})
	if code := p.end(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	if got := p.text(2); !strings.HasPrefix(got, "Traceback (most recent") || !strings.HasSuffix(got, "ValueError: no more\n") {
		t.Errorf("it wrote %q", got)
	}
	if _, ok := <-p.Stops(); ok {
		t.Error("it stopped")
	}
	if p.Resume(control.Continue) == nil {
		t.Error("a program that is over can be resumed")
	}
}

func TestTheTapeOfAKilledProgramIsWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.tape")
	file, err := tapefile.Create(path, graph.Info{}, tapefile.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p := startPython(t, `import os, torch
x = torch.zeros(1)
print("pid", os.getpid(), flush=True)
while True:
    x = x + 1
`, live.Options{File: file})
	p.stop()
	p.Resume(control.StepOp)
	p.stop()
	p.Resume(control.StepOp)
	p.stop()
	var pid int
	if _, err := fmt.Sscanf(p.text(1), "pid %d", &pid); err != nil {
		t.Fatal(err, p.text(1))
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if code := p.end(); code != 128+9 || p.Result().String() != "a signal ended the program: killed" {
		t.Errorf("exit code %d: %s", code, p.Result())
	}
	tape, report, err := tapefile.Open(path, tapefile.Options{})
	if err != nil || report.Damage != nil || tape.Len() != p.Tape().Len() {
		t.Errorf("%v, %+v: %d events in the file of %d", err, report, tape.Len(), p.Tape().Len())
	}
}

// TestCloseLeavesNoProcess closes programs that run, stand still, and take no notice of
// being interrupted.
func TestCloseLeavesNoProcess(t *testing.T) {
	const pid = "import os, signal, subprocess, sys, torch\nx = torch.zeros(1)\n" +
		"child = subprocess.Popen(['sleep', '1000'])\nprint('pid', os.getpid(), child.pid, flush=True)\n"
	for _, c := range []struct {
		name, source string
		stopped      bool
		patience     time.Duration
	}{
		{"runs", "while True: x = x + 1\n", false, time.Minute},
		{"stands still", "while True: x = x + 1\n", true, time.Minute},
		{"is stubborn", "signal.signal(signal.SIGINT, signal.SIG_IGN)\nprint('ready', flush=True)\nwhile True: x = x + 1\n", false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := startPython(t, pid+c.source, live.Options{Free: true})
			p.until("pid")
			if c.patience == 0 {
				p.until("ready")
			}
			if c.stopped {
				p.Interrupt()
				p.stop()
			}
			p.until("\n")
			var parent, child int
			if _, err := fmt.Sscanf(p.text(1), "pid %d %d", &parent, &child); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), c.patience)
			defer cancel()
			result := p.Close(ctx)
			if _, ok := result.Signal(); !ok {
				t.Errorf("%s", result)
			}
			for _, pid := range []int{parent, child} {
				if !dies(pid) {
					t.Errorf("process %d is alive", pid)
				}
			}
		})
	}
}

// dies reports whether a process is gone, or is so soon: one that was killed has to run
// once more for it.
func dies(pid int) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	for poll := time.NewTicker(time.Millisecond); ctx.Err() == nil; <-poll.C {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if _, state, _ := strings.Cut(string(stat), ") "); err != nil || strings.HasPrefix(state, "Z") {
			return true
		}
	}
	return false
}

func TestStepsAnExampleThroughItsBackwardPass(t *testing.T) {
	p := start(t, live.Options{Program: launch.Program{Name: "second-backward", Example: true}})
	p.stop()
	var nodes []string
	for p.Resume(control.StepNode) == nil {
		stop, running := <-p.Stops()
		if !running {
			break
		}
		ready, ok := p.at(stop).(*graph.NodeReady)
		if !ok {
			t.Fatalf("stopped at %T", p.at(stop))
		}
		n, _ := p.Tape().CursorAt(graph.Pos(stop.Events)).Graph().Node(ready.Node)
		nodes = append(nodes, n.Name)
	}
	if code := p.end(); code != 1 || p.Result().Failed == nil {
		t.Errorf("exit code %d, %v", code, p.Result().Failed)
	}
	if len(nodes) < 3 || nodes[0] == "" {
		t.Errorf("the nodes are %q", nodes)
	}
	if got := p.text(2); !strings.Contains(got, "second time") {
		t.Errorf("it wrote %q", got)
	}
	if err := p.Input("x"); err == nil {
		t.Error("it takes input")
	}
}

// Breakpoints use the names that an example's source gives to tensors.
func TestBreaksAtATensorOfAnExample(t *testing.T) {
	p := start(t, live.Options{
		Program:     launch.Program{Name: "inplace", Example: true},
		Breakpoints: []control.Breakpoint{{ID: 1, Query: "inplace pos"}}, Free: true,
	})
	stop := p.stop()
	changed, ok := p.at(stop).(*graph.Mutated)
	if !ok || stop.Breakpoint != 1 {
		t.Fatalf("stopped at %T, %+v", p.at(stop), stop)
	}
	if id, ok := p.Tape().CursorAt(graph.Pos(stop.Events)).Graph().Lookup("pos"); !ok || id != changed.Tensor {
		t.Errorf("stopped when tensor %d changed, not %d", changed.Tensor, id)
	}
}

func TestStepsAGoProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	p := start(t, live.Options{Program: launch.Program{Name: "../../../../examples/run", Args: []string{"inplace"}}})
	p.stop()
	p.Resume(control.StepOp)
	if e, ok := p.at(p.stop()).(*graph.OpRan); !ok {
		t.Errorf("stopped at %T", e)
	}
	p.Detach()
	if code := p.end(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	if got := p.text(2); !strings.Contains(got, "inplace operation") {
		t.Errorf("it wrote %q", got)
	}
}

func TestWhatCannotBeStartedSaysWhy(t *testing.T) {
	for want, o := range map[string]live.Options{
		"no such file":     {Program: launch.Program{Name: "nowhere.py", Language: launch.Python}},
		"unknown demo":     {Program: launch.Program{Name: "nowhere", Example: true}},
		"unknown engine":   {Program: launch.Program{Name: "nowhere.py", Language: launch.Python, Engine: "steam"}},
		"moon is a tensor": {Program: launch.Program{Name: "lesson", Example: true}, Breakpoints: []control.Breakpoint{{Query: "moon"}}},
	} {
		if _, err := live.Start(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	p := start(t, live.Options{Program: launch.Program{Name: "./testdata/broken"}})
	<-p.Done()
	if p.Result().Err == nil || !strings.Contains(p.text(2), "undefined: missing") {
		t.Errorf("%v; the output is %q", p.Result().Err, p.text(0))
	}
}
