package kernel

import "math"

// Attention is the shape of one head: Q queries and K keys of Width elements,
// and values of the same width. All are contiguous.
type Attention struct {
	Q, K, Width int
	Scale       float64
	Causal      bool // a query sees only the keys up to its own position
	// Mask is added to the scores; nil means no mask. Row i, column j is at
	// i*MaskStep[0] + j*MaskStep[1].
	Mask     func(at int) float64
	MaskStep [2]int
}

// score returns the masked score of query i and key j.
func score[T float32 | float64](a *Attention, q, k []T, i, j int) float64 {
	if a.Causal && j > i {
		return math.Inf(-1)
	}
	sum := 0.0
	for d := range a.Width {
		sum += float64(q[i*a.Width+d]) * float64(k[j*a.Width+d])
	}
	sum *= a.Scale
	if a.Mask != nil {
		sum += a.Mask(i*a.MaskStep[0] + j*a.MaskStep[1])
	}
	return sum
}

// Attend stores, for each query, the average of the values weighted by the
// softmax of the scores. It passes the logarithm of the sum of the exponentials
// of the scores to logsum. A query without visible keys gets zeros.
func Attend[T float32 | float64](a *Attention, out []T, logsum func(i int, x float64), q, k, v []T) {
	weights, sums := make([]float64, a.K), make([]float64, a.Width)
	for i := range a.Q {
		most := math.Inf(-1)
		for j := range weights {
			weights[j] = score(a, q, k, i, j)
			most = max(most, weights[j])
		}
		total := 0.0
		clear(sums)
		if !math.IsInf(most, -1) {
			for j := range weights {
				w := math.Exp(weights[j] - most)
				total += w
				for d := range sums {
					sums[d] += w * float64(v[j*a.Width+d])
				}
			}
		}
		logsum(i, most+math.Log(total))
		for d := range sums {
			if total > 0 {
				out[i*a.Width+d] = T(sums[d] / total)
			}
		}
	}
}

// AttendBackward adds the gradients of queries, keys and values to dq, dk and dv.
func AttendBackward[T float32 | float64](a *Attention, dq, dk, dv, dout, out []T, logsum func(i int) float64, q, k, v []T) {
	for i := range a.Q {
		row := dout[i*a.Width : (i+1)*a.Width]
		mean := 0.0
		for d, g := range row {
			mean += float64(g) * float64(out[i*a.Width+d])
		}
		for j := range a.K {
			s := score(a, q, k, i, j)
			if math.IsInf(s, -1) {
				continue
			}
			p, dp := math.Exp(s-logsum(i)), 0.0
			for d, g := range row {
				dp += float64(g) * float64(v[j*a.Width+d])
				dv[j*a.Width+d] += T(p * float64(g))
			}
			ds := p * (dp - mean) * a.Scale
			for d := range a.Width {
				dq[i*a.Width+d] += T(ds * float64(k[j*a.Width+d]))
				dk[j*a.Width+d] += T(ds * float64(q[i*a.Width+d]))
			}
		}
	}
}
