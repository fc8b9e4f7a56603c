package autograd

import (
	"math"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// Activations with a kink. The formulas follow PyTorch's
// aten/src/ATen/native/cpu/Activation.cpp, including the results at the kink
// and for NaN.

var zeroScalar = IntScalar(0)

var reluKernel = unaryKernel{
	name: "relu",
	f32:  func(d, a []float32, sa int) { kernel.Relu(d, a, sa) },
	f64:  func(d, a []float64, sa int) { kernel.Relu(d, a, sa) },
	i64:  func(d, a []int64, sa int) { kernel.Relu(d, a, sa) },
}

var rectifierOps = []Op{
	{
		Schema: "relu(Tensor self) -> Tensor",
		Node:   "ReluBackward0", InPlace: true, Certain: true, Predicted: ByValues, JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			if a.Self().dtype == Bool {
				return nil, fail(RuntimeError, CodeDType, "Boolean inputs not supported for relu")
			}
			return a.unary(a.Self(), a.Self().dtype, &reluKernel)
		},
		VJP: []Formula{{Input: "self", Uses: "result", Of: func(c *Ctx) *Tensor {
			return c.Grad().ThresholdBackward(c.Saved("result"), zeroScalar)
		}}},
	},
	{
		Schema: "threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor", In: Torch,
		Node: "ThresholdBackward0", InPlace: true, InPlaceNode: "ThresholdBackward1", Overlap: OverlapAllowed, Attrs: "threshold", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			t, threshold, value := a.Self(), a.Scalar("threshold"), a.Scalar("value")
			k := unaryKernel{
				name: "threshold_cpu",
				f32:  aboveOr(fromScalar[float32](threshold, t.dtype), fromScalar[float32](value, t.dtype)),
				f64:  aboveOr(threshold.Float(), value.Float()),
				i64:  aboveOr(threshold.Int(), value.Int()),
			}
			return a.unary(t, t.dtype, &k)
		},
		VJP: []Formula{{Input: "self", Uses: "self", Of: func(c *Ctx) *Tensor {
			return c.Grad().ThresholdBackward(c.Saved("self"), c.Args().Scalar("threshold"))
		}}},
	},
	{
		Schema: "threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor", In: Hidden,
		Node: "ThresholdBackwardBackward0", Attrs: "threshold", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			g, t, threshold := a.Self(), a.Tensor("self"), a.Scalar("threshold")
			d := resultType(g, t)
			k := binaryKernel{
				name: "threshold_cpu",
				f32:  passAbove(fromScalar[float32](threshold, d)),
				f64:  passAbove(threshold.Float()),
				i64:  passAbove(threshold.Int()),
			}
			return a.binary(t, g, d, &k) // the layout follows self
		},
		VJP: []Formula{
			{Input: "grad_output", Uses: "self", Of: func(c *Ctx) *Tensor {
				return c.Grad().ThresholdBackward(c.Saved("self"), c.Args().Scalar("threshold"))
			}},
			{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad().ZerosLike() }},
		},
	},
	{
		Schema: "hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor", In: Hidden,
		Node: "HardtanhBackward0", InPlace: true, Attrs: "min_val max_val", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			if t.dtype == Bool {
				return nil, fail(RuntimeError, CodeDType, "Bool inputs not supported for hardtanh")
			}
			low, high := a.Scalar("min_val"), a.Scalar("max_val")
			if t.dtype == UInt8 && (low.Int() < 0 || high.Int() < 0) {
				return nil, fail(RuntimeError, CodeArgument, "cannot do hardtanh on an unsigned type with negative limits")
			}
			k := unaryKernel{
				name: "hardtanh",
				f32:  between(fromScalar[float32](low, t.dtype), fromScalar[float32](high, t.dtype)),
				f64:  between(low.Float(), high.Float()),
				i64:  between(low.Int(), high.Int()),
			}
			return a.unary(t, t.dtype, &k)
		},
		VJP: []Formula{{Input: "self", Uses: "self", Of: hardtanhGrad}},
	},
	{
		Schema: "hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val) -> Tensor", In: Hidden,
		Node: "HardtanhBackwardBackward0", Attrs: "min_val max_val", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			g, t := a.Self(), a.Tensor("self")
			low, high := a.Scalar("min_val"), a.Scalar("max_val")
			return a.floatMap2(g, t, "hardshrink_backward_cpu",
				passBetween(fromScalar[float32](low, t.dtype), fromScalar[float32](high, t.dtype)),
				passBetween(low.Float(), high.Float()))
		},
		VJP: []Formula{
			{Input: "grad_output", Uses: "self", Of: hardtanhGrad},
			{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad().ZerosLike() }},
		},
	},
	{
		Schema: "relu6(Tensor self) -> Tensor", In: Hidden,
		Compose: func(a *Args) ([]*Tensor, error) { return fnHardtanh.Call([]any{a.Self(), 0, 6}) },
	},
	{
		Schema: "relu6_(Tensor self) -> Tensor", In: Hidden, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return fnHardtanh_.Call([]any{a.Self(), 0, 6}) },
	},
	{
		Schema: "leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor", In: Hidden,
		Node: "LeakyReluBackward0", Attrs: "negative_slope", JVP: elementwise,
		Forward: leakyRelu,
		VJP:     []Formula{{Input: "self", Uses: "self", Of: func(c *Ctx) *Tensor { return leakyReluGrad(c, "self", false) }}},
	},
	{
		Schema: "leaky_relu_(Tensor self, Scalar negative_slope=0.01) -> Tensor", In: Hidden,
		Node: "LeakyReluBackward1", Attrs: "negative_slope", JVP: elementwise,
		Forward: leakyRelu, Mutate: storeForward,
		VJP: []Formula{{Input: "self", Uses: "result", Of: func(c *Ctx) *Tensor { return leakyReluGrad(c, "result", true) }}},
	},
	{
		Schema: "leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, bool self_is_result) -> Tensor", In: Hidden,
		Node: "LeakyReluBackwardBackward0", Attrs: "negative_slope self_is_result", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			g, t, slope := a.Self(), a.Tensor("self"), a.Scalar("negative_slope")
			if a.Bool("self_is_result") && slope.Float() < 0 {
				return nil, fail(RuntimeError, CodeArgument, "%s", negativeSlopeText)
			}
			return a.floatMap2(t, g, "leaky_relu_backward_cpu", // the layout follows self
				scaleBelow(float32(slope.Float())), scaleBelow(slope.Float()))
		},
		VJP: []Formula{
			{Input: "grad_output", Uses: "self", Of: func(c *Ctx) *Tensor { return leakyReluGrad(c, "self", false) }},
			{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad().ZerosLike() }},
		},
	},
}

