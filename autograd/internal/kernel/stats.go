package kernel

import "math"

// Stats describes the elements of a tensor: the smallest and the largest finite
// element, the sum and the number of finite elements, and the number of other
// elements.
type Stats struct {
	Lo, Hi, Sum      float64
	Finite, NaN, Inf int
}

// NewStats returns the statistics of no elements.
func NewStats() Stats { return Stats{Lo: math.Inf(1), Hi: math.Inf(-1)} }

// Count adds the statistics of n elements that are sa apart. Elements are
// nearly always finite. If their sum is finite, they all are, and none has to
// be tested.
func Count[T ~float32 | ~float64 | ~int64](s *Stats, a []T, sa, n int) {
	if sa == 0 && n > 1 { // an expanded tensor
		one := NewStats()
		Count(&one, a, 1, 1)
		one.Sum *= float64(n)
		one.Finite, one.NaN, one.Inf = one.Finite*n, one.NaN*n, one.Inf*n
		s.join(one)
		return
	}
	var quick Stats
	if sa == 1 {
		quick = countRun(a[:n])
	} else {
		quick = countSteps(a, sa, n)
	}
	if quick.Sum-quick.Sum != 0 {
		quick = countCarefully(a, sa, n)
	}
	s.join(quick)
}

func (s *Stats) join(o Stats) {
	s.Lo, s.Hi = min(s.Lo, o.Lo), max(s.Hi, o.Hi)
	s.Sum += o.Sum
	s.Finite, s.NaN, s.Inf = s.Finite+o.Finite, s.NaN+o.NaN, s.Inf+o.Inf
}

// countRun assumes that the elements are finite. It keeps four sums, because
// each addition waits for the previous one.
func countRun[T ~float32 | ~float64 | ~int64](a []T) Stats {
	n := len(a)
	if n < 4 {
		return countSteps(a, 1, n)
	}
	lo, hi := a[0], a[0]
	var s0, s1, s2, s3 float64
	for len(a) >= 4 {
		w, x, y, z := a[0], a[1], a[2], a[3]
		a = a[4:]
		s0 += float64(w)
		s1 += float64(x)
		s2 += float64(y)
		s3 += float64(z)
		if w < lo {
			lo = w
		}
		if w > hi {
			hi = w
		}
		if x < lo {
			lo = x
		}
		if x > hi {
			hi = x
		}
		if y < lo {
			lo = y
		}
		if y > hi {
			hi = y
		}
		if z < lo {
			lo = z
		}
		if z > hi {
			hi = z
		}
	}
	s := countSteps(a, 1, len(a))
	s.join(Stats{Lo: float64(lo), Hi: float64(hi), Sum: s0 + s1 + (s2 + s3), Finite: n - len(a)})
	return s
}

func countSteps[T ~float32 | ~float64 | ~int64](a []T, sa, n int) Stats {
	s := NewStats()
	s.Finite = n
	for i, j := 0, 0; i < n; i, j = i+1, j+sa {
		x := float64(a[j])
		s.Sum += x
		if x < s.Lo {
			s.Lo = x
		}
		if x > s.Hi {
			s.Hi = x
		}
	}
	return s
}

// countCarefully handles elements of which some, or whose sum, are not finite.
func countCarefully[T ~float32 | ~float64 | ~int64](a []T, sa, n int) Stats {
	s := NewStats()
	for i, j := 0, 0; i < n; i, j = i+1, j+sa {
		switch x := float64(a[j]); {
		case x-x == 0:
			s.Lo, s.Hi = min(s.Lo, x), max(s.Hi, x)
			s.Sum += x
			s.Finite++
		case x != x:
			s.NaN++
		default:
			s.Inf++
		}
	}
	return s
}

// CountBools is Count for bools, which count as 0 and 1.
func CountBools(s *Stats, a []bool, sa, n int) {
	set := 0
	for i, j := 0, 0; i < n; i, j = i+1, j+sa {
		if a[j] {
			set++
		}
	}
	if set > 0 {
		s.join(Stats{Lo: 1, Hi: 1, Sum: float64(set), Finite: set})
	}
	if unset := n - set; unset > 0 {
		s.join(Stats{Finite: unset})
	}
}
