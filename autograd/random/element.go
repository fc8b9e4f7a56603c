package random

import (
	"math"
	"strconv"
	"strings"
)

// Float is the constraint for floating-point elements: torch.float32 and
// torch.float64.
type Float interface{ float32 | float64 }

// Number is the constraint for numeric elements: Float and torch.int64.
type Number interface{ Float | int64 }

// Element is the constraint for elements of a tensor: Number and torch.bool.
type Element interface{ Number | bool }

// is32 reports whether T is float32.
func is32[T Element]() bool {
	var v T
	_, ok := any(v).(float32)
	return ok
}

// mantissaBits returns the precision of T in bits. ok is false if T is not a
// floating-point type.
func mantissaBits[T Element]() (bits int, ok bool) {
	var v T
	switch any(v).(type) {
	case float32:
		return 24, true
	case float64:
		return 53, true
	}
	return 0, false
}

// zero returns T's 0 or false.
func zero[T Element]() (v T) { return v }

// one returns T's 1 or true.
func one[T Element]() T {
	var v T
	switch p := any(&v).(type) {
	case *float32:
		*p = 1
	case *float64:
		*p = 1
	case *int64:
		*p = 1
	case *bool:
		*p = true
	}
	return v
}

// fromFloat converts v as PyTorch does on x86-64, where a number too large for
// int64 becomes the smallest int64.
func fromFloat[T Number](v float64) T {
	var z T
	if _, isInt := any(z).(int64); isInt && !(math.Abs(v) < 1<<63) {
		return T(int64(math.MinInt64))
	}
	return T(v)
}

// number prints as in a C++ stream with default settings: six significant
// digits.
type number float64

func (v number) String() string {
	s := strconv.FormatFloat(float64(v), 'g', 6, 64)
	return strings.TrimPrefix(strings.ToLower(s), "+")
}
