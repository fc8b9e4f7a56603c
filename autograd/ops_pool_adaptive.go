package autograd

import (
	"slices"
	"strings"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

var adaptivePoolOps = []Op{
	{
		Schema: "adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor", In: Torch | Functional,
		Compose: func(a *Args) ([]*Tensor, error) {
			return overPlane(a, "adaptive_avg_pool1d", []string{"output_size"}, func(t *Tensor) ([]*Tensor, error) {
				return fnAdaptiveAvgPool2d.list(nil, t, []int{1, a.Ints("output_size")[0]})
			})
		},
	},
	{
		Schema: "adaptive_avg_pool2d(Tensor self, int[2] output_size) -> Tensor", In: Hidden,
		Compose: func(a *Args) ([]*Tensor, error) {
			return adaptiveAverage(a, "adaptive_avg_pool2d", 2, ", ", fn_AdaptiveAvgPool2d)
		},
	},
	{
		Schema: "adaptive_avg_pool3d(Tensor self, int[3] output_size) -> Tensor", In: Hidden,
		Compose: func(a *Args) ([]*Tensor, error) {
			return adaptiveAverage(a, "adaptive_avg_pool3d", 3, ",", fn_AdaptiveAvgPool3d)
		},
	},
	{
		Schema: "_adaptive_avg_pool2d(Tensor self, int[2] output_size) -> Tensor", In: Hidden, Go: "-",
		Node: "AdaptiveAvgPool2DBackward0", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			return adaptiveAverageForward(a, "adaptive_avg_pool2d", "adaptive_avg_pool2d")
		},
		VJP: []Formula{{Input: "self", Uses: "self", Of: func(c *Ctx) *Tensor { return fn_AdaptiveAvgPool2dBackward.single(nil, c.Grad(), c.Saved("self")) }}},
	},
	{
		Schema: "_adaptive_avg_pool2d_backward(Tensor grad_output, Tensor self) -> Tensor", In: Hidden, Go: "-",
		Node: "AdaptiveAvgPool2DBackwardBackward0", JVP: gradientLinear,
		Forward: func(a *Args) ([]*Tensor, error) { return adaptiveAverageGradient(a, 2) },
		VJP: gradientOnly("", func(c *Ctx) *Tensor {
			return fn_AdaptiveAvgPool2d.single(nil, c.Grad(), lastSizes(c.Shape("grad_output"), 2))
		}),
	},
	{
		Schema: "_adaptive_avg_pool3d(Tensor self, int[3] output_size) -> Tensor", In: Hidden, Go: "-",
		Node: "AdaptiveAvgPool3DBackward0", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			return adaptiveAverageForward(a, "adaptive_avg_pool3d", "adaptive_avg_pool3d_cpu")
		},
		VJP: []Formula{{Input: "self", Uses: "self", Of: func(c *Ctx) *Tensor { return fn_AdaptiveAvgPool3dBackward.single(nil, c.Grad(), c.Saved("self")) }}},
	},
	{
		Schema: "_adaptive_avg_pool3d_backward(Tensor grad_output, Tensor self) -> Tensor", In: Hidden, Go: "-",
		Node: "AdaptiveAvgPool3DBackwardBackward0", JVP: gradientLinear,
		Forward: func(a *Args) ([]*Tensor, error) { return adaptiveAverageGradient(a, 3) },
		VJP: gradientOnly("", func(c *Ctx) *Tensor {
			return fn_AdaptiveAvgPool3d.single(nil, c.Grad(), lastSizes(c.Shape("grad_output"), 3))
		}),
	},
	{
		Schema: "adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)", In: Torch,
		Compose: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			for d := 1; d < t.Dim() && t.Dim() <= 3; d++ {
				if t.sizes[d] == 0 {
					return nil, fail(RuntimeError, CodeShape, "adaptive_max_pool1d(): Expected input to have non-zero size for non-batch dimensions, but input has sizes %s with dimension %d being empty", shapeText(t.sizes), d)
				}
			}
			return overPlane(a, "adaptive_max_pool1d", []string{"output_size"}, func(t *Tensor) ([]*Tensor, error) {
				return fnAdaptiveMaxPool2d.list(nil, t, []int{1, a.Ints("output_size")[0]})
			})
		},
	},
	{
		Schema: "adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)", In: Hidden,
		Node: "AdaptiveMaxPool2DBackward0", JVP: maxPoolJVP(2),
		Forward: func(a *Args) ([]*Tensor, error) {
			return adaptiveMaximum(a, "adaptive_max_pool2d", "adaptive_max_pool2d")
		},
		VJP: []Formula{{Input: "self", Uses: "self result1", Of: func(c *Ctx) *Tensor {
			return fnAdaptiveMaxPool2dBackward.single(nil, c.Grad(), c.Saved("self"), c.Saved("result1"))
		}}},
	},
	{
		Schema: "adaptive_max_pool2d_backward(Tensor grad_output, Tensor self, Tensor indices) -> Tensor", In: Hidden, Go: "-",
		Node: "AdaptiveMaxPool2DBackwardBackward0", JVP: gradientLinear,
		Forward: func(a *Args) ([]*Tensor, error) { return adaptiveMaximumGradient(a, 2) }, VJP: gatherFromSelf(2),
	},
	{
		Schema: "adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)", In: Hidden,
		Node: "AdaptiveMaxPool3DBackward0", JVP: maxPoolJVP(3),
		Forward: func(a *Args) ([]*Tensor, error) {
			return adaptiveMaximum(a, "adaptive_max_pool3d", "adaptive_max_pool3d_cpu")
		},
		VJP: []Formula{{Input: "self", Uses: "self result1", Of: func(c *Ctx) *Tensor {
			return fnAdaptiveMaxPool3dBackward.single(nil, c.Grad(), c.Saved("self"), c.Saved("result1"))
		}}},
	},
	{
		Schema: "adaptive_max_pool3d_backward(Tensor grad_output, Tensor self, Tensor indices) -> Tensor", In: Hidden, Go: "-",
		Node: "AdaptiveMaxPool3DBackwardBackward0", JVP: gradientLinear,
		Forward: func(a *Args) ([]*Tensor, error) { return adaptiveMaximumGradient(a, 3) }, VJP: gatherFromSelf(3),
	},
	{
		Schema: "nn_functional_adaptive_avg_pool2d(Tensor input, int?[2] output_size) -> Tensor", In: Functional, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return adaptiveFunction(a, 2, fnAdaptiveAvgPool2d, true) },
	},
	{
		Schema: "nn_functional_adaptive_avg_pool3d(Tensor input, int?[3] output_size) -> Tensor", In: Functional, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return adaptiveFunction(a, 3, fnAdaptiveAvgPool3d, true) },
	},
	{
		Schema: "nn_functional_adaptive_max_pool1d(Tensor input, int?[1] output_size, bool return_indices=False) -> Tensor", In: Functional, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			return adaptiveFunction(a, 1, fnAdaptiveMaxPool1d, a.Bool("return_indices"))
		},
	},
	{
		Schema: "nn_functional_adaptive_max_pool2d(Tensor input, int?[2] output_size, bool return_indices=False) -> Tensor", In: Functional, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			return adaptiveFunction(a, 2, fnAdaptiveMaxPool2d, a.Bool("return_indices"))
		},
	},
	{
		Schema: "nn_functional_adaptive_max_pool3d(Tensor input, int?[3] output_size, bool return_indices=False) -> Tensor", In: Functional, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			return adaptiveFunction(a, 3, fnAdaptiveMaxPool3d, a.Bool("return_indices"))
		},
	},
}

