package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/debugger"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
)

func attachCommand(s cli.Streams) *cobra.Command {
	var keep target.TapeFile
	var d debugger.Flags
	c := &cobra.Command{
		Use:   "attach",
		Short: "Debug a running program that calls gradtui.attach()",
		Long: `attach waits for a running Python program to call gradtui.attach() or
gradtui.breakpoint(), and opens the debugger on it. The program must run on PyTorch. It
stops at the call until you continue it. Its input and output stay in its own terminal,
and it runs on when you leave the debugger.

The program needs the Python package: pip install
"git+https://github.com/gradtui/gradtui#subdirectory=python"`,
		Example: `  gradtui attach                in one terminal
  gradtui attach -o run.tape    keep the tape, for gradtui open
  python train.py               in another: it calls gradtui.breakpoint()`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !d.Wanted(s) {
				return errors.New("the debugger needs a terminal; use --plain-ui to work with lines of text")
			}
			return d.Attach(cmd.Context(), s, keep)
		},
	}
	d.AddTo(c)
	keep.AddTo(c, "also write the tape to this `file` while the program runs")
	return c
}
