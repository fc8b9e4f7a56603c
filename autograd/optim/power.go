package optim

import "math"

// power returns x**n. For whole n it rounds once, like the pow of the C
// library, which Python's ** calls; math.Pow can be off in the last bit. The
// product is kept as a sum of two floats.
func power(x, n float64) float64 {
	if n != math.Trunc(n) || n < 0 || n > 1<<53 {
		return math.Pow(x, n)
	}
	result, square := double{1, 0}, double{x, 0}
	for k := uint64(n); k > 0; k >>= 1 {
		if k&1 == 1 {
			result = result.mul(square)
		}
		square = square.mul(square)
	}
	return result.hi + result.lo
}

// A double is the number hi + lo, where lo is less than half a unit in the last
// place of hi.
type double struct{ hi, lo float64 }

func (a double) mul(b double) double {
	hi := a.hi * b.hi
	lo := math.FMA(a.hi, b.hi, -hi)
	lo += a.hi*b.lo + a.lo*b.hi
	sum := hi + lo
	return double{sum, lo - (sum - hi)}
}
