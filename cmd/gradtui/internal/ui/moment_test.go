package ui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/optim"
	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/graph"
)

// steps is a training of three steps; the third has an operation more, and the second prints.
func steps(factor float64) func() error {
	return func() error {
		w := autograd.New([]float64{1, 2}, autograd.RequiresGrad)
		opt, err := optim.NewSGD([]*autograd.Tensor{w}, optim.LR(0.1))
		if err != nil {
			return err
		}
		for step := range 3 {
			if err := opt.ZeroGrad(); err != nil {
				return err
			}
			h := w.Mul(factor)
			if step == 2 {
				h = h.Exp()
			}
			loss := h.Pow(2).Sum()
			if err := loss.Backward(); err != nil {
				return err
			}
			if err := opt.Step(); err != nil {
				return err
			}
		}
		return nil
	}
}

func trainedBy(t testing.TB, program func() error) *graph.Tape {
	t.Helper()
	tape := graph.NewTape(graph.Limits{})
	if err := capture.Local(tape, nil, nil, program); err != nil {
		t.Fatal(err)
	}
	return tape
}

// atPasses pins the end of a backward pass as moment A, and goes to the end of another one.
func atPasses(t *testing.T, a, b graph.BackwardID, columns, rows int) *driver {
	d := open(t, trainedBy(t, steps(0.5)), columns, rows)
	last, _ := d.graph().Backward(a)
	now, _ := d.graph().Backward(b)
	d.command(fmt.Sprint("pin ", last.Finished+1))
	d.command(fmt.Sprint("goto ", now.Finished+1))
	d.Press("esc")
	return d
}

func TestTheHeadLineNamesBothMoments(t *testing.T) {
	d := atPasses(t, 1, 2, 120, 40)
	a, b := d.pin.at(), d.at()
	line := func() string { first, _, _ := strings.Cut(d.Screen(), "\n"); return first }
	if want := fmt.Sprintf("A event %d iteration 1 ↔ B event %d iteration 2", a, b); !strings.Contains(line(), want) {
		t.Errorf("%s, want %s", line(), want)
	}
	d.Press("a")
	if want := fmt.Sprintf("A event %d iteration 2 ↔ B event %d iteration 1", b, a); !strings.Contains(line(), want) {
		t.Errorf("swapped: %s, want %s", line(), want)
	}
	d.Press("P")
	if d.pin != nil || strings.Contains(line(), "↔") {
		t.Errorf("unpinned: %s", line())
	}
}

func TestThePinnedIterationIsTheSamePlaceOfAnotherOne(t *testing.T) {
	d := atPasses(t, 1, 2, 120, 40)
	want := d.pin.at()
	d.command("pin iteration 1")
	if d.pin.at() != want {
		t.Errorf("the end of pass 2 is event %d in iteration 1, want %d", d.pin.at(), want)
	}
	d.command("pin iteration 7")
	if d.notice.text != `there is no iteration "7" on the tape` || d.pin.at() != want {
		t.Error(d.notice.text)
	}
}

func TestTheInspectorComparesMoments(t *testing.T) {
	d := atPasses(t, 1, 2, 120, 40)
	d.chooseTensor(1)
	golden(t, "Moments-tensor", d.Pane(inspectorPane))
	d.Press("<")
	d.chooseTensor(1)
	d.command("goto 3")
	d.chooseTensor(1)
	golden(t, "Moments-before", d.Pane(inspectorPane))
}

func TestTheGraphMarksWhatDiffers(t *testing.T) {
	d := atPasses(t, 1, 3, 80, 24)
	d.Press("1", "z")
	text := "The third iteration beside the first\n" + d.Pane(graphPane)
	d.Press("N", "N", "N")
	text += "In the middle of the pass\n" + d.Pane(graphPane)
	d.Press("v")
	text += "As a drawing\n" + d.Pane(graphPane)
	d.Press("v", "v", "a")
	text += "Swapped\n" + d.Pane(graphPane)
	_, rows := d.PaneWords()
	golden(t, "Moments-graph", text+"In words\n"+strings.Join(rows, "\n")+"\n")
}

func TestPanesShowWhatHappenedBetweenTheMoments(t *testing.T) {
	d := open(t, recorded(t, "inplace"), 100, 40)
	end := d.at()
	d.command("pin 25")
	d.command(fmt.Sprint("goto ", end))
	var all strings.Builder
	panes := func(what string) {
		fmt.Fprintf(&all, "== %s, A %d, B %d\n", what, d.pin.at(), d.at())
		for _, id := range []paneID{sourcePane, timelinePane, memoryPane, outputPane, findingsPane} {
			d.show(id)
			d.Press("esc")
			all.WriteString(d.Pane(id))
			if p, ok := d.panes.all[id].(speaker); ok && id != timelinePane {
				all.WriteString("In words\n" + strings.Join(p.words(&d.state), "\n") + "\n")
			}
		}
	}
	panes("A comes first")
	d.Press("a")
	panes("swapped")
	golden(t, "Moments-panes", all.String())
}

// Lines that ran are counted as if the stretch had been walked at once, wherever it was before.
func TestLinesThatRanFollowTheStretch(t *testing.T) {
	tape := trainedBy(t, steps(0.5))
	r := newRanLines(tape)
	for _, s := range [][2]graph.Pos{{3, 10}, {5, 8}, {0, tape.Len()}, {40, 60}, {20, 30}, {30, 30}, {25, 33}} {
		for range 2 * tape.Len() {
			r.approach(s[0], s[1], 1)
		}
		want := newRanLines(tape)
		want.approach(s[0], s[1], int(tape.Len()))
		for f, n := range r.lines {
			if (n > 0) != (want.lines[f] > 0) || n < 0 {
				t.Errorf("[%d, %d): line %d counts %d, want %d", s[0], s[1], f.Line, n, want.lines[f])
			}
		}
		if r.from != s[0] || r.to != s[1] {
			t.Errorf("[%d, %d) became [%d, %d)", s[0], s[1], r.from, r.to)
		}
	}
}

func TestOutputBetweenTheMomentsHasAMark(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	for i := range 4 {
		add(tape, 0, &graph.OutputWritten{Stream: uint8(1 + i%2), Text: fmt.Sprintf("line %d\n", i)})
	}
	d := open(t, tape, 80, 24)
	d.command("pin 1")
	d.command("goto 3")
	d.Press("6")
	rows := strings.Split(d.Pane(outputPane), "\n")
	if want := "3 lines; 2 lines between A and B; ↓ 1 later"; !strings.Contains(rows[0], want) {
		t.Errorf("%s, want %s", rows[0], want)
	}
	for i, want := range []string{"  line 0", "┃!line 1", "┃ line 2", " !line 3"} {
		if got := strings.TrimRight(rows[i+1], " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestElementsAreComparedWithThePinnedMoment(t *testing.T) {
	d := atPasses(t, 1, 2, 80, 24)
	d.command("value w")
	if want := "moment A, event 31 iteration 1"; !strings.Contains(d.Screen(), want) || !strings.Contains(d.Screen(), "-0.05") {
		t.Errorf("not the difference to A:\n%s", d.Screen())
	}
	d.Press("=")
	if want := "1.9"; !strings.Contains(d.Screen(), want) {
		t.Errorf("%s is not on the screen:\n%s", want, d.Screen())
	}
	d.Press("esc")
	d.command(fmt.Sprint("pin ", d.at()))
	d.Press("esc")
	d.command("value w")
	if want := "it was the same at moment A"; !strings.Contains(d.Screen(), want) || !strings.Contains(d.Screen(), "1.9") {
		t.Errorf("no %q:\n%s", want, d.Screen())
	}
}
