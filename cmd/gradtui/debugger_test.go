//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/debugger"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/tuitest"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/testing/require"
)

// These stories are told in a real terminal: the real command, real programs, keys
// that are pressed, and the screen that a person would see.

var standard = tuitest.Terminal{Columns: 120, Rows: 40}

// debugging runs a Python program, given as text, in the debugger.
func debugging(t *testing.T, terminal tuitest.Terminal, program string) *tuitest.Session {
	t.Helper()
	s := tuitest.Start(t, terminal, "gradtui", "run", programFile(t, program))
	s.Until("stopped")
	return s
}

// programFile writes a Python program for a story in the terminal, and returns its path.
func programFile(t *testing.T, program string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("a story with a Python program takes its time")
	}
	needsPython(t)
	path := filepath.Join(t.TempDir(), "prog.py")
	if err := os.WriteFile(path, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

var position = regexp.MustCompile(`event (\d+) of (\d+)`)

// moved waits until the cursor is at another event than before, or the program has ended,
// and returns the position as the screen shows it.
func moved(s *tuitest.Session, before string) string {
	now := before
	s.UntilRow(func(line string) bool {
		if m := position.FindString(line); m != "" && m != before && !strings.Contains(line, "running") {
			now = m
			return true
		}
		return false
	})
	return now
}

// The lesson is stepped from its first node to its end, and back.
func TestALessonIsSteppedToItsEnd(t *testing.T) {
	s := tuitest.Start(t, standard, "gradtui", "demo", "lesson")
	s.Until("stopped")
	steps, at := 0, ""
	for !strings.Contains(s.Line(0), "program ended") {
		s.Type("n")
		at = moved(s, at)
		steps++
	}
	s.Until("the program has ended")
	if steps < 50 {
		t.Errorf("%d nodes in the whole lesson", steps)
	}
	for range 5 {
		s.Type("N")
		at = moved(s, at)
	}
	s.Until("about to run")
	s.Type("6")
	s.Until("dl/dp = p.grad:")
	s.Type("Q")
	s.Exit(0)
}

// A program fails; the debugger stands on the failing node with the finding open, and
// one key goes to the mutation.
func TestAnInPlaceErrorIsWalkedBackToTheMutation(t *testing.T) {
	needsPython(t)
	s := tuitest.Start(t, standard, "gradtui", "run", "../../examples/python/inplace/inplace.py")
	s.Until("stopped")
	s.Type("c")
	s.Until("✗ inplace-saved-tensor")
	s.Until("failed ✗ other v1→v2")
	s.Until("modified in place since then at inplace.py:11")
	s.Until("the program ended with exit code 1")
	s.Type("m")
	s.Until("✗▶ 11")
	s.Until("pos  t2 [2] float32 · leaf")
	s.Until("requires_grad=False · version 2")
	s.Type("mm") // and by the other lines to where it failed
	s.Until("failed in backward #1")
	s.Type("6G")
	s.Until("!RuntimeError: one of the variables needed")
	s.Type("Q")
	s.Exit(1) // as the program did
}

func TestASecondBackwardIsExplained(t *testing.T) {
	needsPython(t)
	s := tuitest.Start(t, standard, "gradtui", "run", "../../examples/python/second_backward/second_backward.py")
	s.Until("stopped")
	s.Type("c")
	s.Until("✗ second-backward")
	s.Until("failed in backward #2")
	s.Until("freed by backward #1")
	s.Type("Q")
	s.Exit(1)
}

func TestARecordedTapeIsOpened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.tape")
	record := tuitest.Start(t, standard, "gradtui", "demo", "nbody", "--plain", "-o", path)
	record.Exit(0)
	s := tuitest.Start(t, tuitest.Terminal{Columns: 80, Rows: 24}, "gradtui", "open", path)
	s.Until("· tape")
	s.Type("<")
	s.Until("event 0 of")
	s.Type("n")
	s.Until("about to run")
	s.Type(":goto end")
	s.Keys("enter")
	s.Until("ended")
	s.Type("Q")
	s.Exit(0)
}

const endless = `import torch
w = torch.ones(3, requires_grad=True)
i = 0
while True:
    (w * w).sum().backward()
    i += 1
`

