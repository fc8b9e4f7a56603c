// Package policy decides which rules of a check run, which of their findings are
// shown, and which of them fail it. A [Policy] comes from flags and from a project
// file (config.go); comments in the source ignore single findings (comments.go).
// Begin with [Policy.Sift].
package policy

import (
	"fmt"
	"slices"

	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/suggest"
)

// A Policy says what a project wants to hear.
type Policy struct {
	FailOn inspect.Severity // findings of at least that severity fail the check
	Only   []string         // codes of the rules that run; none: all of them
	Ignore []string         // codes of the rules that do not run
	Hints  bool             // hints are shown
	Paths  []PathIgnores
}

// Default returns the policy of a project that says nothing.
func Default() Policy { return Policy{FailOn: inspect.SeverityWarning} }

// Rules returns the rules that run. One that reports what no other rule explains runs if all others
// do, or if it is asked for by its code.
func (p *Policy) Rules(all []inspect.Rule) []inspect.Rule {
	return slices.DeleteFunc(slices.Clone(all), func(r inspect.Rule) bool {
		switch {
		case len(p.Only) > 0:
			return !slices.Contains(p.Only, r.Code) || slices.Contains(p.Ignore, r.Code)
		case r.Last:
			return len(p.Ignore) > 0
		}
		return slices.Contains(p.Ignore, r.Code)
	})
}

// Sifted are findings after a policy was applied.
type Sifted struct {
	Findings []inspect.Finding // the findings to show
	Ignored  int               // how many the project ignores
	Hints    []string          // the codes of the hints that are not shown
}

// Sift applies the policy to the findings of its rules. whole says that the rules have seen a
// program to its end, so that a comment that ignores nothing is not needed.
func (p *Policy) Sift(h *inspect.History, found []inspect.Finding, ran []inspect.Rule, whole bool) (s Sifted) {
	for _, f := range found {
		h.Source(f.Primary.File) // so that it is among the files below
	}
	var ignores []comment
	for _, file := range h.Sources() {
		ignores = append(ignores, comments(file, h.Source(file))...)
	}
	for _, f := range found {
		if p.ignoredByPath(f) || ignoredByComment(ignores, f) {
			s.Ignored++
			continue
		}
		s.Findings = append(s.Findings, f)
	}
	if whole {
		s.Findings = append(s.Findings, unused(ignores, ran, len(p.Only)+len(p.Ignore) == 0)...)
	}
	if !p.Hints && p.FailOn > inspect.SeverityHint {
		s.Findings = slices.DeleteFunc(s.Findings, func(f inspect.Finding) bool {
			if f.Severity == inspect.SeverityHint {
				s.Hints = append(s.Hints, f.Code)
			}
			return f.Severity == inspect.SeverityHint
		})
	}
	return s
}

// CheckCodes finds the first code that no rule has.
func CheckCodes(codes []string, all []inspect.Rule) error {
	known := make([]string, len(all))
	for i, r := range all {
		known[i] = r.Code
	}
	for _, code := range codes {
		if slices.Contains(known, code) {
			continue
		}
		return fmt.Errorf("no rule is called %q%s; gradtui check --explain lists all", code, suggest.Hint(code, known))
	}
	return nil
}
