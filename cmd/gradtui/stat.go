package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
	"github.com/gradtui/gradtui/internal/jsontext"
	"github.com/gradtui/gradtui/internal/near"
)

// statFlags are the flags of stat.
type statFlags struct {
	format, at, against string
	top                 int
	color               colorFlag
	program             programFlags
}

func statCommand(s streams) *cobra.Command {
	var f statFlags
	c := &cobra.Command{
		Use:   "stat PROGRAM|TAPE [-- ARGS...]",
		Short: "Say what takes time and memory: per line, per iteration, and what grows",
		Long: `stat runs a program, or reads a tape, and says how many operations ran, how many
nodes the backward graph has and how many bytes are in use because the program, or
only the graph, still holds them: in the end, at the peak, for each line and after
each iteration. If more is in use with every iteration it names the lines.

A program that is about to fill the memory is ended: by --max-held-bytes, which
bounds its tensors, or by --max-tape-bytes or --max-events, which bound what is
recorded. What it did until then is the report. --against compares the lines with
those of another run, such as one with a larger input.`,
		Example: `  gradtui stat train.py
  gradtui stat run.tape --top 30
  gradtui stat train.py --max-events 100000
  gradtui stat small.tape --against large.tape
  gradtui stat run.tape --format json`,
		Args: targetArgs("a program or a tape", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, s, args[0], args[1:])
		},
	}
	flags := c.Flags()
	addFormat(c, &f.format)
	flags.StringVar(&f.at, "at", "end", "the `moment` up to which it counts: "+momentHelp)
	flags.IntVar(&f.top, "top", 10, "how many lines and iterations to show (0: all)")
	flags.StringVar(&f.against, "against", "", "another `PROGRAM|TAPE`, to compare the lines with")
	flags.Uint64Var(&f.program.held, "max-held-bytes", memoryLimit(), "end the program when its tensors take this much memory (0: no limit;\ndefault: half of the machine's)")
	flags.Lookup("max-held-bytes").DefValue = "0" // the machine's is not for the help
	f.color.add(c)
	f.program.endAtLimit = true
	f.program.add(c)
	c.RegisterFlagCompletionFunc("at", completeMoments)
	c.SetFlagErrorFunc(explainFlag)
	return c
}

func (f *statFlags) run(cmd *cobra.Command, s streams, target string, args []string) error {
	if err := checkFormat(f.format); err != nil {
		return err
	}
	if f.top < 0 {
		return errors.New("--top: give the number of lines, 0 for all")
	}
	at, err := parseMoment(f.at)
	if err != nil {
		return err
	}
	color, err := f.color.in(s.out, true)
	if err != nil {
		return err
	}
	paint := console.Paint(color)
	tape, stat, err := f.measure(cmd, s, at, target, args)
	if err != nil {
		return err
	}
	var other *inspect.Stat
	if f.against != "" {
		if _, other, err = f.measure(cmd, s, at, f.against, nil); err != nil {
			return err
		}
	}
	return buffered(s.out, func(w io.Writer) error {
		if f.format == "json" {
			return jsontext.Encode(w, statDocument(tape, stat, other), "")
		}
		info := tape.Info()
		fmt.Fprintf(w, "%s, recorded with engine %s\n", oneLine(info.Program), oneLine(info.Engine))
		summarize(w, tape, target)
		writeStat(w, paint, stat, f.top)
		if other != nil {
			writeAgainst(w, paint, inspect.Against(stat, other), f.against, f.top)
		}
		return nil
	})
}

func (f *statFlags) measure(cmd *cobra.Command, s streams, at moment, target string, args []string) (*graph.Tape, *inspect.Stat, error) {
	own := streams{s.in, s.err, s.err}
	tape, end, err := f.program.load(cmd.Context(), s, own, target, args)
	if err != nil {
		return nil, nil, err
	}
	end.warn(s.err)
	pos, err := at.find(tape)
	if err != nil {
		return nil, nil, err
	}
	defer working(s.err, fmt.Sprintf("measuring %d events", pos), nil)()
	return tape, inspect.Measure(tape, pos), nil
}

// readingFormats are those of commands that describe a tape.
var readingFormats = []string{"text", "json"}

// checkFormat checks the --format of such a command.
func checkFormat(format string) error {
	if slices.Contains(readingFormats, format) {
		return nil
	}
	return fmt.Errorf("--format: %w", near.Unknown("format", format, readingFormats))
}

// addFormat adds it.
func addFormat(c *cobra.Command, format *string) {
	c.Flags().StringVar(format, "format", readingFormats[0], strings.Join(readingFormats, " or "))
	c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(readingFormats, cobra.ShellCompDirectiveNoFileComp))
}

