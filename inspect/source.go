package inspect

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gradtui/gradtui/graph"
)

// sources are the files of the program: those on the tape, and those that it leaves out
// and that may be read.
type sources struct {
	read  func(name string, e *graph.SourceRead) ([]byte, error)
	lines map[string][]string
	order []string // the files, as the tape has them
}

func (s *sources) add(file string, e *graph.SourceRead) {
	text := e.Text
	if e.LeftOut != "" {
		if s.read == nil {
			return
		}
		read, err := s.read(file, e)
		if err != nil {
			return
		}
		text = string(read)
	}
	if s.lines[file] == nil {
		s.order = append(s.order, file)
	}
	s.lines[file] = split(text)
}

// Source returns the text of a file in lines; nil if it is not known.
func (h *History) Source(file string) []string { return h.sources.lines[file] }

// split returns the lines of a file in UTF-8, in which columns count. A Python file in
// another encoding says so, and that is Latin-1 or close to it.
func split(text string) []string {
	if !utf8.ValidString(text) {
		runes := make([]rune, len(text))
		for i := range len(text) {
			runes[i] = rune(text[i])
		}
		text = string(runes)
	}
	return strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n")
}

// Sources returns the names of the files whose text is known, sorted.
func (h *History) Sources() []string { return slices.Sorted(maps.Keys(h.sources.lines)) }

// ProgramSources returns the source files of the program itself, sorted by name: not those
// that came with Python or were installed.
func (h *History) ProgramSources() []string {
	return slices.DeleteFunc(h.Sources(), libraryFile.MatchString)
}

// LineText returns a line of a file, counted from 1; "" if it is not known.
func (h *History) LineText(file string, line int) string {
	lines := h.Source(file)
	if line < 1 || line > len(lines) {
		return ""
	}
	return strings.TrimRight(lines[line-1], "\r")
}

// Text returns the source text of a frame: the columns that are known, or the line
// without its comment.
func (h *History) Text(f graph.Frame) string {
	first := h.LineText(f.File, f.Line)
	if f.Col < 1 || f.Col > len(first)+1 {
		return strings.TrimSpace(withoutComment(first))
	}
	if f.EndLine <= f.Line {
		if f.EndCol > f.Col && f.EndCol <= len(first)+1 {
			return first[f.Col-1 : f.EndCol-1]
		}
		return first[f.Col-1:]
	}
	var b strings.Builder
	b.WriteString(first[f.Col-1:])
	for n := f.Line + 1; n <= f.EndLine && n < f.Line+50; n++ {
		text := h.LineText(f.File, n)
		if n == f.EndLine && f.EndCol >= 1 && f.EndCol <= len(text)+1 {
			text = text[:f.EndCol-1]
		}
		b.WriteString("\n" + text)
	}
	return b.String()
}

// withoutComment cuts a Python or Go comment off a line; a # or // inside a
// string literal stays.
func withoutComment(line string) string {
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#', c == '/' && strings.HasPrefix(line[i:], "//") && strings.Contains(line, "//\t"):
			return line[:i]
		}
	}
	return line
}

// Mentions reports whether code names a variable or attribute as a whole word:
// "self.h" in "f(self.h)", not in "self.h2" or "myself.h".
func Mentions(code, name string) bool {
	for from := 0; ; {
		i := strings.Index(code[from:], name)
		if i < 0 || name == "" {
			return false
		}
		i += from
		before := i == 0 || name[0] == '.' || !isWord(code[i-1]) && code[i-1] != '.'
		end := i + len(name)
		after := end == len(code) || !isWord(code[end])
		if before && after {
			return true
		}
		from = i + 1
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// indent returns the width of a line's indentation, -1 for an empty line.
func indent(line string) int {
	trimmed := strings.TrimLeft(line, " \t")
	if trimmed == "" || trimmed[0] == '#' {
		return -1
	}
	return len(line) - len(trimmed)
}

var definition = regexp.MustCompile(`^\s*(async\s+)?def\s|^\s*class\s`)

// Function returns the first and the last line of the Python function or class whose
// body holds a line; the whole file for a line outside all of them.
func (h *History) Function(file string, line int) (first, last int) {
	lines := h.Source(file)
	if line < 1 || line > len(lines) {
		return 0, 0
	}
	level := indent(lines[line-1])
	for n := line - 1; n >= 1 && level > 0; n-- {
		if in := indent(lines[n-1]); in >= 0 && in < level {
			level = in
			if definition.MatchString(lines[n-1]) {
				return n, h.BlockEnd(file, n)
			}
		}
	}
	return 1, len(lines)
}

// BlockEnd returns the last line of the block that a line begins.
func (h *History) BlockEnd(file string, first int) int {
	lines := h.Source(file)
	level := indent(lines[first-1])
	last := first
	for n := first + 1; n <= len(lines); n++ {
		in := indent(lines[n-1])
		if in >= 0 && in <= level && !strings.HasPrefix(strings.TrimSpace(lines[n-1]), ")") {
			break
		}
		if in >= 0 {
			last = n
		}
	}
	return last
}

// Find returns the first line between two lines that matches.
func (h *History) Find(file string, first, last int, pattern *regexp.Regexp) (line int, ok bool) {
	lines := h.Source(file)
	for n := max(first, 1); n <= min(last, len(lines)); n++ {
		if pattern.MatchString(withoutComment(lines[n-1])) {
			return n, true
		}
	}
	return 0, false
}

// LineSpan returns a whole line of a file.
func (h *History) LineSpan(file string, line int, label string) Span {
	text := h.LineText(file, line)
	code := strings.TrimRight(withoutComment(text), " \t")
	start := len(code) - len(strings.TrimLeft(code, " \t"))
	return Span{
		Frame: graph.Frame{File: file, Line: line, Col: start + 1, EndLine: line, EndCol: len(code) + 1},
		Label: label, At: -1,
	}
}
