package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/graph"
)

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

// openBeside opens the debugger on a training, beside another one.
func openBeside(t *testing.T, program, other func() error) *driver {
	o, p := optionsFor(trainedBy(t, program)), optionsFor(trainedBy(t, other))
	o.Title, p.Title = "run.tape", "dir/other.tape"
	r := NewBeside(o, p)
	d := &driver{t: t, Model: r.models[0]}
	d.settle(r.Init())
	d.Send(tea.WindowSizeMsg{Width: 120, Height: 40})
	return d
}

func TestATapeIsComparedWithAnotherOne(t *testing.T) {
	d := openBeside(t, steps(0.5), steps(0.25))
	b, _ := d.graph().Backward(2)
	d.command(fmt.Sprint("goto ", b.Finished+1))
	d.command("tie")
	d.Press("esc")
	d.chooseTensor(1)
	text := d.Screen()
	d.Press("a")
	d.shown().Press("N")
	golden(t, "Moments-beside", text+"\nThe other tape\n"+d.Screen())
	d.Press("P")
	if d.pin.elsewhere != nil || d.pin.goal != d.goal {
		t.Error("P does not pin the cursor in place of the other tape")
	}
	d.Press("P")
	if d.pin.elsewhere != d.among.models[0] {
		t.Error("P again does not bring back the other tape")
	}
}

func TestATiedMomentGoesToTheCorrespondingEvent(t *testing.T) {
	for name, d := range map[string]*driver{"another tape": openBeside(t, steps(0.5), steps(0.25)), "an iteration before": atPasses(t, 1, 2, 120, 40)} {
		b, _ := d.graph().Backward(2)
		if d.pin.elsewhere != nil {
			d.command(fmt.Sprint("goto ", b.Finished+1))
		}
		d.command("tie on")
		for range 4 {
			d.Press("N")
			at, there := d.aboutToRun(), d.pin.aboutToRun()
			n, _ := d.graph().Node(at)
			m, _ := d.pin.graph().Node(there)
			if n.ID == 0 || n.Name != m.Name || d.pin.elsewhere == nil && n.ID == m.ID && n.Variable == 0 {
				t.Errorf("%s: %s n%d is about to run at B, %s n%d at A", name, n.Name, n.ID, m.Name, m.ID)
			}
		}
		then := d.pin.goal
		d.command("tie off")
		d.Press("n")
		if d.pin.goal != then {
			t.Errorf("%s: A moved from %d to %d, and is not tied", name, then, d.pin.goal)
		}
	}
}

func TestAnotherRankCanBeMomentA(t *testing.T) {
	d := openRanks(t, 2, gated)
	d.command("pin rank 1")
	d.Press("esc")
	if head, _, _ := strings.Cut(d.Screen(), "\n"); !strings.Contains(head, "rank 0 of 2 · A ") || !strings.Contains(head, " ↔ B ") {
		t.Error(head)
	}
	d.command("pin rank 0")
	if want := `there is no other rank "0" here`; d.notice.text != want {
		t.Errorf("%s, want %s", d.notice.text, want)
	}
}

func TestWhatDiffersIsListed(t *testing.T) {
	d := atPasses(t, 1, 3, 120, 40)
	d.Press("N", "N", "N")
	d.command("what differs")
	_, lines, ok := d.TextShown()
	if !ok {
		t.Fatal(d.notice.text)
	}
	golden(t, "Moments-what", strings.Join(lines, "\n")+"\n")
	d.Press("esc", "P")
	d.command("pin")
	d.Press("esc")
	d.command("what differs")
	if _, lines, _ := d.TextShown(); len(lines) != 1 || strings.TrimSpace(lines[0]) != "nothing" {
		t.Errorf("%q", lines)
	}
}
