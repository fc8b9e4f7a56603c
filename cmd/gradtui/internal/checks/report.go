package checks

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/lookup"
	"github.com/gradtui/gradtui/inspect/policy"
	"github.com/gradtui/gradtui/inspect/report"
)

// A Checked program is what rules found in it and how it ended.
type Checked struct {
	*inspect.Result
	End      *target.Finished
	Stopped  bool         // gradtui was asked to stop
	Part     bool         // only a part of the program was recorded, or not all rules ran
	Expected map[int]bool // findings that a script said must be there
}

// MakeReport returns the report.
func (c *Checked) MakeReport(p policy.Policy, ran []inspect.Rule) *report.Report {
	tape, info := c.History.Tape(), c.History.Tape().Info()
	r := &report.Report{
		Rules: ran, FailOn: p.FailOn, Source: c.History.Source, Expected: len(c.Expected), Version: cli.Version(),
		Program: report.Program{
			Path: info.Program, Args: info.Args, Failure: c.failure(),
			Events: int(tape.Len()), Operations: c.History.Ops().Len(), Passes: len(c.History.Passes()) - 1,
			WorldSize: info.WorldSize,
		},
	}
	r.Dir, _ = os.Getwd()
	if r.Incomplete = c.incomplete(r.Program.Failure); r.Incomplete != "" {
		r.Program.Failure = nil
	}
	var unexpected []inspect.Finding
	for i, f := range c.Findings {
		if !c.Expected[i] {
			unexpected = append(unexpected, f)
		}
	}
	whole := !c.Part && r.Incomplete == "" && c.End.ExitCode == cli.ExitOK && r.Program.Failure == nil && len(c.Expected) == 0
	sifted := p.Sift(c.History, unexpected, ran, whole)
	r.Findings, r.Ignored, r.Hints = sifted.Findings, sifted.Ignored, sifted.Hints
	if info.WorldSize > 0 {
		for i := range r.Findings {
			r.Findings[i].Ranks = []int{info.Rank}
		}
	}
	r.Program.Explained = slices.ContainsFunc(r.Findings, func(f inspect.Finding) bool { return c.History.Explains(&f) }) || c.expectedExplain()
	return r
}

func (c *Checked) expectedExplain() bool {
	for i := range c.Expected {
		if c.History.Explains(&c.Findings[i]) {
			return true
		}
	}
	return false
}

// failure returns the exception that ended the program, nil if none did.
func (c *Checked) failure() *report.Failure {
	p, failed := c.History.Failed()
	if !failed {
		return nil
	}
	tape := c.History.Tape()
	head, e, err := tape.At(p)
	f, ok := e.(*graph.ProgramFailed)
	if err != nil || !ok {
		return nil
	}
	return &report.Failure{Type: tape.String(f.Type), Message: f.Message, At: tape.Stack(head.Stack).Top()}
}

// interruption is the exception that Ctrl-C raises.
const interruption = "KeyboardInterrupt"

// incomplete says why the check saw only a part of the program; "" if it saw all of it.
func (c *Checked) incomplete(failure *report.Failure) string {
	tape := c.History.Tape()
	sig, signalled := c.End.Signal()
	switch {
	case c.Stopped:
		return "gradtui was asked to stop"
	case failure != nil && failure.Type == interruption, c.End.ExitCode == cli.ExitStopped:
		return "the program was interrupted"
	case signalled:
		return fmt.Sprintf("a signal ended the program: %s", sig)
	case lookup.Stopped(tape) != "":
		return "the recording stopped before the program did: " + lookup.Stopped(tape)
	case c.End.Missing != "":
		return c.End.Missing
	case failure != nil && failure.Type == target.Unsupported && c.End.Advice != "":
		return failure.Message + "; " + c.End.Advice
	case failure != nil && failure.Type == target.Unsupported:
		return failure.Message
	}
	return ""
}

// ExitCode returns the exit code of the check.
func ExitCode(r *report.Report) int {
	switch {
	case r.Failing() > 0:
		return cli.ExitFindings
	case r.Unchecked() != "":
		return cli.ExitFailed
	}
	return cli.ExitOK
}

// CompleteCodes completes the last one of a list of codes of rules.
func CompleteCodes(_ *cobra.Command, _ []string, begun string) (list []string, _ cobra.ShellCompDirective) {
	given := begun[:strings.LastIndexByte(begun, ',')+1]
	for _, r := range Rules() {
		if !slices.Contains(strings.Split(given, ","), r.Code) {
			list = append(list, cobra.CompletionWithDesc(given+r.Code, r.Title))
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
