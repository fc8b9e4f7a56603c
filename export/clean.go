package export

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLabel bounds the names in pictures, in characters. Names on a tape have no
// bound that a picture could live with.
const maxLabel = 120

// label makes a name fit for a line of a picture or of text: one line of at most
// limit characters, free of what clean takes out.
func label(s string, limit int) string {
	return cut(strings.Map(func(r rune) rune {
		switch r {
		case '\n', '\r', '\t', '\v', '\f':
			return ' '
		}
		return visible(r)
	}, within(s, limit)), limit)
}

// titled is a label that is not blank: Graphviz refuses empty markup.
func titled(s string) string {
	if s = label(s, maxLabel); strings.TrimSpace(s) == "" {
		return "(no name)"
	}
	return s
}

// clean takes out what must not reach a picture: control characters, those that
// change the direction of the text around them or cannot be seen, and those that
// XML forbids. Line breaks and tabs stay.
func clean(s string, limit int) string {
	return cut(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		return visible(r)
	}, within(s, limit)), limit)
}

func visible(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		if r < ' ' || r == 0x7f {
			return unicode.ReplacementChar
		}
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Zl, unicode.Zp),
		r >= 0xFFFE && r&0xFFFE == 0xFFFE, r >= 0xFDD0 && r <= 0xFDEF:
		return unicode.ReplacementChar
	}
	return r
}

// within cuts a string off where limit characters have certainly passed, so that
// the rest need not be looked at.
func within(s string, limit int) string {
	if most := (limit + 1) * utf8.UTFMax; len(s) > most {
		return s[:most]
	}
	return s
}

// cut shortens a string to limit characters; the last one then is "…".
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	n := 0
	for i := range s {
		if n++; n == limit {
			if _, size := utf8.DecodeRuneInString(s[i:]); i+size < len(s) {
				return s[:i] + "…"
			}
			break
		}
	}
	return s
}

// fit shortens a line to some columns of a terminal; the last one then holds
// "…".
func fit(s string, columns int) string {
	n, end := 0, 0 // end: where columns-1 are used up
	for i, r := range s {
		n += columnsOf(r)
		if n > columns {
			return s[:end] + "…"
		}
		if n < columns {
			end = i + utf8.RuneLen(r)
		}
	}
	return s
}

// columnsOf is how wide a terminal draws a character.
func columnsOf(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana),
		r >= 0xFF01 && r <= 0xFF60, r >= 0x1F300 && r <= 0x1FAFF:
		return 2
	}
	return 1
}
