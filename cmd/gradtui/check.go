package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/audit"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/checks"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/policy"
	"github.com/gradtui/gradtui/inspect/report"
	"github.com/gradtui/gradtui/inspect/rules"
)

// checkFlags are the flags of gradtui check.
type checkFlags struct {
	program    target.Flags
	script     checks.ScriptFlags
	format     string
	output     string
	color      cli.ColorFlag
	showOutput bool
	explain    string
	evidence   bool
	policy     checks.PolicyFlags
	audit      bool // of a step, too
	only       bool // the audit, without the rules that know causes
	measure    audit.Options
}

func checkCommand(s cli.Streams) *cobra.Command {
	f := checkFlags{measure: audit.DefaultOptions()}
	c := &cobra.Command{
		Use:   "check PROGRAM|TAPE... [-- ARGS...]",
		Short: "Find what is wrong with a program's gradients, and the line to change",
		Long: `check runs a program, or reads a tape, and reports what is wrong with its gradients:
the line to change first, then the related lines, and what to write instead. It is
made for CI too: docs/use/check.md describes formats, exit codes, the project file and
comments that ignore findings.

Several programs and tapes are checked in turn, with one report; the tapes of the ranks
of one program count as one. Every program gets the same ARGS.

The exit code is 0 if nothing was found, 1 if there are findings of the --fail-on
severity or above, and 2 if the program could not be run to its end for a reason that
no finding explains.`,
		Example: `  gradtui check train.py
  gradtui check train.py -- --epochs 3
  gradtui check examples/*.py
  gradtui check run.tape --format sarif -o findings.sarif
  gradtui check train.py --ignore memory-growth --fail-on error
  gradtui check train.py --audit
  gradtui check --explain second-backward`,
		Args: func(cmd *cobra.Command, args []string) error {
			if f.explain != "" {
				return nil
			}
			return cli.TargetArgs("a program or a tape", cli.AnyNumber)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			color, err := f.color.Enabled(s.Out, f.output == "" || f.output == "-")
			if err != nil {
				return err
			}
			if f.explain != "" {
				codes := args
				if f.explain != noCode {
					codes = append([]string{f.explain}, args...)
				}
				return cli.Buffered(s.Out, func(w io.Writer) error { return checks.Explain(w, codes, color) })
			}
			names, own := cli.SplitArgs(cmd, args)
			return f.run(cmd.Context(), s, names, own, color)
		},
	}
	flags := c.Flags()
	f.addReport(c)
	flags.BoolVar(&f.audit, "audit", false, "measure a training step, too, as gradtui audit does")
	flags.IntVar(&f.measure.Step, "step", f.measure.Step, "the `number` of the step that --audit measures, from 1")
	flags.StringVar(&f.explain, "explain", "", "explain the rule with this `code`; without a code, list all rules")
	flags.Lookup("explain").NoOptDefVal = noCode
	f.script.AddTo(flags)
	c.RegisterFlagCompletionFunc("explain", checks.CompleteCodes)
	c.ValidArgsFunction = func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if f.explain == "" {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return checks.CompleteCodes(cmd, args, begun)
	}
	return c
}

// addReport adds the flags of commands that report findings.
func (f *checkFlags) addReport(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.format, "format", "text", "the `format`: "+strings.Join(report.FormatNames(), ", "))
	flags.StringVarP(&f.output, "output", "o", "", "the `file` to write; - is standard output")
	flags.BoolVar(&f.showOutput, "show-output", false, "show the program's output")
	flags.BoolVar(&f.evidence, "evidence", false, "show what speaks for each finding, and against it")
	f.color.AddTo(c)
	f.policy.AddTo(flags)
	f.program.AddTo(c)
	f.program.Ranks.AddTo(c)
	c.SetFlagErrorFunc(cli.ExplainFlag)
	c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(report.FormatNames(), cobra.ShellCompDirectiveNoFileComp))
	for _, flag := range []string{"only", "ignore"} {
		c.RegisterFlagCompletionFunc(flag, checks.CompleteCodes)
	}
	c.RegisterFlagCompletionFunc("fail-on", cobra.FixedCompletions(inspect.SeverityNames(), cobra.ShellCompDirectiveNoFileComp))
}

// noCode is the value of --explain without one.
const noCode = "all"

func (f *checkFlags) run(ctx context.Context, s cli.Streams, names, args []string, color bool) error {
	if err := f.measure.Check(); err != nil {
		return err
	}
	f.program.AllValues = f.audit
	format, err := report.FindFormat(f.format)
	if err != nil {
		return fmt.Errorf("--format: %w", err)
	}
	subjects, err := f.subjects(names, args)
	if err != nil {
		return err
	}
	for _, sub := range subjects {
		if err := cli.NotAnInput(f.output, append(cli.Inputs(sub.name, sub.args), f.script.File, sub.config)...); err != nil {
			return err
		}
	}
	source, err := f.script.Read()
	if err != nil {
		return err
	}
	out, err := cli.Create(f.output, s.Out)
	if err != nil {
		return err
	}
	reports, code, err := f.checkAll(ctx, s.Beside(out), source, subjects)
	if err == nil {
		err = format.WriteAll(out, reports, report.Options{Color: color, Evidence: f.evidence})
	}
	if err := out.Close(err); err != nil {
		return err
	}
	return cli.Exit(code)
}

// A subject is what one report is about: a program with its arguments, a tape, or the
// tapes of the ranks of one program; then args holds all tapes but the first.
type subject struct {
	name   string
	args   []string
	policy policy.Policy
	config string // the project file of the policy
}

