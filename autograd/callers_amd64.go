package autograd

import "runtime"

// returnAddresses fills pcs with the addresses to which the functions on the
// stack return, the innermost first, and returns how many there are. It follows
// frame pointers, which takes a fiftieth of the time of runtime.Callers.
//
//go:noescape
func returnAddresses(pcs []uintptr) int

// framePointers reports whether the stack can be walked by frame pointers: there
// must be no C on it.
func framePointers() bool { return runtime.NumCgoCall() == 0 }
