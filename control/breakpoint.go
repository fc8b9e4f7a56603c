package control

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/internal/suggest"
)

// A Cause is what a breakpoint waits for.
type Cause string

// The causes.
const (
	OnOp        Cause = "op"        // an operator ran or a node is about to, whose name matches Pattern (*, ?, [abc])
	OnLine      Cause = "line"      // something happens at File:Line
	OnTensor    Cause = "tensor"    // a tensor called Pattern is bound, changed, or gets a gradient
	OnInPlace   Cause = "inplace"   // a tensor is changed in place; Pattern, if any, is its name
	OnFree      Cause = "free"      // a node's saved tensors are freed; Pattern, if any, is the node's name
	OnNotFinite Cause = "nonfinite" // a NaN or an infinity appears in a tensor or gradient
	OnWarning   Cause = "warning"   // a warning is issued
	OnError     Cause = "error"     // an error is raised to the program
	// OnFinding is a finding of the diagnosis, whose code matches Pattern. A program does
	// not know of findings: the debugger looks for them while it runs, and interrupts it.
	OnFinding Cause = "finding"
)

// need says whether a breakpoint takes a pattern.
type need int

const (
	noPattern need = iota
	mayHavePattern
	needsPattern
)

// causes says how breakpoints are written.
var causes = []struct {
	on      Cause
	word    string // that a person writes; "" for a line, which is written FILE:LINE
	pattern need
	means   string // what the pattern is
	example string // of one
}{
	{OnLine, "", noPattern, "", "train.py:12"},
	{OnOp, "op", needsPattern, "NAME", "relu*"},
	{OnTensor, "tensor", needsPattern, "NAME", "loss"},
	{OnInPlace, "inplace", mayHavePattern, "NAME", "pos"},
	{OnFree, "free", mayHavePattern, "NODE", "MulBackward0"},
	{OnNotFinite, "nan", noPattern, "", ""},
	{OnWarning, "warning", noPattern, "", ""},
	{OnError, "error", noPattern, "", ""},
	{OnFinding, "finding", mayHavePattern, "CODE", "nan-grad"},
}

// BreakpointSyntax says how breakpoints are written, for [ParseBreakpoint].
var BreakpointSyntax = func() string {
	var forms []string
	for _, c := range causes {
		switch {
		case c.on == OnLine:
			forms = append(forms, "FILE:LINE")
		case c.pattern == needsPattern:
			forms = append(forms, c.word+" "+c.means)
		case c.pattern == mayHavePattern:
			forms = append(forms, c.word+" ["+c.means+"]")
		default:
			forms = append(forms, c.word)
		}
	}
	return strings.Join(forms, ", ")
}()

// A Breakpoint stops the program.
type Breakpoint struct {
	ID      int    `json:"id"`
	On      Cause  `json:"on"`
	Pattern string `json:"pattern,omitempty"`
	File    string `json:"file,omitempty"` // the end of a path: "train.py"
	Line    int    `json:"line,omitempty"`
	Skip    int    `json:"skip,omitempty"` // how often it is passed before it stops
	// If must hold as well. Passing the breakpoint because it does not hold is not counted.
	If Condition `json:"if,omitzero"`
}

// Check reports what is wrong with a breakpoint.
func (b Breakpoint) Check() error {
	var names []string
	for _, c := range causes {
		names = append(names, string(c.on))
		if c.on != b.On {
			continue
		}
		switch {
		case c.on == OnLine && (b.File == "" || b.Line <= 0):
			return fmt.Errorf("a breakpoint on a line needs a file and a line, such as %s", c.example)
		case c.pattern == needsPattern && b.Pattern == "":
			return fmt.Errorf("a breakpoint on %q needs a pattern: the name of what to stop at, such as %q", b.On, c.example)
		case b.Skip < 0:
			return fmt.Errorf("a breakpoint cannot be skipped %d times", b.Skip)
		}
		if _, err := path.Match(b.Pattern, ""); err != nil {
			return fmt.Errorf("the pattern %q: %w", b.Pattern, err)
		}
		return b.If.check()
	}
	return fmt.Errorf("there are no breakpoints on %q; there are: %s", b.On, strings.Join(names, ", "))
}

// skipping is the end of a breakpoint that is passed a few times; fileLine is one
// on a line.
var (
	skipping = regexp.MustCompile(`^(.*\S)\s+skip\s+(\d+)$`)
	fileLine = regexp.MustCompile(`^(.+):(\d+)$`)
)

// ParseBreakpoint reads a breakpoint as a person writes it:
//
//	train.py:12        something happens at that line
//	op mul*            an operator ran, or a node is about to, with such a name
//	tensor w           the tensor is bound, changed, or gets a gradient
//	inplace [w]        a tensor, or this one, is changed in place
//	free [MulBack*]    the saved tensors of a node, or of such a one, are freed
//	nan                a NaN or an infinity appears
//	warning, error     one is issued or raised
//	finding [CODE]     the diagnosis finds something, or this
//
// "if max > 10" at the end is a [Condition], "skip 3" after it lets it pass three times. The
// ID is left zero.
func ParseBreakpoint(text string) (Breakpoint, error) {
	b, err := parseBreakpoint(strings.TrimSpace(text))
	if err == nil {
		err = b.Check()
	}
	if err != nil {
		return Breakpoint{}, err
	}
	return b, nil
}

func parseBreakpoint(text string) (b Breakpoint, err error) {
	if m := skipping.FindStringSubmatch(text); m != nil {
		text = m[1]
		if b.Skip, err = strconv.Atoi(m[2]); err != nil {
			return b, fmt.Errorf("skip %s: too many", m[2])
		}
	}
	if text, b.If, err = cutCondition(text); err != nil {
		return b, err
	}
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	var words []string
	for _, c := range causes {
		words = append(words, c.word)
		if word == "" || c.word != word {
			continue
		}
		b.On, b.Pattern = c.on, rest
		if c.pattern == noPattern && rest != "" {
			return b, fmt.Errorf("unexpected %q: a breakpoint on %s has no name", rest, word)
		}
		return b, nil
	}
	if m := fileLine.FindStringSubmatch(text); m != nil {
		b.On, b.File = OnLine, m[1]
		if b.Line, err = strconv.Atoi(m[2]); err != nil {
			return b, fmt.Errorf("line %s: too many", m[2])
		}
		return b, nil
	}
	if hint := suggest.Hint(word, words); hint != "" {
		return b, fmt.Errorf("there is no breakpoint %q%s; there are: %s", word, hint, BreakpointSyntax)
	}
	return b, fmt.Errorf("there is no breakpoint %q; there are: %s; each with a condition at the end, such as if version > 2, and with skip N to pass it N times", text, BreakpointSyntax)
}

// String is the breakpoint as [ParseBreakpoint] reads it.
func (b Breakpoint) String() string {
	text := string(b.On)
	for _, c := range causes {
		switch {
		case c.on != b.On:
		case c.on == OnLine:
			text = fmt.Sprintf("%s:%d", b.File, b.Line)
		case b.Pattern != "":
			text = c.word + " " + b.Pattern
		default:
			text = c.word
		}
	}
	if b.If != (Condition{}) {
		text += " if " + b.If.String()
	}
	if b.Skip > 0 {
		text += fmt.Sprintf(" skip %d", b.Skip)
	}
	return text
}
