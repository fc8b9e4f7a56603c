package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/compare"
	"github.com/gradtui/gradtui/internal/console"
	"github.com/gradtui/gradtui/internal/documents"
	"github.com/gradtui/gradtui/internal/jsontext"
)

// ranksFlags are the flags of gradtui ranks.
type ranksFlags struct {
	format  string
	top     int
	color   cli.ColorFlag
	program target.Flags
}

func ranksCommand(s cli.Streams) *cobra.Command {
	var f ranksFlags
	c := &cobra.Command{
		Use:   "ranks TAPE TAPE...",
		Short: "Compare the ranks of a distributed program: gradients, graphs, operations",
		Long: `ranks compares the tapes of the ranks of a distributed program, or runs one, and says
where they diverge: which parameters got a gradient on some ranks only, and which
operation is the first to differ.

The exit code is 0 if gradients and graphs are the same, 1 if they are not, and 2 if
something could not be read or run. Other operations may differ: often one rank logs.`,
		Example: `  gradtui record --ranks 2 train.py -o run.tape
  gradtui ranks run.rank0.tape run.rank1.tape
  gradtui ranks --ranks 2 train.py -- --epochs 1`,
		Args: cli.TargetArgs("the tapes of two ranks or more", cli.AnyNumber),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, s, args[0], args[1:])
		},
	}
	cli.AddFormat(c, &f.format)
	c.Flags().IntVar(&f.top, "top", 20, "how many parameters to show (0: all)")
	f.color.AddTo(c)
	f.program.AddTo(c)
	f.program.Ranks.AddTo(c)
	c.SetFlagErrorFunc(cli.ExplainFlag)
	return c
}

func (f *ranksFlags) run(cmd *cobra.Command, s cli.Streams, name string, args []string) error {
	if err := cli.CheckFormat(f.format); err != nil {
		return err
	}
	color, err := f.color.Enabled(s.Out, true)
	if err != nil {
		return err
	}
	paint := console.Paint(color)
	tapes, all, err := f.program.LoadAll(cmd.Context(), s, s.ToStderr(), name, args)
	if err != nil {
		return err
	}
	all.Warn(s.Err)
	var list []*graph.Tape
	for _, t := range tapes {
		t.Warn(s.Err)
		list = append(list, t.Tape)
	}
	if err := target.CheckRanks(list); err != nil {
		return err
	}
	done := cli.Working(s.Err, "comparing the ranks", nil)
	d := compare.Ranks(list)
	done()
	err = cli.Buffered(s.Out, func(w io.Writer) error {
		if f.format == "json" {
			return jsontext.Encode(w, ranksDocument(d), "")
		}
		writeRanks(w, paint, d, f.top)
		return nil
	})
	if err == nil && !d.Same() {
		return cli.Exit(cli.ExitFindings)
	}
	return err
}

// writeRanks says how ranks differ.
func writeRanks(w io.Writer, paint console.Paint, d *compare.RankDiff, top int) {
	totals := cli.NewTable(paint, "rank", "ops", "nodes", "passes", "steps", "")
	for _, r := range d.Ranks {
		end := ""
		if r.Failed != "" {
			end = r.Failed + " (" + cli.CodeLine(r.At) + ")"
		}
		totals.Row(r.Info.Rank, r.Ops, r.Nodes, r.Passes, r.Steps, end)
	}
	totals.Write(w, len(d.Ranks))
	grads := cli.NewTable(paint, "gradients", "steps", "on ranks", "not on", "reduced on")
	for _, g := range cli.UpTo(d.Grads, top) {
		grads.Row(g.Name, inspect.Runs(g.Steps), inspect.Runs(g.Got), inspect.Runs(g.Without), inspect.Runs(g.Reduced))
	}
	grads.Write(w, len(d.Grads))
	writeFork(w, paint, "graph", d.Graph)
	writeFork(w, paint, "operations", d.Ops)
	if d.Same() {
		fmt.Fprintln(w, "\ngradients and graphs are the same on all ranks")
	}
}

func writeFork(w io.Writer, paint console.Paint, what string, f *compare.RankFork) {
	if f == nil {
		return
	}
	word := "operations that are"
	if f.Number == 1 {
		word = "operation that is"
	}
	t := cli.NewTable(paint, fmt.Sprintf("%s: after %d %s the same", what, f.Number, word), "", "", "")
	for _, way := range f.Ways {
		op, line := way.Op, cli.CodeLine(way.Stack.Top())
		if op == "" {
			op, line = "nothing more", ""
		}
		t.Row("rank "+inspect.Runs(way.Ranks), op, line, way.Module)
	}
	t.Write(w, len(f.Ways))
}

// ranksDocument is what ranks prints with --format json.
func ranksDocument(d *compare.RankDiff) *documents.Ranks {
	doc := &documents.Ranks{Format: documents.RanksFormat, Version: documents.RanksVersion, Same: d.Same(), Grads: []documents.RankGrad{}, Graph: forkDocument(d.Graph), Ops: forkDocument(d.Ops)}
	for _, r := range d.Ranks {
		j := documents.Rank{Rank: r.Info.Rank, Ops: r.Ops, Nodes: r.Nodes, Passes: r.Passes, Steps: r.Steps, Failed: r.Failed}
		if r.Failed != "" {
			at := documents.PlaceOf(r.At)
			j.At = &at
		}
		doc.Ranks = append(doc.Ranks, j)
	}
	for _, g := range d.Grads {
		doc.Grads = append(doc.Grads, documents.RankGrad{
			Name: g.Name, Steps: append([]int{}, g.Steps...), Got: append([]int{}, g.Got...),
			Reduced: append([]int{}, g.Reduced...), Without: append([]int{}, g.Without...),
		})
	}
	return doc
}

func forkDocument(f *compare.RankFork) *documents.Fork {
	if f == nil {
		return nil
	}
	doc := &documents.Fork{Number: f.Number}
	for _, w := range f.Ways {
		doc.Ways = append(doc.Ways, documents.Way{Ranks: w.Ranks, Op: w.Op, Module: w.Module, Place: documents.PlaceOf(w.Stack.Top()), Events: w.At})
	}
	return doc
}
