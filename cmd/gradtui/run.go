package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/inspect"
)

func runCommand(s streams) *cobra.Command {
	var plain bool
	var limits limitFlags
	c := &cobra.Command{
		Use:   "run PROGRAM [ARGS...]",
		Short: "Run a program and say what was recorded",
		Long: `run builds and runs a Go program and records it. The program's input, output and
exit code are its own; at the end a summary goes to standard error.`,
		Example: `  gradtui run ./train --epochs 3
  gradtui run --plain ./train > out.txt   nothing but the program's own output`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			run, err := runProgram(cmd.Context(), s, s.out, args[0], args[1:], limits.limits())
			if err != nil {
				return err
			}
			if !plain {
				g := run.Tape.CursorAt(run.Tape.Len()).Graph()
				fmt.Fprintf(s.err, "gradtui: %s\n", inspect.Summarize(g))
			}
			return exitError{run.ExitCode}.orNil()
		},
	}
	c.Flags().SetInterspersed(false) // what follows PROGRAM is the program's
	c.Flags().BoolVar(&plain, "plain", false, "print nothing besides what the program prints")
	limits.add(c)
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
	var limits limitFlags
	var force bool
	c := &cobra.Command{
		Use:   "record PROGRAM -o FILE [-- ARGS...]",
		Short: "Run a program and write its tape to a file",
		Long: `record builds and runs a Go program and writes everything that happened to its
tensors to a file while it runs: a crash loses at most what was not flushed yet.
The exit code is the program's.`,
		Example: `  gradtui record ./train -o run.tape
  gradtui record ./train -o run.tape -- --epochs 3`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			tape := graph.NewTape(limits.limits())
			file, err := tapefile.Create(output, graph.Info{Engine: "builtin", Program: args[0], Args: args[1:]}, tapefile.WriterOptions{Overwrite: force})
			if err != nil {
				return err
			}
			written := follow(cmd.Context(), file, tape)
			run, err := recordProgram(cmd.Context(), s, args[0], args[1:], limits.limits(), tape)
			if werr := written(); werr != nil {
				return fmt.Errorf("writing %s: %w", output, werr)
			}
			if err != nil {
				return err
			}
			if why := tape.Stopped(); why != "" {
				fmt.Fprintf(s.err, "gradtui: the recording is not complete: %s\n", why)
			}
			fmt.Fprintf(s.err, "gradtui: %d events in %s\n", tape.Len(), printable(output))
			return exitError{run.ExitCode}.orNil()
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "", "the `file` to write (required)")
	c.Flags().BoolVarP(&force, "force", "f", false, "overwrite the file")
	c.MarkFlagRequired("output")
	limits.add(c)
	return c
}
