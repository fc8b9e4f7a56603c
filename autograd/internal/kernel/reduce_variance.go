package kernel

import "math"

// Variances, computed in float64 for elements of any type, as in PyTorch
// (WelfordOps in aten/src/ATen/native/SharedReduceOps.h, and std_var_all_cpu in
// ReduceOps.cpp).

// Variance holds the options of a variance.
type Variance struct {
	Correction float64 // subtracted from the number of elements
	Root       bool    // return the standard deviation instead
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

// VarianceAround returns the variance of all elements around a known mean.
func VarianceAround[T float](v *Variance, p *Plan, x []T, mean float64) T {
	total, n := 0.0, 0
	p.Blocks(func(b *Block) {
		sum := 0.0
		for j := range b.N1 {
			at := b.In + j*b.In1
			for range b.N0 {
				d := float64(x[at]) - mean
				sum += d * d
				at += b.In0
			}
		}
		total += sum
		n += b.N0 * b.N1
	})
	return T(v.of(total, float64(n)))
}
