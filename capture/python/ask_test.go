package python

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
)

// askable are the engines that answer questions.
func askable() []target { return append(torches(), target{"built-in", "", Builtin, "python"}) }

// each runs a test on each of some engines.
func each(t *testing.T, on []target, test func(t *testing.T, on target)) {
	for _, on := range on {
		t.Run(on.name, func(t *testing.T) {
			t.Parallel()
			if on.engine == Builtin {
				requirePython(t)
			} else {
				on.require(t)
			}
			test(t, on)
		})
	}
}

// askedProgram stops at pow, in a function whose variables are hostile.
const askedProgram = `
import torch
torch.manual_seed(0)
class Evil:
    def __repr__(self):
        print("REPR", flush=True)
        raise SystemExit
    def __getattr__(self, name):
        print("GETATTR", name, flush=True)
        raise ValueError("\x1b[31mred")
class Quiet(Exception):
    def __str__(self):
        raise KeyError
def fail():
    raise Quiet
def swallow(t):
    try:
        t.add_(1)
    except Exception:
        pass
    return "swallowed"
def spin():
    while True:
        pass
def stubborn():
    try:
        spin()
    except BaseException:
        spin()
def step(model, opt, x, y):
    scale = 2
    evil = Evil()
    loop = [1]
    loop.append(loop)
    long = "\x1b[2J" + "x" * 10**6
    big = 10**5000
    out = model(x)
    loss = ((out - y) ** 2).mean() * scale
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss
model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Dropout(0.5), torch.nn.Linear(4, 2))
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
x, y = torch.randn(4, 3), torch.randn(4, 2)
for i in range(3):
    print(repr(step(model, opt, x, y).item()), repr(torch.rand(1).item()), flush=True)
print([p.tolist() for p in model.parameters()])
`

// hiddenProgram stops in a function that was called by others with variables.
const hiddenProgram = `
import torch
def inner(a):
    return a.pow(2)
def outer():
    hidden = 7
    both = "outer"
    def fresh(both):
        return inner(torch.ones(2))
    fresh("inner")
outer()
`

// An expression is evaluated in the innermost function that has what it names.
func TestAnExpressionFindsItsFrame(t *testing.T) {
	each(t, []target{{"built-in", "", Builtin, "python"}}, func(t *testing.T, on target) {
		d := debug(t, on, hiddenProgram, atPow)
		d.stop()
		for text, want := range map[string]string{
			"hidden": "7", "both": "'inner'", "a": "float32 [2], [1, 1]", "[hidden for hidden in (1,)]": "[1]", "nowhere": "raised NameError: name 'nowhere' is not defined",
		} {
			if got := d.value(control.AskValue, text); got != want {
				t.Errorf("%s: %s, want %s", text, got, want)
			}
		}
	})
}

// atPow are commands that stop the program in step.
var atPow = control.Command{Breakpoints: &[]control.Breakpoint{{ID: 1, Query: "op pow"}}}

// value asks for an expression, and returns what came of it in one line.
func (d *debuggee) value(kind control.Question, text string) string {
	d.Helper()
	a, err := d.Ask(control.Ask{Kind: kind, Text: text})
	if err != nil {
		return "error: " + err.Error()
	}
	var parts []string
	if a.Refused != "" {
		parts = append(parts, "refused "+a.Refused)
	}
	if a.Raised != "" {
		parts = append(parts, "raised "+a.Raised)
	}
	if a.Output != "" {
		parts = append(parts, fmt.Sprintf("printed %q", a.Output))
	}
	if a.Changed != 0 {
		parts = append(parts, fmt.Sprintf("changed %d", a.Changed))
	}
	for _, v := range a.Values {
		parts = append(parts, v.Text)
	}
	return strings.Join(parts, ", ")
}

