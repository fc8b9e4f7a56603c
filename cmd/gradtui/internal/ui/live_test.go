package ui

import (
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/rules"
)

// A watched program is a function of this process under the debugger.
type watched struct {
	*control.Session
	tape *graph.Tape
	done chan struct{}
	err  error
}

// watch starts a function, which waits at its first event.
func watch(program func() error) *watched {
	w := &watched{Session: control.NewSession(control.Command{Interrupt: true}), tape: graph.NewTape(graph.Limits{}), done: make(chan struct{})}
	go func() {
		defer close(w.done)
		defer w.End()
		w.err = capture.Local(w.tape, w.Session, nil, program)
	}()
	return w
}

func (w *watched) Done() <-chan struct{} { return w.done }
func (w *watched) Input(string) error    { return nil }
func (w *watched) Resize(int, int)       {}

func (w *watched) Result() string {
	if w.err != nil {
		return "the program has failed: " + w.err.Error()
	}
	return "the program has ended"
}

// stop lets the program run to its end.
func (w *watched) stop() {
	w.Detach()
	<-w.done
}

// A pilot is a driver of a debugger whose program runs: what waits, waits in the background.
type pilot struct {
	driver
	messages chan tea.Msg
	now      *watched
	begun    atomic.Int32 // runs of the program
}

// fly opens the debugger on a function. Each run calls program with its number, from 0.
func fly(t *testing.T, columns, rows int, program func(run int) error, change func(*Options)) *pilot {
	t.Helper()
	p := &pilot{messages: make(chan tea.Msg)}
	begin := func() Options {
		run := int(p.begun.Add(1)) - 1
		p.now = watch(func() error { return program(run) })
		return Options{Tape: p.now.tape, Program: p.now}
	}
	o := begin()
	o.Title, o.Rules = "prog.go", rules.All()
	o.Restart = func() (Options, error) { p.now.stop(); return begin(), nil }
	if change != nil {
		change(&o)
	}
	p.driver = driver{t: t, Model: New(o)}
	t.Cleanup(func() { p.now.stop() })
	p.start(p.Init())
	p.put(tea.WindowSizeMsg{Width: columns, Height: rows})
	p.until("the first stop", func() bool { return p.program.started && !p.Busy() })
	return p
}

// start carries out a command in the background.
func (p *pilot) start(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	done := p.t.Context().Done()
	go func() {
		select {
		case p.messages <- cmd():
		case <-done:
		}
	}()
}

// put gives the debugger a message.
func (p *pilot) put(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			p.start(c)
		}
	default:
		p.start(p.update(msg))
	}
}

// patience is how long a test waits for its program before it gives up.
const patience = 20 * time.Second

// until takes messages until something is so.
func (p *pilot) until(what string, is func() bool) {
	p.t.Helper()
	late := time.After(patience)
	for !is() {
		select {
		case msg := <-p.messages:
			p.put(msg)
		case <-late:
			p.t.Fatalf("waiting for %s:\n%s", what, p.Screen())
		}
	}
}

// rest takes messages until the program stands, the cursor too, and the rules have looked.
func (p *pilot) rest() {
	p.t.Helper()
	p.until("rest", func() bool {
		return !p.restarting && p.program.started && !p.Busy() && p.way == nil && !p.findings.checking && p.findings.upTo == p.tape.Len()
	})
}

// tap presses keys, each when the one before has done its work.
func (p *pilot) tap(keys ...string) {
	p.t.Helper()
	for _, k := range keys {
		p.put(keyPress(k))
		p.rest()
	}
}

// command types a command line.
func (p *pilot) command(line string) {
	p.t.Helper()
	p.put(Do(func(m *Model) tea.Cmd { return m.run(line) }))
	p.rest()
}

// firstOf returns the first event of a kind.
func (p *pilot) firstOf(kind graph.Kind) graph.Pos {
	p.t.Helper()
	for q := range p.tape.Len() {
		if k, _ := p.dec.Kind(q); k == kind {
			return q
		}
	}
	p.t.Fatal("there is no", kind)
	return 0
}
