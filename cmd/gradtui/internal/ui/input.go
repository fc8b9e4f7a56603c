package ui

import (
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/internal/console"
)

// An input is a line of text that the user is typing.
type input struct {
	text []rune
	at   int
}

// maxInput is how many characters can be typed or pasted.
const maxInput = 4096

func (in *input) String() string { return string(in.text) }

func (in *input) set(s string) { in.text = []rune(s); in.at = len(in.text) }

// insert inserts text at the cursor. Line breaks become blanks.
func (in *input) insert(s string) {
	var add []rune
	for _, r := range s {
		if r == '\n' || r == '\r' || r == '\t' {
			r = ' '
		}
		if r != utf8.RuneError && console.Shown(r) == r {
			add = append(add, r)
		}
	}
	add = add[:min(len(add), maxInput-len(in.text))]
	in.text = append(in.text[:in.at:in.at], append(add, in.text[in.at:]...)...)
	in.at += len(add)
}

// press takes a key that edits; false: it does not edit.
func (in *input) press(key tea.KeyPressMsg) bool {
	switch key.String() {
	case "left", "ctrl+b":
		in.at = max(in.at-1, 0)
	case "right", "ctrl+f":
		in.at = min(in.at+1, len(in.text))
	case "home", "ctrl+a":
		in.at = 0
	case "end", "ctrl+e":
		in.at = len(in.text)
	case "backspace", "ctrl+h":
		if in.at > 0 {
			in.text = append(in.text[:in.at-1], in.text[in.at:]...)
			in.at--
		}
	case "delete", "ctrl+d":
		if in.at < len(in.text) {
			in.text = append(in.text[:in.at], in.text[in.at+1:]...)
		}
	case "ctrl+u":
		in.text, in.at = in.text[in.at:], 0
	case "ctrl+k":
		in.text = in.text[:in.at]
	case "ctrl+w":
		from := in.at
		for from > 0 && in.text[from-1] == ' ' {
			from--
		}
		for from > 0 && in.text[from-1] != ' ' {
			from--
		}
		in.text, in.at = append(in.text[:from], in.text[in.at:]...), from
	default:
		if key.Text == "" {
			return false
		}
		in.insert(key.Text)
	}
	return true
}

// draw draws the line, scrolled to its cursor, and returns the cursor's column.
func (in *input) draw(r cells.Region, x, y int, prompt string) int {
	x = r.Text(x, y, keycap, prompt)
	from := in.at
	for room := r.W - x - 1; from > 0; from-- {
		if room -= console.RuneWidth(in.text[from-1]); room < 0 {
			break
		}
	}
	r.Text(x, y, plain, string(in.text[from:]))
	return x + console.Width(string(in.text[from:in.at]))
}
