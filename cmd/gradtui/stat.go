package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/checks"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/compare"
	"github.com/gradtui/gradtui/inspect/lookup"
	"github.com/gradtui/gradtui/inspect/usage"
	"github.com/gradtui/gradtui/internal/console"
	"github.com/gradtui/gradtui/internal/documents"
	"github.com/gradtui/gradtui/internal/jsontext"
)

// statFlags are the flags of stat.
type statFlags struct {
	format, at, against string
	top                 int
	parameters          bool
	color               cli.ColorFlag
	program             target.Flags
}

func statCommand(s cli.Streams) *cobra.Command {
	var f statFlags
	c := &cobra.Command{
		Use:   "stat PROGRAM|TAPE [-- ARGS...]",
		Short: "Show what takes time and memory: per line, per iteration, and what grows",
		Long: `stat runs a program, or reads a tape, and reports how many operations ran, how many
nodes the backward graph has, and how many bytes are held by the program or only by the
graph: at the end, at the peak, for each line and after each iteration. If memory grows
with every iteration, stat names the lines.

A program that is about to fill the memory is stopped: --max-held-bytes limits its
tensors, --max-tape-bytes and --max-events limit the recording. The report covers what
it did until then. --against compares the lines with another run, such as one with a
larger input.`,
		Example: `  gradtui stat train.py
  gradtui stat run.tape --top 30
  gradtui stat train.py --max-events 100000
  gradtui stat small.tape --against large.tape
  gradtui stat train.py --parameters
  gradtui stat run.tape --format json`,
		Args: cli.TargetArgs("a program or a tape", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, s, args[0], args[1:])
		},
	}
	flags := c.Flags()
	cli.AddFormat(c, &f.format)
	flags.StringVar(&f.at, "at", "end", "count up to this `moment`: "+target.MomentHelp)
	flags.IntVar(&f.top, "top", 10, "how many lines and iterations to show (0: all)")
	flags.StringVar(&f.against, "against", "", "another `PROGRAM|TAPE`, to compare the lines with")
	flags.Uint64Var(&f.program.MaxHeld, "max-held-bytes", target.MemoryLimit(), "end the program when its tensors take this much memory (0: no limit;\ndefault: half of the machine's)")
	flags.Lookup("max-held-bytes").DefValue = "0" // the machine's is not for the help
	flags.BoolVar(&f.parameters, "parameters", false, "also show how the steps of optimizers change each parameter")
	f.color.AddTo(c)
	f.program.EndAtLimit = true
	f.program.AddTo(c)
	c.RegisterFlagCompletionFunc("at", target.CompleteMoments)
	c.SetFlagErrorFunc(cli.ExplainFlag)
	return c
}

func (f *statFlags) run(cmd *cobra.Command, s cli.Streams, name string, args []string) error {
	if err := cli.CheckFormat(f.format); err != nil {
		return err
	}
	if f.top < 0 {
		return errors.New("--top: give the number of lines, 0 for all")
	}
	at, err := target.ParseMoment(f.at)
	if err != nil {
		return err
	}
	color, err := f.color.Enabled(s.Out, true)
	if err != nil {
		return err
	}
	paint := console.Paint(color)
	tape, stat, err := f.measure(cmd, s, at, name, args)
	if err != nil {
		return err
	}
	var other *usage.Stat
	if f.against != "" {
		if _, other, err = f.measure(cmd, s, at, f.against, nil); err != nil {
			return err
		}
	}
	var parameters []*usage.ParameterStat
	if f.parameters {
		pos, err := at.Position(tape)
		if err != nil {
			return err
		}
		parameters = usage.Parameters(tape, pos)
	}
	return cli.Buffered(s.Out, func(w io.Writer) error {
		if f.format == "json" {
			return jsontext.Encode(w, statDocument(tape, stat, other, parameters), "")
		}
		info := tape.Info()
		fmt.Fprintf(w, "%s, recorded with engine %s\n", cli.OneLine(info.Program), cli.OneLine(info.Engine))
		checks.Summarize(w, tape, name)
		writeStat(w, paint, stat, f.top)
		if f.parameters {
			writeParameters(w, paint, parameters, f.top)
		}
		if other != nil {
			writeAgainst(w, paint, compare.Lines(stat, other), f.against, f.top)
		}
		return nil
	})
}

func (f *statFlags) measure(cmd *cobra.Command, s cli.Streams, at target.Moment, name string, args []string) (*graph.Tape, *usage.Stat, error) {
	own := s.ToStderr()
	tape, end, err := f.program.Load(cmd.Context(), s, own, name, args)
	if err != nil {
		return nil, nil, err
	}
	end.Warn(s.Err)
	pos, err := at.Position(tape)
	if err != nil {
		return nil, nil, err
	}
	defer cli.Working(s.Err, fmt.Sprintf("measuring %d events", pos), nil)()
	return tape, usage.Measure(tape, pos), nil
}

