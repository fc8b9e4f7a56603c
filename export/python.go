package export

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// bareID is what python-graphviz writes without quotes (graphviz.quoting.ID).
var bareID = regexp.MustCompile(`^(?:[a-zA-Z_][a-zA-Z0-9_]*|-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?))$`)

var dotKeywords = map[string]bool{"node": true, "edge": true, "graph": true, "digraph": true, "subgraph": true, "strict": true}

// pythonQuote writes a DOT identifier as python-graphviz 0.20 does: bare where
// that is allowed, raw when it looks like markup (<…>), else in quotes. Quotes
// inside are escaped, and backslashes are left to Graphviz.
//
// It differs where python-graphviz writes what is not DOT: a backslash at the end
// is doubled, and a newline at the end brings quotes. Markup with tags or entities
// is quoted: a name must not bring links and pictures along, nor break the label.
func pythonQuote(b []byte, s string) []byte {
	if isMarkup(s) {
		return append(b, s...)
	}
	if bareID.MatchString(s) && !dotKeywords[strings.ToLower(s)] {
		return append(b, s...)
	}
	b = append(b, '"')
	slashes := 0
	for i := range len(s) {
		switch s[i] {
		case '\\':
			slashes++
			b = append(b, '\\')
			continue
		case '"':
			if slashes%2 == 0 {
				b = append(b, '\\')
			}
		}
		slashes = 0
		b = append(b, s[i])
	}
	if slashes%2 == 1 {
		b = append(b, '\\')
	}
	return append(b, '"')
}

// isMarkup reports whether python-graphviz would take s for an HTML-like label,
// and Graphviz for one that is nothing but text.
func isMarkup(s string) bool {
	inner, left := strings.CutPrefix(s, "<")
	inner, right := strings.CutSuffix(inner, ">")
	return left && right && strings.TrimSpace(inner) != "" && !strings.ContainsAny(inner, "<>&")
}

// pythonFloat writes a float below 1e16 as Python's repr does.
func pythonFloat(f float64) string {
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// pad adds spaces on the left (width > 0) or on the right (width < 0), as
// Python's %5s and %-5s do.
func pad(b []byte, s string, width int) []byte {
	n := utf8.RuneCountInString(s)
	for i := n; i < width; i++ {
		b = append(b, ' ')
	}
	b = append(b, s...)
	for i := n; i < -width; i++ {
		b = append(b, ' ')
	}
	return b
}

// firstChars is s[:n] in Python.
func firstChars(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
