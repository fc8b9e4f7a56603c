package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/graph"
)

// trains computes a few passes; extra operations come before them.
func trains(extra int) error {
	w := autograd.New([]float64{1, 2}, autograd.RequiresGrad)
	for range extra {
		w.Exp()
	}
	for range 3 {
		loss := w.Mul(w).Sum()
		if err := loss.Backward(); err != nil {
			return err
		}
	}
	return nil
}

func eachTheSame(int) error { return trains(0) }

// said takes messages until the debugger says something.
func (p *pilot) said(want string) {
	p.t.Helper()
	p.until(fmt.Sprintf("the message %q", want), func() bool { return strings.Contains(p.notice.text, want) })
}

func TestARestartGoesBackToTheSameEvent(t *testing.T) {
	p := fly(t, 80, 24, eachTheSame, nil)
	p.command("break op mul")
	p.command("break op exp")
	p.command("clear 1")
	p.tap("n", "n", "2", "N")
	at, line, old := p.at(), p.place, p.tape
	if at == 0 || at == p.tape.Len() || line.Line == 0 {
		t.Fatalf("event %d of %d, %v", at, p.tape.Len(), line)
	}
	p.tap("R", "y")
	if p.tape == old || p.begun.Load() != 2 {
		t.Fatal("the program was not started again")
	}
	p.said("back at event")
	if p.at() != at || p.place != line || p.tape.Len() < at || p.focus != sourcePane || !p.live() {
		t.Errorf("event %d, want %d; %v; %v; %v\n%s", p.at(), at, p.place, p.focus.name(), p.live(), p.Screen())
	}
	if len(p.queries) != 1 || p.queries[0].ID != 2 || p.queries[0].Query != "op exp" {
		t.Errorf("breakpoints: %v", p.points())
	}
	p.tap("s") // and it goes on
	if p.at() <= at {
		t.Errorf("event %d", p.at())
	}
}

// The question is answered with another key: the program goes on as if nothing had been.
func TestARestartIsAskedForWhileTheProgramLives(t *testing.T) {
	p := fly(t, 80, 24, eachTheSame, nil)
	p.tap("n", "R")
	if !strings.Contains(p.Screen(), "The program has not ended: a restart ends it") {
		t.Error(p.Screen())
	}
	p.tap("esc", "n")
	if p.begun.Load() != 1 || p.overlay != nil {
		t.Errorf("%d runs", p.begun.Load())
	}
	p.tap("c", "R") // it has ended: no question
	if p.begun.Load() != 2 || !p.program.over {
		t.Errorf("%d runs\n%s", p.begun.Load(), p.Screen())
	}
	p.said("started again: the program has ended")
}

// A breakpoint before the place does not hold the program on its way back, but later ones do.
func TestBreakpointsDoNotStopTheWayBack(t *testing.T) {
	p := fly(t, 80, 24, eachTheSame, nil)
	p.tap("n", "n", "n", "n", "n")
	at := p.at()
	p.command("break op mul")
	p.command("restart")
	if p.at() != at {
		t.Errorf("event %d, want %d\n%s", p.at(), at, p.Screen())
	}
	p.tap("c")
	p.said("stopped at a breakpoint: op mul")
}

// The second run is another one: its events are shifted.
func TestARestartGoesBackToTheLineIfTheEventIsAnotherOne(t *testing.T) {
	p := fly(t, 80, 24, func(run int) error { return trains(run) }, nil)
	p.tap("B", "B") // the first pass is over
	at := p.firstOf(graph.KindBackwardBegan) + 1
	p.command(fmt.Sprint("goto ", at))
	line := p.line(at - 1)
	p.command("restart")
	if p.at() == at || p.line(p.at()-1) != line {
		t.Errorf("event %d, line %v, want %v: %s\n%s", p.at(), p.line(p.at()-1), line, p.notice.text, p.Screen())
	}
	p.said("is another one now")
}

func TestARestartSaysWhenThePlaceIsNotReached(t *testing.T) {
	p := fly(t, 80, 24, func(run int) error {
		if run > 0 {
			return nil
		}
		return trains(0)
	}, nil)
	p.tap("n", "n", "n", "R")
	p.put(keyPress("y"))
	p.until("the end", func() bool { return p.program.over && p.way == nil && !p.restarting })
	p.said("it did not come to")
}

// Keys and messages of the run that was ended do nothing in the new one.
func TestMessagesOfAnEarlierRunAreDropped(t *testing.T) {
	p := fly(t, 80, 24, eachTheSame, nil)
	p.tap("n")
	late := stamp(p.life, overMsg{})
	p.command("restart")
	p.put(late)
	if p.program.over {
		t.Error("the end of the first run ended the second one")
	}
}

func TestATapeSaysWhyItCannotBeRestarted(t *testing.T) {
	d := open(t, recorded(t, "inplace"), 80, 24)
	d.Press("R")
	if want := "this is a recording, and nothing runs that could be started again; gradtui run PROGRAM runs one"; d.notice.text != want {
		t.Error(d.notice.text)
	}
	k, _ := d.Key("R")
	if k.Works || !slices.Contains(k.Names, "R") {
		t.Errorf("%+v", k)
	}
}
