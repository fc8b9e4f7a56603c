package repr

import (
	"fmt"
	"math"
	"strings"
)

// spec is a format specification for a number:
//
//	[[fill]align][sign][z][#][0][width][separator][.precision][code]
type spec struct {
	class          string // Python class of the number, for messages
	fill           rune
	align          rune // one of < > = ^
	sign           rune // one of + - and space, or zero
	noNegativeZero bool
	alternate      bool
	width          int  // minimum number of columns, or unset
	separator      rune // separator of groups of digits: a comma, an underscore or zero
	precision      int  // number after the point, or unset
	code           rune // the letter at the end, or zero
}

// unset is the width or precision of a spec without one.
const unset = -1

// longest is the largest supported width or precision. Beyond it a MemoryError
// is returned, which CPython raises only for much larger values.
const longest = 1 << 20

// parseSpec parses the format specification for a number of a Python class.
func parseSpec(text, class string) (*spec, error) {
	s := &spec{class: class, fill: ' ', align: '>', width: unset, precision: unset}
	in := reader(text)
	zeroFills, zeroAligns := true, true
	if len(in) >= 2 && isOneOf(in[1], alignments) {
		s.fill, s.align = in[0], in[1]
		zeroFills, zeroAligns = false, false
		in = in[2:]
	} else if r := in.accept(alignments); r != 0 {
		s.align = r
		zeroAligns = false
	}
	s.sign = in.accept("+- ")
	s.noNegativeZero = in.accept("z") != 0
	s.alternate = in.accept("#") != 0
	if zeroFills && in.accept("0") != 0 {
		s.fill = '0'
		if zeroAligns {
			s.align = '='
		}
	}
	var err error
	if s.width, err = in.integer(); err != nil {
		return nil, err
	}
	if s.separator, err = in.separator(); err != nil {
		return nil, err
	}
	if in.accept(".") != 0 {
		if s.precision, err = in.integer(); err != nil {
			return nil, err
		}
		if s.precision == unset {
			return nil, valueError("Format specifier missing precision")
		}
	}
	switch len(in) {
	case 0:
	case 1:
		s.code = in[0]
	default:
		return nil, valueError("Invalid format specifier '%s' for object of type '%s'", text, class)
	}
	if s.separator != 0 && s.groupSize() == 0 {
		return nil, valueError("Cannot specify '%c' with '%s'.", s.separator, codeName(s.code))
	}
	return s, nil
}

// groupSize returns the number of digits between two separators, or zero if
// there is no separator or the code does not allow it.
func (s *spec) groupSize() int {
	switch {
	case s.separator == 0:
		return 0
	case s.code == 0 || isOneOf(s.code, "deEfFgG%"):
		return 3
	case s.separator == '_' && isOneOf(s.code, "boxX"):
		return 4
	}
	return 0
}

const alignments = "<>=^"

func isOneOf(r rune, set string) bool { return strings.ContainsRune(set, r) }

// reader is the rest of a specification.
type reader []rune

// accept takes the next character if it is in set, and returns zero otherwise.
func (in *reader) accept(set string) rune {
	if len(*in) == 0 || !isOneOf((*in)[0], set) {
		return 0
	}
	r := (*in)[0]
	*in = (*in)[1:]
	return r
}

// integer takes a decimal number, or returns unset if there is none.
func (in *reader) integer() (int, error) {
	n := unset
	for d := in.accept("0123456789"); d != 0; d = in.accept("0123456789") {
		n = max(n, 0)
		if n > (math.MaxInt-int(d-'0'))/10 {
			return 0, valueError("Too many decimal digits in format string")
		}
		n = n*10 + int(d-'0')
	}
	return n, nil
}

// separator takes a comma or an underscore, or returns zero.
func (in *reader) separator() (rune, error) {
	comma := in.accept(",")
	underscore := in.accept("_")
	if underscore == 0 {
		return comma, nil
	}
	if comma != 0 || in.accept(",") != 0 {
		return 0, valueError("Cannot specify both ',' and '_'.")
	}
	return underscore, nil
}

// unknownCode returns the error for a code that the class does not support.
func (s *spec) unknownCode() error {
	return valueError("Unknown format code '%s' for object of type '%s'", codeName(s.code), s.class)
}

// codeName returns a type code as messages show it: itself, or its number if it
// is not a printable ASCII character.
func codeName(r rune) string {
	if r > ' ' && r < 128 {
		return string(r)
	}
	return fmt.Sprintf(`\x%x`, r)
}

func valueError(format string, args ...any) error {
	return &Error{Exception: "ValueError", Message: fmt.Sprintf(format, args...)}
}

func outOfMemory() error { return &Error{Exception: "MemoryError"} }
