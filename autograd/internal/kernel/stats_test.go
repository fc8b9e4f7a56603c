package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// plainStats computes the statistics by their definition.
func plainStats(a []float32, sa, n int) Stats {
	s := NewStats()
	for i := range n {
		switch x := float64(a[i*sa]); {
		case math.IsNaN(x):
			s.NaN++
		case math.IsInf(x, 0):
			s.Inf++
		default:
			s.Lo, s.Hi, s.Finite = math.Min(s.Lo, x), math.Max(s.Hi, x), s.Finite+1
			s.Sum, s.Squares = s.Sum+x, s.Squares+x*x
			if x == 0 {
				s.Zeros++
			}
		}
	}
	return s
}

func TestStatisticsAreThoseOfTheDefinition(t *testing.T) {
	odd := []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), math.MaxFloat32, -math.MaxFloat32}
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 40 {
		for step := range 4 {
			for spoilt := range 4 {
				a := make([]float32, max((n-1)*step, 0)+1)
				for i := range a {
					a[i] = float32(random.IntN(2000)-1000) / 8 // sums are exact in any order
				}
				for range spoilt {
					a[random.IntN(len(a))] = odd[random.IntN(3)]
				}
				got, want := NewStats(), plainStats(a, step, n)
				Count(&got, a, step, n)
				if got != want {
					t.Fatalf("%d elements, step %d, of %v: %+v, want %+v", n, step, a, got, want)
				}
			}
		}
	}
	got := NewStats()
	Count(&got, []float64{math.MaxFloat64, math.MaxFloat64, 1, 2, 3}, 1, 5)
	if got.Finite != 5 || got.Inf != 0 || got.Hi != math.MaxFloat64 || got.Lo != 1 {
		t.Errorf("statistics of an overflowing sum: %+v", got)
	}
	Count(&got, []float32{odd[3], odd[4]}, 1, 2)
	if got.Finite != 7 || got.Lo != -math.MaxFloat32 {
		t.Errorf("statistics of two counts: %+v", got)
	}
}

func BenchmarkCount(b *testing.B) {
	a := make([]float32, 1<<20)
	for i := range a {
		a[i] = float32(i%1000) - 500
	}
	b.SetBytes(4 << 20)
	for b.Loop() {
		s := NewStats()
		Count(&s, a, 1, len(a))
	}
}
