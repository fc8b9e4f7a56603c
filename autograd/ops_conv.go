package autograd

var convOps = []Op{
	{
		Schema: "conv1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, int[1] padding=0, int[1] dilation=1, int groups=1) -> Tensor",
		In:     Torch | Functional, Predicted: ByValues, Compose: func(a *Args) ([]*Tensor, error) { return convolution(a, 1) },
	},
	{
		Schema: "conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, str padding='valid', int[1] dilation=1, int groups=1) -> Tensor",
		In:     Torch | Functional, Predicted: ByValues, Compose: func(a *Args) ([]*Tensor, error) { return convolution(a, 1) },
	},
	{
		Schema: "conv2d(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2] padding=0, int[2] dilation=1, int groups=1) -> Tensor",
		In:     Torch | Functional, Predicted: ByValues, Compose: func(a *Args) ([]*Tensor, error) { return convolution(a, 2) },
	},
	{
		Schema: "conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, str padding='valid', int[2] dilation=1, int groups=1) -> Tensor",
		In:     Torch | Functional, Predicted: ByValues, Compose: func(a *Args) ([]*Tensor, error) { return convolution(a, 2) },
	},
	{
		Schema: "conv3d(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, int[3] padding=0, int[3] dilation=1, int groups=1) -> Tensor",
		In:     Torch | Functional, Compose: func(a *Args) ([]*Tensor, error) { return convolution(a, 3) },
	},
	{
		Schema: "conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, str padding='valid', int[3] dilation=1, int groups=1) -> Tensor",
		In:     Torch | Functional, Compose: func(a *Args) ([]*Tensor, error) { return convolution(a, 3) },
	},
	{
		Schema: "conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, int[1] padding=0, int[1] output_padding=0, int groups=1, int[1] dilation=1) -> Tensor",
		In:     Torch | Functional, Compose: func(a *Args) ([]*Tensor, error) { return transposedConvolution(a, 1) },
	},
	{
		Schema: "conv_transpose2d.input(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2] padding=0, int[2] output_padding=0, int groups=1, int[2] dilation=1) -> Tensor",
		In:     Torch | Functional, Compose: func(a *Args) ([]*Tensor, error) { return transposedConvolution(a, 2) },
	},
	{
		Schema: "conv_transpose3d.input(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, int[3] padding=0, int[3] output_padding=0, int groups=1, int[3] dilation=1) -> Tensor",
		In:     Torch | Functional, Compose: func(a *Args) ([]*Tensor, error) { return transposedConvolution(a, 3) },
	},
	{
		Schema: "convolution(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, bool transposed, int[] output_padding, int groups) -> Tensor",
		In:     Torch, Go: "-", Node: "ConvolutionBackward0", JVP: convolutionJVP,
		Attrs: "bias_sym_sizes_opt dilation groups output_padding padding stride transposed",
		Forward: func(a *Args) ([]*Tensor, error) {
			input, weight, bias := a.Tensor("input"), a.Tensor("weight"), a.Tensor("bias")
			p, err := convArgs(a, weight)
			if err == nil {
				err = p.check(input, weight, bias)
			}
			if err != nil {
				return nil, err
			}
			return a.One(p.convolve(input, weight, bias))
		},
		VJP: []Formula{{Input: "input weight bias", Uses: "input weight", All: func(c *Ctx) []*Tensor {
			a := c.Args()
			var bias any
			if shape := c.Shape("bias"); shape != nil {
				bias = shape
			}
			return several(fnConvolutionBackward.triple(nil, c.Grad(), c.Saved("input"), c.Saved("weight"), bias,
				a.Ints("stride"), a.Ints("padding"), a.Ints("dilation"), a.Bool("transposed"), a.Ints("output_padding"), a.Int("groups"), c.wanted("input weight bias")))
		}}},
	},
	{
		Schema: "convolution_backward(Tensor grad_output, Tensor input, Tensor weight, int[]? bias_sizes, int[] stride, int[] padding, int[] dilation, bool transposed, int[] output_padding, int groups, bool[3] output_mask) -> (Tensor, Tensor, Tensor)",
		In:     Hidden, Go: "-", Node: "ConvolutionBackwardBackward0", JVP: convolutionBackwardJVP,
		Forward: func(a *Args) ([]*Tensor, error) {
			p, err := convArgs(a, a.Tensor("weight"))
			if err != nil {
				return nil, err
			}
			return p.gradients(a.Tensor("grad_output"), a.Tensor("input"), a.Tensor("weight"), a.Bools("output_mask")), nil
		},
		VJP: []Formula{{Input: "grad_output input weight", Uses: "grad_output input weight", All: convolutionDoubleBackward}},
	},
}

