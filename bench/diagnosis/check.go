package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/gradtui/gradtui/internal/testing/jobs"
)

// A checker runs gradtui check.
type checker struct {
	command        string // the path of gradtui
	engine, python string // the flags of these names; no python leaves the choice to gradtui
	jobs           int
}

// An answer is what was found first.
type answer struct {
	ID    string `json:"id"`
	Cause string `json:"cause,omitempty"`
	Lines []int  `json:"lines,omitempty"` // the primary one, then the related ones

	causes []string // of all findings
}

// longest is how long a check may take.
const longest = 5 * time.Minute

// checkAll returns an answer for each subject. A program without a report counts as one
// without findings, and standard error says so.
func (c *checker) checkAll(subjects []subject) []answer {
	answers := make([]answer, len(subjects))
	jobs.Each(len(subjects), c.jobs, func(i int) {
		s := subjects[i]
		a, err := c.check(s)
		if err != nil && s.half == aside {
			err = errors.New("a program of the half aside has no report")
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "diagnosis:", err)
		}
		answers[i] = a
	})
	return answers
}

// ask runs the command on a program and reads the JSON document that it writes.
func (c *checker) ask(s subject, document any, arguments ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	arguments = append(arguments, "--format", "json", "--engine", c.engine)
	if c.python != "" {
		arguments = append(arguments, "--python", c.python)
	}
	var stderr strings.Builder
	cmd := exec.CommandContext(ctx, c.command, append(arguments, s.program)...)
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	if err := json.Unmarshal(text, document); err != nil {
		return fmt.Errorf("%s: no report: %w\n%s", s.program, err, stderr.String())
	}
	return nil
}

// check asks the command about a program.
func (c *checker) check(s subject) (answer, error) {
	a := answer{ID: s.id}
	var report struct {
		Findings []struct {
			Code, Severity string
			Primary        struct{ Line int }
			Related        []struct{ Line int }
		}
	}
	if err := c.ask(s, &report, "check", "--no-config"); err != nil {
		return a, err
	}
	for _, f := range report.Findings {
		if f.Severity != "error" && f.Severity != "warning" {
			continue
		}
		a.causes = append(a.causes, f.Code)
		if a.Cause != "" {
			continue
		}
		a.Cause, a.Lines = f.Code, []int{f.Primary.Line}
		for _, r := range f.Related {
			a.Lines = append(a.Lines, r.Line)
		}
	}
	return a, nil
}
