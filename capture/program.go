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
	"syscall"
	"time"

	"github.com/gradtui/gradtui/capture/gosource"
	"github.com/gradtui/gradtui/capture/wire"
	"github.com/gradtui/gradtui/graph"
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
	Limits         graph.Limits
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
var ErrNotConnected = errors.New("the program never connected to gradtui: it has to import github.com/gradtui/gradtui/autograd, in the same version as this gradtui")

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
// interrupts the program.
func (p *Program) Run(ctx context.Context, tape *graph.Tape) (*Run, error) {
	dir, err := os.MkdirTemp("", "gradtui-build-")
	if err != nil {
		return nil, fmt.Errorf("making a directory to build in: %w", err)
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "program")
	if err := p.build(ctx, binary); err != nil {
		return nil, err
	}
	listener, err := wire.Listen(wire.Welcome{MaxEvents: p.Limits.Events, MaxBytes: p.Limits.Bytes})
	if err != nil {
		return nil, err
	}
	defer listener.Close()
	if tape == nil {
		tape = graph.NewTape(p.Limits)
	}
	receiving := p.receive(listener, tape)

	code, err := p.execute(ctx, binary, listener.Environment())
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

func (p *Program) build(ctx context.Context, binary string) error {
	if _, err := exec.LookPath("go"); err != nil {
		return &BuildError{p.Package, "", errors.New("running a Go program needs the go command, which is not on the PATH")}
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-o", binary, p.Package)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return &BuildError{p.Package, string(out), err}
	}
	// The go command writes something else, which cannot be run, for a library.
	if info, err := os.Stat(binary); err != nil || info.IsDir() || info.Mode()&0o111 == 0 {
		return &BuildError{p.Package, "", errors.New("it is a library, not a program: package main is needed")}
	}
	return nil
}

// execute runs the program with the terminal's own streams. An interrupt from
// the keyboard reaches the program itself; gradtui waits for its end to keep the
// tape.
func (p *Program) execute(ctx context.Context, binary, env string) (code int, err error) {
	cmd := exec.CommandContext(ctx, binary, p.Args...)
	cmd.Args[0] = p.Package
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.Stdin, p.Stdout, p.Stderr
	cmd.Env = append(os.Environ(), env)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil || ctx.Err() != nil && cmd.ProcessState != nil:
	case errors.As(err, &exit):
	case errors.Is(err, exec.ErrWaitDelay):
	default:
		return 0, fmt.Errorf("running %s: %w", p.Package, err)
	}
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return cmd.ProcessState.ExitCode(), nil
}

type received struct {
	connected bool
	err       error
}

// receive takes the tape of the first program that connects.
func (p *Program) receive(l *wire.Listener, tape *graph.Tape) <-chan received {
	done := make(chan received, 1)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			done <- received{}
			return
		}
		defer conn.Close()
		tape.SetInfo(conn.Hello().Info())
		names := gosource.NewBinder(tape)
		im := tape.NewImporter()
		im.OnEvent = names.Event
		err = conn.Receive(im)
		names.Close()
		done <- received{true, err}
	}()
	return done
}
