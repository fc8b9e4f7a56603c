package autograd

import (
	"math"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// This file holds what the pooling operators share: windows and PyTorch's
// checks of them (aten/src/ATen/native/Pool.h).

// poolParams are the parameters of a pooling operator, one number for each
// dimension.
type poolParams struct {
	name                              string // for messages: "max_pool2d"
	kernel, stride, padding, dilation []int
	ceil                              bool
}

// poolArgs reads the parameters of a pooling operator in two or three
// dimensions.
func poolArgs(a *Args, name string, dims int) (*poolParams, error) {
	p := &poolParams{name: name, ceil: a.Bool("ceil_mode")}
	be, count := "either be ", map[int]string{2: "two", 3: "three"}[dims]
	if name == "avg_pool3d" {
		be = "be "
	}
	read := func(param, omitted string) ([]int, error) {
		list := a.Ints(param)
		switch {
		case len(list) == 1:
			return repeated(list[0], dims), nil
		case len(list) == dims || len(list) == 0 && omitted != "":
			return list, nil
		}
		return nil, fail(RuntimeError, CodeArgument, "%s: %s must %s%sa single int, or a tuple of %s ints", name, param, be, omitted, count)
	}
	var err error
	if p.kernel, err = read("kernel_size", ""); err != nil {
		return nil, err
	}
	if p.stride, err = read("stride", "omitted, "); err != nil {
		return nil, err
	}
	if len(p.stride) == 0 {
		p.stride = p.kernel
	}
	if p.padding, err = read("padding", ""); err != nil {
		return nil, err
	}
	p.dilation = repeated(1, dims)
	if a.op.param("dilation") >= 0 {
		be = "be either "
		p.dilation, err = read("dilation", "")
	}
	return p, err
}

// outputs returns the sizes of the result in the pooled dimensions.
func (p *poolParams) outputs(in []int) ([]int, error) {
	out := make([]int, len(in))
	for d, n := range in {
		k, s, pad, dil := p.kernel[d], p.stride[d], p.padding[d], p.dilation[d]
		switch {
		case s == 0:
			return nil, fail(RuntimeError, CodeArgument, "stride should not be zero")
		case pad < 0:
			return nil, fail(RuntimeError, CodeArgument, "pad must be non-negative, but got pad: %d", pad)
		case pad > ((k-1)*dil+1)/2:
			return nil, fail(RuntimeError, CodeArgument, "pad should be at most half of effective kernel size, but got pad=%d, kernel_size=%d and dilation=%d", pad, k, dil)
		}
		out[d] = pooledSize(n, k, s, pad, dil, p.ceil)
	}
	return out, nil
}

// pooledSize returns the number of windows along a dimension.
func pooledSize(in, size, stride, padding, dilation int, ceil bool) int {
	room := in + 2*padding - dilation*(size-1) - 1
	if ceil {
		room += stride - 1
	}
	out := int(math.Floor(float64(room)/float64(stride))) + 1
	if ceil && (out-1)*stride >= in+padding {
		out-- // the last window would begin outside the input
	}
	return out
}

// axisLetters are the names of the dimensions in messages.
var axisLetters = map[int][]string{2: {"H", "W"}, 3: {"T", "H", "W"}}

// lettered writes numbers as kH: 2 kW: 2.
func lettered(prefix string, list []int) string {
	text := ""
	for i, n := range list {
		if i > 0 {
			text += " "
		}
		text += prefix + axisLetters[len(list)][i] + ": " + itoa(n)
	}
	return text
}

// windows checks the parameters against an input [N, C, ...] or [C, ...]. It
// returns the windows and the shape of the result.
func (p *poolParams) windows(t *Tensor) (*kernel.Pool, []int, error) {
	dims := len(p.kernel)
	bad := func(format string, args ...any) (*kernel.Pool, []int, error) {
		return nil, nil, fail(RuntimeError, CodeShape, format, args...)
	}
	rank := t.Dim()
	batched := rank == dims+2
	if rank != dims+1 && !batched {
		if p.name == "avg_pool2d" {
			if _, err := wrapDim(-3, rank); err != nil {
				return nil, nil, err
			}
			return bad("Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got:%s", shapeText(t.sizes))
		}
		return bad("non-empty %dD or %dD (batch mode) tensor expected for input", dims+1, dims+2)
	}
	in := t.sizes[rank-dims:]
	out, err := p.outputs(in)
	if err != nil {
		return nil, nil, err
	}
	if least(p.kernel) < 1 {
		return bad("kernel size should be greater than zero, but got %s", lettered("k", p.kernel))
	}
	if least(p.stride) < 1 {
		return bad("stride should be greater than zero, but got %s", lettered("d", p.stride))
	}
	if least(p.dilation) < 1 {
		return bad("dilation should be greater than zero, but got %s", lettered("dilation", p.dilation))
	}
	channels := t.sizes[rank-dims-1:]
	switch {
	case least(channels) > 0:
	case dims == 2:
		return bad("Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got:%s", shapeText(t.sizes))
	default:
		where := p.name + "()"
		if p.name == "max_pool3d" {
			where = "max_pool3d_with_indices_out_cpu_template()"
		}
		return bad("%s: Expected input's non-batch dimensions to have positive length, but input has a shape of %s and non-batch dimension 0 has length zero!", where, shapeText(t.sizes))
	}
	for d := range in {
		if p.name == "avg_pool3d" && in[d]+2*p.padding[d] < p.kernel[d] {
			return bad("input image (%s) smaller than kernel size (%s)", lettered("", in), lettered("k", p.kernel))
		}
	}
	if least(out) < 1 {
		return bad("Given input size: (%s). Calculated output size: (%s). Output size is too small", joinInts(channels, "x"), joinInts(append([]int{channels[0]}, out...), "x"))
	}
	w := new(kernel.Pool)
	for d := range 3 {
		if i := d - (3 - dims); i < 0 {
			w.Windows(d, 1, 1, 1, 1, 0, 1)
		} else {
			w.Windows(d, in[i], out[i], p.kernel[i], p.stride[i], p.padding[i], p.dilation[i])
		}
	}
	return w, append(append([]int(nil), t.sizes[:rank-dims]...), out...), nil
}

func least(list []int) int {
	m := list[0]
	for _, n := range list {
		m = min(m, n)
	}
	return m
}

// adaptiveWindows checks the arguments of an adaptive pooling operator. It
// returns its windows and the shape of its result. colon follows "but got" in
// the message about the rank.
func adaptiveWindows(t *Tensor, out []int, name, colon string) (*kernel.Pool, []int, error) {
	dims, rank := len(out), t.Dim()
	for d := 1; d < rank; d++ {
		if t.sizes[d] == 0 && (rank == dims+1 || rank == dims+2) {
			return nil, nil, fail(RuntimeError, CodeShape, "%s(): Expected input to have non-zero size for non-batch dimensions, but input has sizes %s with dimension %d being empty", name, shapeText(t.sizes), d)
		}
	}
	if rank != dims+1 && rank != dims+2 {
		return nil, nil, fail(RuntimeError, CodeShape, "%s(): Expected %dD or %dD tensor, but got%s %s", name, dims+1, dims+2, colon, shapeText(t.sizes))
	}
	sizes := append(append([]int(nil), t.sizes[:rank-dims]...), out...)
	if err := checkSizes(sizes); err != nil {
		return nil, nil, err
	}
	for _, n := range out {
		listable(n, 3*8)
	}
	w := new(kernel.Pool)
	for d := range 3 {
		if i := d - (3 - dims); i < 0 {
			w.Adaptive(d, 1, 1)
		} else {
			w.Adaptive(d, t.sizes[rank-dims+i], out[i])
		}
	}
	return w, sizes, nil
}

// planes returns the number of planes of a tensor; a plane has the last dims
// dimensions.
func planes(t *Tensor, dims int) int { return numel(t.sizes[:len(t.sizes)-dims]) }

// maxPool returns the largest input of each window and its position in the
// plane.
func maxPool(t *Tensor, w *kernel.Pool, sizes []int, dims int, name string) ([]*Tensor, error) {
	out, index := alloc(t.dtype, sizes), alloc(Int64, sizes)
	t = contiguous(t)
	n, at := planes(t, dims), elements[int64](index)
	switch classOf(t.dtype) {
	case f32Class:
		kernel.MaxPool(w, n, elements[float32](out), at, elements[float32](t), float32(math.Inf(-1)))
	case f64Class:
		kernel.MaxPool(w, n, elements[float64](out), at, elements[float64](t), math.Inf(-1))
	case i64Class:
		kernel.MaxPool(w, n, elements[int64](out), at, elements[int64](t), math.MinInt64)
	default:
		return nil, undefined(name, t.dtype)
	}
	return []*Tensor{out, index}, nil
}

// scatterPlanes adds each gradient to the position in its plane that index
// gives.
func scatterPlanes(g, index *Tensor, sizes []int, dims int) *Tensor {
	out := alloc(g.dtype, sizes)
	g, index = contiguous(g), contiguous(index)
	n, at := planes(g, dims), elements[int64](index)
	if classOf(g.dtype) == f32Class {
		kernel.Scatter(n, elements[float32](out), elements[float32](g), at)
	} else {
		kernel.Scatter(n, elements[float64](out), elements[float64](g), at)
	}
	return rounded(out)
}

// avgPool returns the average of each window.
func avgPool(t *Tensor, w *kernel.Pool, sizes []int, dims int, by kernel.Average, name string) (*Tensor, error) {
	out := alloc(t.dtype, sizes)
	t = contiguous(t)
	n := planes(t, dims)
	switch classOf(t.dtype) {
	case f32Class:
		kernel.AvgPool(w, n, elements[float32](out), elements[float32](t), by)
	case f64Class:
		kernel.AvgPool(w, n, elements[float64](out), elements[float64](t), by)
	case i64Class:
		kernel.AvgPool(w, n, elements[int64](out), elements[int64](t), by)
	default:
		return nil, undefined(name, t.dtype)
	}
	return rounded(out), nil
}

// spreadAverage returns the gradient of the inputs from the gradient of the
// averages.
func spreadAverage(g *Tensor, w *kernel.Pool, sizes []int, dims int, by kernel.Average) *Tensor {
	out := alloc(g.dtype, sizes)
	g = contiguous(g)
	if n := planes(g, dims); classOf(g.dtype) == f32Class {
		kernel.AvgPoolGradient(w, n, elements[float32](out), elements[float32](g), by)
	} else {
		kernel.AvgPoolGradient(w, n, elements[float64](out), elements[float64](g), by)
	}
	return rounded(out)
}
