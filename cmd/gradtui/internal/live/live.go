// Package live has a program under the debugger, as the terminal interface sees
// it: it is started, stopped, let go, typed to and ended by plain methods, and
// everything that it does is on its tape.
//
// Package launch starts the program and package control stops it. What it prints is
// on the tape as well: the user's terminal belongs to the interface, so the program
// gets one of its own (terminal), from which outputs make events.
package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/capture/control"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
)

// Options say what is run, and how. The program's streams and its session are made
// by [Start].
type Options struct {
	launch.Program
	Limits graph.Limits // of the tape
	// File, if it is not nil, gets the tape while it grows, and is closed in the end.
	File *tapefile.Writer
	// Breakpoints are there from the start.
	Breakpoints []control.Breakpoint
	// Free lets the program run up to a breakpoint. Otherwise it stops at its first
	// event.
	Free bool
	// Size is that of the program's terminal.
	Size Size
}

// A Size is that of a terminal, in characters.
type Size struct{ Columns, Rows int }

// A Program is one that was started. Its methods may be called at any time by any
// goroutine; they do not wait for the program, but for Close.
type Program struct {
	tape     *graph.Tape
	session  *control.Session
	out, err *output
	terminal *terminal // nil: it reads no input
	signals  chan os.Signal
	cancel   context.CancelFunc
	done     chan struct{}
	result   Result // once it is done
}

// A Result is what became of a program.
type Result struct {
	launch.End
	guest bool // it was not started here
	// Err says why there is no program to run or nothing to run it with, or why the
	// tape could not be written.
	Err error
}

// String says it in a sentence.
func (r Result) String() string {
	if r.Err != nil {
		return r.Err.Error()
	}
	text := "the program has ended"
	if r.guest {
		text += ", or left the debugger"
	}
	if sig, ok := r.Signal(); ok {
		text = fmt.Sprintf("a signal ended the program: %s", sig)
	} else if r.ExitCode != 0 {
		text = fmt.Sprintf("the program ended with exit code %d", r.ExitCode)
	}
	switch {
	case r.Damaged != nil:
		text += "; the end of the tape is missing: " + r.Damaged.Error()
	case !r.Recorded:
		text += "; nothing was recorded: it did not import torch"
	}
	return text
}

// courtesy is how long a program that stands still has to notice that it is
// interrupted before it may go on, and so end.
const courtesy = 50 * time.Millisecond

// Start starts a program. A process has one at a time, as it has one engine.
// Cancelling the context interrupts the program and, after a few seconds, kills it.
// The error is one that is known at once; others, such as those of a compiler, are in
// the [Result].
func Start(ctx context.Context, o Options) (*Program, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	p := &Program{
		tape:    graph.NewTape(o.Limits),
		session: control.NewSession(control.Command{Breakpoints: &o.Breakpoints, Interrupt: !o.Free}),
		signals: make(chan os.Signal, 8),
		done:    make(chan struct{}),
	}
	if err := p.session.First.Check(); err != nil {
		return nil, err
	}
	p.tape.SetInfo(o.Info())
	p.out, p.err = newOutput(p.tape, 1), newOutput(p.tape, 2)
	p.session.BeforeStop = p.settle
	run := o.Program
	run.Session, run.Signals = p.session, p.signals
	run.Stdin, run.Stdout, run.Stderr = nil, p.out, p.err
	if !o.Example && o.Guest == nil {
		t, err := openTerminal(o.Size, p.out, p.err)
		if err != nil {
			return nil, err
		}
		p.terminal = t
		run.Stdin, run.Stdout, run.Stderr, run.OwnTerminal = t.stdout.slave, t.stdout.slave, t.stderr.slave, true
	}
	ctx, p.cancel = context.WithCancel(ctx)
	p.result.guest = o.Guest != nil
	go p.run(ctx, &run, o.File)
	return p, nil
}

// run runs the program to its end.
func (p *Program) run(ctx context.Context, program *launch.Program, file *tapefile.Writer) {
	defer close(p.done)
	defer p.cancel()
	written := func() error { return nil }
	if file != nil {
		written = launch.Keep(file, p.tape)
	}
	released := make(chan struct{})
	defer context.AfterFunc(ctx, func() {
		select {
		case <-time.After(courtesy):
		case <-released:
		}
		p.session.Detach()
	})()
	end, err := program.Run(ctx, p.tape)
	close(released)
	if end != nil {
		p.result.End = *end
	}
	var build *capture.BuildError
	if errors.As(err, &build) {
		io.WriteString(p.err, build.Output)
	}
	if p.terminal != nil {
		p.terminal.close()
	}
	p.out.close()
	p.err.close()
	p.result.Err = errors.Join(err, written())
}

// settle puts everything that the program has written on the tape. It has stopped.
func (p *Program) settle() {
	if p.terminal != nil {
		p.terminal.drain()
		return
	}
	p.out.flush()
	p.err.flush()
}

// Tape is what the program has done so far. It grows until the program is done.
func (p *Program) Tape() *graph.Tape { return p.tape }

// Stops receives a value whenever the program has stopped; what it did and wrote
// before is on the tape. It is closed when the program is over.
func (p *Program) Stops() <-chan control.Stop { return p.session.Stops() }

// Resume lets a stopped program go on for a step.
func (p *Program) Resume(step control.Step) error { return p.session.Resume(step) }

// Break replaces the breakpoints.
func (p *Program) Break(points ...control.Breakpoint) error { return p.session.Break(points...) }

// Interrupt stops the program at its next event. One that makes no events does not
// notice; Signal ends it.
func (p *Program) Interrupt() error { return p.session.Interrupt() }

// Detach lets the program run freely, for good.
func (p *Program) Detach() error { return p.session.Detach() }

// ErrInput is the error of input for a program that takes none.
var ErrInput = errors.New("the program takes no input: it is over, has too much waiting, or is one of the examples, which read none")

// Input types text to the program, as it is: "yes\n", or "\x03" for Ctrl-C. The
// terminal shows it on the program's standard output, unless the program has
// switched that off.
func (p *Program) Input(text string) error {
	select {
	case <-p.done:
		return ErrInput
	default:
	}
	if p.terminal == nil || !p.terminal.send(text) {
		return ErrInput
	}
	return nil
}

// EndInput ends the program's input, as Ctrl-D at the beginning of a line does.
func (p *Program) EndInput() error { return p.Input("\x04") }

// Resize changes the size of the program's terminal.
func (p *Program) Resize(size Size) {
	if p.terminal != nil {
		p.terminal.resize(size)
	}
}

// Signal signals the program and the processes that it has started, except for those in a
// session of their own. An example does not notice.
func (p *Program) Signal(sig os.Signal) {
	select {
	case p.signals <- sig:
	default: // it has not taken many others yet
	}
}

// Kill ends the program at once. An example runs to its end.
func (p *Program) Kill() {
	p.Signal(os.Kill)
	p.cancel()
}

// Done is closed when the program is over and everything is on its tape.
func (p *Program) Done() <-chan struct{} { return p.done }

// Result is what became of the program, once it is done.
func (p *Program) Result() Result {
	select {
	case <-p.done:
		return p.result
	default:
		return Result{}
	}
}

// Close interrupts a program that is not over, kills it when the context ends, and
// returns what became of it when nothing of it is left.
func (p *Program) Close(ctx context.Context) Result {
	p.cancel()
	select {
	case <-p.done:
	case <-ctx.Done():
		p.Kill()
		<-p.done
	}
	return p.result
}
