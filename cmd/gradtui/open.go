package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui"
	"github.com/gradtui/gradtui/graph"
)

func openCommand(s streams) *cobra.Command {
	var d debugger
	c := &cobra.Command{
		Use:   "open TAPE...",
		Short: "Open the debugger on a tape",
		Long: `open shows a tape that gradtui record wrote, in the debugger. The tape may still be
written to: what is added shows up.

Several tapes are those of the ranks of a distributed program. One of them is shown;
the keys [ and ] go to the others, and R compares them.`,
		Example: `  gradtui record train.py -o run.tape
  gradtui open run.tape
  gradtui open run.rank*.tape`,
		Args: targetArgs("a tape", anyNumber),
		RunE: func(cmd *cobra.Command, args []string) error {
			var all []ui.Options
			for _, path := range args {
				file, err := followTape(path)
				if err != nil {
					return err
				}
				defer file.Close()
				noteNewer(s.err, path)
				all = append(all, ui.Options{Tape: file.Tape(), Title: path, More: file.more})
			}
			if len(all) > 1 {
				slices.SortStableFunc(all, func(a, b ui.Options) int { return a.Tape.Info().Rank - b.Tape.Info().Rank })
				var tapes []*graph.Tape
				for _, o := range all {
					tapes = append(tapes, o.Tape)
				}
				if err := areRanks(tapes); err != nil {
					return err
				}
			}
			return d.open(cmd.Context(), s, all...)
		},
	}
	d.add(c)
	return c
}
