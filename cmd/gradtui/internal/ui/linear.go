package ui

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Linear is the debugger without a screen, for screen readers, terminals that cannot
// move their cursor, and scripts: it reads a line, does what the key or the command of
// that name does, and prints what is other than before in plain sentences. The Model is
// the one that the screen shows; its messages go around in a loop of their own
// instead of a tea.Program.
type Linear struct {
	Options
	In  io.Reader
	Out io.Writer
	// Prompt is printed before a line is read.
	Prompt string
	// Interrupts bring Ctrl-C: it interrupts a program that runs, or else quits.
	Interrupts <-chan os.Signal
}

// linear is a Linear that runs.
type linear struct {
	m        *Model
	out      *bufio.Writer
	prompt   string
	messages chan tea.Msg
	done     chan struct{} // closed in the end
	pending  int           // commands under way that will bring a message soon
	lines    chan string
	queue    []string // lines that were read and wait
	prompted bool
	then     func() // what a line still has to do when there is nothing to wait for
	quitting bool
	told     told
}

// The size of the screen that is not there; panes are as wide.
const (
	linearColumns = 100
	linearRows    = 50
)

// maxQueue bounds the lines that are read before they are carried out.
const maxQueue = 64

// Run reads and carries out lines until one of them quits, or they end.
func (o Linear) Run(ctx context.Context) error {
	l := &linear{
		m: New(o.Options), out: bufio.NewWriter(o.Out), prompt: o.Prompt,
		messages: make(chan tea.Msg), done: make(chan struct{}), lines: make(chan string),
	}
	defer close(l.done)
	go l.read(o.In)
	l.hello()
	l.start(l.m.Init())
	l.update(tea.WindowSizeMsg{Width: linearColumns, Height: linearRows})
	for !l.quitting {
		if err := l.flush(); err != nil {
			return err
		}
		lines := l.lines
		if len(l.queue) == maxQueue {
			lines = nil
		}
		select {
		case msg := <-l.messages:
			l.take(msg)
		case line, ok := <-lines:
			l.got(line, ok)
		case <-o.Interrupts:
			if l.m.program.running {
				l.update(doMsg((*Model).interrupt))
			} else {
				l.quitting = true
			}
		case <-ctx.Done():
			return ctx.Err()
		}
		l.rest()
	}
	return l.out.Flush()
}

// rest tells what has changed and carries out the next line, when there is nothing
// more to wait for.
func (l *linear) rest() {
	l.tellOutput(false)
	for l.pending == 0 && !l.m.program.running && !l.m.moving() && !l.quitting {
		if then := l.then; then != nil {
			l.then = nil
			then()
			continue
		}
		l.tell()
		if len(l.queue) == 0 {
			if l.lines == nil {
				l.quitting = true
			} else if !l.prompted {
				l.out.WriteString(l.prompt)
				l.prompted = true
			}
			return
		}
		line := l.queue[0]
		l.queue = l.queue[1:]
		l.prompted = false
		l.do(line)
	}
}

// flush writes what was said, before something is waited for.
func (l *linear) flush() error {
	if err := l.out.Flush(); err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	return nil
}

// read reads the lines; the channel is closed at their end.
func (l *linear) read(in io.Reader) {
	defer close(l.lines)
	r := bufio.NewReaderSize(in, maxInput)
	for {
		line, more, err := r.ReadLine()
		for more && err == nil { // the end of a line that is too long goes
			_, more, err = r.ReadLine()
		}
		if err != nil {
			return
		}
		select {
		case l.lines <- string(line):
		case <-l.done:
			return
		}
	}
}

// got takes a line that was read. While the program runs, some do not wait.
func (l *linear) got(line string, ok bool) {
	line = strings.TrimSpace(line)
	word, _, _ := strings.Cut(line, " ")
	switch {
	case !ok:
		l.lines = nil
	case l.m.program.running && (word == "i" || word == "type"):
		l.do(line)
	default:
		l.queue = append(l.queue, line)
	}
}

// start carries out a command of the model.
func (l *linear) start(c tea.Cmd) {
	if c == nil {
		return
	}
	l.pending++
	go l.await(c, func(msg tea.Msg) tea.Msg { return pendingMsg{msg} })
}

// A pendingMsg is a message that was waited for.
type pendingMsg struct{ msg tea.Msg }

func (l *linear) await(c tea.Cmd, as func(tea.Msg) tea.Msg) {
	msg := as(c())
	select {
	case l.messages <- msg:
	case <-l.done:
	}
}

// take takes a message, as a tea.Program does, and gives the others to the model.
func (l *linear) take(msg tea.Msg) {
	if p, ok := msg.(pendingMsg); ok {
		l.pending--
		msg = p.msg
	}
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			l.start(c)
		}
	case tea.QuitMsg:
		l.quitting = true
	case backgroundMsg:
		go l.await(tea.Cmd(msg), func(msg tea.Msg) tea.Msg { return msg })
	case existsMsg:
		l.m.say(failed, string(msg)+" exists; add ! to its name to overwrite it")
	default:
		l.update(msg)
	}
}

// update gives the model a message.
func (l *linear) update(msg tea.Msg) {
	_, c := l.m.Update(msg)
	l.start(c)
}
