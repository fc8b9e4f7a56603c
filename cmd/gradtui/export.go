package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/export/graphviz"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/near"
)

// exportFlags are the flags of export.
type exportFlags struct {
	output, format, style, at string
	roots, params             []string
	saved, attrs, legend      bool
	maxNodes, depth, columns  int
	color                     colorFlag
	program                   programFlags
}

func exportCommand(s streams) *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use:   "export PROGRAM|TAPE [-o FILE] [-- ARGS...]",
		Short: "Write the graph as DOT, SVG, PNG, Mermaid, JSON or text",
		Long: `export runs a program, or reads a tape, and writes the graph as it was at some
moment. The extension of FILE says how: ` + extensions() + `.
Without -o the graph goes to standard output as text; what the program prints
goes to standard error then.

Without --root the graph is that of the newest backward pass. A picture of more
than --max-nodes boxes is reduced: module calls, repeated blocks and chains
become one box each, and what was folded is said. FILE.dot holds all unless
--max-nodes is given.`,
		Example: `  gradtui export run.tape                          look at it as text
  gradtui export run.tape -o loss.svg              draw the newest backward pass
  gradtui export run.tape -o a.png --at backward:1+5
                                                   as it was when 5 nodes had run
  gradtui export run.tape -o a.dot --style torchviz --saved --attrs
                                                   the DOT text of torchviz
  gradtui export ./train -o loss.svg --root loss -- --epochs 1
                                                   run a Go program and draw it`,
		Args: targetArgs("a program or a tape", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("output") && f.output == "" {
				return errors.New("-o: the name of the file is empty; - is standard output")
			}
			return f.run(cmd.Context(), s, args[0], args[1:])
		},
	}
	flags := c.Flags()
	flags.StringVarP(&f.output, "output", "o", "", "the `file` to write; - is standard output")
	flags.StringVar(&f.format, "format", "", "the `format`, if the extension does not say it: "+formatNames())
	flags.StringVar(&f.style, "style", "full", "full, or torchviz for what torchviz draws")
	flags.StringVar(&f.at, "at", "end", "the `moment`: "+momentHelp)
	flags.StringArrayVar(&f.roots, "root", nil, "`name` of a tensor to start from (loss, t12); may be repeated")
	flags.StringSliceVar(&f.params, "params", nil, "label only these `tensors`: NAME or LABEL=NAME, separated by commas\n(default: all names of the program)")
	flags.BoolVar(&f.saved, "saved", false, "with --style torchviz: show saved tensors")
	flags.BoolVar(&f.attrs, "attrs", false, "show saved values that are no tensors")
	flags.BoolVar(&f.legend, "legend", false, "explain colours and marks in the picture")
	flags.IntVar(&f.maxNodes, "max-nodes", 0, "the number of boxes beyond which a picture is reduced\n(0: what the format can take, -1: never)")
	flags.IntVar(&f.columns, "columns", 0, "about how many columns a picture in the full style goes in\n(0: tall ones of .svg and .png as many as give them the\nshape of a page)")
	flags.IntVar(&f.depth, "depth", 0, "how deep the text form goes (0: "+fmt.Sprint(export.DefaultDepth)+", -1: no bound)")
	f.color.add(c)
	f.program.add(c)
	c.RegisterFlagCompletionFunc("at", completeMoments)
	c.SetFlagErrorFunc(explainFlag)
	c.RegisterFlagCompletionFunc("style", cobra.FixedCompletions([]string{"full", "torchviz"}, cobra.ShellCompDirectiveNoFileComp))
	return c
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

func (f *exportFlags) run(ctx context.Context, s streams, target string, args []string) error {
	format, err := f.chosenFormat()
	if err != nil {
		return err
	}
	style, err := export.ParseStyle(f.style)
	if err != nil {
		return err
	}
	at, err := parseMoment(f.at)
	if err != nil {
		return err
	}
	color, err := f.color.in(s.out, f.output == "" || f.output == "-")
	if err != nil {
		return err
	}
	if err := notAnInput(f.output, inputs(target, args)...); err != nil {
		return err
	}
	out, err := openOutput(f.output, s.out)
	if err != nil {
		return err
	}
	if format == export.PNG && out.stdout() && isTerminal(s.out) {
		return errors.New("a PNG cannot be shown in this terminal: -o FILE.png writes it to a file")
	}
	code, err := f.write(ctx, s, out, format, export.Options{Style: style, Color: color}, at, target, args)
	if err := out.close(err); err != nil {
		return err
	}
	return exitError{code}.orNil()
}

