package linear

import (
	"context"
	"errors"
	"flag"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/tuitest"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/rules"
	"github.com/gradtui/gradtui/inspect/story"
	"github.com/gradtui/gradtui/internal/testing/goldenfile"
	"github.com/gradtui/gradtui/internal/testing/tapetest"
)

var update = flag.Bool("update", false, "rewrite golden files")

// golden compares a text with testdata/NAME.golden.
func golden(t testing.TB, name, text string) {
	t.Helper()
	goldenfile.Check(t, filepath.Join("testdata", name+".golden"), text, *update)
}

// talk gives a debugger lines to read and returns what it prints.
func talk(t interface {
	Helper()
	Fatal(...any)
}, o ui.Options, lines ...string) string {
	t.Helper()
	var b strings.Builder
	o.Title = "test.tape"
	err := Debugger{Runs: ui.New(o).Runs(), In: strings.NewReader(strings.Join(lines, "\n")), Out: &b}.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// about returns the options for a tape.
func about(tape *graph.Tape) ui.Options {
	return ui.Options{Tape: tape, Rules: rules.All()}
}

func TestMomentsAreCompared(t *testing.T) {
	text := talk(t, about(tuitest.Recorded(t, "inplace")), "goto 30", "pin", "goto end", "what differs", "p graph", "p findings", "a", "P", "what differs")
	golden(t, "Linear-moments", text)
}

func TestASearchGoesToTheBestMatch(t *testing.T) {
	text := talk(t, about(tuitest.Recorded(t, "inplace")), "/ force", "/no such thing at all")
	if !strings.Contains(text, "Selected: tensor force, float32 [2], grad_fn MulBackward0") || !strings.HasSuffix(text, "\nno match.\n") {
		t.Error(text)
	}
}

func TestAStoryHasALineForEachFact(t *testing.T) {
	tape := tuitest.Recorded(t, "inplace")
	id, _ := tape.CursorAt(tape.Len()).Graph().Lookup("pos")
	story, ok := story.Of(inspect.ReadHistory(tape, tape.Len(), inspect.Options{}), id)
	if !ok {
		t.Fatal("pos has no story")
	}
	text := talk(t, about(tape), ">", "x pos")
	_, facts, _ := strings.Cut(text, "\npos:\n")
	if n := strings.Count(facts, "\n"); n != len(story.Facts) {
		t.Errorf("%d lines for %d facts:\n%s", n, len(story.Facts), facts)
	}
}

// withoutCallers is a text without the lines about the callers of an example, which lie
// in other packages.
func withoutCallers(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.Contains(line, ": leads to ") {
			b.WriteString(line)
		}
	}
	return b.String()
}

func TestStepsAreReportedInSentences(t *testing.T) {
	golden(t, "Linear-inplace", withoutCallers(talk(t, about(tuitest.Recorded(t, "inplace")),
		"N", "n", "m", "p findings", "p graph", "p timeline", "p memory", "goto 0", "S", "s", "s", "u", "B", "tensor force", "zz", "p nothing", "q", "n")))
	golden(t, "Linear-lesson", talk(t, about(tuitest.Recorded(t, "lesson")), "<", "p graph", "s", "n", "n", "N", ":root auto", ">", "p source"))
}

// The help names lines that mean something, and each one once.
func TestAllThatIsInTheHelpIsRead(t *testing.T) {
	o := about(tuitest.Recorded(t, "inplace"))
	help := talk(t, o, "help")
	_, help, _ = strings.Cut(help, "Help: ") // of the finding
	_, help, _ = strings.Cut(help, "\n")
	named := map[string]bool{}
	for line := range strings.Lines(help) {
		name, _, _ := strings.Cut(strings.Split(line, ": ")[0], " ")
		if named[name] {
			t.Errorf("%s is there twice", name)
		}
		named[name] = true
		if text := talk(t, o, name); strings.Contains(text, "unknown command") {
			t.Errorf("%q is not read:\n%s", name, text)
		}
	}
	for _, c := range ui.Commands() {
		if !named[c.Name] {
			t.Errorf("%s is not there", c.Name)
		}
	}
	if len(named) < 30 {
		t.Errorf("only %d lines", len(named))
	}
}

