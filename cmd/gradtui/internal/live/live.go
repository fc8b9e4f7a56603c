// Package live runs a program under the debugger. Begin with [Start]: the methods of the
// [Program] that it returns stop, resume, type to and end the program, and everything
// that the program does is on its tape.
//
// Package launch starts the program and package control stops it. The user's terminal
// belongs to the debugger, so the program gets a terminal of its own (terminal_pty.go).
// What it prints there becomes events on the tape (output.go).
package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
)

// Options say which program to run, and how. [Start] makes its streams and its session.
type Options struct {
	launch.Program
	Limits graph.Limits // of the tape
	// File, if it is not nil, receives the tape while it grows, and is closed at the end.
	File *tapefile.Writer
	// Breakpoints are set from the start.
	Breakpoints []control.Breakpoint
	// Free lets the program run up to a breakpoint. Otherwise it stops at its first
	// event.
	Free bool
	// Size is the size of the program's terminal.
	Size Size
}

// A Size is the size of a terminal, in characters.
type Size struct{ Columns, Rows int }

// A Program is a program that was started. Its methods may be called at any time by any
// goroutine. Except for Close, they do not wait for the program.
type Program struct {
	tape     *graph.Tape
	session  *control.Session
	out, err *output
	terminal *terminal // nil: the program reads no input
	signals  chan os.Signal
	cancel   context.CancelFunc
	done     chan struct{}
	result   Result // once it is done
}

// A Result says how a program ended.
type Result struct {
	launch.End
	guest bool // the program was not started here
	// Err says why the program could not be run, or why the tape could not be written.
	Err error
}

// String returns the result as a sentence.
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

// courtesy is how long a stopped program has to notice an interrupt before it goes on.
const courtesy = 50 * time.Millisecond

// Start starts a program. A process can run one at a time, because it has one engine.
// Cancelling the context interrupts the program and, after a few seconds, kills it. Start
// returns errors that are known at once; later ones, such as a compiler's, are in the
// [Result].
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

// settle puts everything that a stopped program has written on the tape.
func (p *Program) settle() {
	if p.terminal != nil {
		p.terminal.drain()
		return
	}
	p.out.flush()
	p.err.flush()
}

// Tape returns the tape of the program. It grows until the program is done.
func (p *Program) Tape() *graph.Tape { return p.tape }

// Stops returns a channel that receives each stop of the program. What the program did and
// wrote before is on the tape. The channel is closed when the program has ended.
func (p *Program) Stops() <-chan control.Stop { return p.session.Stops() }

// Resume lets a stopped program go on for a step.
func (p *Program) Resume(step control.Step) error { return p.session.Resume(step) }

// Repeat lets a stopped program go on for so many steps, without a stop between them.
func (p *Program) Repeat(step control.Step, times int) error { return p.session.Repeat(step, times) }

// Break replaces the breakpoints.
func (p *Program) Break(points ...control.Breakpoint) error { return p.session.Break(points...) }

// Ask asks the program, which stands at a stop, and waits for the answer. Interrupt ends one that
// takes long.
func (p *Program) Ask(a control.Ask) (control.Answer, error) { return p.session.Ask(a) }

// Interrupt stops the program at its next event. One that makes no events does not
// notice; Signal ends it.
func (p *Program) Interrupt() error { return p.session.Interrupt() }

// Detach lets the program run freely, for good.
func (p *Program) Detach() error { return p.session.Detach() }

// ErrInput is the error of Input if the program does not read.
var ErrInput = errors.New("the program is not reading input: it has ended, its input buffer is full, or it is a built-in example")

// Input types text for the program, unchanged: "yes\n", or "\x03" for Ctrl-C. The terminal
// echoes it on the program's standard output, unless the program has switched that off.
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

// EndInput ends the program's input, as Ctrl-D at the start of a line does.
func (p *Program) EndInput() error { return p.Input("\x04") }

// Resize changes the size of the program's terminal.
func (p *Program) Resize(size Size) {
	if p.terminal != nil {
		p.terminal.resize(size)
	}
}

// Signal signals the program and the processes that it has started, except for those in a
// session of their own. It does not affect built-in examples.
func (p *Program) Signal(sig os.Signal) {
	select {
	case p.signals <- sig:
	default: // many signals are waiting already
	}
}

// Kill ends the program at once. A built-in example runs to its end.
func (p *Program) Kill() {
	p.Signal(os.Kill)
	p.cancel()
}

// Done returns a channel that is closed when the program has ended and everything is on
// its tape.
func (p *Program) Done() <-chan struct{} { return p.done }

// Result says how the program ended; the zero Result before that.
func (p *Program) Result() Result {
	select {
	case <-p.done:
		return p.result
	default:
		return Result{}
	}
}

// Close interrupts the program, kills it when the context ends, waits for its end, and
// returns how it ended.
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
