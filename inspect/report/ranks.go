package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gradtui/gradtui/inspect"
)

// This file is about distributed programs, each of whose ranks is checked by itself.

// Merge makes one report of the reports of several ranks. The same finding at one line on several
// ranks becomes one finding with these ranks.
func Merge(ranks []*Report) *Report {
	all := *ranks[0]
	all.Findings, all.Program.Explained = nil, false
	known := map[place]int{} // index in all.Findings
	for i, r := range ranks {
		for _, f := range r.Findings {
			k := placeOf(f)
			j, ok := known[k]
			if !ok {
				known[k] = len(all.Findings)
				all.Findings = append(all.Findings, f)
				continue
			}
			same := &all.Findings[j]
			same.Ranks = slices.Compact(slices.Sorted(slices.Values(slices.Concat(same.Ranks, f.Ranks))))
		}
		if i > 0 {
			all.Program.Events += r.Program.Events
			all.Program.Operations += r.Program.Operations
			all.Program.Passes += r.Program.Passes
			all.Ignored = max(all.Ignored, r.Ignored)
			if len(r.Hints) > len(all.Hints) {
				all.Hints = r.Hints
			}
			all.Incomplete = cmp.Or(all.Incomplete, r.Incomplete)
			if all.Audit == nil || r.Audit != nil && r.Audit.Verdict() > all.Audit.Verdict() {
				all.Audit = r.Audit
			}
		}
	}
	slices.SortStableFunc(all.Findings, func(a, b inspect.Finding) int { return -cmp.Compare(a.Severity, b.Severity) })
	all.Program.Failure, all.Program.Explained = ended(ranks)
	all.Source = func(file string) []string {
		for _, r := range ranks {
			if lines := r.Source(file); lines != nil {
				return lines
			}
		}
		return nil
	}
	return &all
}

// ended returns the exception that ended a rank, if possible one that no finding explains, and
// whether a finding explains it.
func ended(ranks []*Report) (failure *Failure, explained bool) {
	for _, r := range ranks {
		p := &r.Program
		switch {
		case p.Failure != nil && !p.Explained:
			return p.Failure, false
		case failure == nil:
			failure, explained = p.Failure, explained || p.Explained
		}
	}
	return failure, explained
}

// A place is what the same finding has in common on several ranks.
type place struct {
	code, file string
	line       int
	message    string // of a finding that is about no line
}

func placeOf(f inspect.Finding) place {
	if !f.Primary.Known() {
		return place{code: f.Code, message: f.Message}
	}
	return place{code: f.Code, file: f.Primary.File, line: f.Primary.Line}
}

// message returns the message of a finding, with the ranks where it was found.
func (r *Report) message(f inspect.Finding) string {
	if len(f.Ranks) == 0 {
		return f.Message
	}
	return fmt.Sprintf("%s (on %s)", f.Message, inspect.RankNames(f.Ranks, r.Program.WorldSize))
}
