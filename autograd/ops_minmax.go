package autograd

import "github.com/gradtui/gradtui/autograd/internal/kernel"

// Maximum, minimum and clamping.

var (
	maximumKernel = orderKernel("maximum", kernel.Maximum[float32], kernel.Maximum[float64], kernel.Maximum[int64], orKernel.b)
	minimumKernel = orderKernel("minimum", kernel.Minimum[float32], kernel.Minimum[float64], kernel.Minimum[int64], andKernel.b)
	fmaxKernel    = orderKernel("fmax", kernel.FMax[float32], kernel.FMax[float64], kernel.FMax[int64], orKernel.b)
	fminKernel    = orderKernel("fmin", kernel.FMin[float32], kernel.FMin[float64], kernel.FMin[int64], andKernel.b)
)

func orderKernel(name string, f32 func(x, y float32) float32, f64 func(x, y float64) float64, i64 func(x, y int64) int64, b func(d, a, b []bool, sa, sb int)) binaryKernel {
	k := numberKernel(name, f32, f64, i64)
	k.b = b
	return k
}

// promoting makes the Forward of an operator on self and other in their common
// dtype.
func promoting(k *binaryKernel) func(a *Args) ([]*Tensor, error) {
	return func(a *Args) ([]*Tensor, error) {
		x, y := a.Self(), a.Tensor("other")
		return a.binary(x, y, resultType(x, y), k)
	}
}

