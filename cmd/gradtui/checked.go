package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/policy"
	"github.com/gradtui/gradtui/inspect/report"
)

// A checked program is what rules found in it and how it ended.
type checked struct {
	*inspect.Report
	end      *finished
	stopped  bool         // gradtui was told to stop
	part     bool         // only a part of the program was recorded, as it wanted
	expected map[int]bool // findings that a script said must be there
}

// report is what there is to say.
func (c *checked) report(p policy.Policy, ran []inspect.Rule) *report.Report {
	tape, info := c.History.Tape(), c.History.Tape().Info()
	r := &report.Report{
		Rules: ran, FailOn: p.FailOn, Source: c.History.Source, Expected: len(c.expected), Version: version(),
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
		if !c.expected[i] {
			unexpected = append(unexpected, f)
		}
	}
	whole := !c.part && r.Incomplete == "" && c.end.ExitCode == exitOK && r.Program.Failure == nil && len(c.expected) == 0
	sifted := p.Sift(c.History, unexpected, ran, whole)
	r.Findings, r.Ignored, r.Hints = sifted.Findings, sifted.Ignored, sifted.Hints
	if info.WorldSize > 0 {
		for i := range r.Findings {
			r.Findings[i].Ranks = []int{info.Rank}
		}
	}
	r.Program.Explained = slices.ContainsFunc(r.Findings, c.explains) || c.expectedExplain()
	return r
}

func (c *checked) expectedExplain() bool {
	for i := range c.expected {
		if c.explains(c.Findings[i]) {
			return true
		}
	}
	return false
}

// failure is the exception that ended the program, nil if none did.
func (c *checked) failure() *report.Failure {
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

// explains reports whether a finding says why the program failed: it is about an
// error, or about the line that failed.
func (c *checked) explains(f inspect.Finding) bool {
	if f.Severity == inspect.SeverityError || f.Symptom >= 0 {
		return true
	}
	failure := c.failure()
	return failure != nil && slices.ContainsFunc(append([]inspect.Span{f.Primary}, f.Related...), func(s inspect.Span) bool {
		return s.File == failure.At.File && s.Line == failure.At.Line
	})
}

// Types of exceptions that do not tell of mistakes.
const (
	interruption = "KeyboardInterrupt"
	unsupported  = "Unsupported"
)

// incomplete says why only a part of the program was seen; "" if all of it was.
func (c *checked) incomplete(failure *report.Failure) string {
	tape := c.History.Tape()
	sig, signalled := c.end.Signal()
	switch {
	case c.stopped:
		return "gradtui was told to stop"
	case failure != nil && failure.Type == interruption, c.end.ExitCode == exitStopped:
		return "the program was interrupted"
	case signalled:
		return fmt.Sprintf("a signal ended the program: %s", sig)
	case inspect.Stopped(tape) != "":
		return "the recording stopped before the program did: " + inspect.Stopped(tape)
	case c.end.missing != "":
		return c.end.missing
	case failure != nil && failure.Type == unsupported && c.end.advice != "":
		return failure.Message + "; " + c.end.advice
	case failure != nil && failure.Type == unsupported:
		return failure.Message
	}
	return ""
}

// exitCode is that of the check.
func exitCode(r *report.Report) int {
	switch {
	case r.Failing() > 0:
		return exitFindings
	case r.Unchecked() != "":
		return exitFailed
	}
	return exitOK
}
