package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui"
	"github.com/gradtui/gradtui/inspect/rules"
)

func openCommand(s streams) *cobra.Command {
	var how debuggerFlags
	c := &cobra.Command{
		Use:   "open TAPE",
		Short: "Open the debugger on a tape",
		Long: `open shows a tape that gradtui record wrote, in the debugger. The tape may still be
written to: what is added shows up.`,
		Example: `  gradtui record train.py -o run.tape
  gradtui open run.tape`,
		Args: targetArgs("a tape"),
		RunE: func(cmd *cobra.Command, args []string) error {
			tape, damage, err := readTape(args[0])
			if err != nil {
				return err
			}
			return how.debug(cmd.Context(), s, ui.Options{Tape: tape, Title: args[0], Notice: damage})
		},
	}
	how.add(c)
	return c
}

// debuggerFlags say how the debugger is shown.
type debuggerFlags struct {
	lines bool
}

func (f *debuggerFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.lines, "plain-ui", false, "read and print lines of plain text instead of showing a screen:\nfor screen readers, simple terminals and scripts")
}

// debug opens the debugger in the terminal.
func (f *debuggerFlags) debug(ctx context.Context, s streams, o ui.Options) error {
	o.Rules, o.ReadFile = rules.All(), readSource
	o.Export, o.Picture = exportFile, drawPicture
	if f.lines {
		interrupts := make(chan os.Signal, 1)
		signal.Notify(interrupts, os.Interrupt)
		defer signal.Stop(interrupts)
		l := ui.Linear{Options: o, In: s.in, Out: s.out, Interrupts: interrupts}
		if isTerminal(s.in) {
			l.Prompt = "> "
		}
		return l.Run(ctx)
	}
	p := tea.NewProgram(ui.New(o), tea.WithContext(ctx), tea.WithInput(s.in), tea.WithOutput(s.out))
	_, err := p.Run()
	if errors.Is(err, tea.ErrInterrupted) {
		return nil
	}
	return err
}

// maxSource is the largest source file that is read.
const maxSource = 8 << 20

// readSource reads a source file that a tape names. Whoever wrote the tape may have
// written any name there, so it must be a regular file of a sensible size.
func readSource(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > maxSource:
		return nil, fmt.Errorf("%s: %w: no source file", name, fs.ErrInvalid)
	}
	return os.ReadFile(name)
}
