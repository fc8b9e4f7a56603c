package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// inOrder is the definition: products are summed in order, and each step is
// rounded.
func inOrder(c, a, b Matrix[float32], alpha, beta float32, apart bool) {
	for i := range c.Rows {
		for j := range c.Cols {
			p := &c.Data[i*c.RowStep+j*c.ColStep]
			start := float32(0)
			if beta != 0 {
				start = *p * beta
			}
			sum := start
			if apart {
				sum = 0
			}
			for l := range a.Cols {
				x, y := a.Data[i*a.RowStep+l*a.ColStep], b.Data[l*b.RowStep+j*b.ColStep]
				switch {
				case apart:
					sum += float32(x * y)
				case c.Cols == 1:
					sum += float32(float32(alpha*y) * x)
				default:
					sum += float32(float32(alpha*x) * y)
				}
			}
			if apart {
				sum = float32(alpha*sum) + start
			}
			*p = sum
		}
	}
}

func randomMatrix(r *rand.Rand, rows, cols int, turned bool) Matrix[float32] {
	data := make([]float32, rows*cols)
	for i := range data {
		data[i] = float32(r.NormFloat64())
	}
	if turned {
		return Dense(data, cols, rows).Transposed()
	}
	return Dense(data, rows, cols)
}

func TestMatMulAddsProductsInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	sizes := [][3]int{{1, 1, 1}, {2, 3, 4}, {3, 5, 1}, {1, 6, 3}, {4, 0, 2}, {9, 10, 11}, {70, 60, 50}, {1, 300, 600}}
	for _, s := range sizes {
		for layout := range 4 {
			a := randomMatrix(r, s[0], s[1], layout&1 != 0)
			b := randomMatrix(r, s[1], s[2], layout&2 != 0)
			for _, f := range [][2]float32{{1, 0}, {1, 1}, {0.3, 1.7}} {
				got := randomMatrix(r, s[0], s[2], false)
				want := Dense(append([]float32(nil), got.Data...), s[0], s[2])
				MatMul(got, a, b, f[0], f[1])
				// A vector is the same in both layouts; the first one that fits
				// is used.
				apart := b.ColStep != 1 || b.RowStep < b.Cols
				if s[2] == 1 {
					apart = a.RowStep != 1 || a.ColStep < a.Rows
				}
				inOrder(want, a, b, f[0], f[1], apart && s[1] > 0)
				for i := range want.Data {
					if got.Data[i] != want.Data[i] {
						t.Fatalf("%v layout %d alpha %v beta %v: element %d is %v, want %v", s, layout, f[0], f[1], i, got.Data[i], want.Data[i])
					}
				}
			}
		}
	}
}

func BenchmarkMatMul(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{2, 8, 32, 64, 128, 256, 512, 1024} {
		for _, turned := range []bool{false, true} {
			b.Run(fmt.Sprintf("%d/turned=%v", n, turned), func(b *testing.B) {
				x, y, z := randomMatrix(r, n, n, false), randomMatrix(r, n, n, turned), randomMatrix(r, n, n, false)
				for b.Loop() {
					MatMul(z, x, y, 1, 0)
				}
			})
		}
	}
}
