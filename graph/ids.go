package graph

// Identifiers are dense: the first tensor on a tape is 1, the next one 2, and so
// on, in the order in which their creation appears. Zero means none.
type (
	// TensorID names a tensor object.
	TensorID uint32
	// NodeID names a node of the backward graph (a grad_fn).
	NodeID uint32
	// StorageID names a piece of memory that tensors may share.
	StorageID uint32
	// CounterID names a version counter. Views and detached tensors share the
	// counter of the tensor that they were made from.
	CounterID uint32
	// BackwardID names one run of backward() or autograd.grad().
	BackwardID uint32
	// ThreadID names a thread of the program; the first one is 0.
	ThreadID uint32
	// StringID is an interned string; zero is the empty string.
	StringID uint32
	// StackID is an interned call stack; zero is the unknown one.
	StackID uint32
)

// Pos is a position on a tape: the number of events before it. The event at
// position p is the one that moves a cursor from p to p+1.
type Pos int

// DType is the element type of a tensor, as PyTorch names them.
type DType uint8

// The element types.
const (
	NoDType DType = iota
	Float32
	Float64
	Float16
	BFloat16
	Int8
	Int16
	Int32
	Int64
	UInt8
	Bool
	Complex64
	Complex128
	OtherDType // an element type without a name here
)

var dtypes = [...]struct {
	name string
	size int
}{
	NoDType:    {"none", 0},
	Float32:    {"float32", 4},
	Float64:    {"float64", 8},
	Float16:    {"float16", 2},
	BFloat16:   {"bfloat16", 2},
	Int8:       {"int8", 1},
	Int16:      {"int16", 2},
	Int32:      {"int32", 4},
	Int64:      {"int64", 8},
	UInt8:      {"uint8", 1},
	Bool:       {"bool", 1},
	Complex64:  {"complex64", 8},
	Complex128: {"complex128", 16},
	OtherDType: {"other", 0},
}

// String is the name that PyTorch prints after "torch.".
func (d DType) String() string {
	if int(d) < len(dtypes) {
		return dtypes[d].name
	}
	return dtypes[OtherDType].name
}

// Size is the number of bytes of one element.
func (d DType) Size() int {
	if int(d) < len(dtypes) {
		return dtypes[d].size
	}
	return 0
}

// IsFloat reports whether d is a real floating point type.
func (d DType) IsFloat() bool {
	return d == Float32 || d == Float64 || d == Float16 || d == BFloat16
}

// IsInteger reports whether d is an integer type; bool is not.
func (d DType) IsInteger() bool { return d >= Int8 && d <= UInt8 }

var dtypeNames = func() []string {
	names := make([]string, len(dtypes))
	for i, d := range dtypes {
		names[i] = d.name
	}
	return names
}()

// ParseDType finds the element type with the given name.
func ParseDType(name string) (DType, bool) {
	for d, info := range dtypes {
		if info.name == name {
			return DType(d), true
		}
	}
	return NoDType, false
}
