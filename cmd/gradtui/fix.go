package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/checks"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/launch"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/mend"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/policy"
	"github.com/gradtui/gradtui/inspect/rules"
	"github.com/gradtui/gradtui/internal/console"
	"github.com/gradtui/gradtui/internal/documents"
	"github.com/gradtui/gradtui/internal/jsontext"
)

// fixFlags are the flags of fix.
type fixFlags struct {
	only, format, from string
	apply, hints       bool
	color              cli.ColorFlag
	program            target.Flags
}

func fixCommand(s cli.Streams) *cobra.Command {
	var f fixFlags
	c := &cobra.Command{
		Use:   "fix PROGRAM [-- ARGS...]",
		Short: "Show the edits that findings suggest, and try each in a run of its own",
		Long: `fix checks a Python program as check does. For each finding that knows an edit of the
source it shows the diff, runs the program again as if the file had the edit, and says
what became of it: whether the finding is gone, what else is found, the exception, the
losses. The files themselves stay as they are, unless --apply writes what is proven.

An edit is proven if the finding is gone, nothing new is found and the program does not
end with another exception. Any other edit is a suggestion. docs/use/fixes.md has the
details.

The exit code is 0 if nothing was found or each finding has a proven fix, 1 if there are
other findings, and 2 if the program could not be run to its end for a reason that no
finding explains.`,
		Example: `  gradtui fix train.py
  gradtui fix train.py --apply -- --epochs 1
  gradtui fix train.py --only grad-accumulated
  gradtui fix train.py --only 2 --engine builtin
  gradtui fix train.py --from run.tape --format json`,
		Args: cli.TargetArgs("a program", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.format != "text" && f.format != "json" {
				return fmt.Errorf("--format: unknown format %q; use text or json", f.format)
			}
			if !cmd.Flags().Changed("values") && f.from == "" {
				cmd.Flags().Set("values", "summary") // the losses are compared
			}
			return f.run(cmd.Context(), s, args[0], args[1:])
		},
	}
	c.Flags().BoolVar(&f.apply, "apply", false, "write the edits that are proven")
	c.Flags().StringVar(&f.only, "only", "", "only the finding with this number, this `code`, or this code and line, as CODE:LINE")
	c.Flags().BoolVar(&f.hints, "hints", false, "also try the fixes of hints: findings that may be intended")
	c.Flags().StringVar(&f.format, "format", "text", "the `format`: text, json")
	c.Flags().StringVar(&f.from, "from", "", "the `tape` of the first run")
	f.color.AddTo(c)
	f.program.AddTo(c)
	c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"text", "json"}, cobra.ShellCompDirectiveNoFileComp))
	c.RegisterFlagCompletionFunc("only", checks.CompleteCodes)
	c.SetFlagErrorFunc(cli.ExplainFlag)
	return c
}

// A fixing is the work of one command.
type fixing struct {
	*fixFlags
	s     cli.Streams
	w     io.Writer // for text
	paint console.Paint
	name  string
	args  []string
	said  *tail
	first *inspect.Result // of the program as it is
	// now and texts are the program with what was proven so far, if that is to be written.
	now   *inspect.Result
	texts mend.Texts
	doc   documents.Trials
	code  int
}

func (f *fixFlags) run(ctx context.Context, s cli.Streams, name string, args []string) error {
	color, err := f.color.Enabled(s.Out, true)
	if err != nil {
		return err
	}
	x := &fixing{fixFlags: f, s: s, w: s.Out, paint: console.Paint(color), name: name, args: args, said: &tail{}, texts: mend.Texts{}}
	if f.format == "json" {
		x.w, x.paint = io.Discard, false
	}
	x.doc = documents.Trials{Format: documents.FixFormat, Version: documents.FixVersion, Program: name, Fixes: []documents.Trial{}}
	if err := x.all(ctx); err != nil {
		return err
	}
	x.doc.ExitCode = x.code
	if f.format == "json" {
		if err := jsontext.Encode(s.Out, x.doc, "  "); err != nil {
			return err
		}
	}
	return cli.Exit(x.code)
}

