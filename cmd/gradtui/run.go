package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/checks"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/debugger"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
	"github.com/gradtui/gradtui/graph"
)

func runCommand(s cli.Streams) *cobra.Command {
	var program target.Flags
	var keep target.TapeFile
	var d debugger.Flags
	c := &cobra.Command{
		Use:   "run PROGRAM [ARGS...]",
		Short: "Run a program in the debugger",
		Long: `run runs a Python program, or builds and runs a Go program, in the debugger. The
program stops before its first operation until you continue it. With --ahead it runs up
to the first failure, the end of its first iteration or its end, and what is wrong is
shown with the line to change. gradtui PROGRAM is short for gradtui run --ahead PROGRAM.

Without a terminal, or with --plain, the program just runs, with its own input, output
and exit code. Without --plain, a summary of the recording goes to standard error.

A Python program uses the PyTorch installed in its interpreter. Without one, it runs on
gradtui's built-in engine. gradtui doctor shows which interpreter and engine will be
used.`,
		Example: `  gradtui run train.py --epochs 3
  gradtui run --ahead train.py              the same as gradtui train.py
  gradtui run ./train --epochs 3            a Go package
  gradtui run -o run.tape train.py          keep the tape, for gradtui open
  gradtui run --ranks 2 train.py            two ranks, started by torchrun
  gradtui run torchrun --nproc_per_node 2 train.py
  gradtui run --plain train.py > out.txt    nothing but the program's own output`,
		Args: cli.TargetArgs("a program", cli.AnyNumber),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := program.Runnable(args[0])
			if err != nil {
				return err
			}
			if args[0] == target.Stdin && d.PlainUI {
				return errors.New("--plain-ui reads commands from standard input, so the program cannot come from there; give it as a file")
			}
			if args[0] == target.Stdin && cli.IsTerminal(s.In) {
				return python.ErrTyped
			}
			p, err := program.Program(s, t, args[1:])
			if err != nil {
				return err
			}
			if !program.Python.Plain && d.Wanted(s) {
				if p.Distributed() {
					code, err := d.RunRanks(cmd.Context(), s, *p, &program, keep)
					return errors.Join(err, cli.Exit(code))
				}
				code, err := d.Run(cmd.Context(), s, *p, program.Limits(), keep)
				return errors.Join(err, cli.Exit(code))
			}
			if p.Distributed() {
				return runRanks(cmd.Context(), s, &program, p, keep, !program.Python.Plain)
			}
			tape := graph.NewTape(program.Limits())
			end, err := keep.While(cmd.Context(), tape, p, func() (*target.Finished, error) {
				return program.Run(cmd.Context(), s, s, p, tape)
			})
			if err != nil {
				return err
			}
			end.Warn(s.Err)
			if !program.Python.Plain && end.Recorded {
				fmt.Fprintln(cli.Notes(s.Err), "── gradtui recorded")
				checks.Summarize(cli.Notes(s.Err), tape, args[0])
				keep.Announce(s.Err, tape)
			}
			return cli.Exit(end.ExitCode)
		},
	}
	c.Flags().SetInterspersed(false) // what follows PROGRAM is the program's
	c.Flags().BoolVar(&program.Python.Plain, "plain", false, "just run the program and print nothing of our own")
	c.Flags().BoolVar(&d.Ahead, "ahead", false, "stop at the first failure or after the first iteration, not before the\nfirst operation")
	d.AddTo(c)
	keep.AddTo(c, "also write the tape to this `file` while the program runs")
	program.AddTo(c)
	program.Ranks.AddTo(c)
	return c
}

// runRanks runs a program that starts several processes. summary asks for what was recorded.
func runRanks(ctx context.Context, s cli.Streams, f *target.Flags, p *launch.Program, keep target.TapeFile, summary bool) error {
	tapes, all, err := f.RunRanks(ctx, s, s, p, keep)
	if err != nil {
		return err
	}
	all.Warn(s.Err)
	for _, t := range tapes {
		t.Warn(s.Err)
		if summary {
			fmt.Fprintf(cli.Notes(s.Err), "── gradtui recorded rank %d of %d\n", t.Info().Rank, t.Info().WorldSize)
			checks.Summarize(cli.Notes(s.Err), t.Tape, "")
		}
		if summary || !f.Python.Plain {
			t.File.Announce(s.Err, t.Tape)
		}
	}
	return cli.Exit(all.ExitCode)
}
