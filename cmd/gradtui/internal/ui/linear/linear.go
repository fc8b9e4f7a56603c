// Package linear is the debugger without a screen, for screen readers, terminals that
// cannot move their cursor, and scripts. Begin with [Debugger].
//
// It reads a line, does what the key or the command of that name does (commands.go), and
// prints what has changed in plain sentences (report.go). The Model of package ui is the
// one that the screen shows, and its methods in headless.go say everything in words; here
// its messages go around in a loop of their own instead of a tea.Program.
package linear

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui"
)

// A Debugger reads lines and prints sentences.
type Debugger struct {
	Runs *ui.Runs
	In   io.Reader
	Out  io.Writer
	// Prompt is printed before a line is read.
	Prompt string
	// Interrupts bring Ctrl-C: it interrupts a program that runs, or else quits.
	Interrupts <-chan os.Signal
}

// linear is a Debugger that runs.
type linear struct {
	runs     *ui.Runs
	m        *ui.Model // the run that is shown
	out      *bufio.Writer
	prompt   string
	messages chan tea.Msg
	done     chan struct{} // closed in the end
	pending  int           // commands that will soon bring a message
	lines    chan string
	queue    []string // lines that were read and wait
	prompted bool
	then     func() // the rest of a line, for when nothing is under way
	quitting bool
	printed  printed
}

// The size of the screen that the model believes in. Panes are this wide.
const (
	columns = 100
	rows    = 50
)

// maxLine is how many bytes of a line are read.
const maxLine = 4096

// maxQueue is how many lines are read before they are carried out.
const maxQueue = 64

// Run reads and carries out lines until one of them quits, or they end.
func (o Debugger) Run(ctx context.Context) error {
	l := &linear{
		runs: o.Runs, m: o.Runs.Shown(), out: bufio.NewWriter(o.Out), prompt: o.Prompt,
		messages: make(chan tea.Msg), done: make(chan struct{}), lines: make(chan string),
	}
	defer close(l.done)
	go l.read(o.In)
	l.hello()
	l.start(l.runs.Init())
	l.update(tea.WindowSizeMsg{Width: columns, Height: rows})
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
			if l.m.Running() {
				l.update(ui.Do((*ui.Model).Interrupt))
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

// rest reports what has changed and carries out the next line, when nothing is under way.
func (l *linear) rest() {
	l.reportOutput(false)
	for l.pending == 0 && !l.m.Busy() && !l.quitting {
		if then := l.then; then != nil {
			l.then = nil
			then()
			continue
		}
		l.report()
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

// flush writes what was printed, before the loop waits.
func (l *linear) flush() error {
	if err := l.out.Flush(); err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	return nil
}

// read reads the lines; the channel is closed at their end.
func (l *linear) read(in io.Reader) {
	defer close(l.lines)
	r := bufio.NewReaderSize(in, maxLine)
	for {
		line, more, err := r.ReadLine()
		for more && err == nil { // drop the end of a line that is too long
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

// got takes a line that was read. While the program runs, most lines wait.
func (l *linear) got(line string, ok bool) {
	line = strings.TrimSpace(line)
	word, _, _ := strings.Cut(line, " ")
	switch {
	case !ok:
		l.lines = nil
	case l.m.Running() && (word == "i" || word == "type"):
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
	case ui.Background:
		go l.await(tea.Cmd(msg), func(msg tea.Msg) tea.Msg { return msg })
	case ui.FileExists:
		l.m.Say(string(msg) + " exists; add ! to its name to overwrite it")
	default:
		l.update(msg)
	}
}

// update gives the model a message.
func (l *linear) update(msg tea.Msg) {
	_, c := l.runs.Update(msg)
	l.m = l.runs.Shown()
	l.start(c)
}
