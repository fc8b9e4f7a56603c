package random_test

import (
	"fmt"

	"github.com/gradtui/gradtui/autograd/random"
)

// torch.manual_seed(0); torch.randn(3)
func ExampleNormal() {
	g := random.New(0)
	x := make([]float32, 3)
	if err := random.Normal(g, x, 0, 1); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%.4f\n", x)
	// Output: [1.5410 -0.2934 -2.1788]
}

// torch.manual_seed(0); torch.randint(0, 10, (5,)), then the same again after
// torch.set_rng_state.
func ExampleGenerator_State() {
	g := random.New(0)
	start := g.State()
	for range 2 {
		x := make([]int64, 5)
		if err := random.RandInt(g, x, 0, 10); err != nil {
			fmt.Println(err)
		}
		fmt.Println(x)
		if err := g.SetState(start); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// [4 9 3 0 3]
	// [4 9 3 0 3]
}
