package kernel

import "math"

// The loops below compute one operator each: d[i] = op(a[i*sa], b[i*sb]). The
// common cases, two rows or a row and a number, are written out.

type number interface{ float32 | float64 | int64 }

// Add stores a+b.
func Add[T number](d, a, b []T, sa, sb int) {
	switch {
	case sa == 1 && sb == 1:
		a, b = a[:len(d)], b[:len(d)]
		for i := range d {
			d[i] = a[i] + b[i]
		}
	case sa == 1 && sb == 0 && len(d) > 0:
		a := a[:len(d)]
		for i, y := 0, b[0]; i < len(d); i++ {
			d[i] = a[i] + y
		}
	default:
		for i, j, k := 0, 0, 0; i < len(d); i, j, k = i+1, j+sa, k+sb {
			d[i] = a[j] + b[k]
		}
	}
}

// Sub stores a-b.
func Sub[T number](d, a, b []T, sa, sb int) {
	switch {
	case sa == 1 && sb == 1:
		a, b = a[:len(d)], b[:len(d)]
		for i := range d {
			d[i] = a[i] - b[i]
		}
	case sa == 1 && sb == 0 && len(d) > 0:
		a := a[:len(d)]
		for i, y := 0, b[0]; i < len(d); i++ {
			d[i] = a[i] - y
		}
	default:
		for i, j, k := 0, 0, 0; i < len(d); i, j, k = i+1, j+sa, k+sb {
			d[i] = a[j] - b[k]
		}
	}
}

// Mul stores a*b.
func Mul[T number](d, a, b []T, sa, sb int) {
	switch {
	case sa == 1 && sb == 1:
		a, b = a[:len(d)], b[:len(d)]
		for i := range d {
			d[i] = a[i] * b[i]
		}
	case sa == 1 && sb == 0 && len(d) > 0:
		a := a[:len(d)]
		for i, y := 0, b[0]; i < len(d); i++ {
			d[i] = a[i] * y
		}
	default:
		for i, j, k := 0, 0, 0; i < len(d); i, j, k = i+1, j+sa, k+sb {
			d[i] = a[j] * b[k]
		}
	}
}

// Div stores a/b for floats.
func Div[T float32 | float64](d, a, b []T, sa, sb int) {
	switch {
	case sa == 1 && sb == 1:
		a, b = a[:len(d)], b[:len(d)]
		for i := range d {
			d[i] = a[i] / b[i]
		}
	case sa == 1 && sb == 0 && len(d) > 0:
		a := a[:len(d)]
		for i, y := 0, b[0]; i < len(d); i++ {
			d[i] = a[i] / y
		}
	default:
		for i, j, k := 0, 0, 0; i < len(d); i, j, k = i+1, j+sa, k+sb {
			d[i] = a[j] / b[k]
		}
	}
}

// Neg stores -a.
func Neg[T number](d, a []T, sa int) {
	for i, j := 0, 0; i < len(d); i, j = i+1, j+sa {
		d[i] = -a[j]
	}
}

// The following functions of single elements are for Map1 and Map2.

// Abs returns |x|.
func Abs[T number](x T) T {
	if x < 0 || x == 0 {
		return 0 - x
	}
	return x
}

// Sign returns -1, 0 or 1; 0 for NaN.
func Sign[T number](x T) T {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// Maximum returns the larger of two numbers, the first if they are equal, or
// NaN if one of them is NaN.
func Maximum[T number](x, y T) T {
	if y != y || x < y {
		return y
	}
	return x
}

// Minimum returns the smaller of two numbers, the first if they are equal, or
// NaN if one of them is NaN.
func Minimum[T number](x, y T) T {
	if y != y || y < x {
		return y
	}
	return x
}

// FMax returns the larger of two numbers; a number wins over NaN.
func FMax[T number](x, y T) T {
	if y != y || x > y {
		return x
	}
	return y
}

// FMin returns the smaller of two numbers; a number wins over NaN.
func FMin[T number](x, y T) T {
	if y != y || x < y {
		return x
	}
	return y
}

// FMod returns the remainder of the division that rounds toward zero; it has
// the sign of x.
func FMod[T float32 | float64](x, y T) T { return T(math.Mod(float64(x), float64(y))) }

// Remainder returns the remainder of the division that rounds down; it has the
// sign of y.
func Remainder[T float32 | float64](x, y T) T {
	m := FMod(x, y)
	if m != 0 && (y < 0) != (m < 0) {
		m += y
	}
	return m
}

// FloorDiv returns x/y rounded down, computed as in Python, so that FloorDiv(x,
// y)*y + Remainder(x, y) is close to x.
func FloorDiv[T float32 | float64](x, y T) T {
	if y == 0 {
		return x / y
	}
	m := FMod(x, y)
	q := (x - m) / y
	if m != 0 && (y < 0) != (m < 0) {
		q--
	}
	if q == 0 {
		return T(math.Copysign(0, float64(x/y)))
	}
	f := T(math.Floor(float64(q)))
	if q-f > 0.5 {
		f++
	}
	return f
}

// TruncDiv returns x/y rounded toward zero.
func TruncDiv[T float32 | float64](x, y T) T { return T(math.Trunc(float64(x / y))) }

// IntTruncDiv returns x/y rounded toward zero. In this and the next three
// functions y must not be 0.
func IntTruncDiv(x, y int64) int64 { return x / y }

// IntFloorDiv returns x/y rounded down.
func IntFloorDiv(x, y int64) int64 {
	q := x / y
	if x%y != 0 && (x < 0) != (y < 0) {
		q--
	}
	return q
}

// IntMod returns the remainder with the sign of x.
func IntMod(x, y int64) int64 { return x % y }

// IntRemainder returns the remainder with the sign of y.
func IntRemainder(x, y int64) int64 {
	m := x % y
	if m != 0 && (m < 0) != (y < 0) {
		m += y
	}
	return m
}

// IntPow returns x to the power n. For negative n the result is 0 unless x is 1
// or -1.
func IntPow(x, n int64) int64 {
	if n < 0 {
		switch {
		case x == 1 || x == -1 && n%2 == 0:
			return 1
		case x == -1:
			return -1
		}
		return 0
	}
	p := int64(1)
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			p *= x
		}
		x *= x
	}
	return p
}

// GCD returns the greatest common divisor.
func GCD(x, y int64) int64 {
	x, y = Abs(x), Abs(y)
	for y != 0 {
		x, y = y, x%y
	}
	return x
}

// LCM returns the least common multiple.
func LCM(x, y int64) int64 {
	g := GCD(x, y)
	if g == 0 {
		return 0
	}
	return Abs(x / g * y)
}
