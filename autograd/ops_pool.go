package autograd

import (
	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

var poolOps = []Op{
	{
		Schema: "max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
		In:     Functional, Node: "MaxPool2DWithIndicesBackward0", Attrs: "ceil_mode dilation kernel_size padding stride", JVP: maxPoolJVP(2),
		Forward: func(a *Args) ([]*Tensor, error) { return maxPoolWithIndices(a, "max_pool2d", 2) },
		VJP: []Formula{{Input: "self", Uses: "self result1", Of: func(c *Ctx) *Tensor {
			a := c.Args()
			return fnMaxPool2dWithIndicesBackward.single(nil, c.Grad(), c.Saved("self"), a.Ints("kernel_size"), a.Ints("stride"), a.Ints("padding"), a.Ints("dilation"), a.Bool("ceil_mode"), c.Saved("result1"))
		}}},
	},
	{
		Schema: "max_pool2d_with_indices_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, int[2] dilation, bool ceil_mode, Tensor indices) -> Tensor",
		In:     Hidden, Go: "-", Node: "MaxPool2DWithIndicesBackwardBackward0", JVP: gradientLinear,
		Forward: func(a *Args) ([]*Tensor, error) { return scatterToSelf(a, 2) }, VJP: gatherFromSelf(2),
	},
	{
		Schema: "max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
		In:     Functional, Node: "MaxPool3DWithIndicesBackward0", Attrs: "ceil_mode dilation kernel_size padding stride", JVP: maxPoolJVP(3),
		Forward: func(a *Args) ([]*Tensor, error) { return maxPoolWithIndices(a, "max_pool3d", 3) },
		VJP: []Formula{{Input: "self", Uses: "self result1", Of: func(c *Ctx) *Tensor {
			a := c.Args()
			return fnMaxPool3dWithIndicesBackward.single(nil, c.Grad(), c.Saved("self"), a.Ints("kernel_size"), a.Ints("stride"), a.Ints("padding"), a.Ints("dilation"), a.Bool("ceil_mode"), c.Saved("result1"))
		}}},
	},
	{
		Schema: "max_pool3d_with_indices_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, int[3] padding, int[3] dilation, bool ceil_mode, Tensor indices) -> Tensor",
		In:     Hidden, Go: "-", Node: "MaxPool3DWithIndicesBackwardBackward0", JVP: gradientLinear,
		Forward: func(a *Args) ([]*Tensor, error) { return scatterToSelf(a, 3) }, VJP: gatherFromSelf(3),
	},
	{
		Schema: "avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor",
		In:     Functional, Node: "AvgPool2DBackward0", Attrs: "ceil_mode count_include_pad divisor_override kernel_size padding stride", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return averagePool(a, "avg_pool2d", 2) },
		VJP: []Formula{{Input: "self", Uses: "self", Of: func(c *Ctx) *Tensor {
			return fnAvgPool2dBackward.single(nil, append([]any{c.Grad(), c.Saved("self")}, averageArgs(c.Args())...)...)
		}}},
	},
	{
		Schema: "avg_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, bool ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor",
		In:     Hidden, Go: "-", Node: "AvgPool2DBackwardBackward0", JVP: gradientLinear,
		Forward: func(a *Args) ([]*Tensor, error) { return averageGradient(a, "avg_pool2d", 2) },
		VJP: gradientOnly("", func(c *Ctx) *Tensor {
			return fnAvgPool2d.single(nil, append([]any{c.Grad()}, averageArgs(c.Args())...)...)
		}),
	},
	{
		Schema: "avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor",
		In:     Functional, Node: "AvgPool3DBackward0", Attrs: "ceil_mode count_include_pad divisor_override kernel_size padding stride", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return averagePool(a, "avg_pool3d", 3) },
		VJP: []Formula{{Input: "self", Uses: "self", Of: func(c *Ctx) *Tensor {
			return fnAvgPool3dBackward.single(nil, append([]any{c.Grad(), c.Saved("self")}, averageArgs(c.Args())...)...)
		}}},
	},
	{
		Schema: "avg_pool3d_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, int[3] padding, bool ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor",
		In:     Hidden, Go: "-", Node: "AvgPool3DBackwardBackward0", JVP: gradientLinear,
		Forward: func(a *Args) ([]*Tensor, error) { return averageGradient(a, "avg_pool3d", 3) },
		VJP: gradientOnly("", func(c *Ctx) *Tensor {
			return fnAvgPool3d.single(nil, append([]any{c.Grad()}, averageArgs(c.Args())...)...)
		}),
	},
	{
		Schema: "max_unpool2d(Tensor self, Tensor indices, int[2] output_size) -> Tensor", In: Hidden, Go: "-",
		Node: "MaxUnpool2DBackward0", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return maxUnpool(a, 2) },
		VJP: []Formula{{Input: "self", Uses: "indices", Of: func(c *Ctx) *Tensor {
			return gatherPlanes(c.Grad(), c.Saved("indices"), 2)
		}}},
	},
	{
		Schema: "max_unpool3d(Tensor self, Tensor indices, int[3] output_size, int[3] stride, int[3] padding) -> Tensor", In: Hidden, Go: "-",
		Node: "MaxUnpool3DBackward0", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return maxUnpool(a, 3) },
		VJP: []Formula{{Input: "self", Uses: "indices", Of: func(c *Ctx) *Tensor {
			return gatherPlanes(c.Grad(), c.Saved("indices"), 3)
		}}},
	},
}

