package inspect

import (
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/suggest"
)

// A Finding says what is wrong with a program and which line to change.
type Finding struct {
	Code     string // of the rule: "inplace-saved-tensor"
	Severity Severity
	Message  string   // one sentence
	Primary  Span     // the line to change
	Related  []Span   // what else matters, most important first
	Tensors  []string // names of the tensors that it is about
	Help     string   // what to do
	// Fix is what would remove the cause; nil: it is not known how to edit this code.
	Fix *Fix
	// Evidence is what the rule has weighed, most important first.
	Evidence []Evidence
	// Instead are other causes of the same symptom that the rule has considered.
	Instead []Alternative
	At      graph.Pos
	// Symptom is the event in which the program itself noticed that something is wrong: the
	// failed backward pass, the error. -1: it noticed nothing.
	Symptom graph.Pos
	Count   int // how often it was found at that line
	// Ranks are the ranks where it was found; nil: the program is not distributed.
	Ranks []int
}

// A Fix is a change of the program that a finding suggests.
type Fix struct {
	Title string // what it does, an imperative clause
	Edits []Edit // in their order in one file, not overlapping
}

// An Edit replaces a range of a source file as it was when the program ran. Lines count from 1, columns from 1
// in bytes. The end is the first place that stays as it is; where it is the beginning, Text is inserted.
type Edit struct {
	File                       string
	Line, Col, EndLine, EndCol int
	Text                       string
}

// Evidence is one fact about the cause of a finding: the label of its span, a clause with numbers and
// names. Its place may be unknown.
type Evidence struct {
	Span
	Against bool // it speaks against the cause, and may have lowered the severity
}

// An Alternative is a cause that a fact rules out, or makes less likely than the finding's.
type Alternative struct {
	Code string // of the rule about it
	Fact string
}

// A Span is a piece of source code and what it has to do with a finding.
type Span struct {
	graph.Frame
	Label string
	At    graph.Pos // the event that happened there; -1: none
}

// Known reports whether the place is known.
func (s Span) Known() bool { return s.File != "" && s.Line > 0 }

// Severity says how sure and how bad a finding is.
type Severity uint8

// The severities.
const (
	SeverityHint    Severity = iota + 1 // may be intended; shown only when asked for
	SeverityWarning                     // the program runs, but does not do what it looks like
	SeverityError                       // the program fails, or is about to
	SeverityNever                       // a threshold that no finding reaches
)

var severityNames = [...]string{SeverityHint: "hint", SeverityWarning: "warning", SeverityError: "error", SeverityNever: "never"}

func (s Severity) String() string { return severityNames[s] }

// SeverityNames lists what [ParseSeverity] takes.
func SeverityNames() []string { return severityNames[SeverityHint:] }

// ParseSeverity finds a severity by its name.
func ParseSeverity(name string) (Severity, error) {
	if i := slices.Index(severityNames[:], name); i > 0 {
		return Severity(i), nil
	}
	return 0, suggest.Unknown("severity", name, SeverityNames())
}
