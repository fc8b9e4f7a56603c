package random

import (
	"fmt"
	"math"
)

// RandInt fills dst with integers uniformly distributed in [from, to):
// torch.randint, Tensor.random_(from, to). It fails if from is not less than
// to. A draw takes one word if to-from < 2^32 and two otherwise; the word is
// reduced by remainder, so low values are slightly more likely.
//
// Bounds that a floating-point T cannot represent are moved inwards, as in
// PyTorch. PyTorch warns if they lie beyond 2^24 (float32) or 2^53 (float64);
// the caller must issue the warning. A bool tensor is drawn as int64; the
// caller must check that the bounds are within 0 and 2.
func RandInt[T Number](g *Generator, dst []T, from, to int64) error {
	if from >= to {
		return fmt.Errorf("random_ expects 'from' to be less than 'to', but got from=%d >= to=%d", from, to)
	}
	if bits, ok := mantissaBits[T](); ok {
		from, to = representableFrom[T](from, bits), representableTo[T](to, bits)
		if from >= to {
			return fmt.Errorf("random_ expects 'from' casted to dtype to be less than 'to' casted to dtype, but got from=%d >= to=%d", from, to)
		}
	}
	if span := uint64(to) - uint64(from); span < 1<<32 {
		for i := range dst {
			dst[i] = T(int64(g.Uint32()%uint32(span)) + from)
		}
	} else {
		for i := range dst {
			dst[i] = T(int64(g.Uint64()%span + uint64(from)))
		}
	}
	return nil
}

// representableFrom returns the smallest integer >= from that T, with the given
// precision, can represent. It follows update_from of PyTorch, including its
// errors.
func representableFrom[T Number](from int64, bits int) int64 {
	next := fromFloat[int64](float64(T(from + 1)))
	if next >= from {
		return from
	}
	return next + spacing(from+1, bits)
}

// representableTo returns the largest integer <= to that T, with the given
// precision, can represent. It follows update_to of PyTorch.
func representableTo[T Number](to int64, bits int) int64 {
	before := fromFloat[int64](float64(T(to - 1)))
	if before < to {
		return to
	}
	return before - spacing(to-1, bits)
}

// spacing returns the distance between adjacent floating-point numbers near v,
// if it is at least 1.
func spacing(v int64, bits int) int64 {
	exponent := 0
	for v = max(v, -v) >> 1; v > 0; v >>= 1 {
		exponent++
	}
	return 1 << (exponent - bits + 1)
}

// RandIntUnbounded fills dst with integers uniformly distributed over the
// integers that T represents without gaps: 0 to 2^24 for float32, 0 to 2^53 for
// float64, both inclusive, and 0 to 2^63-1 for int64. It is Tensor.random_()
// without arguments. A float32 takes one word, the others two.
func RandIntUnbounded[T Number](g *Generator, dst []T) {
	bits, isFloat := mantissaBits[T]()
	switch {
	case bits == 24:
		for i := range dst {
			dst[i] = T(g.Uint32() % (1<<24 + 1))
		}
	case isFloat:
		for i := range dst {
			dst[i] = T(g.Uint64() % (1<<53 + 1))
		}
	default:
		for i := range dst {
			dst[i] = T(g.Uint64() & math.MaxInt64)
		}
	}
}

// RandIntBelow fills dst with integers below n, with one word for each:
// Tensor.random_() without arguments for dtypes of at most 32 bits. There, n is
// one more than the largest integer up to which the dtype has no gaps.
func RandIntBelow[T Number](g *Generator, dst []T, n uint32) {
	for i := range dst {
		dst[i] = T(g.Uint32() % n)
	}
}

// largePermutation is the length from which RandPerm draws 64-bit numbers.
const largePermutation = math.MaxUint32 / 20

// RandPerm fills dst with a permutation of 0 to len(dst)-1: torch.randperm. It
// draws one word for each element but the last; from 214748364 elements on, two
// words for each. The caller must check that T can represent the numbers.
func RandPerm[T Number](g *Generator, dst []T) {
	if len(dst) >= largePermutation {
		insideOut(g, dst)
		return
	}
	for i := range dst {
		dst[i] = T(i)
	}
	for i := range len(dst) - 1 {
		j := i + int(g.Uint32()%uint32(len(dst)-i))
		dst[i], dst[j] = dst[j], dst[i]
	}
}

// insideOut fills dst with a permutation by the inside-out variant of the
// Fisher-Yates shuffle.
func insideOut[T Number](g *Generator, dst []T) {
	for i := range dst {
		j := g.Uint64() % uint64(i+1)
		dst[i] = dst[j]
		dst[j] = T(i)
	}
}
