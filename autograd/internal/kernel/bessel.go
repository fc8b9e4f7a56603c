package kernel

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// BesselKe returns exp(x)·Kν(x), the scaled modified Bessel function of the
// second kind: the integral of exp(-x(cosh t - 1))·cosh(νt) dt from 0 to
// infinity. The integrand falls so fast that the trapezoidal rule is exact.
func BesselKe(order, x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(1)
	case !(x > 0):
		return math.NaN()
	case math.IsInf(x, 1):
		return 0
	}
	const step = 1. / 16
	sum := 0.5
	for t := step; ; t += step {
		decay := x * 2 * math.Pow(math.Sinh(t/2), 2)
		term := math.Exp(order*t-decay)*0.5 + math.Exp(-order*t-decay)*0.5
		sum += term
		if decay > 40+order*t {
			return sum * step
		}
	}
}

// AiryAi returns Ai(x), the Airy function of the first kind.
func AiryAi(x float64) float64 { return real(mathext.AiryAi(complex(x, 0))) }

// SphericalJ0 returns sin(x)/x.
func SphericalJ0(x float64) float64 {
	switch {
	case math.IsInf(x, 0):
		return 0
	case math.Abs(x) < 0.5:
		// Near 0 the quotient is inexact; use the series.
		sum, term := 1.0, 1.0
		for k := 2.0; k < 18; k += 2 {
			term *= -x * x / (k * (k + 1))
			sum += term
		}
		return sum
	}
	return math.Sin(x) / x
}

// GammaP returns the regularized lower incomplete gamma function.
func GammaP(a, x float64) float64 {
	return incompleteGamma(a, x, 0, mathext.GammaIncReg)
}

// GammaQ returns the regularized upper incomplete gamma function, 1 - GammaP.
func GammaQ(a, x float64) float64 {
	return incompleteGamma(a, x, 1, mathext.GammaIncRegComp)
}

// incompleteGamma handles the ends of the domain. atZero is the value for x =
// 0.
func incompleteGamma(a, x, atZero float64, f func(a, x float64) float64) float64 {
	switch {
	case !(x >= 0) || !(a >= 0):
		return math.NaN()
	case a == 0 && x > 0:
		return 1 - atZero
	case a == 0:
		return math.NaN()
	case x == 0:
		return atZero
	case math.IsInf(a, 1) && math.IsInf(x, 1):
		return math.NaN()
	case math.IsInf(a, 1):
		return atZero
	case math.IsInf(x, 1):
		return 1 - atZero
	}
	return f(a, x)
}

// A Recurrence is a family of polynomials p₀ = 1, p₁ = First(x),
// pₖ₊₁ = Next(k, x, pₖ, pₖ₋₁).
type Recurrence struct {
	First func(x float64) float64
	Next  func(k, x, p, before float64) float64
}

// At returns the value at x of the polynomial of degree n, rounded down; 0 for
// negative degrees.
func (r Recurrence) At(x, n float64) float64 {
	switch {
	case n != n || x != x:
		return math.NaN()
	case n < 0:
		return 0
	case n < 1:
		return 1
	}
	before, p := 1.0, r.First(x)
	for k := 1.0; k+1 <= n; k++ {
		before, p = p, r.Next(k, x, p, before)
	}
	return p
}
