package policy

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/audit"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// A comment ignores findings of its statement: # gradtui: ignore[code, code].
type comment struct {
	file        string
	line        int
	col, end    int      // bytes of the line, from 1
	first, last int      // lines of the statement
	codes       []string // nil: all
	used        map[string]bool
}

var marker = regexp.MustCompile(`gradtui:\s*ignore\b\s*(\[[^\]]*\]?)?`)

// comments finds the comments of a file that ignore findings.
func comments(file string, lines []string) (found []comment) {
	if !slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, "gradtui:") }) {
		return nil
	}
	s := scanner{syntax: syntaxOf(file)}
	pending := 0 // the first comment of the statement that is being read
	first := 1
	for i, text := range lines {
		start := s.line(text)
		if start >= 0 {
			if m := marker.FindStringSubmatchIndex(text[start:]); m != nil {
				codes := ""
				if m[2] >= 0 {
					codes = text[start+m[2] : start+m[3]]
				}
				found = append(found, comment{
					file: file, line: i + 1, col: start + 1, end: len(strings.TrimRight(text, " \t\r")) + 1,
					codes: codesOf(codes), used: map[string]bool{},
				})
			}
		}
		if s.open() && i < len(lines)-1 {
			continue
		}
		for ; pending < len(found); pending++ {
			found[pending].first, found[pending].last = first, i+1
		}
		first = i + 2
	}
	return found
}

// codesOf returns the codes in brackets. A bracket that is not closed is a code that no
// rule has.
func codesOf(brackets string) []string {
	if brackets == "" {
		return nil
	}
	inner, closed := strings.CutSuffix(brackets[1:], "]")
	if !closed {
		return []string{brackets}
	}
	codes := []string{}
	for _, code := range strings.Split(inner, ",") {
		codes = append(codes, strings.TrimSpace(code))
	}
	return codes
}

// ignoredByComment reports whether a comment of the finding's statement ignores it.
func ignoredByComment(list []comment, f inspect.Finding) (ignored bool) {
	for i := range list {
		c := &list[i]
		if c.file != f.Primary.File || c.last < f.Primary.Line || c.first > max(f.Primary.Line, f.Primary.EndLine) {
			continue
		}
		if c.codes == nil || slices.Contains(c.codes, f.Code) {
			c.used[f.Code] = true
			ignored = true
		}
	}
	return ignored
}

// unused returns hints about comments that ignore nothing. It is silent about codes whose rules
// did not run: an audit has to be asked for.
func unused(list []comment, ran []inspect.Rule, allRan bool) (hints []inspect.Finding) {
	for _, c := range list {
		if c.codes == nil && len(c.used) == 0 && allRan {
			hints = append(hints, c.hint("this comment ignores nothing: there are no findings here"))
		}
		for _, code := range c.codes {
			known := CheckCodes([]string{code}, ran)
			switch {
			case c.used[code]:
			case known == nil:
				hints = append(hints, c.hint("this comment ignores nothing: there is no finding of `"+code+"` here"))
			case allRan && !slices.Contains(audit.Codes, code):
				hints = append(hints, c.hint("this comment ignores nothing: "+known.Error()))
			}
		}
	}
	return hints
}

// UnusedIgnore is the code of hints about comments.
const UnusedIgnore = "unused-ignore"

func (c *comment) hint(message string) inspect.Finding {
	return inspect.Finding{
		Code: UnusedIgnore, Severity: inspect.SeverityHint, Message: message, Count: 1, At: -1, Symptom: -1,
		Primary: inspect.Span{Frame: graph.Frame{File: c.file, Line: c.line, Col: c.col, EndLine: c.line, EndCol: c.end}, At: -1},
		Help:    "remove it, or name the code of the finding that it should ignore",
	}
}

// A syntax holds what a scanner has to know about a language.
type syntax struct {
	comment  string   // what begins one
	brackets string   // in pairs; inside them a statement continues on the next line
	long     []string // quotes of strings that may have several lines
	quotes   string   // of other strings
	joins    bool     // a backslash at the end of a line joins it with the next one
}

var (
	pythonSyntax = syntax{comment: "#", brackets: "()[]{}", long: []string{`"""`, `'''`}, quotes: `"'`, joins: true}
	goSyntax     = syntax{comment: "//", brackets: "()[]", long: []string{"`"}, quotes: `"'`}
)

func syntaxOf(file string) *syntax {
	if filepath.Ext(file) == ".go" {
		return &goSyntax
	}
	return &pythonSyntax
}

// A scanner reads source code line by line, to distinguish comments from strings and to see
// where statements end.
type scanner struct {
	*syntax
	depth  int    // of brackets
	quote  string // of the long string that the line begins in
	joined bool   // a backslash joins the next line
}

// open reports whether the statement continues on the next line.
func (s *scanner) open() bool { return s.depth > 0 || s.quote != "" || s.joined }

// line reads a line and says where its comment begins; -1: it has none.
func (s *scanner) line(text string) (start int) {
	text = strings.TrimRight(text, "\r")
	s.joined = false
	for i := 0; i < len(text); {
		rest := text[i:]
		long := slices.IndexFunc(s.long, func(q string) bool { return strings.HasPrefix(rest, q) })
		switch c := text[i]; {
		case s.quote != "":
			n := strings.Index(rest, s.quote)
			if n < 0 {
				return -1
			}
			if !escaped(rest[:n]) || s.quote == "`" {
				i, s.quote = i+n+len(s.quote), ""
			} else {
				i += n + 1
			}
		case strings.HasPrefix(rest, s.comment):
			return i
		case long >= 0:
			s.quote = s.long[long]
			i += len(s.quote)
		case strings.IndexByte(s.quotes, c) >= 0:
			i += quoted(rest)
		case c == '\\' && i == len(text)-1:
			s.joined = s.joins
			i++
		default:
			if at := strings.IndexByte(s.brackets, c); at >= 0 {
				s.depth = max(s.depth+1-2*(at%2), 0)
			}
			i++
		}
	}
	return -1
}

// escaped reports whether text ends with an odd number of backslashes.
func escaped(text string) bool {
	return (len(text)-len(strings.TrimRight(text, `\`)))%2 == 1
}

// quoted returns the length of the string that text begins with; one that is not closed
// ends with the line.
func quoted(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i + 1
		}
	}
	return len(text)
}
