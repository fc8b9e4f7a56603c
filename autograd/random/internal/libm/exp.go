// After the exponential function of Arm's optimized routines, https://github.com/ARM-software/optimized-routines,
// math/exp.c. Copyright (c) 2018, Arm Limited. SPDX-License-Identifier: MIT
// (text in NOTICE). Rewritten in Go, fewer arguments.

package libm

import "math"

// expPoly approximates exp(r) = 1 + r + expPoly[0]*r^2 + ... for |r| < ln2/256.
var expPoly = [4]float64{
	0x1.ffffffffffdbdp-2, 0x1.555555555543cp-3, 0x1.55555cf172b91p-5, 0x1.1111167a4d017p-7,
}

// Exp returns e to the power x. For |x| < 512, where neither the result nor a
// step overflows, it gives glibc's bits; other numbers go to [math.Exp], which
// may differ in the last bit.
func Exp(x float64) float64 {
	switch a := math.Abs(x); {
	case !(a < 512):
		return math.Exp(x)
	case a < 0x1p-54:
		return 1 + x
	}
	// x = k*ln2/128 + r, so exp(x) = 2^(k/128) * exp(r).
	const (
		perStep  = 0x1.71547652b82fep0 * 128 // 128/ln 2
		stepHi   = -0x1.62e42fefap-8         // -ln2/128 in two parts
		stepLo   = -0x1.cf79abc9e3b3ap-47
		rounding = 0x1.8p52 // adding it rounds to an integer, in the low bits
	)
	kd := fma(perStep, x, rounding)
	k := math.Float64bits(kd)
	kd -= rounding
	r := fma(kd, stepLo, fma(kd, stepHi, x))

	row := &expTable[k%128]
	scale := math.Float64frombits(row[1] + k<<45)
	r2 := float64(r * r)
	t := fma(r2, fma(r, expPoly[1], expPoly[0]), math.Float64frombits(row[0])+r)
	t = fma(float64(r2*r2), fma(r, expPoly[3], expPoly[2]), t)
	return fma(scale, t, scale)
}