// subjects returns what the names on the command line stand for.
func (f *checkFlags) subjects(names, args []string) (list []subject, err error) {
	ranks := -1 // index of the subject that ranks belong to
	for _, name := range names {
		own := args
		// Errors in a name are reported when it is checked.
		if t, err := f.program.Target(name); err == nil && len(names) > 1 && t.IsTape {
			own = nil
			if info, _, err := tapefile.Stat(name, tapefile.Options{}); err == nil && info.WorldSize > 0 {
				if ranks >= 0 {
					list[ranks].args = append(list[ranks].args, name)
					continue
				}
				ranks = len(list)
			}
		}
		p, err := f.policy.Policy(name)
		if err != nil {
			return nil, err
		}
		list = append(list, subject{name, own, p, f.policy.Path})
	}
	return list, nil
}

// checkAll checks subjects one after the other and returns the worst exit code. If there are
// several, the report of a subject that cannot be checked says why.
func (f *checkFlags) checkAll(ctx context.Context, s cli.Streams, script []byte, subjects []subject) (reports []*report.Report, code int, err error) {
	for _, sub := range subjects {
		r, err := f.check(ctx, s, script, sub.policy, sub.name, sub.args)
		switch {
		case err != nil && (len(subjects) == 1 || ctx.Err() != nil):
			return nil, 0, err
		case err != nil:
			r = &report.Report{
				FailOn: sub.policy.FailOn, Incomplete: err.Error(), ExitCode: cli.ExitFailed,
				Program: report.Program{Path: sub.name}, Source: func(string) []string { return nil },
			}
		}
		r.Name = sub.name
		reports, code = append(reports, r), max(code, r.ExitCode)
	}
	return reports, code, nil
}

// check runs a program, or reads a tape, and returns its report.
func (f *checkFlags) check(ctx context.Context, s cli.Streams, script []byte, p policy.Policy, name string, args []string) (*report.Report, error) {
	own, said := s, &tail{}
	if !f.showOutput {
		own.Out, own.Err = io.Discard, said
	}
	tapes, all, err := f.program.LoadAll(ctx, s, own, name, args)
	if err != nil {
		return nil, err
	}
	if len(tapes) != 1 && len(script) > 0 {
		return nil, fmt.Errorf("--script checks one tape, not %d; check them one at a time", len(tapes))
	}
	if len(tapes) == 0 {
		tapes = []*target.Recording{{Tape: graph.NewTape(graph.Limits{}), Finished: all}}
	}
	var ranks []*report.Report
	code := cli.ExitOK
	for _, t := range tapes {
		m := audit.Measurement{Options: f.measure}
		ran := p.Rules(f.rules(&m))
		seen := inspect.Progress{}
		done := cli.Working(s.Err, "running the rules", cli.PartOfEvents(&seen, t.Len()))
		found := inspect.Check(t.Tape, ran, inspect.Options{ReadLeftOut: all.ReadLeftOut, Progress: &seen})
		done()
		scripted := f.script.Run(ctx, s, script, found)
		c := checks.Checked{Result: found, End: t.Finished, Stopped: ctx.Err() != nil, Part: f.only, Expected: scripted.Expected}
		r := c.MakeReport(p, ran)
		r.Script = scripted.Failure
		if err := f.audited(r, &m); err != nil {
			return nil, err
		}
		ranks, code = append(ranks, r), max(code, scripted.Code)
	}
	r := report.Merge(ranks)
	r.Incomplete = cmp.Or(r.Incomplete, all.Missing)
	if all.Ran {
		r.Program.Path, r.Program.Args, r.Program.ExitCode = name, args, &all.ExitCode
	}
	if r.Program.Failure == nil && r.Unchecked() != "" {
		r.Program.Stderr = said.lines()
	}
	r.ExitCode = max(checks.ExitCode(r), code)
	return r, nil
}

// rules are the rules that run; the audit's share a measurement.
func (f *checkFlags) rules(m *audit.Measurement) (list []inspect.Rule) {
	if !f.only {
		list = slices.Clone(rules.All())
	}
	if f.audit {
		list = append(list, m.Rules()...)
	}
	return list
}

// audited takes over what the audit measured. A step that could not be judged makes a check incomplete, if nothing else
// does.
func (f *checkFlags) audited(r *report.Report, m *audit.Measurement) error {
	r.Audit = m.Result
	whole := r.Incomplete == "" && r.Program.Failure == nil
	switch {
	case m.Err != nil && whole && f.only:
		return m.Err
	case m.Err != nil && whole:
		r.Incomplete = m.Err.Error()
	case m.Result != nil && m.Result.Unjudged() != "" && whole:
		r.Incomplete = fmt.Sprintf("step %d could not be audited: %s", m.Result.Step.Number, m.Result.Unjudged())
	}
	return nil
}

// A tail keeps the end of what is written to it.
type tail struct{ text []byte }

const (
	maxTail      = 16 << 10
	maxTailLines = 12
)

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if extra := len(t.text) - maxTail; extra > 0 {
		t.text = bytes.Clone(t.text[extra:])
	}
	return len(p), nil
}

// lines returns the last lines.
func (t *tail) lines() string {
	lines := strings.Split(strings.TrimRight(string(t.text), "\r\n"), "\n")
	return strings.Join(lines[max(len(lines)-maxTailLines, 0):], "\n")
}
