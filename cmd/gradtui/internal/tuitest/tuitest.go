// Package tuitest drives a command in a terminal, as a person would, and checks its screen.
// Begin with [Start]. A test reads like a story:
//
//	s := tuitest.Start(t, tuitest.Terminal{Columns: 80, Rows: 24}, "gradtui", "open", tape)
//	s.Until("Graph")
//	s.Keys("down", "enter")
//	s.Until("MulBackward0")
//	s.Type("q")
//	s.Exit(0)
//
// There are no pauses. Every expectation waits until the screen fulfils it, and fails with
// the whole screen when the command ends or time is up. Keys are pressed at once: if a key
// depends on the screen, wait for it with Until first. Exit also checks that the command
// has left the terminal as it was.
//
// A test runs a command that it finds in the PATH. TestMain with testscript.Main puts the
// test binary there under the name of the command, so that nothing is built twice.
package tuitest

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gradtui/gradtui/internal/terminal"
)

// Terminal describes the terminal of a command: size, environment, abilities.
type Terminal = terminal.Options

// Cell is one character on the screen and how it looks.
type Cell = terminal.Cell

// patience is how long an expectation waits at most, unless the test's own deadline comes
// first.
const patience = 2 * time.Minute

// Session is a command that runs in a terminal.
type Session struct {
	t        testing.TB
	terminal *terminal.Terminal
	command  string
}

