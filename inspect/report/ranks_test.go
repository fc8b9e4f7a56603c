package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

func TestWhatManyRanksHaveIsOneFinding(t *testing.T) {
	at := func(line int) inspect.Span { return inspect.Span{Frame: graph.Frame{File: "a.py", Line: line}} }
	finding := func(code string, line, rank int, s inspect.Severity) inspect.Finding {
		return inspect.Finding{Code: code, Severity: s, Message: code, Primary: at(line), Ranks: []int{rank}}
	}
	none := func(string) []string { return nil }
	failed := &Failure{Type: "ValueError"}
	var ranks []*Report
	for rank := range 4 {
		r := &Report{Source: none, Program: Program{WorldSize: 4, Passes: 2}}
		r.Findings = append(r.Findings, finding("everywhere", 3, rank, inspect.SeverityWarning))
		if rank == 2 {
			r.Findings = append(r.Findings, finding("everywhere", 4, rank, inspect.SeverityWarning), finding("there", 9, rank, inspect.SeverityError))
			r.Program.Failure, r.Program.Explained = failed, true
		}
		ranks = append(ranks, r)
	}
	all := Merge(ranks)
	var got []string
	for _, f := range all.Findings {
		got = append(got, all.message(f))
	}
	want := []string{"there (on rank 2 of 4)", "everywhere (on all 4 ranks)", "everywhere (on rank 2 of 4)"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if all.Program.Passes != 8 || all.Program.Failure != failed || !all.Program.Explained {
		t.Errorf("%+v", all.Program)
	}
	ranks[1].Program.Failure = &Failure{Type: "OSError"}
	if p := Merge(ranks).Program; p.Failure.Type != "OSError" || p.Explained {
		t.Errorf("an exception that nothing explains is not reported: %+v", p)
	}
}
