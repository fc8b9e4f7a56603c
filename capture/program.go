package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/scratch"
	"github.com/gradtui/gradtui/wire"
)

// A Program is a Go program that is to be recorded.
type Program struct {
	// Package is what `go build` takes: a directory ("./train") or an import
	// path. The program must import package autograd of this module.
	Package string
	Args    []string
	// Stdin, Stdout and Stderr are the program's own.
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	OwnTerminal    bool             // as of [Process]
	Signals        <-chan os.Signal // likewise
	Limits         graph.Limits
	// Session, if it is not nil, controls the program.
	Session *control.Session
}

// A Run is what became of a program.
type Run struct {
	Tape     *graph.Tape
	ExitCode int // 128 + the signal's number if a signal ended it, as in a shell
	// Damaged says what was wrong with the tape that the program sent, if
	// anything; the tape holds what came before.
	Damaged error
}

// ErrNotConnected is returned for a program that ended without sending a tape.
var ErrNotConnected = errors.New("the program never connected to gradtui: it must import github.com/gradtui/gradtui/autograd, in the same version as this gradtui")

// A BuildError is a failure of `go build`; what the compiler said is in Output.
type BuildError struct {
	Package string
	Output  string
	Err     error
}

func (e *BuildError) Error() string { return fmt.Sprintf("building %s: %v", e.Package, e.Err) }

// Unwrap gives the error of the go command.
func (e *BuildError) Unwrap() error { return e.Err }

// Run builds the program, runs it to its end and returns its tape. tape, if not
// nil, receives the events while the program runs. Cancelling the context
// interrupts the program and, after a few seconds, kills it; what it had sent is
// on the tape. The error is a [*BuildError] if there is no program to run, and
// [ErrNotConnected], together with a Run, if the program sent nothing.
func (p *Program) Run(ctx context.Context, tape *graph.Tape) (*Run, error) {
	dir, err := scratch.Make("the program that is built", nil)
	if err != nil {
		return nil, err
	}
	defer dir.Remove()
	binary, err := p.build(ctx, dir.Path)
	if err != nil {
		return nil, err
	}
	return p.record(ctx, binary, tape)
}

// record runs a binary to its end and takes its tape.
func (p *Program) record(ctx context.Context, binary string, tape *graph.Tape) (*Run, error) {
	welcome := wire.Welcome{MaxEvents: p.Limits.Events, MaxBytes: p.Limits.Bytes, Elements: p.Limits.Elements}
	if p.Limits.Named != nil {
		welcome.Named = p.Limits.Named.List
	}
	if p.Session != nil {
		welcome.Control = &p.Session.First
		defer p.Session.End()
	}
	listener, err := wire.Listen(welcome)
	if err != nil {
		return nil, err
	}
	defer listener.Close()
	if tape == nil {
		tape = graph.NewTape(p.Limits)
	}
	// A child of the program may have connected and outlive it: once the context
	// has ended, the rest of its tape is waited for only so long.
	waiting, giveUp := context.WithCancel(context.Background())
	defer giveUp()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(2*grace, giveUp) })()
	receiving := receive(waiting, listener, tape, p.Session)

	process := Process{
		Path: binary, Args: append([]string{p.Package}, p.Args...),
		Env:   append(os.Environ(), listener.Environment()),
		Stdin: p.Stdin, Stdout: p.Stdout, Stderr: p.Stderr,
		OwnTerminal: p.OwnTerminal, Signals: p.Signals,
	}
	code, err := process.Run(ctx)
	if err != nil {
		return nil, err
	}
	// What the program has sent is still in the socket.
	listener.Close()
	r := <-receiving
	if !r.connected {
		return &Run{Tape: tape, ExitCode: code}, ErrNotConnected
	}
	return &Run{Tape: tape, ExitCode: code, Damaged: r.err}, nil
}

// build makes an executable in a directory of its own and returns its path.
func (p *Program) build(ctx context.Context, dir string) (binary string, err error) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	// What is built goes into a directory: go build writes only programs there,
	// under their own names.
	out := filepath.Join(dir, "out")
	if err := os.Mkdir(out, 0o700); err != nil {
		return "", fmt.Errorf("making a directory to build in: %w", err)
	}
	if _, err := exec.LookPath("go"); err != nil {
		return "", &BuildError{p.Package, "", errors.New("running a Go program needs the go command, which is not on the PATH")}
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-o", out+string(filepath.Separator), "--", p.Package)
	cmd.WaitDelay = grace
	text, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("building %s: %w", p.Package, ctx.Err())
	case err != nil:
		return "", &BuildError{p.Package, string(text), err}
	}
	built, err := os.ReadDir(out)
	if err != nil {
		return "", fmt.Errorf("building %s: %w", p.Package, err)
	}
	if len(built) != 1 {
		return "", &BuildError{p.Package, string(text), fmt.Errorf("it must be one program, not %d", len(built))}
	}
	return filepath.Join(out, built[0].Name()), nil
}

type received struct {
	connected bool
	err       error
}

// receive takes the tape of the first program that connects, until it ends or the
// context does.
func receive(ctx context.Context, l *wire.Listener, tape *graph.Tape, s *control.Session) <-chan received {
	done := make(chan received, 1)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			done <- received{}
			return
		}
		defer conn.Close()
		defer context.AfterFunc(ctx, func() { conn.Close() })()
		tape.SetInfo(conn.Hello().Info())
		in := newIntake(tape)
		if s != nil {
			conn.OnStop = func(stop control.Stop) {
				stop.Events = in.behind(stop.Events)
				s.Stopped(stop)
			}
			conn.OnAnswer = s.Answered
			s.Attach(conn.Control)
			defer s.End()
		}
		err = conn.Receive(in.Importer)
		in.names.Close()
		RecordDamage(tape, err)
		done <- received{true, err}
	}()
	return done
}
