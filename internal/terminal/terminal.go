// Package terminal runs a command in a pseudo-terminal and keeps the screen that a
// person would see, for whatever has to sit in front of a program: end-to-end tests,
// benchmarks, pictures for the documentation.
//
// A Terminal is the three things that a window is. Its output side (this file) reads what
// the program writes, feeds it to an emulator (github.com/charmbracelet/x/vt) and tells
// whoever waits that the picture has changed. Its input side (keys.go, input.go) encodes
// keys and clicks as the program has asked for them, and carries the emulator's answers to
// the program's questions. Its memory (modes.go) knows what the program has switched on
// and must switch off before it ends.
//
// The terminal is a modern one: true colours, synchronized output, the kitty keyboard
// protocol. Options.Plain takes the last two away.
package terminal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"golang.org/x/term"
)

// Options describe the terminal that a command gets. The zero value is a modern one of
// 120 columns and 40 rows.
type Options struct {
	Columns, Rows int
	Env           []string // NAME=value, added to the environment of this process
	Dir           string   // where the command runs, if not here
	Plain         bool     // no synchronized output, no kitty keyboard, as in many a terminal
}

// ErrEnded is why waiting for a screen is over when the command has ended without it.
var ErrEnded = errors.New("the command has ended")

// Terminal is a command that runs and the screen in front of it. Its methods may be called
// from any goroutine.
type Terminal struct {
	cmd    *exec.Cmd
	pty    *os.File
	before *term.State // of the line discipline
	input  *input
	exited chan struct{} // closed when the command has been waited for
	closed chan struct{} // closed when no process has the terminal open any more

	mu      sync.Mutex // guards what follows
	vt      *vt.Emulator
	modes   *modes
	raw     []byte
	at      time.Time     // when the last of raw came
	changed chan struct{} // closed, and replaced, when there is more
}

// shadowed are the variables that say which terminal this process runs in.
var shadowed = []string{
	"TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "COLORTERM", "COLORFGBG", "COLUMNS", "LINES",
	"NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TMUX", "STY", "SSH_TTY", "SSH_CONNECTION", "WT_SESSION",
}

// Start runs a command in a terminal of its own. Close ends both.
func Start(options Options, name string, args ...string) (*Terminal, error) {
	if options.Columns == 0 {
		options.Columns = 120
	}
	if options.Rows == 0 {
		options.Rows = 40
	}
	master, slave, err := pty.Open()
	if err != nil {
		return nil, err
	}
	defer slave.Close()
	t := &Terminal{
		pty:     master,
		input:   newInput(),
		exited:  make(chan struct{}),
		closed:  make(chan struct{}),
		vt:      vt.NewEmulator(options.Columns, options.Rows),
		changed: make(chan struct{}),
	}
	t.modes = watch(t.vt, options.Plain)
	if t.before, err = discipline(master); err == nil {
		err = t.setSize(options.Columns, options.Rows)
	}
	if err != nil {
		master.Close()
		return nil, err
	}

	t.cmd = exec.Command(name, args...)
	t.cmd.Dir = options.Dir
	t.cmd.Env = slices.DeleteFunc(os.Environ(), func(entry string) bool {
		variable, _, _ := strings.Cut(entry, "=")
		return slices.Contains(shadowed, variable)
	})
	t.cmd.Env = append(t.cmd.Env, "TERM=xterm-256color", "COLORTERM=truecolor")
	t.cmd.Env = append(t.cmd.Env, options.Env...)
	t.cmd.Stdin, t.cmd.Stdout, t.cmd.Stderr = slave, slave, slave
	if err := startSession(t.cmd); err != nil {
		master.Close()
		return nil, err
	}
	go t.input.answers(t.vt)
	go t.input.pump(master)
	go t.read()
	go func() {
		t.cmd.Wait()
		close(t.exited)
	}()
	return t, nil
}

// read takes what the program writes until no process has the terminal open.
func (t *Terminal) read() {
	chunk := make([]byte, 64<<10)
	for {
		n, err := t.pty.Read(chunk)
		now := time.Now()
		t.mu.Lock()
		t.raw = append(t.raw, chunk[:n]...)
		if n > 0 {
			t.at = now
			t.vt.Write(chunk[:n])
		}
		if err != nil {
			close(t.closed)
		}
		close(t.changed)
		t.changed = make(chan struct{})
		t.mu.Unlock()
		if err != nil {
			t.input.close()
			return
		}
	}
}

// Close ends the command, if it still runs, and the terminal with it.
func (t *Terminal) Close() {
	t.cmd.Process.Kill()
	<-t.exited
	t.pty.Close() // also hangs up on whatever the command has left behind
	<-t.closed
}