// codeLine is a line of the program as tables show it.
func codeLine(f graph.Frame) string {
	if f.File == "" {
		return "(elsewhere)"
	}
	text := fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
	if f.Func != "" && f.Func != "<module>" {
		text += " " + f.Func
	}
	return text
}

func writeStat(w io.Writer, paint console.Paint, s *inspect.Stat, top int) {
	fmt.Fprintf(w, "\n%s %s at the end, %s of it held by the graph only; %d nodes alive\n",
		paint.In(console.Bold, "in use:"), bytesOf(s.Total.End.Bytes), bytesOf(s.Total.End.Graph), s.Total.End.Nodes)
	if s.Peak.Bytes > 0 {
		fmt.Fprintf(w, "%s   %s", paint.In(console.Bold, "peak:"), bytesOf(s.Peak.Bytes))
		if s.PeakLine.File != "" {
			fmt.Fprintf(w, " at %s", paint.In(console.Cyan, oneLine(codeLine(s.PeakLine))))
		}
		if i := s.PeakIteration(); i > 0 {
			fmt.Fprintf(w, ", in iteration %d", i)
		}
		fmt.Fprintf(w, "; %s by the graph only; %d nodes\n", bytesOf(s.Peak.Graph), s.Peak.Nodes)
	}
	devices := newTable("device", "in use", "graph only", "at peak", "graph only").painted(paint)
	for _, d := range s.Devices {
		devices.row(d.Device, bytesOf(d.End.Bytes), bytesOf(d.End.Graph), bytesOf(d.Peak.Bytes), bytesOf(d.Peak.Graph))
	}
	devices.write(w, len(s.Devices))
	writeGrowth(w, paint, s.Growth, top)
	lines := newTable("line", "time", "events", "ops", "nodes", "alive", "made", "in use", "at peak").painted(paint)
	for _, l := range upTo(s.Heaviest(), top) {
		lines.row(codeLine(l.Frame), duration(l.Time), l.Events, l.Ops, l.Nodes, l.End.Nodes, bytesOf(l.Made), bytesOf(l.End.Bytes), bytesOf(l.Peak.Bytes))
	}
	lines.write(w, len(s.Lines))
	if len(s.Iterations) == 0 {
		return
	}
	turns := newTable("iteration", "time", "ops", "nodes", "made", "in use", "graph only", "alive").painted(paint)
	for _, t := range ends(s.Iterations, top) {
		turns.row(t.Number, duration(t.Time), t.Ops, t.Nodes, bytesOf(t.Made), bytesOf(t.After.Bytes), bytesOf(t.After.Graph), t.After.Nodes)
	}
	turns.write(w, len(s.Iterations))
}

// writeGrowth names the lines that keep more with every iteration.
func writeGrowth(w io.Writer, paint console.Paint, g *inspect.Growth, top int) {
	if g == nil {
		return
	}
	var by []string
	if g.Bytes != 0 {
		by = append(by, bytesRate(g.Bytes))
	}
	if g.Nodes != 0 {
		by = append(by, nodesRate(g.Nodes))
	}
	fmt.Fprintf(w, "%s  with each iteration by %s (iterations %d to %d)\n", paint.In(console.Bold, "grows:"), strings.Join(by, " and "), g.From, g.To)
	lines := newTable("made at", "bytes", "nodes").painted(paint)
	for _, l := range upTo(g.Lines, top) {
		lines.row(codeLine(l.Frame), bytesRate(l.Grows.Bytes), fmt.Sprintf("%+.4g", l.Grows.Nodes))
	}
	lines.write(w, len(g.Lines))
}

// writeAgainst shows how much more the other run took, line by line.
func writeAgainst(w io.Writer, paint console.Paint, pairs []inspect.LinePair, other string, top int) {
	fmt.Fprintln(w, "\n"+paint.In(console.Bold, "against "+oneLine(other)+":"))
	lines := newTable("line", "nodes", "there", "", "made", "there", "", "at peak", "there", "").painted(paint)
	for _, p := range upTo(pairs, top) {
		a, b := p.A, p.B
		lines.row(codeLine(p.Place()), a.Nodes, b.Nodes, ratio(int64(a.Nodes), int64(b.Nodes)),
			bytesOf(a.Made), bytesOf(b.Made), ratio(a.Made, b.Made),
			bytesOf(a.Peak.Bytes), bytesOf(b.Peak.Bytes), ratio(a.Peak.Bytes, b.Peak.Bytes))
	}
	lines.write(w, len(pairs))
}
