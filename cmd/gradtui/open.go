package main

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/debugger"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui"
	"github.com/gradtui/gradtui/graph"
)

func openCommand(s cli.Streams) *cobra.Command {
	var d debugger.Flags
	var beside string
	c := &cobra.Command{
		Use:   "open TAPE...",
		Short: "Open the debugger on a tape",
		Long: `open shows a tape in the debugger. If the tape is still being written, new events
appear as they arrive.

Several tapes must be the ranks of one distributed program. The debugger shows one of
them; the keys [ and ] switch between them, and R compares them.`,
		Example: `  gradtui record train.py -o run.tape
  gradtui open run.tape
  gradtui open run.rank*.tape
  gradtui open after.tape --beside before.tape`,
		Args: cli.TargetArgs("a tape", cli.AnyNumber),
		RunE: func(cmd *cobra.Command, args []string) error {
			var all []ui.Options
			if beside != "" && len(args) > 1 {
				return errors.New("--beside compares two tapes; name one more, not several")
			}
			if beside != "" {
				args = []string{args[0], beside}
			}
			for _, path := range args {
				file, err := debugger.Follow(path)
				if err != nil {
					return err
				}
				defer file.Close()
				target.NoteNewer(s.Err, path)
				all = append(all, ui.Options{Tape: file.Tape(), Title: path, More: file.More})
			}
			if beside != "" {
				return d.OpenBeside(cmd.Context(), s, all[0], all[1])
			}
			if len(all) > 1 {
				slices.SortStableFunc(all, func(a, b ui.Options) int { return a.Tape.Info().Rank - b.Tape.Info().Rank })
				var tapes []*graph.Tape
				for _, o := range all {
					tapes = append(tapes, o.Tape)
				}
				if err := target.CheckRanks(tapes); err != nil {
					return err
				}
			}
			return d.Open(cmd.Context(), s, debugger.SessionOfTape(args[0]), all...)
		},
	}
	c.Flags().StringVar(&beside, "beside", "", "compare with another `TAPE`: of another run, program or engine")
	d.AddTo(c)
	return c
}
