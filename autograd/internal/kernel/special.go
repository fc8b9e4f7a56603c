package kernel

import "math"

// Special functions that package math lacks.

// XLogY returns x·log(y), and 0 for x = 0.
func XLogY(x, y float64) float64 {
	switch {
	case y != y:
		return y
	case x == 0:
		return 0
	}
	return x * math.Log(y)
}

// XLog1pY returns x·log(1+y), and 0 for x = 0.
func XLog1pY(x, y float64) float64 {
	switch {
	case y != y:
		return y
	case x == 0:
		return 0
	}
	return x * math.Log1p(y)
}

// Heaviside returns the step function of x; at0 is its value at 0.
func Heaviside[T number](x, at0 T) T {
	switch {
	case x == 0:
		return at0
	case x > 0:
		return 1
	}
	return 0
}

// LogGamma returns the logarithm of |Γ(x)|. For minus infinity it returns
// infinity.
func LogGamma(x float64) float64 {
	if math.IsInf(x, -1) {
		return math.Inf(1)
	}
	y, _ := math.Lgamma(x)
	return y
}

// Digamma returns the derivative of LogGamma.
func Digamma(x float64) float64 {
	shift := 0.0
	switch {
	case x == 0:
		return math.Copysign(math.Inf(1), -x)
	case x < 0:
		if x == math.Trunc(x) {
			return math.NaN()
		}
		// Reflection.
		_, f := math.Modf(x)
		shift = -math.Pi / math.Tan(math.Pi*f)
		x = 1 - x
	}
	for ; x < 10; x++ {
		shift -= 1 / x
	}
	// The asymptotic series: ln x - 1/2x - Σ B(2k)/(2k x^2k).
	z, tail := 1/(x*x), 0.0
	for i := len(bernoulli) - 1; i >= 0; i-- {
		tail = z * (bernoulli[i]/float64(2*i+2) + tail)
	}
	return shift + math.Log(x) - 0.5/x - tail
}

// bernoulli holds the Bernoulli numbers B2, B4, B6, ...
var bernoulli = [...]float64{
	1. / 6, -1. / 30, 1. / 42, -1. / 30, 5. / 66, -691. / 2730, 7. / 6, -3617. / 510, 43867. / 798, -174611. / 330,
}

// Trigamma returns the derivative of Digamma.
func Trigamma[T float32 | float64](x T) T {
	sign, sum := T(1), T(0)
	if x < 0.5 {
		// Reflection.
		s := T(math.Sin(float64(T(math.Pi) * x)))
		sign, sum, x = -1, -T(math.Pi*math.Pi)/(s*s), 1-x
	}
	for range 6 {
		sum += 1 / (x * x)
		x++
	}
	z := 1 / (x * x)
	sum += (1 + 1/(2*x) + z*(T(1./6)-z*(T(1./30)-z*T(1./42)))) / x
	return sign * sum
}

// Zeta returns the Hurwitz zeta function Σ (q+k)^-s, for s > 1.
func Zeta(s, q float64) float64 {
	switch {
	case s == 1:
		return math.Inf(1)
	case !(s > 1):
		return math.NaN()
	case q <= 0 && q == math.Floor(q):
		return math.Inf(1)
	case q <= 0 && s != math.Floor(s):
		return math.NaN()
	}
	// The first terms, then the Euler-Maclaurin formula for the rest.
	sum := 0.0
	for range 9 {
		sum += math.Pow(q, -s)
		q++
	}
	for ; q <= 9; q++ {
		sum += math.Pow(q, -s)
	}
	rest := math.Pow(q, -s)
	sum += rest*q/(s-1) + rest/2
	term := rest * s / q // s(s+1)...(s+2k-2) / q^(s+2k-1) / (2k)!, beginning with k = 1
	factor := term / 2
	for i, b := range bernoulli {
		sum += b * factor
		k := float64(2*i + 2)
		factor *= (s + k - 1) * (s + k) / (q * q * (k + 1) * (k + 2))
	}
	return sum
}

// Polygamma returns the n-th derivative of Digamma.
func Polygamma(n int, x float64) float64 {
	if n == 0 {
		return Digamma(x)
	}
	factorial, _ := math.Lgamma(float64(n) + 1)
	y := math.Exp(factorial) * Zeta(float64(n)+1, x)
	if n%2 == 0 {
		y = -y
	}
	return y
}

// Erfcx returns exp(x²)·erfc(x).
func Erfcx(x float64) float64 {
	switch {
	case x < 0:
		return 2*math.Exp(x*x) - Erfcx(-x)
	case x < 12:
		return math.Exp(x*x) * math.Erfc(x)
	}
	// The asymptotic series: Σ (-1)^k (2k-1)!!/(2x²)^k / (x√π).
	sum, term := 1.0, 1.0
	for k := 1.0; k < 12; k++ {
		term *= -(2*k - 1) / (2 * x * x)
		sum += term
	}
	return sum / (x * math.Sqrt(math.Pi))
}

// Entr returns -x·log(x), and 0 for x = 0.
func Entr(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 0:
		return -x * math.Log(x)
	case x == 0:
		return 0
	}
	return math.Inf(-1)
}

// LogNdtr returns the logarithm of the normal distribution function.
func LogNdtr(x float64) float64 {
	t := x / math.Sqrt2
	if x < -1 {
		return math.Log(Erfcx(-t)/2) - t*t
	}
	return math.Log1p(-math.Erfc(t) / 2)
}

// Ndtri returns the inverse of the normal distribution function.
func Ndtri(p float64) float64 {
	switch {
	case p == 0:
		return math.Inf(-1)
	case p == 1:
		return math.Inf(1)
	case !(p > 0 && p < 1):
		return math.NaN()
	case p > 0.5:
		return -Ndtri(1 - p)
	}
	y := math.Sqrt2 * math.Erfinv(2*p-1)
	if p < 1e-5 {
		y = -math.Sqrt(-2 * math.Log(p))
	}
	// Halley's method.
	for range 6 {
		off := (math.Erfc(-y/math.Sqrt2)/2 - p) * math.Sqrt(2*math.Pi) * math.Exp(y*y/2)
		y -= off / (1 + y*off/2)
	}
	return y
}

// BesselI0e returns the modified Bessel function of the first kind of order 0,
// divided by exp(|x|).
func BesselI0e(x float64) float64 { return besselIe(0, math.Abs(x)) }

// BesselI1e returns the function of order 1, divided by exp(|x|).
func BesselI1e(x float64) float64 { return math.Copysign(besselIe(1, math.Abs(x)), x) }

// BesselI0 returns the modified Bessel function of order 0, and NaN for
// infinity.
func BesselI0(x float64) float64 { return math.Exp(math.Abs(x)) * BesselI0e(x) }

// BesselI1 returns the modified Bessel function of order 1, and NaN for
// infinity.
func BesselI1(x float64) float64 { return math.Exp(math.Abs(x)) * BesselI1e(x) }

func besselIe(order, x float64) float64 {
	if x > 30 {
		if math.IsInf(x, 1) {
			return 0
		}
		sum, term := 1.0, 1.0
		for k := 1.0; k < 30; k++ {
			term *= -(4*order*order - (2*k-1)*(2*k-1)) / (k * 8 * x)
			sum += term
		}
		return sum / math.Sqrt(2*math.Pi*x)
	}
	term := 1.0
	if order == 1 {
		term = x / 2
	}
	sum := term
	for k := 1.0; term > sum*1e-17; k++ {
		term *= x * x / 4 / (k * (k + order))
		sum += term
	}
	return sum * math.Exp(-x)
}
