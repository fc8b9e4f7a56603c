package main

import (
	"fmt"

	ag "github.com/gradtui/gradtui/autograd"
)

// A program is measured on both sides; torch_side.py has its twin of the same
// name. ops is how many operators one run calls.
type program struct {
	name  string
	ops   int
	setup func() (run func() error)
}

var small = []program{
	{"multiply by a number", 51, func() func() error {
		x := ag.Rand([]int{4}, ag.RequiresGrad)
		return func() error {
			y := x
			for range 50 {
				y = y.Mul(1.01)
			}
			return finish(y.Sum(), x)
		}
	}},
	{"multiply and add", 51, func() func() error {
		x, w := ag.Rand([]int{4}, ag.RequiresGrad), ag.Rand([]int{4})
		return func() error {
			y := x
			for range 25 {
				y = y.Mul(w).Add(x)
			}
			return finish(y.Sum(), x)
		}
	}},
	{"scalar functions", 80, func() func() error {
		s := ag.New(1.5, ag.RequiresGrad)
		return func() error {
			y := s
			for range 20 {
				y = y.Mul(0.5).Add(s).Exp().Log()
			}
			return finish(y, s)
		}
	}},
	{"10 layers of tanh(x @ W + b), 8 wide", 31, func() func() error {
		x := ag.Rand([]int{4, 8})
		var params []*ag.Tensor
		for range 10 {
			params = append(params, ag.Rand([]int{8, 8}, ag.RequiresGrad), ag.Rand([]int{8}, ag.RequiresGrad))
		}
		return func() error {
			y := x
			for i := 0; i < len(params); i += 2 {
				y = y.Matmul(params[i]).Add(params[i+1]).Tanh()
			}
			return finish(y.Mean(), params...)
		}
	}},
	{"in-place updates of a buffer", 41, func() func() error {
		x := ag.Rand([]int{4}, ag.RequiresGrad)
		return func() error {
			y := x.Mul(1)
			for range 20 {
				if err := y.Add_(x); err != nil {
					return err
				}
				if err := y.Mul_(0.5); err != nil {
					return err
				}
			}
			return finish(y.Sum(), x)
		}
	}},
}

var large = append(matmuls(64, 128, 256, 512, 1024), program{"1,000,000 elements: multiply, add, tanh, sum", 4, func() func() error {
	x, w := ag.Rand([]int{1000, 1000}, ag.RequiresGrad), ag.Rand([]int{1000, 1000})
	return func() error { return finish(x.Mul(w).Add(x).Tanh().Sum(), x) }
}})

func matmuls(sizes ...int) (list []program) {
	for _, n := range sizes {
		list = append(list, program{fmt.Sprintf("matmul %d", n), 2, func() func() error {
			a, b := ag.Rand([]int{n, n}, ag.RequiresGrad), ag.Rand([]int{n, n}, ag.RequiresGrad)
			return func() error { return finish(a.Matmul(b).Sum(), a, b) }
		}})
	}
	return list
}

// finish runs backward and forgets the gradients.
func finish(loss *ag.Tensor, params ...*ag.Tensor) error {
	if err := loss.Backward(); err != nil {
		return err
	}
	for _, p := range params {
		if err := p.SetGrad(nil); err != nil {
			return err
		}
	}
	return nil
}
