package ui

import (
	"bytes"
	"math"
	"regexp"
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/inspect/rules"
	"github.com/gradtui/gradtui/internal/console"
)

// keyNames are pressed on tapes that may hold anything: all keys of the keymap, the keys of
// lists and prompts, and some characters to type.
var keyNames = func() (names []string) {
	for _, b := range bindings() {
		names = append(names, b.keys...)
	}
	return append(names, "esc", "enter", "backspace", "t", "1", "7", "w", "ctrl+p", "ctrl+n", "*")
}()

var sgr = regexp.MustCompile(`\x1b\[[0-9;:]*m`)

// checkFrame looks at a screen as the terminal gets it: each row is as wide as the
// screen, and there is no control character but those that make colours.
func checkFrame(t testing.TB, m *Model) {
	t.Helper()
	rows := strings.Split(m.View().Content, "\n")
	if len(rows) != m.rows {
		t.Fatalf("%d rows, not %d", len(rows), m.rows)
	}
	for y, row := range rows {
		row = sgr.ReplaceAllString(row, "")
		if i := strings.IndexFunc(row, unicode.IsControl); i >= 0 {
			t.Fatalf("row %d holds a control character: %q", y, row[i:])
		}
		if n := console.Width(row); n != m.columns {
			t.Fatalf("row %d has %d columns, not %d: %q", y, n, m.columns, row)
		}
	}
}

// browse opens a tape, presses keys, and looks at each screen.
func browse(t testing.TB, tape *graph.Tape, keys ...string) {
	t.Helper()
	d := &driver{t: t, Model: New(Options{Tape: tape, Title: "hostile.tape", Rules: rules.All()})}
	d.settle(d.Init())
	d.Send(tea.WindowSizeMsg{Width: 100, Height: 30})
	checkFrame(t, d.Model)
	for _, key := range keys {
		d.Press(key)
		checkFrame(t, d.Model)
	}
}

// tour looks into each pane, at both ends of the tape and on the way.
var tour = strings.Fields("n N s S G 1 v down v + - enter 2 down enter 3 down enter x esc V v v v ] [ < > = < = : 1 : enter pgdown right enter V esc 4 + - left enter 5 down enter C m 6 7 + enter g s s n l B z ? esc / t enter")

