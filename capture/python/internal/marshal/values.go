package marshal

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
)

// A Tuple is a Python tuple, for those who need no other type for it. Lists are
// []any.
type Tuple []any

// Plain is a handler for values that stand for nothing else: tuples are Tuple, complex
// numbers complex128, and "..." is an error.
type Plain struct{}

// Complex returns a complex128.
func (Plain) Complex(re, im float64) (any, error) { return complex(re, im), nil }

// Tuple returns a Tuple.
func (Plain) Tuple(elements []any) (any, error) { return Tuple(elements), nil }

// Ellipsis returns an error as the value, which no reader expects.
func (Plain) Ellipsis() any { return ErrFormat }

// At returns element i of a list if there is one and it has the type.
func At[T any](list []any, i int) (v T, ok bool) {
	if i >= 0 && i < len(list) {
		v, ok = list[i].(T)
	}
	return v, ok
}

// Damaged is the error for something that a program sent and that is not what it should
// be. err may be nil.
func Damaged(what string, err error) error {
	if err == nil {
		err = ErrFormat
	}
	return fmt.Errorf("the program sent a damaged %s: %w", what, err)
}

// Append appends a value: nil, a bool, int, *big.Int of 64 bits, float64, string, []any
// (a list), Tuple, or map[string]any (a dict, whose keys are sorted). It panics if the
// value is of another type.
func Append(b []byte, v any) []byte {
	switch x := v.(type) {
	case nil:
		return AppendNone(b)
	case bool:
		return AppendBool(b, x)
	case int:
		return AppendInt(b, int64(x))
	case *big.Int:
		return AppendUint(b, x.Uint64())
	case float64:
		return AppendFloat(b, x)
	case string:
		return AppendString(b, strings.ToValidUTF8(x, "?"))
	case []any:
		return appendAll(AppendList(b, len(x)), x)
	case Tuple:
		return appendAll(AppendTuple(b, len(x)), x)
	case map[string]any:
		b = append(b, typeDict)
		for _, key := range slices.Sorted(maps.Keys(x)) {
			b = Append(AppendString(b, key), x[key])
		}
		return append(b, typeNull)
	}
	panic(fmt.Sprintf("marshal: a %T", v))
}

func appendAll(b []byte, list []any) []byte {
	for _, v := range list {
		b = Append(b, v)
	}
	return b
}
