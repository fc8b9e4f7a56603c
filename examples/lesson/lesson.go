// Package lesson walks through what a gradient is: of a scalar, along a chain,
// accumulated, of a vector, and what it is good for.
package lesson

import (
	"fmt"
	"io"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/optim"
)

// Run is the lesson.
func Run(out io.Writer) error {
	for _, part := range []func(io.Writer) error{scalar, accumulate, retain, vector, descend} {
		if err := part(out); err != nil {
			return err
		}
	}
	return nil
}

// scalar: w = 10p and l = w², so dl/dp = 2w·10 = 200p.
func scalar(out io.Writer) error {
	p := autograd.New([]float64{1}, autograd.RequiresGrad)
	w := p.Mul(10)
	l := w.Pow(2)
	fmt.Fprintln(out, "p:", p)
	fmt.Fprintln(out, "w = 10p:", w)
	fmt.Fprintln(out, "l = w²:", l)
	if err := l.Backward(); err != nil {
		return err
	}
	fmt.Fprintln(out, "dl/dp = p.grad:", p.Grad())
	return nil
}

// accumulate: backward adds to .grad, so that gradients of several losses sum.
func accumulate(out io.Writer) error {
	p := autograd.New([]float64{1}, autograd.RequiresGrad)
	w := p.Mul(10)
	if err := w.Backward(autograd.RetainGraph); err != nil {
		return err
	}
	fmt.Fprintln(out, "once:", p.Grad())
	if err := w.Backward(); err != nil {
		return err
	}
	fmt.Fprintln(out, "twice:", p.Grad())
	return nil
}

// retain: w is computed, not a leaf, so its gradient is kept only on request.
func retain(out io.Writer) error {
	p := autograd.New([]float64{3.2}, autograd.RequiresGrad)
	w := p.Mul(10)
	if err := w.RetainGrad(); err != nil {
		return err
	}
	l := w.Pow(2)
	if err := l.Backward(); err != nil {
		return err
	}
	fmt.Fprintln(out, "dl/dw = w.grad:", w.Grad())
	return nil
}

// vector: a loss is one number; its gradient has the shape of the parameter.
func vector(out io.Writer) error {
	p := autograd.New([]float64{1, 3, 2, 2}, autograd.RequiresGrad)
	w := p.Pow(2)
	loss := p.Sub(w).Pow(2).Sum()
	fmt.Fprintln(out, "loss:", loss)
	if err := loss.Backward(); err != nil {
		return err
	}
	fmt.Fprintln(out, "p.grad:", p.Grad())
	return nil
}

// descend: following the gradient down finds the point nearest to all others,
// their mean.
func descend(out io.Writer) error {
	if err := autograd.ManualSeed(0); err != nil {
		return err
	}
	p := autograd.Randn([]int{2}, autograd.RequiresGrad)
	points := autograd.Randn([]int{100, 2})
	sgd, err := optim.NewSGD([]*autograd.Tensor{p}, optim.LR(0.1))
	if err != nil {
		return err
	}
	for epoch := range 20 {
		if err := sgd.ZeroGrad(); err != nil { // else gradients would add up, as above
			return err
		}
		loss := points.Sub(p).Pow(2).Mean(autograd.Dim(0)).Mean()
		if err := loss.Backward(); err != nil {
			return err
		}
		if err := sgd.Step(); err != nil {
			return err
		}
		if epoch%5 == 4 {
			fmt.Fprintf(out, "epoch %2d  loss %.4f  p %v\n", epoch+1, loss, p.Detach())
		}
	}
	fmt.Fprintln(out, "mean of the points:", points.Mean(autograd.Dim(0)))
	return nil
}