// gradientLinear is the JVP of gradients that are linear in the gradient of the
// result and piecewise constant otherwise.
func gradientLinear(c *JCtx) ([]*Tensor, error) {
	return c.with(func(param int, t *Tensor) *Tensor {
		if param == 0 {
			return tangentOrZeros(t)
		}
		return t
	})
}

// gradientOnly returns the formulas of such gradients: of for grad_output,
// which uses the named tensors, and zeros for self.
func gradientOnly(uses string, of func(c *Ctx) *Tensor) []Formula {
	return []Formula{
		{Input: "grad_output", Uses: uses, Of: of},
		{Input: "self", Of: func(c *Ctx) *Tensor { return filled(c.Shape("self"), c.DTypeOf("self"), 0) }},
	}
}

func maxPoolWithIndices(a *Args, name string, dims int) ([]*Tensor, error) {
	p, err := poolArgs(a, name, dims)
	if err != nil {
		return nil, err
	}
	w, sizes, err := p.windows(a.Self())
	if err != nil {
		return nil, err
	}
	return maxPool(a.Self(), w, sizes, dims, name)
}

// maxPoolJVP selects the tangents at the positions of the largest inputs.
func maxPoolJVP(dims int) JVP {
	return func(c *JCtx) ([]*Tensor, error) {
		return []*Tensor{gatherPlanes(c.Tangent("self"), c.Out(1), dims)}, nil
	}
}

// gatherPlanes returns the elements of planes at the given indices.
func gatherPlanes(t, indices *Tensor, dims int) *Tensor {
	flat := append(append([]int(nil), indices.sizes[:indices.Dim()-dims]...), -1)
	if indices.Numel() == 0 {
		return filled(indices.sizes, t.dtype, 0)
	}
	return t.Contiguous().View(flat).Gather(-1, indices.View(flat)).View(indices.sizes)
}

// scatterToSelf returns the gradient of an operator that selects elements by
// indices.
func scatterToSelf(a *Args, dims int) ([]*Tensor, error) {
	return a.One(scatterPlanes(a.Tensor("grad_output"), a.Tensor("indices"), a.Tensor("self").sizes, dims))
}

func gatherFromSelf(dims int) []Formula {
	return gradientOnly("indices", func(c *Ctx) *Tensor { return gatherPlanes(c.Grad(), c.Saved("indices"), dims) })
}

