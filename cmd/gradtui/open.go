package main

import (
	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui"
)

func openCommand(s streams) *cobra.Command {
	var d debugger
	c := &cobra.Command{
		Use:   "open TAPE",
		Short: "Open the debugger on a tape",
		Long: `open shows a tape that gradtui record wrote, in the debugger. The tape may still be
written to: what is added shows up.`,
		Example: `  gradtui record train.py -o run.tape
  gradtui open run.tape`,
		Args: targetArgs("a tape"),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := followTape(args[0])
			if err != nil {
				return err
			}
			defer file.Close()
			return d.open(cmd.Context(), s, ui.Options{Tape: file.Tape(), Title: args[0], More: file.more})
		},
	}
	d.add(c)
	return c
}