func TestAProgramThatRunsIsInterruptedAndLooksAtItsPast(t *testing.T) {
	s := debugging(t, standard, endless)
	s.Type("c")
	s.Until("running")
	s.Until("backward #")
	s.Type("i")
	s.Until("interrupted")
	s.Until("stopped")
	s.Type("N")
	s.Until("looking back")
	s.Type("n")
	s.Until("about to run")
	s.Type("Q")
	s.Exit(0)
}

func TestTheWindowIsResizedWhileTheProgramRuns(t *testing.T) {
	s := debugging(t, standard, endless)
	s.Type("c")
	s.Until("running")
	for _, size := range [][2]int{{80, 24}, {200, 50}, {40, 10}} {
		s.Resize(size[0], size[1])
		s.Until("Graph")
		s.UntilRow(func(line string) bool { return strings.Contains(line, "running") })
	}
	s.Resize(30, 6)
	s.Until("too small for gradtui")
	s.Resize(120, 40)
	s.Until("Inspector")
	s.Type("i")
	s.Until("interrupted")
	s.Type("Q")
	s.Exit(0)
}

func TestAFloodOfOutputDoesNotTearTheScreen(t *testing.T) {
	s := debugging(t, standard, `import torch
w = torch.ones(3, requires_grad=True)
for i in range(20000):
    print("line", i, "\x1b[31m\x1b]0;evil\x07\x1b[2J", "x" * 60)
print("that is all")
w.sum().backward()
`)
	s.Type("6c")
	s.Until("that is all")
	s.Until("the program has ended")
	s.Until("␛[31m")
	if raw := string(s.Raw()); strings.Contains(raw, "\x1b]0;evil") {
		t.Error("the program has changed the title of the terminal")
	}
	s.Type("Q")
	s.Exit(0)
}

func TestNamesOfTheProgramAreNotObeyed(t *testing.T) {
	s := debugging(t, standard, `import torch
class M(torch.nn.Module):
    def forward(self, x):
        return x * 2
m = torch.nn.Sequential()
m.add_module("a\x1b[31m\x07b", M())
globals()["w\x1b]0;evil\x07"] = w = torch.ones(3, requires_grad=True)
m(w).sum().backward()
raise RuntimeError("\x1b]0;evil\x07")
`)
	s.Type("c")
	s.Until("ended with exit code 1")
	s.Type("6")
	s.Until("␛]0;evil␇")
	if raw := string(s.Raw()); strings.Contains(raw, "\x1b]0;evil") || strings.Contains(raw, "\x1b[31m\x07") {
		t.Error("what the program names was obeyed")
	}
	s.Type("Q")
	s.Exit(1)
}

func TestAProgramReadsWhatIsTyped(t *testing.T) {
	s := debugging(t, standard, `import torch
w = torch.ones(2, requires_grad=True)
name = input("who? ")
print("hello", name)
w.sum().backward()
`)
	s.Type("c6")
	s.Until("who?")
	s.Keys("enter")
	s.Until("input>")
	s.Type("Ada")
	s.Keys("enter")
	s.Until("hello Ada")
	s.Until("the program has ended")
	s.Keys("esc")
	s.Type("Q")
	s.Exit(0)
}

func TestABreakpointStopsTheProgram(t *testing.T) {
	s := debugging(t, standard, `import torch
w = torch.ones(3, requires_grad=True)
for i in range(3):
    y = w * i
    z = y.exp()
z.sum().backward()
`)
	s.Type(":break op exp")
	s.Keys("enter")
	s.Until("breakpoint 1: op exp")
	s.Type("c")
	s.Until("stopped at a breakpoint: op exp")
	s.Until("▶ 5")
	s.Type(":break prog.py:6")
	s.Keys("enter")
	s.Until("breakpoint 2")
	s.Type(":clear 1")
	s.Keys("enter")
	s.Until("cleared: op exp")
	s.Type("c")
	s.Until("stopped at a breakpoint: prog.py:6")
	s.Type("c")
	s.Until("the program has ended")
	s.Type("Q")
	s.Exit(0)
}

