//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/debugger"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/tuitest"
)

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

func init() {
	commands["gradtui-that-panics"], commands["gradtui-that-hangs"] = panicking, hanging
}

// hanging is gradtui with a stuck debugger.
func hanging() {
	ctx, stop := cli.WithSignals(context.Background())
	defer stop()
	context.AfterFunc(ctx, func() { fmt.Print("\x1b[3;1Hit was asked to stop") })
	debugger.Show(ctx, cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, stuck{})
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
