package kernel

import "math"

// Softmax along one line: n elements of x from position at on, step apart, to as
// many of d from position to on, by apart. Exponentials are computed in float64;
// everything else in the type of the elements, as PyTorch does.

func exp[T float](x T) T { return T(math.Exp(float64(x))) }

// lineMax is the largest element, or NaN if there is one.
func lineMax[T float](x []T, at, step, n int) T {
	m := T(math.Inf(-1))
	for range n {
		if e := x[at]; e > m || e != e {
			m = e
		}
		at += step
	}
	return m
}

// Softmax stores exp(x) / sum(exp(x)).
func Softmax[T float](d, x []T, to, by, at, step, n int) {
	m := lineMax(x, at, step, n)
	var sum T
	for i, p, q := 0, at, to; i < n; i, p, q = i+1, p+step, q+by {
		e := exp(x[p] - m)
		d[q] = e
		sum += e
	}
	for i, q := 0, to; i < n; i, q = i+1, q+by {
		d[q] /= sum
	}
}

// LogSoftmax stores x - log(sum(exp(x))).
func LogSoftmax[T float](d, x []T, to, by, at, step, n int) {
	m := lineMax(x, at, step, n)
	var sum T
	for i, p := 0, at; i < n; i, p = i+1, p+step {
		sum += exp(x[p] - m)
	}
	log := T(math.Log(float64(sum)))
	for i, p, q := 0, at, to; i < n; i, p, q = i+1, p+step, q+by {
		d[q] = x[p] - m - log
	}
}

// LogSumExp is log(sum(exp(x))) over the elements that a plan reduces to one.
func LogSumExp[T float](p *Plan, dst, x []T) {
	p.Outputs(func(out, in int) {
		m := T(math.Inf(-1))
		p.Runs(in, func(at, step, n int) {
			if e := lineMax(x, at, step, n); e > m || e != e {
				m = e
			}
		})
		shift := m
		if math.IsInf(float64(m), 0) {
			shift = 0
		}
		var sum T
		p.Runs(in, func(at, step, n int) {
			for range n {
				sum += exp(x[at] - shift)
				at += step
			}
		})
		dst[out] = T(math.Log(float64(sum))) + shift
	})
}

// SoftmaxGrad stores the gradient for the input of a softmax from that of its
// result y: (g - sum(g·y))·y. The operands are contiguous along the line or step
// apart alike.
func SoftmaxGrad[T float](d, g, y []T, to, atG, atY, step, n int) {
	var sum T
	for i := range n {
		sum += g[atG+i*step] * y[atY+i*step]
	}
	for i := range n {
		d[to+i*step] = (g[atG+i*step] - sum) * y[atY+i*step]
	}
}

// LogSoftmaxGrad stores g - exp(y)·sum(g).
func LogSoftmaxGrad[T float](d, g, y []T, to, atG, atY, step, n int) {
	var sum T
	for i := range n {
		sum += g[atG+i*step]
	}
	for i := range n {
		d[to+i*step] = g[atG+i*step] - exp(y[atY+i*step])*sum
	}
}
