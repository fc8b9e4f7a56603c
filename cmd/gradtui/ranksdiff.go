package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
	"github.com/gradtui/gradtui/internal/jsontext"
)

// ranksFlags are those of ranks.
type ranksFlags struct {
	format  string
	top     int
	color   colorFlag
	program programFlags
}

func ranksCommand(s streams) *cobra.Command {
	var f ranksFlags
	c := &cobra.Command{
		Use:   "ranks TAPE TAPE...",
		Short: "Compare the ranks of a distributed program: gradients, graphs, operations",
		Long: `ranks compares the tapes of the ranks of a distributed program, or runs one, and says
where they part: which parameter got a gradient on one rank and not on another, and
which operation is the first that is not the same on all of them.

The exit code is 0 if gradients and graphs are the same, 1 if they are not, and 2 if
something could not be read or run. Other operations may differ: often one rank logs.`,
		Example: `  gradtui record --ranks 2 train.py -o run.tape
  gradtui ranks run.rank0.tape run.rank1.tape
  gradtui ranks --ranks 2 train.py -- --epochs 1`,
		Args: targetArgs("the tapes of two ranks or more", anyNumber),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, s, args[0], args[1:])
		},
	}
	addFormat(c, &f.format)
	c.Flags().IntVar(&f.top, "top", 20, "how many parameters to show (0: all)")
	f.color.add(c)
	f.program.add(c)
	f.program.ranks.add(c)
	c.SetFlagErrorFunc(explainFlag)
	return c
}

func (f *ranksFlags) run(cmd *cobra.Command, s streams, target string, args []string) error {
	if err := checkFormat(f.format); err != nil {
		return err
	}
	color, err := f.color.in(s.out, true)
	if err != nil {
		return err
	}
	paint := console.Paint(color)
	tapes, all, err := f.program.loadAll(cmd.Context(), s, streams{s.in, s.err, s.err}, target, args)
	if err != nil {
		return err
	}
	all.warn(s.err)
	var list []*graph.Tape
	for _, t := range tapes {
		t.warn(s.err)
		list = append(list, t.Tape)
	}
	if err := areRanks(list); err != nil {
		return err
	}
	done := working(s.err, "comparing the ranks", nil)
	d := inspect.CompareRanks(list)
	done()
	err = buffered(s.out, func(w io.Writer) error {
		if f.format == "json" {
			return jsontext.Encode(w, ranksDocument(d), "")
		}
		writeRanks(w, paint, d, f.top)
		return nil
	})
	if err == nil && !d.Same() {
		return exitError{exitFindings}
	}
	return err
}

// areRanks checks that tapes are those of ranks of one program, and sorts them.
func areRanks(tapes []*graph.Tape) error {
	slices.SortStableFunc(tapes, func(a, b *graph.Tape) int { return a.Info().Rank - b.Info().Rank })
	if len(tapes) < 2 {
		return fmt.Errorf("there is only the tape of one process: give those of two ranks or more")
	}
	for i, t := range tapes {
		info := t.Info()
		switch {
		case info.WorldSize == 0:
			return fmt.Errorf("a tape of %s is none of a rank: gradtui diff compares any two", oneLine(info.Program))
		case info.WorldSize != tapes[0].Info().WorldSize:
			return fmt.Errorf("the tapes are of different programs: rank %d is one of %d ranks, rank %d one of %d",
				tapes[0].Info().Rank, tapes[0].Info().WorldSize, info.Rank, info.WorldSize)
		case i > 0 && info.Rank == tapes[i-1].Info().Rank:
			return fmt.Errorf("two of the tapes are of rank %d; gradtui diff compares any two", info.Rank)
		}
	}
	return nil
}

// writeRanks says how ranks differ.
func writeRanks(w io.Writer, paint console.Paint, d *inspect.RankDiff, top int) {
	totals := newTable("rank", "ops", "nodes", "passes", "steps", "").painted(paint)
	for _, r := range d.Ranks {
		end := ""
		if r.Failed != "" {
			end = r.Failed + " (" + codeLine(r.At) + ")"
		}
		totals.row(r.Info.Rank, r.Ops, r.Nodes, r.Passes, r.Steps, end)
	}
	totals.write(w, len(d.Ranks))
	grads := newTable("gradients", "steps", "on ranks", "not on", "reduced on").painted(paint)
	for _, g := range upTo(d.Grads, top) {
		grads.row(g.Name, inspect.Runs(g.Steps), inspect.Runs(g.Got), inspect.Runs(g.Without), inspect.Runs(g.Reduced))
	}
	grads.write(w, len(d.Grads))
	writeFork(w, paint, "graph", d.Graph)
	writeFork(w, paint, "operations", d.Ops)
	if d.Same() {
		fmt.Fprintln(w, "\ngradients and graphs are the same on all ranks")
	}
}

func writeFork(w io.Writer, paint console.Paint, what string, f *inspect.RankFork) {
	if f == nil {
		return
	}
	word := "operations that are"
	if f.Number == 1 {
		word = "operation that is"
	}
	t := newTable(fmt.Sprintf("%s: after %d %s the same", what, f.Number, word), "", "", "").painted(paint)
	for _, way := range f.Ways {
		op, line := way.Op, codeLine(way.Stack.Top())
		if op == "" {
			op, line = "nothing more", ""
		}
		t.row("rank "+inspect.Runs(way.Ranks), op, line, way.Module)
	}
	t.write(w, len(f.Ways))
}
