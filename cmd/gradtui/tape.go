package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/inspect/lookup"
)

func tapeCommand(s cli.Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "tape",
		Short: "Inspect a tape file",
		Example: `  gradtui tape verify run.tape
  gradtui tape text run.tape`,
		Args: cobra.NoArgs, // an unknown subcommand is an error
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	c.AddCommand(&cobra.Command{
		Use:   "verify TAPE",
		Short: "Check that a tape is whole and consistent",
		Long: `verify checks the blocks of the file, decodes every event, and checks that the events
agree with each other. The exit code is 1 if something is wrong or missing.`,
		Example: "  gradtui tape verify run.tape",
		Args:    oneTape,
		RunE: func(_ *cobra.Command, args []string) error {
			return cli.Buffered(s.Out, func(w io.Writer) error { return verify(w, s.Err, args[0]) })
		},
	}, &cobra.Command{
		Use:     "text TAPE",
		Short:   "Print all events as text, which can be read as a tape again",
		Example: "  gradtui tape text run.tape | grep mutated",
		Args:    oneTape,
		RunE: func(_ *cobra.Command, args []string) error {
			tape, err := target.OpenTape(args[0], s.Err)
			if err != nil {
				return err
			}
			return tapefile.WriteText(s.Out, tape)
		},
	})
	return c
}

// oneTape checks that there is one argument.
func oneTape(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("%s takes one tape, not %d", cmd.CommandPath(), len(args))
	}
	return cli.TargetArgs("a tape", cli.AnyNumber)(cmd, args)
}

// maxProblems is how many contradictions verify lists.
const maxProblems = 20

// verify writes what is wrong with a tape to w, and shows on progress how far it is.
func verify(w, progress io.Writer, path string) error {
	if err := target.CheckTapeName(path); err != nil {
		return err
	}
	target.CollectOften(path)
	done := cli.Working(progress, "checking the blocks of "+cli.ShortName(path), nil)
	report, damage := tapefile.Verify(path, tapefile.Options{})
	done()
	if damage != nil && !errors.Is(damage, tapefile.ErrDamaged) {
		return target.ReadError(path, damage)
	}
	r, err := tapefile.OpenReader(path, tapefile.Options{})
	if err != nil {
		return target.ReadError(path, err)
	}
	defer r.Close()
	done = cli.Working(progress, "reading "+cli.ShortName(path), cli.CountEvents(r.Tape()))
	tape, _, err := r.All()
	done()
	if err != nil {
		return target.ReadError(path, err)
	}
	fmt.Fprintf(w, "%d events in %d blocks, format %d.%d\n", report.Events, len(report.Blocks), report.Major, report.Minor)
	done = cli.Working(progress, fmt.Sprintf("checking %d events", report.Events), nil)
	problems := graph.Validate(tape, maxProblems)
	done()
	for _, p := range problems {
		fmt.Fprintln(w, cli.OneLine(p.String()))
	}
	if damage != nil {
		fmt.Fprintln(w, cli.OneLine(damage.Error()))
	}
	stopped := lookup.Stopped(tape)
	if stopped != "" {
		fmt.Fprintln(w, "the recording is not complete:", cli.Printable(stopped))
	}
	if damage != nil || stopped != "" || len(problems) > 0 {
		return cli.Exit(cli.ExitFindings)
	}
	fmt.Fprintln(w, "whole and consistent")
	return nil
}