// Findings are looked for while the program runs, if one of them has a breakpoint.
func TestABreakpointOnAFindingInterruptsTheProgram(t *testing.T) {
	s := debugging(t, standard, `import torch
w = torch.ones(3, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
while True:
    loss = (w * w).sum()
    loss.backward()
    opt.step()
`)
	s.Type(":break finding grad-acc*")
	s.Keys("enter")
	s.Until("breakpoint 1: finding grad-acc*")
	s.Type("c")
	s.Until("stopped at a finding: grad-accumulated")
	s.Until("stopped")
	s.Type("m")
	s.Until("looking back")
	s.Type("Q")
	s.Exit(0)
}

func TestABreakpointMayHaveACondition(t *testing.T) {
	s := debugging(t, standard, `import torch
w = torch.ones(3, requires_grad=True)
for i in range(10):
    y = w * i
y.sum().backward()
`)
	s.Type(":break op mul if max > 6")
	s.Keys("enter")
	s.Until("breakpoint 1: op mul if max > 6")
	s.Type("c")
	s.Until("stopped at a breakpoint: op mul if max > 6")
	s.Until("value    [7, 7, 7]")
	s.Type("Q")
	s.Exit(0)
}

func TestAnExceptionIsShownWithItsCalls(t *testing.T) {
	s := debugging(t, standard, `import torch
def shape(x):
    return x.not_there
h = torch.ones(3, requires_grad=True) * 2
shape(h)
`)
	s.Type("c")
	s.Until("ended with AttributeError  prog.py:3")
	s.Until("✗ AttributeError: 'Tensor' object has no attribute")
	s.Until("prog.py:5 leads to line 3")
	s.Until("`h` is float32 [3], on cpu")
	s.Type("Q")
	s.Exit(1)
}

func TestAProgramAloneRunsToItsFirstFinding(t *testing.T) {
	for name, c := range map[string]struct {
		program string
		want    []string
		code    int
	}{
		"a failure": {`import torch
w = torch.ones(3, requires_grad=True)
p = torch.ones(3)
loss = (w * p).sum()
p += 1
loss.backward()
`, []string{"inplace-saved-tensor  prog.py:5", "✗ RuntimeError: one of the variables", "modified in place here", "m cause"}, 1},
		"a training loop": {`import torch
w = torch.ones(3, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for i in range(1000):
    opt.zero_grad()
    (w * 2).sum().backward()
    opt.step()
`, []string{"the first iteration is over", "c continue", "stopped"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := tuitest.Start(t, standard, "gradtui", programFile(t, c.program))
			for _, want := range c.want {
				s.Until(want)
			}
			s.Type("Q")
			s.Exit(c.code)
		})
	}
}

func TestQuittingAsksForAProgramThatHasNotEnded(t *testing.T) {
	s := debugging(t, tuitest.Terminal{Columns: 80, Rows: 24}, "import torch\nx = torch.ones(3, requires_grad=True)\n(x * 2).sum().backward()\n")
	s.Until("run to the first breakpoint, error or end") // the start page
	s.Type("q")
	s.Until("The program has not ended")
	s.Keys("esc")
	s.UntilGone("The program has not ended")
	s.Type("qq")
	s.Exit(0)
}

func TestASyntaxErrorIsShown(t *testing.T) {
	path := programFile(t, "import torch\nx = (1\n")
	s := tuitest.Start(t, tuitest.Terminal{Columns: 80, Rows: 24}, "gradtui", "run", path)
	s.Until("ended with SyntaxError  prog.py:2")
	s.Type("Q")
	s.Exit(1)
}