// all tries the fixes of all chosen findings.
func (x *fixing) all(ctx context.Context) error {
	p, err := x.changeable(x.s, x.name, x.args)
	if err != nil {
		return err
	}
	tape, end, err := x.base(ctx, p)
	if err != nil {
		return err
	}
	x.first = x.check(tape)
	x.now = x.first
	c := checks.Checked{Result: x.first, End: end, Stopped: ctx.Err() != nil}
	pol := policy.Default()
	pol.Hints = x.hints
	r := c.MakeReport(pol, rules.All())
	chosen, err := x.choose(r.Findings)
	if err != nil {
		return err
	}
	unfixed := 0
	for _, n := range chosen {
		done, err := x.try(ctx, n+1, r.Findings[n])
		if err != nil {
			return err
		}
		if !done && r.Findings[n].Severity >= inspect.SeverityWarning {
			unfixed++
		}
	}
	x.code = cli.ExitOK
	switch {
	case unfixed > 0:
		x.code = cli.ExitFindings
	case r.Unchecked() != "" && len(chosen) == 0:
		x.code = cli.ExitFailed
		fmt.Fprintln(x.s.Err, "gradtui:", cli.OneLine(r.Unchecked()))
	case len(r.Findings) == 0:
		fmt.Fprintln(x.w, "nothing was found")
	}
	return x.write()
}

// changeable is the program, if it can run with other texts than its files have.
func (f *fixFlags) changeable(s cli.Streams, name string, args []string) (*launch.Program, error) {
	t, err := f.program.Runnable(name)
	if err != nil {
		return nil, err
	}
	p, err := f.program.Program(s, t, args)
	if err == nil && (!p.IsPython() || p.Distributed() || name == target.Stdin) {
		err = errors.New("only a Python program of one process, in a file, can be run with an edit")
	}
	return p, err
}

// own are the streams of the program: what it prints is not part of the answer.
func (x *fixing) own() cli.Streams {
	own := x.s
	own.In, own.Out, own.Err = strings.NewReader(""), io.Discard, x.said
	return own
}

// base gives the tape of the program as it is.
func (x *fixing) base(ctx context.Context, p *launch.Program) (*graph.Tape, *target.Finished, error) {
	if x.from != "" {
		tape, err := target.OpenTape(x.from, x.s.Err)
		return tape, &target.Finished{}, err
	}
	tape := graph.NewTape(x.program.Limits())
	end, err := x.program.Run(ctx, x.s, x.own(), p, tape)
	return tape, end, err
}

func (x *fixing) check(tape *graph.Tape) *inspect.Result {
	done := cli.Working(x.s.Err, "running the rules", nil)
	defer done()
	return inspect.Check(tape, rules.All(), inspect.Options{})
}

// choose returns the indices of the findings that --only names; all, if it names none.
func (x *fixing) choose(findings []inspect.Finding) (chosen []int, err error) {
	number, isNumber := strconv.Atoi(x.only)
	code, line, atLine := strings.Cut(x.only, ":")
	for i, f := range findings {
		switch {
		case x.only == "":
		case isNumber == nil && number != i+1:
			continue
		case isNumber != nil && f.Code != code, atLine && strconv.Itoa(f.Primary.Line) != line:
			continue
		}
		chosen = append(chosen, i)
	}
	if x.only == "" || len(chosen) > 0 {
		return chosen, nil
	}
	if isNumber != nil {
		if err := policy.CheckCodes([]string{code}, checks.Rules()); err != nil {
			return nil, fmt.Errorf("--only: %w", err)
		}
	}
	return nil, fmt.Errorf("--only: there is no finding %s; the program has %d", cli.OneLine(x.only), len(findings))
}

// try shows the fix of a finding and what becomes of it, and reports whether it is proven.
func (x *fixing) try(ctx context.Context, number int, f inspect.Finding) (proven bool, err error) {
	trial := documents.Trial{Number: number, Code: f.Code, Severity: f.Severity.String(), Message: f.Message, File: shown(f.Primary.File), Line: f.Primary.Line}
	defer func() {
		if err == nil {
			x.doc.Fixes = append(x.doc.Fixes, trial)
		}
	}()
	place := ""
	if f.Primary.Known() {
		place = fmt.Sprintf(" %s:%d", cli.OneLine(shown(f.Primary.File)), f.Primary.Line)
	}
	fmt.Fprintf(x.w, "%s %s%s: %s\n", x.paint.In(console.Bold, fmt.Sprintf("%d.", number)), f.Code, place, cli.OneLine(f.Message))
	// With --apply, lines may have moved since the first run.
	now := x.find(&f)
	if now == nil {
		trial.Verdict = "gone"
		fmt.Fprintf(x.w, "  an earlier fix has removed it\n\n")
		return true, nil
	}
	if now.Fix == nil {
		trial.Verdict = "none"
		fmt.Fprintf(x.w, "  no edit is known; %s\n\n", cli.OneLine(f.Help))
		return false, nil
	}
	trial.Title = now.Fix.Title
	diff, err := mend.Diff(now.Fix, shown(now.Primary.File), x.now.History.Source(now.Primary.File))
	if err != nil {
		return false, err
	}
	trial.Diff = diff
	fmt.Fprintf(x.w, "  %s\n\n%s\n", cli.OneLine(now.Fix.Title), x.painted(diff))
	texts, err := x.texts.With(now.Fix, x.now.History)
	if err != nil {
		return false, err
	}
	result, err := x.second(ctx, texts)
	if err != nil {
		return false, err
	}
	o := mend.Compare(x.now, result, now)
	proven = o.Proven()
	x.tell(&trial, &o)
	if proven && x.apply {
		x.now, x.texts = result, texts
	}
	return proven, nil
}