var minMaxOps = []Op{
	{
		Schema: "maximum(Tensor self, Tensor other) -> Tensor", Node: "MaximumBackward0", Predicted: ByValues, JVP: extremeTangent((*Tensor).Gt),
		Forward: promoting(&maximumKernel),
		VJP: []Formula{
			{Input: "self", Uses: "self other", Of: func(c *Ctx) *Tensor { return halfOnTies(c, (*Tensor).Lt) }},
			{Input: "other", Uses: "self other", Of: func(c *Ctx) *Tensor { return halfOnTies(c, (*Tensor).Gt) }},
		},
	},
	{
		Schema: "minimum(Tensor self, Tensor other) -> Tensor", Node: "MinimumBackward0", Predicted: ByValues, JVP: extremeTangent((*Tensor).Lt),
		Forward: promoting(&minimumKernel),
		VJP: []Formula{
			{Input: "self", Uses: "self other", Of: func(c *Ctx) *Tensor { return halfOnTies(c, (*Tensor).Gt) }},
			{Input: "other", Uses: "self other", Of: func(c *Ctx) *Tensor { return halfOnTies(c, (*Tensor).Lt) }},
		},
	},
	{
		Schema: "fmax(Tensor self, Tensor other) -> Tensor", Node: "FmaxBackward0", Predicted: ByValues, JVP: numberTangent((*Tensor).Gt),
		Forward: promoting(&fmaxKernel),
		VJP: []Formula{
			{Input: "self", Uses: "self other", Of: func(c *Ctx) *Tensor {
				return c.Grad().MaskedFill(numberWins(c.Saved("self"), c.Saved("other"), (*Tensor).Ge).LogicalNot(), 0)
			}},
			{Input: "other", Uses: "self other", Of: func(c *Ctx) *Tensor {
				return c.Grad().MaskedFill(numberWins(c.Saved("self"), c.Saved("other"), (*Tensor).Ge), 0)
			}},
		},
	},
	{
		Schema: "fmin(Tensor self, Tensor other) -> Tensor", Node: "FminBackward0", Predicted: ByValues, JVP: numberTangent((*Tensor).Le),
		Forward: promoting(&fminKernel),
		VJP: []Formula{
			{Input: "self", Uses: "self other", Of: func(c *Ctx) *Tensor {
				return c.Grad().MaskedFill(numberWins(c.Saved("self"), c.Saved("other"), (*Tensor).Le).LogicalNot(), 0)
			}},
			{Input: "other", Uses: "self other", Of: func(c *Ctx) *Tensor {
				return c.Grad().MaskedFill(numberWins(c.Saved("self"), c.Saved("other"), (*Tensor).Le), 0)
			}},
		},
	},
	{
		Schema: "clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor", Aliases: "clip",
		Node: "ClampBackward0", InPlace: true, OutDType: foundDType, Predicted: ByValues, JVP: clampTangent,
		Forward: func(a *Args) ([]*Tensor, error) { return a.clamp(a.Tensor("min"), a.Tensor("max"), "clamp_tensor_cpu") },
		VJP: []Formula{
			{Input: "self", Uses: "self min max", Of: func(c *Ctx) *Tensor {
				return insideBounds(c.Grad(), c.Saved("self"), c.Saved("min"), c.Saved("max"))
			}},
			{Input: "min max", Uses: "self min max", All: clampBoundsBackward},
		},
	},
	{
		Schema: "clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor", Aliases: "clip",
		Node: "ClampBackward1", InPlace: true, OutDType: foundDType, Predicted: ByValues, Attrs: "min max", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.clamp(a.number("min"), a.number("max"), "clamp_scalar_cpu")
		},
		VJP: ofSelf("self", func(c *Ctx) *Tensor {
			return insideBounds(c.Grad(), c.Saved("self"), c.Args().number("min"), c.Args().number("max"))
		}),
	},
	{
		Schema: "clamp_min.Tensor(Tensor self, Tensor min) -> Tensor", Node: "ClampMinBackward1", InPlace: true, OutDType: foundDType, Predicted: ByValues, JVP: clampMinTangent,
		Forward: func(a *Args) ([]*Tensor, error) { return a.clamp(a.Tensor("min"), nil, "clamp_min_tensor_cpu") },
		VJP: []Formula{
			{Input: "self", Uses: "self min", Of: func(c *Ctx) *Tensor { return gradWhere(c.Saved("self").Ge(c.Saved("min")), c) }},
			{Input: "min", Uses: "self min", Of: func(c *Ctx) *Tensor { return gradWhere(c.Saved("self").Lt(c.Saved("min")), c) }},
		},
	},
	{
		Schema: "clamp_min(Tensor self, Scalar min) -> Tensor", Node: "ClampMinBackward0", InPlace: true, OutDType: foundDType, Predicted: ByValues, Attrs: "min", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) { return a.clamp(a.number("min"), nil, "clamp_min_scalar_cpu") },
		VJP:     ofSelf("self", func(c *Ctx) *Tensor { return gradWhere(c.Saved("self").Ge(c.Args().Scalar("min")), c) }),
	},
	{
		Schema: "clamp_max.Tensor(Tensor self, Tensor max) -> Tensor", Node: "ClampMaxBackward1", InPlace: true, OutDType: foundDType, Predicted: ByValues, JVP: clampMaxTangent,
		Forward: func(a *Args) ([]*Tensor, error) { return a.clamp(nil, a.Tensor("max"), "clamp_max_tensor_cpu") },
		VJP: []Formula{
			{Input: "self", Uses: "self max", Of: func(c *Ctx) *Tensor { return gradWhere(c.Saved("self").Le(c.Saved("max")), c) }},
			{Input: "max", Uses: "self max", Of: func(c *Ctx) *Tensor { return gradWhere(c.Saved("self").Gt(c.Saved("max")), c) }},
		},
	},
	{
		Schema: "clamp_max(Tensor self, Scalar max) -> Tensor", Node: "ClampMaxBackward0", InPlace: true, OutDType: foundDType, Predicted: ByValues, Attrs: "max", JVP: elementwise,
		Forward: func(a *Args) ([]*Tensor, error) { return a.clamp(nil, a.number("max"), "clamp_max_scalar_cpu") },
		VJP:     ofSelf("self", func(c *Ctx) *Tensor { return gradWhere(c.Saved("self").Le(c.Args().Scalar("max")), c) }),
	},
}

// halfOnTies returns the gradient where it is not masked out. Equal operands
// share it.
func halfOnTies(c *Ctx, lost func(t *Tensor, other any, opts ...Option) *Tensor) *Tensor {
	x, y, g := c.Saved("self"), c.Saved("other"), c.Grad()
	d := Where(x.Eq(y), g.DivScalar(2), g)
	if err := d.MaskedFill_(lost(x, y), 0); err != nil {
		return errTensor(err)
	}
	return d
}

// extremeTangent interpolates from the tangent of other to the tangent of self:
// it takes self's where self wins, and the mean on ties.
func extremeTangent(wins func(t *Tensor, other any, opts ...Option) *Tensor) JVP {
	return func(c *JCtx) ([]*Tensor, error) {
		x, y := c.Primal("self"), c.Primal("other")
		dx, dy := c.Tangent("self"), c.Tangent("other")
		share := Where(x.Eq(y), filled(nil, c.Out(0).dtype, 0.5), wins(x, y).To(c.Out(0).dtype))
		return []*Tensor{addDefined(dy, share.Mul(minusTangent(dx, dy)))}, nil
	}
}

