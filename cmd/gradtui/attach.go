package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/graph"
)

func attachCommand(s streams) *cobra.Command {
	var keep kept
	var d debugger
	c := &cobra.Command{
		Use:   "attach",
		Short: "Debug a running program that calls gradtui.attach()",
		Long: `attach waits for a Python program of yours that calls gradtui.attach() or
gradtui.breakpoint(), and opens the debugger on it. The program has to run on PyTorch;
it stops where it made the call and goes on as you tell it. Its input and output stay in
its own terminal. When you leave the debugger the program runs on.

The program needs the Python package: pip install
"git+https://github.com/gradtui/gradtui#subdirectory=capture/python"`,
		Example: `  gradtui attach                in one terminal
  gradtui attach -o run.tape    keep the tape, for gradtui open
  python train.py               in another: it calls gradtui.breakpoint()`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !d.wanted(s) {
				return errors.New("the debugger needs a terminal; --plain-ui reads and prints lines instead")
			}
			return d.attach(cmd.Context(), s, keep)
		},
	}
	d.add(c)
	keep.add(c, "also write the tape to this `file`, while the program runs")
	return c
}

// attach waits for a program and opens the debugger on it.
func (d *debugger) attach(ctx context.Context, s streams, keep kept) error {
	r, err := python.Rendezvous()
	if err != nil {
		return err
	}
	defer r.Close()
	fmt.Fprintln(notes(s.err), "gradtui: waiting for a program that calls gradtui.attach(); Ctrl-C ends this")
	guest, err := accept(ctx, r)
	if err != nil {
		return err
	}
	program := launch.Program{Guest: guest}
	program.Name = guest.Info().Program
	_, err = d.run(ctx, s, program, graph.Limits{Bytes: defaultTapeBytes}, keep)
	return err
}

// accept waits for a program until Ctrl-C is typed.
func accept(ctx context.Context, r *python.Receiver) (*python.Guest, error) {
	ctx, stop := interruptible(ctx)
	defer stop()
	return r.Accept(ctx)
}
