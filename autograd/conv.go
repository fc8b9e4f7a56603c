package autograd

import (
	"slices"
	"strings"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// This file holds what the convolution operators share: their geometry,
// PyTorch's checks (aten/src/ATen/native/Convolution.cpp), and the derivatives.

// convParams are the parameters of a convolution, one number for each spatial
// dimension.
type convParams struct {
	stride, padding, dilation, outputPadding []int
	transposed                               bool
	groups                                   int
}

// convArgs reads the parameters of convolution and convolution_backward for a
// weight of the given rank.
func convArgs(a *Args, weight *Tensor) (*convParams, error) {
	dims := weight.Dim() - 2
	if dims <= 0 {
		return nil, fail(RuntimeError, CodeShape, "weight should have at least three dimensions")
	}
	p := &convParams{transposed: a.Bool("transposed"), groups: a.Int("groups")}
	if p.groups <= 0 {
		return nil, fail(RuntimeError, CodeArgument, "non-positive groups is not supported")
	}
	for _, x := range []struct {
		name string
		list *[]int
	}{{"stride", &p.stride}, {"padding", &p.padding}, {"dilation", &p.dilation}, {"output_padding", &p.outputPadding}} {
		var err error
		if *x.list, err = perDimension(a.Ints(x.name), x.name, dims); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// perDimension repeats a single number for each dimension.
func perDimension(list []int, name string, dims int) ([]int, error) {
	switch len(list) {
	case dims:
		return list, nil
	case 1:
		return repeated(list[0], dims), nil
	}
	return nil, fail(RuntimeError, CodeArgument, "expected %s to be a single integer value or a list of %d values to match the convolution dimensions, but got %s=%s", name, dims, name, shapeText(list))
}

// check makes the checks of PyTorch's check_shape_forward.
func (p *convParams) check(input, weight, bias *Tensor) error {
	bad := func(format string, args ...any) error { return fail(RuntimeError, CodeShape, format, args...) }
	below := func(list []int, least int) bool { return slices.Min(list) < least }
	w, rank := weight.sizes, weight.Dim()
	switch {
	case below(p.padding, 0):
		return bad("negative padding is not supported")
	case below(p.outputPadding, 0):
		return bad("negative output_padding is not supported")
	case below(p.stride, 1):
		return bad("non-positive stride is not supported")
	case below(p.dilation, 0):
		return bad("dilation should be greater than zero")
	case input.Dim() != rank:
		return bad("Expected %d-dimensional input for %d-dimensional weight %s, but got %d-dimensional input of size %s instead", rank, rank, shapeText(w), input.Dim(), shapeText(input.sizes))
	case w[0] < p.groups:
		return bad("Given groups=%d, expected weight to be at least %d at dimension 0, but got weight of size %s instead", p.groups, p.groups, shapeText(w))
	case w[0]%p.groups != 0:
		return bad("Given groups=%d, expected weight to be divisible by %d at dimension 0, but got weight of size [%s] instead", p.groups, p.groups, shapeText(w))
	}
	given, channels, outputs := "groups="+itoa(p.groups), w[1]*p.groups, w[0]
	if p.transposed {
		given, channels, outputs = "transposed=1", w[0], w[1]*p.groups
	}
	if input.sizes[1] != channels {
		return bad("Given %s, weight of size %s, expected input%s to have %d channels, but got %d channels instead", given, shapeText(w), shapeText(input.sizes), channels, input.sizes[1])
	}
	if bias != nil && (bias.Dim() != 1 || bias.sizes[0] != outputs) {
		if p.transposed {
			given += ", "
		} else {
			given = ""
		}
		return bad("Given %sweight of size %s, expected bias to be 1-dimensional with %d elements, but got bias of size %s instead", given, shapeText(w), outputs, shapeText(bias.sizes))
	}
	if err := p.checkKernel(input, weight); err != nil {
		return err
	}
	switch {
	case input.dtype == Bool:
		return undefined("slow_conv2d_cpu", input.dtype)
	case weight.dtype != input.dtype:
		return fail(RuntimeError, CodeDType, "expected scalar type %s but found %s", scalarTypeName(input.dtype), scalarTypeName(weight.dtype))
	case bias != nil && bias.dtype != input.dtype:
		return fail(RuntimeError, CodeDType, "expected scalar type %s but found %s", scalarTypeName(input.dtype), scalarTypeName(bias.dtype))
	}
	return nil
}

// checkKernel checks the kernel against the input.
func (p *convParams) checkKernel(input, weight *Tensor) error {
	bad := func(format string, args ...any) error { return fail(RuntimeError, CodeShape, format, args...) }
	var in, kernels []int
	fits := true
	for d, k := range weight.sizes[2:] {
		in = append(in, input.sizes[d+2]+2*p.padding[d])
		kernels = append(kernels, p.dilation[d]*(k-1)+1)
		fits = fits && in[d] >= kernels[d]
	}
	if !p.transposed && !fits {
		return bad("Calculated padded input size per channel: (%s). Kernel size: (%s). Kernel size can't be greater than actual input size", joinInts(in, " x "), joinInts(kernels, " x "))
	}
	out := p.outputSizes(input, weight)
	switch {
	case slices.Contains(weight.sizes[2:], 0):
		return bad("kernel size should be greater than zero, but got %s", namedSizes("kernel", weight.sizes[2:], 1))
	case slices.Contains(p.dilation, 0):
		return bad("dilation should be greater than zero, but got %s", shapeText(planar(p.dilation, 1)))
	case slices.Contains(input.sizes[2:], 0):
		shape := append(slices.Clone(input.sizes[:2]), planar(input.sizes[2:], 1)...)
		return bad("Only zero batch or zero channel inputs are supported, but got input shape: %s", shapeText(shape))
	}
	for d, extra := range p.outputPadding {
		if p.transposed && extra >= p.stride[d] && extra >= p.dilation[d] {
			return bad("output padding must be smaller than either stride or dilation, but got %s %s %s", namedSizes("output_padding", p.outputPadding, 0), namedSizes("stride", p.stride, 1), namedSizes("dilation", p.dilation, 1))
		}
	}
	for _, n := range out[2:] {
		if n < 1 {
			return bad("Given input size per channel: (%s). Calculated output size per channel: (%s). Output size is too small", joinInts(planar(input.sizes[2:], 1), " x "), joinInts(planar(out[2:], 1), " x "))
		}
	}
	return nil
}

// planar adds a first dimension to a one-dimensional geometry, as PyTorch's CPU
// kernels do before they print it.
func planar(list []int, added int) []int {
	if len(list) == 1 {
		return []int{added, list[0]}
	}
	return list
}

// namedSizes writes numbers as kernel_height: 2 kernel_width: 3.
func namedSizes(name string, list []int, added int) string {
	list = planar(list, added)
	axes := []string{"depth", "height", "width"}[3-len(list):]
	parts := make([]string, len(list))
	for i, n := range list {
		parts[i] = name + "_" + axes[i] + ": " + itoa(n)
	}
	return strings.Join(parts, " ")
}

func joinInts(list []int, between string) string {
	parts := make([]string, len(list))
	for i, n := range list {
		parts[i] = itoa(n)
	}
	return strings.Join(parts, between)
}

// outputSizes returns the shape of the result; sizes may be negative if the
// kernel does not fit.
func (p *convParams) outputSizes(input, weight *Tensor) []int {
	out := []int{input.sizes[0], weight.sizes[0]}
	if p.transposed {
		out[1] = weight.sizes[1] * p.groups
	}
	for d, k := range weight.sizes[2:] {
		in, reach := input.sizes[d+2], p.dilation[d]*(k-1)
		if p.transposed {
			out = append(out, (in-1)*p.stride[d]-2*p.padding[d]+reach+p.outputPadding[d]+1)
		} else {
			out = append(out, (in+2*p.padding[d]-reach-1)/p.stride[d]+1)
		}
	}
	return out
}

// geometry describes the convolution whose forward pass goes from an input of
// shape in to an output of shape out. A transposed convolution is the gradient
// of the convolution in the opposite direction.
func (p *convParams) geometry(in, out, weight []int) *kernel.Conv {
	if p.transposed {
		in, out = out, in
	}
	g := &kernel.Conv{N: in[0], C: in[1], O: out[1], Groups: p.groups}
	lead := 3 - len(p.stride)
	for d := range 3 {
		g.In[d], g.Out[d], g.Kernel[d], g.Stride[d], g.Dilation[d] = 1, 1, 1, 1, 1
		if d < lead {
			continue
		}
		i := d - lead
		g.In[d], g.Out[d], g.Kernel[d] = in[i+2], out[i+2], weight[i+2]
		g.Stride[d], g.Padding[d], g.Dilation[d] = p.stride[i], p.padding[i], p.dilation[i]
	}
	return g
}

// convolve computes the result of a convolution.
func (p *convParams) convolve(input, weight, bias *Tensor) *Tensor {
	sizes := p.outputSizes(input, weight)
	out := alloc(input.dtype, sizes)
	switch classOf(input.dtype) {
	case f32Class:
		convolveAs[float32](p, out, input, weight, bias)
	case f64Class:
		convolveAs[float64](p, out, input, weight, bias)
	default:
		convolveAs[int64](p, out, input, weight, bias)
	}
	return rounded(out)
}

func convolveAs[T number](p *convParams, out, input, weight, bias *Tensor) {
	g := p.geometry(input.sizes, out.sizes, weight.sizes)
	d, x, w := elements[T](out), elements[T](contiguous(input)), elements[T](contiguous(weight))
	if p.transposed {
		kernel.ConvInput(g, d, x, w)
	} else {
		kernel.ConvForward(g, d, x, w)
	}
	if bias != nil {
		kernel.AddChannels(d, elements[T](contiguous(bias)), numel(out.sizes[2:]))
	}
}

// gradients computes the wanted gradients of input, weight and bias; the others
// are nil.
func (p *convParams) gradients(grad, input, weight *Tensor, wanted []bool) []*Tensor {
	outs := make([]*Tensor, 3)
	for i, like := range []*Tensor{input, weight} {
		if wanted[i] {
			outs[i] = alloc(grad.dtype, like.sizes)
		}
	}
	if wanted[2] {
		outs[2] = alloc(grad.dtype, []int{grad.sizes[1]})
	}
	switch classOf(grad.dtype) {
	case f32Class:
		gradientsAs[float32](p, outs, grad, input, weight)
	default:
		gradientsAs[float64](p, outs, grad, input, weight)
	}
	for _, t := range outs {
		if t != nil {
			rounded(t)
		}
	}
	return outs
}

func gradientsAs[T number](p *convParams, outs []*Tensor, grad, input, weight *Tensor) {
	g := p.geometry(input.sizes, grad.sizes, weight.sizes)
	dy, x := elements[T](contiguous(grad)), elements[T](contiguous(input))
	if outs[0] != nil {
		dx, w := elements[T](outs[0]), elements[T](contiguous(weight))
		if p.transposed {
			kernel.ConvForward(g, dx, dy, w)
		} else {
			kernel.ConvInput(g, dx, dy, w)
		}
	}
	if outs[1] != nil {
		if p.transposed {
			x, dy = dy, x
		}
		kernel.ConvWeight(g, elements[T](outs[1]), x, dy)
	}
	if outs[2] != nil {
		kernel.SumChannels(elements[T](outs[2]), elements[T](contiguous(grad)), numel(grad.sizes[2:]))
	}
}
