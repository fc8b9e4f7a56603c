package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/capture/python/engine"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/draw"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/export/graphviz"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/suggest"
)

// exportFlags are the flags of export.
type exportFlags struct {
	output, format, style, at string
	direction, theme          string
	gradients                 bool
	delay                     time.Duration
	roots, params             []string
	saved, attrs, legend      bool
	force                     bool
	maxNodes, depth, columns  int
	color                     cli.ColorFlag
	program                   target.Flags
}

func exportCommand(s cli.Streams) *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use:   "export PROGRAM|TAPE [-o FILE] [-- ARGS...]",
		Short: "Write the graph as DOT, SVG, PNG, Mermaid, JSON or text",
		Long: `export runs a program, or reads a tape, and writes the graph as it was at some
moment. The extension of FILE selects the format: ` + extensions() + `.
Without -o the graph is printed as text, and the program's own output goes to
standard error.

Without --root, export writes the graph of the newest backward pass. A picture with
more than --max-nodes boxes is reduced: module calls, repeated blocks and chains
become one box each, and the output lists what was folded. FILE.dot holds the whole
graph unless --max-nodes is given.`,
		Example: `  gradtui export run.tape                          look at it as text
  gradtui export run.tape -o loss.svg              draw the newest backward pass
  gradtui export run.tape -o a.png --at backward:1+5
                                                   as it was when 5 nodes had run
  gradtui export run.tape -o a.svg --style layers   layers with their parameters and shapes
  gradtui export run.tape -o a.gif --at backward:2
                                                   the second backward pass, node by node
  gradtui export run.tape -o a.dot --style torchviz --saved --attrs
                                                   the DOT text of torchviz
  gradtui export ./train -o loss.svg --root loss -- --epochs 1
                                                   run a Go program and draw it`,
		Args: cli.TargetArgs("a program or a tape", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("output") && f.output == "" {
				return errors.New("-o: the file name is empty; use - for standard output")
			}
			opts, err := f.look(cmd.Flags().Changed)
			if err != nil {
				return err
			}
			return f.run(cmd.Context(), s, opts, args[0], args[1:])
		},
	}
	flags := c.Flags()
	flags.StringVarP(&f.output, "output", "o", "", "the `file` to write; - is standard output")
	flags.BoolVarP(&f.force, "force", "f", false, "overwrite the file")
	flags.StringVar(&f.format, "format", "", "the `format`, if the file's extension does not say it: "+formatNames())
	flags.StringVar(&f.style, "style", export.Full.String(), "the `style` of a picture:\n"+styleNames())
	flags.StringVar(&f.direction, "direction", export.Down.String(), "where arrows point to, from the inputs to the loss:\n"+strings.Join(export.DirectionNames(), ", "))
	flags.DurationVar(&f.delay, "delay", 0, "the `time` between frames of a .gif (default: the animation\ntakes about 12s)")
	flags.StringVar(&f.theme, "theme", export.Light.String(), "the colours of a picture: "+strings.Join(export.ThemeNames(), ", "))
	flags.BoolVar(&f.gradients, "gradients", false, "draw arrows by the norm of the gradient; the style layers\ndoes unless --gradients=false")
	flags.StringVar(&f.at, "at", "end", "export the graph at this `moment`: "+target.MomentHelp)
	flags.StringArrayVar(&f.roots, "root", nil, "`name` of a tensor to start from (loss, t12); may be repeated")
	flags.StringSliceVar(&f.params, "params", nil, "label only these `tensors`: NAME or LABEL=NAME, separated by commas\n(default: all names of the program)")
	flags.BoolVar(&f.saved, "saved", false, "show saved tensors")
	flags.BoolVar(&f.attrs, "attrs", false, "show saved values that are not tensors; in the full style,\nall else that is known as well")
	flags.BoolVar(&f.legend, "legend", false, "explain colours and marks in the picture")
	flags.IntVar(&f.maxNodes, "max-nodes", 0, "reduce pictures with more boxes than this\n(0: the limit of the format, -1: never)")
	flags.IntVar(&f.columns, "columns", 0, "about how many columns a picture in the full style has\n(0: for tall .svg and .png pictures, as many as give\nthe shape of a page)")
	flags.IntVar(&f.depth, "depth", 0, "the depth of the text form (0: "+fmt.Sprint(export.DefaultDepth)+", -1: unlimited)")
	f.color.AddTo(c)
	f.program.AddTo(c)
	c.RegisterFlagCompletionFunc("at", target.CompleteMoments)
	c.SetFlagErrorFunc(cli.ExplainFlag)
	c.RegisterFlagCompletionFunc("style", cobra.FixedCompletions(styleList(), cobra.ShellCompDirectiveNoFileComp))
	c.RegisterFlagCompletionFunc("direction", cobra.FixedCompletions(export.DirectionNames(), cobra.ShellCompDirectiveNoFileComp))
	c.RegisterFlagCompletionFunc("theme", cobra.FixedCompletions(export.ThemeNames(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

func styleList() []string {
	var names []string
	for _, s := range export.Styles() {
		names = append(names, s.String())
	}
	return names
}

// styleNames lists the styles with what they show, a line for each.
func styleNames() string {
	var lines []string
	for _, s := range export.Styles() {
		lines = append(lines, s.String()+": "+s.Description())
	}
	return strings.Join(lines, "\n")
}

// look reads the flags that say how pictures look.
func (f *exportFlags) look(set func(name string) bool) (opts export.Options, err error) {
	if opts.Style, err = export.ParseStyle(f.style); err != nil {
		return opts, err
	}
	if opts.Theme, err = export.ParseTheme(f.theme); err != nil {
		return opts, err
	}
	if opts.Direction, err = export.ParseDirection(f.direction); err != nil {
		return opts, err
	}
	if f.delay < 0 || f.delay > time.Minute {
		return opts, fmt.Errorf("--delay %v: use a time of at most 1m", f.delay)
	}
	opts.Delay = f.delay
	switch {
	case !set("gradients"):
	case f.gradients:
		opts.Gradients = export.GradientsOn
	default:
		opts.Gradients = export.GradientsOff
	}
	return opts, nil
}

func formatNames() string {
	var names []string
	for _, f := range export.Formats() {
		names = append(names, string(f.Format))
	}
	return strings.Join(names, ", ")
}

func extensions() string {
	var names []string
	for _, f := range export.Formats() {
		names = append(names, f.Extension)
	}
	return strings.Join(names, ", ")
}

// chosenFormat is the format that --format or the name of the file asks for.
func (f *exportFlags) chosenFormat() (export.Format, error) {
	switch {
	case f.format != "":
		return export.ParseFormat(f.format)
	case f.output == "" || f.output == "-":
		return export.Text, nil
	}
	return export.FormatOfFile(f.output)
}

func (f *exportFlags) run(ctx context.Context, s cli.Streams, opts export.Options, name string, args []string) error {
	format, err := f.chosenFormat()
	if err != nil {
		return err
	}
	at, err := target.ParseMoment(f.at)
	if err != nil {
		return err
	}
	opts.Color, err = f.color.Enabled(s.Out, f.output == "" || f.output == "-")
	if err != nil {
		return err
	}
	if err := cli.NotAnInput(f.output, cli.Inputs(name, args)...); err != nil {
		return err
	}
	if !f.force {
		if err := cli.NotThere(f.output); err != nil {
			return err
		}
	}
	out, err := cli.Create(f.output, s.Out)
	if err != nil {
		return err
	}
	if (format == export.PNG || format == export.GIF) && out.Stdout() && cli.IsTerminal(s.Out) {
		return fmt.Errorf("a %s cannot be shown in a terminal; write it to a file with -o FILE.%s", strings.ToUpper(string(format)), format)
	}
	code, err := f.write(ctx, s, out, format, opts, at, name, args)
	if err := out.Close(err); err != nil {
		return err
	}
	return cli.Exit(code)
}

// write gives the exit code of the program: a graph is drawn, and kept, of a
// program that failed too.
func (f *exportFlags) write(ctx context.Context, s cli.Streams, out *cli.File, format export.Format, opts export.Options, at target.Moment, name string, args []string) (int, error) {
	if format == export.SVG || format == export.PNG || format == export.GIF {
		graphviz.Prestart(graphviz.Options{}) // while the program runs or the tape is read
	}
	tape, end, err := f.program.Load(ctx, s, s.Beside(out), name, args, f.variables()...)
	if err != nil {
		return 0, err
	}
	end.Warn(s.Err)
	code := end.ExitCode
	if !end.Recorded && code != cli.ExitOK {
		return code, cli.Exit(code) // it has said why
	}
	pos, err := at.Position(tape)
	if err != nil {
		return code, err
	}
	done := cli.Working(s.Err, fmt.Sprintf("going to event %d", pos), nil)
	g := tape.CursorAt(pos).Graph()
	done()
	opts.Saved, opts.Attrs, opts.MaxNodes, opts.Legend, opts.Depth, opts.Columns = f.saved, f.attrs, f.maxNodes, f.legend, f.depth, f.columns
	if err := f.name(&opts, g, end.Variables); err != nil {
		return code, err
	}
	// Until here an interrupt was the program's; now it ends the drawing.
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	done = func() {}
	if !out.Stdout() { // where the graph itself appears while it is written
		done = cli.WorkingBeside(false, s.Err, "drawing "+cli.ShortName(out.Path), nil)
	}
	report, err := draw.Write(ctx, out, g, format, opts)
	done()
	if err != nil {
		return code, draw.ExplainLimit(err, draw.SmallerHint)
	}
	f.tell(s.Err, out, report)
	return code, nil
}

// tell prints what was written, unless all of it went to standard output.
func (f *exportFlags) tell(w io.Writer, out *cli.File, report *export.Report) {
	w = cli.Notes(w)
	if out.Stdout() && !report.Reduced() {
		return
	}
	where := ""
	if !out.Stdout() {
		where = cli.OneLine(out.Path) + ": "
	}
	fmt.Fprintf(w, "gradtui: %s%s\n", where, cli.OneLine(report.String()))
	switch {
	case !report.Reduced():
	case report.Format == export.Text:
		fmt.Fprintln(w, "gradtui: use --depth -1 to show everything")
	case report.Format == export.DOT:
		fmt.Fprintln(w, "gradtui: use --max-nodes -1 to draw everything")
	default:
		fmt.Fprintln(w, "gradtui: use --max-nodes -1 to draw everything, or -o FILE.dot without --max-nodes")
	}
	if report.Frames == 1 {
		fmt.Fprintln(w, "gradtui: there is no backward pass to show at this moment; --at backward:K chooses one")
	}
	if report.Picture.Reduced() {
		fmt.Fprintf(w, "gradtui: the resolution is reduced to stay within the limits of the format; -o FILE.svg has no such limit\n")
	}
}

// variables returns the names in --root and --params that may be variables of a Python
// program.
func (f *exportFlags) variables() []string {
	names := slices.Clone(f.roots)
	for _, p := range f.params {
		_, tensor := labelled(p)
		names = append(names, tensor)
	}
	return names
}

// labelled splits LABEL=NAME; a NAME is its own label.
func labelled(param string) (label, tensor string) {
	label, tensor, ok := strings.Cut(param, "=")
	if !ok {
		tensor = label
	}
	return label, tensor
}

// name resolves --root and --params: what the variables of the program hold at its
// end, or else the tensors that are called so.
func (f *exportFlags) name(opts *export.Options, g *graph.Graph, variables map[string]engine.Variable) error {
	for _, name := range f.roots {
		v, ok := variables[name]
		switch {
		case !ok:
			opts.RootNames = append(opts.RootNames, name)
		case len(v.Tensors) == 0:
			return fmt.Errorf("--root %s: the variable is a %s, which holds no tensor", name, v.Type)
		}
		for _, t := range v.Tensors {
			opts.Roots = append(opts.Roots, t.ID)
		}
	}
	for _, p := range f.params {
		if opts.Names == nil {
			opts.Names = map[graph.TensorID]string{}
		}
		label, name := labelled(p)
		if v, ok := variables[name]; ok && v.Mapping {
			for _, t := range v.Tensors {
				opts.Names[t.ID] = t.Key
			}
		} else if ok && len(v.Tensors) == 1 {
			opts.Names[v.Tensors[0].ID] = label
		} else if id, ok := g.Lookup(name); ok {
			opts.Names[id] = label
		} else {
			return fmt.Errorf("--params %s: no tensor is called %q, and no variable that holds tensors%s", p, name, suggest.Hint(name, namesIn(g)))
		}
	}
	return nil
}
