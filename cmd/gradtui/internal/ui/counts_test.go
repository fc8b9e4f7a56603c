package ui

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
)

func TestACountRepeatsAKey(t *testing.T) {
	d := open(t, recorded(t, "lesson"), 80, 24)
	d.Press("<", "s", "s", "s")
	at := d.at()
	d.Press("<", ":")
	d.Type("3s")
	if !strings.Contains(d.Screen(), "3 times: next operation") {
		t.Error(d.Screen())
	}
	d.Press("enter")
	if d.at() != at || d.repeated != nil {
		t.Errorf("event %d, want %d", d.at(), at)
	}
	d.Press(":")
	d.Type("2 S")
	d.Press("enter", "s", "s")
	if d.at() != at {
		t.Errorf("event %d, want %d", d.at(), at)
	}
	d.Press(":")
	d.Type("100000s")
	d.Press("enter") // the tape has fewer
	if d.at() < at || d.repeated != nil || !strings.Contains(d.notice.text, "of 100000 times") {
		t.Errorf("event %d, %q", d.at(), d.notice.text)
	}
	for line, says := range map[string]string{"3q": "cannot be repeated", "3ü": "cannot be repeated", "0n": "unknown command"} {
		if d.settle(d.run(line)); !strings.Contains(d.notice.text, says) {
			t.Errorf("%s: %q", line, d.notice.text)
		}
	}
}

func TestACountOfALiveProgramEndsAtABreakpoint(t *testing.T) {
	p := fly(t, 80, 24, eachTheSame, nil)
	p.command("break op mul")
	p.put(Do(func(m *Model) tea.Cmd { return m.run("2B") })) // to the end of the first pass
	p.until("the end", func() bool { return p.repeated == nil && !p.Busy() })
	p.said("stopped at a breakpoint: op mul")
	if p.program.over {
		t.Error("the program ran to its end")
	}
	p.command("clear")
	p.tap("<", ">")
	at := p.at()
	p.put(Do(func(m *Model) tea.Cmd { return m.run("4n") }))
	p.until("the end", func() bool { return p.repeated == nil && !p.Busy() })
	if p.program.over || p.at() <= at {
		t.Errorf("event %d, after %d; %s", p.at(), at, p.notice.text)
	}
}

// A counter counts how often a program is resumed.
type counter struct {
	*watched
	resumed int
}

func (c *counter) Resume(step control.Step) error {
	c.resumed++
	return c.watched.Resume(step)
}

func (c *counter) Repeat(step control.Step, times int) error {
	c.resumed++
	return c.watched.Repeat(step, times)
}

// tallied opens the debugger on a program whose resumptions are counted.
func tallied(t *testing.T, program func(int) error) (*pilot, *counter) {
	c := &counter{}
	p := fly(t, 80, 24, program, func(o *Options) {
		c.watched = o.Program.(*watched)
		o.Program = c
	})
	p.rest()
	return p, c
}

// line carries out a command line, and waits until the program stands.
func (p *pilot) enter(text string) {
	p.t.Helper()
	p.put(Do(func(m *Model) tea.Cmd { return m.run(text) }))
	p.until("the end of "+text, func() bool { return p.repeated == nil && !p.Busy() })
	p.rest()
}

func TestACountIsOneRequestToALiveProgram(t *testing.T) {
	p, c := tallied(t, func(int) error { return errors.Join(trains(0), trains(0), trains(0)) })
	lines := []string{"6s", "3n", "2u"}
	var ends []graph.Pos // one by one
	for _, line := range lines {
		for range line[0] - '0' {
			p.tap(line[1:])
		}
		ends = append(ends, p.at())
	}
	p.command("goto 0")
	p.command("restart") // to the first event
	p.Program, c.watched = c, p.now
	for i, line := range lines {
		p.tap("<", ">")
		c.resumed = 0
		if p.enter(line); c.resumed != 1 || p.at() != ends[i] {
			t.Errorf("%s: event %d after %d requests, want %d", line, p.at(), c.resumed, ends[i])
		}
	}
	p.tap("S", "S") // a part of the way is on the tape then
	c.resumed = 0
	at, left := p.at(), 9
	for p.enter("9s"); at < p.at() && left > 0; left-- {
		at, _ = byOp.next(p.steps, at)
	}
	if c.resumed != 1 || at != p.at() || left > 0 {
		t.Errorf("event %d after %d requests, want %d, %d operations later", p.at(), c.resumed, at, left)
	}
}

// The program ends before the count does: it says how often it was.
func TestACountSaysHowOftenItWas(t *testing.T) {
	p, c := tallied(t, eachTheSame)
	p.enter("1000s")
	done := 0
	for at := graph.Pos(0); ; done++ {
		next, ok := byOp.next(p.steps, at)
		if !ok {
			break
		}
		at = next
	}
	if c.resumed != 1 || !p.program.over || done == 0 {
		t.Errorf("%d requests, %d operations\n%s", c.resumed, done, p.Screen())
	}
	p.said(fmt.Sprintf("s: %d of 1000 times; the program has ended", done))
}

func TestAKeyEndsACountThatRuns(t *testing.T) {
	hold, reached := make(chan bool), make(chan bool)
	p, _ := tallied(t, func(int) error {
		w := autograd.New([]float64{1, 2}, autograd.RequiresGrad)
		w.Exp()
		w.Exp()
		close(reached)
		<-hold
		for range 5 {
			w.Exp()
		}
		return nil
	})
	p.put(Do(func(m *Model) tea.Cmd { return m.run("1000s") }))
	<-reached
	p.put(keyPress("tab"))
	close(hold)
	p.until("the end", func() bool { return p.repeated == nil && !p.Busy() })
	if p.program.over {
		t.Error("the program ran to its end")
	}
	p.said("of 1000 times; interrupted")
}
