package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/graph"
)

func runCommand(s streams) *cobra.Command {
	var program programFlags
	var keep kept
	var d debugger
	c := &cobra.Command{
		Use:   "run PROGRAM [ARGS...]",
		Short: "Run a program in the debugger",
		Long: `run runs a Python program, or builds and runs a Go program, in the debugger: it
stops before its first operation, and goes on as you tell it.

Without a terminal, or with --plain, the program just runs: its input, output and
exit code are its own, and without --plain a summary of what was recorded goes to
standard error.

A Python program runs on the PyTorch of its Python if there is one. PyTorch need not
be installed, though: then programs get the torch of gradtui, whose engine is part
of it. gradtui doctor says which Python they run in, and on what.`,
		Example: `  gradtui run train.py --epochs 3
  gradtui run ./train --epochs 3            a Go package
  gradtui run -o run.tape train.py          keep the tape, for gradtui open
  gradtui run --ranks 2 train.py            two ranks, started by torchrun
  gradtui run torchrun --nproc_per_node 2 train.py
  gradtui run --plain train.py > out.txt    nothing but the program's own output`,
		Args: targetArgs("a program", anyNumber),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := program.runnable(args[0])
			if err != nil {
				return err
			}
			if args[0] == stdin && d.lines {
				return errors.New("- is a program on standard input, where --plain-ui reads commands: give the program a file")
			}
			if args[0] == stdin && isTerminal(s.in) {
				return python.ErrTyped
			}
			p, err := program.program(s, t, args[1:])
			if err != nil {
				return err
			}
			if !program.python.plain && d.wanted(s) {
				if p.Distributed() {
					code, err := d.runRanks(cmd.Context(), s, *p, &program, keep)
					return errors.Join(err, exitError{code}.orNil())
				}
				code, err := d.run(cmd.Context(), s, *p, program.limits(), keep)
				return errors.Join(err, exitError{code}.orNil())
			}
			if p.Distributed() {
				return program.runRanks(cmd.Context(), s, p, keep, !program.python.plain)
			}
			tape := graph.NewTape(program.limits())
			end, err := keep.while(cmd.Context(), tape, p, func() (*finished, error) {
				return program.run(cmd.Context(), s, s, p, tape)
			})
			if err != nil {
				return err
			}
			end.warn(s.err)
			if !program.python.plain && end.Recorded {
				fmt.Fprintln(notes(s.err), "── gradtui recorded")
				summarize(notes(s.err), tape, args[0])
				keep.tell(s.err, tape)
			}
			return exitError{end.ExitCode}.orNil()
		},
	}
	c.Flags().SetInterspersed(false) // what follows PROGRAM is the program's
	c.Flags().BoolVar(&program.python.plain, "plain", false, "just run it, and print nothing besides what it prints")
	d.add(c)
	keep.add(c, "also write the tape to this `file`, while the program runs")
	program.add(c)
	program.ranks.add(c)
	return c
}

func (e exitError) orNil() error {
	if e.code == exitOK {
		return nil
	}
	return e
}

func recordCommand(s streams) *cobra.Command {
	var program programFlags
	var keep kept
	c := &cobra.Command{
		Use:   "record PROGRAM -o FILE [-- ARGS...]",
		Short: "Run a program and write its tape to a file",
		Long: `record runs a program and writes everything that happened to its tensors to a
file, while it runs: what ends the program, or gradtui, loses at most the last
half second. The exit code is the program's. Of a distributed program each rank has
a file of its own (docs/ranks.md).

With --force the new tape replaces an older one when it is complete and has events;
until then run.tape is what it was, and the new one is run.part.tape. Files that are
no tapes are not replaced.`,
		Example: `  gradtui record train.py -o run.tape
  gradtui record train.py -o run.tape -- --epochs 3
  gradtui record --ranks 2 train.py -o run.tape    run.rank0.tape, run.rank1.tape
  gradtui record ./train -o run.tape               a Go package`,
		Args: targetArgs("a program", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if keep.path == "" {
				return fmt.Errorf("%s: where to? -o FILE is missing, as in\n%s", cmd.CommandPath(), cmd.Example)
			}
			return program.record(cmd.Context(), s, keep, args[0], args[1:])
		},
	}
	keep.add(c, "the `file` to write (required)")
	program.add(c)
	program.ranks.add(c)
	c.SetFlagErrorFunc(explainFlag)
	return c
}

func (f *programFlags) record(ctx context.Context, s streams, keep kept, name string, args []string) error {
	t, err := f.runnable(name)
	if err != nil {
		return err
	}
	p, err := f.program(s, t, args)
	if err != nil {
		return err
	}
	if p.Distributed() {
		return f.runRanks(ctx, s, p, keep, false)
	}
	tape := graph.NewTape(f.limits())
	end, err := keep.while(ctx, tape, p, func() (*finished, error) { return f.run(ctx, s, s, p, tape) })
	if err != nil {
		return err
	}
	end.warn(s.err)
	if end.Recorded {
		keep.tell(s.err, tape)
	}
	return exitError{end.ExitCode}.orNil()
}