// write gives the exit code of the program: a graph is drawn, and kept, of a
// program that failed too.
func (f *exportFlags) write(ctx context.Context, s streams, out *output, format export.Format, opts export.Options, at moment, target string, args []string) (int, error) {
	if format == export.SVG || format == export.PNG {
		graphviz.Prestart(graphviz.Options{}) // while the program runs or the tape is read
	}
	tape, end, err := f.program.load(ctx, s, s.beside(out), target, args, f.variables()...)
	if err != nil {
		return 0, err
	}
	end.warn(s.err)
	code := end.ExitCode
	if !end.Recorded && code != exitOK {
		return code, exitError{code} // it has said why
	}
	pos, err := at.find(tape)
	if err != nil {
		return code, err
	}
	done := working(s.err, fmt.Sprintf("going to event %d", pos), nil)
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
	if !out.stdout() { // where the graph itself appears while it is written
		done = working(s.err, "drawing "+shortName(out.path), nil)
	}
	report, err := writeGraph(ctx, out, g, format, opts)
	done()
	if err != nil {
		return code, explainExport(err, smallerExport)
	}
	f.tell(s.err, out, report)
	return code, nil
}

// tell says what was written, unless it went to standard output as a whole.
func (f *exportFlags) tell(w io.Writer, out *output, report *export.Report) {
	w = notes(w)
	if out.stdout() && !report.Reduced() {
		return
	}
	where := ""
	if !out.stdout() {
		where = oneLine(out.path) + ": "
	}
	fmt.Fprintf(w, "gradtui: %s%s\n", where, oneLine(report.String()))
	switch {
	case !report.Reduced():
	case report.Format == export.Text:
		fmt.Fprintln(w, "gradtui: --depth -1 shows all")
	case report.Format == export.DOT:
		fmt.Fprintln(w, "gradtui: --max-nodes -1 draws all")
	default:
		fmt.Fprintln(w, "gradtui: --max-nodes -1 draws all, and so does -o FILE.dot without --max-nodes")
	}
	if report.Picture.Reduced() {
		fmt.Fprintf(w, "gradtui: the picture is coarser than usual to stay within a PNG's bounds; -o FILE.svg has no such bound\n")
	}
}

// smallerExport says what can be done with flags about a layout that takes too much.
const smallerExport = "a smaller --max-nodes draws less, and -o FILE.dot needs no layout"

// explainExport adds what to do about an error, if that is a layout that takes too much.
func explainExport(err error, advice string) error {
	var limit *graphviz.LimitError
	switch {
	case !errors.As(err, &limit):
	case limit.Busy():
		return fmt.Errorf("%w; try again when it has less to do", err)
	default:
		return fmt.Errorf("%w; %s", err, advice)
	}
	return err
}

// variables are the names that --root and --params may mean as variables of a
// Python program.
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
func (f *exportFlags) name(opts *export.Options, g *graph.Graph, variables map[string]python.Variable) error {
	for _, name := range f.roots {
		v, ok := variables[name]
		switch {
		case !ok:
			opts.RootNames = append(opts.RootNames, name)
		case len(v.Tensors) == 0:
			return fmt.Errorf("--root %s: the variable holds no tensor, it is a %s", name, v.Type)
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
			return fmt.Errorf("--params %s: no tensor is called %q, and no variable that holds tensors%s", p, name, near.Hint(name, namesIn(g)))
		}
	}
	return nil
}

// anyNumber lets targetArgs take as many targets as there are.
const anyNumber = math.MaxInt

// targetArgs checks that there is an argument that says what to work on, and that no more
// than so many arguments stand before the -- that those of a program follow.
func targetArgs(what string, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		names, _ := splitArgs(cmd, args)
		if len(names) == 0 {
			return fmt.Errorf("%s: which? give %s, as in\n%s", cmd.CommandPath(), what, cmd.Example)
		}
		if len(names) > most {
			taken, rest := names[:most], names[most:]
			return fmt.Errorf("%[1]s takes one program or tape, and %[2]s is another argument: those of the program follow --, as in: %[1]s %[3]s -- %[2]s",
				cmd.CommandPath(), printable(strings.Join(rest, " ")), printable(strings.Join(taken, " ")))
		}
		return nil
	}
}

// splitArgs splits arguments at the --.
func splitArgs(cmd *cobra.Command, args []string) (names, own []string) {
	switch n := cmd.ArgsLenAtDash(); {
	case n < 0:
		return args, nil
	case n == 0: // before the name
		n = min(1, len(args))
		return args[:n], args[n:]
	default:
		return args[:n], args[n:]
	}
}
