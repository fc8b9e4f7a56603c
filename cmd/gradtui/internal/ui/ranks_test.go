package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/graph"
)

// gated is a program of several ranks; only on rank 1 it uses gate.
func gated(rank int) error {
	w := autograd.New([]float64{1, 2}, autograd.RequiresGrad)
	gate := autograd.New([]float64{3, 4}, autograd.RequiresGrad)
	for range 2 {
		h := w.Mul(float64(rank + 1))
		if rank == 1 {
			h = h.Mul(gate)
		}
		loss := h.Sum()
		if err := loss.Backward(); err != nil {
			return err
		}
	}
	return nil
}

// openRanks opens the debugger on the ranks of a program.
func openRanks(t testing.TB, size int, program func(rank int) error) *driver {
	t.Helper()
	var all []Options
	for rank := range size {
		tape := graph.NewTape(graph.Limits{})
		if err := capture.Local(tape, nil, nil, func() error { return program(rank) }); err != nil {
			t.Fatal(err)
		}
		tape.SetInfo(graph.Info{Program: "train.py", Rank: rank, WorldSize: size})
		o := optionsFor(tape)
		o.Title = fmt.Sprintf("run.rank%d.tape", rank)
		all = append(all, o)
	}
	r := NewRanks(all, nil)
	d := &driver{t: t, Model: r.models[0]}
	d.settle(r.Init())
	d.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
	return d
}

// shown makes the driver look at the rank that is shown.
func (d *driver) shown() *driver {
	d.Model = d.among.shown
	return d
}

func TestAKeyGoesToTheSamePlaceOfAnotherRank(t *testing.T) {
	d := openRanks(t, 2, gated)
	var film strings.Builder
	for _, m := range []moment{
		{"rank 0 at its end", nil}, {"in its second pass", []string{"N"}}, {"the same on rank 1", []string{"]"}},
		{"back again", []string{"["}}, {"in the first turn", []string{"N", "N", "N", "]"}}, {"around", []string{"2", "]"}},
		{"the ranks compared", []string{"R"}},
	} {
		d.Press(m.keys...)
		fmt.Fprintf(&film, "%s: %s\n%s\n", m.name, strings.Join(m.keys, " "), d.shown().Screen())
	}
	frames(t, "Ranks", film.String())
}

func TestTheCursorMovesWhileThePlaceOnAnotherRankIsLookedFor(t *testing.T) {
	d := openRanks(t, 2, gated)
	d.Press("N")
	other := d.among.models[1]
	for _, c := range []struct {
		by      string
		follows bool
		stays   bool
	}{{"a key", false, true}, {"its tape, which grows", true, false}} {
		d.among.show(d.among.models[0])
		other.goTo(0, look)
		found := d.among.turn(other)
		if !other.Busy() {
			t.Errorf("%s: the place is not being looked for", c.by)
		}
		const moved = 5
		other.goTo(moved, look)
		other.following = c.follows
		d.among.Update(found())
		if stays := other.goal == moved; stays != c.stays || other.Busy() {
			t.Errorf("moved by %s, it is at %d, busy: %v", c.by, other.goal, other.Busy())
		}
	}
}

func TestARankIsShownByItsNumber(t *testing.T) {
	d := openRanks(t, 3, gated)
	d.Type(":rank 2")
	d.Press("enter")
	if name := d.shown().rankName(); name != "rank 2 of 3" {
		t.Errorf("%s is shown", name)
	}
	d.Type(":rank 3")
	d.Press("enter")
	if want := `there is no rank "3" here`; !strings.Contains(d.Screen(), want) {
		t.Errorf("the screen does not say %q:\n%s", want, d.Screen())
	}
}

// The answer to a rank goes to that rank, whichever is shown in the meantime.
func TestEachRankGetsItsOwnAnswers(t *testing.T) {
	d := openRanks(t, 2, gated)
	d.Press("<")
	_, asked := d.among.Update(tea.KeyPressMsg{Code: 'R', Text: "R"}) // it is answered later
	d.Press("]")
	d.settle(asked)
	if d.among.models[1].overlay != nil || d.among.models[0].overlay == nil {
		t.Error("the comparison has come to another rank than the one that asked for it")
	}
	if d.Press("["); !strings.Contains(d.shown().Screen(), "rank 0 of 2") {
		t.Errorf("rank 0 is not shown:\n%s", d.Screen())
	}
}

func TestATapeAloneHasNoOtherRanks(t *testing.T) {
	tape := recorded(t, "inplace")
	tape.SetInfo(graph.Info{Rank: 1, WorldSize: 4})
	d := open(t, tape, 80, 24)
	before := d.Screen()
	for _, key := range []string{"]", "["} {
		if d.Press(key); !strings.Contains(d.notice.text, "this is one process") {
			t.Errorf("%s says %q", key, d.notice.text)
		}
	}
	d.notice = notice{}
	if d.Screen() != before || !strings.Contains(before, "rank 1 of 4") {
		t.Errorf("%s\nthen\n%s", before, d.Screen())
	}
}

// Of a program that runs, ranks come one after the other, and each is controlled by itself.
func TestRanksJoinTheirLauncher(t *testing.T) {
	r := NewRanks([]Options{{Tape: graph.NewTape(graph.Limits{}), Title: "train.py", Program: &waiting{}}}, nil)
	d := &driver{t: t, Model: r.models[0]}
	press := func(key rune) string {
		r.Update(tea.KeyPressMsg{Code: key, Text: string(key)})
		return d.shown().rankName()
	}
	r.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	var programs [2]waiting
	for _, rank := range []int{1, 0} {
		tape := recorded(t, "inplace")
		tape.SetInfo(graph.Info{Rank: rank, WorldSize: 2})
		r.Update(joinedMsg(Options{Tape: tape, Title: "train.py", Program: &programs[rank]}))
		if name := d.shown().rankName(); name != []string{"rank 0 of 2", "launcher of 1"}[rank] {
			t.Errorf("when rank %d has joined, %s is shown", rank, name)
		}
	}
	if !strings.Contains(d.Screen(), "rank 0 of 2") {
		t.Errorf("rank 0 has no screen:\n%s", d.Screen())
	}
	d.Model.goTo(d.tape.Len(), look)
	press('b')
	if len(programs[0].points) != 1 || len(programs[1].points) != 0 {
		t.Errorf("the breakpoint is on %v and %v", programs[0].points, programs[1].points)
	}
	for _, want := range []string{"rank 1 of 2", "launcher of 2", "rank 0 of 2"} {
		if got := press(']'); got != want {
			t.Errorf("%s follows, not %s", got, want)
		}
	}
}

// Ranks are compared again when one is over, as long as the comparison is on the screen.
func TestRanksAreComparedAgainWhenOneIsOver(t *testing.T) {
	d := openRanks(t, 2, gated)
	d.among.models[1].Program = &waiting{}
	d.Press("R")
	if want := "2 backward passes, 2 steps so far"; strings.Count(d.Screen(), " so far") != 1 || !strings.Contains(d.Screen(), want) {
		t.Errorf("the screen does not say %q of one rank:\n%s", want, d.Screen())
	}
	d.settle(of(d.among.models[1], func() tea.Msg { return Do(func(m *Model) tea.Cmd { return m.over() }) }))
	if strings.Contains(d.Screen(), "so far") || !strings.Contains(d.Screen(), "gradient ") {
		t.Errorf("the screen does not show two ranks that are over:\n%s", d.Screen())
	}
}
