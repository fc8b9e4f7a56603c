// Package random is PyTorch's CPU random number generator: for the same seed
// and the same calls it gives the same bits.
//
// A [Generator] holds the Mersenne Twister and one cached normal value; it
// corresponds to a torch.Generator on the CPU. The samplers are functions that
// fill a slice. The slice holds a tensor's elements in memory order, in which
// PyTorch draws them whatever the tensor's shape:
//
//	g := random.New(0)
//	weights := make([]float32, 6)
//	if err := random.Uniform(g, weights, -0.5, 0.5); err != nil { ... }
//
// # Where the rules come from
//
// The rules come from PyTorch 2.6.0 (ATen/core/MT19937RNGEngine.h,
// DistributionsHelper.h and TransformationHelper.h for single draws,
// ATen/native/cpu/DistributionTemplates.h for fills), confirmed by comparing
// bits with that release. PyTorch 1.13 differs in the last bits where it
// computes log(1-u) for the log1p(-u) of the scalar normal and the exponential
// and log(1-p) for the log1p(-p) of the geometric distribution, and draws a
// single multinomial sample with replacement in the same way as several. Errors
// have PyTorch's message, without the name of the exception.
//
// # Which machine
//
// PyTorch chooses its kernels by the processor. This package follows AVX2
// (ATEN_CPU_CAPABILITY=avx2). AVX-512 machines give the same results, bit for
// bit:
//
//   - float32 normals of 16 elements and more use the polynomial log, sine and
//     cosine of ATen/native/cpu/avx_mathfun.h;
//   - x*a + b in Uniform, Normal, NormalStrided, LogNormal and Cauchy is one
//     fused multiply-add.
//
// The kernels for older processors (ATEN_CPU_CAPABILITY=default) round the
// product first and use the C library's float32 functions: two float32 normals
// in five then differ, by at most 2e-6 in 160000, and the generator has the
// same state afterwards.
//
// The float64 functions log, log1p and exp give the results of glibc 2.41 on a
// processor with fused multiply-add. Sine, cosine and tangent are rounded
// correctly; glibc rounds them wrongly for one argument in several hundred (see
// internal/libm). About one in 800 float64 samples of Normal and NormalStrided,
// one in 2000 of LogNormal and one in 500 of Cauchy therefore differs from
// PyTorch's in the last bits. The difference is one or two units in the last
// place, before the mean or median is added. The probability that it changes
// the rounding of a float32 sample is below 1 in 10^11.
//
// On some processors, wheels built with Intel's MKL draw Bernoulli (with a
// number as probability), Dropout and Exponential from an MKL generator, which
// they seed with one word of this generator. This package follows builds
// without MKL.
package random
