package ui

import (
	"strings"
	"testing"

	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
)

// answering is a program that waits forever and answers questions.
type answering struct {
	waiting
	asked  []control.Ask
	answer func(a control.Ask) (control.Answer, error)
}

func (w *answering) Ask(a control.Ask) (control.Answer, error) {
	w.asked = append(w.asked, a)
	return w.answer(a)
}

// libraries is a tape that ends in a function of the program that a library has called.
func libraries() *graph.Tape {
	tape := graph.NewTape(graph.Limits{})
	file := func(name string) string { return "/usr/lib/python3/dist-packages/" + name }
	stack := tape.InternStack(graph.Stack{
		{File: "net.py", Line: 7, Func: "Net.forward"},
		{File: file("torch/nn/modules/module.py"), Line: 1501, Func: "Module._call_impl"},
		{File: file("torch/nn/modules/module.py"), Line: 1490, Func: "Module.__call__"},
		{File: file("lightning/trainer.py"), Line: 3, Func: "Trainer.fit"},
		{File: "train.py", Line: 12, Func: "main\x1b[31m"},
		{File: "train.py", Line: 20, Func: "<module>"},
	})
	scope, name := tape.InternString("Net.forward"), tape.InternString("h\x1b[2J")
	tape.Append(graph.Header{Stack: stack}, &graph.TensorCreated{Tensor: 1, Storage: 1, Counter: 1, Shape: []int{2}, Strides: []int{1}, DType: graph.Float32})
	tape.Append(graph.Header{Stack: stack}, &graph.NameBound{Name: name, Scope: scope, Tensor: 1})
	return tape
}

// stopped opens the debugger where a program waits at the end of a tape.
func stoppedAt(t *testing.T, tape *graph.Tape, answer func(a control.Ask) (control.Answer, error)) (*driver, *answering) {
	d := open(t, tape, 100, 40)
	w := &answering{answer: answer}
	d.Program, d.program.started = w, true
	d.Press(">", "8")
	return d, w
}

func TestTheStackFoldsLibrariesAndShowsWhatHasNames(t *testing.T) {
	d := open(t, libraries(), 100, 40)
	d.Press(">", "8", "space")
	folded := d.Pane(stackPane)
	d.Press("down", "down", "enter")
	golden(t, "Stack-tape", folded+"\n"+d.Pane(stackPane))
	d.Press("home", "enter")
	if d.place.File != "net.py" || d.place.Line != 7 {
		t.Errorf("enter on the innermost frame shows %v", d.place)
	}
}

func TestAFrameOpensToWhatTheProgramHas(t *testing.T) {
	d, w := stoppedAt(t, libraries(), func(a control.Ask) (control.Answer, error) {
		return control.Answer{Frame: a.Frame, More: 3, Values: []control.Value{
			{Name: "h", Text: "float32 [2], [1, 2]", Tensor: 1}, {Name: "evil", Text: "<Evil\x1b]0;title\x07>"}, {Name: "n", Text: "3"},
		}}, nil
	})
	d.Press("enter")
	golden(t, "Stack-locals", d.Pane(stackPane))
	if f := w.asked[0].Frame; len(w.asked) != 1 || f == nil || f.Index != 0 || f.Function != "Net.forward" {
		t.Errorf("asked %+v", w.asked)
	}
	d.Press("down", "enter")
	if d.chosen.tensor != 1 {
		t.Errorf("enter on a tensor selects %+v", d.chosen)
	}
	d.Press("space", "space")
	if len(w.asked) != 1 {
		t.Errorf("an answer was not kept: asked %d times", len(w.asked))
	}
	d.command("p n + 1")
	if f := w.asked[1].Frame; f == nil || f.Index != 0 {
		t.Errorf("the expression is for %+v", f)
	}
}

func TestExpressionsSayWhatCameOfThem(t *testing.T) {
	answers := map[string]control.Answer{
		"h":              {Values: []control.Value{{Text: "float32 [2], [1, 2]", Tensor: 1}}},
		"print(1)":       {Output: "1\n\x1b[31mred\n", Values: []control.Value{{Text: "None"}}},
		"1/0":            {Raised: "ZeroDivisionError: division by zero"},
		"h.add_(1)":      {Refused: "add_"},
		"sneak(h)":       {Values: []control.Value{{Text: "1"}}, Changed: 2},
		"long":           {Values: []control.Value{{Text: strings.Repeat("words and words ", 60)}}},
		"\u202eh\x1b[2J": {Raised: "SyntaxError: \x1b[2J"},
	}
	d, _ := stoppedAt(t, libraries(), func(a control.Ask) (control.Answer, error) {
		a.Frame = &control.Frame{Function: "Net.forward"}
		answer := answers[a.Text]
		answer.Frame = a.Frame
		return answer, nil
	})
	var screens []string
	for _, text := range []string{"h", "print(1)", "1/0", "h.add_(1)", "sneak(h)", "long", "\u202eh\x1b[2J"} {
		d.command("p " + text)
		screens = append(screens, d.Pane(stackPane))
	}
	golden(t, "Stack-results", strings.Join(screens, "\n"))
	d.command("p h")
	d.Press("enter")
	if _, is := d.overlay.(*tensorView); !is {
		t.Errorf("enter on the result opened %T: %s", d.overlay, d.notice.text)
	}
}

func TestWatchesMarkWhatHasChanged(t *testing.T) {
	stop := 0
	d, _ := stoppedAt(t, libraries(), func(a control.Ask) (control.Answer, error) {
		return control.Answer{Values: []control.Value{{Text: map[string]string{"same": "7", "other": string(rune('0' + stop))}[a.Text]}}}, nil
	})
	d.command("watch same")
	d.command("watch other")
	d.command("watch t1")
	first := d.Pane(stackPane)
	stop++
	d.settle(d.askWatches())
	second := d.Pane(stackPane)
	d.Press("<")
	golden(t, "Stack-watches", first+"\n"+second+"\n"+d.Pane(stackPane))
	d.command("unwatch 2")
	if got := d.Session().Watches; strings.Join(got, " ") != "same t1" {
		t.Errorf("left: %q", got)
	}
	d.command("unwatch all")
	if len(d.asked.watches) != 0 {
		t.Errorf("left: %v", d.asked.watches)
	}
}

// Where nothing can be asked the debugger says why.
func TestWhatCannotBeAskedSaysWhy(t *testing.T) {
	d := open(t, libraries(), 100, 40)
	d.command("p h")
	if want := "this is a tape"; !strings.Contains(d.notice.text, want) {
		t.Errorf("%q, want %q", d.notice.text, want)
	}
	d, _ = stoppedAt(t, libraries(), nil)
	d.Press("<")
	d.command("p h")
	if want := "only where it stands"; !strings.Contains(d.notice.text, want) {
		t.Errorf("%q, want %q", d.notice.text, want)
	}
	d.Press(">")
	d.program.running = true
	d.command("p h")
	if want := "the program is running"; !strings.Contains(d.notice.text, want) {
		t.Errorf("%q, want %q", d.notice.text, want)
	}
}
