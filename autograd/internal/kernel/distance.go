package kernel

import "math"

// Distances between vectors and their gradients, after
// aten/src/ATen/native/cpu/DistanceOpsKernel.cpp.

// Distance returns the p-norm of x-y.
func Distance[T float](x, y []T, p float64) T {
	sum := 0.0
	for i, e := range x {
		d := math.Abs(float64(e - y[i]))
		switch {
		case p == 0:
			if d != 0 {
				sum++
			}
		case p == 1:
			sum += d
		case p == 2:
			sum += d * d
		case math.IsInf(p, 1):
			if d > sum || d != d {
				sum = d
			}
		default:
			sum += math.Pow(d, p)
		}
	}
	switch {
	case p == 0 || p == 1 || math.IsInf(p, 1):
	case p == 2:
		sum = math.Sqrt(sum)
	default:
		sum = math.Pow(sum, 1/p)
	}
	return T(sum)
}

// DistanceGrad adds to grad the gradient with respect to x of the distance dist
// of x and y, times g.
func DistanceGrad[T float](grad, x, y []T, g, dist T, p float64) {
	if p == 0 || dist == 0 && p != 1 {
		return
	}
	for i, e := range x {
		d := float64(e - y[i])
		var slope float64
		switch {
		case p == 1:
			slope = sign(d)
		case p == 2:
			slope = d / float64(dist)
		case math.IsInf(p, 1):
			if T(math.Abs(d)) == dist {
				slope = sign(d)
			}
		case d == 0:
		default:
			slope = sign(d) * math.Pow(math.Abs(d)/float64(dist), p-1)
		}
		grad[i] += g * T(slope)
	}
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x
}