// Whatever lines come, what is printed are sentences: nothing is drawn, and no terminal
// would obey any of it.
func TestNothingIsDrawnInLines(t *testing.T) {
	var tapes []*graph.Tape
	for _, name := range []string{"inplace", "second-backward", "custom"} {
		tapes = append(tapes, tuitest.Recorded(t, name))
	}
	hostile := graph.NewTape(graph.Limits{})
	hostile.Append(graph.Header{}, &graph.OutputWritten{Stream: 1, Text: "a\x1b[2Jb\r\n\x1b]0;x\a\nopen"})
	tapes = append(tapes, hostile)
	words := []string{"?", "", "/ loss", "/", ":", "/\x1b[2J", "goto 40", "goto -1", "node 3", "root n4", "tensor w", "break", "export", "explain loss", "\x1b[A", "yes", "enter", "space"}
	for _, k := range ui.New(about(hostile)).Keys() {
		if k.Help != "" && k.Names[0] != "q" && k.Names[0] != "Q" {
			words = append(words, k.Names...)
		}
	}
	for name := range strings.SplitSeq(ui.PaneList(), ", ") {
		words = append(words, "p "+name)
	}
	rapid.Check(t, func(t *rapid.T) {
		tape, own := tapetest.Hostile(t), false // what it names may be any character
		if i := rapid.IntRange(0, 2*len(tapes)).Draw(t, "tape"); i < len(tapes) {
			tape, own = tapes[i], true
		}
		lines := rapid.SliceOfN(rapid.SampledFrom(words), 0, 12).Draw(t, "lines")
		o := ui.Options{Tape: tape}
		o.Export = func(context.Context, *graph.Graph, []graph.NodeID, export.Style, string, bool) (string, error) {
			return "", fs.ErrExist
		}
		for _, r := range talk(t, o, lines...) {
			drawing := r >= 0x2500 && r <= 0x259f || r >= 0x25a0 && r <= 0x25ff || r >= 0x2190 && r <= 0x21ff || r >= 0x2800 && r <= 0x28ff
			if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || own && drawing {
				t.Fatalf("%q is printed", r)
			}
		}
	})
}

// A puppet is a program that does what a test says.
type puppet struct {
	tape  *graph.Tape
	stops chan control.Stop
	done  chan struct{}
	// resume is what it does until the next stop; false: that is its end.
	resume func(p *puppet, step control.Step) bool
	typed  chan string
	halt   chan struct{}
}

func newPuppet(resume func(*puppet, control.Step) bool) *puppet {
	p := &puppet{
		tape: graph.NewTape(graph.Limits{}), stops: make(chan control.Stop, 1), done: make(chan struct{}), resume: resume,
		typed: make(chan string, 1), halt: make(chan struct{}, 1),
	}
	p.print("hello\n")
	p.stops <- control.Stop{Reason: "step"}
	return p
}

func (p *puppet) print(text string) {
	p.tape.Append(graph.Header{}, &graph.OutputWritten{Stream: 1, Text: text})
}

func (p *puppet) Repeat(step control.Step, _ int) error { return p.Resume(step) }

func (p *puppet) Resume(step control.Step) error {
	go func() {
		if p.resume(p, step) {
			p.stops <- control.Stop{Reason: "step"}
		} else {
			close(p.done)
		}
	}()
	return nil
}

func (p *puppet) Stops() <-chan control.Stop        { return p.stops }
func (p *puppet) Done() <-chan struct{}             { return p.done }
func (p *puppet) Result() string                    { return "the program has ended" }
func (p *puppet) Interrupt() error                  { p.halt <- struct{}{}; return nil }
func (p *puppet) Break(...control.Breakpoint) error { return nil }
func (p *puppet) Input(text string) error           { p.typed <- text; return nil }
func (p *puppet) Resize(int, int)                   {}
func (p *puppet) Ask(a control.Ask) (control.Answer, error) {
	return control.Answer{Values: []control.Value{{Text: "the value of " + a.Text}}}, nil
}

func (p *puppet) options() ui.Options {
	return ui.Options{Tape: p.tape, Program: p, Rules: rules.All()}
}

