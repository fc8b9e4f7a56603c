package main

import (
	"fmt"
	"io"
	"math"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/compare"
	"github.com/gradtui/gradtui/internal/console"
	"github.com/gradtui/gradtui/internal/documents"
	"github.com/gradtui/gradtui/internal/jsontext"
)

// diffFlags are the flags of diff.
type diffFlags struct {
	format  string
	top     int
	color   cli.ColorFlag
	program target.Flags
}

func diffCommand(s cli.Streams) *cobra.Command {
	var f diffFlags
	c := &cobra.Command{
		Use:   "diff A B",
		Short: "Compare two tapes, programs, or iterations: nodes, edges, versions, gradients, bytes",
		Long: `diff compares two tapes, or runs and compares two programs, and lists the differences:
nodes and edges of the backward graph that appeared or disappeared, line by line;
tensors with the same name but another shape, grad_fn or version; values; bytes.

NAME#3 is the third iteration of a tape or program, NAME#-1 the last one. gradtui stat
lists iterations.

The exit code is 0 if nothing differs, 1 if something does, and 2 if something could
not be read or run.`,
		Example: `  gradtui diff before.tape after.tape
  gradtui diff broken.py fixed.py
  gradtui diff run.tape#1 run.tape#2`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("%s takes two tapes or programs, for example:\n%s", cmd.CommandPath(), cmd.Example)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, s, args[0], args[1])
		},
	}
	cli.AddFormat(c, &f.format)
	c.Flags().IntVar(&f.top, "top", 20, "how many nodes, edges and tensors to show (0: all)")
	f.color.AddTo(c)
	f.program.AddTo(c)
	c.SetFlagErrorFunc(cli.ExplainFlag)
	return c
}

func (f *diffFlags) run(cmd *cobra.Command, s cli.Streams, a, b string) error {
	if err := cli.CheckFormat(f.format); err != nil {
		return err
	}
	color, err := f.color.Enabled(s.Out, true)
	if err != nil {
		return err
	}
	paint := console.Paint(color)
	tapes := map[string]*graph.Tape{}
	var parts [2]compare.Part
	for i, arg := range []string{a, b} {
		name, iteration, err := target.CutIteration(arg)
		if err != nil {
			return err
		}
		if tapes[name] == nil {
			tape, end, err := f.program.Load(cmd.Context(), s, s.ToStderr(), name, nil)
			if err != nil {
				return err
			}
			end.Warn(s.Err)
			tapes[name] = tape
		}
		if parts[i], err = target.Iteration(tapes[name], name, iteration); err != nil {
			return err
		}
	}
	done := cli.Working(s.Err, "comparing", nil)
	d := compare.Parts(parts[0], parts[1])
	done()
	err = cli.Buffered(s.Out, func(w io.Writer) error {
		if f.format == "json" {
			return jsontext.Encode(w, diffDocument(a, b, d), "")
		}
		writeDiff(w, paint, a, b, d, f.top)
		return nil
	})
	if err == nil && !d.Same() {
		hintBeside(s, a, b)
		return cli.Exit(cli.ExitFindings)
	}
	return err
}

// hintBeside says on a terminal how the debugger shows two tapes side by side.
func hintBeside(s cli.Streams, a, b string) {
	x, n, _ := target.CutIteration(a) // both were read already
	y, _, _ := target.CutIteration(b)
	if !cli.IsTerminal(s.Out) || filepath.Ext(x) != ".tape" || filepath.Ext(y) != ".tape" {
		return
	}
	how := fmt.Sprintf("gradtui open %s --beside %s", cli.OneLine(y), cli.OneLine(x))
	if x == y && n > 0 {
		how = fmt.Sprintf("gradtui open %s, and in it :pin iteration %d", cli.OneLine(x), n)
	}
	fmt.Fprintf(cli.Notes(s.Err), "gradtui: to see both: %s\n", how)
}

