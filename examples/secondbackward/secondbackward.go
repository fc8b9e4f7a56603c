// Package secondbackward shows the other common error: two losses share a part
// of their graph, and the backward of the first frees what the second needs.
package secondbackward

import (
	"fmt"
	"io"

	"github.com/gradtui/gradtui/autograd"
)

// Run fails in the second backward.
func Run(out io.Writer) error {
	w := autograd.New([][]float64{{0.5, -0.25}, {0.75, 1}}, autograd.RequiresGrad)
	x := autograd.New([][]float64{{1, 2}, {3, 4}})
	hidden := x.Matmul(w).Tanh() // shared by both losses
	reconstruction := hidden.Sub(x).Pow(2).Mean()
	sparsity := hidden.Abs().Mean()

	if err := reconstruction.Backward(); err != nil {
		return err
	}
	fmt.Fprintln(out, "after the first backward:", w.Grad())
	// Fails: autograd.RetainGraph above, or one backward of the sum of both
	// losses, would be right.
	return sparsity.Backward()
}
