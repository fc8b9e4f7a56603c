package random

import (
	"fmt"
	"math"
)

// Uniform fills dst with numbers uniformly distributed in [from, to):
// torch.rand with 0 and 1, Tensor.uniform_. Rounding may yield to itself. It
// fails if from or to is not a finite T, if from is greater than to, or if
// their distance overflows T.
//
// A float32 takes one word and a float64 two, whatever the bounds.
func Uniform[T Float](g *Generator, dst []T, from, to float64) error {
	largest, dtype, ctype := math.MaxFloat64, "Double", "double"
	if is32[T]() {
		largest, dtype, ctype = math.MaxFloat32, "Float", "float"
	}
	switch {
	case !(math.Abs(from) <= largest):
		return fmt.Errorf("from is out of bounds for %s", ctype)
	case !(math.Abs(to) <= largest):
		return fmt.Errorf("to is out of bounds for %s", ctype)
	case from > to:
		return fmt.Errorf("uniform_ expects to return a [from, to) range, but found from=%v > to=%v", number(from), number(to))
	case to-from > largest:
		return fmt.Errorf("uniform_ expects to-from <= std::numeric_limits<%s>::max(), but found to=%v and from=%v which result in to-from to exceed the limit", dtype, number(to), number(from))
	}
	fillUnit(g, dst)
	low, width := T(from), T(to)-T(from)
	if low == 0 && width == 1 {
		return nil
	}
	switch dst := any(dst).(type) {
	case []float32:
		for i, u := range dst {
			dst[i] = fma32(u, float32(width), float32(low))
		}
	case []float64:
		for i, u := range dst {
			dst[i] = math.FMA(u, float64(width), float64(low))
		}
	}
	return nil
}

// UniformDigits is Uniform for elements with fewer significant binary digits
// than float32. An element also takes one word, of which it uses that many low
// bits. The caller rounds the results to the type of the elements.
func UniformDigits(g *Generator, dst []float32, from, to float64, digits int) error {
	if err := Uniform[float32](g, nil, from, to); err != nil {
		return err
	}
	mask, unit := uint32(1)<<digits-1, float32(math.Ldexp(1, -digits))
	low, width := float32(from), float32(to)-float32(from)
	for i := range dst {
		dst[i] = fma32(float32(g.Uint32()&mask)*unit, width, low)
	}
	return nil
}

// fillUnit fills dst with uniforms in [0, 1).
func fillUnit[T Float](g *Generator, dst []T) {
	switch dst := any(dst).(type) {
	case []float32:
		for len(dst) > 0 {
			words := g.mt.take(len(dst))
			for i, w := range words {
				dst[i] = unit32(temper(w))
			}
			dst = dst[len(words):]
		}
	case []float64:
		for i := range dst {
			dst[i] = g.Uniform64()
		}
	}
}

// unit returns a uniform in [0, 1) with the precision of T.
func unit[T Float](g *Generator) T {
	if is32[T]() {
		return T(g.Uniform32())
	}
	return T(g.Uniform64())
}
