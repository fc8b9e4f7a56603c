package main

import (
	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/audit"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
)

func auditCommand(s cli.Streams) *cobra.Command {
	f := checkFlags{audit: true, only: true, measure: audit.DefaultOptions()}
	c := &cobra.Command{
		Use:   "audit PROGRAM|TAPE... [-- ARGS...]",
		Short: "Measure whether the gradients of a training step are the derivative of its loss",
		Long: `audit runs a program, or reads a tape that was recorded with --values full, and
computes one training step again: along random directions of the leaves it compares the
derivative of the loss with what backward delivered. Where they differ it names the
lines at which a part of the derivative is lost, with the size of the part, or the node
that delivered something else than the derivative of its operation.

docs/use/audit.md explains the method and its limits. Formats, the project file and
comments that ignore findings are those of gradtui check.

The exit code is 0 if the step is exact or what it leaves out is left out on purpose
(detach, no_grad), 1 if a part is lost or wrong, and 2 if the step could not be audited.`,
		Example: `  gradtui audit train.py
  gradtui audit train.py --step 3 -- --epochs 1
  gradtui audit train.py --format json
  gradtui audit run.tape`,
		Args: cli.TargetArgs("a program or a tape", cli.AnyNumber),
		RunE: func(cmd *cobra.Command, args []string) error {
			color, err := f.color.Enabled(s.Out, f.output == "" || f.output == "-")
			if err != nil {
				return err
			}
			names, own := cli.SplitArgs(cmd, args)
			return f.run(cmd.Context(), s, names, own, color)
		},
	}
	f.addReport(c)
	c.Flags().IntVar(&f.measure.Step, "step", f.measure.Step, "the `number` of the training step, from 1")
	c.Flags().IntVar(&f.measure.Directions, "directions", f.measure.Directions, "how `many` random directions are measured")
	return c
}
