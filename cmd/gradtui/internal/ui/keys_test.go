package ui

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
)

func TestAKeyThatCannotActSaysWhy(t *testing.T) {
	d := open(t, recorded(t, "lesson"), 100, 30)
	d.Press(">")
	for key, want := range map[string]string{
		"n": "end of the tape", "c": "end of the tape", "i": "not running", "C": "no breakpoint", "m": "no findings", "f": "no findings",
		"]": "one process", "Z": "Z is not a key",
	} {
		if d.Press(key); !strings.Contains(d.notice.text, want) {
			t.Errorf("%s says %q, want %q", key, d.notice.text, want)
		}
		if !strings.Contains(d.Screen(), want) {
			t.Errorf("%s: the screen lacks %q", key, want)
		}
	}
	d.Press("5", "space")
	if want := "this works in the graph"; !strings.Contains(d.notice.text, want) {
		t.Errorf("space in the findings says %q, want %q", d.notice.text, want)
	}
	d.Press("<", "S")
	if want := "beginning of the tape"; !strings.Contains(d.notice.text, want) {
		t.Errorf("S at the beginning says %q, want %q", d.notice.text, want)
	}
}

// The last row keeps its keys, however long a message is, and shows only those that act.
func TestTheKeysStandBesideAMessage(t *testing.T) {
	d := open(t, recorded(t, "lesson"), 80, 24)
	last := func() string {
		rows := strings.Split(strings.TrimRight(d.Screen(), "\n"), "\n")
		return rows[len(rows)-1]
	}
	for _, said := range []string{"", "a short one", strings.Repeat("a message that is long, ", 12) + "END"} {
		d.say(plain, said)
		if !strings.HasPrefix(last(), "? help") {
			t.Errorf("with a message of %d columns the last row is %q", len(said), last())
		}
		words := strings.Fields(said)
		if len(words) > 0 && !strings.Contains(d.Screen(), words[len(words)-1]) {
			t.Errorf("the end of the message is not on the screen:\n%s", d.Screen())
		}
	}
	d.Press(">")
	if strings.Contains(last(), "continue") {
		t.Errorf("at the end of a tape the last row is %q", last())
	}
	if d.Press("<"); !strings.Contains(last(), "c continue") {
		t.Errorf("at the beginning of a tape the last row is %q", last())
	}
}

// A resumed program notes what it is asked for.
type resumed struct {
	waiting
	steps []control.Step
}

func (r *resumed) Resume(s control.Step) error {
	r.steps = append(r.steps, s)
	return nil
}

// live opens the debugger on a program that is starting.
func live(t *testing.T, o Options) (*driver, *resumed) {
	r := &resumed{}
	o.Tape, o.Program = graph.NewTape(graph.Limits{}), r
	d := &driver{t: t, Model: New(o)}
	d.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	return d, r
}

func (d *driver) key(name string) {
	d.Update(tea.KeyPressMsg(tea.Key{Code: []rune(name)[0], Text: name}))
}

func TestKeysWaitForAProgramThatStarts(t *testing.T) {
	d, r := live(t, Options{})
	if d.draw(); !strings.Contains(d.Screen(), "starting the program") {
		t.Errorf("no word that the program starts:\n%s", d.Screen())
	}
	d.key("s")
	d.key("s")
	if len(r.steps) > 0 || !strings.Contains(d.notice.text, "2 keys") {
		t.Errorf("%v, %q", r.steps, d.notice.text)
	}
	for _, want := range []int{1, 2, 2} {
		if d.Update(stoppedMsg{control.Stop{Reason: control.StepEnded}, true}); len(r.steps) != want {
			t.Errorf("after a stop %d steps, want %d", len(r.steps), want)
		}
	}
	if slices.Contains(r.steps, control.Continue) {
		t.Errorf("the steps are %v", r.steps)
	}
}

func TestAProgramRunsAheadToTheEndOfItsFirstIteration(t *testing.T) {
	d, r := live(t, Options{Ahead: true})
	d.Update(stoppedMsg{control.Stop{Reason: control.Interrupted}, true})
	if len(r.points) != 1 || r.points[0].Query != secondIteration || !slices.Equal(r.steps, []control.Step{control.Continue}) {
		t.Fatalf("breakpoints %v, steps %v", r.points, r.steps)
	}
	d.Update(stoppedMsg{control.Stop{Reason: control.BreakpointHit}, true})
	d.findings.checking = false // what Update asked for is not carried out here
	d.settle(d.check())
	if len(r.points) != 0 || len(r.steps) != 1 || !strings.Contains(d.notice.text, "the first iteration is over") {
		t.Errorf("breakpoints %v, steps %v, %q", r.points, r.steps, d.notice.text)
	}
}

func TestQuittingAsksIfAProgramWouldBeLost(t *testing.T) {
	d, _ := live(t, Options{})
	d.key("q")
	if q, ok := d.overlay.(*question); !ok || !slices.Contains(q.yes, "q") {
		t.Fatalf("q opens %T", d.overlay)
	}
	if d.key("n"); d.overlay != nil {
		t.Error("another key does not close the question")
	}
	d.key("q")
	_, cmd := d.Update(tea.KeyPressMsg(tea.Key{Code: 'y', Text: "y"}))
	if !quits(cmd) {
		t.Error("y does not quit")
	}
	if _, cmd = open(t, recorded(t, "lesson"), 80, 24).Update(tea.KeyPressMsg(tea.Key{Code: 'q', Text: "q"})); !quits(cmd) {
		t.Error("q does not quit a tape at once")
	}
}

// quits reports whether a command quits.
func quits(cmd tea.Cmd) bool {
	if cmd == nil {
		return false
	}
	switch msg := cmd().(type) {
	case tea.QuitMsg:
		return true
	case tea.BatchMsg:
		return slices.ContainsFunc(msg, quits)
	}
	return false
}
