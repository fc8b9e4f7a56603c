package documents

import "math"

// Finite returns a number for JSON, which has no others; nil if it is not finite.
func Finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// FiniteList returns a list of numbers for JSON, with nil for those that are not finite.
func FiniteList(list []float64) []*float64 {
	out := make([]*float64, len(list))
	for i, x := range list {
		out[i] = Finite(x)
	}
	return out
}
