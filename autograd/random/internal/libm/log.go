package libm

import "math"

// ln 2 in two parts: the high part times a small integer is exact.
const (
	logLn2Hi = 0x1.62e42fefa38p-1
	logLn2Lo = 0x1.ef35793c7673p-45
)

// logNear approximates (ln(1+r) - r + r*r/2) / r^3 for -1/16 <= r < 0.0647.
var logNear = [10]float64{
	0x1.5555555555577p-2, -0x1.ffffffffffdcbp-3, 0x1.999999995dd0cp-3,
	-0x1.55555556745a7p-3, 0x1.24924a344de3p-3, -0x1.fffffa4423d65p-4,
	0x1.c7184282ad6cap-4, -0x1.999eb43b068ffp-4, 0x1.78182f7afd085p-4,
	-0x1.5521375d145cdp-4,
}

// logFar approximates (ln(1+r) - r) / r^2 for |r| < 0x1.fp-9.
var logFar = [5]float64{
	-0x1.0000000000001p-1, 0x1.555555551305bp-2, -0x1.fffffffeb459p-3,
	0x1.999b324f10111p-3, -0x1.55575e506c89fp-3,
}

// Log returns the natural logarithm of x, 0 <= x <= 1; Log(0) is -Inf.
// Subnormal numbers and numbers outside the range go to [math.Log].
func Log(x float64) float64 {
	switch {
	case !(x >= 0x1p-1022 && x <= 1):
		return math.Log(x)
	case x == 1:
		return 0
	case x >= 1-0x1p-4:
		return logNearOne(x - 1)
	}
	// x = 2^k * z with z in [0x1.6p-1, 0x1.6p0), and z = c * (1+r) for the c of
	// the table nearest to z: ln x = k ln 2 + ln c + ln(1+r).
	const start = 0x3fe6000000000000 // the bits of 0x1.6p-1
	bits := math.Float64bits(x)
	offset := bits - start
	row := &logTable[offset>>45%128]
	k := float64(int64(offset) >> 52)
	z := math.Float64frombits(bits - offset&(0xfff<<52))

	r := fma(z, row[0], -1)
	w := fma(k, logLn2Hi, row[1])
	hi := w + r
	lo := fma(k, logLn2Lo, w-hi+r)

	r2 := float64(r * r)
	p := fma(r2, fma(r, logFar[4], logFar[3]), fma(r, logFar[2], logFar[1]))
	return fma(float64(r*r2), p, fma(r2, logFar[0], lo)) + hi
}

// logNearOne returns ln(1+r) for -1/16 <= r < 0: a polynomial whose first two
// terms, r - r*r/2, are summed with extra precision.
func logNearOne(r float64) float64 {
	b := &logNear
	r2 := float64(r * r)
	r3 := float64(r * r2)
	p := fma(r3, b[9], fma(r2, b[8], fma(r, b[7], b[6])))
	p = fma(r3, p, fma(r2, b[5], fma(r, b[4], b[3])))
	p = fma(r3, p, fma(r2, b[2], fma(r, b[1], b[0])))

	const split = 0x1p27
	rhi := r + float64(r*split) - float64(r*split)
	rlo := r - rhi
	w := float64(rhi*rhi) * -0.5 // exact: rhi has 26 bits
	hi := r + w
	lo := r - hi + w
	lo = fma(-0.5*rlo, rhi+r, lo)
	return fma(r3, p, lo) + hi
}

const (
	log1pLn2Hi = 0x1.62e42feep-1
	log1pLn2Lo = 0x1.a39ef35793c76p-33
)

// log1pPoly approximates (ln(1+f) - 2s) / s in powers of s*s, s = f/(2+f).
var log1pPoly = [7]float64{
	6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01,
	2.222219843214978396e-01, 1.818357216161805012e-01, 1.531383769920937332e-01,
	1.479819860511658591e-01,
}

// Log1p returns ln(1+x) for -1 < x <= 0, accurate also where x is tiny.
// Numbers outside the range go to [math.Log1p].
func Log1p(x float64) float64 {
	switch {
	case !(x > -1 && x <= 0):
		return math.Log1p(x)
	case x > -0x1p-54:
		return x
	case x > -0x1p-29:
		return x - float64(x*x)*0.5
	}
	// 1+x = 2^k * (1+f) with sqrt(1/2) < 1+f < sqrt(2); c is what rounding 1+x
	// to u lost, relative to u.
	var k, c float64
	f := x
	near := false // whether |f| < 2^-20
	if math.Float64bits(-x)>>32 > 0x3fd2bec3 {
		u := 1 + x
		c = (x - (u - 1)) / u
		bits := math.Float64bits(u)
		k = float64(int(bits>>52) - 1023)
		mantissa := bits >> 32 & 0xfffff // its leading 20 bits
		exponent := uint64(0x3ff) << 52
		if mantissa >= 0x6a09e {
			k++
			exponent = 0x3fe << 52
			mantissa = (0x100000 - mantissa) >> 2
		}
		near = mantissa == 0
		f = math.Float64frombits(bits&(1<<52-1)|exponent) - 1
	}
	half := float64(0.5 * f * f)
	if near {
		if f == 0 {
			return fma(k, log1pLn2Hi, fma(k, log1pLn2Lo, c))
		}
		r := float64(half * fma(-0.66666666666666666, f, 1))
		return fma(k, log1pLn2Hi, -(r - fma(k, log1pLn2Lo, c) - f))
	}
	s := f / (2 + f)
	p := &log1pPoly
	z := float64(s * s)
	z2 := float64(z * z)
	z4 := float64(z2 * z2)
	z6 := float64(z4 * z2)
	r := fma(z, p[0], float64(z2*fma(z, p[2], p[1])))
	r = fma(z4, fma(z, p[4], p[3]), r)
	r = fma(z6, fma(z, p[6], p[5]), r)
	t := float64(s * (half + r))
	if k == 0 {
		return f - (half - t)
	}
	return fma(k, log1pLn2Hi, -(half - (t + fma(k, log1pLn2Lo, c)) - f))
}