// find returns a finding of the first run as the program has it now; nil: it is gone.
func (x *fixing) find(f *inspect.Finding) *inspect.Finding {
	if len(x.texts) == 0 {
		return f
	}
	var best *inspect.Finding
	for i := range x.now.Findings {
		g := &x.now.Findings[i]
		if g.Code == f.Code && (best == nil || abs(g.Primary.Line-f.Primary.Line) < abs(best.Primary.Line-f.Primary.Line)) {
			best = g
		}
	}
	return best
}

func abs(n int) int { return max(n, -n) }

// second runs the program with other texts.
func (x *fixing) second(ctx context.Context, texts mend.Texts) (*inspect.Result, error) {
	p, err := x.changeable(x.s, x.name, x.args)
	if err != nil {
		return nil, err
	}
	p.Edited = texts
	tape := graph.NewTape(x.program.Limits())
	if _, err := x.program.Run(ctx, x.s, x.own(), p, tape); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return x.check(tape), nil
}

// tell says what became of a fix.
func (x *fixing) tell(trial *documents.Trial, o *mend.Outcome) {
	trial.Gone, trial.New = o.Gone, []documents.NewFinding{}
	trial.Before, trial.After = runDocument(&o.Before), runDocument(&o.After)
	verdict := "proven"
	if !o.Proven() {
		verdict = "suggestion"
	}
	trial.Verdict = verdict
	var why []string
	if o.Gone {
		why = append(why, "the finding is gone")
	} else {
		why = append(why, "the finding is still there")
	}
	for _, g := range o.New {
		trial.New = append(trial.New, documents.NewFinding{Code: g.Code, Line: g.Primary.Line, Message: g.Message})
		why = append(why, fmt.Sprintf("new: %s at line %d", g.Code, g.Primary.Line))
	}
	fmt.Fprintf(x.w, "  %s: %s\n", x.paint.In(console.Bold, verdict), strings.Join(why, "; "))
	switch a, b := o.Before.Exception, o.After.Exception; {
	case a != "" && b == "":
		fmt.Fprintf(x.w, "  the program runs to its end; before: %s\n", cli.OneLine(a))
	case b != "" && a == b:
		fmt.Fprintf(x.w, "  it still fails: %s\n", cli.OneLine(b))
	case b != "":
		fmt.Fprintf(x.w, "  it fails now: %s\n", cli.OneLine(b))
	}
	table := cli.NewTable(x.paint, "  ", "passes", "leaves with a gradient", "last loss", "losses")
	for _, run := range []struct {
		name string
		of   *mend.Run
	}{{"  before", &o.Before}, {"  after", &o.After}} {
		values := make([]float64, len(run.of.Losses))
		for i, v := range run.of.Losses {
			values[i] = math.Abs(v)
		}
		table.Row(run.name, run.of.Passes, run.of.Reached, measure(run.of.Last()), sparkline(values, sparkColumns))
	}
	table.Write(x.w, 0)
	fmt.Fprintln(x.w)
}

func runDocument(r *mend.Run) *documents.TrialRun {
	return &documents.TrialRun{Exception: r.Exception, Passes: r.Passes, Leaves: r.Reached, Losses: documents.FiniteList(r.Losses)}
}

// write replaces the files by what is proven.
func (x *fixing) write() error {
	if !x.apply || len(x.texts) == 0 {
		return nil
	}
	if err := x.texts.Write(x.first.History); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(x.texts)) {
		x.doc.Written = append(x.doc.Written, shown(name))
		fmt.Fprintf(x.w, "wrote %s\n", cli.OneLine(shown(name)))
	}
	return nil
}

// painted is a diff for the terminal.
func (x *fixing) painted(diff string) string {
	var b strings.Builder
	for line := range strings.Lines(diff) {
		line = cli.Printable(strings.TrimSuffix(line, "\n"))
		switch {
		case strings.HasPrefix(line, "+") && !strings.HasPrefix(line, "+++"):
			line = x.paint.In(console.Green, line)
		case strings.HasPrefix(line, "-") && !strings.HasPrefix(line, "---"):
			line = x.paint.In(console.Red, line)
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// shown is the name of a file below the working directory as users write it.
func shown(name string) string {
	dir, err := os.Getwd()
	if err != nil {
		return name
	}
	if below, err := filepath.Rel(dir, name); err == nil && filepath.IsLocal(below) {
		return below
	}
	return name
}