func TestALineWaitsUntilTheProgramHasStopped(t *testing.T) {
	n := 0
	p := newPuppet(func(p *puppet, _ control.Step) bool {
		n++
		p.print(strings.Repeat("x", n) + "\n")
		return n < 3
	})
	golden(t, "Linear-program", talk(t, p.options(), "s", "s", "c", "c", "p output"))
	if n != 3 {
		t.Errorf("it went on %d times", n)
	}
}

func TestAProgramThatRunsIsTypedToAndInterrupted(t *testing.T) {
	p := newPuppet(func(p *puppet, step control.Step) bool {
		p.print("name? ")
		p.print(<-p.typed)
		<-p.halt
		return true
	})
	in, out := io.Pipe()
	go func() {
		io.WriteString(out, "c\n")
		for p.tape.Len() < 2 {
			<-p.tape.Grown(p.tape.Len())
		}
		io.WriteString(out, "type Ada\ni\nq\n")
	}()
	var b strings.Builder
	if err := (Debugger{Runs: ui.New(p.options()).Runs(), In: in, Out: &b}).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "Output: name? Ada\n") {
		t.Error(b.String())
	}
}

func TestCtrlCInterruptsTheProgramAndThenQuits(t *testing.T) {
	interrupts := make(chan os.Signal)
	stopped := make(chan struct{})
	p := newPuppet(func(p *puppet, _ control.Step) bool {
		interrupts <- os.Interrupt
		<-p.halt
		p.print("stopped\n")
		close(stopped)
		return true
	})
	in, out := io.Pipe()
	b := &awaited{text: "Output: stopped\n", said: make(chan struct{})}
	go func() {
		io.WriteString(out, "c\n")
		<-stopped
		io.WriteString(out, "p output\n") // is carried out when the program has stopped
		<-b.said
		interrupts <- os.Interrupt
	}()
	if err := (Debugger{Runs: ui.New(p.options()).Runs(), In: in, Out: b, Interrupts: interrupts}).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// awaited reports when a text has been written.
type awaited struct {
	strings.Builder
	text string
	said chan struct{} // closed when the text has been written
	over bool
}

func (a *awaited) Write(p []byte) (int, error) {
	n, err := a.Builder.Write(p)
	if !a.over && strings.Contains(a.String(), a.text) {
		a.over = true
		close(a.said)
	}
	return n, err
}

func TestAFileIsOverwrittenWhenThatIsSaid(t *testing.T) {
	var wrote []string
	o := about(tuitest.Recorded(t, "lesson"))
	o.Export = func(_ context.Context, g *graph.Graph, roots []graph.NodeID, _ export.Style, path string, overwrite bool) (string, error) {
		if path == "there.svg" && !overwrite {
			return "", fs.ErrExist
		}
		wrote = append(wrote, path)
		return path + ": written", nil
	}
	text := talk(t, o, "e there.svg", "e new.svg", "e there.svg!", "e", "", "e", "other.png", ":export whole all.dot")
	if got := strings.Join(wrote, " "); got != "new.svg there.svg graph.svg other.png all.dot" {
		t.Error(got)
	}
	if !strings.Contains(text, "there.svg exists; add ! to its name to overwrite it.\n") {
		t.Error(text)
	}
}

func TestWhatCannotBePrintedEndsTheDebugger(t *testing.T) {
	full := errors.New("full")
	err := Debugger{Runs: ui.New(about(tuitest.Recorded(t, "lesson"))).Runs(), In: strings.NewReader("s\n"), Out: brokenWriter{full}}.Run(t.Context())
	if !errors.Is(err, full) {
		t.Error(err)
	}
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

func TestTwoTapesAreComparedInLines(t *testing.T) {
	var b strings.Builder
	runs := ui.NewBeside(about(tuitest.Recorded(t, "inplace")), about(tuitest.Recorded(t, "lesson")))
	lines := "N\ntie on\nN\na\nP\ngoto 20\np graph\n"
	if err := (Debugger{Runs: runs, In: strings.NewReader(lines), Out: &b}).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	goldenfile.Check(t, filepath.Join("testdata", "Linear-beside.golden"), b.String(), *update)
}
