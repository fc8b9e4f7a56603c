package autograd

import (
	"testing"

	"github.com/gradtui/gradtui/graph"
)

// The chains below are forward and backward passes of 100 operators on small
// tensors, where the engine costs more than the loops. ns/op is the time of one
// operator and its share of backward.

const chainLength = 100

type chain struct {
	name         string
	size, second []int // shapes of x and k
	step         func(x, k *Tensor) *Tensor
}

var chains = []chain{
	{"MulNumber", []int{4}, nil, func(x, k *Tensor) *Tensor { return x.Mul(1.01) }},
	{"MulTensor", []int{4}, []int{4}, func(x, k *Tensor) *Tensor { return x.Mul(k) }},
	{"AddTensor", []int{4}, []int{4}, func(x, k *Tensor) *Tensor { return x.Add(k) }},
	{"AddInPlace", []int{4}, []int{4}, func(x, k *Tensor) *Tensor { return inPlace(x, x.Add_(k)) }},
	{"MulInPlace", []int{4}, nil, func(x, k *Tensor) *Tensor { return inPlace(x, x.Mul_(0.5)) }},
	{"ScalarExp", nil, nil, func(x, k *Tensor) *Tensor { return x.Exp() }},
	{"ScalarLog", nil, nil, func(x, k *Tensor) *Tensor { return x.Log() }},
	{"Matmul", []int{4, 8}, []int{8, 8}, func(x, k *Tensor) *Tensor { return x.Matmul(k) }},
	{"AddRow", []int{4, 8}, []int{8}, func(x, k *Tensor) *Tensor { return x.Add(k) }},
	{"Tanh", []int{4, 8}, nil, func(x, k *Tensor) *Tensor { return x.Tanh() }},
}

// value returns the value of the elements of k. With it, x neither grows nor
// vanishes.
func (c *chain) value() float64 {
	if len(c.second) == 2 {
		return 1 / float64(c.second[0])
	}
	return 1
}

// inPlace returns the result of an in-place operator.
func inPlace(x *Tensor, err error) *Tensor {
	if err != nil {
		return Failed(err)
	}
	return x
}

func BenchmarkChain(b *testing.B) {
	for _, c := range chains {
		run := func(b *testing.B) {
			runChain(b, filled(c.size, Float32, 1), filled(c.second, Float32, c.value()), c.step)
		}
		b.Run(c.name, run)
		b.Run(c.name+"Recorded", func(b *testing.B) {
			_, stop := Record(graph.NewTape(graph.Limits{Bytes: 256 << 20}))
			defer stop()
			run(b)
		})
	}
}

func runChain(b *testing.B, x, k *Tensor, step func(x, k *Tensor) *Tensor) {
	x.RequiresGrad_(true)
	k.RequiresGrad_(true)
	b.ReportAllocs()
	for n := 0; n < b.N; n += chainLength {
		y := x.Mul(1)
		for range chainLength {
			y = step(y, k)
		}
		if err := y.Sum().Backward(); err != nil {
			b.Fatal(err)
		}
		x.grad, k.grad = nil, nil
	}
}
