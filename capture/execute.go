package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// grace is how long a program may take to end after it was interrupted.
const grace = 5 * time.Second

// A Process is a program that runs with the user's terminal, input and output as
// if gradtui were not there.
type Process struct {
	Path string   // the executable file
	Args []string // the first is the name that the program gets
	Env  []string // as of [os.Environ]
	// Stdin, Stdout and Stderr are the program's own.
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// OwnTerminal says that Stdin is a terminal for this program alone. It leads a
	// session there: the keys of that terminal interrupt it.
	OwnTerminal bool
	// Signals are passed on, while it runs, to the program and to what it has started.
	Signals <-chan os.Signal
}

// A Signalled is the cause of a context that ended because gradtui got a signal.
type Signalled struct{ Signal os.Signal }

func (s Signalled) Error() string { return "gradtui got the signal " + s.Signal.String() }

// Run runs the program to its end and returns its exit code, which is 128 + the
// signal's number if a signal ended it. An interrupt from the keyboard, Ctrl-C or
// Ctrl-\, is the program's, and so is one that gradtui gets. Cancelling the context
// interrupts the program and what it has started, or sends the signal of a [Signalled]
// that is the cause; after a few seconds what is left of them is killed. Processes that
// have begun a session of their own are left alone.
func (p *Process) Run(ctx context.Context) (code int, err error) {
	cmd := exec.CommandContext(ctx, p.Path)
	cmd.Args, cmd.Env = p.Args, p.Env
	cmd.Stdout, cmd.Stderr = p.Stdout, p.Stderr
	cmd.WaitDelay = grace
	// Without a terminal of its own the program is in gradtui's process group, as it would
	// be in the shell's, and gets what the whole group gets.
	var group *witness
	if !p.OwnTerminal || !ownSession(cmd) {
		group = newWitness(IsTerminal(p.Stdin))
		defer group.close()
	}
	interrupts := make(chan os.Signal, 1)
	if !signal.Ignored(os.Interrupt) { // by the parent of gradtui; then the program ignores it as well
		signal.Notify(interrupts, os.Interrupt, syscall.SIGQUIT)
		defer signal.Stop(interrupts)
	}
	ended := make(chan struct{})
	defer close(ended)
	f := &family{ended: ended}
	cmd.Cancel = func() error { return f.cancel(context.Cause(ctx), group) }
	feed, err := p.input(cmd)
	if err == nil {
		err = f.start(cmd)
	}
	if err != nil {
		return 0, fmt.Errorf("running %s: %w", p.Args[0], err)
	}
	go feed()
	go func() {
		for {
			select {
			case sig := <-interrupts:
				switch {
				case group == nil:
					f.signal(sig)
				case group.signalled():
					drain(interrupts) // the group's as well: there was no witness for them
				default:
					cmd.Process.Signal(sig)
				}
			case sig := <-p.Signals:
				f.signal(sig)
			case <-ended:
				return
			}
		}
	}()
	defer runs(func() { f.signal(os.Kill) })()
	err = cmd.Wait()
	if ctx.Err() != nil {
		f.signal(os.Kill) // what took no notice
	}
	var exit *exec.ExitError
	if err != nil && ctx.Err() == nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		return 0, fmt.Errorf("running %s: %w", p.Args[0], err)
	}
	return exitCode(cmd.ProcessState), nil
}

// drain takes what is in a channel.
func drain(signals <-chan os.Signal) {
	for {
		select {
		case <-signals:
		default:
			return
		}
	}
}

// running are the programs that run, by what kills them.
var running struct {
	mu   sync.Mutex
	next int
	kill map[int]func()
}

// runs notes what kills a program, until done is called.
func runs(kill func()) (done func()) {
	running.mu.Lock()
	defer running.mu.Unlock()
	n := running.next
	running.next++
	if running.kill == nil {
		running.kill = map[int]func(){}
	}
	running.kill[n] = kill
	return func() {
		running.mu.Lock()
		defer running.mu.Unlock()
		delete(running.kill, n)
	}
}

// KillAll kills the programs that run, before this process ends without waiting for them.
func KillAll() {
	running.mu.Lock()
	defer running.mu.Unlock()
	for _, kill := range running.kill {
		kill()
	}
}

// input gives the program its standard input. Anything but a file is copied by feed,
// which may wait for more when the program has ended long since.
func (p *Process) input(cmd *exec.Cmd) (feed func(), err error) {
	if f, ok := p.Stdin.(*os.File); ok || p.Stdin == nil {
		if ok {
			cmd.Stdin = f
		}
		return func() {}, nil
	}
	w, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	return func() {
		io.Copy(w, p.Stdin)
		w.Close()
	}, nil
}

// exitCode is the code that a shell would show.
func exitCode(s *os.ProcessState) int {
	if status, ok := s.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return s.ExitCode()
}

// IsTerminal reports whether a program's input is a terminal: a character device
// other than the null device.
func IsTerminal(r io.Reader) bool {
	f, ok := r.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
