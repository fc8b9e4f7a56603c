package libm

import "math"

// pi/2 as float64 and the remainder, and pi/2 in pieces short enough for their
// products with a small integer to be exact.
const (
	halfPi     = 0x1.921fb54442d18p0
	halfPiTail = 0x1.1a62633145c07p-54

	reduce1 = 0x1.921fb58p0
	reduce2 = -0x1.dde973cp-27
	reduce3 = -0x1.cb3b398p-55
	reduce4 = -0x1.d747f23e32ed7p-83
	// reduce34 stands for reduce3 and reduce4 where one piece is enough.
	reduce34 = -0x1.cb3b399d747f2p-55

	perHalfPi = 0x1.45f306dc9c883p-1 // 2/pi
	toInteger = 0x1.8p52             // adding it rounds to an integer in the low bits
)

// Polynomials of the sine and cosine: the first for |x| < 0.126, the others
// for the distance to the next multiple of 1/128.
var (
	sinSeries = [5]float64{
		-0x1.5555555555555p-3, 0x1.1111111110ecep-7, -0x1.a01a019db08b8p-13,
		0x1.71de27b9a7ed9p-19, -0x1.addffc2fcdf59p-26,
	}
	sinStep = [2]float64{-1.66666666666664880952546298448555e-01, 8.33333214285722277379541354343671e-03}
	cosStep = [3]float64{4.99999999999999999999950396842453e-01, -4.16666666666664434524222570944589e-02, 1.38888874007937613028114285595617e-03}
)

// SinCos returns the sine and the cosine of x, |x| < 1e8. Larger numbers go to
// [math.Sincos], which may differ in the last bit.
func SinCos(x float64) (sin, cos float64) {
	// The bounds are compared on the high 32 bits of |x|.
	switch high := math.Float64bits(math.Abs(x)) >> 32; {
	case high < 0x3e400000: // |x| < 2^-27
		return x, 1
	case high < 0x3feb6000: // |x| < 0.855469
		return sinNear(x, 0), cosNear(x, 0)
	case high < 0x400368fd: // |x| < 2.426265
		y := halfPi - math.Abs(x)
		a := y + halfPiTail
		da := (y - a) + halfPiTail
		return math.Copysign(cosNear(a, da), x), sinNear(a, da)
	case high >= 0x419921fb: // |x| >= 105414350
		return math.Sincos(x)
	}
	n := fma(x, perHalfPi, toInteger)
	quadrant := math.Float64bits(n) & 3
	n -= toInteger
	y := fma(-n, reduce2, fma(-n, reduce1, x))
	t := fma(-n, reduce3, y)
	da := fma(-n, reduce3, y-t)
	a := fma(-n, reduce4, t)
	da += fma(-n, reduce4, t-a)

	sin, cos = sinNear(a, da), cosNear(a, da)
	switch quadrant {
	case 1:
		return cos, -sin
	case 2:
		return -sin, -cos
	case 3:
		return -cos, sin
	}
	return sin, cos
}

// gridPoint returns the table row of the multiple of 1/128 nearest to |x| and
// |x| less that multiple.
func gridPoint(x float64) (row *[4]float64, rest float64) {
	const grid = 0x1.8p45 // adding it rounds to a multiple of 1/128
	a := math.Abs(x)
	u := grid + a
	return &sinCosTable[uint32(math.Float64bits(u))], a - (u - grid)
}

// sinNear returns sin(x+dx) for |x| < 0.86, dx being far smaller than x.
func sinNear(x, dx float64) float64 {
	if math.Abs(x) < 0.126 {
		s := &sinSeries
		xx := float64(x * x)
		p := fma(fma(fma(fma(s[4], xx, s[3]), xx, s[2]), xx, s[1]), xx, s[0])
		return x + fma(fma(p, x, -float64(0.5*dx)), xx, dx)
	}
	if x <= 0 {
		dx = -dx
	}
	row, r := gridPoint(x)
	sn, snTail, cs, csTail := row[0], row[1], row[2], row[3]
	rr := float64(r * r)
	s := r + fma(float64(r*rr), fma(rr, sinStep[1], sinStep[0]), dx)
	c := fma(r, dx, float64(rr*fma(rr, fma(rr, cosStep[2], cosStep[1]), cosStep[0])))
	return math.Copysign(sn+fma(cs, s, fma(-sn, c, fma(s, csTail, snTail))), x)
}

