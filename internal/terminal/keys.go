package terminal

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// keyboard is how the program wants keys to be encoded.
type keyboard struct {
	application  bool // cursor keys in application mode (DECCKM)
	disambiguate bool // the kitty protocol's flag of that name
}

// A special key ends its control sequence with a letter, or with a number and a tilde.
// The letters P to S are F1 to F4, which begin with SS3 where there is no modifier.
var special = map[string]struct {
	number int
	final  byte
}{
	"up": {1, 'A'}, "down": {1, 'B'}, "right": {1, 'C'}, "left": {1, 'D'},
	"home": {1, 'H'}, "end": {1, 'F'},
	"f1": {1, 'P'}, "f2": {1, 'Q'}, "f3": {1, 'R'}, "f4": {1, 'S'},
	"insert": {2, '~'}, "delete": {3, '~'}, "pgup": {5, '~'}, "pgdown": {6, '~'},
	"f5": {15, '~'}, "f6": {17, '~'}, "f7": {18, '~'}, "f8": {19, '~'},
	"f9": {20, '~'}, "f10": {21, '~'}, "f11": {23, '~'}, "f12": {24, '~'},
}

// plain are the keys that are a character since the days of the teletype.
var plain = map[string]rune{"enter": '\r', "tab": '\t', "backspace": 0x7f, "esc": 0x1b, "space": ' '}

// The modifiers, as bits of a parameter that counts from one.
const (
	shift = 1 << iota
	alt
	ctrl
)

var modifiers = map[string]int{"shift": shift, "alt": alt, "ctrl": ctrl}

// encode is what a key sends: xterm's sequences, and the kitty protocol's for the keys
// that are ambiguous in those, if the program has asked for it.
func (k keyboard) encode(name string) (string, error) {
	held, key := 0, name
	for {
		modifier, rest, ok := strings.Cut(key, "+")
		if !ok || rest == "" || modifiers[modifier] == 0 {
			break
		}
		held, key = held|modifiers[modifier], rest
	}
	if s, ok := special[key]; ok {
		switch {
		case held != 0:
			return fmt.Sprintf("\x1b[%d;%d%c", s.number, held+1, s.final), nil
		case s.final == '~':
			return fmt.Sprintf("\x1b[%d~", s.number), nil
		case k.application, s.final >= 'P' && s.final <= 'S':
			return "\x1bO" + string(s.final), nil
		}
		return "\x1b[" + string(s.final), nil
	}
	character, ok := plain[key]
	if !ok {
		var size int
		if character, size = utf8.DecodeRuneInString(key); size == 0 || size != len(key) {
			return "", fmt.Errorf("there is no key %q", name)
		}
	}
	if k.disambiguate && (character == 0x1b || held&(alt|ctrl) != 0 || held != 0 && ok) {
		if held == 0 {
			return "\x1b[27u", nil
		}
		return fmt.Sprintf("\x1b[%d;%du", character, held+1), nil
	}
	return legacy(name, character, held)
}

// legacy is what a key sends where a modifier has to be part of the character.
func legacy(name string, character rune, held int) (string, error) {
	sequence := string(character)
	switch {
	case held&^alt == 0:
	case held&^alt == shift && character == '\t':
		sequence = "\x1b[Z"
	case held&^alt == ctrl && (character >= '@' && character <= '_' || character >= 'a' && character <= 'z'):
		sequence = string(character & 0x1f)
	case held&^alt == ctrl && character == ' ':
		sequence = "\x00"
	default:
		return "", fmt.Errorf("this terminal cannot send the key %q", name)
	}
	if held&alt != 0 {
		sequence = "\x1b" + sequence
	}
	return sequence, nil
}
