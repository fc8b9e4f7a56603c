package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/graph"
)

func runCommand(s streams) *cobra.Command {
	var program programFlags
	var d debugger
	c := &cobra.Command{
		Use:   "run PROGRAM [ARGS...]",
		Short: "Run a program in the debugger",
		Long: `run runs a Python program, or builds and runs a Go program, in the debugger: it
stops before its first operation, and goes on as you tell it.

Without a terminal, or with --plain, the program just runs: its input, output and
exit code are its own, and without --plain a summary of what was recorded goes to
standard error.

PyTorch need not be installed: programs get the torch of gradtui, whose engine is
part of it. gradtui doctor says which Python they run in.`,
		Example: `  gradtui run train.py --epochs 3
  gradtui run ./train --epochs 3            a Go package
  gradtui run --plain train.py > out.txt    nothing but the program's own output`,
		Args: targetArgs("a program"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !program.python.plain && d.wanted(s) {
				p, err := program.program(s, args[0], args[1:])
				if err != nil {
					return err
				}
				code, err := d.run(cmd.Context(), s, *p, program.limits(), nil)
				return errors.Join(err, exitError{code}.orNil())
			}
			tape := graph.NewTape(program.limits())
			end, err := program.run(cmd.Context(), s, s, args[0], args[1:], tape)
			if err != nil {
				return err
			}
			end.warn(s.err)
			if !program.python.plain && end.Recorded {
				fmt.Fprintln(s.err, "── gradtui recorded")
				summarize(s.err, tape, args[0])
			}
			return exitError{end.ExitCode}.orNil()
		},
	}
	c.Flags().SetInterspersed(false) // what follows PROGRAM is the program's
	c.Flags().BoolVar(&program.python.plain, "plain", false, "just run it, and print nothing besides what it prints")
	d.add(c)
	program.add(c)
	return c
}

func (e exitError) orNil() error {
	if e.code == exitOK {
		return nil
	}
	return e
}

func recordCommand(s streams) *cobra.Command {
	var output string
	var program programFlags
	var force bool
	c := &cobra.Command{
		Use:   "record PROGRAM -o FILE [-- ARGS...]",
		Short: "Run a program and write its tape to a file",
		Long: `record runs a program and writes everything that happened to its tensors to a
file, while it runs: what ends the program, or gradtui, loses at most the last
half second. The exit code is the program's.`,
		Example: `  gradtui record train.py -o run.tape
  gradtui record train.py -o run.tape -- --epochs 3
  gradtui record ./train -o run.tape               a Go package`,
		Args: targetArgs("a program"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch output {
			case "":
				return fmt.Errorf("%s: where to? -o FILE is missing, as in\n%s", cmd.CommandPath(), cmd.Example)
			case "-":
				return errors.New("-o -: standard output is the program's; give the tape a file")
			}
			return program.record(cmd.Context(), s, output, force, args[0], args[1:])
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "", "the `file` to write (required)")
	c.Flags().BoolVarP(&force, "force", "f", false, "overwrite the file")
	program.add(c)
	c.SetFlagErrorFunc(explainFlag)
	return c
}

func (f *programFlags) record(ctx context.Context, s streams, output string, force bool, target string, args []string) error {
	if isTape(target) {
		return fmt.Errorf("%s is a file, not a program: record takes a Python program such as train.py or a Go package such as ./train", printable(target))
	}
	info := launch.Program{Name: target, Args: args}.Info()
	file, err := createTape(output, force, info)
	if err != nil {
		return err
	}
	tape := graph.NewTape(f.limits())
	stop := launch.Keep(file, tape)
	end, err := f.run(ctx, s, s, target, args, tape)
	if failed := stop(); failed != nil {
		return fmt.Errorf("writing %s: %w", printable(output), failed)
	}
	if tape.Len() == 0 && (err != nil || !end.Recorded) {
		os.Remove(output)
	}
	if err != nil {
		return err
	}
	end.warn(s.err)
	if end.Recorded {
		fmt.Fprintf(s.err, "gradtui: %d events in %s\n", tape.Len(), printable(output))
	}
	return exitError{end.ExitCode}.orNil()
}
