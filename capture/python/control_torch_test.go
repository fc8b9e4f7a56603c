package python

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/testing/require"
)

// A target is what a program under control runs on.
type target struct {
	name   string
	python string // "": the first that is found
	engine Engine

	required string // what GRADTUI_REQUIRE calls it
}

// torches are the releases of PyTorch that may be there.
func torches() []target {
	older := "/usr/bin/python3"
	if chosen := os.Getenv("GRADTUI_PYTHON_1_13"); chosen != "" {
		older = chosen
	}
	all := []target{
		{"torch 1.13", older, PyTorch, "torch"},
		{"torch 2.6", filepath.Join("..", "..", "tools", "pytorch", "python-torch-2.6"), PyTorch, "torch-2.6"},
	}
	if python := os.Getenv("GRADTUI_PYTHON_CURRENT"); python != "" {
		all = append(all, target{"current torch", python, PyTorch, ""})
	}
	return all
}

// require skips a test on a machine without this release.
func (on target) require(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("importing PyTorch takes its time")
	}
	found, _, done, err := Find(t.Context(), on.python)
	if err == nil {
		done()
		if found.Interpreter.Torch != "" {
			return
		}
	}
	require.Missing(t, on.required, fmt.Sprintf("there is no %s: %v", on.name, err))
}

// A debuggee is a program under control.
type debuggee struct {
	*testing.T
	*control.Session
	tape *graph.Tape
	over <-chan *Run
	out  string // the file that it prints to
}

// debug starts a program.
func debug(t *testing.T, on target, source string, first control.Command) *debuggee {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "program.py")
	if err := os.WriteFile(path, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	over := make(chan *Run, 1)
	d := &debuggee{t, control.NewSession(first), graph.NewTape(graph.Limits{}), over, out.Name()}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer close(over)
		defer out.Close()
		p := Program{Path: path, Python: on.python, Engine: on.engine, Session: d.Session, Stdout: out, Stderr: t.Output()}
		run, err := p.Run(ctx, d.tape)
		if err != nil {
			t.Error(err)
			d.End()
			return
		}
		if run.Damaged != nil {
			t.Error(run.Damaged)
		}
		over <- run
	}()
	t.Cleanup(func() {
		cancel()
		d.Detach()
		for range over {
		}
	})
	return d
}

// stop waits for the next stop.
func (d *debuggee) stop() control.Stop {
	d.Helper()
	stop, ok := <-d.Stops()
	if !ok {
		d.Fatal("the program has ended instead of stopping")
	}
	return stop
}

// printed is what the program has printed.
func (d *debuggee) printed() string {
	d.Helper()
	data, err := os.ReadFile(d.out)
	if err != nil {
		d.Fatal(err)
	}
	return string(data)
}

// where says at what the program has stopped, and what it has printed last: it must not
// have gone on.
func (d *debuggee) where(stop control.Stop) string {
	d.Helper()
	pos := graph.Pos(stop.Events - 1)
	h, e, err := d.tape.At(pos)
	if err != nil {
		d.Fatal(err)
	}
	what := e.Kind().String()
	g := d.tape.CursorAt(pos + 1).Graph()
	named := func(id graph.TensorID) string {
		x, _ := g.Tensor(id)
		return x.Name
	}
	switch e := e.(type) {
	case *graph.OpRan:
		what += " " + d.tape.String(e.Op)
	case *graph.NameBound:
		what += " " + d.tape.String(e.Name)
	case *graph.Mutated:
		what += " " + named(e.Tensor)
	case *graph.GradAccumulated:
		what += " " + named(e.Tensor)
	case *graph.ModuleEntered:
		what += " " + d.tape.String(e.Type)
	}
	if stop.Node != 0 {
		n, _ := g.Node(graph.NodeID(stop.Node))
		what = "before " + n.Name
	}
	line := 0
	if stack := d.tape.Stack(h.Stack); len(stack) > 0 {
		line = stack[0].Line
	}
	printed := d.printed()
	last := strings.TrimSpace(printed[strings.LastIndex(printed, "> ")+1:])
	why := string(stop.Reason)
	if stop.Breakpoint != 0 {
		why = fmt.Sprint(why, " ", stop.Breakpoint)
	}
	return fmt.Sprintf("%s: %s, line %d, %q", why, what, line, last)
}

