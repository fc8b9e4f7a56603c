package kernel

import "math"

// Norms of vectors, with a running sum in the type of the elements
// (NormOps in aten/src/ATen/native/SharedReduceOps.h).

// Norm stores the p-norm of each group of elements that the plan reduces to one.
func Norm[T float](p *Plan, dst, x []T, ord float64) {
	step, finish := normOps[T](ord)
	single := p.Count() == 1
	p.Outputs(func(out, in int) {
		if single {
			dst[out] = norm1(x[in], ord)
			return
		}
		if ord == 2 && p.reduced == 1 && p.in[0] == 1 {
			dst[out] = norm2(x[in : in+p.sizes[0]])
			return
		}
		acc := T(0)
		if math.IsInf(ord, -1) {
			acc = T(math.Inf(1))
		}
		p.Runs(in, func(at, by, n int) { acc = step(acc, x, at, by, n) })
		dst[out] = finish(acc)
	})
}

// norm1 returns the norm of a single element.
func norm1[T float](x T, ord float64) T {
	switch {
	case ord != 0:
		return abs(x)
	case x != 0:
		return 1
	}
	return 0
}

// norm2 sums squares in 8 lanes, as the vectorized path of norm_kernel does for
// float32.
func norm2[T float](x []T) T {
	var lane [8]T
	v := lanes[T]()
	i := 0
	for ; i+v <= len(x); i += v {
		for k, e := range x[i : i+v] {
			lane[k] += e * e
		}
	}
	sum := lane[0]
	for _, s := range lane[1:v] {
		sum += s
	}
	// The compiler takes the rest in groups of four; the remainder is fused.
	for ; i+4 <= len(x); i += 4 {
		for _, e := range x[i : i+4] {
			sum += e * e
		}
	}
	for _, e := range x[i:] {
		sum = T(math.FMA(float64(e), float64(e), float64(sum)))
	}
	return T(math.Sqrt(float64(sum)))
}

func abs[T float](x T) T { return T(math.Abs(float64(x))) }

// normOps returns the loop that accumulates a norm, and the function for the
// final step.
func normOps[T float](ord float64) (step func(acc T, x []T, at, by, n int) T, finish func(T) T) {
	same := func(x T) T { return x }
	each := func(f func(acc, e T) T) func(acc T, x []T, at, by, n int) T {
		return func(acc T, x []T, at, by, n int) T {
			for range n {
				acc = f(acc, x[at])
				at += by
			}
			return acc
		}
	}
	switch {
	case ord == 0:
		return each(func(acc, e T) T {
			if e != 0 {
				acc++
			}
			return acc
		}), same
	case ord == 1:
		return each(func(acc, e T) T { return acc + abs(e) }), same
	case ord == 2:
		return each(func(acc, e T) T { return acc + e*e }), func(x T) T { return T(math.Sqrt(float64(x))) }
	case math.IsInf(ord, 1):
		return each(func(acc, e T) T {
			if e = abs(e); e > acc || e != e {
				return e
			}
			return acc
		}), same
	case math.IsInf(ord, -1):
		return each(func(acc, e T) T {
			if e = abs(e); e < acc || e != e {
				return e
			}
			return acc
		}), same
	}
	return each(func(acc, e T) T { return acc + T(math.Pow(math.Abs(float64(e)), ord)) }),
		func(x T) T { return T(math.Pow(float64(x), float64(1/T(ord)))) }
}
