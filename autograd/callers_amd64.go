package autograd

import "unsafe"

// returnAddresses fills pcs with the addresses to which the functions on the
// stack return, the innermost first, and returns how many there are, or 0 if it
// cannot see the whole stack. It follows frame pointers, as the execution tracer
// of the Go runtime does, which takes a fiftieth of the time of runtime.Callers:
// recording an op would take twice as long without it.
//
// The addresses are used for nothing but telling call stacks apart; what a new
// one looks like is asked of the runtime.
//
//go:noescape
func returnAddresses(pcs []uintptr) int

// stackBounds returns the ends of the goroutine's stack, as the first two words of
// the runtime's description of the goroutine say (type g in runtime2.go; cgo and
// the assemblers rely on their place).
func stackBounds() (lo, hi uintptr)

// boundsKnown reports whether the runtime keeps the bounds where stackBounds
// looks for them: the stack of this very function must lie between them.
var boundsKnown = func() bool {
	var here byte
	at := uintptr(unsafe.Pointer(&here))
	lo, hi := stackBounds()
	return lo < at && at < hi && hi-lo <= 1<<30 && hi%8 == 0
}()

// framePointers reports whether the stack can be walked by frame pointers.
func framePointers() bool { return boundsKnown }
