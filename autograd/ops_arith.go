package autograd

import (
	"math"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// Addition, subtraction, multiplication. In x + 2 the Python number is wrapped
// as a 0-d tensor; in the hidden Scalar forms, which formulas use, it stays a
// number.

var (
	addKernel = binaryKernel{
		name: "add_stub", f32: kernel.Add[float32], f64: kernel.Add[float64], i64: kernel.Add[int64],
		b: func(d, a, b []bool, sa, sb int) {
			kernel.Map2(d, a, b, sa, sb, func(x, y bool) bool { return x || y })
		},
	}
	subKernel = binaryKernel{name: "sub_stub", f32: kernel.Sub[float32], f64: kernel.Sub[float64], i64: kernel.Sub[int64]}
	mulKernel = binaryKernel{
		name: "mul_cpu", f32: kernel.Mul[float32], f64: kernel.Mul[float64], i64: kernel.Mul[int64],
		b: func(d, a, b []bool, sa, sb int) {
			kernel.Map2(d, a, b, sa, sb, func(x, y bool) bool { return x && y })
		},
	}
	negKernel = unaryKernel{name: "neg", f32: kernel.Neg[float32], f64: kernel.Neg[float64], i64: kernel.Neg[int64]}
)

var arithmeticOps = []Op{
	{
		Schema: "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", Aliases: "__add__ __radd__",
		Node: "AddBackward0", InPlace: true, TakesNumbers: true, Certain: true, Predicted: ByTypes, Attrs: "alpha", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.addScaled(&addKernel, a.Self(), a.Tensor("other"), a.Scalar("alpha"))
		},
		VJP: []Formula{
			{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad() }},
			{Input: "other", Of: func(c *Ctx) *Tensor { return scaled(c.Grad(), c.Args().Scalar("alpha")) }},
		},
	},
	{
		Schema: "add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", In: Hidden, Go: "AddScalar",
		Node: "AddBackward1", InPlace: true, TakesNumbers: true, Certain: true, JVP: tangentOfSelf,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.addScaled(&addKernel, a.Self(), numberTensor(a.Scalar("other")), a.Scalar("alpha"))
		},
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad() }}},
	},
	{
		Schema: "sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", Aliases: "subtract __sub__",
		Node: "SubBackward0", InPlace: true, TakesNumbers: true, Certain: true, Predicted: ByTypes, Attrs: "alpha", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.subScaled(a.Self(), a.Tensor("other"), a.Scalar("alpha"))
		},
		VJP: []Formula{
			{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad() }},
			{Input: "other", Of: func(c *Ctx) *Tensor { return scaled(c.Grad().Neg(), c.Args().Scalar("alpha")) }},
		},
	},
	{
		Schema: "sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", In: Hidden, Go: "SubScalar",
		Node: "SubBackward1", TakesNumbers: true, Certain: true, Attrs: "alpha", JVP: tangentOfSelf,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.subScaled(a.Self(), numberTensor(a.Scalar("other")), a.Scalar("alpha"))
		},
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad() }}},
	},
	{
		Schema: "rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", In: Torch,
		Node: "RsubBackward0", Certain: true, Predicted: ByTypes, Attrs: "alpha", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.subScaled(a.Tensor("other"), a.Self(), a.Scalar("alpha"))
		},
		VJP: []Formula{
			{Input: "self", Of: func(c *Ctx) *Tensor { return scaled(c.Grad().Neg(), c.Args().Scalar("alpha")) }},
			{Input: "other", Of: func(c *Ctx) *Tensor { return c.Grad() }},
		},
	},
	{
		Schema: "rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", In: Torch,
		Node: "RsubBackward1", Certain: true, Predicted: ByTypes, Attrs: "alpha", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.subScaled(numberTensor(a.Scalar("other")), a.Self(), a.Scalar("alpha"))
		},
		VJP: []Formula{
			{Input: "self", Of: func(c *Ctx) *Tensor { return scaled(c.Grad().Neg(), c.Args().Scalar("alpha")) }},
		},
	},
	{
		Schema: "__rsub__(Tensor self, Scalar other) -> Tensor", Predicted: ByTypes,
		Compose: func(a *Args) ([]*Tensor, error) { return a.One(a.Self().Rsub(a.Scalar("other"))) },
	},
	{
		Schema: "mul.Tensor(Tensor self, Tensor other) -> Tensor", Aliases: "multiply __mul__ __rmul__",
		Node: "MulBackward0", InPlace: true, TakesNumbers: true, Certain: true, Predicted: ByTypes, JVP: multilinear,
		Forward: func(a *Args) ([]*Tensor, error) {
			x, y := a.Self(), a.Tensor("other")
			return a.binary(x, y, resultType(x, y), &mulKernel)
		},
		VJP: []Formula{
			{Input: "self", Uses: "other", Of: func(c *Ctx) *Tensor { return c.Grad().Mul(c.Saved("other")) }},
			{Input: "other", Uses: "self", Of: func(c *Ctx) *Tensor { return c.Grad().Mul(c.Saved("self")) }},
		},
	},
	{
		Schema: "mul.Scalar(Tensor self, Scalar other) -> Tensor", In: Hidden, Go: "MulScalar",
		Node: "MulBackward1", InPlace: true, TakesNumbers: true, Certain: true, Attrs: "other", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			x, y := a.Self(), numberTensor(a.Scalar("other"))
			return a.binary(x, y, resultType(x, y), &mulKernel)
		},
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad().MulScalar(c.Args().Scalar("other")) }}},
	},
	{
		Schema: "neg(Tensor self) -> Tensor", Aliases: "negative __neg__", Node: "NegBackward0", InPlace: true, OutDType: foundDType, Certain: true, Predicted: ByValues, JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			if a.Self().dtype == Bool {
				return nil, fail(RuntimeError, CodeDType, "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.")
			}
			return a.unary(a.Self(), a.Self().dtype, &negKernel)
		},
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad().Neg() }}},
	},
	{
		Schema: "positive(Tensor self) -> Tensor", Aliases: "__pos__", Predicted: ByValues,
		Compose: func(a *Args) ([]*Tensor, error) {
			if a.Self().dtype == Bool {
				return nil, fail(RuntimeError, CodeDType, "The `+` operator, on a bool tensor is not supported.")
			}
			return a.One(a.Self())
		},
	},
}

