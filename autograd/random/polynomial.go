// After sse_mathfun.h, by Julien Pommier, and avx_mathfun.h, Copyright (C) 2012
// Giovanni Garberoglio, under the zlib license (text in NOTICE). This is an
// altered version: scalar, in Go, with fused multiply-adds.

package random

import "math"

// This file holds the float32 functions of PyTorch's vectorized Box-Muller
// (ATen/native/cpu/avx_mathfun.h, after Pommier's sse_mathfun and Moshier's
// Cephes library), each operation rounded to float32. Products that are rounded
// before they are added are written as conversions, which keeps Go from fusing
// them.

// mul returns x*y, which is exact in float64.
func mul(x, y float32) float64 { return float64(x) * float64(y) }

// add32 returns p + z rounded once to float32, where p is a product of two
// float32 and z is a float32: together with mul, a fused multiply-add. Results
// below smallestNormal may be rounded twice. The body is small enough to be
// inlined.
func add32(p, z float64) float32 {
	// Only a float64 sum halfway between two float32 can be rounded wrongly.
	if math.Float64bits(p+z)<<35 == 1<<63 {
		return add32Exact(p, z)
	}
	return float32(p + z)
}

// smallestNormal is the number below which float32 has fewer than 24 bits.
const smallestNormal = 0x1p-126

// fma32 returns x*y + z rounded once to float32.
func fma32(x, y, z float32) float32 {
	if r := add32(mul(x, y), float64(z)); !(math.Abs(float64(r)) <= smallestNormal) {
		return r
	}
	return add32Exact(mul(x, y), float64(z))
}

// add32Exact is add32 for all results: it rounds the sum to float64 towards an
// odd last bit, so that the side of a tie on which the exact sum lies stays
// visible.
func add32Exact(p, z float64) float32 {
	s := p + z
	v := s - p
	rest := (p - (s - v)) + (z - v) // rounding error of s
	if b := math.Float64bits(s); rest != 0 && b&1 == 0 && !math.IsInf(s, 0) {
		if (rest > 0) == (s > 0) {
			b++
		} else {
			b--
		}
		s = math.Float64frombits(b)
	}
	return float32(s)
}

// Coefficients, from the highest power down: of the logarithm of 1+x from x^3
// up, of the sine of x and the cosine of x from x^3 and x^4 up.
var (
	log32Poly = [9]float32{
		7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1,
		1.4249322787e-1, -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1,
		3.3333331174e-1,
	}
	sin32Poly = [3]float32{-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1}
	cos32Poly = [3]float32{2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2}
)

// log32 returns the natural logarithm of a normal number x > 0.
func log32(x float32) float32 {
	// x = m * 2^e with m in [0.5, 1), then m in [sqrt(1/2), sqrt(2)), minus 1.
	bits := math.Float32bits(x)
	e := float32(int32(bits>>23) - 126)
	m := math.Float32frombits(bits&(1<<23-1) | 126<<23)
	x = m - 1
	if m < 0.707106781186547524 {
		e--
		x += m
	}
	z := float32(x * x)
	p := log32Poly[0]
	for _, c := range log32Poly[1:] {
		p = add32(mul(p, x), float64(c))
	}
	p = float32(p * x)
	p = add32(mul(p, z), float64(float32(e*-2.12194440e-4)))
	p = add32(mul(-z, 0.5), float64(p))
	return add32(mul(e, 0.693359375), float64(x+p))
}

// sinCos32 returns the sine and cosine of x, 0 <= x < 8192.
func sinCos32(x float32) (sin, cos float32) {
	// Subtract j quarters of pi from x, j even, in three steps.
	j := (int32(float32(x*1.27323954473516)) + 1) &^ 1
	n := float32(j)
	x = add32(mul(-0.78515625, n), float64(x))
	x = add32(mul(-2.4187564849853515625e-4, n), float64(x))
	x = add32(mul(-3.77489497744594108e-8, n), float64(x))
	z := float32(x * x)

	c := add32(mul(cos32Poly[0], z), float64(cos32Poly[1]))
	c = add32(mul(c, z), float64(cos32Poly[2]))
	c = float32(c * z)
	c = add32(mul(c, z), -float64(float32(z*0.5)))
	c++

	s := add32(mul(sin32Poly[0], z), float64(sin32Poly[1]))
	s = add32(mul(s, z), float64(sin32Poly[2]))
	s = float32(s * z)
	s = add32(mul(s, x), float64(x))

	switch j >> 1 & 3 {
	case 1:
		return c, -s
	case 2:
		return -s, -c
	case 3:
		return -c, s
	}
	return s, c
}
