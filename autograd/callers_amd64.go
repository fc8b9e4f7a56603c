package autograd

import "unsafe"

// returnAddresses stores the return addresses on the stack in pcs, innermost
// first, and returns their number, or 0 if it cannot see the whole stack. It
// follows frame pointers, as the execution tracer of the Go runtime does, which
// takes a fiftieth of the time of runtime.Callers. Without it, recording an op
// would take twice as long.
//
// The addresses only identify call stacks; the runtime resolves each new stack.
//
//go:noescape
func returnAddresses(pcs []uintptr) int

// stackBounds returns the ends of the goroutine's stack: the first two words of
// the runtime's g struct (runtime2.go). Their place is fixed, because cgo and
// the assemblers rely on it.
func stackBounds() (lo, hi uintptr)

// boundsKnown reports whether stackBounds reads the right words: the stack of
// this very function must lie between them.
var boundsKnown = func() bool {
	var here byte
	at := uintptr(unsafe.Pointer(&here))
	lo, hi := stackBounds()
	return lo < at && at < hi && hi-lo <= 1<<30 && hi%8 == 0
}()

// framePointers reports whether the stack can be walked with frame pointers.
func framePointers() bool { return boundsKnown }
