package autograd

import (
	"math"
)

// Parts of numbers: the angle, the mantissa and the exponent.

var (
	angleKernel = floatUnary("angle_cpu", func(x float64) float64 {
		switch {
		case x != x:
			return x
		case x < 0:
			return math.Pi
		}
		return 0
	})
	mantissaKernel = floatUnary("frexp", func(x float64) float64 { m, _ := math.Frexp(x); return m })
)

var partsOfNumbers = []Op{
	{
		Schema: "angle(Tensor self) -> Tensor", Node: "AngleBackward0", JVP: elementwise,
		Forward: floats(&angleKernel),
		VJP: ofSelf("self", func(c *Ctx) *Tensor {
			x := c.Saved("self")
			return Where(x.Isnan(), New(math.NaN(), WithDType(x.dtype)), New(0.0, WithDType(x.dtype)))
		}),
	},
	{
		Schema: "frexp(Tensor self) -> (Tensor mantissa, Tensor exponent)", Node: "FrexpBackward0",
		Forward: func(a *Args) ([]*Tensor, error) {
			x := a.Self()
			if !x.dtype.IsFloat() {
				return nil, fail(RuntimeError, CodeDType, "torch.frexp() only supports floating-point dtypes")
			}
			mantissa, err := a.unary(x, x.dtype, &mantissaKernel)
			if err != nil {
				return nil, err
			}
			exponent, i := alloc(Int32, x.sizes), 0
			x.eachFloat(func(v float64) {
				if _, e := math.Frexp(v); !math.IsInf(v, 0) && v == v {
					exponent.setElement(i, IntScalar(int64(e)))
				}
				i++
			})
			return append(mantissa, exponent), nil
		},
		Constant: "exponent",
		VJP:      ofSelf("exponent", func(c *Ctx) *Tensor { return c.Grad().Div(c.Saved("exponent").Exp2()) }),
	},
}
