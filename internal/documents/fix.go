package documents

// Trials is the document of gradtui fix.
type Trials struct {
	Format   string   `json:"format"`            // always "gradtui-fix"
	Version  int      `json:"version"`           // of this schema: 1
	Program  string   `json:"program"`           // as it was given
	Fixes    []Trial  `json:"fixes"`             // of each chosen finding, also one without an edit
	Written  []string `json:"written,omitempty"` // files that --apply has replaced
	ExitCode int      `json:"exit_code"`         // of the command
}

// Trial is a finding, its edit, and a run of the program with it.
type Trial struct {
	Number   int          `json:"number"`           // of the finding, from 1
	Code     string       `json:"code"`             // of the rule: matches ^[a-z0-9-]+$
	Severity string       `json:"severity"`         // "error", "warning" or "hint"
	Message  string       `json:"message"`          // what is wrong
	File     string       `json:"file"`             // relative to the working directory if it is below it
	Line     int          `json:"line"`             // at least 0, which means unknown
	Verdict  string       `json:"verdict"`          // "proven", "suggestion", "none" for a finding without an edit, or "gone" after an earlier fix
	Title    string       `json:"title,omitempty"`  // what the edit does, an imperative clause
	Diff     string       `json:"diff,omitempty"`   // the edit as a unified diff
	Gone     bool         `json:"gone"`             // with the edit, the finding is gone
	New      []NewFinding `json:"new,omitempty"`    // findings that the program has only with the edit
	Before   *TrialRun    `json:"before,omitempty"` // the run without the edit
	After    *TrialRun    `json:"after,omitempty"`  // the run with the edit
}

// NewFinding is a finding that came with an edit.
type NewFinding struct {
	Code    string `json:"code"`    // of the rule: matches ^[a-z0-9-]+$
	Line    int    `json:"line"`    // of the edited text
	Message string `json:"message"` // what is wrong
}

// TrialRun is what is compared of a run.
type TrialRun struct {
	Exception string     `json:"exception,omitempty"` // that ended it, with its type
	Passes    int        `json:"passes"`              // backward passes
	Leaves    int        `json:"leaves"`              // to which they gave gradients
	Losses    []*float64 `json:"losses"`              // where passes began; null where it is not a finite number or not known
}
