package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/audit"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

func auditCommand(s cli.Streams) *cobra.Command {
	var node int
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
comments that ignore findings work as they do for gradtui check.

The exit code is 0 if the step is exact or what it leaves out is left out on purpose
(detach, no_grad), 1 if a part is lost or wrong, and 2 if the step could not be audited.`,
		Example: `  gradtui audit train.py
  gradtui audit train.py --step 3 -- --epochs 1
  gradtui audit train.py --format json
  gradtui audit run.tape
  gradtui audit run.tape --node 12`,
		Args: cli.TargetArgs("a program or a tape", cli.AnyNumber),
		RunE: func(cmd *cobra.Command, args []string) error {
			color, err := f.color.Enabled(s.Out, f.output == "" || f.output == "-")
			if err != nil {
				return err
			}
			names, own := cli.SplitArgs(cmd, args)
			if cmd.Flags().Changed("node") {
				return f.checkNode(cmd.Context(), s, names, own, node)
			}
			return f.run(cmd.Context(), s, names, own, color)
		},
	}
	f.addReport(c)
	c.Flags().IntVar(&f.measure.Step, "step", f.measure.Step, "the `number` of the training step, from 1")
	c.Flags().IntVar(&f.measure.Directions, "directions", f.measure.Directions, "how `many` random directions are measured")
	c.Flags().IntVar(&node, "node", 0, "check only the node with this `number`, element by element: what it sent on in its last backward pass")
	return c
}

// checkNode checks one node and writes its elements.
func (f *checkFlags) checkNode(ctx context.Context, s cli.Streams, names, args []string, node int) error {
	switch {
	case len(names) != 1:
		return errors.New("--node is about one program, or one tape")
	case f.format != "text" || f.output != "":
		return errors.New("--node writes text to standard output, and nothing else")
	case node < 1:
		return fmt.Errorf("there is no node %d: nodes count from 1", node)
	}
	f.program.AllValues = true
	tape, end, err := f.program.Load(ctx, s, s.ToStderr(), names[0], args)
	if err != nil {
		return err
	}
	end.Warn(s.Err)
	found, err := audit.Check(tape, graph.NodeID(node))
	if err != nil {
		return err
	}
	h := inspect.ReadHistory(tape, tape.Len(), inspect.Options{ReadLeftOut: end.ReadLeftOut})
	if err := cli.Buffered(s.Out, func(w io.Writer) error { writeNode(w, h, found); return nil }); err != nil {
		return err
	}
	if found.Wrong() {
		return cli.Exit(cli.ExitFindings)
	}
	return nil
}

func writeNode(w io.Writer, h *inspect.History, c *audit.NodeCheck) {
	line := strings.TrimSpace(h.LineText(c.Frame.File, c.Frame.Line))
	fmt.Fprintf(w, "%s n%d, backward pass %d, of %s  %s\n", cli.OneLine(c.Name), c.Node, c.Backward, cli.OneLine(cli.CodeLine(c.Frame)), cli.OneLine(line))
	verdict := "right: it sent on the derivative of its operation"
	if c.Wrong() {
		verdict = "wrong: it sent on something else than the derivative of its operation"
	}
	fmt.Fprintln(w, verdict)
	for _, a := range c.Arguments {
		name := h.Name(a.Tensor)
		if name == "" {
			name = fmt.Sprintf("t%d", a.Tensor)
		}
		fmt.Fprintf(w, "\ngradient for %s %s: largest difference %.2g of the largest element\n", cli.OneLine(name), inspect.ShapeText(a.Shape), a.Error)
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(t, "element\texpected\tdelivered\tdifference\t")
		for _, x := range a.Elements {
			fmt.Fprintf(t, "%s\t%.6g\t%.6g\t%.2g\t\n", indexText(x.Index, a.Shape), x.Expected, x.Delivered, x.Delivered-x.Expected)
		}
		t.Flush()
	}
}

// indexText writes the indices of an element.
func indexText(i int, shape []int) string {
	list := make([]string, len(shape))
	for d := len(shape) - 1; d >= 0; d-- {
		list[d] = strconv.Itoa(i % max(shape[d], 1))
		i /= max(shape[d], 1)
	}
	return "[" + strings.Join(list, ", ") + "]"
}
