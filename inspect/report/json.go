package report

import (
	"io"

	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/documents"
	"github.com/gradtui/gradtui/internal/jsontext"
)

// writeJSON writes an object, or for several reports an array of such objects.
func writeJSON(w io.Writer, reports []*Report, _ Options) error {
	var list []documents.Report
	for _, r := range reports {
		list = append(list, r.json())
	}
	if len(list) == 1 {
		return jsontext.Encode(w, list[0], "  ")
	}
	return jsontext.Encode(w, list, "  ")
}

func (r *Report) json() documents.Report {
	p := &r.Program
	j := documents.Report{
		Version: documents.CheckVersion, Findings: []documents.Finding{},
		Counts: documents.Counts{Ignored: uint64(r.Ignored), Expected: uint64(r.Expected), Hidden: uint64(len(r.Hints))},
		Program: documents.Program{
			Path: p.Path, Args: append([]string{}, p.Args...), ExitCode: p.ExitCode,
			Events: uint64(p.Events), Operations: uint64(p.Operations), Passes: uint64(p.Passes), WorldSize: uint64(p.WorldSize), Explained: p.Explained, Stderr: p.Stderr,
		},
		Complete: r.Incomplete == "", Incomplete: r.Incomplete, Script: r.Script,
		FailOn: r.FailOn.String(), ExitCode: r.ExitCode,
	}
	if f := p.Failure; f != nil {
		j.Program.Failure = &documents.Failure{Type: f.Type, Message: f.Message, File: r.file(f.At.File), Line: f.At.Line, Function: f.At.Func}
	}
	counts := map[inspect.Severity]*uint64{
		inspect.SeverityError: &j.Counts.Errors, inspect.SeverityWarning: &j.Counts.Warnings, inspect.SeverityHint: &j.Counts.Hints,
	}
	if r.Audit != nil {
		j.Audit = r.jsonAudit()
	}
	for _, f := range r.Findings {
		*counts[f.Severity]++
		j.Findings = append(j.Findings, r.jsonFinding(f))
	}
	return j
}

func (r *Report) jsonFinding(f inspect.Finding) documents.Finding {
	j := documents.Finding{
		Code: f.Code, Severity: f.Severity.String(), Message: f.Message, Primary: r.locate(f.Primary),
		Related: []documents.Span{}, Tensors: append([]string{}, f.Tensors...), Help: f.Help, Count: f.Count,
		Evidence: []documents.Evidence{}, Instead: []documents.Alternative{},
	}
	for _, rank := range f.Ranks {
		j.Ranks = append(j.Ranks, uint64(rank))
	}
	for _, s := range f.Related {
		j.Related = append(j.Related, r.locate(s))
	}
	if f.Fix != nil {
		j.Fix = &documents.Fix{Title: f.Fix.Title}
		for _, e := range f.Fix.Edits {
			j.Fix.Edits = append(j.Fix.Edits, r.edit(e))
		}
	}
	for _, e := range f.Evidence {
		one := documents.Evidence{Fact: e.Label, Against: e.Against}
		if e.Known() {
			place := r.locate(e.Span)
			place.Label = ""
			one.Place = &place
		}
		if e.At >= 0 {
			event := uint64(e.At)
			one.Event = &event
		}
		j.Evidence = append(j.Evidence, one)
	}
	for _, a := range f.Instead {
		j.Instead = append(j.Instead, documents.Alternative{Code: a.Code, Fact: a.Fact})
	}
	return j
}
