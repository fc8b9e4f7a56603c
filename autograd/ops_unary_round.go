package autograd

import (
	"math"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// Rounding, absolute value and sign.

var (
	floorKernel  = roundKernel("floor_vml_cpu", math.Floor)
	ceilKernel   = roundKernel("ceil_vml_cpu", math.Ceil)
	truncKernel  = roundKernel("trunc_vml_cpu", math.Trunc)
	roundsKernel = roundKernel("round_vml_cpu", math.RoundToEven)

	fracKernel = floatUnary("frac_cpu", func(x float64) float64 { return x - math.Trunc(x) })
	absKernel  = unaryKernel{
		name: "abs_cpu",
		f32:  func(d, a []float32, sa int) { kernel.Map1(d, a, sa, kernel.Abs[float32]) },
		f64:  func(d, a []float64, sa int) { kernel.Map1(d, a, sa, kernel.Abs[float64]) },
		i64:  func(d, a []int64, sa int) { kernel.Map1(d, a, sa, kernel.Abs[int64]) },
	}
	signKernel = unaryKernel{
		name: "sign_cpu",
		f32:  func(d, a []float32, sa int) { kernel.Map1(d, a, sa, kernel.Sign[float32]) },
		f64:  func(d, a []float64, sa int) { kernel.Map1(d, a, sa, kernel.Sign[float64]) },
		i64:  func(d, a []int64, sa int) { kernel.Map1(d, a, sa, kernel.Sign[int64]) },
		b:    func(d, a []bool, sa int) { kernel.Copy(d, a, 1, sa, len(d)) },
	}
)

// roundKernel makes a kernel that rounds floats and keeps integers.
func roundKernel(name string, f func(float64) float64) unaryKernel {
	k := floatUnary(name, f)
	k.i64 = func(d, a []int64, sa int) { kernel.Copy(d, a, 1, sa, len(d)) }
	return k
}

// same makes the Forward of an operator that keeps the dtype.
func same(k *unaryKernel) func(a *Args) ([]*Tensor, error) {
	return func(a *Args) ([]*Tensor, error) { return a.unary(a.Self(), a.Self().dtype, k) }
}

// flat is the derivative of piecewise constant operators.
func flat(c *Ctx) *Tensor { return c.Grad().ZerosLike() }

var roundOps = []Op{
	{
		Schema: "floor(Tensor self) -> Tensor", Node: "FloorBackward0", InPlace: true, OutDType: foundDType, Predicted: ByValues, JVP: elementwise,
		Forward: same(&floorKernel), VJP: ofSelf("", flat),
	},
	{
		Schema: "ceil(Tensor self) -> Tensor", Node: "CeilBackward0", InPlace: true, OutDType: foundDType, Predicted: ByValues, JVP: elementwise,
		Forward: same(&ceilKernel), VJP: ofSelf("", flat),
	},
	{
		Schema: "trunc(Tensor self) -> Tensor", Aliases: "fix", Node: "TruncBackward0", InPlace: true, OutDType: foundDType, Predicted: ByValues, JVP: elementwise,
		Forward: same(&truncKernel), VJP: ofSelf("", flat),
	},
	{
		Schema: "round(Tensor self) -> Tensor", Node: "RoundBackward0", InPlace: true, OutDType: foundDType, Predicted: ByValues, JVP: elementwise,
		Forward: same(&roundsKernel), VJP: ofSelf("", flat),
	},
	{
		Schema: "round.decimals(Tensor self, *, int decimals) -> Tensor", Node: "RoundBackward1",
		InPlace: true, OutDType: foundDType, Predicted: ByValues, JVP: elementwise,
		Forward: roundDecimals, VJP: ofSelf("", flat),
	},
	{
		Schema: "special_round(Tensor self, *, int decimals=0) -> Tensor", In: Special, Go: "-", Predicted: ByValues,
		Compose: func(a *Args) ([]*Tensor, error) {
			return a.One(a.Self().Round(Kw("decimals", a.Int("decimals"))))
		},
	},
	{
		Schema: "frac(Tensor self) -> Tensor", Node: "FracBackward0", InPlace: true, OutDType: foundDType, Predicted: ByValues, JVP: elementwise,
		Forward: same(&fracKernel), VJP: ofSelf("", func(c *Ctx) *Tensor { return c.Grad() }),
	},
	{
		Schema: "abs(Tensor self) -> Tensor", Aliases: "absolute __abs__", Node: "AbsBackward0", InPlace: true, OutDType: foundDType, Certain: true, Predicted: ByValues, JVP: elementwise,
		Forward: same(&absKernel),
		VJP:     ofSelf("self", func(c *Ctx) *Tensor { return c.Grad().Mul(c.Saved("self").Sgn()) }),
	},
	{
		Schema: "sign(Tensor self) -> Tensor", Node: "SignBackward0", InPlace: true, OutDType: foundDType, Predicted: ByValues, JVP: elementwise,
		Forward: same(&signKernel), VJP: ofSelf("", flat),
	},
	{
		Schema: "sgn(Tensor self) -> Tensor", Node: "SgnBackward0", InPlace: true, OutDType: foundDType, Predicted: ByValues, JVP: elementwise,
		Forward: same(&signKernel),
		VJP:     ofSelf("self result", func(c *Ctx) *Tensor { return c.Saved("result").ZerosLike() }),
	},
	{
		Schema: "nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor",
		Node:   "NanToNumBackward0", InPlace: true, OutDType: nanToNumDType, JVP: elementwise,
		Forward: nanToNum,
		VJP:     ofSelf("self", func(c *Ctx) *Tensor { return c.Grad().Mul(c.Saved("self").Isfinite()) }),
	},
}

// roundDecimals rounds half to even at a decimal place.
func roundDecimals(a *Args) ([]*Tensor, error) {
	n := a.Int("decimals")
	k := unaryKernel{
		name: "round_cpu",
		f32: func(d, a []float32, sa int) {
			p := float32(math.Pow(10, math.Abs(float64(n))))
			kernel.Map1(d, a, sa, func(x float32) float32 {
				if n < 0 {
					return float32(math.RoundToEven(float64(x/p))) * p
				}
				return float32(math.RoundToEven(float64(x*p))) / p
			})
		},
		f64: func(d, a []float64, sa int) {
			p := math.Pow(10, math.Abs(float64(n)))
			kernel.Map1(d, a, sa, func(x float64) float64 {
				if n < 0 {
					return math.RoundToEven(x/p) * p
				}
				return math.RoundToEven(x*p) / p
			})
		},
	}
	return a.unary(a.Self(), a.Self().dtype, &k)
}

// nanToNum replaces NaN and infinities, by default with 0 and the largest
// finite numbers.
func nanToNum(a *Args) ([]*Tensor, error) {
	t := a.Self()
	if !t.dtype.IsFloat() {
		return a.One(copied(t, t.dtype))
	}
	number := func(name string, fallback float64) float64 {
		if a.Has(name) {
			return a.Float(name)
		}
		return fallback
	}
	largest := largestFinite[t.dtype]
	nan, posInf, negInf := number("nan", 0), number("posinf", largest), number("neginf", -largest)
	k := floatUnary("nan_to_num", func(x float64) float64 {
		switch {
		case x != x:
			return nan
		case math.IsInf(x, 1):
			return posInf
		case math.IsInf(x, -1):
			return negInf
		}
		return x
	})
	return a.unary(t, t.dtype, &k)
}

var largestFinite = map[DType]float64{
	Float32: math.MaxFloat32, Float64: math.MaxFloat64, Float16: 65504, BFloat16: 0x1.FEp127,
}
