// Package libm computes a handful of float64 functions with the exact bits of
// the C library that PyTorch calls on x86-64 Linux: glibc 2.41 on a processor
// with fused multiply-add.
//
// PyTorch's float64 samplers hand their uniforms to log, log1p, sincos, tan and
// exp of the system's C library. None of those is correctly rounded, so the
// last bit of a sample depends on the order of operations inside them, and
// package math gives other last bits. The functions here follow glibc's
// algorithms (the table-driven log and exp of Arm's optimized routines, the
// log1p of FreeBSD's msun, the sine, cosine and tangent of IBM's Accurate
// Mathematical Library) step by step, with a fused multiply-add wherever the
// compiled library has one. glibc 2.36 gives the same bits; on a processor
// without fused multiply-add about one result in a thousand has another last bit.
//
// Every product that must be rounded before it is added is written as a
// conversion, float64(x*y), because Go may otherwise fuse it on some
// architectures.
package libm

import "math"

// fma returns x*y + z rounded once.
func fma(x, y, z float64) float64 { return math.FMA(x, y, z) }