func TestAProgramAnswersWhereItStands(t *testing.T) {
	each(t, askable(), func(t *testing.T, on target) {
		d := debug(t, on, askedProgram, atPow)
		d.stop()
		before := d.tape.Len()
		for _, c := range []struct{ text, want string }{
			{"scale + 1", "3"},
			{"[scale for _ in range(2)]", "[2, 2]"},
			{"(lambda: out.shape)()", "torch.Size([4, 2])"},
			{"(out * 0).sum()", "float32 [], requires grad, 0"},
			{"model[2].weight", "float32 [2, 4], leaf, requires grad, [["},
			{"torch.zeros(9)", "float32 [9], 0 to 0, norm 0"},
			{"torch.zeros(2).add_(1)", "float32 [2], [1, 1]"},
			{"print('hello', end='') or {'a': (1,), 'b': None}", `printed "hello", {'a': (1,), 'b': None}`},
			{"evil", "<Evil>"},
			{"loop", "[1, [1, [1, [1, […]]]]]"},
			{"big", "<int of 16610 bits>"},
			{"1/0", "raised ZeroDivisionError: division by zero"},
			{"fail()", "raised Quiet"},
			{"scale = 3", "raised SyntaxError: "},
			{"i, step", "(0, <function step>)"},
			{"nothing", "raised NameError: name 'nothing' is not defined"},
			{"x.add_(1)", "refused add_"},
			{"model[0].weight.detach().mul_(0)", "refused mul_"},
			{"torch.add(x, 1, out=x)", "refused "},
			{"swallow(x)", "refused add_"},
			{"opt.step()", "refused step() of an optimizer"},
			{"out.sum().backward()", "refused backward()"},
			{"torch.autograd.grad(out.sum(), x)", "refused grad without retain_graph=True"},
			{"torch.autograd.grad(out.sum(), model[2].bias, retain_graph=True)", "(float32 [2], [4, 4],)"},
			{"setattr(x, 'grad', None)", "refused assigning .grad"},
			{"x.requires_grad_()", "refused requires_grad_"},
			{"torch.is_grad_enabled(), torch.set_grad_enabled(False), torch.is_grad_enabled()", "(True, <set_grad_enabled>, False)"},
			{"torch.is_grad_enabled()", "True"},
		} {
			if got := d.value(control.AskValue, c.text); !strings.HasPrefix(got, c.want) {
				t.Errorf("%s: %s, want %s", c.text, got, c.want)
			}
		}
		for p := before; p < d.tape.Len(); p++ {
			switch _, e, _ := d.tape.At(p); e.Kind() {
			case graph.KindTensorReleased, graph.KindNameBound, graph.KindSourceRead: // of the program
			default:
				t.Errorf("an expression put %s on the tape", e.Kind())
			}
		}
		if got := d.printed(); got != "" {
			t.Errorf("the program has printed %q", got)
		}
	})
}

func TestAFrameHasItsVariables(t *testing.T) {
	each(t, askable(), func(t *testing.T, on target) {
		d := debug(t, on, askedProgram, atPow)
		stop := d.stop()
		h, _, _ := d.tape.At(graph.Pos(stop.Events - 1))
		stack := d.tape.Stack(h.Stack)
		a, err := d.Ask(control.Ask{Kind: control.AskLocals})
		if err != nil || a.Frame == nil || a.Frame.Index != 0 || a.Frame.Function != "step" {
			t.Fatalf("%+v, %v", a, err)
		}
		g := d.tape.CursorAt(d.tape.Len()).Graph()
		var names []string
		for _, v := range a.Values {
			names = append(names, v.Name)
			if x, _ := g.Tensor(v.Tensor); v.Name == "out" && x.Name != "out" {
				t.Errorf("out is %+v on the tape", x)
			}
			if len(v.Text) > 2100 {
				t.Errorf("%s takes %d bytes", v.Name, len(v.Text))
			}
		}
		if want := "model opt x y scale evil loop long big out"; strings.Join(names, " ") != want {
			t.Errorf("step has %v", names)
		}
		outer := stack[len(stack)-1]
		a, err = d.Ask(control.Ask{Kind: control.AskLocals, Frame: &control.Frame{Index: len(stack) - 1, File: outer.File, Function: outer.Func}})
		if err != nil || !slices.ContainsFunc(a.Values, func(v control.Value) bool { return v.Name == "i" && v.Text == "0" }) {
			t.Errorf("the module: %+v, %v", a, err)
		}
		_, err = d.Ask(control.Ask{Kind: control.AskLocals, Frame: &control.Frame{File: outer.File, Function: "nowhere"}})
		if err == nil || !strings.Contains(err.Error(), "no longer runs") {
			t.Errorf("no such frame: %v", err)
		}
		if got := d.printed(); got != "" {
			t.Errorf("the program has printed %q", got)
		}
	})
}