// several returns its arguments as a list of results.
func several(ts ...*Tensor) []*Tensor { return ts }

// convolution runs a convolution on an input with or without a batch dimension.
func convolution(a *Args, dims int) ([]*Tensor, error) {
	return batched(a, dims, "conv"+itoa(dims)+"d", func(input *Tensor) *Tensor {
		weight, stride, dilation := a.Tensor("weight"), a.Ints("stride"), a.Ints("dilation")
		if how, ok := a.value("padding").x.(string); ok {
			return paddedConvolution(a, input, how)
		}
		return fnConvolution.single(nil, input, weight, a.Tensor("bias"), stride, a.Ints("padding"), dilation, false, repeated(0, dims), a.Int("groups"))
	})
}

func transposedConvolution(a *Args, dims int) ([]*Tensor, error) {
	return batched(a, dims, "conv_transpose"+itoa(dims)+"d", func(input *Tensor) *Tensor {
		return fnConvolution.single(nil, input, a.Tensor("weight"), a.Tensor("bias"), a.Ints("stride"), a.Ints("padding"), a.Ints("dilation"), true, a.Ints("output_padding"), a.Int("groups"))
	})
}

// batched calls f with the input. If the input has no batch dimension, it gets
// one for the call.
func batched(a *Args, dims int, name string, f func(input *Tensor) *Tensor) ([]*Tensor, error) {
	input := a.Tensor("input")
	rank := input.Dim()
	if rank != dims+1 && rank != dims+2 {
		return nil, fail(RuntimeError, CodeShape, "Expected %dD (unbatched) or %dD (batched) input to %s, but got input of size: %s", dims+1, dims+2, name, shapeText(input.sizes))
	}
	if bias := a.Tensor("bias"); bias != nil && bias.dtype != input.dtype {
		return nil, fail(RuntimeError, CodeDType, "Input type (%s) and bias type (%s) should be the same", cTypeNames[input.dtype], cTypeNames[bias.dtype])
	}
	if rank == dims+2 {
		return a.One(f(input))
	}
	out := f(fnUnsqueeze.single(nil, input, 0))
	if out.err != nil {
		return nil, out.err
	}
	return a.One(fnSqueeze.single(nil, out, 0))
}

// paddedConvolution runs a convolution with padding='same' or 'valid'.
func paddedConvolution(a *Args, input *Tensor, how string) *Tensor {
	weight := a.Tensor("weight")
	dims := weight.Dim() - 2
	left, uneven := make([]int, max(dims, 0)), make([]int, 2*max(dims, 0))
	switch {
	case how == "valid":
	case how != "same":
		return errTensor(fail(RuntimeError, CodeArgument, "Invalid padding string: '%s'", how))
	case dims <= 0:
		return errTensor(fail(RuntimeError, CodeShape, "weight should have at least three dimensions"))
	default:
		for _, s := range a.Ints("stride") {
			if s != 1 {
				return errTensor(fail(RuntimeError, CodeArgument, "padding='same' is not supported for strided convolutions"))
			}
		}
		dilation, err := perDimension(a.Ints("dilation"), "dilation", dims)
		if err != nil {
			return errTensor(err)
		}
		odd := false
		for d := range dims {
			total := dilation[d] * (weight.sizes[d+2] - 1)
			left[d] = total / 2
			uneven[2*(dims-1-d)+1] = total % 2
			odd = odd || total%2 == 1
		}
		if odd {
			warnOnce("./aten/src/ATen/native/Convolution.cpp:1036", "Using padding='same' with even kernel lengths and odd dilation may require a zero-padded copy of the input be created")
			input = input.ConstantPadNd(uneven)
		}
	}
	return fnConvolution.single(nil, input, weight, a.Tensor("bias"), a.Ints("stride"), left, a.Ints("dilation"), false, repeated(0, max(dims, 1)), a.Int("groups"))
}

