package kernel

import "math"

// Variances in float64, whatever the elements are, as PyTorch computes them
// (WelfordOps in aten/src/ATen/native/SharedReduceOps.h, and std_var_all_cpu in
// ReduceOps.cpp).

// Variance says which variance is wanted.
type Variance struct {
	Correction float64 // subtracted from the number of elements
	Root       bool    // the standard deviation instead
}

func (v *Variance) of(squares, n float64) float64 {
	x := squares / max(0, n-v.Correction)
	if v.Root {
		return math.Sqrt(x)
	}
	return x
}

// Variances stores the variance and the mean of each group of elements that the
// plan reduces to one, with Welford's algorithm.
func Variances[T float](v *Variance, p *Plan, variance, mean, x []T) {
	p.Outputs(func(out, in int) {
		var m, squares, n float64
		p.Runs(in, func(at, step, count int) {
			for range count {
				n++
				e := float64(x[at])
				delta := e - m
				m += delta / n
				squares += delta * (e - m)
				at += step
			}
		})
		variance[out], mean[out] = T(v.of(squares, n)), T(m)
	})
}

// VarianceAround stores the variance of all elements, whose mean is known.
func VarianceAround[T float](v *Variance, p *Plan, variance, x []T, mean float64) {
	p.Outputs(func(out, in int) {
		var squares, n float64
		p.Runs(in, func(at, step, count int) {
			n += float64(count)
			for range count {
				d := float64(x[at]) - mean
				squares += d * d
				at += step
			}
		})
		variance[out] = T(v.of(squares, n))
	})
}