// Statements are a part of the run: they change variables, and their operations are on the tape.
func TestAStatementChangesTheProgram(t *testing.T) {
	each(t, askable(), func(t *testing.T, on target) {
		d := debug(t, on, askedProgram, atPow)
		d.stop()
		before := d.tape.Len()
		for _, c := range []struct{ text, want string }{
			{"scale = 5", ""},
			{"x.zero_()", "float32 [4, 3], 0 to 0, norm 0"},
			{"i = 7", ""},
		} {
			if got := d.value(control.AskRun, c.text); got != c.want {
				t.Errorf("%s: %s", c.text, got)
			}
		}
		if got := d.value(control.AskValue, "scale, float(x.sum()), i"); got != "(5, 0.0, 7)" {
			t.Errorf("afterwards: %s", got)
		}
		var ran []string
		for p := before; p < d.tape.Len(); p++ {
			if h, e, _ := d.tape.At(p); e.Kind() == graph.KindOpRan {
				top := d.tape.Stack(h.Stack).Top()
				ran = append(ran, fmt.Sprintf("%s at %s:%d", d.tape.String(e.(*graph.OpRan).Op), top.File, top.Line))
			}
		}
		if len(ran) != 1 || !strings.HasPrefix(ran[0], "zero_ at <gradtui ") {
			t.Errorf("the tape has %v", ran)
		}
	})
}

func TestAnAnswerCanBeInterrupted(t *testing.T) {
	each(t, askable(), func(t *testing.T, on target) {
		d := debug(t, on, askedProgram, atPow)
		d.stop()
		if _, err := d.Ask(control.Ask{Kind: control.AskValue, Text: "spin()", Seconds: 0.05}); err != nil {
			t.Fatal(err)
		}
		done := make(chan string)
		go func() { done <- d.value(control.AskValue, "spin()") }()
		got := ""
		for got == "" { // the question may come after the first interrupts
			d.Interrupt()
			select {
			case got = <-done:
			default:
			}
		}
		if got != "raised interrupted" {
			t.Errorf("interrupted: %s", got)
		}
		a, err := d.Ask(control.Ask{Kind: control.AskValue, Text: "stubborn()", Seconds: 0.05})
		if err != nil || a.Raised != "it takes longer than 0.05 s" {
			t.Errorf("what swallows the first interrupt: %+v, %v", a, err)
		}
		if got := d.value(control.AskValue, "1"); got != "1" {
			t.Errorf("afterwards: %s", got)
		}
	})
}

// The numbers of a program do not depend on what it was asked.
func TestQuestionsChangeNoNumbers(t *testing.T) {
	each(t, askable(), func(t *testing.T, on target) {
		run := func(questions ...string) string {
			d := debug(t, on, askedProgram, atPow)
			for range d.Stops() {
				for _, q := range questions {
					d.value(control.AskValue, q)
				}
				d.Ask(control.Ask{Kind: control.AskLocals})
				d.Resume(control.Continue)
			}
			<-d.over
			return d.printed()
		}
		alone := run()
		asked := run("torch.rand(3)", "model(x)", "(out * 2).sum()", "x.add_(1)", "__import__('random').random()",
			"torch.autograd.grad(out.sum(), list(model.parameters()), retain_graph=True)", "opt.step()", "torch.set_grad_enabled(False)")
		if alone == "" || alone != asked {
			t.Errorf("alone:\n%s\nasked:\n%s", alone, asked)
		}
	})
}

// A program that was ahead of its first stop when it was asked comes to wait with the question.
func TestAProgramThatIsAskedAheadGoesOn(t *testing.T) {
	each(t, askable(), func(t *testing.T, on target) {
		d := debug(t, on, askedProgram, control.Command{Resume: true, Step: control.StepEvent, Breakpoints: atPow.Breakpoints})
		d.stop()
		d.value(control.AskValue, "1")
		d.Resume(control.Continue)
		d.stop()
		if got := d.value(control.AskValue, "scale"); got != "2" {
			t.Errorf("scale is %s", got)
		}
	})
}
