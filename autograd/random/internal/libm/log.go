// After the logarithm of Arm's optimized routines, https://github.com/ARM-software/optimized-routines,
// math/log.c. Copyright (c) 2018, Arm Limited. SPDX-License-Identifier: MIT
// (text in NOTICE). Rewritten in Go, fewer arguments.

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
