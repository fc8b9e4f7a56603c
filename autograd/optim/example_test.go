package optim_test

import (
	"fmt"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/optim"
)

// Gradient descent finds the minimum of (p-3)².
func Example() {
	p := autograd.New([]float64{0}, autograd.RequiresGrad)
	sgd, err := optim.NewSGD([]*autograd.Tensor{p}, optim.LR(0.25))
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 3 {
		if err := sgd.ZeroGrad(); err != nil {
			fmt.Println(err)
			return
		}
		loss := p.Sub(3).Pow(2).Sum()
		if err := loss.Backward(); err != nil {
			fmt.Println(err)
			return
		}
		if err := sgd.Step(); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(p.Detach(), p.Grad())
	}
	// Output:
	// tensor([1.5000]) tensor([-6.])
	// tensor([2.2500]) tensor([-3.])
	// tensor([2.6250]) tensor([-1.5000])
}

func ExampleOptimizer_String() {
	p := autograd.New([]float64{0}, autograd.RequiresGrad)
	sgd, err := optim.NewSGD([]*autograd.Tensor{p}, optim.LR(0.1), optim.Momentum(0.9))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sgd)
	// Output:
	// SGD (
	// Parameter Group 0
	//     dampening: 0
	//     differentiable: False
	//     foreach: None
	//     fused: None
	//     lr: 0.1
	//     maximize: False
	//     momentum: 0.9
	//     nesterov: False
	//     weight_decay: 0
	// )
}
