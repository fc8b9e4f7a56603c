package autograd

import (
	"math"
	"math/bits"
	"slices"

	"github.com/gradtui/gradtui/autograd/internal/repr"
)

// This file limits what a call may allocate. Requested sizes are checked before
// memory is taken, with PyTorch's error texts, because running out of memory in
// Go ends the process.
//
// Tensors are allocated deep inside kernels that cannot return errors. A size
// over the limit panics with a refusal, which the calls of the program turn
// back into an error.

// allocationLimit is the most bytes that one tensor, or one list, may take.
var allocationLimit uint64 = 16 << 30

// SetAllocationLimit sets the most bytes that a tensor may take, and returns
// the previous limit. The default is 16 GiB. A larger tensor fails with the
// error of an allocator that is out of memory.
func SetAllocationLimit(bytes uint64) (before uint64) {
	before = allocationLimit
	allocationLimit = bytes
	return before
}

// A refusal is the value with which the engine panics when a size is over the
// limit.
type refusal struct{ err *Error }

func refuse(format string, args ...any) {
	panic(refusal{fail(RuntimeError, CodeMemory, format, args...)})
}

// rescue turns a panic with a refusal into the error of the function that
// defers it.
func rescue(err *error) {
	switch r := recover().(type) {
	case nil:
	case refusal:
		*err = r.err
	default:
		panic(r)
	}
}

// countElements multiplies sizes. ok is false if the product overflows an int.
func countElements(sizes []int) (n int, ok bool) {
	p := uint64(1)
	for _, s := range sizes {
		high, low := bits.Mul64(p, uint64(s))
		if high != 0 || low > math.MaxInt64 {
			return 0, false
		}
		p = low
	}
	return int(p), true
}

// storageLength returns the number of elements of a new tensor. It refuses
// sizes over the limit.
func storageLength(d DType, sizes []int) int {
	n, ok := countElements(sizes)
	if !ok || uint64(n) > math.MaxInt64/uint64(d.Size()) {
		refuse("Storage size calculation overflowed with sizes=%s", repr.List(sizes))
	}
	allocatable(d, n)
	return n
}

// extentLength returns the number of elements that a tensor with gaps spans. It
// refuses sizes over the limit.
func extentLength(d DType, sizes, strides []int) int {
	if slices.Contains(sizes, 0) {
		return 0
	}
	last := uint64(0)
	for i, s := range sizes {
		high, low := bits.Mul64(uint64(s-1), uint64(strides[i]))
		last += low
		if high != 0 || last < low || last >= math.MaxInt64/uint64(d.Size()) {
			refuse("Storage size calculation overflowed with sizes=%s and strides=%s", repr.List(sizes), repr.List(strides))
		}
	}
	return int(last) + 1
}

// allocatable refuses n elements if they exceed the limit.
func allocatable(d DType, n int) {
	high, size := bits.Mul64(uint64(n), uint64(d.Size()))
	if high != 0 || size > allocationLimit {
		refuse("[enforce fail at alloc_cpu.cpp:118] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate %d bytes. Error code 12 (Cannot allocate memory)", size)
	}
}

// countable refuses the shape of a view if its number of elements overflows.
func countable(sizes []int) {
	if _, ok := countElements(sizes); !ok {
		refuse("numel: integer multiplication overflow")
	}
}

// tensorBytes is the approximate size of a tensor without its elements.
const tensorBytes = 256

// listable refuses a Go list of n elements of size bytes if it exceeds the
// limit, as C++ does.
func listable(n, size int) {
	if n < 0 || uint64(n) > allocationLimit/uint64(size) {
		refuse("std::bad_alloc")
	}
}
