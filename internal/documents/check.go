package documents

// Report is the document of gradtui check; several programs or tapes are a list of reports.
type Report struct {
	Version    int       `json:"version"`              // of this schema: 1
	Findings   []Finding `json:"findings"`             // most relevant first
	Counts     Counts    `json:"counts"`               // how many findings there are
	Program    Program   `json:"program"`              // what was checked
	Complete   bool      `json:"complete"`             // false: the check saw only a part of the program
	Incomplete string    `json:"incomplete,omitempty"` // why it saw only a part
	Script     string    `json:"script,omitempty"`     // why the check script failed
	Audit      *Audit    `json:"audit,omitempty"`      // what an audit measured
	FailOn     string    `json:"fail_on"`              // findings of this severity or above fail the check: "error", "warning", "hint" or "never"
	ExitCode   int       `json:"exit_code"`            // of the check: 0, 1 or 2
}

// Audit is what an audit measured in one training step.
type Audit struct {
	Step       int           `json:"step"`       // its number, from 1
	Verdict    string        `json:"verdict"`    // "exact", "exact-but-for-cuts", "gradient-lost", "gradient-wrong" or "not-judged"
	Says       string        `json:"says"`       // the verdict in a sentence
	Leaves     int           `json:"leaves"`     // that were moved
	Error      *float64      `json:"error"`      // relative to the terms that were added up; null: not a finite number
	Derivative []*float64    `json:"derivative"` // of the loss, along each direction; null: not a finite number
	Delivered  []*float64    `json:"delivered"`  // by backward, along each direction; null: not a finite number
	Visible    *float64      `json:"visible"`    // the part of the derivative that autograd could see: 1 is all; null: not a finite number
	Cuts       []AuditCut    `json:"cuts"`       // where the rest went, largest first
	Changes    []AuditChange `json:"changes"`    // nodes and hooks that deliver something else
	Gaps       []AuditGap    `json:"gaps"`       // what could not be followed, and was taken for a constant
}

// AuditCut is a place where a value that depends on leaves becomes a constant.
type AuditCut struct {
	Part    *float64 `json:"part"`       // of the derivative; null: not a finite number
	Why     string   `json:"why"`        // "detach", "data", "no_grad"
	Purpose bool     `json:"on_purpose"` // programs do this when they mean it
	Place   Span     `json:"place"`      // the line
}

// AuditChange is a node, or a hook, that delivered something else than the derivative.
type AuditChange struct {
	Name      string   `json:"name"`               // of the node
	Expected  *float64 `json:"expected"`           // along a direction; null: not a finite number
	Delivered *float64 `json:"delivered"`          // along that direction; null: not a finite number
	Purpose   bool     `json:"on_purpose"`         // programs do this when they mean it
	Place     Span     `json:"place"`              // of the operation, or of the hook
	Backward  *Span    `json:"backward,omitempty"` // where the program's own backward ran
}

// AuditGap is an operation that could not be followed.
type AuditGap struct {
	Operation string `json:"operation"` // its name
	Why       string `json:"why"`       // it could not be followed
	Place     Span   `json:"place"`     // the line
}

// Finding is one finding of a rule.
type Finding struct {
	Code     string        `json:"code"`            // of the rule: matches ^[a-z0-9-]+$
	Severity string        `json:"severity"`        // "error", "warning" or "hint"
	Message  string        `json:"message"`         // what is wrong
	Primary  Span          `json:"primary"`         // the line to change
	Related  []Span        `json:"related"`         // other lines that matter, most important first
	Tensors  []string      `json:"tensors"`         // the names of the tensors that it is about
	Help     string        `json:"help"`            // what to do
	Fix      *Fix          `json:"fix,omitempty"`   // an edit that should remove the cause, where one is known
	Evidence []Evidence    `json:"evidence"`        // what speaks for the cause and against it, most important first
	Instead  []Alternative `json:"instead"`         // other causes of the same symptom that were considered
	Count    int           `json:"count"`           // at least 1: how often it was found at that line
	Ranks    []uint64      `json:"ranks,omitempty"` // of a distributed program: where it was found
}

// Fix is a change of the source code.
type Fix struct {
	Title string `json:"title"` // what it does, an imperative clause
	Edits []Edit `json:"edits"` // in their order in one file, not overlapping
}

// Edit replaces a range of a file as it was when the program ran. The range ends before end_line and end_col; if that is where
// it begins, the text is inserted there.
type Edit struct {
	File    string `json:"file"`     // relative to the working directory if it is below it
	Line    int    `json:"line"`     // counts from 1
	Col     int    `json:"col"`      // counts from 1, in characters
	EndLine int    `json:"end_line"` // counts from 1
	EndCol  int    `json:"end_col"`  // counts from 1, in characters
	Text    string `json:"text"`     // what is there instead
}

// Evidence is one fact about the cause of a finding.
type Evidence struct {
	Fact    string  `json:"fact"`            // a clause, with numbers and names
	Against bool    `json:"against"`         // it speaks against the cause
	Place   *Span   `json:"place,omitempty"` // where it can be seen
	Event   *uint64 `json:"event,omitempty"` // that shows it: its position on the tape
}

// Alternative is another cause of the same symptom.
type Alternative struct {
	Code string `json:"code"` // of the rule about it: matches ^[a-z0-9-]+$
	Fact string `json:"fact"` // that rules it out, or makes it less likely
}

// Span is a piece of source text.
type Span struct {
	File     string `json:"file"`               // relative to the working directory if it is below it
	Line     int    `json:"line"`               // at least 0, which means unknown
	Col      int    `json:"col,omitempty"`      // counts from 1, in characters
	EndLine  int    `json:"end_line,omitempty"` // counts from 1
	EndCol   int    `json:"end_col,omitempty"`  // counts from 1: the column after the last one
	Function string `json:"function,omitempty"` // the function around it
	Label    string `json:"label,omitempty"`    // what it has to do with the finding
}

// Counts is the number of findings of each kind.
type Counts struct {
	Errors   uint64 `json:"errors"`       // among the findings
	Warnings uint64 `json:"warnings"`     // among the findings
	Hints    uint64 `json:"hints"`        // among the findings
	Ignored  uint64 `json:"ignored"`      // by comments and by the paths of the project file
	Expected uint64 `json:"expected"`     // by a check script
	Hidden   uint64 `json:"hidden_hints"` // that --hints would show
}

// Program is the program that was checked.
type Program struct {
	Path       string   `json:"path"`                 // as the user gave it
	Args       []string `json:"args"`                 // its arguments
	ExitCode   *int     `json:"exit_code"`            // null: a tape does not know it
	Events     uint64   `json:"events"`               // on the tape
	Operations uint64   `json:"operations"`           // that ran
	Passes     uint64   `json:"backward_passes"`      // that it began
	WorldSize  uint64   `json:"world_size,omitempty"` // ranks of a distributed program
	Failure    *Failure `json:"failure"`              // the exception that ended it
	Explained  bool     `json:"explained"`            // a finding says why the program failed
	Stderr     string   `json:"stderr,omitempty"`     // the end of its standard error, if it failed without a recorded exception
}

// Failure is the exception that ended a program.
type Failure struct {
	Type     string `json:"type"`               // "RuntimeError"
	Message  string `json:"message"`            // its text
	File     string `json:"file,omitempty"`     // where it was raised
	Line     int    `json:"line,omitempty"`     // counts from 1
	Function string `json:"function,omitempty"` // the function around it
}