// adaptiveFunction calls an operator with an output_size in which None stands
// for the size of the input. all says that all results are returned.
func adaptiveFunction(a *Args, dims int, op *Operator, all bool) ([]*Tensor, error) {
	t, size := a.Tensor("input"), append([]int{}, a.Ints("output_size")...)
	one := len(size) == dims && size[0] != noInt && slices.Max(size) == slices.Min(size) // it may have been a number
	if t.Dim() <= len(size) && !one {
		return nil, fail(ValueError, CodeArgument, "Input dimension should be at least %d", len(size)+1)
	}
	if len(size) != dims {
		return nil, fail(RuntimeError, CodeArgument, "%s: output_size must be %d", op.name, dims)
	}
	for d, n := range size {
		if n == noInt && t.Dim() > dims {
			size[d] = t.sizes[t.Dim()-dims+d]
		}
	}
	outs, err := op.list(nil, t, size)
	if err != nil || all {
		return outs, err
	}
	return outs[:1], nil
}

// adaptiveAverage computes a plain mean if each plane becomes one element.
func adaptiveAverage(a *Args, name string, dims int, between string, op *Operator) ([]*Tensor, error) {
	t, size := a.Self(), a.Ints("output_size")
	if len(size) != dims {
		return nil, fail(RuntimeError, CodeArgument, "%s: output_size must be %d", name, dims)
	}
	if least(size) < 0 {
		return nil, fail(RuntimeError, CodeArgument, "%s: elements of output_size must be greater than or equal to 0 but received {%d, %s}", name, size[0], joinInts(size[1:], between))
	}
	for _, n := range size {
		if n != 1 {
			return op.list(nil, t, size)
		}
	}
	return a.One(fnMean.single([]Option{KeepDim}, t, []int{-1, -2, -3}[:dims]))
}

