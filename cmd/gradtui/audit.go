package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/audit"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

func auditCommand(s cli.Streams) *cobra.Command {
	program := target.Flags{AllValues: true}
	options := audit.Options{Step: 1}
	c := &cobra.Command{
		Use:   "audit PROGRAM|TAPE [-- ARGS...]",
		Short: "Measure whether the gradients of a training step are the derivative of its loss",
		Long: `audit runs a program, or reads a tape that was recorded with --values full, and
computes one training step again: along random directions of the leaves it compares the
derivative of the loss with what backward delivered. Where they differ it names the
lines at which a part of the derivative is lost, with the size of the part, or the node
that delivered something else than the derivative of its operation.

docs/use/audit.md explains the method and its limits.

The exit code is 0 if the step is exact or what it leaves out is left out on purpose
(detach, no_grad), 1 if a part is lost or wrong, and 2 if the step could not be audited.`,
		Example: `  gradtui audit train.py
  gradtui audit train.py --step 3 -- --epochs 1
  gradtui audit run.tape`,
		Args: cli.TargetArgs("a program or a tape", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return auditProgram(cmd.Context(), s, &program, options, args[0], args[1:])
		},
	}
	c.Flags().IntVar(&options.Step, "step", options.Step, "the `number` of the training step, from 1")
	c.Flags().IntVar(&options.Directions, "directions", 4, "how `many` random directions are measured")
	program.AddTo(c)
	c.SetFlagErrorFunc(cli.ExplainFlag)
	return c
}

func auditProgram(ctx context.Context, s cli.Streams, f *target.Flags, options audit.Options, name string, args []string) error {
	tape, end, err := f.Load(ctx, s, s.ToStderr(), name, args)
	if err != nil {
		return err
	}
	end.Warn(s.Err)
	h := inspect.ReadHistory(tape, tape.Len(), inspect.Options{ReadLeftOut: end.ReadLeftOut})
	r, err := audit.Run(h, options)
	if err != nil {
		return err
	}
	if err := cli.Buffered(s.Out, func(w io.Writer) error { writeAudit(w, h, r); return nil }); err != nil {
		return err
	}
	switch r.Verdict() {
	case audit.Lost, audit.Lies:
		return cli.Exit(cli.ExitFindings)
	case audit.Unknown:
		return cli.Exit(cli.ExitFailed)
	}
	return nil
}

func writeAudit(w io.Writer, h *inspect.History, r *audit.Result) {
	fmt.Fprintf(w, "step %d: %d leaves, %d directions\n", r.Step.Number, r.Leaves, len(r.Derivative))
	fmt.Fprintln(w, auditVerdict(r))
	for i := range r.Changes {
		fmt.Fprintln(w)
		writeChange(w, h, &r.Changes[i])
	}
	if len(r.Cuts) > 0 {
		fmt.Fprintln(w)
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintf(t, "%s\t  \tdelivered by backward\n", percent(r.Part(r.Visible)))
		cuts := slices.Clone(r.Cuts)
		slices.SortStableFunc(cuts, func(a, b audit.Cut) int {
			return cmp.Compare(math.Abs(r.Part(b.Share)), math.Abs(r.Part(a.Share)))
		})
		for _, c := range cuts {
			fmt.Fprintf(t, "%s\t  \t%s: %s\n", percent(r.Part(c.Share)), cli.OneLine(cli.CodeLine(c.Frame)), cli.OneLine(c.Why+purpose(c)+"  "+lineOf(h, c.Frame)))
		}
		t.Flush()
	}
	for i, g := range r.Gaps {
		if i == 0 {
			fmt.Fprintln(w, "\nnot followed, and taken for constants:")
		}
		fmt.Fprintf(w, "  %s: %s: %s\n", cli.OneLine(cli.CodeLine(g.Frame)), cli.OneLine(g.What), cli.OneLine(g.Why))
	}
}

func auditVerdict(r *audit.Result) string {
	followed := ""
	if len(r.Gaps) > 0 {
		followed = ", as far as it could be followed"
	}
	switch r.Verdict() {
	case audit.Exact:
		return fmt.Sprintf("exact%s: backward delivers the derivative of the loss (relative error %.1g)", followed, r.Error())
	case audit.Cuts:
		return fmt.Sprintf("exact%s, up to what is held constant or changed on purpose (relative error %.1g)", followed, r.Error())
	case audit.Lost:
		return fmt.Sprintf("gradient-lost: backward delivers %s of the derivative of the loss", percent(r.Part(r.Visible)))
	case audit.Lies:
		return "gradient-wrong: backward delivers something else than the derivative of the loss"
	}
	if r.Within {
		return "not judged: the step uses a gradient with a graph of its own (create_graph), which is not followed yet"
	}
	return "not judged: parts of the step could not be followed"
}

func writeChange(w io.Writer, h *inspect.History, x *audit.Change) {
	why := ""
	switch {
	case x.Purpose:
		why = " (on purpose: the Function hands on its argument, or is constant)"
	case x.Hook:
		why = " (on purpose)"
	}
	fmt.Fprintf(w, "%s%s, at %s  %s\n", cli.OneLine(x.Name), why, cli.OneLine(cli.CodeLine(x.Frame)), cli.OneLine(lineOf(h, x.Frame)))
	fmt.Fprintf(w, "  the derivative along the direction is %.6g; it delivers %.6g\n", x.Expected, x.Delivered)
	if x.Backward != 0 {
		f := h.Tape().Stack(x.Backward).Top()
		fmt.Fprintf(w, "  its backward ran at %s  %s\n", cli.OneLine(cli.CodeLine(f)), cli.OneLine(lineOf(h, f)))
	}
}

func lineOf(h *inspect.History, f graph.Frame) string {
	text, _, _ := strings.Cut(strings.TrimSpace(h.LineText(f.File, f.Line)), "\n")
	return text
}

func purpose(c audit.Cut) string {
	if c.OnPurpose() {
		return " (on purpose)"
	}
	return ""
}

func percent(x float64) string { return fmt.Sprintf("%.3g %%", 100*x) }
