// Package dotlang reads the DOT language: a lexer that keeps source positions,
// a reader for the attributed graphs that Graphviz writes back (Parse), and
// the small repairs that a text needs before the embedded Graphviz sees it
// (Prepare).
//
// The grammar is https://graphviz.org/doc/info/lang.html. Where the page is
// silent (escapes inside quotes, "#" lines, glued quoted strings) the package
// follows the lexer of Graphviz 12.
package dotlang

import (
	"bytes"
	"fmt"
)

// SyntaxError says where a text stops being DOT.
type SyntaxError struct {
	Line    int // 1-based
	Message string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d: %s", e.Line, e.Message)
}

// kind classifies a token. Punctuation is its own byte: '{', '}', '[', ']',
// ';', ',', ':', '=', '+'.
type kind byte

const (
	endOfText kind = 0
	bareID    kind = 'a' // an identifier or a number
	quotedID  kind = '"'
	htmlID    kind = '<'
	edgeOp    kind = '-' // -> or --
)

// token is a piece of the text: src[start:end] with its quotes.
type token struct {
	kind       kind
	start, end int
	line       int // of the first byte
}

// isID reports whether the token can name or be the value of something.
func (t token) isID() bool {
	return t.kind == bareID || t.kind == quotedID || t.kind == htmlID
}

// lexer cuts a text into tokens.
type lexer struct {
	src  []byte
	pos  int
	line int
}

func newLexer(src []byte) *lexer {
	l := &lexer{src: src, line: 1}
	if bytes.HasPrefix(src, []byte("\ufeff")) {
		l.pos = len("\ufeff")
	}
	return l
}

func (l *lexer) errorf(line int, format string, args ...any) error {
	return &SyntaxError{Line: line, Message: fmt.Sprintf(format, args...)}
}

// next returns the token at the current position and moves past it.
func (l *lexer) next() (token, error) {
	if err := l.skipBlank(); err != nil {
		return token{}, err
	}
	t := token{start: l.pos, line: l.line}
	if l.pos == len(l.src) {
		t.end = l.pos
		return t, nil
	}
	c := l.src[l.pos]
	var err error
	switch {
	case bytes.IndexByte([]byte("{}[];,:=+"), c) >= 0:
		t.kind = kind(c)
		l.pos++
	case c == '"':
		t.kind = quotedID
		err = l.quoted()
	case c == '<':
		t.kind = htmlID
		err = l.html()
	case c == '-' && l.pos+1 < len(l.src) && (l.src[l.pos+1] == '>' || l.src[l.pos+1] == '-'):
		t.kind = edgeOp
		l.pos += 2
	case isNameByte(c) || c == '-' || c == '.':
		t.kind = bareID
		l.bare()
	default:
		err = l.errorf(l.line, "unexpected character %q", c)
	}
	t.end = l.pos
	return t, err
}

// skipBlank passes white space, comments and the "#" lines that a C
// preprocessor leaves.
func (l *lexer) skipBlank() error {
	for l.pos < len(l.src) {
		rest := l.src[l.pos:]
		switch c := rest[0]; {
		case c == '\n':
			l.line++
			l.pos++
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			l.pos++
		case bytes.HasPrefix(rest, []byte("//")), c == '#' && l.atLineStart():
			n := bytes.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			l.pos += n
		case bytes.HasPrefix(rest, []byte("/*")):
			n := bytes.Index(rest[2:], []byte("*/"))
			if n < 0 {
				return l.errorf(l.line, "comment is not closed")
			}
			l.advance(n + 4)
		default:
			return nil
		}
	}
	return nil
}

func (l *lexer) atLineStart() bool {
	return l.pos == 0 || l.src[l.pos-1] == '\n'
}

// advance moves n bytes on and counts the lines in them.
func (l *lexer) advance(n int) {
	l.line += bytes.Count(l.src[l.pos:l.pos+n], []byte("\n"))
	l.pos += n
}

func (l *lexer) quoted() error {
	line := l.line
	for i := l.pos + 1; i < len(l.src); i++ {
		switch l.src[i] {
		case '\\':
			i++ // whatever follows, a quote included, belongs to the string
		case '"':
			l.advance(i + 1 - l.pos)
			return nil
		}
	}
	return l.errorf(line, "string is not closed")
}

// html passes an HTML string: angle brackets that balance, comments aside.
func (l *lexer) html() error {
	line := l.line
	depth := 0
	for i := l.pos; i < len(l.src); i++ {
		switch l.src[i] {
		case '<':
			if bytes.HasPrefix(l.src[i:], []byte("<!--")) {
				n := bytes.Index(l.src[i:], []byte("-->"))
				if n < 0 {
					return l.errorf(line, "HTML comment is not closed")
				}
				i += n + len("-->") - 1
				continue
			}
			depth++
		case '>':
			if depth--; depth == 0 {
				l.advance(i + 1 - l.pos)
				return nil
			}
		}
	}
	return l.errorf(line, "HTML string is not closed")
}

func (l *lexer) bare() {
	l.pos++
	for l.pos < len(l.src) && (isNameByte(l.src[l.pos]) || l.src[l.pos] == '.') {
		l.pos++
	}
}

// isNameByte is generous: it lets numbers and names run together, because the
// text is either Graphviz's own or about to be checked by Graphviz.
func isNameByte(c byte) bool {
	return c >= 0x80 || c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// value returns what an ID token stands for: quoted strings lose their quotes,
// escaped quotes and continued lines; HTML strings lose their outer brackets.
func (l *lexer) value(t token) string {
	raw := l.src[t.start:t.end]
	switch t.kind {
	case quotedID:
		return unquote(raw[1 : len(raw)-1])
	case htmlID:
		return string(raw[1 : len(raw)-1])
	}
	return string(raw)
}

func unquote(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw)
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			out = append(out, raw[i])
			continue
		}
		switch i++; raw[i] {
		case '"':
			out = append(out, '"')
		case '\n':
		case '\r':
			if i+1 < len(raw) && raw[i+1] == '\n' {
				i++
			}
		default:
			out = append(out, '\\', raw[i])
		}
	}
	return string(out)
}
