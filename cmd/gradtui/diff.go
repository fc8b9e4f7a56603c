package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
	"github.com/gradtui/gradtui/internal/jsontext"
)

// diffFlags are the flags of diff.
type diffFlags struct {
	format  string
	top     int
	color   colorFlag
	program programFlags
}

func diffCommand(s streams) *cobra.Command {
	var f diffFlags
	c := &cobra.Command{
		Use:   "diff A B",
		Short: "Compare two tapes, programs, or iterations: nodes, edges, versions, gradients, bytes",
		Long: `diff compares two tapes, or two programs, which it runs, and says what differs: the
nodes and edges of the backward graph that appeared or went, line by line; tensors with
the same name whose shape, grad_fn, changes in place or gradient differ; bytes.

NAME#3 is the third iteration of a tape or program; -1 is the last one. gradtui stat
lists iterations.

The exit code is 0 if nothing differs, 1 if something does, and 2 if something could
not be read or run.`,
		Example: `  gradtui diff before.tape after.tape
  gradtui diff broken.py fixed.py
  gradtui diff run.tape#1 run.tape#2`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("%s: give two tapes or programs, as in\n%s", cmd.CommandPath(), cmd.Example)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, s, args[0], args[1])
		},
	}
	addFormat(c, &f.format)
	c.Flags().IntVar(&f.top, "top", 20, "how many nodes, edges and tensors to show (0: all)")
	f.color.add(c)
	f.program.add(c)
	c.SetFlagErrorFunc(explainFlag)
	return c
}

func (f *diffFlags) run(cmd *cobra.Command, s streams, a, b string) error {
	if err := checkFormat(f.format); err != nil {
		return err
	}
	color, err := f.color.in(s.out, true)
	if err != nil {
		return err
	}
	paint := console.Paint(color)
	tapes := map[string]*graph.Tape{}
	var parts [2]inspect.Part
	for i, arg := range []string{a, b} {
		target, iteration, err := cutIteration(arg)
		if err != nil {
			return err
		}
		if tapes[target] == nil {
			tape, end, err := f.program.load(cmd.Context(), s, streams{s.in, s.err, s.err}, target, nil)
			if err != nil {
				return err
			}
			end.warn(s.err)
			tapes[target] = tape
		}
		if parts[i], err = partOf(tapes[target], target, iteration); err != nil {
			return err
		}
	}
	done := working(s.err, "comparing", nil)
	d := inspect.Compare(parts[0], parts[1])
	done()
	err = buffered(s.out, func(w io.Writer) error {
		if f.format == "json" {
			return jsontext.Encode(w, diffDocument(a, b, d), "")
		}
		writeDiff(w, paint, a, b, d, f.top)
		return nil
	})
	if err == nil && !d.Same() {
		return exitError{exitFindings}
	}
	return err
}

// cutIteration splits NAME#K; 0 stands for the whole of it.
func cutIteration(arg string) (target string, iteration int, err error) {
	i := strings.LastIndexByte(arg, '#')
	if i < 0 {
		return arg, 0, nil
	}
	iteration, err = strconv.Atoi(arg[i+1:])
	if err != nil || iteration == 0 {
		return "", 0, fmt.Errorf("%s: after # comes the number of an iteration, such as 3, or -1 for the last one", oneLine(arg))
	}
	return arg[:i], iteration, nil
}

// partOf is an iteration of a tape, or all of it.
func partOf(tape *graph.Tape, name string, iteration int) (inspect.Part, error) {
	part := inspect.Part{Tape: tape, To: tape.Len()}
	if iteration == 0 {
		return part, nil
	}
	all := inspect.Iterations(tape, tape.Len())
	i := iteration - 1
	if iteration < 0 {
		i = len(all) + iteration
	}
	if i < 0 || i >= len(all) {
		return part, fmt.Errorf("%s#%d: it has %d iterations", oneLine(name), iteration, len(all))
	}
	part.From, part.To = all[i].From, all[i].To
	return part, nil
}

func writeDiff(w io.Writer, paint console.Paint, a, b string, d *inspect.Diff, top int) {
	if d.Same() {
		fmt.Fprintln(w, "no differences")
		return
	}
	fmt.Fprintf(w, "A %s\nB %s\n", oneLine(a), oneLine(b))
	totals := newTable("", "A", "B", "").painted(paint)
	for _, t := range d.Totals {
		switch {
		case t.A == t.B:
		case t.Bytes:
			totals.row(t.What, bytesOf(t.A), bytesOf(t.B), ratio(t.A, t.B))
		default:
			totals.row(t.What, t.A, t.B, fmt.Sprintf("%+d", t.B-t.A))
		}
	}
	totals.write(w, 0)
	nodes := newTable("nodes", "A", "B", "").painted(paint)
	for _, n := range upTo(d.Nodes, top) {
		nodes.row(codeLine(n.Frame)+": "+n.Name, n.A, n.B, fmt.Sprintf("%+d", n.B-n.A))
	}
	nodes.write(w, len(d.Nodes))
	edges := newTable("edges", "A", "B", "").painted(paint)
	for _, e := range upTo(d.Edges, top) {
		edges.row(fmt.Sprintf("%s: %s, input %d -> %s", codeLine(e.Frame), e.From, e.Input, e.To), e.A, e.B, fmt.Sprintf("%+d", e.B-e.A))
	}
	edges.write(w, len(d.Edges))
	tensors := newTable("tensors", "", "A", "B").painted(paint)
	for _, t := range upTo(d.Tensors, top) {
		name := t.Name
		for _, f := range t.Facts {
			tensors.row(name, f.What, f.A, f.B)
			name = ""
		}
	}
	shown := len(tensors.rows) - 1
	tensors.write(w, shown+len(d.Tensors)-len(upTo(d.Tensors, top)))
}
