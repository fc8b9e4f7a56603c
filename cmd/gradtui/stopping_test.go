//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/tuitest"
)

func TestASecondSignalOrSomeSecondsEndWhatDoesNotListen(t *testing.T) {
	const term, hup, interrupt = syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT
	for _, c := range []struct {
		first os.Signal
		more  []os.Signal
		want  os.Signal
	}{
		{term, []os.Signal{term}, term},
		{term, []os.Signal{interrupt}, interrupt},
		{hup, []os.Signal{hup, hup, term}, term},
		{term, []os.Signal{hup}, hup},
		{hup, []os.Signal{hup}, hup}, // too late
	} {
		more, late := make(chan os.Signal), make(chan time.Time)
		go func() {
			for _, sig := range c.more {
				more <- sig
			}
			close(late)
		}()
		if got := insisted(c.first, more, late); got != c.want {
			t.Errorf("%v, %v: %v, want %v", c.first, c.more, got, c.want)
		}
	}
}

// A stuck debugger shows a screen, and hangs when a key is pressed.
type stuck struct{}

func (stuck) Init() tea.Cmd { return nil }

func (m stuck) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(tea.KeyPressMsg); ok {
		fmt.Print("\x1b[2;1Hit hangs")
		select {}
	}
	return m, nil
}

func (stuck) View() tea.View {
	v := tea.NewView("a debugger")
	v.AltScreen, v.MouseMode = true, tea.MouseModeCellMotion
	return v
}

// hanging is gradtui with a stuck debugger.
func hanging() {
	ctx, stop := stoppable(context.Background())
	defer stop()
	context.AfterFunc(ctx, func() { fmt.Print("\x1b[3;1Hit was asked to stop") })
	show(ctx, streams{os.Stdin, os.Stdout, os.Stderr}, stuck{})
}

func TestASecondSignalLeavesTheTerminalAsItWas(t *testing.T) {
	s := tuitest.Start(t, tuitest.Terminal{}, "gradtui-that-hangs")
	s.Until("a debugger")
	s.Type("x")
	s.Until("it hangs")
	s.Signal(syscall.SIGTERM)
	s.Until("it was asked to stop")
	s.Signal(syscall.SIGTERM)
	s.Exit(128 + int(syscall.SIGTERM))
}

// TestATerminalThatTakesNothingKeepsNothingFromEnding: what puts the terminal back hangs as
// the debugger did.
func TestATerminalThatTakesNothingKeepsNothingFromEnding(t *testing.T) {
	hangs := func() { select {} }
	shown.Store(&hangs)
	defer shown.Store(nil)
	late := make(chan time.Time)
	close(late)
	leaveTerminal(late)
}
