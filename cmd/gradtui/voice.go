package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
)

// A voice is standard error as the command itself writes to it. If that is a terminal, its
// last line says what takes long; it is removed before anything else is written. A program
// that shares standard error gets the stream itself: see [raw].
type voice struct {
	to             io.Writer
	columns        func() int // of the terminal; nil: to is none
	quiet, verbose bool

	mu    sync.Mutex
	shown bool // the line is there
}

// newVoice gives the voice that speaks through a stream.
func newVoice(to io.Writer) *voice {
	v := &voice{to: to}
	if isTerminal(to) && os.Getenv("TERM") != "dumb" {
		v.columns = func() int { return columnsOf(to.(*os.File)) }
	}
	return v
}

// columnsOf is the width of a terminal.
func columnsOf(f *os.File) int {
	const usual = 80
	if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
		return columns
	}
	return usual
}

// add defines the flags that say how much is said.
func (v *voice) add(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.BoolVar(&v.quiet, "quiet", false, "no notes and no progress on standard error; warnings and errors stay")
	flags.BoolVar(&v.verbose, "verbose", false, "say which Python and engine are used, where the cache is, and what takes how long")
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		if v.quiet && v.verbose {
			return errors.New("--quiet and --verbose contradict each other: give one of them")
		}
		return nil
	}
}

// Write writes a message.
func (v *voice) Write(b []byte) (int, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.clear()
	return v.to.Write(b)
}

// clear removes the line. It is called with mu locked.
func (v *voice) clear() {
	if v.shown {
		io.WriteString(v.to, "\r\x1b[K")
		v.shown = false
	}
}

// show puts text in the last line.
func (v *voice) show(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.clear()
	fitting, _ := console.NewLine(text).Cut(0, 0, v.columns()-1)
	io.WriteString(v.to, fitting)
	v.shown = true
}

// An erasing stream removes the line of a voice before anything is written: it may be on the
// same terminal.
type erasing struct {
	to io.Writer
	v  *voice
}

func (e erasing) Write(b []byte) (int, error) {
	e.v.mu.Lock()
	defer e.v.mu.Unlock()
	e.v.clear()
	return e.to.Write(b)
}

// besideProgress is out for what is written while progress is shown on w.
func besideProgress(out, w io.Writer) io.Writer {
	if v, ok := w.(*voice); ok && out != w {
		return erasing{out, v}
	}
	return out
}

// raw is the stream behind a voice, for programs, which may ask whether it is a terminal.
func raw(w io.Writer) io.Writer {
	if v, ok := w.(*voice); ok {
		return v.to
	}
	return w
}

// notes is where to write what --quiet leaves out.
func notes(w io.Writer) io.Writer {
	if v, ok := w.(*voice); ok && v.quiet {
		return io.Discard
	}
	return w
}

// details is where to write what only --verbose says; ok is false without the flag.
func details(w io.Writer) (out io.Writer, ok bool) {
	v, ok := w.(*voice)
	if !ok || !v.verbose {
		return io.Discard, false
	}
	return v, true
}

const (
	// showAfter is how long something takes before it is shown.
	showAfter = time.Second
	// showEvery is how often what is shown is renewed.
	showEvery = 250 * time.Millisecond
)

// A job is something that may take long.
type job struct {
	what  string
	far   func() string // how far it is; nil: that is not known
	began time.Time
}

// at says what is done, how far it is, and how long it has taken until a moment.
func (j *job) at(now time.Time) string {
	text := "gradtui: " + j.what + ": "
	if j.far != nil {
		text += j.far() + ", "
	}
	d := now.Sub(j.began)
	if d < showAfter {
		return text + duration(d)
	}
	return text + d.Round(100*time.Millisecond).String()
}

// working shows what is done on the terminal that w speaks to, if it takes long, until done
// is called. With --verbose it says then how long it took.
func working(w io.Writer, what string, far func() string) (done func()) {
	v, ok := w.(*voice)
	return v.work(what, far, ok && v.columns != nil && !v.quiet)
}

// running is working for a program, which is not shown where the program could write to the
// same terminal.
func (f *programFlags) running(s, own streams, p *launch.Program, far func() string) (done func()) {
	if f.python.plain {
		return func() {}
	}
	v, ok := s.err.(*voice)
	shares := isTerminal(raw(own.out)) || isTerminal(raw(own.err))
	return v.work("running "+shortName(p.Name), far, ok && v.columns != nil && !v.quiet && !shares)
}

// work does it for both. A nil voice says nothing.
func (v *voice) work(what string, far func() string, shown bool) (done func()) {
	if v == nil || !shown && !v.verbose {
		return func() {}
	}
	j := &job{what, far, time.Now()}
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		if shown {
			v.follow(j, over)
		}
	}()
	return sync.OnceFunc(func() {
		close(over)
		<-ended
		v.finish(j)
	})
}

// follow shows a job until it is over.
func (v *voice) follow(j *job, over <-chan struct{}) {
	tick := time.NewTimer(showAfter)
	defer tick.Stop()
	for {
		select {
		case <-over:
			return
		case now := <-tick.C:
			v.show(j.at(now))
			tick.Reset(showEvery)
		}
	}
}

// finish removes the line of a job that is over.
func (v *voice) finish(j *job) {
	if v.verbose {
		fmt.Fprintln(v, j.at(time.Now()))
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.clear()
}

// shortName is the last part of a name, which fits into a line.
func shortName(name string) string { return oneLine(filepath.Base(name)) }

// eventsOf says how many events are on tapes, also while they grow.
func eventsOf(tapes ...*graph.Tape) func() string {
	return func() string {
		n := 0
		for _, t := range tapes {
			n += int(t.Len())
		}
		return fmt.Sprintf("%d events", n)
	}
}

// partOfEvents says how many of some events were looked at.
func partOfEvents(seen *inspect.Progress, all graph.Pos) func() string {
	return func() string { return fmt.Sprintf("%d of %d events", seen.Events(), all) }
}

// describeRun says with --verbose what a program that is prepared is going to run on.
func describeRun(w io.Writer, p *launch.Program) {
	out, ok := details(w)
	if !ok {
		return
	}
	if c := p.Choice(); c != nil {
		fmt.Fprintf(out, "gradtui: Python: %s\n", oneLine(c.Python.Describe()))
		fmt.Fprintf(out, "gradtui: cache: %s\n", cache())
	}
	fmt.Fprintf(out, "gradtui: engine: %s\n", oneLine(p.Info().Engine))
}