// The shell stops and continues the debugger, as it does with any program.
func TestTheDebuggerIsSuspendedAndResumed(t *testing.T) {
	bash := require.Command(t, "bash") // whose job control it is
	path := filepath.Join(t.TempDir(), "a.tape")
	tuitest.Start(t, standard, "gradtui", "demo", "inplace", "--plain", "-o", path).Exit(0)
	terminal := standard
	terminal.Env = []string{"PS1=ready> ", "BASH_SILENCE_DEPRECATION_WARNING=1"}
	s := tuitest.Start(t, terminal, bash, "--norc", "--noprofile", "-i")
	s.Until("ready>")
	s.Type("gradtui open " + path + "\n")
	s.Until("inplace-saved-tensor")
	s.Keys("ctrl+z")
	s.Until("Stopped")
	s.Type("fg\n")
	s.Until("inplace-saved-tensor")
	s.Type("?")
	s.Until("Keys")
	s.Keys("enter")
	s.UntilGone("next node of the backward pass")
	s.Type("Q")
	s.Until("ready>")
	s.Type("exit\n")
	s.Exit(0)
}

// panicking is a debugger that fails at the first key.
func panicking() {
	s := cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	err := new(debugger.Flags).Open(context.Background(), s, "", ui.Options{Tape: graph.NewTape(graph.Limits{}), Program: fragile{}})
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// fragile is a program that cannot be told anything.
type fragile struct{ ui.Program }

func (fragile) Stops() <-chan control.Stop { return nil }
func (fragile) Done() <-chan struct{}      { return nil }
func (fragile) Resize(int, int)            {}

func TestAPanicLeavesTheTerminalClean(t *testing.T) {
	s := tuitest.Start(t, standard, "gradtui-that-panics")
	s.Until("Graph")
	s.Type("i") // which the program does not know
	s.Exit(1)
	if raw := string(s.Raw()); !strings.Contains(raw, "please report") {
		t.Errorf("nothing was said:\n%s", raw)
	}
}

// With NO_COLOR there are no colours, and everything can be told apart without.
func TestWithoutColoursNothingIsLost(t *testing.T) {
	terminal := standard
	terminal.Env = []string{"NO_COLOR=1"}
	s := tuitest.Start(t, terminal, "gradtui", "demo", "inplace")
	s.Until("stopped")
	s.Type("c")
	s.Until("✗ inplace-saved-tensor")
	if colour := regexp.MustCompile(`\x1b\[[0-9;]*(3[0-7]|38|9[0-7]|4[0-7]|48)[;m0-9]*m`).Find(s.Raw()); colour != nil {
		t.Errorf("a colour: %q", colour)
	}
	s.Type("Q")
	s.Exit(0)
}

// trained computes a few iterations.
const trained = `import torch
w = torch.ones(3, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for i in range(4):
    opt.zero_grad()
    loss = (w * w).sum()
    loss.backward()
    opt.step()
`

// A program is run again, with its breakpoint, to where the user was, and what was set is there when the
// debugger is opened the next time.
func TestAProgramIsRunAgainAndItsSessionKept(t *testing.T) {
	path := programFile(t, trained)
	state := tuitest.Terminal{Columns: 80, Rows: 24, Env: []string{"XDG_STATE_HOME=" + t.TempDir()}}
	s := tuitest.Start(t, state, "gradtui", "run", path)
	s.Until("stopped")
	s.Type(":break op sum")
	s.Keys("enter")
	s.Until("breakpoint 1: op sum")
	s.Type("c")
	s.Until("stopped at a breakpoint: op sum")
	first := position.FindString(s.Line(0))
	s.Type("c")
	at := position.FindStringSubmatch(moved(s, first))[1]
	s.Type(":mark second sum")
	s.Keys("enter")
	s.Until("bookmark: second sum: iteration 2")
	s.Type("R")
	s.Until("The program has not ended: a restart ends it")
	s.Type("y")
	s.Until("started again, and back at event " + at)
	s.Type("'")
	s.Until("1  second sum  iteration 2")
	s.Keys("esc")
	s.Type("Q")
	s.Exit(0)

	s = tuitest.Start(t, state, "gradtui", "run", path)
	s.Until("from the last session: 1 breakpoint, 1 bookmark")
	s.Type("c")
	s.Until("stopped at a breakpoint: op sum")
	s.Type(":go second sum")
	s.Keys("enter")
	s.Until("the program has not come to iteration 2")
	s.Type("c")
	moved(s, first)
	s.Type("<")
	s.Until("event 0 of")
	s.Type(":go second sum")
	s.Keys("enter")
	s.Until("event " + at + " of")
	s.Type("Q")
	s.Exit(0)
}
