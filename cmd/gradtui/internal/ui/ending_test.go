package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
)

// failing is the tape of a program that ends with an exception of its own, three calls deep, the innermost in
// a library, with more lines behind.
func failing(message string) *graph.Tape {
	tape := graph.NewTape(graph.Limits{})
	const file = "/home/u/train.py"
	source := "import torch\ndef shape(x):\n    return x.nothing\ndef forward():\n    h = make()\n    return shape(h)\nforward()\n"
	module := graph.Frame{File: file, Line: 7, Func: "<module>"}
	stack := func(frames ...graph.Frame) graph.StackID { return tape.InternStack(append(frames, module)) }
	add(tape, 0, &graph.SourceRead{File: tape.InternString(file), Text: source})
	add(tape, stack(graph.Frame{File: file, Line: 5, Func: "forward"}), &graph.TensorCreated{Tensor: 1, Storage: 1, Counter: 1, DType: graph.Float32, Shape: []int{3, 2}})
	add(tape, stack(graph.Frame{File: file, Line: 5, Func: "forward"}), &graph.NameBound{Name: tape.InternString("h"), Scope: tape.InternString("forward"), Tensor: 1})
	add(tape, stack(
		graph.Frame{File: "/usr/lib/python3/site-packages/torch/tensor.py", Line: 99, Func: "__getattr__"},
		graph.Frame{File: file, Line: 3, Func: "shape"}, graph.Frame{File: file, Line: 6, Func: "forward"},
	), &graph.ProgramFailed{Type: tape.InternString("AttributeError"), Message: message})
	add(tape, 0, &graph.TensorReleased{Tensor: 1})
	return tape
}

func TestAnExceptionThatNoFindingExplainsIsTheFirstThingOnTheScreen(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		d := open(t, failing("no attribute 'nothing'\nand a second line"), size[0], size[1])
		screen := d.Screen()
		for _, want := range []string{
			"ended with AttributeError  train.py:3", "no attribute 'nothing'", "and a second line", "train.py:6 leads to line 3",
			"train.py:5 `h` is float32 [3, 2], on cpu", "tensor.py:99 raised here, in library code",
		} {
			if !strings.Contains(screen, want) {
				t.Errorf("%v: the screen lacks %q:\n%s", size, want, screen)
			}
		}
		if d.at() != 4 || d.place.Line != 3 {
			t.Errorf("%v: the cursor is at %d, the source at line %d", size, d.at(), d.place.Line)
		}
		if d.Press("2"); !strings.Contains(d.Pane(sourcePane), "✗ AttributeError: no attribute 'nothing'") {
			t.Errorf("%v: no error over its line:\n%s", size, d.Pane(sourcePane))
		}
	}
}

func TestEnterGoesToTheFramesOfAnException(t *testing.T) {
	d := open(t, failing("nothing"), 120, 40)
	var lines []int
	d.Press("5", "home")
	for range d.panes.findings.rows[1:] {
		d.Press("down", "enter")
		lines = append(lines, d.place.Line)
	}
	if want := []int{3, 6, 7, 5, 99}; !slices.Equal(slices.Compact(lines), want) {
		t.Errorf("enter shows the lines %v, want %v", lines, want)
	}
}

func TestATracebackThatWasOnlyPrintedIsTheEndingToo(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	for _, line := range []string{
		"Traceback (most recent call last):\n", "  File \"/home/u/old.py\", line 1, in <module>\n", "KeyError: 'caught'\n",
		"  File \"/home/u/train.py\", line 2\n", "    x = torch.ones(3\n", "                  ^\n", "SyntaxError: '(' was never closed\n",
	} {
		add(tape, 0, &graph.OutputWritten{Stream: 2, Text: line})
	}
	d := open(t, tape, 80, 24)
	for _, want := range []string{"ended with SyntaxError  train.py:2", "'(' was never closed", "raised here: x = torch.ones(3"} {
		if !strings.Contains(d.Screen(), want) {
			t.Errorf("the screen lacks %q:\n%s", want, d.Screen())
		}
	}
}

// An error that a finding is about is not told twice.
func TestAFindingAboutTheErrorStandsForIt(t *testing.T) {
	tape := recorded(t, "inplace")
	kind, message := "", ""
	for p := range tape.Len() {
		if k, m, ok := errorAt(tape, p); ok {
			kind, message = k, m
		}
	}
	for _, c := range []struct {
		message string
		want    int
	}{{message, 1}, {"another one", 2}} {
		var text strings.Builder
		if err := tapefile.WriteText(&text, tape); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&text, "+0s program-failed @0 type=%q message=%q\n", kind, c.message)
		again := graph.NewTape(graph.Limits{})
		if err := tapefile.ReadText(strings.NewReader(text.String()), again); err != nil {
			t.Fatal(err)
		}
		d := open(t, again, 120, 40)
		if got := len(d.findings.all()); got != c.want || isEnding(&d.findings.all()[0]) {
			t.Errorf("%q: %d findings, want %d, and the rule's first", c.message, got, c.want)
		}
	}
}

func TestEachPlaceOfAFindingIsGoneToInTurn(t *testing.T) {
	d := open(t, recorded(t, "inplace"), 120, 40)
	f := &d.findings.all()[0]
	all := d.places(f)
	if len(all) < 3 {
		t.Fatalf("%d places", len(all))
	}
	for i := range 2 * len(all) {
		d.Press("m")
		at := all[i%len(all)]
		if d.place.Line != at.Line || at.At >= 0 && d.at() != at.At+1 || !strings.HasPrefix(d.notice.text, "place ") {
			t.Errorf("m, time %d: line %d at %d, want line %d at %d; %q", i+1, d.place.Line, d.at(), at.Line, at.At+1, d.notice.text)
		}
	}
	d.Press("m", "M")
	if d.place.Line != all[len(all)-1].Line {
		t.Errorf("m M shows line %d, want %d", d.place.Line, all[len(all)-1].Line)
	}
	d.Press("S", "S", "S", "m")
	if d.place.Line != all[0].Line {
		t.Errorf("m from elsewhere shows line %d, want the line to change, %d", d.place.Line, all[0].Line)
	}
}
