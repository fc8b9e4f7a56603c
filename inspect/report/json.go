package report

import (
	"io"

	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/jsontext"
)

// Version is that of the JSON schema. It changes when a field disappears or means
// something else.
const Version = 1

type jsonReport struct {
	Version    int           `json:"version"`
	Findings   []jsonFinding `json:"findings"`
	Counts     jsonCounts    `json:"counts"`
	Program    jsonProgram   `json:"program"`
	Complete   bool          `json:"complete"`
	Incomplete string        `json:"incomplete,omitempty"`
	Script     string        `json:"script,omitempty"`
	FailOn     string        `json:"fail_on"`
	ExitCode   int           `json:"exit_code"`
}

type jsonFinding struct {
	Code     string     `json:"code"`
	Severity string     `json:"severity"`
	Message  string     `json:"message"`
	Primary  location   `json:"primary"`
	Related  []location `json:"related"`
	Tensors  []string   `json:"tensors"`
	Help     string     `json:"help"`
	Count    int        `json:"count"`
	Ranks    []int      `json:"ranks,omitempty"`
}

type jsonCounts struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Hints    int `json:"hints"`
	Ignored  int `json:"ignored"`
	Expected int `json:"expected"`
	Hidden   int `json:"hidden_hints"`
}

type jsonProgram struct {
	Path       string       `json:"path"`
	Args       []string     `json:"args"`
	ExitCode   *int         `json:"exit_code"`
	Events     int          `json:"events"`
	Operations int          `json:"operations"`
	Passes     int          `json:"backward_passes"`
	WorldSize  int          `json:"world_size,omitempty"`
	Failure    *jsonFailure `json:"failure"`
	Explained  bool         `json:"explained"`
	Stderr     string       `json:"stderr,omitempty"`
}

type jsonFailure struct {
	Type     string `json:"type"`
	Message  string `json:"message"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Function string `json:"function,omitempty"`
}

// writeJSON writes an object, or for several reports an array of such objects.
func writeJSON(w io.Writer, reports []*Report, _ Options) error {
	var list []jsonReport
	for _, r := range reports {
		list = append(list, r.json())
	}
	if len(list) == 1 {
		return jsontext.Encode(w, list[0], "  ")
	}
	return jsontext.Encode(w, list, "  ")
}

func (r *Report) json() jsonReport {
	p := &r.Program
	j := jsonReport{
		Version: Version, Findings: []jsonFinding{},
		Counts: jsonCounts{Ignored: r.Ignored, Expected: r.Expected, Hidden: r.Hints},
		Program: jsonProgram{
			Path: p.Path, Args: append([]string{}, p.Args...), ExitCode: p.ExitCode,
			Events: p.Events, Operations: p.Operations, Passes: p.Passes, WorldSize: p.WorldSize, Explained: p.Explained, Stderr: p.Stderr,
		},
		Complete: r.Incomplete == "", Incomplete: r.Incomplete, Script: r.Script,
		FailOn: r.FailOn.String(), ExitCode: r.ExitCode,
	}
	if f := p.Failure; f != nil {
		j.Program.Failure = &jsonFailure{f.Type, f.Message, r.file(f.At.File), f.At.Line, f.At.Func}
	}
	counts := map[inspect.Severity]*int{
		inspect.SeverityError: &j.Counts.Errors, inspect.SeverityWarning: &j.Counts.Warnings, inspect.SeverityHint: &j.Counts.Hints,
	}
	for _, f := range r.Findings {
		*counts[f.Severity]++
		j.Findings = append(j.Findings, r.jsonFinding(f))
	}
	return j
}

func (r *Report) jsonFinding(f inspect.Finding) jsonFinding {
	j := jsonFinding{
		Code: f.Code, Severity: f.Severity.String(), Message: f.Message, Primary: r.locate(f.Primary),
		Related: []location{}, Tensors: append([]string{}, f.Tensors...), Help: f.Help, Count: f.Count, Ranks: f.Ranks,
	}
	for _, s := range f.Related {
		j.Related = append(j.Related, r.locate(s))
	}
	return j
}
