package autograd

import (
	"fmt"
	"math"

	"github.com/gradtui/gradtui/autograd/internal/repr"
)

// A Scalar is a number as Python knows it: an int, a float or a bool.
type Scalar struct {
	kind scalarKind
	bits uint64
}

type scalarKind uint8

const (
	boolScalar scalarKind = iota
	intScalar
	floatScalar
)

// FloatScalar returns a float as a Scalar.
func FloatScalar(f float64) Scalar { return Scalar{floatScalar, math.Float64bits(f)} }

// IntScalar returns an int as a Scalar.
func IntScalar(i int64) Scalar { return Scalar{intScalar, uint64(i)} }

// BoolScalar returns a bool as a Scalar.
func BoolScalar(b bool) Scalar {
	if b {
		return Scalar{boolScalar, 1}
	}
	return Scalar{}
}

// toScalar converts a Go number or bool. ok is false for other types.
func toScalar(v any) (s Scalar, ok bool) {
	switch v := v.(type) {
	case Scalar:
		return v, true
	case float64:
		return FloatScalar(v), true
	case int:
		return IntScalar(int64(v)), true
	case bool:
		return BoolScalar(v), true
	case float32:
		return FloatScalar(float64(v)), true
	case int64:
		return IntScalar(v), true
	case int32:
		return IntScalar(int64(v)), true
	case int16:
		return IntScalar(int64(v)), true
	case int8:
		return IntScalar(int64(v)), true
	case uint8:
		return IntScalar(int64(v)), true
	case uint16:
		return IntScalar(int64(v)), true
	case uint32:
		return IntScalar(int64(v)), true
	}
	return Scalar{}, false
}

// Float returns the number as a float64.
func (s Scalar) Float() float64 {
	if s.kind == floatScalar {
		return math.Float64frombits(s.bits)
	}
	return float64(int64(s.bits))
}

// Int returns the number as an int64; a float is truncated.
func (s Scalar) Int() int64 {
	if s.kind == floatScalar {
		return int64(s.Float())
	}
	return int64(s.bits)
}

// Bool reports whether the number is not zero.
func (s Scalar) Bool() bool { return s.Float() != 0 }

// IsFloat reports whether the number is a float.
func (s Scalar) IsFloat() bool { return s.kind == floatScalar }

// IsInt reports whether the number is an int; a bool is not.
func (s Scalar) IsInt() bool { return s.kind == intScalar }

// IsBool reports whether the number is a bool.
func (s Scalar) IsBool() bool { return s.kind == boolScalar }

// dtype returns the dtype of a tensor made from the number: int64, float64 or
// bool. Promotion treats a float as the default dtype.
func (s Scalar) dtype() DType {
	switch s.kind {
	case boolScalar:
		return Bool
	case intScalar:
		return Int64
	default:
		return Float64
	}
}

// String returns the number as Python prints it.
func (s Scalar) String() string {
	switch s.kind {
	case boolScalar:
		if s.bits != 0 {
			return "True"
		}
		return "False"
	case intScalar:
		return fmt.Sprint(int64(s.bits))
	default:
		return repr.Float(s.Float())
	}
}

// typeName returns the name of the Python type.
func (s Scalar) typeName() string { return [...]string{"bool", "int", "float"}[s.kind] }

// fits reports whether a number can be stored in a dtype without overflow
// (c10::overflows): unsigned types accept negative numbers of the same number
// of bits.
func fits(s Scalar, d DType) bool {
	if d == Bool {
		return true
	}
	x := s.Float()
	if d.IsFloat() {
		return math.IsInf(x, 0) || x != x || math.Abs(x) <= highest[d]
	}
	low, high := -highest[d]-1, highest[d]
	if d == UInt8 {
		low = -highest[d]
	}
	if d == Int64 && !s.IsFloat() {
		return true
	}
	return x >= low && math.Trunc(x) <= high && (d != Int64 || x < high)
}

// highest is the largest finite number of each dtype.
var highest = map[DType]float64{
	Float32: math.MaxFloat32, Float64: math.MaxFloat64, Float16: 65504, BFloat16: 0x1.fep127,
	Int8: math.MaxInt8, Int16: math.MaxInt16, Int32: math.MaxInt32, Int64: math.MaxInt64, UInt8: math.MaxUint8,
}

// checkFits returns an error if a number does not fit a dtype.
func checkFits(s Scalar, d DType) *Error {
	if fits(s, d) {
		return nil
	}
	return fail(RuntimeError, CodeDType, "value cannot be converted to type %s without overflow", numericTypeNames[d])
}
