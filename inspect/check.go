package inspect

import (
	"cmp"
	"slices"

	"github.com/gradtui/gradtui/graph"
)

// A Rule finds programs with one cause of trouble.
type Rule struct {
	Code     string
	Severity Severity
	Title    string // what it finds, in one sentence
	Doc      string // its documentation in Markdown
	Last     bool   // its observers look back last, and may ask what the other rules have found
	// Watch begins to observe a program. The observer asks the checker's history and reports
	// to the checker.
	Watch func(c *Checker) Observer
	// Fix, if it is not nil, makes the fix of a finding of the rule; nil: it does not know one.
	Fix func(h *History, f *Finding) *Fix
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

// A Result is what rules found on a tape.
type Result struct {
	History  *History
	Findings []Finding // most relevant first
}

// maxSpans bounds the related lines of a finding.
const maxSpans = 6

// Check runs rules over a tape.
func Check(tape *graph.Tape, rules []Rule, options Options) *Result {
	return CheckFirst(tape, tape.Len(), rules, options)
}

// CheckFirst runs rules over the first events of a tape, which may grow in the meantime.
func CheckFirst(tape *graph.Tape, events graph.Pos, rules []Rule, options Options) *Result {
	h := NewHistory(tape, options)
	checkers := make([]*Checker, len(rules))
	observers := make([]Observer, len(rules))
	for i := range rules {
		checkers[i] = &Checker{History: h, rule: &rules[i], known: map[key]int{}}
		observers[i] = rules[i].Watch(checkers[i])
	}
	for h.cursor.Pos() < events && h.next() {
		for _, o := range observers {
			o.Event(h.pos, h.head, h.event)
		}
		h.settle(func(before graph.Pos) {
			for _, o := range observers {
				if s, ok := o.(Settler); ok {
					s.Settle(before)
				}
			}
		})
	}
	h.finish()
	result := &Result{History: h}
	for _, last := range []bool{false, true} {
		for i, o := range observers {
			if c := checkers[i]; c.rule.Last == last {
				c.before = result.Findings
				o.End()
				result.Findings = append(result.Findings, c.found...)
				c.fix(result.Findings[len(result.Findings)-len(c.found):])
			}
		}
	}
	slices.SortStableFunc(result.Findings, func(a, b Finding) int {
		return cmp.Or(
			-cmp.Compare(a.Severity, b.Severity),
			-cmp.Compare(a.Symptom, b.Symptom), // what ended the program first
			cmp.Compare(a.At, b.At),
		)
	})
	return result
}

// A Checker runs one rule over a tape. The history only answers; findings go to the checker.
type Checker struct {
	*History
	rule  *Rule
	found []Finding
	known map[key]int // index in found, by line

	before []Finding // of rules that have looked back already
}

// fix gives findings of the rule their fixes.
func (c *Checker) fix(found []Finding) {
	if c.rule.Fix == nil {
		return
	}
	for i := range found {
		found[i].Fix = c.rule.Fix(c.History, &found[i])
	}
}

// Before returns what other rules have found. At the end, a rule that is the last to look back gets the
// findings of all others.
func (c *Checker) Before() []Finding { return c.before }

type key struct {
	file string
	line int
}

// Report adds a finding. Its severity is the rule's if it has none. A line is reported once.
func (c *Checker) Report(f Finding) {
	f.Primary = c.ofProgram(f.Primary, f.At)
	k := key{f.Primary.File, f.Primary.Line}
	if i, again := c.known[k]; again {
		c.found[i].Count++
		return
	}
	c.known[k] = len(c.found)
	f.Code, f.Count = c.rule.Code, 1
	if f.Severity == 0 {
		f.Severity = c.rule.Severity
	}
	f.Related = distinct(f.Primary, f.Related)
	for i, e := range f.Evidence {
		f.Evidence[i].Span = c.ofProgram(e.Span, f.At)
	}
	c.found = append(c.found, f)
}

// ofProgram returns the line of the program that called what is in a span, if a library does it, or
// else the line that called what is at an event.
func (c *Checker) ofProgram(s Span, at graph.Pos) Span {
	if !IsLibrary(s.File) {
		return s
	}
	for _, p := range []graph.Pos{s.At, at} {
		if p < 0 {
			continue
		}
		if caller := c.At(p, s.Label); !IsLibrary(caller.File) {
			return caller
		}
	}
	return s
}

// Remember keeps the iteration of an event that has just happened from being forgotten. It does
// so a limited number of times, for all rules together.
func (c *Checker) Remember(p graph.Pos) { c.memory.remember(p) }

// distinct drops spans without a place, and all but the first span of each line.
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
