package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
)

// In JUnit's terms the check of a program is a suite; each rule is a case that passes
// if it found nothing, and else one case for each finding. The program itself is a
// case as well, so that a program that could not be checked does not pass. The schema that most
// readers share, Jenkins's, has no file and line for a case: its name has them.

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Failure *junitProblem `xml:"failure"`
	Error   *junitProblem `xml:"error"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

func writeJUnit(w io.Writer, reports []*Report, _ Options) error {
	var all junitSuites
	for _, r := range reports {
		s := r.junit()
		all.Tests, all.Failures, all.Errors = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors
		all.Suites = append(all.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, obeyedByNone(visible(string(text)))+"\n")
	return err
}

// obeyedByNone writes as references what CI services, which show reports in their logs, look for:
// ##[error] anywhere, and ::error:: at the beginning of a line. Markup has neither.
func obeyedByNone(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(text, "##", "#&#x23;")) {
		if console.BeginsCommand(line) {
			line = strings.Replace(line, ":", "&#x3A;", 1)
		}
		b.WriteString(line)
	}
	return b.String()
}

// visible writes invisible characters as references; encoding/xml has replaced the characters that
// XML cannot have.
func visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == '\n' || r == unicode.ReplacementChar || console.Shown(r) == r {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "&#x%X;", r)
		}
	}
	return b.String()
}

func (r *Report) junit() junitSuite {
	class := "gradtui." + console.OneLine(r.Program.Path)
	s := junitSuite{Name: "gradtui check " + console.OneLine(r.Program.Path)}
	program := junitCase{Name: "program", Class: class, Out: r.Verdict()}
	if why := r.Unchecked(); why != "" {
		program.Error = &junitProblem{Message: console.OneLine(why), Type: "incomplete"}
		s.Errors++
	}
	s.Cases = append(s.Cases, program)
	if r.Script != "" {
		problem := &junitProblem{Message: console.OneLine(r.Script), Type: "script"}
		s.Cases = append(s.Cases, junitCase{Name: "script", Class: class, Failure: problem})
		s.Failures++
	}
	found := map[string]bool{}
	for _, f := range r.Findings {
		found[f.Code] = true
		c := r.junitFinding(f, class)
		if c.Failure != nil {
			s.Failures++
		}
		s.Cases = append(s.Cases, c)
	}
	for _, rule := range r.Rules {
		if !found[rule.Code] {
			s.Cases = append(s.Cases, junitCase{Name: rule.Code, Class: class})
		}
	}
	s.Tests = len(s.Cases)
	return s
}

// junitFinding is a case that always reports the finding, and fails if the finding fails the
// check.
func (r *Report) junitFinding(f inspect.Finding, class string) junitCase {
	c := junitCase{Name: f.Code, Class: class}
	if l := r.locate(f.Primary); l.Line > 0 {
		c.Name = fmt.Sprintf("%s %s:%d", f.Code, console.OneLine(l.File), l.Line)
	}
	if f.Severity >= r.FailOn {
		c.Failure = &junitProblem{Message: console.OneLine(r.message(f)), Type: f.Severity.String(), Text: r.whole(f)}
	} else {
		c.Out = f.Severity.String() + ": " + r.whole(f)
	}
	return c
}