// tangentOfSelf returns the JVP of operators that add a number to self.
func tangentOfSelf(c *JCtx) ([]*Tensor, error) { return []*Tensor{c.Tangent("self").Clone()}, nil }

// scaled returns alpha·g, or g itself if alpha is 1.
func scaled(g *Tensor, alpha Scalar) *Tensor {
	if alpha.Float() == 1 {
		return g
	}
	return g.MulScalar(alpha)
}

// subScaled computes x - alpha·y.
func (a *Args) subScaled(x, y *Tensor, alpha Scalar) ([]*Tensor, error) {
	if x.dtype == Bool && y.dtype == Bool {
		return nil, fail(RuntimeError, CodeDType, "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.")
	}
	if x.dtype == Bool || y.dtype == Bool {
		return nil, fail(RuntimeError, CodeDType, "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.")
	}
	return a.addScaled(&subKernel, x, y, alpha)
}

// addScaled computes x ± alpha·y, with a single rounding in float32.
func (a *Args) addScaled(k *binaryKernel, x, y *Tensor, alpha Scalar) ([]*Tensor, error) {
	d := resultType(x, y)
	switch {
	case alpha.IsBool() && d != Bool:
		return nil, fail(RuntimeError, CodeArgument, "Boolean alpha only supported for Boolean results.")
	case alpha.IsFloat() && !d.IsFloat():
		return nil, fail(RuntimeError, CodeArgument, "For integral input tensors, argument alpha must not be a floating point number.")
	case alpha.Float() == 1:
		return a.binary(x, y, d, k)
	}
	sign := 1.0
	if k == &subKernel {
		sign = -1
	}
	f, i := sign*alpha.Float(), int64(sign)*alpha.Int()
	f32 := float32(f)
	scaledKernel := binaryKernel{
		name: k.name,
		f32: func(d, a, b []float32, sa, sb int) {
			kernel.Map2(d, a, b, sa, sb, func(x, y float32) float32 { return fma32(f32, y, x) })
		},
		f64: func(d, a, b []float64, sa, sb int) {
			kernel.Map2(d, a, b, sa, sb, func(x, y float64) float64 { return math.FMA(f, y, x) })
		},
		i64: func(d, a, b []int64, sa, sb int) {
			kernel.Map2(d, a, b, sa, sb, func(x, y int64) int64 { return x + i*y })
		},
		b: func(d, a, b []bool, sa, sb int) {
			kernel.Map2(d, a, b, sa, sb, func(x, y bool) bool { return x || alpha.Bool() && y })
		},
	}
	return a.binary(x, y, d, &scaledKernel)
}
