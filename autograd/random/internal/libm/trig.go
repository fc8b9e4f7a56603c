package libm

import "math"

// trigLimit bounds the arguments of the sine, cosine and tangent in this file.
const trigLimit = 1e5

// halfPi is pi/2 as a sum, to 163 bits: enough bits remain when an argument
// next to a multiple of pi/2 cancels the leading ones.
var halfPi = [3]float64{0x1.921fb54442d18p0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110}

// taylorTerms is the number of terms of a series, taylorPairs the number of
// terms whose coefficients need more than 53 bits. The omitted terms are below
// 2^-115.
const (
	taylorTerms = 14
	taylorPairs = 8
)

// sinTaylor and cosTaylor are the coefficients of (sin r - r)/r^3 and of
// (cos r - 1)/r^2 in powers of r^2.
var sinTaylor, cosTaylor = taylor(3), taylor(2)

// taylor returns -1/n!, 1/(n+2)!, -1/(n+4)! and so on.
func taylor(n int) (c [taylorTerms]pair) {
	f := pair{1, 0}
	for i := 2; i <= n; i++ {
		f = f.div(pair{float64(i), 0})
	}
	for i := range c {
		f = f.neg()
		c[i] = f
		n += 2
		f = f.div(pair{float64((n - 1) * n), 0})
	}
	return c
}

// series returns c[0] + c[1]*x + c[2]*x^2 + ... for |x| < 0.62.
func series(c *[taylorTerms]pair, x pair) pair {
	var tail float64
	for i := taylorTerms - 1; i >= taylorPairs; i-- {
		tail = fma(tail, x.hi, c[i].hi)
	}
	sum := pair{tail, 0}
	for i := taylorPairs - 1; i >= 0; i-- {
		sum = sum.mul(x).add(c[i])
	}
	return sum
}

// sinCos returns the sine and the cosine of x, 2^-27 <= |x| < trigLimit, to 100
// bits.
func sinCos(x float64) (sin, cos pair) {
	n := math.Round(x * (2 / math.Pi))
	r := pair{x, 0}
	for _, part := range halfPi {
		r = r.add(product(-n, part))
	}
	r2 := r.mul(r)
	sin = r.add(r.mul(r2).mul(series(&sinTaylor, r2)))
	cos = pair{1, 0}.add(r2.mul(series(&cosTaylor, r2)))
	switch int(n) & 3 {
	case 1:
		return cos, sin.neg()
	case 2:
		return sin.neg(), cos.neg()
	case 3:
		return cos.neg(), sin
	}
	return sin, cos
}

// SinCos returns the sine and the cosine of x, |x| < 1e5, rounded correctly.
// Larger numbers go to [math.Sincos], which may differ in the last bit.
func SinCos(x float64) (sin, cos float64) {
	switch a := math.Abs(x); {
	case a < 0x1p-27: // the next terms are less than half a unit in the last place
		return x, 1
	case !(a < trigLimit):
		return math.Sincos(x)
	}
	s, c := sinCos(x)
	return s.hi, c.hi
}

// Tan returns the tangent of x, |x| < 1e5, rounded correctly. Larger numbers go
// to [math.Tan], which may differ in the last bit.
func Tan(x float64) float64 {
	switch a := math.Abs(x); {
	case a < 0x1p-27:
		return x
	case !(a < trigLimit):
		return math.Tan(x)
	}
	s, c := sinCos(x)
	return s.div(c).hi
}
