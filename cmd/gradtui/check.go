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
	color      string
	showOutput bool
	explain    string
	policy     policyFlags
}

func checkCommand(s streams) *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use:   "check PROGRAM|TAPE [-- ARGS...]",
		Short: "Say what is wrong with a program, and at which line",
		Long: `check runs a program, or reads a tape, and says what is wrong with its gradients:
the line to change first, then the lines that have to do with it, and what to write
instead. It is made for CI as well: docs/check.md describes formats, exit codes, the
project file and the comments that ignore findings.

The exit code is 0 if nothing was found, 1 if there are findings of the severity of
--fail-on or above, and 2 if the program could not be run to its end for a reason that
no finding explains.`,
		Example: `  gradtui check train.py
  gradtui check train.py -- --epochs 3
  gradtui check run.tape --format sarif -o findings.sarif
  gradtui check train.py --ignore memory-growth --fail-on error
  gradtui check --explain second-backward`,
		Args: func(cmd *cobra.Command, args []string) error {
			if f.explain != "" {
				return nil
			}
			return targetArgs("a program or a tape")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			color, err := f.colored(s.out)
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
			return f.run(cmd.Context(), s, args[0], args[1:], color)
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.format, "format", "text", "the `format`: "+strings.Join(report.FormatNames(), ", "))
	flags.StringVarP(&f.output, "output", "o", "", "the `file` to write; - is standard output")
	flags.StringVar(&f.color, "color", "auto", "`when` text has colours: "+strings.Join(colorNames, ", "))
	flags.BoolVar(&f.showOutput, "show-output", false, "show what the program prints")
	flags.StringVar(&f.explain, "explain", "", "explain the rule with a `code`; without one, list all rules")
	flags.Lookup("explain").NoOptDefVal = noCode
	f.policy.add(flags)
	f.script.add(flags)
	f.program.add(c)
	f.program.ranks.add(c)
	c.SetFlagErrorFunc(explainFlag)
	c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(report.FormatNames(), cobra.ShellCompDirectiveNoFileComp))
	c.RegisterFlagCompletionFunc("fail-on", cobra.FixedCompletions(inspect.SeverityNames(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

// noCode is the value of --explain without one.
const noCode = "all"

var colorNames = []string{"auto", "always", "never"}

// colored reports whether text for standard output has colours.
func (f *checkFlags) colored(out io.Writer) (bool, error) {
	switch f.color {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
		toTerminal := (f.output == "" || f.output == "-") && isTerminal(out)
		return toTerminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb", nil
	}
	return false, fmt.Errorf("--color %q: give one of %s", f.color, strings.Join(colorNames, ", "))
}

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

func (f *checkFlags) run(ctx context.Context, s streams, target string, args []string, color bool) error {
	format, err := report.FindFormat(f.format)
	if err != nil {
		return err
	}
	p, err := f.policy.policy(target)
	if err != nil {
		return err
	}
	if err := notAnInput(f.output, append(inputs(target, args), f.script.file, f.policy.used)...); err != nil {
		return err
	}
	source, err := f.script.read()
	if err != nil {
		return err
	}
	out, err := openOutput(f.output, s.out)
	if err != nil {
		return err
	}
	r, err := f.check(ctx, s.beside(out), source, p, target, args)
	if err == nil {
		err = format.Write(out, r, report.Options{Color: color})
	}
	if err := out.close(err); err != nil {
		return err
	}
	return exitError{r.ExitCode}.orNil()
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
		found := inspect.Check(t.Tape, ran, inspect.Options{ReadLeftOut: all.readLeftOut})
		scripted := f.script.run(ctx, s, script, found)
		c := checked{Report: found, end: t.finished, stopped: ctx.Err() != nil, expected: scripted.expected}
		ranks, code = append(ranks, c.report(p, ran)), max(code, scripted.code)
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
