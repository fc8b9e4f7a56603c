package pysyntax

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// A kind says what a token is.
type kind uint8

const (
	endOfLine kind = iota // of a logical line
	name                  // also keywords
	number
	text // a string literal
	operator
)

type token struct {
	kind       kind
	start, end int
	is         string // the text of names and operators
}

// errTokens is returned for a text that Python cannot read.
var errTokens = errors.New("not the text of a Python program")

// operators, the longest first.
var operators = []string{
	"**=", "//=", ">>=", "<<=", "...",
	"!=", "->", ":=", "**", "//", ">>", "<<", "<=", ">=", "==", "+=", "-=", "*=", "/=", "%=", "@=", "&=", "|=", "^=",
	"+", "-", "*", "/", "%", "@", "&", "|", "^", "~", "<", ">", "(", ")", "[", "]", "{", "}", ",", ":", ".", ";", "=",
}

// tokens reads a text into tokens, without comments; each logical line ends with endOfLine.
func tokens(src string) (all []token, err error) {
	depth := 0
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case c == '\r' && !strings.HasPrefix(src[i:], "\r\n"):
			return nil, errTokens // a line of its own for Python, and for nothing else
		case c == '\n':
			if n := len(all); depth == 0 && n > 0 && all[n-1].kind != endOfLine {
				all = append(all, token{kind: endOfLine, start: i, end: i})
			}
			i++
		case c == ' ' || c == '\t' || c == '\f' || c == '\r':
			i++
		case c == '#':
			for i < len(src) && src[i] != '\n' {
				i++
			}
		case c == '\\':
			rest := strings.TrimPrefix(src[i+1:], "\r")
			if !strings.HasPrefix(rest, "\n") {
				return nil, errTokens
			}
			i = len(src) - len(rest) + 1
		case c == '"' || c == '\'':
			end, ok := literal(src, i, "")
			if !ok {
				return nil, errTokens
			}
			all = append(all, token{kind: text, start: i, end: end})
			i = end
		case c >= '0' && c <= '9' || c == '.' && i+1 < len(src) && src[i+1] >= '0' && src[i+1] <= '9':
			end := i + 1
			for end < len(src) && (isWord(src[end]) || src[end] == '.' || (src[end] == '+' || src[end] == '-') && exponent(src[i:end])) {
				end++
			}
			all = append(all, token{kind: number, start: i, end: end})
			i = end
		case isWord(c):
			end := i + 1
			for end < len(src) && isWord(src[end]) {
				end++
			}
			if end < len(src) && (src[end] == '"' || src[end] == '\'') && isPrefix(src[i:end]) {
				stop, ok := literal(src, end, strings.ToLower(src[i:end]))
				if !ok {
					return nil, errTokens
				}
				all = append(all, token{kind: text, start: i, end: stop})
				i = stop
				continue
			}
			all = append(all, token{name, i, end, src[i:end]})
			i = end
		default:
			found := ""
			for _, op := range operators {
				if strings.HasPrefix(src[i:], op) {
					found = op
					break
				}
			}
			switch found {
			case "":
				return nil, errTokens
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				depth--
			}
			if depth < 0 {
				return nil, errTokens
			}
			all = append(all, token{operator, i, i + len(found), found})
			i += len(found)
		}
	}
	if depth != 0 {
		return nil, errTokens
	}
	if n := len(all); n > 0 && all[n-1].kind != endOfLine {
		all = append(all, token{kind: endOfLine, start: len(src), end: len(src)})
	}
	return all, nil
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

// exponent reports whether a sign belongs to the number before it.
func exponent(digits string) bool {
	last := digits[len(digits)-1]
	return (last == 'e' || last == 'E') && !strings.HasPrefix(strings.ToLower(digits), "0x")
}

func isPrefix(word string) bool {
	switch strings.ToLower(word) {
	case "r", "b", "u", "f", "t", "rb", "br", "rf", "fr", "rt", "tr":
		return true
	}
	return false
}

// literal returns the end of a string literal whose quote is at a position.
func literal(src string, at int, prefix string) (end int, ok bool) {
	quote := src[at : at+1]
	if strings.HasPrefix(src[at:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	formatted := strings.ContainsAny(prefix, "ft")
	for i := at + len(quote); i < len(src); {
		switch {
		case strings.HasPrefix(src[i:], quote):
			return i + len(quote), true
		case src[i] == '\\':
			i += 2
		case src[i] == '\n' && len(quote) == 1:
			return 0, false
		case formatted && strings.HasPrefix(src[i:], "{{"):
			i += 2
		case formatted && src[i] == '{':
			if i, ok = field(src, i+1); !ok {
				return 0, false
			}
		default:
			i++
		}
	}
	return 0, false
}

// field returns the end of a replacement field of a formatted string, behind its brace.
func field(src string, at int) (end int, ok bool) {
	depth := 1
	for i := at; i < len(src); {
		switch c := src[i]; {
		case c == '"' || c == '\'':
			start := i
			for start > at && isWord(src[start-1]) {
				start--
			}
			prefix := ""
			if isPrefix(src[start:i]) {
				prefix = strings.ToLower(src[start:i])
			}
			if i, ok = literal(src, i, prefix); !ok {
				return 0, false
			}
			continue
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1, true
			}
		}
		i++
	}
	return 0, false
}
