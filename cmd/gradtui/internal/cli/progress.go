package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
)

// Messages are standard error as the command itself writes to it. On a terminal the last line
// shows long work; it is removed before anything else is written. A program that shares
// standard error gets the stream itself: see [Raw].
type Messages struct {
	to             io.Writer
	columns        func() int // of the terminal; nil: to is none
	quiet, verbose bool

	mu    sync.Mutex
	shown bool // the line is on the screen
}

// NewMessages returns the messages that go to a stream.
func NewMessages(to io.Writer) *Messages {
	m := &Messages{to: to}
	if IsTerminal(to) && os.Getenv("TERM") != "dumb" {
		m.columns = func() int { return columnsOf(to.(*os.File)) }
	}
	return m
}

// columnsOf returns the width of a terminal.
func columnsOf(f *os.File) int {
	const usual = 80
	if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
		return columns
	}
	return usual
}

// AddFlags defines the flags --quiet and --verbose.
func (m *Messages) AddFlags(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.BoolVar(&m.quiet, "quiet", false, "hide notes and progress on standard error, but not warnings and errors")
	flags.BoolVar(&m.verbose, "verbose", false, "show which Python and engine are used, where the cache is, and how long things take")
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		if m.quiet && m.verbose {
			return errors.New("--quiet and --verbose exclude each other")
		}
		return nil
	}
}

// Write writes a message.
func (m *Messages) Write(b []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clear()
	return m.to.Write(b)
}

// clear removes the line. It is called with mu locked.
func (m *Messages) clear() {
	if m.shown {
		io.WriteString(m.to, "\r\x1b[K")
		m.shown = false
		progressing.CompareAndSwap(m, nil)
	}
}

// progressing are the messages that show a line, for those who end the process meanwhile.
var progressing atomic.Pointer[Messages]

// show puts text in the last line.
func (m *Messages) show(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clear()
	fitting, _ := console.NewLine(text).Cut(0, 0, m.columns()-1)
	io.WriteString(m.to, fitting)
	m.shown = true
	progressing.Store(m)
}

// An erasing stream removes the line of progress before anything is written: it may be on the
// same terminal.
type erasing struct {
	to io.Writer
	m  *Messages
}

func (e erasing) Write(b []byte) (int, error) {
	e.m.mu.Lock()
	defer e.m.mu.Unlock()
	e.m.clear()
	return e.to.Write(b)
}

// BesideProgress returns out for text that is written while progress is shown on w.
func BesideProgress(out, w io.Writer) io.Writer {
	if m, ok := w.(*Messages); ok && out != w {
		return erasing{out, m}
	}
	return out
}

// Raw is the stream behind messages, for programs, which may ask whether it is a terminal.
func Raw(w io.Writer) io.Writer {
	if m, ok := w.(*Messages); ok {
		return m.to
	}
	return w
}

// Notes returns where to write what --quiet leaves out.
func Notes(w io.Writer) io.Writer {
	if m, ok := w.(*Messages); ok && m.quiet {
		return io.Discard
	}
	return w
}

// Details returns where to write what only --verbose shows; ok is false without the flag.
func Details(w io.Writer) (out io.Writer, ok bool) {
	m, ok := w.(*Messages)
	if !ok || !m.verbose {
		return io.Discard, false
	}
	return m, true
}

const (
	// showAfter is how long a task takes before it is shown.
	showAfter = time.Second
	// showEvery is how often the line is updated.
	showEvery = 250 * time.Millisecond
)

// A task is something that may take long.
type task struct {
	what  string
	far   func() string // how far it is; nil: unknown
	began time.Time
	// interruptible says that an interrupt from the keyboard ends gradtui, because nothing
	// else takes it.
	interruptible bool
}

// at says what is done, how far it is, and how long it has taken until a moment.
func (j *task) at(now time.Time) string {
	text := "gradtui: " + j.what + ": "
	if j.far != nil {
		text += j.far() + ", "
	}
	d := now.Sub(j.began)
	if d < showAfter {
		return text + Duration(d)
	}
	return text + d.Round(100*time.Millisecond).String()
}

// Working shows long work on the terminal behind w until done is called. With --verbose, done
// prints how long it took.
func Working(w io.Writer, what string, far func() string) (done func()) {
	return working(w, task{what: what, far: far, interruptible: true}, false)
}

// WorkingBeside is Working while something else takes interrupts, such as a program that
// runs. shared says that the program writes to the same terminal, where nothing is shown then.
func WorkingBeside(shared bool, w io.Writer, what string, far func() string) (done func()) {
	return working(w, task{what: what, far: far}, shared)
}

func working(w io.Writer, j task, shared bool) (done func()) {
	m, ok := w.(*Messages)
	return m.work(&j, ok && m.columns != nil && !m.quiet && !shared)
}

// work does it for both. Nil messages say nothing.
func (m *Messages) work(j *task, shown bool) (done func()) {
	if m == nil || !shown && !m.verbose {
		return func() {}
	}
	j.began = time.Now()
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		if shown {
			m.follow(j, over)
		}
	}()
	return sync.OnceFunc(func() {
		close(over)
		<-ended
		m.finish(j)
	})
}

// follow shows a job until it is over.
func (m *Messages) follow(j *task, over <-chan struct{}) {
	tick := time.NewTimer(showAfter)
	defer tick.Stop()
	interrupts := make(chan os.Signal, 1)
	defer signal.Stop(interrupts)
	for {
		select {
		case <-over:
			return
		case <-interrupts:
			leaveTerminal(time.After(time.Second))
			endInterrupted()
		case now := <-tick.C:
			if j.interruptible && !signal.Ignored(os.Interrupt) {
				signal.Notify(interrupts, os.Interrupt) // until now there was nothing to remove
			}
			m.show(j.at(now))
			tick.Reset(showEvery)
		}
	}
}

// finish removes the line of a job that is over.
func (m *Messages) finish(j *task) {
	if m.verbose {
		fmt.Fprintln(m, j.at(time.Now()))
		return
	}
	m.removeLine()
}

// removeLine removes the line, if it is there.
func (m *Messages) removeLine() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clear()
}

// ShortName is the last part of a name, which fits into a line.
func ShortName(name string) string { return OneLine(filepath.Base(name)) }

// CountEvents says how many events are on tapes, even while they grow.
func CountEvents(tapes ...*graph.Tape) func() string {
	return func() string {
		n := 0
		for _, t := range tapes {
			n += int(t.Len())
		}
		return fmt.Sprintf("%d events", n)
	}
}

// PartOfEvents says how many of some events were looked at.
func PartOfEvents(seen *inspect.Progress, all graph.Pos) func() string {
	return func() string { return fmt.Sprintf("%d of %d events", seen.Events(), all) }
}
