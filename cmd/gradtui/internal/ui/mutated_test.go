package ui

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/examples"
	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/compare"
	"github.com/gradtui/gradtui/inspect/rules"
	"github.com/gradtui/gradtui/inspect/story"
	"github.com/gradtui/gradtui/inspect/usage"
	"github.com/gradtui/gradtui/internal/testing/tapetest"
)

// arguments are what each command of the debugger is tried with.
var arguments = map[string][]string{
	"mark":      {"", "here"},
	"go":        {"", "here", "1", "9", "x"},
	"restart":   {""},
	"size":      {"graph 60%", "graph width 1%", "timeline 99", "findings 5%", "x", "graph", ""},
	"rerun":     {"", "on", "off", "x"},
	"session":   {"", "clear", "x"},
	"goto":      {"", "0", "3", "end", "99999999999999999999", "backward:1", "backward:7", "a.py:2", "a.py:-1", "iteration 1", "iteration"},
	"pin":       {"", "0", "end", "iteration 1", "off", "backward:1", "a.py:2"},
	"swap":      {""},
	"set":       {"", "x = 1", "x"},
	"fork":      {"", "x = 1"},
	"fix":       {"", "step-order", "x"},
	"audit":     {"", "2", "2 directions 8", "directions 1", "0", "x", "1 directions"},
	"gradcheck": {"", "1", "n2", "4294967296", "x"},
	"edit":      {"", "x = 1"},
	"forks":     {"", "1", "1 small steps", "9"},
	"losses":    {""},
	"what":      {"", "differs", "else"},
	"fold":      {"", "views", "views off", "x"},
	"tie":       {"", "off", "x"},
	"root":      {"auto", "n1", "n4000000000", "t1", "w", "loss"},
	"tensor":    {"t1", "t2", "t4294967295", "w", "loss"},
	"node":      {"", "1", "n2", "n4294967296"},
	"value":     {"", "t1", "t1 0, :", "w.grad ...", "loss -1", "t2 1:2", "t4294967295"},
	"explain":   {"", "t1", "t3", "w", "loss"},
	"p":         {"", "w", "w + 1", "! w"},
	"p!":        {"", "w = 1"},
	"print":     {"w"},
	"watch":     {"", "w", "w.grad", "t1", "1 +"},
	"unwatch":   {"1", "all", "-1", ""},
	"hits":      {`op == "mul"`, "writes(t1) or max(out) > 3", "1", "", "op"},
	"break":     {"a.py:1", "norm(grad(w)) < 1", "op mul* if max > 10", "tensor t1", "inplace", "finding nan-grad", "", "?"},
	"clear":     {"1", "", "-1"},
	"export":    {"x.json", "whole x.dot!", "whole layers x.dot!", "layers y.dot", "x.mmd", "x.txt", "x"},
	"rank":      {"0", "9", "launcher"},
	"ranks":     {""},
	"help":      {""},
	"quit":      nil, // what ends the test
}

// commandLines are lines that call every command, also as they are completed.
func commandLines(t testing.TB) (lines []string) {
	t.Helper()
	for _, c := range commands {
		args, ok := arguments[c.name]
		if !ok {
			t.Fatalf("arguments lacks the command %q", c.name)
		}
		for _, a := range args {
			lines = append(lines, strings.TrimSpace(c.name+" "+a))
		}
	}
	return lines
}

// exportAll stands for what writes files.
func exportAll(ctx context.Context, g *graph.Graph, roots []graph.NodeID, _ export.Style, path string, _ bool) (string, error) {
	format, err := export.FormatOfFile(path)
	if err != nil {
		return "", err
	}
	_, err = export.Write(ctx, io.Discard, g, format, export.Options{RootNodes: roots})
	return "exported", err
}

// commandAll gives a debugger every command, and completes each.
func (d *driver) commandAll() {
	d.t.Helper()
	for _, c := range commands {
		d.completions(c.name + " ")
	}
	for _, line := range commandLines(d.t) {
		d.settle(d.Model.run(line))
		if d.columns > 0 && d.rows > 0 {
			checkFrame(d.t, d.Model)
		}
	}
}

