package autograd_test

import (
	"errors"
	"fmt"

	"github.com/gradtui/gradtui/autograd"
)

func Example() {
	w := autograd.New([]float64{1, 2}, autograd.RequiresGrad)
	if err := w.Mul(2).Sum().Backward(); err != nil {
		fmt.Println(err)
	}
	fmt.Println(w.Grad())

	y := w.Mul(w)
	autograd.NoGrad(func() { w.Add_(1) }) // y's node has saved w
	err := y.Sum().Backward()
	var e *autograd.Error
	fmt.Println(errors.As(err, &e) && e.Code == autograd.CodeVersion)
	// Output:
	// tensor([2., 2.])
	// true
}
