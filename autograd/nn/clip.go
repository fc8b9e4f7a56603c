package nn

import (
	"fmt"
	"math"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/pycall"
)

// This file is torch.nn.utils: clipping gradients after backward and before the
// optimizer's step.

// NormType is an option of ClipGradNorm_: the order of the norm, by default 2.
// Infinity means the largest element.
func NormType(order float64) autograd.Option { return autograd.Kw("norm_type", order) }

// ErrorIfNonfinite makes ClipGradNorm_ fail if the norm is NaN or infinite.
var ErrorIfNonfinite = autograd.Kw("error_if_nonfinite", true)

// ClipGradNorm_ scales the gradients of parameters in place so that their total
// norm is at most max. It returns the previous norm, a 0-d tensor. Parameters
// without a gradient are ignored. Options: NormType, ErrorIfNonfinite.
func ClipGradNorm_(params []*autograd.Tensor, max float64, opts ...autograd.Option) (norm *autograd.Tensor, err error) {
	o, err := options("clip_grad_norm_", opts, map[string]any{"norm_type": 2.0, "error_if_nonfinite": false})
	if err != nil {
		return nil, err
	}
	order := number(o["norm_type"])
	grads, err := gradients(params)
	if err != nil {
		return nil, err
	}
	if len(grads) == 0 {
		return autograd.New(0.0), nil
	}
	err = autograd.WithoutGrad(func() error {
		norms := make([]*autograd.Tensor, len(grads))
		for i, g := range grads {
			norms[i] = call1("linalg_vector_norm", g, order)
		}
		norm = call1("linalg_vector_norm", autograd.Stack(norms), order)
		if err := norm.Err(); err != nil {
			return err
		}
		if total := norm.Float(); o["error_if_nonfinite"] == true && (math.IsNaN(total) || math.IsInf(total, 0)) {
			return raise(autograd.RuntimeError, fmt.Sprintf("The total norm of order %s for gradients from `parameters` is non-finite, so it cannot be clipped. To disable this error and scale the gradients by the non-finite norm anyway, set `error_if_nonfinite=False`", pycall.Repr(order)))
		}
		scale := call1("reciprocal", norm.Add(1e-6)).Mul(max).Clamp(autograd.Kw("max", 1.0))
		for _, g := range grads {
			if err := g.Mul_(scale); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return norm, nil
}

// ClipGradValue_ clamps the elements of the gradients of parameters to [-limit,
// limit], in place.
func ClipGradValue_(params []*autograd.Tensor, limit float64) error {
	grads, err := gradients(params)
	if err != nil {
		return err
	}
	return autograd.WithoutGrad(func() error {
		// Two operators, as in PyTorch's implementation for CPU tensors:
		// version counters increase by two.
		for _, g := range grads {
			if err := g.ClampMin_(-limit); err != nil {
				return err
			}
		}
		for _, g := range grads {
			if err := g.ClampMax_(limit); err != nil {
				return err
			}
		}
		return nil
	})
}

// gradients returns the gradients of the parameters that have one.
func gradients(params []*autograd.Tensor) ([]*autograd.Tensor, error) {
	var grads []*autograd.Tensor
	for _, p := range params {
		if err := p.Err(); err != nil {
			return nil, err
		}
		if g := p.Grad(); g != nil {
			grads = append(grads, g)
		}
	}
	return grads, nil
}