// cosNear returns cos(x+dx) for |x| < 0.86, dx being far smaller than x.
func cosNear(x, dx float64) float64 {
	if x < 0 {
		dx = -dx
	}
	row, r := gridPoint(x)
	sn, snTail, cs, csTail := row[0], row[1], row[2], row[3]
	r += dx
	rr := float64(r * r)
	s := fma(float64(r*rr), fma(rr, sinStep[1], sinStep[0]), r)
	c := float64(rr * fma(rr, fma(rr, cosStep[2], cosStep[1]), cosStep[0]))
	return cs + fma(-sn, s, fma(-cs, c, fma(-s, snTail, csTail)))
}

// tanSeries is the tangent's polynomial for |x| <= 0.0608, tanStep the one for
// the distance to the next point of tanTable.
var (
	tanSeries = [5]float64{
		0x1.5555555555555p-2, 0x1.11111111107c6p-3, 0x1.ba1ba1cdb8745p-5,
		0x1.664ed49cfc666p-6, 0x1.2385a3cf2e4eap-7,
	}
	tanStep = [2]float64{0x1.5555555554dbdp-2, 0x1.11112e0a6b45fp-3}
)

// tanSmall bounds the range of tanSeries.
const tanSmall = 0x1.f212dp-5

// tanTerms returns tan(x) - x for |x| <= tanSmall, added to tail.
func tanTerms(x, tail float64) float64 {
	d := &tanSeries
	xx := float64(x * x)
	p := fma(xx, fma(xx, fma(xx, fma(xx, d[4], d[3]), d[2]), d[1]), d[0])
	return fma(float64(x*xx), p, tail)
}

// Tan returns the tangent of x, |x| <= 25. Larger numbers go to [math.Tan],
// which may differ in the last bit.
func Tan(x float64) float64 {
	switch w := math.Abs(x); {
	case !(w <= 25):
		return math.Tan(x)
	case w <= 0x1.b096cp-27: // 1.259e-8
		return x
	case w <= tanSmall:
		return tanTerms(x, x)
	case w <= 0x1.92f1ap-1: // 0.787
		row, z := tanPoint(w)
		return math.Copysign(tanFrom(row, tanRest(z)), x)
	}
	n := fma(x, perHalfPi, toInteger)
	odd := math.Float64bits(n)&1 != 0 // the result is -cot of the rest, not tan
	n -= toInteger
	y := fma(-n, reduce2, fma(-n, reduce1, x))
	a := fma(-n, reduce34, y)
	da := fma(-n, reduce34, y-a)

	if math.Abs(a) <= tanSmall {
		t := tanTerms(a, da)
		if !odd {
			return a + t
		}
		// The quotient -1/(a+t) with a correction for its rounding.
		b := a + t
		var db float64
		if math.Abs(a) > math.Abs(t) {
			db = a - b + t
		} else {
			db = t - b + a
		}
		q := 1 / b
		u := float64(q * b)
		rest := fma(-q, db, 1-u-fma(q, b, -u)) / b
		hi := q + rest
		return -(hi + (q - hi + rest))
	}
	sign := 1.0
	if a < 0 {
		sign, a, da = -1, -a, -da
	}
	row, z := tanPoint(a)
	p := tanRest(z + da)
	if odd {
		tan, cot := row[1], row[2]
		return -sign * (cot - float64(p*(tan+cot))/(tan+p))
	}
	return sign * tanFrom(row, p)
}

// tanPoint returns the row of tanTable nearest to w and the way from there to w.
func tanPoint(w float64) (row *[3]float64, z float64) {
	row = &tanTable[int(fma(256, w, -15.5))]
	return row, w - row[0]
}

// tanRest returns tan(z) for |z| < 1/512.
func tanRest(z float64) float64 {
	zz := float64(z * z)
	return fma(float64(z*zz), fma(zz, tanStep[1], tanStep[0]), z)
}

// tanFrom returns the tangent of the point of a row plus a rest whose tangent is p.
func tanFrom(row *[3]float64, p float64) float64 {
	tan, cot := row[1], row[2]
	return tan + float64(p*(cot+tan))/(cot-p)
}
