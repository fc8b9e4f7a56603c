package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
	"github.com/gradtui/gradtui/graph"
)

func recordCommand(s cli.Streams) *cobra.Command {
	var program target.Flags
	var keep target.TapeFile
	c := &cobra.Command{
		Use:   "record PROGRAM -o FILE [-- ARGS...]",
		Short: "Run a program and write its tape to a file",
		Long: `record runs a program and writes everything that happens to its tensors to a file. The
file is written while the program runs: if the program or gradtui is killed, at most the
last half second is lost. The exit code is the program's. Each rank of a distributed
program gets a file of its own (docs/use/ranks.md).

With --force, the new tape replaces an older one once it is complete and has events.
Until then run.tape is unchanged, and the new tape is run.part.tape. Files that are not
tapes are never replaced.`,
		Example: `  gradtui record train.py -o run.tape
  gradtui record train.py -o run.tape -- --epochs 3
  gradtui record --ranks 2 train.py -o run.tape    run.rank0.tape, run.rank1.tape
  gradtui record ./train -o run.tape               a Go package`,
		Args: cli.TargetArgs("a program", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if keep.Path == "" {
				return fmt.Errorf("%s: missing -o FILE, for example:\n%s", cmd.CommandPath(), cmd.Example)
			}
			return record(cmd.Context(), s, &program, keep, args[0], args[1:])
		},
	}
	keep.AddTo(c, "the `file` to write (required)")
	program.AddTo(c)
	program.Ranks.AddTo(c)
	c.SetFlagErrorFunc(cli.ExplainFlag)
	return c
}

func record(ctx context.Context, s cli.Streams, f *target.Flags, keep target.TapeFile, name string, args []string) error {
	t, err := f.Runnable(name)
	if err != nil {
		return err
	}
	p, err := f.Program(s, t, args)
	if err != nil {
		return err
	}
	if p.Distributed() {
		return runRanks(ctx, s, f, p, keep, false)
	}
	tape := graph.NewTape(f.Limits())
	end, err := keep.While(ctx, tape, p, func() (*target.Finished, error) { return f.Run(ctx, s, s, p, tape) })
	if err != nil {
		return err
	}
	end.Warn(s.Err)
	if end.Recorded {
		keep.Announce(s.Err, tape)
	}
	return cli.Exit(end.ExitCode)
}
