package nn_test

import (
	"fmt"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/nn"
)

func Example() {
	if err := autograd.ManualSeed(0); err != nil {
		fmt.Println(err)
		return
	}
	net := nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
	x := autograd.New([][]float64{{1, 2}, {3, 4}})
	y := autograd.New([][]float64{{0}, {1}})
	loss := nn.MSELoss().Forward(net.Forward(x), y)
	if err := loss.Backward(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(net)
	for _, p := range net.NamedParameters() {
		fmt.Println(p.Name, p.Value.Grad().Shape())
	}
	// Output:
	// Sequential(
	//   (0): Linear(in_features=2, out_features=3, bias=True)
	//   (1): ReLU()
	//   (2): Linear(in_features=3, out_features=1, bias=True)
	// )
	// 0.weight [3 2]
	// 0.bias [3]
	// 2.weight [1 3]
	// 2.bias [1]
}

// An LSTM cell computes one step of a sequence. Its state is two tensors.
func ExampleLSTMCell() {
	cell := nn.LSTMCell(4, 3)
	state := []*autograd.Tensor{autograd.Zeros([]int{1, 3}), autograd.Zeros([]int{1, 3})}
	for range 100 {
		var err error
		if state, err = cell.Run(autograd.Ones([]int{1, 4}), state[0], state[1]); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := state[0].Sum().Backward(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(cell, cell.Param("weight_hh").Grad().Shape())
	// Output: LSTMCell(4, 3) [12 3]
}

// Errors travel: the error of a constructor or of an operator reaches the end.
func ExampleModule_Err() {
	net := nn.Sequential(nn.Linear(2, 3), nn.Dropout(1.5))
	fmt.Println(net.Err())
	// Output: ValueError: dropout probability has to be between 0 and 1, but got 1.5
}