// Start starts a command. The end of the test ends it.
func Start(t testing.TB, options Terminal, command string, args ...string) *Session {
	t.Helper()
	running, err := terminal.Start(options, command, args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(running.Close)
	return &Session{t: t, terminal: running, command: strings.Join(append([]string{command}, args...), " ")}
}

// context returns a context that ends when an expectation has failed.
func (s *Session) context() (context.Context, context.CancelFunc) {
	limit := time.Now().Add(patience)
	if t, ok := s.t.(interface{ Deadline() (time.Time, bool) }); ok {
		if deadline, ok := t.Deadline(); ok && deadline.Add(-time.Second).Before(limit) {
			limit = deadline.Add(-time.Second) // what is left is for the report
		}
	}
	return context.WithDeadline(context.Background(), limit)
}

// wait waits for a screen. expectation describes the failure.
func (s *Session) wait(expectation string, ready func(terminal.Screen) bool) terminal.Screen {
	s.t.Helper()
	ctx, cancel := s.context()
	defer cancel()
	screen, err := s.terminal.Wait(ctx, ready)
	if err != nil {
		s.fail(screen, "%s: %v", expectation, err)
	}
	return screen
}

// fail ends the test with a message and the screen.
func (s *Session) fail(screen terminal.Screen, format string, args ...any) {
	s.t.Helper()
	edge := "+" + strings.Repeat("-", screen.Columns) + "+\n"
	s.t.Fatalf("%s: %s\n%s%s%s", s.command, fmt.Sprintf(format, args...), edge, screen, edge)
}

// Until waits until a line of the screen contains the text.
func (s *Session) Until(text string) {
	s.t.Helper()
	s.wait(fmt.Sprintf("%q does not appear", text), func(screen terminal.Screen) bool {
		_, _, ok := screen.Find(text)
		return ok
	})
}

// UntilGone waits until no line of the screen contains the text.
func (s *Session) UntilGone(text string) {
	s.t.Helper()
	s.wait(fmt.Sprintf("%q does not disappear", text), func(screen terminal.Screen) bool {
		_, _, ok := screen.Find(text)
		return !ok
	})
}

// UntilRow waits until a line fulfils a condition, and returns its number, from 0.
func (s *Session) UntilRow(is func(line string) bool) (y int) {
	s.t.Helper()
	s.wait("no line is as expected", func(screen terminal.Screen) bool {
		for i, line := range screen.Lines() {
			if is(line) {
				y = i
				return true
			}
		}
		return false
	})
	return y
}

// UntilCell waits until a cell fulfils a condition.
func (s *Session) UntilCell(x, y int, is func(Cell) bool) {
	s.t.Helper()
	s.wait(fmt.Sprintf("the cell %d, %d is not as expected", x, y), func(screen terminal.Screen) bool {
		return is(screen.Cell(x, y))
	})
}

// Row waits until a line contains the text, and returns its number, from 0.
func (s *Session) Row(text string) (y int) {
	s.t.Helper()
	return s.UntilRow(func(line string) bool { return strings.Contains(line, text) })
}

// Screen returns the text of the screen as it is now, a line for each row.
func (s *Session) Screen() string { return s.terminal.Screen().String() }

// Line returns a line of the screen as it is now, without trailing blanks.
func (s *Session) Line(y int) string { return s.terminal.Screen().Line(y) }

// Cell returns a cell of the screen as it is now.
func (s *Session) Cell(x, y int) Cell { return s.terminal.Screen().Cell(x, y) }

// CellOf waits for a text and returns its first cell.
func (s *Session) CellOf(text string) Cell {
	s.t.Helper()
	x, y := s.Position(text)
	return s.Cell(x, y)
}

// Position waits for a text and returns where it begins.
func (s *Session) Position(text string) (x, y int) {
	s.t.Helper()
	s.wait(fmt.Sprintf("%q does not appear", text), func(screen terminal.Screen) (ok bool) {
		x, y, ok = screen.Find(text)
		return ok
	})
	return x, y
}

// Type types text.
func (s *Session) Type(text string) { s.terminal.Type(text) }

// Keys presses keys by name: "a", "enter", "pgdown", "ctrl+c", "shift+tab".
func (s *Session) Keys(names ...string) {
	s.t.Helper()
	s.do(s.terminal.Keys(names...))
}

// Click clicks on a cell, the first being 0, 0.
func (s *Session) Click(x, y int) {
	s.t.Helper()
	s.do(s.terminal.Click(terminal.Left, x, y))
}

// Wheel turns the mouse wheel over a cell by so many notches: down, or up if negative.
func (s *Session) Wheel(x, y, notches int) {
	s.t.Helper()
	button := terminal.WheelDown
	if notches < 0 {
		button, notches = terminal.WheelUp, -notches
	}
	for range notches {
		s.do(s.terminal.Click(button, x, y))
	}
}

// Resize changes the size of the terminal.
func (s *Session) Resize(columns, rows int) {
	s.t.Helper()
	s.do(s.terminal.Resize(columns, rows))
}

// Signal sends a signal to the command.
func (s *Session) Signal(signal os.Signal) {
	s.t.Helper()
	s.do(s.terminal.Signal(signal))
}

func (s *Session) do(err error) {
	s.t.Helper()
	if err != nil {
		s.fail(s.terminal.Screen(), "%v", err)
	}
}

// Raw returns everything that the command has written so far.
func (s *Session) Raw() []byte {
	written, _ := s.terminal.Output()
	return written
}

// Mark returns the current end of what the command has written, for BytesSince.
func (s *Session) Mark() int { return len(s.Raw()) }

// BytesSince returns what the command has written since a mark.
func (s *Session) BytesSince(mark int) []byte { return s.Raw()[mark:] }

// End waits until the command has ended and returns its exit code, -1 if a signal ended it.
func (s *Session) End() (code int) {
	s.t.Helper()
	ctx, cancel := s.context()
	defer cancel()
	code, err := s.terminal.End(ctx)
	if err != nil {
		s.fail(s.terminal.Screen(), "it does not end: %v", err)
	}
	return code
}

// Exit waits until the command has ended, with this exit code and with the terminal as it
// was before.
func (s *Session) Exit(code int) {
	s.t.Helper()
	if got := s.End(); got != code {
		s.fail(s.terminal.Screen(), "exit code %d, want %d", got, code)
	}
	if left := s.terminal.Left(); len(left) > 0 {
		s.fail(s.terminal.Screen(), "the terminal is not as it was:\n\t%s", strings.Join(left, "\n\t"))
	}
}
