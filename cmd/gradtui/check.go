package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/policy"
	"github.com/gradtui/gradtui/inspect/report"
	"github.com/gradtui/gradtui/inspect/rules"
)

// checkFlags are those of check.
type checkFlags struct {
	program    programFlags
	script     scriptFlags
	format     string
	output     string
	color      colorFlag
	showOutput bool
	explain    string
	policy     policyFlags
}

func checkCommand(s streams) *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use:   "check PROGRAM|TAPE... [-- ARGS...]",
		Short: "Say what is wrong with a program, and at which line",
		Long: `check runs a program, or reads a tape, and says what is wrong with its gradients:
the line to change first, then the lines that have to do with it, and what to write
instead. It is made for CI as well: docs/check.md describes formats, exit codes, the
project file and the comments that ignore findings.

Several programs and tapes are checked one after the other, with one report; the tapes
of the ranks of one program count as one. ARGS are given to each program.

The exit code is 0 if nothing was found, 1 if there are findings of the severity of
--fail-on or above, and 2 if the program could not be run to its end for a reason that
no finding explains.`,
		Example: `  gradtui check train.py
  gradtui check train.py -- --epochs 3
  gradtui check examples/*.py
  gradtui check run.tape --format sarif -o findings.sarif
  gradtui check train.py --ignore memory-growth --fail-on error
  gradtui check --explain second-backward`,
		Args: func(cmd *cobra.Command, args []string) error {
			if f.explain != "" {
				return nil
			}
			return targetArgs("a program or a tape", anyNumber)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			color, err := f.color.in(s.out, f.output == "" || f.output == "-")
			if err != nil {
				return err
			}
			if f.explain != "" {
				codes := args
				if f.explain != noCode {
					codes = append([]string{f.explain}, args...)
				}
				return buffered(s.out, func(w io.Writer) error { return explainRules(w, codes, color) })
			}
			names, own := splitArgs(cmd, args)
			return f.run(cmd.Context(), s, names, own, color)
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.format, "format", "text", "the `format`: "+strings.Join(report.FormatNames(), ", "))
	flags.StringVarP(&f.output, "output", "o", "", "the `file` to write; - is standard output")
	flags.BoolVar(&f.showOutput, "show-output", false, "show what the program prints")
	flags.StringVar(&f.explain, "explain", "", "explain the rule with a `code`; without one, list all rules")
	flags.Lookup("explain").NoOptDefVal = noCode
	f.color.add(c)
	f.policy.add(flags)
	f.script.add(flags)
	f.program.add(c)
	f.program.ranks.add(c)
	c.SetFlagErrorFunc(explainFlag)
	c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(report.FormatNames(), cobra.ShellCompDirectiveNoFileComp))
	for _, flag := range []string{"only", "ignore", "explain"} {
		c.RegisterFlagCompletionFunc(flag, completeCodes)
	}
	c.ValidArgsFunction = func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if f.explain == "" {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return completeCodes(cmd, args, begun)
	}
	c.RegisterFlagCompletionFunc("fail-on", cobra.FixedCompletions(inspect.SeverityNames(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

// noCode is the value of --explain without one.
const noCode = "all"

// policyFlags are those that say what counts.
type policyFlags struct {
	failOn       string
	only, ignore []string
	hints        bool
	file         string
	noFile       bool
	used         string // the project file that was read; "": none
	flags        *pflag.FlagSet
}

func (f *policyFlags) add(flags *pflag.FlagSet) {
	f.flags = flags
	flags.StringVar(&f.failOn, "fail-on", "warning", "findings of this `severity` or above fail the check:\n"+strings.Join(inspect.SeverityNames(), ", "))
	flags.StringSliceVar(&f.only, "only", nil, "look only for these `codes`, separated by commas")
	flags.StringSliceVar(&f.ignore, "ignore", nil, "do not look for these `codes`")
	flags.BoolVar(&f.hints, "hints", false, "show hints, too: what may be intended")
	flags.StringVar(&f.file, "config", "", "the project `file` (default: "+policy.FileName+" in the program's folder or above)")
	flags.BoolVar(&f.noFile, "no-config", false, "use no project file")
}

// policy is that of the project file, with what flags say instead.
func (f *policyFlags) policy(target string) (p policy.Policy, err error) {
	p = policy.Default()
	path := f.file
	switch {
	case f.noFile && path != "":
		return p, errors.New("--config and --no-config contradict each other")
	case f.noFile:
	case path == "":
		if path, err = policy.FindFile(folder(target)); err != nil {
			return p, fmt.Errorf("%w, or say --config FILE or --no-config", err)
		}
	}
	f.used = path
	if path != "" {
		if p, err = policy.Load(path, rules.All()); err != nil {
			return p, err
		}
	}
	if f.flags.Changed("fail-on") {
		if p.FailOn, err = inspect.ParseSeverity(f.failOn); err != nil {
			return p, fmt.Errorf("--fail-on: %w", err)
		}
	}
	for _, codes := range []struct {
		flag  string
		given []string
		to    *[]string
	}{{"only", f.only, &p.Only}, {"ignore", f.ignore, &p.Ignore}} {
		if !f.flags.Changed(codes.flag) {
			continue
		}
		if err := policy.CheckCodes(codes.given, rules.All()); err != nil {
			return p, fmt.Errorf("--%s: %w", codes.flag, err)
		}
		*codes.to = codes.given
	}
	if f.flags.Changed("hints") {
		p.Hints = f.hints
	}
	return p, nil
}

// folder is where a program or a tape lies.
func folder(target string) string {
	if info, err := os.Stat(target); err == nil && info.IsDir() {
		return target
	}
	return filepath.Dir(target)
}

func (f *checkFlags) run(ctx context.Context, s streams, names, args []string, color bool) error {
	format, err := report.FindFormat(f.format)
	if err != nil {
		return fmt.Errorf("--format: %w", err)
	}
	subjects, err := f.subjects(names, args)
	if err != nil {
		return err
	}
	for _, sub := range subjects {
		if err := notAnInput(f.output, append(inputs(sub.name, sub.args), f.script.file, sub.config)...); err != nil {
			return err
		}
	}
	source, err := f.script.read()
	if err != nil {
		return err
	}
	out, err := openOutput(f.output, s.out)
	if err != nil {
		return err
	}
	reports, code, err := f.checkAll(ctx, s.beside(out), source, subjects)
	if err == nil {
		err = format.WriteAll(out, reports, report.Options{Color: color})
	}
	if err := out.close(err); err != nil {
		return err
	}
	return exitError{code}.orNil()
}

// A subject is what one report is about: a program with its arguments, a tape, or the
// tapes of the ranks of one program, of which args are all but the first.
type subject struct {
	name   string
	args   []string
	policy policy.Policy
	config string // the project file that it is from
}

// subjects are what the names on the command line stand for.
func (f *checkFlags) subjects(names, args []string) (list []subject, err error) {
	ranks := -1 // index of the subject that ranks belong to
	for _, name := range names {
		own := args
		// What is wrong with a name is said when it is checked.
		if t, err := f.program.target(name); err == nil && len(names) > 1 && t.tape {
			own = nil
			if info, _, err := tapefile.Stat(name, tapefile.Options{}); err == nil && info.WorldSize > 0 {
				if ranks >= 0 {
					list[ranks].args = append(list[ranks].args, name)
					continue
				}
				ranks = len(list)
			}
		}
		p, err := f.policy.policy(name)
		if err != nil {
			return nil, err
		}
		list = append(list, subject{name, own, p, f.policy.used})
	}
	return list, nil
}

// checkAll checks one after the other and gives the worst exit code. Of several, one that
// cannot be checked has a report that says why.
func (f *checkFlags) checkAll(ctx context.Context, s streams, script []byte, subjects []subject) (reports []*report.Report, code int, err error) {
	for _, sub := range subjects {
		r, err := f.check(ctx, s, script, sub.policy, sub.name, sub.args)
		switch {
		case err != nil && (len(subjects) == 1 || ctx.Err() != nil):
			return nil, 0, err
		case err != nil:
			r = &report.Report{
				FailOn: sub.policy.FailOn, Incomplete: err.Error(), ExitCode: exitFailed,
				Program: report.Program{Path: sub.name}, Source: func(string) []string { return nil },
			}
		}
		r.Name = sub.name
		reports, code = append(reports, r), max(code, r.ExitCode)
	}
	return reports, code, nil
}

// check runs a program, or reads a tape, and gives what there is to say of it.
func (f *checkFlags) check(ctx context.Context, s streams, script []byte, p policy.Policy, target string, args []string) (*report.Report, error) {
	own, said := s, &tail{}
	if !f.showOutput {
		own.out, own.err = io.Discard, said
	}
	tapes, all, err := f.program.loadAll(ctx, s, own, target, args)
	if err != nil {
		return nil, err
	}
	if len(tapes) != 1 && len(script) > 0 {
		return nil, fmt.Errorf("--script looks at one tape, and there are %d: check them one by one", len(tapes))
	}
	if len(tapes) == 0 {
		tapes = []*recorded{{Tape: graph.NewTape(graph.Limits{}), finished: all}}
	}
	ran := p.Rules(rules.All())
	var ranks []*report.Report
	code := exitOK
	for _, t := range tapes {
		seen := inspect.Progress{}
		done := working(s.err, "running the rules", partOfEvents(&seen, t.Len()))
		found := inspect.Check(t.Tape, ran, inspect.Options{ReadLeftOut: all.readLeftOut, Progress: &seen})
		done()
		scripted := f.script.run(ctx, s, script, found)
		c := checked{Report: found, end: t.finished, stopped: ctx.Err() != nil, expected: scripted.expected}
		r := c.report(p, ran)
		r.Script = scripted.failure
		ranks, code = append(ranks, r), max(code, scripted.code)
	}
	r := report.Merge(ranks)
	r.Incomplete = cmp.Or(r.Incomplete, all.missing)
	if all.ran {
		r.Program.Path, r.Program.Args, r.Program.ExitCode = target, args, &all.ExitCode
	}
	if r.Program.Failure == nil && r.Unchecked() != "" {
		r.Program.Stderr = said.lines()
	}
	r.ExitCode = max(exitCode(r), code)
	return r, nil
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

// lines are the last ones.
func (t *tail) lines() string {
	lines := strings.Split(strings.TrimRight(string(t.text), "\r\n"), "\n")
	return strings.Join(lines[max(len(lines)-maxTailLines, 0):], "\n")
}
