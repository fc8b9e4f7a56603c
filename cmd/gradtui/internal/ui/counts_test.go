package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
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
