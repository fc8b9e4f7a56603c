package autograd

import (
	"slices"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// This file holds what the normalization operators share: the computation,
// PyTorch's checks, and the derivatives in forward mode.

// checkMixed makes the checks of aten/src/ATen/native/cpu/mixed_data_type.h:
// parameters have the dtype of the input, or float32 if the input is half
// precision.
func checkMixed(input *Tensor, params ...*Tensor) error {
	var first DType
	for _, p := range params {
		if p != nil && first == 0 {
			first = p.dtype
		}
	}
	if first != 0 && first != input.dtype {
		for _, p := range params {
			if p != nil && p.dtype != Float32 {
				return fail(RuntimeError, CodeDType, "mixed dtype (CPU): expect parameter to have scalar type of Float")
			}
		}
		if input.dtype != Float16 && input.dtype != BFloat16 {
			return fail(RuntimeError, CodeDType, "mixed dtype (CPU): all inputs must share same datatype.")
		}
	}
	for _, p := range params {
		if p != nil && classOf(p.dtype) != classOf(input.dtype) {
			return fail(RuntimeError, CodeDType, "expected scalar type %s but found %s", scalarTypeName(input.dtype), scalarTypeName(p.dtype))
		}
	}
	return nil
}

// statistics holds the mean and the inverse deviation of each set of elements.
type statistics struct{ mean, inverse *Tensor }

// measure computes the statistics of a contiguous input, in tensors of the
// given shape that are not half precision. It also returns, in float64, the
// mean and the sum of squared distances from it.
func measure(g *kernel.Grouping, t *Tensor, shape []int, eps float64) (s statistics, mean, squares []float64) {
	d := Float32
	if t.dtype == Float64 {
		d = Float64
	}
	s = statistics{alloc(d, shape), alloc(d, shape)}
	if t.Numel() == 0 {
		return s, make([]float64, g.Sets), make([]float64, g.Sets)
	}
	if classOf(t.dtype) == f32Class {
		mean, squares = kernel.Moments(g, elements[float32](t))
	} else {
		mean, squares = kernel.Moments(g, elements[float64](t))
	}
	count := float64(t.Numel()) / float64(g.Sets)
	for i := range mean {
		s.mean.setElement(i, FloatScalar(mean[i]))
		s.inverse.setElement(i, FloatScalar(kernel.InverseDeviation(squares[i]/count, eps)))
	}
	return s, mean, squares
}

// as converts the statistics to the precision of the input, for the program.
func (s statistics) as(d DType) statistics { return statistics{as(s.mean, d), as(s.inverse, d)} }

// normalized applies statistics to a contiguous input. scale and shift may be
// nil.
func normalized(g *kernel.Grouping, t *Tensor, s statistics, scale, shift *Tensor) *Tensor {
	out := alloc(t.dtype, t.sizes)
	if t.Numel() == 0 {
		return out
	}
	if classOf(t.dtype) == f32Class {
		kernel.Normalize(g, elements[float32](out), elements[float32](t), inOrder[float32](s.mean), inOrder[float32](s.inverse), inOrder[float32](scale), inOrder[float32](shift))
	} else {
		kernel.Normalize(g, elements[float64](out), elements[float64](t), inOrder[float64](s.mean), inOrder[float64](s.inverse), inOrder[float64](scale), inOrder[float64](shift))
	}
	return rounded(out)
}

// inOrder returns the elements of a tensor in row-major order, or nil for nil.
func inOrder[T element](t *Tensor) []T {
	if t == nil {
		return nil
	}
	return elements[T](contiguous(t))
}

// normalizeGradients computes the wanted gradients of input, scale and shift.
// fixed says that the statistics do not depend on the input. scaleShape is the
// shape of scale and shift.
func normalizeGradients(g *kernel.Grouping, grad, input *Tensor, s statistics, scale *Tensor, scaleShape []int, wanted []bool, fixed bool) []*Tensor {
	outs := make([]*Tensor, 3)
	shapes := [][]int{input.sizes, scaleShape, scaleShape}
	for i := range outs {
		if wanted[i] {
			outs[i] = alloc(grad.dtype, shapes[i])
		}
	}
	if input.Numel() == 0 {
		return outs
	}
	if classOf(grad.dtype) == f32Class {
		normalizeGradientsAs[float32](g, outs, grad, input, s, scale, fixed)
	} else {
		normalizeGradientsAs[float64](g, outs, grad, input, s, scale, fixed)
	}
	return outs
}

func normalizeGradientsAs[T float32 | float64](g *kernel.Grouping, outs []*Tensor, grad, input *Tensor, s statistics, scale *Tensor, fixed bool) {
	d := kernel.NormGradients[T]{X: inOrder[T](outs[0]), Scale: inOrder[T](outs[1]), Shift: inOrder[T](outs[2])}
	kernel.NormalizeBackward(g, d, inOrder[T](grad), inOrder[T](input), inOrder[T](s.mean), inOrder[T](s.inverse), inOrder[T](scale), fixed)
	for _, t := range outs {
		if t != nil {
			rounded(t)
		}
	}
}

// normalizeJVP returns the tangent of (x-mean)*inverse*scale + shift. mean and
// inverse broadcast with x and are computed from x over the dimensions dims;
// dims is empty if they do not depend on x. Nil tangents are zero.
func normalizeJVP(x, dx, mean, inverse *Tensor, dims []int, scale, dScale, dShift *Tensor) *Tensor {
	centred := x.Sub(mean)
	unit := centred.Mul(inverse)
	var sum *Tensor
	if dx != nil {
		d := dx
		if dims != nil {
			over := []Option{Kw("dim", dims), KeepDim}
			d = dx.Sub(fnMean.single(over, dx))
			turn := fnMean.single(over, unit.Mul(d))
			d = d.Sub(unit.Mul(turn))
		}
		sum = d.Mul(inverse)
		if scale != nil {
			sum = sum.Mul(scale)
		}
	}
	if dScale != nil {
		sum = addDefined(sum, unit.Mul(dScale))
	}
	if dShift != nil {
		sum = addDefined(sum, dShift.Expand(x.sizes))
	}
	return sum
}

// batchGeometry returns the grouping of batch norm for an input [N, C, ...].
func batchGeometry(sizes []int) *kernel.Grouping {
	return &kernel.Grouping{Plane: numel(sizes[2:]), Channels: sizes[1], Sets: sizes[1]}
}

// layerGeometry returns the grouping of layer norm over the last dims
// dimensions.
func layerGeometry(sizes []int, dims int) *kernel.Grouping {
	n := numel(lastSizes(sizes, dims))
	return &kernel.Grouping{Plane: n, Channels: n, Sets: numel(sizes[:len(sizes)-dims]), PerSet: 1, Each: true}
}

// groupGeometry returns the grouping of group norm for N samples of C channels
// with HxW elements.
func groupGeometry(n, c, hw, groups int) *kernel.Grouping {
	return &kernel.Grouping{Plane: hw, Channels: c, Sets: n * groups, PerSet: c / groups}
}

// checkNormalizedShape makes the checks of layer_norm and rms_norm.
func checkNormalizedShape(input *Tensor, shape []int, params map[string]*Tensor) error {
	if len(shape) == 0 {
		return fail(RuntimeError, CodeShape, "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got normalized_shape = []")
	}
	for _, name := range []string{"weight", "bias"} {
		if p := params[name]; p != nil && !sameSizes(p.sizes, shape) {
			return fail(RuntimeError, CodeShape, "Expected %s to be of same shape as normalized_shape, but got %s of shape %s and normalized_shape = %s", name, name, shapeText(p.sizes), shapeText(shape))
		}
	}
	if n := len(shape); input.Dim() < n || !slices.Equal(lastSizes(input.sizes, n), shape) {
		return fail(RuntimeError, CodeShape, "Given normalized_shape=%s, expected input with shape [*, %s], but got input of size%s", shapeText(shape), joinInts(shape, ", "), shapeText(input.sizes))
	}
	return nil
}
