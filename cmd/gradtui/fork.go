package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/fork"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/compare"
	"github.com/gradtui/gradtui/inspect/rules"
	"github.com/gradtui/gradtui/inspect/usage"
	"github.com/gradtui/gradtui/internal/console"
)

// forkFlags are the flags of fork.
type forkFlags struct {
	at, from, do, set string
	edits             []string
	keep              target.TapeFile
	color             cli.ColorFlag
	program           target.Flags
}

func forkCommand(s cli.Streams) *cobra.Command {
	var f forkFlags
	c := &cobra.Command{
		Use:   "fork PROGRAM (--at MOMENT --set ASSIGNMENT | --edit FILE:LINE=TEXT) [-- ARGS...]",
		Short: "Run a program again, change it at an event, and compare both runs",
		Long: `fork runs a Python program again up to an event of its first run, executes statements
there as if they were the program's own, lets it go on, and says what became of the loss
and of the findings. The first run is a tape that was recorded before (--from), or fork
runs the program twice. Up to the change both runs must be the same, event by event;
otherwise fork names the first event that differs, and changes nothing.

The statements run in the innermost function of the program. --set changes parameters and
elements of tensors in place, and a setting of an optimizer in all its groups.

With --edit a line of a source file has another text in the second run; the file itself
stays as it is. The line executes from the start of the program, and fork says which event
differs first.`,
		Example: `  gradtui fork train.py --at backward:2 --set opt.lr=0.01
  gradtui fork train.py --at backward:2 --set "model.fc.weight[0,0]=3"
  gradtui fork train.py --from run.tape --at 1234 --do "x=x.detach()" -o fork.tape
  gradtui fork train.py --edit model.py:12=x=torch.relu(x)`,
		Args: cli.TargetArgs("a program", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.changes() != 1:
				return errors.New("give the change: an assignment with --set, statements with --do, or lines with --edit")
			case len(f.edits) > 0 && f.at != "":
				return errors.New("an edited line executes from the start of the program: leave --at out")
			case len(f.edits) == 0 && f.at == "":
				return errors.New("missing --at: give the moment of the change, such as backward:2 or the number of an event")
			}
			if !cmd.Flags().Changed("values") {
				cmd.Flags().Set("values", "summary") // the losses are compared
			}
			return f.run(cmd.Context(), s, args[0], args[1:])
		},
	}
	c.Flags().StringVar(&f.at, "at", "", "change the program at this `moment` of the first run: "+target.MomentHelp)
	c.Flags().StringVar(&f.set, "set", "", "an `assignment` that changes it, such as \"opt.lr = 0.01\"")
	c.Flags().StringVar(&f.do, "do", "", "the Python `statements` that change it")
	c.Flags().StringArrayVar(&f.edits, "edit", nil, "a `line` of a source file with another text, FILE:LINE=TEXT; indented as it\nwas unless TEXT begins with a space. May be given several times")
	c.Flags().StringVar(&f.from, "from", "", "the `tape` of the first run")
	f.keep.AddTo(c, "keep the tape of the second run in this `file`")
	f.color.AddTo(c)
	f.program.AddTo(c)
	c.RegisterFlagCompletionFunc("at", target.CompleteMoments)
	c.SetFlagErrorFunc(cli.ExplainFlag)
	return c
}

// changes counts the kinds of changes that were given.
func (f *forkFlags) changes() (n int) {
	for _, given := range []bool{f.do != "", f.set != "", len(f.edits) > 0} {
		if given {
			n++
		}
	}
	return n
}

func (f *forkFlags) run(ctx context.Context, s cli.Streams, name string, args []string) error {
	change := fork.Change{Text: cmp.Or(f.set, f.do), Assigns: f.set != ""}
	if _, err := change.Statements(); err != nil && len(f.edits) == 0 {
		return err
	}
	var edits []fork.Edit
	for _, text := range f.edits {
		e, err := fork.ParseEdit(text)
		if err != nil {
			return err
		}
		edits = append(edits, e)
	}
	at, err := target.ParseMoment(cmp.Or(f.at, "end"))
	if err != nil {
		return err
	}
	color, err := f.color.Enabled(s.Out, true)
	if err != nil {
		return err
	}
	p, err := f.changeable(s, name, args)
	if err != nil {
		return err
	}
	base, err := f.first(ctx, s, name, args)
	if err != nil {
		return err
	}
	if len(edits) > 0 {
		return f.edited(ctx, s, base, p, edits, color)
	}
	pos, err := at.Position(base)
	if err != nil {
		return err
	}
	forked := fork.Fork{Base: base, At: pos, Do: change}
	tape, printed, err := f.second(ctx, s, &forked, p)
	if err != nil {
		return err
	}
	f.keep.Announce(s.Err, tape)
	done := cli.Working(s.Err, "comparing", nil)
	defer done()
	return cli.Buffered(s.Out, func(w io.Writer) error {
		at := base.Stack(lastStack(base, pos)).Top()
		fmt.Fprintf(w, "changed at event %d, %s: %s\n", pos-1, cli.OneLine(cli.CodeLine(at)), cli.OneLine(change.Text))
		if printed != "" {
			fmt.Fprintln(w, cli.Printable(printed))
		}
		writeForked(w, console.Paint(color), base, tape)
		return nil
	})
}

