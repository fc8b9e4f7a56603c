package compare

import (
	"fmt"
	"math"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/internal/phrase"
)

// A Distance says how far two values of the same shape are from each other.
type Distance struct {
	Absolute float64 // ‖a−b‖
	Relative float64 // ‖a−b‖/‖a‖; +Inf if only a is zero
	// AtLeast means that not all elements are on the tapes: the distance is what follows from their
	// norms, means and leading elements, and may be larger.
	AtLeast bool
}

// Between returns the distance of two values; ok is false if it is not known: the values were not recorded,
// have another number of elements, or some that are not finite.
func Between(a, b graph.Value) (d Distance, ok bool) {
	if !a.Known() || !b.Known() || a.Count != b.Count || !a.Finite() || !b.Finite() {
		return Distance{}, false
	}
	squares := 0.0
	for i := range min(len(a.First), len(b.First)) {
		squares += (a.First[i] - b.First[i]) * (a.First[i] - b.First[i])
	}
	d.Absolute = math.Sqrt(squares)
	a, b = a.Completed(), b.Completed()
	if !a.Whole() || !b.Whole() {
		d.AtLeast = true
		d.Absolute = max(d.Absolute, math.Abs(a.Mean-b.Mean)*math.Sqrt(float64(a.Count)), math.Abs(a.Min-b.Min), math.Abs(a.Max-b.Max))
		if a.Measured && b.Measured {
			d.Absolute = max(d.Absolute, math.Abs(a.Norm-b.Norm))
		}
	}
	switch {
	case d.Absolute == 0:
	case !a.Measured:
		return Distance{}, false
	case a.Norm == 0:
		d.Relative = math.Inf(1)
	default:
		d.Relative = d.Absolute / a.Norm
	}
	return d, true
}

// String is the relative distance: "0.3797", "at least 0.3797", "a is zero".
func (d Distance) String() string {
	switch {
	case math.IsInf(d.Relative, 1):
		return "a is zero"
	case d.AtLeast:
		return fmt.Sprintf("at least %.4g", d.Relative)
	}
	return fmt.Sprintf("%.4g", d.Relative)
}

// Contents describes a value: its number if it is one, else its norm and, if its elements are not all there,
// its range.
func Contents(v graph.Value) string { return phrase.Contents(v) }

// SameValue reports whether nothing that is known of both values differs.
func SameValue(a, b graph.Value) bool {
	if !a.Known() || !b.Known() {
		return true
	}
	x, y := a.Completed(), b.Completed()
	if x.Count != y.Count || x.NaN != y.NaN || x.Inf != y.Inf || x.Min != y.Min || x.Max != y.Max || x.Mean != y.Mean {
		return false
	}
	if x.Measured && y.Measured && (x.Norm != y.Norm || x.Zeros != y.Zeros) {
		return false
	}
	for i := range min(len(x.First), len(y.First)) {
		p, q := x.First[i], y.First[i]
		if p != q && (p == p || q == q) {
			return false
		}
	}
	return true
}
