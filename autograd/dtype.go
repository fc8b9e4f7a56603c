package autograd

import (
	"math"

	"github.com/gradtui/gradtui/graph"
)

// DType is the element type of a tensor. The engine computes in float32,
// float64, int64 and bool. Narrower types are stored and rounded as in PyTorch,
// but computed in the next wider of these four.
type DType = graph.DType

// The element types.
const (
	Float32  = graph.Float32
	Float64  = graph.Float64
	Float16  = graph.Float16
	BFloat16 = graph.BFloat16
	Int8     = graph.Int8
	Int16    = graph.Int16
	Int32    = graph.Int32
	Int64    = graph.Int64
	UInt8    = graph.UInt8
	Bool     = graph.Bool
)

// class is the Go type of the elements of a dtype.
type class uint8

const (
	f32Class class = iota
	f64Class
	i64Class
	boolClass
)

func classOf(d DType) class {
	switch d {
	case Float64:
		return f64Class
	case Int8, Int16, Int32, Int64, UInt8:
		return i64Class
	case Bool:
		return boolClass
	default:
		return f32Class
	}
}

// narrow reports whether elements must be rounded after a computation.
func narrow(d DType) bool {
	switch d {
	case Float32, Float64, Int64, Bool:
		return false
	}
	return true
}

// category orders dtypes for promotion: bool < integer < float.
func category(d DType) int {
	switch {
	case d == Bool:
		return 0
	case d.IsInteger():
		return 1
	default:
		return 2
	}
}

// promote returns the dtype that can hold both, as torch.promote_types.
func promote(a, b DType) DType {
	if a == b {
		return a
	}
	ca, cb := category(a), category(b)
	switch {
	case ca > cb:
		return a
	case cb > ca:
		return b
	case ca == 2:
		// float16 and bfloat16 meet in float32.
		if a.Size() == b.Size() {
			return Float32
		}
	case a == UInt8 || b == UInt8:
		// uint8 and a signed type need a wider signed type.
		other := a
		if a == UInt8 {
			other = b
		}
		if other == Int8 {
			return Int16
		}
		return other
	}
	if a.Size() >= b.Size() {
		return a
	}
	return b
}

// canCast reports whether a result of dtype from may be stored in dtype to: its
// category must not be higher.
func canCast(from, to DType) bool { return category(from) <= category(to) }

// Names of dtypes in PyTorch's messages.
var (
	scalarTypeNames = map[DType]string{
		Float32: "Float", Float64: "Double", Float16: "Half", BFloat16: "BFloat16",
		Int8: "Char", Int16: "Short", Int32: "Int", Int64: "Long", UInt8: "Byte", Bool: "Bool",
	}
	cTypeNames = map[DType]string{
		Float32: "float", Float64: "double", Float16: "c10::Half", BFloat16: "c10::BFloat16",
		Int8: "signed char", Int16: "short int", Int32: "int", Int64: "long int", UInt8: "unsigned char", Bool: "bool",
	}
)

// scalarTypeName returns the name that PyTorch's C++ gives a dtype: Float, Long.
func scalarTypeName(d DType) string { return scalarTypeNames[d] }

// typeString returns the legacy type of a tensor: torch.FloatTensor.
func typeString(d DType) string { return "torch." + scalarTypeNames[d] + "Tensor" }

// roundFloat rounds to the precision of a narrow float type.
func roundFloat(d DType, x float32) float32 {
	switch d {
	case Float16:
		return halfToFloat(floatToHalf(x))
	case BFloat16:
		return roundBFloat16(x)
	}
	return x
}

// roundInt wraps around as the narrow integer type does.
func roundInt(d DType, x int64) int64 {
	switch d {
	case Int8:
		return int64(int8(x))
	case Int16:
		return int64(int16(x))
	case Int32:
		return int64(int32(x))
	case UInt8:
		return int64(uint8(x))
	}
	return x
}

func roundBFloat16(x float32) float32 {
	b := math.Float32bits(x)
	if x != x {
		return x
	}
	b += 0x7fff + (b>>16)&1
	return math.Float32frombits(b &^ 0xffff)
}

// floatToHalf rounds to the nearest IEEE half, ties to even.
func floatToHalf(x float32) uint16 {
	b := math.Float32bits(x)
	sign := uint16(b>>16) & 0x8000
	b &= 0x7fffffff
	switch {
	case b > 0x7f800000: // NaN
		return sign | 0x7e00
	case b >= 0x47800000: // 2^16 and more, including infinity
		return sign | 0x7c00
	case b < 0x38800000: // below 2^-14: a subnormal half
		// Adding 0.5 moves the bits to where float32 rounds them.
		f := math.Float32frombits(b) + 0.5
		return sign | uint16(math.Float32bits(f)-0x3f000000)
	}
	b += 0xc8000fff + (b>>13)&1
	return sign | uint16(b>>13)
}

func halfToFloat(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exp, mant := uint32(h>>10)&0x1f, uint32(h)&0x3ff
	switch exp {
	case 0:
		f := float32(mant) / (1 << 24)
		return math.Float32frombits(math.Float32bits(f) | sign)
	case 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | mant<<13)
	}
	return math.Float32frombits(sign | (exp+112)<<23 | mant<<13)
}
