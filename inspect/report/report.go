// Package report writes what a check found: as text with excerpts of the source, as
// JSON, and in the formats that other tools read. A [Report] holds the content; each
// format is one file and one row of the table of formats.
package report

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/audit"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
	"github.com/gradtui/gradtui/internal/suggest"
)

// A Report holds the result of a check.
type Report struct {
	Findings []inspect.Finding // those to show, most relevant first
	Rules    []inspect.Rule    // that looked for them, sorted by code
	Ignored  int               // findings that the project ignores
	Expected int               // findings that a script said must be there
	Hints    []string          // the codes of the hints that are not shown
	FailOn   inspect.Severity  // findings of at least that severity fail the check
	Program  Program
	// Incomplete says why the check saw only a part of the program; "" if it saw all.
	Incomplete string
	// Audit is what was measured in one training step; nil: nothing was.
	Audit *audit.Result
	// Script says why the check script failed; "" if it did not, or if there was none.
	Script   string
	ExitCode int    // of the check
	Version  string // of gradtui
	// Name is how the user named what was checked, if there are several reports; "": the
	// program's path.
	Name string

	// Dir is the folder to which the paths of files are relative.
	Dir string
	// Source returns the lines of a file; nil if they are not known.
	Source func(file string) []string
}

// A Program is what was checked.
type Program struct {
	Path       string // as it was given
	Args       []string
	ExitCode   *int // nil for a tape, which does not know it
	Events     int
	Operations int
	Passes     int
	Failure    *Failure // the exception that ended it
	WorldSize  int      // number of ranks of a distributed program, of which this is one or several
	// Explained reports whether a finding says why the program failed.
	Explained bool
	// Stderr is the end of what the program wrote there, if it failed without an
	// exception that was recorded.
	Stderr string
}

// A Failure is an exception that ended a program.
type Failure struct {
	Type, Message string
	At            graph.Frame
}

// A Format is a way to write a report.
type Format struct {
	Name, About string
	// write writes one report or several, of which each is of another program or tape.
	write func(w io.Writer, reports []*Report, o Options) error
}

// Options say how a report looks.
type Options struct {
	Color    bool // of text
	Evidence bool // text says what speaks for each finding, and against it
}

// Formats are all formats.
var Formats = []Format{
	{"text", "for people", writeText},
	{"json", "for programs: docs/use/check.md describes it", writeJSON},
	{"sarif", "SARIF 2.1.0, for code scanning", writeSARIF},
	{"junit", "JUnit XML, for test reports", writeJUnit},
	{"github", "annotations of GitHub workflows", writeGitHub},
}

// FindFormat finds a format by its name.
func FindFormat(name string) (Format, error) {
	for _, f := range Formats {
		if f.Name == name {
			return f, nil
		}
	}
	return Format{}, suggest.Unknown("format", name, FormatNames())
}

// FormatNames lists the formats.
func FormatNames() (names []string) {
	for _, f := range Formats {
		names = append(names, f.Name)
	}
	return names
}

// Write writes a report.
func (f Format) Write(w io.Writer, r *Report, o Options) error { return f.write(w, []*Report{r}, o) }

// WriteAll writes the reports of several programs and tapes as one.
func (f Format) WriteAll(w io.Writer, reports []*Report, o Options) error {
	return f.write(w, reports, o)
}

// title is the heading of a report among several.
func (r *Report) title() string { return console.OneLine(cmp.Or(r.Name, r.Program.Path)) }

// Failing counts the findings that fail the check.
func (r *Report) Failing() (n int) {
	for _, f := range r.Findings {
		if f.Severity >= r.FailOn {
			n++
		}
	}
	return n
}

// Ended says how the program failed, in a sentence; "" if it did not.
func (r *Report) Ended() string {
	p := &r.Program
	switch {
	case p.Failure != nil:
		text := "the program ended with " + p.Failure.Type
		if p.Failure.At.Line > 0 {
			text += fmt.Sprintf(" at %s:%d", r.file(p.Failure.At.File), p.Failure.At.Line)
		}
		if !p.Explained {
			text += ", which no finding explains"
		}
		if m := firstLine(p.Failure.Message); m != "" {
			text += ": " + m
		}
		return text
	case p.ExitCode != nil && *p.ExitCode != 0 && r.Incomplete == "":
		text := fmt.Sprintf("the program ended with exit code %d", *p.ExitCode)
		if !p.Explained {
			text += ", which no finding explains"
		}
		return text
	}
	return ""
}

// Unchecked says why the program, or a part of it, could not be checked; "" if all of it was.
func (r *Report) Unchecked() string {
	if r.Incomplete != "" {
		return "the check is not complete: " + r.Incomplete
	}
	if r.Program.Explained {
		return ""
	}
	return r.Ended()
}

// Verdict is the result in a few words: "2 errors, 1 warning".
func (r *Report) Verdict() string {
	var parts []string
	for _, s := range []inspect.Severity{inspect.SeverityError, inspect.SeverityWarning, inspect.SeverityHint} {
		n := 0
		for _, f := range r.Findings {
			if f.Severity == s {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, count(n, s.String()))
		}
	}
	if r.Script != "" {
		parts = append(parts, "the check script failed")
	}
	text := strings.Join(parts, ", ")
	switch {
	case text != "":
	case r.Program.Events == 0 && r.Incomplete != "":
		text = "not checked"
	case r.Audit != nil && r.Audit.Verdict() == audit.Unknown:
		text = fmt.Sprintf("step %d is not judged", r.Audit.Step.Number)
	default:
		text = fmt.Sprintf("no problems found in %s, %s", count(r.Program.Operations, "operation"), count(r.Program.Passes, "backward pass"))
	}
	var more []string
	if r.Ignored > 0 {
		more = append(more, fmt.Sprintf("%d ignored", r.Ignored))
	}
	if r.Expected > 0 {
		more = append(more, fmt.Sprintf("%d expected", r.Expected))
	}
	if n := len(r.Hints); n > 0 {
		codes := slices.Compact(slices.Sorted(slices.Values(r.Hints)))
		more = append(more, count(n, "hint")+" not shown: "+strings.Join(codes, ", "))
	}
	if len(more) > 0 {
		text += " (" + strings.Join(more, ", ") + ")"
	}
	return text
}

// count writes a number and the word for it.
func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	if strings.HasSuffix(word, "s") {
		word += "e"
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// maxMessage bounds what is shown of an exception's text.
const maxMessage = 160

// firstLine returns the first line of a message, cut if it is long.
func firstLine(message string) string {
	text, _, more := strings.Cut(strings.TrimSpace(message), "\n")
	if runes := []rune(text); len(runes) > maxMessage {
		text, more = string(runes[:maxMessage]), true
		if i := strings.LastIndexByte(text, ' '); i > 0 {
			text = text[:i]
		}
	}
	if more {
		text += " …"
	}
	return text
}

// file is a file's name relative to the report's folder, with slashes, if it is
// below that.
func (r *Report) file(name string) string {
	if r.Dir != "" && filepath.IsAbs(name) {
		if below, err := filepath.Rel(r.Dir, name); err == nil && filepath.IsLocal(below) {
			name = below
		}
	}
	return filepath.ToSlash(name)
}