func written(t testing.TB, tape *graph.Tape) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := tapefile.NewWriter(&b, graph.Info{Program: "a.py"}, tapefile.WriterOptions{BlockEvents: 16})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(tape); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestATapeThatWasCutOffAnywhereOpens(t *testing.T) {
	data := written(t, recorded(t, "inplace"))
	_, report, err := tapefile.Read(bytes.NewReader(data), int64(len(data)), tapefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range report.Blocks {
		for _, end := range []int64{b.Offset, b.Offset + 1, b.Offset + int64(b.Size)/2} {
			tape, _, err := tapefile.Read(bytes.NewReader(data[:end]), end, tapefile.Options{})
			if err != nil {
				t.Fatal(err)
			}
			browse(t, tape, strings.Fields("n S 4 v")...)
		}
	}
}

func TestATapeWithAFlippedBitOpens(t *testing.T) {
	data := written(t, recorded(t, "inplace"))
	for i := 0; i < len(data); i += 71 {
		damaged := bytes.Clone(data)
		damaged[i] ^= 1 << (i % 8)
		if tape, _, err := tapefile.Read(bytes.NewReader(damaged), int64(len(damaged)), tapefile.Options{}); err == nil {
			browse(t, tape, "n", "S")
		}
	}
}

// nasty are parts of names and texts that try to be more than text.
const nasty = "\x1b[2J\x1b]0;title\a\u202e\u009b31m\x00\r\nloss\t́́́世界\xff\U0001f468\u200d\U0001f469"

// A lie is a tape that no program has made.
var lies = map[string]func(tape *graph.Tape){
	"cyclic graph": func(tape *graph.Tape) {
		node(tape, 1, 1, 2)
		node(tape, 2, 1, 3, 2)
		node(tape, 3, 1)
		tensors(tape, 3)
		run(tape, 3)
	},
	"huge shapes": func(tape *graph.Tape) {
		shapes := [][]int{{math.MaxInt, math.MaxInt}, {math.MinInt}, {-1, 0, math.MaxInt}, make([]int, 5000)}
		for i, shape := range shapes {
			id := graph.TensorID(i + 1)
			add(tape, 0, &graph.TensorCreated{
				Tensor: id, Storage: graph.StorageID(id), Counter: graph.CounterID(id), Bytes: math.MaxUint64, DType: graph.Float32,
				Shape: shape, Strides: shape, Offset: math.MaxUint64,
				Value: graph.Value{DType: graph.Float32, Count: math.MaxInt64, Min: math.Inf(-1), Max: math.NaN(), NaN: math.MaxInt64},
			})
		}
	},
	"names that are commands": func(tape *graph.Tape) {
		name := tape.InternString(nasty)
		stack := tape.InternStack(graph.Stack{{File: nasty, Func: nasty, Line: 3, Col: 7, EndLine: 2, EndCol: 1}})
		add(tape, stack, &graph.SourceRead{File: name, Text: strings.Repeat(nasty+"\n", 9)})
		add(tape, stack, &graph.ModuleEntered{Path: name, Type: name})
		add(tape, stack, &graph.NodeCreated{Node: 1, Name: name, Outputs: 1, Saved: []graph.Saved{{Name: name, Tensor: 1}}})
		tensors(tape, 1)
		add(tape, stack, &graph.NameBound{Name: name, Scope: name, Tensor: 1})
		add(tape, stack, &graph.Reshaped{Tensor: 1, Storage: 1, Device: name})
		add(tape, stack, &graph.OpRan{Op: name, Outputs: []graph.TensorID{1}, Node: 1})
		add(tape, stack, &graph.Iteration{Number: math.MaxUint64, Label: name})
		add(tape, stack, &graph.OutputWritten{Stream: 1, Text: nasty + nasty})
		add(tape, stack, &graph.Warned{Category: name, Message: nasty})
		add(tape, stack, &graph.BackwardBegan{Backward: 1, Roots: []graph.Root{{Tensor: 1, Node: 1}}})
		add(tape, stack, &graph.BackwardFailed{Backward: 1, Node: 1, Type: name, Message: nasty})
		add(tape, stack, &graph.ProgramFailed{Type: name, Message: nasty})
	},
	"numbers out of range": func(tape *graph.Tape) {
		for _, n := range []uint32{0, 1, 1 << 31, math.MaxUint32} {
			node(tape, graph.NodeID(n), graph.NodeID(n), 1<<31)
			add(tape, graph.StackID(n), &graph.TensorCreated{Tensor: graph.TensorID(n), Storage: graph.StorageID(n), Counter: graph.CounterID(n), Node: graph.NodeID(n), Output: n})
			add(tape, 0, &graph.OpRan{Outputs: []graph.TensorID{graph.TensorID(n)}, Node: graph.NodeID(n)})
			add(tape, 0, &graph.Mutated{Tensor: graph.TensorID(n), From: n, To: n + 1})
			add(tape, 0, &graph.BackwardBegan{Backward: graph.BackwardID(n), Roots: []graph.Root{{Tensor: graph.TensorID(n), Node: graph.NodeID(n), Output: n}}})
			add(tape, 0, &graph.GradArrived{Backward: graph.BackwardID(n), Node: graph.NodeID(n), Input: n, From: graph.NodeID(n), Index: n, Waiting: n})
			add(tape, 0, &graph.NodeExecuted{Backward: graph.BackwardID(n), Node: graph.NodeID(n)})
			add(tape, 0, &graph.GradAccumulated{Backward: graph.BackwardID(n), Tensor: graph.TensorID(n), Grad: graph.TensorID(n)})
		}
	},
	"deep stacks": func(tape *graph.Tape) {
		for depth := range 40 {
			stack := make(graph.Stack, 1+depth*100)
			for i := range stack {
				stack[i] = graph.Frame{File: "/a.py", Func: "f", Line: math.MaxInt - i, Col: math.MaxInt, EndLine: -1, EndCol: math.MinInt}
			}
			add(tape, tape.InternStack(stack), &graph.ModuleEntered{Path: tape.InternString(strings.Repeat("a.", depth*50)), Type: 1})
			add(tape, tape.InternStack(stack), &graph.LineReached{})
		}
	},
	"nested passes without end": func(tape *graph.Tape) {
		node(tape, 1, 1)
		tensors(tape, 1)
		for id := range graph.BackwardID(300) {
			add(tape, 0, &graph.BackwardBegan{Backward: id + 1, Roots: []graph.Root{{Tensor: 1, Node: 1}}})
			add(tape, 0, &graph.NodeExecuted{Backward: id + 1, Node: 1})
		}
	},
}

func add(tape *graph.Tape, stack graph.StackID, e graph.Event) {
	tape.Append(graph.Header{Stack: stack}, e)
}

func node(tape *graph.Tape, id graph.NodeID, next ...graph.NodeID) {
	e := &graph.NodeCreated{Node: id, Name: tape.InternString("MulBackward0"), Sequence: uint64(id), Outputs: math.MaxUint32}
	for _, n := range next {
		e.Edges = append(e.Edges, graph.Edge{Node: n, Input: math.MaxUint32})
		e.Saved = append(e.Saved, graph.Saved{Tensor: graph.TensorID(n), Version: math.MaxUint32})
	}
	add(tape, 0, e)
}

func tensors(tape *graph.Tape, n int) {
	for i := range n {
		id := i + 1
		add(tape, 0, &graph.TensorCreated{
			Tensor: graph.TensorID(id), Storage: graph.StorageID(id), Counter: graph.CounterID(id), DType: graph.Float32,
			Node: graph.NodeID(id), Base: graph.TensorID(n + 1 - id), View: graph.PlainView,
		})
		add(tape, 0, &graph.OpRan{Inputs: []graph.TensorID{graph.TensorID(id)}, Outputs: []graph.TensorID{graph.TensorID(id)}, Node: graph.NodeID(id)})
	}
}

func run(tape *graph.Tape, nodes int) {
	add(tape, 0, &graph.BackwardBegan{Backward: 1, Roots: []graph.Root{{Tensor: 1, Node: 1}}})
	for range 2 {
		for id := range graph.NodeID(nodes) {
			add(tape, 0, &graph.NodeReady{Backward: 1, Node: id + 1})
			add(tape, 0, &graph.NodeExecuted{Backward: 1, Node: id + 1})
		}
	}
}

func TestATapeOfLiesOpens(t *testing.T) {
	for name, lie := range lies {
		t.Run(name, func(t *testing.T) {
			tape := graph.NewTape(graph.Limits{})
			lie(tape)
			browse(t, tape, tour...)
		})
	}
}