func adaptiveAverageForward(a *Args, name, kernelName string) ([]*Tensor, error) {
	t, size := a.Self(), a.Ints("output_size")
	w, sizes, err := adaptiveWindows(t, size, name, "")
	if err != nil {
		return nil, err
	}
	if !t.dtype.IsFloat() {
		return nil, undefined(kernelName, t.dtype)
	}
	out, err := avgPool(t, w, sizes, len(size), kernel.Average{}, kernelName)
	if err != nil {
		return nil, err
	}
	return a.One(out)
}

// checkAdaptiveGradient returns an error for an empty gradient.
func checkAdaptiveGradient(a *Args) error {
	g := a.Tensor("grad_output")
	for d := 1; d < len(g.sizes); d++ {
		if g.sizes[d] == 0 {
			return fail(RuntimeError, CodeShape, "%s(): Expected grad_output to have non-zero size for non-batch dimensions, but grad_output has sizes %s with dimension %d being empty", strings.TrimPrefix(a.op.schema.Name, "_"), shapeText(g.sizes), d)
		}
	}
	return nil
}

func adaptiveMaximumGradient(a *Args, dims int) ([]*Tensor, error) {
	if err := checkAdaptiveGradient(a); err != nil {
		return nil, err
	}
	return scatterToSelf(a, dims)
}

func adaptiveAverageGradient(a *Args, dims int) ([]*Tensor, error) {
	if err := checkAdaptiveGradient(a); err != nil {
		return nil, err
	}
	g, t := a.Tensor("grad_output"), a.Tensor("self")
	w, _, err := adaptiveWindows(t, lastSizes(g.sizes, dims), "adaptive_avg_pool_backward", "")
	if err != nil {
		return nil, err
	}
	return a.One(spreadAverage(g, w, t.sizes, dims, kernel.Average{}))
}

func adaptiveMaximum(a *Args, name, kernelName string) ([]*Tensor, error) {
	t, size := a.Self(), a.Ints("output_size")
	w, sizes, err := adaptiveWindows(t, size, name, ":")
	if err != nil {
		return nil, err
	}
	if !t.dtype.IsFloat() {
		return nil, undefined(kernelName, t.dtype)
	}
	return maxPool(t, w, sizes, len(size), kernelName)
}

// lastSizes returns the sizes of the last dims dimensions.
func lastSizes(sizes []int, dims int) []int { return sizes[len(sizes)-dims:] }