// stepped does the same again and again; each round ends with erfinv.
const stepped = `
import torch, warnings; warnings.simplefilter("always")
def say(text):
    print(">", text, flush=True)
class Double(torch.nn.Module):
    def forward(self, x):
        say("in forward")
        y = x * 2
        say("leaving forward")
        return y
double = Double()
w = torch.ones(2, requires_grad=True)
while True:
    w.grad = None
    say("zeroed")
    y = double(w)
    loss = y.sum()
    say("forward")
    loss.backward()
    say("backward")
    with torch.no_grad():
        w.mul_(2)
        say("doubled")
        y.grad
        say("warned")
        try:
            torch.mm(w, w)
        except RuntimeError:
            say("caught")
        torch.full((2,), 0.5).erfinv()
        say("the end")
`

// breakpoints are those with some texts, numbered from 1, and one at the end of a round.
func breakpoints(t *testing.T, texts ...string) (points []control.Breakpoint) {
	t.Helper()
	for i, text := range append(texts, "op erfinv") {
		b, err := control.ParseBreakpoint(text)
		if err != nil {
			t.Fatal(err)
		}
		b.ID = i + 1
		points = append(points, b)
	}
	return points
}

// stoppings are ways to go on, of each kind.
var stoppings = []struct {
	step   control.Step
	points []string
}{
	{control.StepOp, nil},
	{control.StepNode, nil},
	{control.StepBackward, nil},
	{control.StepModule, nil},
	{control.StepLine, nil},
	{control.Continue, []string{"program.py:20", "./program.py:23 skip 1"}},
	{control.Continue, []string{"op mul", "op su?", "op rel*"}},
	{control.Continue, []string{"op Mul*0", "op [A-B]cc*"}},
	{control.Continue, []string{"tensor w", "tensor y"}},
	{control.Continue, []string{"tensor loss skip 1"}},
	{control.Continue, []string{"inplace w"}},
	{control.Continue, []string{"inplace"}},
	{control.Continue, []string{"free Mul*"}},
	{control.Continue, []string{"nan"}},
	{control.Continue, []string{"op mul if max > 3"}},
	{control.Continue, []string{"op mul if max < 3"}},
	{control.Continue, []string{"warning"}},
	{control.Continue, []string{"error"}},
	{control.Continue, []string{"error skip 1", "warning"}},
	{control.StepNode, []string{"tensor loss"}},
}

// firstStops are where a program stops first in some of these ways.
var firstStops = map[string]string{
	"warning": "breakpoint 1: warned, line 24",
	"error":   "breakpoint 1: raised, line 27",
}

// rounds goes on in each way for a round of the program, and says where it stopped.
func rounds(t *testing.T, on target) (all [][]string) {
	t.Helper()
	d := debug(t, on, stepped, control.Command{Interrupt: true})
	d.stop()
	for _, way := range append(stoppings[:1:1], stoppings...) { // the first one begins elsewhere
		if err := d.Break(breakpoints(t, way.points...)...); err != nil {
			t.Fatal(err)
		}
		var stops []string
		for where := ""; !strings.Contains(where, "erfinv"); stops = append(stops, where) {
			d.Resume(way.step)
			where = d.where(d.stop())
		}
		all = append(all, stops)
	}
	return all[1:]
}

// event is a stop without what was printed before.
func event(where string) string {
	where, _, _ = strings.Cut(where, `, "`)
	return where
}

// TestProgramsStopWhereTheyDoOnTheBuiltinEngine is about each kind of step and breakpoint:
// a program on PyTorch stops at the same events, and has not gone on.
func TestProgramsStopWhereTheyDoOnTheBuiltinEngine(t *testing.T) {
	requirePython(t)
	want := rounds(t, target{engine: Builtin})
	for i, way := range stoppings {
		if first := firstStops[strings.Join(way.points, ", ")]; first != "" && event(want[i][0]) != first {
			t.Errorf("breakpoint %q stops first at %q, not at %q", way.points, want[i][0], first)
		}
	}
	for _, on := range torches() {
		t.Run(on.name, func(t *testing.T) {
			on.require(t)
			got := rounds(t, on)
			for i, way := range stoppings {
				if way.step == control.StepModule { // the built-in engine has gone on by then
					want[i][0], got[i][0] = event(want[i][0]), event(got[i][0])
				}
				if diff := cmp.Diff(want[i], got[i]); diff != "" {
					t.Errorf("step %q, breakpoints %q (-built-in +PyTorch)\n%s", way.step, way.points, diff)
				}
			}
		})
	}
}