// lookAtEverything does with a tape whatever gradtui does with tapes, but for pictures, which are
// laid out from DOT in a process of their own.
func lookAtEverything(t testing.TB, tape *graph.Tape) {
	t.Helper()
	options := inspect.Options{}
	end := tape.Len()
	tapefile.WriteText(io.Discard, tape)
	graph.Validate(tape, 20)
	inspect.Check(tape, rules.All(), options)
	usage.Measure(tape, end)
	usage.Iterations(tape, end)
	compare.Ranks([]*graph.Tape{tape, tape})
	middle := tape.CursorAt(end / 2)
	compare.Parts(compare.Part{Tape: tape, From: 0, To: end / 2}, compare.Part{Tape: tape, From: end / 2, To: end})
	g := tape.CursorAt(end).Graph()
	h := inspect.ReadHistory(tape, end, options)
	n := 0
	for tensor := range g.Tensors() {
		if n++; n > 30 {
			break
		}
		story.Of(h, tensor.ID)
	}
	story.Of(h, 0)
	story.Of(h, 4000000000)
	for _, f := range export.Formats() {
		if f.Format == export.SVG || f.Format == export.PNG {
			continue
		}
		for _, g := range []*graph.Graph{g, middle.Graph()} {
			export.Write(context.Background(), io.Discard, g, f.Format, export.Options{})
		}
	}
	lines := []string{">"}
	for _, b := range bindings() {
		if k := b.keys[0]; len(k) == 1 && !strings.Contains("qG", k) {
			lines = append(lines, k)
		}
	}
	lines = append(append(lines, "<"), lines...) // at both ends
	for _, pane := range paneKinds {
		lines = append(lines, "p "+strings.ToLower(pane.name))
	}
	for _, word := range []string{"p", "stack", "locals", "/", "b", "x", "e", "type", "help"} {
		lines = append(lines, word, word+" w", word+" t1")
	}
	lines = append(lines, commandLines(t)...)
	RunLines(t, Options{Tape: tape, Title: "hostile.tape", Rules: rules.All(), Export: exportAll}, lines, io.Discard)
	d := &driver{t: t, Model: New(Options{Tape: tape, Title: "hostile.tape", Rules: rules.All(), Export: exportAll})}
	d.settle(d.Init())
	d.Send(tea.WindowSizeMsg{Width: 100, Height: 30})
	d.Press(tour...)
	d.commandAll()
}

// originals are the tapes to be mutated: programs with mistakes, an engine at random, and lies.
func originals(t testing.TB) (tapes []*graph.Tape) {
	t.Helper()
	for _, e := range examples.All {
		if e.Name != "nbody" { // it is long
			tapes = append(tapes, recorded(t, e.Name))
		}
	}
	for seed := range uint64(8) {
		tapes = append(tapes, tapetest.Recorded(seed, 150))
	}
	return tapes
}

// textOf is a tape in text form.
func textOf(t testing.TB, tape *graph.Tape) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := tapefile.WriteText(&b, tape); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestNothingPanicsOnMutatedTapes looks at everything on tapes with a few things wrong: as many as
// GRADTUI_MUTATIONS says, from the seed GRADTUI_SEED on.
func TestNothingPanicsOnMutatedTapes(t *testing.T) {
	setting := func(name string, otherwise uint64) uint64 {
		if n, err := strconv.ParseUint(os.Getenv(name), 10, 64); err == nil {
			return n
		}
		return otherwise
	}
	tapes := originals(t)
	first := setting("GRADTUI_SEED", 0)
	places := map[string]bool{}
	for seed := first; seed < first+setting("GRADTUI_MUTATIONS", 60); seed++ {
		r := rand.New(rand.NewPCG(seed, 2))
		tape := tapetest.Mutated(r, tapes[r.IntN(len(tapes))])
		func() {
			defer func() {
				if why := recover(); why != nil {
					if at := panicked(debug.Stack()); !places[at] {
						places[at] = true
						t.Errorf("GRADTUI_SEED=%d: %v\n%s\n%s", seed, why, at, textOf(t, tape))
					}
				}
			}()
			lookAtEverything(t, tape)
		}()
	}
}

// panicked is the line of this repository in which a panic began.
func panicked(stack []byte) string {
	_, after, _ := strings.Cut(string(stack), "\npanic(")
	for line := range strings.Lines(after) {
		if strings.HasPrefix(line, "\t") && !strings.Contains(line, "/runtime/") {
			return strings.TrimSpace(line)
		}
	}
	return string(stack)
}

// FuzzTape looks at everything on any tape in text form.
func FuzzTape(f *testing.F) {
	for _, tape := range originals(f)[:3] {
		f.Add(textOf(f, tape))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tape, _, _ := tapefile.Read(bytes.NewReader(data), int64(len(data)), tapefile.Options{MaxBytes: 1 << 20})
		if tape != nil && tape.Len() < 2000 {
			lookAtEverything(t, tape)
		}
	})
}
