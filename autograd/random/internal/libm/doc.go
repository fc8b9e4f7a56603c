// Package libm computes the float64 functions that PyTorch's samplers apply to
// uniforms.
//
// PyTorch calls log, log1p, exp, sin, cos and tan of the system's C library,
// and the last bit of a sample depends on their rounding, which differs from
// package math. The functions here give the bits of glibc 2.41 on an x86-64
// processor with fused multiply-add:
//
//   - Log, Log1p and Exp always, in the ranges that their comments name. They follow
//     the routines that glibc took over from Arm and FreeBSD step by step, with a
//     fused multiply-add wherever the compiled library has one.
//   - SinCos and Tan wherever glibc rounds correctly, as they always do. glibc's sine
//     and cosine are off by one unit in the last place for about one argument in 700,
//     its tangent for one in 400; testdata/glibc.json lists such arguments.
//
// glibc 2.36 gives the same bits. On a processor without fused multiply-add,
// about one result in a thousand differs in the last bit.
//
// Every product that must be rounded before it is added is written as a
// conversion, float64(x*y), because Go may otherwise fuse it on some
// architectures.
package libm

import "math"

// fma returns x*y + z rounded once.
func fma(x, y, z float64) float64 { return math.FMA(x, y, z) }
