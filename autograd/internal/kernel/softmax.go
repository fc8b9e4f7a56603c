package kernel

import "math"

// Softmax along one line: from n elements of x, step apart from position at, to
// n elements of d, by apart from position to. Along the last dimension elements
// are summed in vectors, along any other dimension one after the other
// ("Across"), as in aten/src/ATen/native/cpu/SoftMaxKernel.cpp.

// lineMax returns the largest element, or NaN if there is a NaN.
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

// sumRow sums adjacent elements in vectors, and halves the lanes at the end
// (vec::reduce_all).
func sumRow[T float](x []T) T {
	v := lanes[T]()
	if len(x) < v {
		return sumLine(x, 0, 1, len(x))
	}
	var lane [8]T
	copy(lane[:v], x)
	for i := v; i < len(x); i += v {
		for k, e := range x[i:min(i+v, len(x))] {
			lane[k] += e
		}
	}
	for half := v / 2; half > 0; half /= 2 {
		for k := range half {
			lane[k] += lane[k+half]
		}
	}
	return lane[0]
}

// sumLine sums elements one after the other.
func sumLine[T float](x []T, at, step, n int) T {
	var sum T
	for range n {
		sum += x[at]
		at += step
	}
	return sum
}

// Softmax stores exp(x) / sum(exp(x)).
func Softmax[T float](d, x []T, to, by, at, step, n int) {
	m := lineMax(x, at, step, n)
	d = d[to : to+n]
	for i := range d {
		d[i] = Exp(x[at+i*step] - m)
	}
	scale := 1 / sumRow(d)
	for i := range d {
		d[i] *= scale
	}
}

// SoftmaxAcross is Softmax along a dimension other than the last.
func SoftmaxAcross[T float](d, x []T, to, by, at, step, n int) {
	m, exp := lineMax(x, at, step, n), expOf[T](to, by)
	for i := range n {
		d[to+i*by] = exp(x[at+i*step] - m)
	}
	sum := sumLine(d, to, by, n)
	for i := range n {
		d[to+i*by] /= sum
	}
}

// expOf returns the exponential function for a line of a result whose elements
// are by apart. For the last lines, which do not fill a vector, it is the
// function of the C library.
func expOf[T float](to, by int) func(x T) T {
	if to%by >= by-by%lanes[T]() {
		return func(x T) T { return T(math.Exp(float64(x))) }
	}
	return Exp[T]
}

// LogSoftmax stores x - log(sum(exp(x))).
func LogSoftmax[T float](d, x []T, to, by, at, step, n int) {
	logSoftmax(d, x, to, by, at, step, n, Exp[T], func() T { return sumRow(d[to : to+n]) })
}

// LogSoftmaxAcross is LogSoftmax along a dimension other than the last.
func LogSoftmaxAcross[T float](d, x []T, to, by, at, step, n int) {
	logSoftmax(d, x, to, by, at, step, n, expOf[T](to, by), func() T { return sumLine(d, to, by, n) })
}

func logSoftmax[T float](d, x []T, to, by, at, step, n int, exp func(T) T, sum func() T) {
	m := lineMax(x, at, step, n)
	for i := range n {
		d[to+i*by] = exp(x[at+i*step] - m)
	}
	log := Log(sum())
	for i := range n {
		d[to+i*by] = x[at+i*step] - m - log
	}
}

// fused returns a·b + c with a single rounding.
func fused[T float](a, b, c T) T { return T(math.FMA(float64(a), float64(b), float64(c))) }

// SoftmaxGrad stores the gradient of the input of a softmax, (g - sum(g·y))·y,
// from the gradient g of its result y. All operands are row-major.
func SoftmaxGrad[T float](d, g, y []T, at, step, n int) {
	d, g, y = d[at:at+n], g[at:at+n], y[at:at+n]
	for i := range d {
		d[i] = g[i] * y[i]
	}
	sum := sumRow(d)
	for i := range d {
		d[i] = (g[i] - sum) * y[i]
	}
}

// SoftmaxGradAcross is SoftmaxGrad along a dimension other than the last.
func SoftmaxGradAcross[T float](d, g, y []T, at, step, n int) {
	var sum T
	for i := at; i < at+n*step; i += step {
		sum = fused(g[i], y[i], sum)
	}
	for i := at; i < at+n*step; i += step {
		d[i] = (g[i] - sum) * y[i]
	}
}

// LogSoftmaxGrad stores g - exp(y)·sum(g).
func LogSoftmaxGrad[T float](d, g, y []T, at, step, n int) {
	sum := sumRow(g[at : at+n])
	for i := at; i < at+n; i++ {
		d[i] = fused(-Exp(y[i]), sum, g[i])
	}
}

// LogSoftmaxGradAcross is LogSoftmaxGrad along a dimension other than the last.
func LogSoftmaxGradAcross[T float](d, g, y []T, at, step, n int) {
	sum, exp := sumLine(g, at, step, n), expOf[T](at, step)
	for i := at; i < at+n*step; i += step {
		d[i] = fused(-exp(y[i]), sum, g[i])
	}
}