// edited runs the program with edited lines, and compares both runs.
func (f *forkFlags) edited(ctx context.Context, s cli.Streams, base *graph.Tape, p *launch.Program, edits []fork.Edit, color bool) (err error) {
	if p.Edited, err = fork.Apply(base, edits); err != nil {
		return err
	}
	fmt.Fprintln(cli.Notes(s.Err), "gradtui: the second run, with edited lines")
	tape := graph.NewTape(f.program.Limits())
	if _, err := f.keep.While(ctx, tape, p, func() (*target.Finished, error) { return f.program.Run(ctx, s, s.ToStderr(), p, tape) }); err != nil {
		return err
	}
	f.keep.Announce(s.Err, tape)
	done := cli.Working(s.Err, "comparing", nil)
	defer done()
	return cli.Buffered(s.Out, func(w io.Writer) error {
		for i := range edits {
			e := &edits[i]
			line := cli.OneLine(cli.CodeLine(graph.Frame{File: e.File, Line: e.Line}))
			fmt.Fprintf(w, "edited %s, in this run only\n  - %s\n  + %s\n", line, cli.OneLine(e.Was), cli.OneLine(e.Text))
		}
		if c := fork.Compare(base, tape); c.Same {
			fmt.Fprintln(w, "both runs are the same, event by event, as far as the first one goes")
		} else {
			fmt.Fprintf(w, "the runs are the same up to event %d, and differ from there: %s\n", c.At, cli.OneLine(c.Differently))
		}
		writeForked(w, console.Paint(color), base, tape)
		return nil
	})
}

// changeable is the program, if it can be changed while it runs.
func (f *forkFlags) changeable(s cli.Streams, name string, args []string) (*launch.Program, error) {
	t, err := f.program.Runnable(name)
	if err != nil {
		return nil, err
	}
	p, err := f.program.Program(s, t, args)
	if err == nil && (!p.IsPython() || p.Distributed()) {
		err = errors.New("only a Python program of one process can be changed while it runs")
	}
	return p, err
}

// first gives the tape of the first run.
func (f *forkFlags) first(ctx context.Context, s cli.Streams, name string, args []string) (*graph.Tape, error) {
	if f.from != "" {
		return target.OpenTape(f.from, s.Err)
	}
	fmt.Fprintln(cli.Notes(s.Err), "gradtui: the first run")
	tape, end, err := f.program.Load(ctx, s, s.ToStderr(), name, args)
	if err == nil {
		end.Warn(s.Err)
	}
	return tape, err
}

// second runs the program again with the change, and returns what the change printed.
func (f *forkFlags) second(ctx context.Context, s cli.Streams, forked *fork.Fork, p *launch.Program) (*graph.Tape, string, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	fmt.Fprintf(cli.Notes(s.Err), "gradtui: the second run, to be changed at event %d\n", forked.At-1)
	tape := graph.NewTape(f.program.Limits())
	p.Session = forked.Session()
	type steered struct {
		printed string
		err     error
	}
	way := make(chan steered, 1)
	go func() {
		printed, err := forked.Steer(p.Session, tape)
		if err != nil {
			stop()
			p.Session.Detach()
		}
		way <- steered{printed, err}
	}()
	_, err := f.keep.While(ctx, tape, p, func() (*target.Finished, error) { return f.program.Run(ctx, s, s.ToStderr(), p, tape) })
	p.Session.End()
	got := <-way
	if got.err != nil {
		err = got.err
	}
	return tape, got.printed, err
}

// writeForked says what became of the loss and of the findings.
func writeForked(w io.Writer, paint console.Paint, base, tape *graph.Tape) {
	a, b := usage.Losses(base, base.Len()), usage.Losses(tape, tape.Len())
	table := cli.NewTable(paint, "", "passes", "last loss", "all")
	for _, run := range []struct {
		name string
		of   []usage.Loss
	}{{"first run", a}, {"changed run", b}} {
		values := make([]float64, len(run.of))
		last := math.NaN()
		for i, l := range run.of {
			values[i], last = math.Abs(l.Value), l.Value
		}
		table.Row(run.name, len(run.of), measure(last), sparkline(values, sparkColumns))
	}
	table.Write(w, 0)
	if len(a) < len(b) {
		fmt.Fprintln(w, "the first run has fewer passes: if it had not ended, compare again when it has")
	}
	check := func(t *graph.Tape) []inspect.Finding {
		return inspect.Check(t, rules.All(), inspect.Options{}).Findings
	}
	gone, added, both := compare.Findings(check(base), check(tape))
	list := func(mark string, all []inspect.Finding) {
		for _, found := range all {
			fmt.Fprintf(w, "%s %s %s: %s\n", mark, found.Severity, cli.OneLine(found.Code), cli.OneLine(found.Message))
		}
	}
	fmt.Fprintln(w)
	list("gone:", gone)
	list("new: ", added)
	fmt.Fprintf(w, "findings: %d gone, %d new, %d in both runs\n", len(gone), len(added), both)
}

// lastStack is the newest call stack before a position.
func lastStack(tape *graph.Tape, before graph.Pos) graph.StackID {
	d := tape.NewDecoder()
	for p := before - 1; p >= 0; p-- {
		if head, err := d.Header(p); err == nil && head.Stack != 0 {
			return head.Stack
		}
	}
	return 0
}
