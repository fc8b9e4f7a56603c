// Package custom defines a differentiable function with its own derivatives,
// f(a, x) = a·x², calls it with a scalar a that is broadcast over a vector x,
// and looks at the gradient of a in three ways: as the sum, which is what
// autograd accumulates, as the separate contributions, and as the first one.
package custom

import (
	"fmt"
	"io"

	"github.com/gradtui/gradtui/autograd"
)

// axx is a·x². Backward gives the derivatives for every element of the result;
// the engine sums them where a was broadcast.
var axx = &autograd.Function{
	Name: "AXX",
	Forward: func(ctx *autograd.FunctionCtx, in []*autograd.Tensor) ([]*autograd.Tensor, error) {
		a, x := in[0], in[1]
		ctx.SaveForBackward(a, x)
		return []*autograd.Tensor{a.Mul(x).Mul(x)}, nil
	},
	Backward: func(ctx *autograd.FunctionCtx, grads []*autograd.Tensor) ([]*autograd.Tensor, error) {
		saved, err := ctx.Saved()
		if err != nil {
			return nil, err
		}
		a, x, g := saved[0], saved[1], grads[0]
		return []*autograd.Tensor{
			g.Mul(x).Mul(x),
			g.Mul(2).Mul(a).Mul(x),
		}, nil
	},
	JVP: func(ctx *autograd.FunctionCtx, tangents []*autograd.Tensor) ([]*autograd.Tensor, error) {
		saved, err := ctx.Saved()
		if err != nil {
			return nil, err
		}
		a, x := saved[0], saved[1]
		da, dx := tangents[0].Mul(x).Mul(x), tangents[1].Mul(2).Mul(a).Mul(x)
		return []*autograd.Tensor{da.Add(dx)}, nil
	},
}

// Run calls the function and looks at its gradients.
func Run(out io.Writer) error {
	a := autograd.New(3.0, autograd.RequiresGrad)
	x := autograd.New([]float64{1, 2, 3}, autograd.RequiresGrad)
	watch, err := a.WatchGrad()
	if err != nil {
		return err
	}
	y := axx.Call(a, x)
	shifted := y.Add(a) // a second use of a
	fmt.Fprintln(out, "a·x² + a =", shifted)
	if err := shifted.Sum().Backward(); err != nil {
		return err
	}
	fmt.Fprintln(out, "x.grad =", x.Grad())
	fmt.Fprintln(out, "a.grad =", a.Grad(), "(the sum)")
	for _, c := range watch.All() {
		fmt.Fprintf(out, "  from %v: %v", c.From, c.Grad)
		if c.Unreduced != nil {
			fmt.Fprintf(out, ", the sum over %v", c.Unreduced)
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out, "first contribution:", watch.First())

	outs, tangents, err := autograd.ForwardJVP(func(in []*autograd.Tensor) []*autograd.Tensor {
		return []*autograd.Tensor{axx.Call(in[0], in[1])}
	}, []*autograd.Tensor{a.Detach(), x.Detach()}, []*autograd.Tensor{autograd.New(1.0), x.Detach().Mul(0)})
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "forward mode, da = 1:", outs[0], "changes by", tangents[0])
	return nil
}
