package autograd

import (
	"testing"

	"github.com/gradtui/gradtui/graph"
)

// The chains below are forward and backward passes of 100 operators on small
// tensors, where the cost of an operator is that of the engine around its loop.
// ns/op is for one operator and its part of backward.

const chainLength = 100

var chains = []struct {
	name string
	size []int
	step func(x, k *Tensor) *Tensor
}{
	{"MulNumber", []int{4}, func(x, k *Tensor) *Tensor { return x.Mul(1.01) }},
	{"MulTensor", []int{4}, func(x, k *Tensor) *Tensor { return x.Mul(k) }},
	{"AddTensor", []int{4}, func(x, k *Tensor) *Tensor { return x.Add(k) }},
	{"ScalarExp", nil, func(x, k *Tensor) *Tensor { return x.Exp() }},
	{"ScalarLog", nil, func(x, k *Tensor) *Tensor { return x.Log() }},
}

func BenchmarkChain(b *testing.B) {
	for _, c := range chains {
		b.Run(c.name, func(b *testing.B) { runChain(b, c.size, c.step) })
		b.Run(c.name+"Recorded", func(b *testing.B) {
			_, stop := Record(graph.NewTape(graph.Limits{Bytes: 256 << 20}))
			defer stop()
			runChain(b, c.size, c.step)
		})
	}
}

func runChain(b *testing.B, size []int, step func(x, k *Tensor) *Tensor) {
	x, k := filled(size, Float32, 1), filled(size, Float32, 1)
	x.RequiresGrad_(true)
	k.RequiresGrad_(true)
	b.ReportAllocs()
	for n := 0; n < b.N; n += chainLength {
		y := x
		for range chainLength {
			y = step(y, k)
		}
		if err := y.Sum().Backward(); err != nil {
			b.Fatal(err)
		}
		x.grad, k.grad = nil, nil
	}
}