func writeStat(w io.Writer, paint console.Paint, s *usage.Stat, top int) {
	fmt.Fprintf(w, "\n%s %s at the end, %s of it held by the graph only; %d nodes alive\n",
		paint.In(console.Bold, "in use:"), cli.Bytes(s.Total.End.Bytes), cli.Bytes(s.Total.End.Graph), s.Total.End.Nodes)
	if s.Peak.Bytes > 0 {
		fmt.Fprintf(w, "%s   %s", paint.In(console.Bold, "peak:"), cli.Bytes(s.Peak.Bytes))
		if s.PeakLine.File != "" {
			fmt.Fprintf(w, " at %s", paint.In(console.Cyan, cli.OneLine(cli.CodeLine(s.PeakLine))))
		}
		if i := s.PeakIteration(); i > 0 {
			fmt.Fprintf(w, ", in iteration %d", i)
		}
		fmt.Fprintf(w, "; %s by the graph only; %d nodes\n", cli.Bytes(s.Peak.Graph), s.Peak.Nodes)
	}
	devices := cli.NewTable(paint, "device", "in use", "graph only", "at peak", "graph only")
	for _, d := range s.Devices {
		devices.Row(d.Device, cli.Bytes(d.End.Bytes), cli.Bytes(d.End.Graph), cli.Bytes(d.Peak.Bytes), cli.Bytes(d.Peak.Graph))
	}
	devices.Write(w, len(s.Devices))
	cli.WriteGrowth(w, paint, s.Growth, top)
	lines := cli.NewTable(paint, "line", "time", "events", "ops", "nodes", "alive", "made", "in use", "at peak")
	for _, l := range cli.UpTo(s.Heaviest(), top) {
		lines.Row(cli.CodeLine(l.Frame), cli.Duration(l.Time), l.Events, l.Ops, l.Nodes, l.End.Nodes, cli.Bytes(l.Made), cli.Bytes(l.End.Bytes), cli.Bytes(l.Peak.Bytes))
	}
	lines.Write(w, len(s.Lines))
	if len(s.Iterations) == 0 {
		return
	}
	turns := cli.NewTable(paint, "iteration", "time", "ops", "nodes", "made", "in use", "graph only", "alive")
	for _, t := range ends(s.Iterations, top) {
		turns.Row(t.Number, cli.Duration(t.Time), t.Ops, t.Nodes, cli.Bytes(t.Made), cli.Bytes(t.After.Bytes), cli.Bytes(t.After.Graph), t.After.Nodes)
	}
	turns.Write(w, len(s.Iterations))
}

// writeAgainst shows how much more the other run took, line by line.
func writeAgainst(w io.Writer, paint console.Paint, pairs []compare.LinePair, other string, top int) {
	fmt.Fprintln(w, "\n"+paint.In(console.Bold, "against "+cli.OneLine(other)+":"))
	lines := cli.NewTable(paint, "line", "nodes", "there", "", "made", "there", "", "at peak", "there", "")
	for _, p := range cli.UpTo(pairs, top) {
		a, b := p.A, p.B
		lines.Row(cli.CodeLine(p.Place()), a.Nodes, b.Nodes, cli.Ratio(int64(a.Nodes), int64(b.Nodes)),
			cli.Bytes(a.Made), cli.Bytes(b.Made), cli.Ratio(a.Made, b.Made),
			cli.Bytes(a.Peak.Bytes), cli.Bytes(b.Peak.Bytes), cli.Ratio(a.Peak.Bytes, b.Peak.Bytes))
	}
	lines.Write(w, len(pairs))
}

// statDocument is what stat prints with --format json.
func statDocument(tape *graph.Tape, s, other *usage.Stat, parameters []*usage.ParameterStat) *documents.Stat {
	info := tape.Info()
	doc := &documents.Stat{
		Format: documents.StatFormat, Version: documents.StatVersion, Program: info.Program, Engine: info.Engine, Stopped: lookup.Stopped(tape),
		Total: lineDocument(s.Total), Lines: []documents.Line{}, Iterations: []documents.Iteration{},
	}
	if s.Peak.Bytes > 0 {
		doc.Peak = &documents.Peak{Use: documents.Use(s.Peak), Place: documents.PlaceOf(s.PeakLine), Event: s.PeakAt, Iteration: s.PeakIteration()}
	}
	for _, d := range s.Devices {
		doc.Devices = append(doc.Devices, documents.Device{
			Device: d.Device,
			End:    documents.DeviceUse{Bytes: d.End.Bytes, Graph: d.End.Graph},
			Peak:   documents.DeviceUse{Bytes: d.Peak.Bytes, Graph: d.Peak.Graph},
		})
	}
	if g := s.Growth; g != nil {
		doc.Growth = &documents.Growth{Rate: documents.Rate(g.Rate), From: g.From, To: g.To, Lines: []documents.GrowthLine{}}
		for _, l := range g.Lines {
			doc.Growth.Lines = append(doc.Growth.Lines, documents.GrowthLine{Place: documents.PlaceOf(l.Frame), Rate: documents.Rate(l.Grows)})
		}
	}
	for _, l := range s.Heaviest() {
		doc.Lines = append(doc.Lines, lineDocument(l))
	}
	for _, t := range s.Iterations {
		doc.Iterations = append(doc.Iterations, documents.Iteration{
			Number: t.Number, From: t.From, To: t.To, Ops: t.Ops, Nodes: t.Nodes, Seconds: t.Time.Seconds(),
			Made: t.Made, After: documents.Use(t.After),
		})
	}
	if other != nil {
		for _, p := range compare.Lines(s, other) {
			doc.Against = append(doc.Against, documents.Pair{Place: documents.PlaceOf(p.Place()), A: lineDocument(p.A), B: lineDocument(p.B)})
		}
	}
	for _, p := range parameters {
		doc.Parameters = append(doc.Parameters, parameterDocument(p))
	}
	return doc
}

func lineDocument(l usage.LineStat) documents.Line {
	return documents.Line{
		Place: documents.PlaceOf(l.Frame), Events: l.Events, Ops: l.Ops, Nodes: l.Nodes, Seconds: l.Time.Seconds(),
		Made: l.Made, End: documents.Use(l.End), Peak: documents.Use(l.Peak),
	}
}

// ends returns n elements of a list, from its beginning and its end; 0: all.
func ends[T any](list []T, n int) []T {
	if n == 0 || len(list) <= n {
		return list
	}
	first := (n + 1) / 2
	return slices.Concat(list[:first], list[len(list)-(n-first):])
}
