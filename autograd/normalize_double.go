package autograd

// The second derivatives of layer norm and batch norm. With u = (x-mean)*inverse
// and P(z) = z - mean(z) - u*mean(u*z), the gradient of the input is
// inverse*P(gradient*scale), P is symmetric, and inverse*P is also the derivative
// of u. If the statistics are fixed, P is the identity.

// A normalization holds the tensors for a second derivative; all of them
// broadcast with x.
type normalization struct {
	x, mean, inverse, scale *Tensor
	grad                    *Tensor // gradient of the result
	dims                    []int   // dimensions of a set; nil: the statistics are fixed
}

// average returns the mean over each set.
func (n *normalization) average(t *Tensor) *Tensor {
	return fnMean.single([]Option{Kw("dim", n.dims), KeepDim}, t)
}

// project is P.
func (n *normalization) project(z, u *Tensor) *Tensor {
	if n.dims == nil {
		return z
	}
	return z.Sub(n.average(z)).Sub(u.Mul(n.average(u.Mul(z))))
}

// differentiate returns the gradients of grad, x and scale from the gradients
// of the first backward's results for the input, the scale and the shift.
func (n *normalization) differentiate(ggInput, ggScale, ggShift *Tensor) (dGrad, dx, dScale *Tensor) {
	u := n.x.Sub(n.mean).Mul(n.inverse)
	if ggScale != nil {
		dGrad = ggScale.Mul(u)
		if q := ggScale.Mul(n.grad); n.dims == nil {
			dx = n.inverse.Mul(q)
		} else {
			dx = n.inverse.Mul(n.project(q, u))
		}
	}
	dGrad = addDefined(dGrad, ggShift)
	if ggInput == nil {
		return dGrad, dx, nil
	}
	g := n.grad
	if n.scale != nil {
		g = g.Mul(n.scale)
	}
	pv := n.project(ggInput, u)
	through := n.inverse.Mul(pv)
	dScale = n.grad.Mul(through)
	if n.scale != nil {
		dGrad = addDefined(through.Mul(n.scale), dGrad)
	} else {
		dGrad = addDefined(through, dGrad)
	}
	if n.dims == nil {
		return dGrad, dx, dScale
	}
	// The terms that depend on x: u, inside P, and the inverse deviation.
	q := ggInput.Mul(n.average(u.Mul(g))).Add(g.Mul(n.average(u.Mul(ggInput)))).Neg()
	bend := u.Mul(n.average(pv.Mul(g))).Mul(n.inverse)
	return dGrad, addDefined(n.inverse.Mul(n.inverse.Mul(n.project(q, u)).Sub(bend)), dx), dScale
}

func layerNormDoubleBackward(c *Ctx) []*Tensor {
	x, scale := c.Saved("input"), c.Saved("weight")
	n := &normalization{x: x, mean: c.Saved("mean"), inverse: c.Saved("rstd"), scale: scale, grad: c.Saved("grad_out"), dims: []int{}}
	for d := x.Dim() - len(c.Args().Ints("normalized_shape")); d < x.Dim(); d++ {
		n.dims = append(n.dims, d)
	}
	return n.gradients(c, func(t *Tensor) *Tensor { return t })
}

func batchNormDoubleBackward(c *Ctx) []*Tensor {
	x := c.Saved("input")
	channels := func(t *Tensor) *Tensor { return alongChannels(t, x.Dim()) }
	n := &normalization{x: x, scale: channels(c.Saved("weight")), grad: c.Saved("grad_out")}
	s := statistics{c.Saved("save_mean"), c.Saved("save_invstd")}
	if c.Args().Bool("train") {
		n.dims = []int{0}
		for d := 2; d < x.Dim(); d++ {
			n.dims = append(n.dims, d)
		}
	} else {
		s = runningStatistics(c.Saved("running_mean"), c.Saved("running_var"), c.Args().Float("eps"))
	}
	n.mean, n.inverse = channels(s.mean), channels(s.inverse)
	return n.gradients(c, channels)
}

// gradients returns the gradients of grad_out, input and weight. shaped makes a
// tensor with the shape of the scale broadcast with the input.
func (n *normalization) gradients(c *Ctx, shaped func(*Tensor) *Tensor) []*Tensor {
	if n.x.Numel() == 0 {
		return nil
	}
	dGrad, dx, dScale := n.differentiate(c.GradAt(0), shaped(c.GradAt(1)), shaped(c.GradAt(2)))
	if dGrad != nil && !sameSizes(dGrad.sizes, n.x.sizes) {
		dGrad = dGrad.Expand(n.x.sizes)
	}
	if dScale != nil && c.Needs("weight") {
		dScale = sumTo(dScale, n.scale.sizes).Reshape(c.Shape("weight"))
	}
	return []*Tensor{dGrad, dx, dScale}
}
