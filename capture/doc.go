// Package capture runs programs as sources of tapes: a Go program that imports
// package autograd is built and started, and sends its tape over a socket
// (package wire); a function of this process is recorded directly. Either way
// the tape gets the names that the source code gives to tensors (package
// gosource).
package capture
