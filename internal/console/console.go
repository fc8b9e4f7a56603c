// Package console prepares text for terminals: it makes what comes from programs
// safe, measures it in columns, and wraps it.
package console

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// Printable makes text from programs and files safe for the terminal: control
// characters are shown, not obeyed. Line breaks and tabs stay.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		return Shown(r)
	}, s)
}

// OneLine is text as Printable makes it, with a space for each run of white space.
func OneLine(s string) string { return Printable(strings.Join(strings.Fields(s), " ")) }

// Shown is a rune as a terminal may show it: a picture for a control character, a
// replacement for everything else that is not a character.
func Shown(r rune) rune {
	switch {
	case r < 0x20:
		return 0x2400 + r // the picture of the control character
	case r == 0x7f:
		return 0x2421
	case !unicode.IsPrint(r) && !joins(r):
		return unicode.ReplacementChar
	}
	return r
}

// joins reports whether a rune is drawn as a part of the one before it.
func joins(r rune) bool { return unicode.In(r, unicode.Mn, unicode.Me) }

// RuneWidth is how many columns a printable rune takes: 0 for one that is drawn as a
// part of the one before it.
func RuneWidth(r rune) int {
	if joins(r) {
		return 0
	}
	if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
		return 2
	}
	return 1
}

// Width is how many columns printable text without tabs takes.
func Width(s string) (columns int) {
	for _, r := range s {
		columns += RuneWidth(r)
	}
	return columns
}

// Wrap breaks text into lines of at most so many columns, between words. Code in
// backticks counts as one word, but a word that is longer than a line stays whole
// only if it has no spaces.
func Wrap(text string, columns int) (lines []string) {
	line, used := "", 0
	for _, word := range words(text, columns) {
		n := Width(word)
		if line != "" && used+1+n > columns {
			lines = append(lines, line)
			line, used = "", 0
		}
		if line != "" {
			line, used = line+" ", used+1
		}
		line, used = line+word, used+n
	}
	return append(lines, line)
}

// words splits text at white space outside backticks, and within them where
// the code would not fit on a line.
func words(text string, columns int) (list []string) {
	for _, field := range strings.Fields(text) {
		last := len(list) - 1
		if last >= 0 && strings.Count(list[last], "`")%2 == 1 && Width(list[last])+1+Width(field) <= columns {
			list[last] += " " + field
			continue
		}
		list = append(list, field)
	}
	return list
}
