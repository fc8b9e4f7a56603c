package kernel

import "math"

// Stats describes the elements of a tensor: the smallest and the largest finite
// element, the sum, the sum of the squares and the number of finite elements, how many
// of them are zero, and the number of other elements.
type Stats struct {
	Lo, Hi, Sum, Squares    float64
	Finite, Zeros, NaN, Inf int
}

// NewStats returns the statistics of no elements.
func NewStats() Stats { return Stats{Lo: math.Inf(1), Hi: math.Inf(-1)} }

// Count adds the statistics of n elements that are sa apart. Elements are
// nearly always finite. If their sum is finite, they all are, and none has to
// be tested.
func Count[T ~float32 | ~float64 | ~int64](s *Stats, a []T, sa, n int) {
	if sa == 0 && n > 1 { // an expanded tensor
		each := NewStats()
		Count(&each, a, 1, 1)
		s.join(each.Times(n))
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
	s.Sum, s.Squares = s.Sum+o.Sum, s.Squares+o.Squares
	s.Finite, s.Zeros, s.NaN, s.Inf = s.Finite+o.Finite, s.Zeros+o.Zeros, s.NaN+o.NaN, s.Inf+o.Inf
}

// Times returns the statistics of the elements n times over.
func (s Stats) Times(n int) Stats {
	s.Sum, s.Squares = s.Sum*float64(n), s.Squares*float64(n)
	s.Finite, s.Zeros, s.NaN, s.Inf = s.Finite*n, s.Zeros*n, s.NaN*n, s.Inf*n
	return s
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
	var q0, q1 float64
	zeros := 0
	for len(a) >= 4 {
		w, x, y, z := a[0], a[1], a[2], a[3]
		a = a[4:]
		fw, fx, fy, fz := float64(w), float64(x), float64(y), float64(z)
		s0 += fw
		s1 += fx
		s2 += fy
		s3 += fz
		qw, qx, qy, qz := fw*fw, fx*fx, fy*fy, fz*fz
		q0 += qw + qx
		q1 += qy + qz
		if !((qw*qx)*(qy*qz) > 0) { // a zero, or numbers that are nearly zero
			zeros += one(w == 0) + one(x == 0) + (one(y == 0) + one(z == 0))
		}
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
	s.join(Stats{Lo: float64(lo), Hi: float64(hi), Sum: s0 + s1 + (s2 + s3), Squares: q0 + q1, Finite: n - len(a), Zeros: zeros})
	return s
}

// one is 1 for true, without a branch: zeros come in no order that could be predicted.
func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

func countSteps[T ~float32 | ~float64 | ~int64](a []T, sa, n int) Stats {
	s := NewStats()
	s.Finite = n
	for i, j := 0, 0; i < n; i, j = i+1, j+sa {
		x := float64(a[j])
		s.Sum += x
		s.Squares += x * x
		s.Zeros += one(a[j] == 0)
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
			s.Squares += x * x
			if x == 0 {
				s.Zeros++
			}
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
		s.join(Stats{Lo: 1, Hi: 1, Sum: float64(set), Squares: float64(set), Finite: set})
	}
	if unset := n - set; unset > 0 {
		s.join(Stats{Finite: unset, Zeros: unset})
	}
}
