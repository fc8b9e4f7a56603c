// After FreeBSD's msun, s_log1p.c, with the order of terms that Naohiko Shimizu
// gave its polynomial for pipelined processors. Rewritten in Go, fewer
// arguments.
//
// ====================================================
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
//
// Developed at SunPro, a Sun Microsystems, Inc. business.
// Permission to use, copy, modify, and distribute this
// software is freely granted, provided that this notice
// is preserved.
// ====================================================

package libm

import "math"

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

// Log1p returns ln(1+x) for -1 < x <= 0, accurate even for tiny x. Numbers
// outside the range go to [math.Log1p].
func Log1p(x float64) float64 {
	switch {
	case !(x > -1 && x <= 0):
		return math.Log1p(x)
	case x > -0x1p-54:
		return x
	case x > -0x1p-29:
		return x - float64(x*x)*0.5
	}
	// 1+x = 2^k * (1+f) with sqrt(1/2) < 1+f < sqrt(2); c is the rounding error
	// of u = 1+x, relative to u.
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
