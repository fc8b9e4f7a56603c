package kernel

import "math"

// Cumulative operators along one line: from n elements of x, step apart from
// position at, to n elements of d, by apart from position to. Sums of floats
// are accumulated in float64, as in PyTorch (ReduceOpsKernel.cpp).

// A Scan is such a loop.
type Scan[T any] func(d, x []T, to, by, at, step, n int)

// CumSum stores cumulative sums.
func CumSum[T float](d, x []T, to, by, at, step, n int) {
	sum := 0.0
	for range n {
		sum += float64(x[at])
		d[to] = T(sum)
		to, at = to+by, at+step
	}
}

// CumSumInt stores cumulative sums of integers.
func CumSumInt(d, x []int64, to, by, at, step, n int) {
	var sum int64
	for range n {
		sum += x[at]
		d[to] = sum
		to, at = to+by, at+step
	}
}

// CumProd stores cumulative products.
func CumProd[T float](d, x []T, to, by, at, step, n int) {
	product := 1.0
	for range n {
		product *= float64(x[at])
		d[to] = T(product)
		to, at = to+by, at+step
	}
}

// CumProdInt stores cumulative products of integers.
func CumProdInt(d, x []int64, to, by, at, step, n int) {
	product := int64(1)
	for range n {
		product *= x[at]
		d[to] = product
		to, at = to+by, at+step
	}
}

// LogCumSumExp stores logarithms of cumulative sums of exponentials.
func LogCumSumExp[T float](d, x []T, to, by, at, step, n int) {
	sum := math.Inf(-1)
	for range n {
		sum = logAddExp(float64(x[at]), sum)
		d[to] = T(sum)
		to, at = to+by, at+step
	}
}

func logAddExp(x, y float64) float64 {
	low, high := math.Min(x, y), math.Max(x, y)
	if low == high && math.IsInf(low, 0) {
		return low
	}
	return math.Log1p(math.Exp(low-high)) + high
}

// CumMax stores the largest element so far and its index. Among equal elements
// the last wins. NaN is larger than all numbers.
func CumMax[T number](d []T, index []int64, x []T, to, by, at, step, n int) {
	cumExtreme(d, index, x, to, by, at, step, n, func(e, m T) bool { return e >= m })
}

// CumMin stores the smallest element so far and its index, as CumMax does.
func CumMin[T number](d []T, index []int64, x []T, to, by, at, step, n int) {
	cumExtreme(d, index, x, to, by, at, step, n, func(e, m T) bool { return e <= m })
}

func cumExtreme[T number](d []T, index []int64, x []T, to, by, at, step, n int, replaces func(e, m T) bool) {
	var m T
	best := 0
	for i := range n {
		if e := x[at]; i == 0 || e != e || m == m && replaces(e, m) {
			m, best = e, i
		}
		d[to], index[to] = m, int64(best)
		to, at = to+by, at+step
	}
}