func averagePool(a *Args, name string, dims int) ([]*Tensor, error) {
	w, sizes, by, err := averageWindows(a, a.Self(), name, dims)
	if err != nil {
		return nil, err
	}
	out, err := avgPool(a.Self(), w, sizes, dims, by, name)
	if err != nil {
		return nil, err
	}
	return a.One(out)
}

func averageGradient(a *Args, name string, dims int) ([]*Tensor, error) {
	w, _, by, err := averageWindows(a, a.Tensor("self"), name, dims)
	if err != nil {
		return nil, err
	}
	return a.One(spreadAverage(a.Tensor("grad_output"), w, a.Tensor("self").sizes, dims, by))
}

func averageWindows(a *Args, t *Tensor, name string, dims int) (*kernel.Pool, []int, kernel.Average, error) {
	by := kernel.Average{Divisor: a.Int("divisor_override"), Padding: a.Bool("count_include_pad")}
	p, err := poolArgs(a, name, dims)
	if err == nil && a.Has("divisor_override") && by.Divisor == 0 {
		err = fail(RuntimeError, CodeArgument, "divisor must be not zero")
	}
	if err != nil {
		return nil, nil, by, err
	}
	w, sizes, err := p.windows(t)
	return w, sizes, by, err
}

// averageArgs returns the arguments of avg_pool2d and avg_pool3d after self.
func averageArgs(a *Args) []any {
	var divisor any
	if a.Has("divisor_override") {
		divisor = a.Int("divisor_override")
	}
	return []any{a.Ints("kernel_size"), a.Ints("stride"), a.Ints("padding"), a.Bool("ceil_mode"), a.Bool("count_include_pad"), divisor}
}

// maxUnpool stores each element at the position in its plane that indices
// gives.
func maxUnpool(a *Args, dims int) ([]*Tensor, error) {
	t, index, out := a.Self(), a.Tensor("indices"), a.Ints("output_size")
	rank := t.Dim()
	switch {
	case len(out) != dims:
		return nil, fail(RuntimeError, CodeArgument, "There should be exactly %s elements (%s) in output_size, but got %d elements.", map[int]string{2: "two", 3: "three"}[dims], map[int]string{2: "height, width", 3: "depth, height, width"}[dims], len(out))
	case index.dtype != Int64:
		return nil, fail(RuntimeError, CodeDType, "elements in indices should be type int64 but got: %s", scalarTypeName(index.dtype))
	case rank != dims+1 && rank != dims+2:
		return nil, fail(RuntimeError, CodeShape, "Input to max_unpooling%dd should be a %dd or %dd Tensor, but got tensor with dimension: %d", dims, dims+1, dims+2, rank)
	case !sameSizes(t.sizes, index.sizes):
		return nil, fail(RuntimeError, CodeShape, "Expected shape of indices to be same as that of the input tensor (%s) but got indices tensor with shape: %s", shapeText(t.sizes), shapeText(index.sizes))
	case !t.dtype.IsFloat():
		return nil, undefined("max_unpool"+itoa(dims)+"d", t.dtype)
	}
	sizes := append(append([]int(nil), t.sizes[:rank-dims]...), out...)
	if err := checkSizes(sizes); err != nil {
		return nil, err
	}
	volume := numel(out)
	for _, i := range elements[int64](contiguous(index)) {
		if i < 0 || int(i) >= volume {
			return nil, fail(RuntimeError, CodeIndex, "Found an invalid max index: %d (output volumes are of size %s", i, joinInts(out, "x"))
		}
	}
	return a.One(unpoolPlanes(t, index, sizes, dims))
}

// unpoolPlanes is scatterPlanes, except that the last of several elements with
// the same position wins.
func unpoolPlanes(t, index *Tensor, sizes []int, dims int) *Tensor {
	out := alloc(t.dtype, sizes)
	t, index = contiguous(t), contiguous(index)
	n, at := planes(t, dims), elements[int64](index)
	if classOf(t.dtype) == f32Class {
		kernel.Place(n, elements[float32](out), elements[float32](t), at)
	} else {
		kernel.Place(n, elements[float64](out), elements[float64](t), at)
	}
	return out
}
