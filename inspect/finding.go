package inspect

import (
	"cmp"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/near"
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
	At       graph.Pos
	// Symptom is the event in which the program itself noticed something: the
	// failed backward pass, the error. -1: it did not.
	Symptom graph.Pos
	Count   int // how often it was found at that line
	// Ranks are those of a distributed program where it was found; nil: it is none.
	Ranks []int
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
	SeverityNever                       // that of no finding: a threshold that none reaches
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
	return 0, near.Unknown("severity", name, SeverityNames())
}

// A Rule finds programs with one cause of trouble.
type Rule struct {
	Code     string
	Severity Severity
	Title    string // what it finds, in one sentence
	Doc      string // its documentation in Markdown
	// Watch begins to observe a program.
	Watch func(h *History) Observer
}

// An Observer looks at events as they happen.
type Observer interface {
	// Event looks at an event that the history holds already.
	Event(p graph.Pos, head graph.Header, e graph.Event)
	// End looks back at the end of the program, or at where it is now.
	End()
}

// AtEnd is an Observer that only looks back.
type AtEnd func()

// Event does nothing.
func (AtEnd) Event(graph.Pos, graph.Header, graph.Event) {}

// End looks back.
func (f AtEnd) End() { f() }

// A Report is what rules found on a tape.
type Report struct {
	History  *History
	Findings []Finding // most relevant first
}

// maxSpans bounds the related lines of a finding.
const maxSpans = 6

// Check runs rules over a tape.
func Check(tape *graph.Tape, rules []Rule, options Options) *Report {
	return CheckFirst(tape, tape.Len(), rules, options)
}

// CheckFirst runs rules over the first events of a tape, which may grow meanwhile.
func CheckFirst(tape *graph.Tape, events graph.Pos, rules []Rule, options Options) *Report {
	h := NewHistory(tape, options)
	observers := make([]Observer, len(rules))
	reporters := make([]*reporter, len(rules))
	for i := range rules {
		reporters[i] = &reporter{rule: &rules[i], known: map[key]int{}}
		h.reporter = reporters[i]
		observers[i] = rules[i].Watch(h)
	}
	for h.cursor.Pos() < events && h.next() {
		for i, o := range observers {
			h.reporter = reporters[i]
			o.Event(h.pos, h.head, h.event)
		}
		h.settle(func(before graph.Pos) {
			for i, o := range observers {
				if s, ok := o.(Settler); ok {
					h.reporter = reporters[i]
					s.Settle(before)
				}
			}
		})
	}
	h.finish()
	report := &Report{History: h}
	for i, o := range observers {
		h.reporter = reporters[i]
		o.End()
		report.Findings = append(report.Findings, reporters[i].found...)
	}
	slices.SortStableFunc(report.Findings, func(a, b Finding) int {
		return cmp.Or(
			-cmp.Compare(a.Severity, b.Severity),
			-cmp.Compare(a.Symptom, b.Symptom), // what ended the program first
			cmp.Compare(a.At, b.At),
		)
	})
	return report
}

// A reporter collects the findings of a rule: one for each line.
type reporter struct {
	rule  *Rule
	found []Finding
	known map[key]int // index in found
}

type key struct {
	file string
	line int
}

// Report adds a finding of the rule that is running. The rule's severity is that of
// the finding if it has none. A line is reported once.
func (h *History) Report(f Finding) {
	r := h.reporter
	k := key{f.Primary.File, f.Primary.Line}
	if i, again := r.known[k]; again {
		r.found[i].Count++
		return
	}
	r.known[k] = len(r.found)
	f.Code, f.Count = r.rule.Code, 1
	if f.Severity == 0 {
		f.Severity = r.rule.Severity
	}
	f.Related = distinct(f.Primary, f.Related)
	r.found = append(r.found, f)
}

// distinct leaves out spans without a place, and all but the first of a line.
func distinct(primary Span, related []Span) (kept []Span) {
	seen := map[key]bool{{primary.File, primary.Line}: true}
	for _, s := range related {
		k := key{s.File, s.Line}
		if s.Known() && !seen[k] && len(kept) < maxSpans {
			seen[k] = true
			kept = append(kept, s)
		}
	}
	return kept
}