// negativeSlopeText is the error for the gradient of an in-place leaky_relu:
// its result does not tell the sign of the input.
const negativeSlopeText = "In-place leakyReLu backward calculation is triggered with a negative slope which is not supported. This is caused by calling in-place forward function with a negative slope, please call out-of-place version instead. File an issue at https://github.com/pytorch/pytorch if you do require supporting in-place leakRelu backward calculation with negative slope"

func leakyRelu(a *Args) ([]*Tensor, error) {
	t, slope := a.Self(), a.Scalar("negative_slope")
	slope32, slope64 := float32(slope.Float()), slope.Float()
	k := unaryKernel{
		name: "leaky_relu_cpu",
		f32:  func(d, s []float32, step int) { kernel.LeakyRelu(d, s, step, slope32) },
		f64:  func(d, s []float64, step int) { kernel.LeakyRelu(d, s, step, slope64) },
	}
	return a.unary(t, t.dtype, &k)
}

func leakyReluGrad(c *Ctx, saved string, isResult bool) *Tensor {
	return c.Grad().LeakyReluBackward(c.Saved(saved), c.Args().Scalar("negative_slope"), isResult)
}

func hardtanhGrad(c *Ctx) *Tensor {
	return c.Grad().HardtanhBackward(c.Saved("self"), c.Args().Scalar("min_val"), c.Args().Scalar("max_val"))
}

// aboveOr keeps elements above a threshold, and NaN; it replaces all others
// with value.
func aboveOr[T number](threshold, value T) func(d, a []T, sa int) {
	return func(d, a []T, sa int) {
		kernel.Map1(d, a, sa, func(x T) T {
			if x <= threshold {
				return value
			}
			return x
		})
	}
}

// between clamps x to an interval.
func between[T number](low, high T) func(d, a []T, sa int) {
	return func(d, a []T, sa int) {
		kernel.Map1(d, a, sa, func(x T) T {
			if x < low {
				x = low
			}
			if x > high {
				x = high
			}
			return x
		})
	}
}

// passAbove passes the gradient unless x is at or below a threshold.
func passAbove[T number](threshold T) func(d, x, g []T, sx, sg int) {
	return func(d, x, g []T, sx, sg int) { kernel.PassAbove(d, g, x, sg, sx, threshold) }
}

// passBetween passes the gradient where x is strictly inside an interval.
func passBetween[T float](low, high T) func(g, x T) T {
	return func(g, x T) T {
		if x <= low || x >= high {
			return 0
		}
		return g
	}
}

func scaleBelow[T float](slope T) func(x, g T) T {
	return func(x, g T) T {
		if x > 0 {
			return g
		}
		return g * slope
	}
}

// float is the type constraint for elements of float dtypes.
type float interface{ float32 | float64 }

// floatMap applies a function to the elements of a float tensor.
func (a *Args) floatMap(t *Tensor, name string, f32 func(float32) float32, f64 func(float64) float64) ([]*Tensor, error) {
	k := unaryKernel{
		name: name,
		f32:  func(d, s []float32, step int) { kernel.Map1(d, s, step, f32) },
		f64:  func(d, s []float64, step int) { kernel.Map1(d, s, step, f64) },
	}
	return a.unary(t, t.dtype, &k)
}

// floatMap2 applies a function to pairs of elements of two float tensors, in
// their promoted dtype.
func (a *Args) floatMap2(x, y *Tensor, name string, f32 func(x, y float32) float32, f64 func(x, y float64) float64) ([]*Tensor, error) {
	k := binaryKernel{
		name: name,
		f32:  func(d, s, t []float32, step1, step2 int) { kernel.Map2(d, s, t, step1, step2, f32) },
		f64:  func(d, s, t []float64, step1, step2 int) { kernel.Map2(d, s, t, step1, step2, f64) },
	}
	return a.binary(x, y, resultType(x, y), &k)
}

func exp[T float](x T) T  { return T(math.Exp(float64(x))) }
func tanh[T float](x T) T { return T(math.Tanh(float64(x))) }
func erf[T float](x T) T  { return T(math.Erf(float64(x))) }

// erf32 is the error function with the precision of PyTorch's float32 version,
// seven digits: formula 7.1.26 of Abramowitz and Stegun, Handbook of
// Mathematical Functions.
func erf32(x float32) float32 {
	a := float32(math.Abs(float64(x)))
	t := 1 / fma32(0.3275911, a, 1)
	sum := float32(1.061405429)
	for _, c := range [...]float32{-1.453152027, 1.421413741, -0.284496736, 0.254829592} {
		sum = fma32(sum, t, c)
	}
	y := fma32(-exp(-(a*a))*t, sum, 1)
	return float32(math.Copysign(float64(y), float64(x)))
}
