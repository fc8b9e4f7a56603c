package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/inspect"
)

func tapeCommand(s streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "tape",
		Short: "Look into a tape file",
		Example: `  gradtui tape verify run.tape
  gradtui tape text run.tape`,
		Args: cobra.NoArgs, // an unknown subcommand is an error
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	c.AddCommand(&cobra.Command{
		Use:   "verify TAPE",
		Short: "Check that a tape is whole and consistent",
		Long: `verify checks the blocks of the file, decodes every event, and checks what
events say about each other. The exit code is 1 if something is wrong or missing.`,
		Example: "  gradtui tape verify run.tape",
		Args:    oneTape,
		RunE: func(_ *cobra.Command, args []string) error {
			return buffered(s.out, func(w io.Writer) error { return verify(w, s.err, args[0]) })
		},
	}, &cobra.Command{
		Use:     "text TAPE",
		Short:   "Print all events; the form can be read as a tape again",
		Example: "  gradtui tape text run.tape | grep mutated",
		Args:    oneTape,
		RunE: func(_ *cobra.Command, args []string) error {
			tape, err := openTape(args[0], s.err)
			if err != nil {
				return err
			}
			return tapefile.WriteText(s.out, tape)
		},
	})
	return c
}

// oneTape checks that there is one argument.
func oneTape(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("%s takes one tape, not %d", cmd.CommandPath(), len(args))
	}
	return targetArgs("a tape", anyNumber)(cmd, args)
}

// maxProblems is how many contradictions verify lists.
const maxProblems = 20

// verify writes what is wrong with a tape to w, and shows on progress how far it is.
func verify(w, progress io.Writer, path string) error {
	if err := tapeName(path); err != nil {
		return err
	}
	frugal(path)
	done := working(progress, "checking the blocks of "+shortName(path), nil)
	report, damage := tapefile.Verify(path, tapefile.Options{})
	done()
	if damage != nil && !errors.Is(damage, tapefile.ErrDamaged) {
		return readError(path, damage)
	}
	r, err := tapefile.OpenReader(path, tapefile.Options{})
	if err != nil {
		return readError(path, err)
	}
	defer r.Close()
	done = working(progress, "reading "+shortName(path), eventsOf(r.Tape()))
	tape, _, err := r.All()
	done()
	if err != nil {
		return readError(path, err)
	}
	fmt.Fprintf(w, "%d events in %d blocks, format %d.%d\n", report.Events, len(report.Blocks), report.Major, report.Minor)
	done = working(progress, fmt.Sprintf("checking %d events", report.Events), nil)
	problems := graph.Validate(tape, maxProblems)
	done()
	for _, p := range problems {
		fmt.Fprintln(w, oneLine(p.String()))
	}
	if damage != nil {
		fmt.Fprintln(w, oneLine(damage.Error()))
	}
	stopped := inspect.Stopped(tape)
	if stopped != "" {
		fmt.Fprintln(w, "the recording is not complete:", printable(stopped))
	}
	if damage != nil || stopped != "" || len(problems) > 0 {
		return exitError{exitFindings}
	}
	fmt.Fprintln(w, "whole and consistent")
	return nil
}