// numberWins reports where x is the result of fmax or fmin.
func numberWins(x, y *Tensor, wins func(t *Tensor, other any, opts ...Option) *Tensor) *Tensor {
	return wins(x, y).LogicalOr(y.Isnan())
}

func numberTangent(wins func(t *Tensor, other any, opts ...Option) *Tensor) JVP {
	return func(c *JCtx) ([]*Tensor, error) {
		dx, dy := c.Tangent("self"), c.Tangent("other")
		share := numberWins(c.Primal("self"), c.Primal("other"), wins)
		return []*Tensor{addDefined(dy, share.Mul(minusTangent(dx, dy)))}, nil
	}
}

// number returns an optional number as a 0-d tensor, or nil.
func (a *Args) number(name string) *Tensor {
	if !a.Has(name) {
		return nil
	}
	return numberTensor(a.Scalar(name))
}

// clamp clamps self between bounds. If the bounds cross, the upper one wins.
func (a *Args) clamp(low, high *Tensor, name string) ([]*Tensor, error) {
	t := a.Self()
	d := resultType(t, low, high)
	switch {
	case low == nil && high == nil:
		return nil, fail(RuntimeError, CodeArgument, "torch.clamp: At least one of 'min' or 'max' must not be None")
	case !canCast(d, t.dtype) && a.inPlace:
		return nil, fail(RuntimeError, CodeDType, "result type %s can't be cast to the desired output type %s", scalarTypeName(d), cTypeNames[t.dtype])
	case d == Bool:
		return nil, undefined(name, d)
	case high == nil:
		return a.binary(t, low, d, &maximumKernel)
	case low == nil:
		return a.binary(t, high, d, &minimumKernel)
	}
	return a.ternary(t, low, high, d, &clampKernel)
}

var clampKernel = ternaryKernel{name: "clamp", f32: clampLoop[float32], f64: clampLoop[float64], i64: clampLoop[int64]}

func clampLoop[T number](d, a, b, c []T, sa, sb, sc int) {
	kernel.Map3(d, a, b, c, sa, sb, sc, func(x, low, high T) T {
		return kernel.Minimum(kernel.Maximum(x, low), high)
	})
}

func gradWhere(mask *Tensor, c *Ctx) *Tensor { return Where(mask, c.Grad(), zeroLike(c.Grad())) }

// insideBounds returns the gradient where self was not clamped, including at
// the bounds.
func insideBounds(g, x, low, high *Tensor) *Tensor {
	var mask *Tensor
	switch {
	case low == nil:
		mask = x.Le(high)
	case high == nil:
		mask = x.Ge(low)
	default:
		mask = x.Ge(low).LogicalAnd(x.Le(high))
	}
	return Where(mask, g, zeroLike(g))
}

// clampBoundsBackward passes the gradient to each bound where it is the result.
func clampBoundsBackward(c *Ctx) []*Tensor {
	x, low, high := c.Saved("self"), c.Saved("min"), c.Saved("max")
	grads := make([]*Tensor, 2)
	if c.Needs("min") {
		mask := x.Lt(low)
		if high != nil {
			mask = low.Lt(high).LogicalAnd(mask)
		}
		grads[0] = gradWhere(mask, c)
	}
	if c.Needs("max") {
		mask := x.Gt(high)
		if low != nil {
			mask = mask.LogicalOr(high.Lt(low))
		}
		grads[1] = gradWhere(mask, c)
	}
	return grads
}

// clampTangent returns, for each element, the tangent of the argument that is
// the result.
func clampTangent(c *JCtx) ([]*Tensor, error) {
	x, low, high := c.Primal("self"), c.Primal("min"), c.Primal("max")
	dx, dlow, dhigh := c.TangentOrZeros("self"), c.TangentOrZeros("min"), c.TangentOrZeros("max")
	switch {
	case low == nil:
		return []*Tensor{Where(x.Le(high), dx, dhigh)}, nil
	case high == nil:
		return []*Tensor{Where(x.Ge(low), dx, dlow)}, nil
	}
	return []*Tensor{Where(low.Gt(high), dhigh, Where(x.Lt(low), dlow, Where(x.Gt(high), dhigh, dx)))}, nil
}

func clampMinTangent(c *JCtx) ([]*Tensor, error) {
	return []*Tensor{Where(c.Primal("self").Ge(c.Primal("min")), c.TangentOrZeros("self"), c.TangentOrZeros("min"))}, nil
}

func clampMaxTangent(c *JCtx) ([]*Tensor, error) {
	return []*Tensor{Where(c.Primal("self").Le(c.Primal("max")), c.TangentOrZeros("self"), c.TangentOrZeros("max"))}, nil
}
