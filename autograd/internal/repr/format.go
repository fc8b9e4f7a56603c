package repr

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// FormatFloat is Python's format(v, spec) for a float: ".2f", ">10", "+.3e",
// ",.0f", "%" and so on. The empty spec gives [Float]. Errors are of type
// [*Error] with CPython's message.
func FormatFloat(v float64, spec string) (string, error) {
	if spec == "" {
		return Float(v), nil
	}
	s, err := parseSpec(spec, "float")
	if err != nil {
		return "", err
	}
	return s.float(v)
}

// FormatInt is Python's format(v, spec) for an int, which also accepts the
// codes for floats.
func FormatInt(v int64, spec string) (string, error) {
	if spec == "" {
		return strconv.FormatInt(v, 10), nil
	}
	return formatInt(v, spec, "int")
}

// FormatBool is Python's format(v, spec) for a bool: its name for the empty
// spec, otherwise the format of the int 0 or 1.
func FormatBool(v bool, spec string) (string, error) {
	switch {
	case spec == "":
		return boolName(v), nil
	case v:
		return formatInt(1, spec, "bool")
	}
	return formatInt(0, spec, "bool")
}

func formatInt(v int64, text, class string) (string, error) {
	s, err := parseSpec(text, class)
	if err != nil {
		return "", err
	}
	base, ok := bases[s.code]
	switch {
	case s.code == 'c':
		return s.character(v)
	case !ok && strings.ContainsRune(floatCodes, s.code):
		return s.float(float64(v))
	case !ok:
		return "", s.unknownCode()
	}
	if err := s.wholeOnly(); err != nil {
		return "", err
	}
	abs := uint64(v)
	if v < 0 {
		abs = -abs
	}
	n := number{negative: v < 0, digits: strconv.FormatUint(abs, base)}
	if base != 10 && s.alternate {
		n.prefix = "0" + string(s.code)
	}
	if s.code == 'X' {
		n.digits = strings.ToUpper(n.digits)
	}
	return s.layOut(n)
}

// floatCodes are the type codes for floats.
const floatCodes = "eEfFgGn%"

// bases maps the type codes for ints to their base.
var bases = map[rune]int{0: 10, 'd': 10, 'n': 10, 'b': 2, 'o': 8, 'x': 16, 'X': 16}

// wholeOnly refuses the parts of a spec that are valid only for floats.
func (s *spec) wholeOnly() error {
	switch {
	case s.precision != unset:
		return valueError("Precision not allowed in integer format specifier")
	case s.noNegativeZero:
		return valueError("Negative zero coercion (z) not allowed in integer format specifier")
	}
	return nil
}

// character formats v as the character with that number. A surrogate, which a
// Go string cannot hold, becomes U+FFFD.
func (s *spec) character(v int64) (string, error) {
	if err := s.wholeOnly(); err != nil {
		return "", err
	}
	switch {
	case s.sign != 0:
		return "", valueError("Sign not allowed with integer format specifier 'c'")
	case s.alternate:
		return "", valueError("Alternate form (#) not allowed with integer format specifier 'c'")
	case v < 0 || v > utf8.MaxRune:
		return "", &Error{Exception: "OverflowError", Message: "%c arg not in range(0x110000)"}
	}
	return s.layOut(number{rest: string(rune(v))})
}

// float formats v with a code for floats, or without a code.
func (s *spec) float(v float64) (string, error) {
	if s.code != 0 && !strings.ContainsRune(floatCodes, s.code) {
		return "", s.unknownCode()
	}
	if s.precision > math.MaxInt32 {
		return "", valueError("precision too big")
	}
	if s.precision > longest {
		return "", outOfMemory()
	}
	if s.code == '%' {
		v *= 100
	}
	negative := v < 0 || v == 0 && math.Signbit(v)
	v = math.Abs(v)
	text := nonFinite(v)
	if text == "" {
		text = s.magnitude(v)
		if s.noNegativeZero && !strings.ContainsAny(text, "123456789") {
			negative = false
		}
	}
	switch s.code {
	case 'E', 'F', 'G':
		text = strings.ToUpper(text)
	case '%':
		text += "%"
	}
	digits := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	if digits < 0 {
		digits = len(text)
	}
	return s.layOut(number{negative: negative, digits: text[:digits], rest: text[digits:]})
}

// magnitude formats a finite v >= 0 by the code.
func (s *spec) magnitude(v float64) string {
	precision := s.precision
	switch {
	case s.code == 0 && precision == unset:
		return general(v, shortest, s.alternate, true)
	case s.code == 0:
		return general(v, max(1, precision), s.alternate, true)
	case precision == unset:
		precision = 6
	}
	switch s.code {
	case 'e', 'E':
		return render(v, 'e', precision, s.alternate)
	case 'g', 'G', 'n':
		return render(v, 'g', precision, s.alternate)
	}
	return render(v, 'f', precision, s.alternate)
}

// number is a formatted number, in the parts that layOut needs.
type number struct {
	negative bool
	prefix   string // for example "0x"
	digits   string // before the point; these are grouped
	rest     string // from the point on, or all of a text that is not a number
}

// layOut adds the sign, separators and padding.
func (s *spec) layOut(n number) (string, error) {
	if s.width > longest {
		return "", outOfMemory()
	}
	sign := ""
	switch {
	case n.negative:
		sign = "-"
	case s.sign == '+' || s.sign == ' ':
		sign = string(s.sign)
	}
	lead := sign + n.prefix
	digits := n.digits
	if digits != "" {
		room := 0
		if s.fill == '0' && s.align == '=' {
			room = s.width - len(lead) - utf8.RuneCountInString(n.rest)
		}
		digits = s.group(digits, room)
	}
	body := digits + n.rest
	padding := max(0, s.width-len(lead)-utf8.RuneCountInString(body))
	fill := func(n int) string { return strings.Repeat(string(s.fill), n) }
	switch s.align {
	case '<':
		return lead + body + fill(padding), nil
	case '^':
		return fill(padding/2) + lead + body + fill(padding-padding/2), nil
	case '=':
		return lead + fill(padding) + body, nil
	}
	return fill(padding) + lead + body, nil
}

// group inserts separators between the digits, after leading zeros that fill
// room columns. A group is never empty, so the text may be one column longer.
func (s *spec) group(digits string, room int) string {
	size := s.groupSize()
	if size == 0 {
		return strings.Repeat("0", max(0, room-len(digits))) + digits
	}
	// With n digits there are (n-1)/size separators.
	zeros := 0
	for n := len(digits); n+(n-1)/size < room; n++ {
		zeros++
	}
	digits = strings.Repeat("0", zeros) + digits
	var b strings.Builder
	for i, d := range []byte(digits) {
		if i > 0 && (len(digits)-i)%size == 0 {
			b.WriteRune(s.separator)
		}
		b.WriteByte(d)
	}
	return b.String()
}