// convolutionJVP applies the product rule. The bias is added once.
func convolutionJVP(c *JCtx) ([]*Tensor, error) {
	params := c.op.schema.Params
	sum, err := c.with(func(param int, t *Tensor) *Tensor {
		if params[param].Name == "weight" {
			return t
		}
		return tangentOrZeros(t)
	})
	dw := c.Tangent("weight")
	if err != nil || dw == nil {
		return sum, err
	}
	term, err := c.with(func(param int, t *Tensor) *Tensor {
		switch params[param].Name {
		case "weight":
			return dw
		case "bias":
			return nil
		}
		return t
	})
	if err != nil {
		return nil, err
	}
	return addAll(sum, term), nil
}

// convolutionBackwardJVP applies the product rule to the gradients: the
// gradient of the input depends on the weight, the gradient of the weight on
// the input, and all of them on the gradient of the result.
func convolutionBackwardJVP(c *JCtx) ([]*Tensor, error) {
	sum := make([]*Tensor, 3)
	for _, name := range []string{"grad_output", "input", "weight"} {
		if c.Tangent(name) == nil {
			continue
		}
		term, err := c.with(func(param int, t *Tensor) *Tensor {
			if c.op.schema.Params[param].Name == name {
				return tangentOf(t)
			}
			return t
		})
		if err != nil {
			return nil, err
		}
		for i, depends := range []bool{name != "input", name != "weight", name == "grad_output"} {
			switch {
			case !depends || term[i] == nil:
			case sum[i] == nil:
				sum[i] = term[i]
			default:
				sum[i] = sum[i].Add(term[i])
			}
		}
	}
	return sum, nil
}

// convolutionDoubleBackward differentiates the gradients of input, weight and
// bias. Each is bilinear, so the terms are convolutions again.
func convolutionDoubleBackward(c *Ctx) []*Tensor {
	a := c.Args()
	gg := several(c.GradAt(0), c.GradAt(1), c.GradAt(2))
	grad, input, weight := c.Saved("grad_output"), c.Saved("input"), c.Saved("weight")
	convolve := func(x, w *Tensor) *Tensor {
		if x == nil || w == nil {
			return nil
		}
		return fnConvolution.single(nil, x, w, (*Tensor)(nil), a.Ints("stride"), a.Ints("padding"), a.Ints("dilation"), a.Bool("transposed"), a.Ints("output_padding"), a.Int("groups"))
	}
	back := func(x, w *Tensor, mask ...bool) *Tensor {
		dx, dw, _ := fnConvolutionBackward.triple(nil, grad, x, w, nil, a.Ints("stride"), a.Ints("padding"), a.Ints("dilation"), a.Bool("transposed"), a.Ints("output_padding"), a.Int("groups"), mask)
		if mask[0] {
			return dx
		}
		return dw
	}
	results := make([]*Tensor, 3)
	if c.Needs("grad_output") {
		sum := addDefined(convolve(gg[0], weight), convolve(input, gg[1]))
		if gg[2] != nil {
			shape := repeated(1, len(c.Shape("grad_output")))
			shape[1] = -1
			sum = addDefined(sum, gg[2].View(shape).Expand(c.Shape("grad_output")))
		}
		results[0] = sum
	}
	if c.Needs("input") && gg[1] != nil {
		results[1] = back(input, gg[1], true, false, false)
	}
	if c.Needs("weight") && gg[0] != nil {
		results[2] = back(gg[0], weight, false, true, false)
	}
	return results
}
