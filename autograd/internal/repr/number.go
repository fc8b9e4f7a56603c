package repr

import (
	"math"
	"strconv"
	"strings"
)

// Float is Python's repr of a float: the shortest decimal that reads back as
// the same float, always with a point or an exponent. The exponent form is used
// below 1e-4 and from 1e16 on.
func Float(v float64) string {
	if name := nonFinite(v); name != "" {
		return name
	}
	text := general(math.Abs(v), shortest, false, true)
	if math.Signbit(v) {
		return "-" + text
	}
	return text
}

// shortest asks for the fewest digits that identify a float.
const shortest = -1

// render formats a finite v >= 0 in the notation of a Python format code, one
// of e, f, g, with precision digits. alt is the "#" flag: it keeps the point
// and the trailing zeros of a g.
func render(v float64, code byte, precision int, alt bool) string {
	if code == 'g' {
		return general(v, max(1, precision), alt, false)
	}
	text := strconv.FormatFloat(v, code, precision, 64)
	if precision > 0 || !alt {
		return text
	}
	mantissa, exponent, found := strings.Cut(text, "e")
	if !found {
		return text + "."
	}
	return mantissa + ".e" + exponent
}

// general formats a finite v >= 0 with the given number of significant digits,
// or with the fewest that identify it. It uses an exponent only if the plain
// form would be long. With point, a plain form without a fraction ends in ".0",
// and that digit counts against the limit of the plain form.
func general(v float64, digits int, alt, point bool) string {
	limit := 16 // number of digits before the point
	if digits != shortest {
		limit = digits
		if point {
			limit--
		}
		digits-- // number of digits after the first
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', digits, 64), "e")
	ds := strings.Replace(mantissa, ".", "", 1)
	if !alt {
		ds = ds[:1] + strings.TrimRight(ds[1:], "0")
	}
	// before is the position of the point among the digits.
	before, _ := strconv.Atoi(exponent)
	before++
	switch {
	case before <= -4 || before > limit:
		if len(ds) > 1 || alt {
			ds = ds[:1] + "." + ds[1:]
		}
		return ds + "e" + exponent
	case before <= 0:
		return "0." + strings.Repeat("0", -before) + ds
	case len(ds) > before:
		return ds[:before] + "." + ds[before:]
	}
	ds += strings.Repeat("0", before-len(ds))
	switch {
	case point:
		return ds + ".0"
	case alt:
		return ds + "."
	}
	return ds
}
