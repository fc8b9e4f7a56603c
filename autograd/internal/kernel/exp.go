package kernel

import "math"

// The exponential function and the logarithm. For float32 they reproduce, to
// the bit, the vector library that PyTorch uses: SLEEF's expf and logf, with an
// error of at most one unit in the last place.

// fma returns a·b + c with a single rounding: a product of two float32 is exact
// in float64.
func fma(a, b, c float32) float32 { return float32(float64(a)*float64(b) + float64(c)) }

// Exp returns e to the power x.
func Exp[T float](x T) T {
	if f, ok := any(x).(float32); ok {
		return T(expf(f))
	}
	return T(math.Exp(float64(x)))
}

// Log returns the natural logarithm of x.
func Log[T float](x T) T {
	if f, ok := any(x).(float32); ok {
		return T(logf(f))
	}
	return T(math.Log(float64(x)))
}

func expf(x float32) float32 {
	switch {
	case x < -104:
		return 0
	case x > 100:
		return float32(math.Inf(1))
	case x != x:
		return x
	}
	q := float32(math.RoundToEven(float64(x * float32(math.Log2E))))
	s := fma(q, -0.693145751953125, x)
	s = fma(q, -1.428606765330187045e-06, s)
	u := float32(0.000198527617612853646278381)
	u = fma(u, s, 0.00139304355252534151077271)
	u = fma(u, s, 0.00833336077630519866943359)
	u = fma(u, s, 0.0416664853692054748535156)
	u = fma(u, s, 0.166666671633720397949219)
	u = fma(u, s, 0.5)
	u = 1 + fma(s*s, u, s)
	half := int(q) >> 1
	return u * pow2(half) * pow2(int(q)-half)
}

// pow2 returns 2 to the power n.
func pow2(n int) float32 { return math.Float32frombits(uint32(n+127) << 23) }

// double is a number as the sum of two float32.
type double struct{ high, low float32 }

func logf(x float32) float32 {
	switch {
	case x < 0 || x != x:
		return float32(math.NaN())
	case x == 0:
		return float32(math.Inf(-1))
	case math.IsInf(float64(x), 1):
		return x
	}
	exponent := 0
	if x < 0x1p-126 {
		x, exponent = x*0x1p64, -64
	}
	e := int(math.Float32bits(x*(1/0.75))>>23) - 127
	m := math.Float32frombits(math.Float32bits(x) - uint32(e)<<23)
	exponent += e
	s := scaledLn2(float32(exponent))
	y := divide(sum(-1, m), sum(1, m))
	y2 := y.high * y.high
	t := fma(0.3027294874, y2, 0.3996108174)
	t = fma(t, y2, 0.6666694880)
	s = s.plus(double{2 * y.high, 2 * y.low})
	s = s.plus(double{high: y2 * y.high * t})
	return s.high + s.low
}

// scaledLn2 returns n·log(2).
func scaledLn2(n float32) double {
	const high, low = 0.69314718246459960938, -1.904654323148236017e-09
	p := float32(high) * n
	return double{p, fma(low, n, fma(high, n, -p))}
}

// sum returns x+y without a rounding error.
func sum(x, y float32) double {
	s := x + y
	v := s - x
	return double{s, x - (s - v) + (y - v)}
}

// plus adds a number that is not larger than x.
func (x double) plus(y double) double {
	s := x.high + y.high
	return double{s, x.high - s + y.high + x.low + y.low}
}

func divide(n, d double) double {
	t := 1 / d.high
	s := n.high * t
	u := fma(t, n.high, -s)
	v := fma(-d.low, t, fma(-d.high, t, 1))
	return double{s, fma(s, v, fma(n.low, t, u))}
}