// Wait waits until the screen is as asked for and returns it. A screen that the program is
// in the middle of drawing is not looked at, if the program says so (synchronized output).
func (t *Terminal) Wait(ctx context.Context, ready func(Screen) bool) (Screen, error) {
	for {
		t.mu.Lock()
		drawing, changed := t.modes.drawing(), t.changed
		var screen Screen
		if !drawing {
			screen = snapshot(t.vt, t.modes)
		}
		t.mu.Unlock()
		if !drawing && ready(screen) {
			return screen, nil
		}
		select {
		case <-changed:
			continue
		default:
		}
		select {
		case <-changed:
		case <-t.closed:
			return t.Screen(), ErrEnded
		case <-ctx.Done():
			return t.Screen(), ctx.Err()
		}
	}
}

// Quiet waits until nothing has been written for a while, from now on. It is for pictures and
// measurements. A caller that knows what will appear waits for that instead.
func (t *Terminal) Quiet(ctx context.Context, pause time.Duration) error {
	for {
		select {
		case <-t.Changed():
		case <-t.closed:
			return nil
		case <-time.After(pause):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Screen is what is on the screen now.
func (t *Terminal) Screen() Screen {
	t.mu.Lock()
	defer t.mu.Unlock()
	return snapshot(t.vt, t.modes)
}

// Output is all that the program has written so far and when the last of it came.
func (t *Terminal) Output() (written []byte, last time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.raw[:len(t.raw):len(t.raw)], t.at
}

// Changed is closed when the program has written more.
func (t *Terminal) Changed() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.changed
}

// Ended is closed when the command has ended, whatever it has started has as well, and all that
// they wrote has been read.
func (t *Terminal) Ended() <-chan struct{} { return t.closed }

// End waits for that, and returns the command's exit code, -1 if a signal ended it.
func (t *Terminal) End(ctx context.Context) (code int, err error) {
	for _, done := range []chan struct{}{t.closed, t.exited} {
		select {
		case <-done:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	return t.cmd.ProcessState.ExitCode(), nil
}

// Resize changes the size of the terminal and tells the program.
func (t *Terminal) Resize(columns, rows int) error {
	t.mu.Lock()
	t.vt.Resize(columns, rows)
	t.mu.Unlock()
	return t.setSize(columns, rows)
}

func (t *Terminal) setSize(columns, rows int) error {
	return pty.Setsize(t.pty, &pty.Winsize{Cols: uint16(columns), Rows: uint16(rows)})
}

// Type sends text as if it were typed.
func (t *Terminal) Type(text string) { t.input.send(text) }

// Keys presses keys one after the other, by the names that Bubble Tea has for them: "a",
// "enter", "pgdown", "ctrl+c", "shift+tab".
func (t *Terminal) Keys(names ...string) error {
	for _, name := range names {
		t.mu.Lock()
		keyboard := t.modes.keyboard()
		t.mu.Unlock()
		sequence, err := keyboard.encode(name)
		if err != nil {
			return err
		}
		t.input.send(sequence)
	}
	return nil
}

// Button is a button of the mouse, as terminals number them.
type Button int

// The buttons and the wheel.
const (
	Left      Button = 0
	Middle    Button = 1
	Right     Button = 2
	WheelUp   Button = 64
	WheelDown Button = 65
)

// Click presses a button at a cell, the first being 0, 0. It is an error if the program has
// not asked to hear of it.
func (t *Terminal) Click(button Button, x, y int) error {
	t.mu.Lock()
	listens := t.modes.mouse()
	t.mu.Unlock()
	if !listens {
		return errors.New("the program has not switched the mouse on")
	}
	t.input.send(fmt.Sprintf("\x1b[<%d;%d;%dM", button, x+1, y+1))
	if button < WheelUp { // a wheel is not released
		t.input.send(fmt.Sprintf("\x1b[<%d;%d;%dm", button, x+1, y+1))
	}
	return nil
}

// Signal sends a signal to the command.
func (t *Terminal) Signal(signal os.Signal) error { return t.cmd.Process.Signal(signal) }

// Pid is the process id of the command.
func (t *Terminal) Pid() int { return t.cmd.Process.Pid }

// Left is what a program that is about to end still has to put back, in words: a hidden
// cursor, a mode, a colour, a terminal without echo. Nothing is left after a clean end.
func (t *Terminal) Left() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	left := t.modes.left()
	if state, err := discipline(t.pty); err != nil {
		left = append(left, fmt.Sprintf("the line discipline cannot be read: %v", err))
	} else if *state != *t.before {
		left = append(left, "the line discipline (echo, line editing) is not what it was")
	}
	return left
}

// discipline is the state of a terminal's line discipline. It goes around File.Fd, after
// which a file could not be closed while it is being read.
func discipline(tty *os.File) (state *term.State, err error) {
	conn, err := tty.SyscallConn()
	if err != nil {
		return nil, err
	}
	if controlErr := conn.Control(func(fd uintptr) { state, err = term.GetState(int(fd)) }); controlErr != nil {
		return nil, controlErr
	}
	return state, err
}
