package nbody

import (
	"math"
	"testing"

	"github.com/gradtui/gradtui/autograd"
)

func TestGradientsEqualFiniteDifferences(t *testing.T) {
	double := autograd.WithDType(autograd.Float64)
	start := autograd.New([][]float64{{0, 0}, {1, 0.5}, {-0.5, 1}}, double)
	target := autograd.New([]float64{0.8, 0.9}, double)
	values := [][]float64{{0.1, -0.2, 0.3, 0, 0.05, -0.1}, {0.1, 1, 1.5}}
	tensors := func(opts ...autograd.Option) (velocity, mass *autograd.Tensor) {
		velocity = autograd.New(values[0], append(opts, double)...)
		return velocity, autograd.New(values[1], append(opts, double)...)
	}
	loss := func(velocity, mass *autograd.Tensor) *autograd.Tensor {
		return miss(system{start, velocity.View([]int{3, 2}), mass}, target)
	}

	velocity, mass := tensors(autograd.RequiresGrad)
	if err := loss(velocity, mass).Backward(); err != nil {
		t.Fatal(err)
	}
	const step = 1e-6
	for i, gradient := range [][]float64{velocity.Grad().Float64s(), mass.Grad().Float64s()} {
		for j, got := range gradient {
			x := values[i][j]
			values[i][j] = x + step
			above := loss(tensors()).Float()
			values[i][j] = x - step
			below := loss(tensors()).Float()
			values[i][j] = x
			if want := (above - below) / (2 * step); math.Abs(got-want) > 1e-8*(1+math.Abs(want)) {
				t.Errorf("parameter %d, element %d: gradient %g, difference quotient %g", i, j, got, want)
			}
		}
	}
}
