package repr_test

import (
	"fmt"

	"github.com/gradtui/gradtui/autograd/internal/repr"
)

func ExampleString() {
	weights := []float64{0.25, -1, 3.5, 2}
	fmt.Println(repr.String(repr.Tensor{
		Shape:        []int{2, 2},
		DType:        "float32",
		Values:       repr.Floats(func(i int) float64 { return weights[i] }),
		RequiresGrad: true,
		Parameter:    true,
	}, repr.DefaultOptions()))
	// Output:
	// Parameter containing:
	// tensor([[ 0.2500, -1.0000],
	//         [ 3.5000,  2.0000]], requires_grad=True)
}

func ExampleOptions_Set() {
	threshold := 5.0
	o := repr.DefaultOptions().Set(repr.Change{Threshold: &threshold})
	fmt.Println(repr.String(repr.Tensor{
		Shape:  []int{10},
		DType:  "int64",
		Values: repr.Ints(func(i int) int64 { return int64(i) }),
	}, o))
	// Output:
	// tensor([0, 1, 2,  ..., 7, 8, 9])
}

func ExampleFormatFloat() {
	for _, spec := range []string{".2f", "e", ">12,.1f", "q"} {
		text, err := repr.FormatFloat(12345.678, spec)
		fmt.Printf("%q %v\n", text, err)
	}
	// Output:
	// "12345.68" <nil>
	// "1.234568e+04" <nil>
	// "    12,345.7" <nil>
	// "" ValueError: Unknown format code 'q' for object of type 'float'
}