func writeDiff(w io.Writer, paint console.Paint, a, b string, d *compare.Diff, top int) {
	if d.Same() {
		fmt.Fprintln(w, "no differences")
		return
	}
	if d.SameButValues() {
		fmt.Fprintln(w, onlyValues(d))
	}
	fmt.Fprintf(w, "A %s\nB %s\n", cli.OneLine(a), cli.OneLine(b))
	totals := cli.NewTable(paint, "", "A", "B", "")
	for _, t := range d.Totals {
		switch {
		case t.A == t.B:
		case t.Bytes:
			totals.Row(t.What, cli.Bytes(t.A), cli.Bytes(t.B), cli.Ratio(t.A, t.B))
		default:
			totals.Row(t.What, t.A, t.B, fmt.Sprintf("%+d", t.B-t.A))
		}
	}
	totals.Write(w, 0)
	nodes := cli.NewTable(paint, "nodes", "A", "B", "")
	for _, n := range cli.UpTo(d.Nodes, top) {
		nodes.Row(cli.CodeLine(n.Frame)+": "+n.Name, n.A, n.B, fmt.Sprintf("%+d", n.B-n.A))
	}
	nodes.Write(w, len(d.Nodes))
	edges := cli.NewTable(paint, "edges", "A", "B", "")
	for _, e := range cli.UpTo(d.Edges, top) {
		edges.Row(fmt.Sprintf("%s: %s, input %d -> %s", cli.CodeLine(e.Frame), e.From, e.Input, e.To), e.A, e.B, fmt.Sprintf("%+d", e.B-e.A))
	}
	edges.Write(w, len(d.Edges))
	tensors := cli.NewTable(paint, "tensors", "", "A", "B")
	for _, t := range cli.UpTo(d.Tensors, top) {
		name := t.Name
		for _, f := range t.Facts {
			tensors.Row(name, f.What, f.A, f.B)
			name = ""
		}
	}
	shown := tensors.Len()
	tensors.Write(w, shown+len(d.Tensors)-len(cli.UpTo(d.Tensors, top)))
	values := cli.NewTable(paint, "values", "", "A", "B", apart)
	for _, v := range cli.UpTo(d.Values, top) {
		distance := "?"
		if v.Known {
			distance = v.Distance.String()
		}
		values.Row(v.Name, v.What, compare.Contents(v.A), compare.Contents(v.B), distance)
	}
	values.Write(w, len(d.Values))
}

// apart is how tables name the relative distance of two values.
const apart = "|a-b|/|a|"

// onlyValues says in one line how parts differ whose values are all that differs.
func onlyValues(d *compare.Diff) string {
	if len(d.Values) == 0 {
		return "nothing differs except the bytes"
	}
	text := "nothing differs except the values"
	if d.BytesDiffer() {
		text += " and the bytes"
	}
	text += ": first " + valueName(d.Values[0])
	switch i := d.Largest(); {
	case i < 0:
	case len(d.Values) == 1:
		text += fmt.Sprintf(" (%s %s)", apart, d.Values[i].Distance)
	case i == 0:
		text += fmt.Sprintf(", which also differs most (%s %s)", apart, d.Values[i].Distance)
	default:
		text += fmt.Sprintf(", most %s (%s %s)", valueName(d.Values[i]), apart, d.Values[i].Distance)
	}
	return text
}

// valueName names a value that differs, and the line that made it.
func valueName(v compare.ValueDiff) string {
	name := v.Name
	if v.What == "grad" {
		name += ".grad"
	}
	if v.Line > 0 {
		name += " (" + cli.CodeLine(v.Frame) + ")"
	}
	return cli.OneLine(name)
}

// diffDocument is what diff prints with --format json.
func diffDocument(a, b string, d *compare.Diff) *documents.Diff {
	doc := &documents.Diff{
		Format: documents.DiffFormat, Version: documents.DiffVersion, A: a, B: b, Same: d.Same(),
		Totals: []documents.Total{}, Nodes: []documents.NodeDiff{}, Edges: []documents.EdgeDiff{}, Tensors: []documents.TensorDiff{},
		Values: []documents.ValueDiff{},
	}
	for _, t := range d.Totals {
		doc.Totals = append(doc.Totals, documents.Total{What: t.What, A: t.A, B: t.B})
	}
	for _, n := range d.Nodes {
		doc.Nodes = append(doc.Nodes, documents.NodeDiff{Place: documents.PlaceOf(n.Frame), Name: n.Name, A: n.A, B: n.B})
	}
	for _, e := range d.Edges {
		doc.Edges = append(doc.Edges, documents.EdgeDiff{Place: documents.PlaceOf(e.Frame), From: e.From, Input: e.Input, To: e.To, A: e.A, B: e.B})
	}
	for _, t := range d.Tensors {
		j := documents.TensorDiff{Name: t.Name}
		for _, f := range t.Facts {
			j.Facts = append(j.Facts, documents.TensorFact(f))
		}
		doc.Tensors = append(doc.Tensors, j)
	}
	for _, v := range d.Values {
		j := documents.ValueDiff{Name: v.Name, What: v.What, A: compare.Contents(v.A), B: compare.Contents(v.B), AtLeast: v.Known && v.AtLeast}
		if v.Known && !math.IsInf(v.Relative, 0) {
			j.Relative = &v.Relative
		}
		doc.Values = append(doc.Values, j)
	}
	return doc
}
