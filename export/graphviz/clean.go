package graphviz

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// reference matches a numeric character reference.
var reference = regexp.MustCompile(`&#(?:[0-9]+|x[0-9A-Fa-f]+);`)

// cleanXML replaces the characters that XML 1.0 forbids by U+FFFD: Graphviz
// passes them on from labels, as they are and as character references.
func cleanXML(svg []byte) []byte {
	if bytes.IndexFunc(svg, forbidden) >= 0 {
		svg = bytes.Map(func(r rune) rune {
			if forbidden(r) {
				return utf8.RuneError
			}
			return r
		}, svg)
	}
	return reference.ReplaceAllFunc(svg, func(ref []byte) []byte {
		number, base := string(ref[2:len(ref)-1]), 10
		if hex, ok := strings.CutPrefix(number, "x"); ok {
			number, base = hex, 16
		}
		if n, err := strconv.ParseInt(number, base, 32); err == nil && !forbidden(rune(n)) {
			return ref
		}
		return utf8.AppendRune(nil, utf8.RuneError)
	})
}

// forbidden reports whether r is not a Char of XML 1.0, section 2.2.
func forbidden(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' ||
		r == 0xfffe || r == 0xffff || !utf8.ValidRune(r)
}
