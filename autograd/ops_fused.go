package autograd

import (
	"math"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// Fused operators: addcmul, addcdiv, lerp.

var fusedOps = []Op{
	{
		Schema: "addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
		Node:   "AddcmulBackward0", InPlace: true, Predicted: ByValues, Attrs: "value", JVP: addcmulTangent,
		Forward: func(a *Args) ([]*Tensor, error) {
			v := a.Scalar("value")
			f32, f, i := float32(v.Float()), v.Float(), v.Int()
			return a.fused(&ternaryKernel{
				name: "addcmul_cpu_out",
				f32: func(d, a, b, c []float32, sa, sb, sc int) {
					kernel.Map3(d, a, b, c, sa, sb, sc, func(x, y, z float32) float32 { return fma32(f32*y, z, x) })
				},
				f64: func(d, a, b, c []float64, sa, sb, sc int) {
					kernel.Map3(d, a, b, c, sa, sb, sc, func(x, y, z float64) float64 { return math.FMA(f*y, z, x) })
				},
				i64: func(d, a, b, c []int64, sa, sb, sc int) {
					kernel.Map3(d, a, b, c, sa, sb, sc, func(x, y, z int64) int64 { return x + i*y*z })
				},
			})
		},
		VJP: []Formula{
			{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad() }},
			{Input: "tensor1", Uses: "tensor2", Of: func(c *Ctx) *Tensor {
				return c.Grad().Mul(c.Saved("tensor2").MulScalar(c.Args().Scalar("value")))
			}},
			{Input: "tensor2", Uses: "tensor1", Of: func(c *Ctx) *Tensor {
				return c.Grad().Mul(c.Saved("tensor1").MulScalar(c.Args().Scalar("value")))
			}},
		},
	},
	{
		Schema: "addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
		Node:   "AddcdivBackward0", InPlace: true, Predicted: ByValues, Attrs: "value", JVP: addcdivTangent,
		Forward: func(a *Args) ([]*Tensor, error) {
			if !a.Tensor("tensor1").dtype.IsFloat() && !a.Tensor("tensor2").dtype.IsFloat() {
				return nil, fail(RuntimeError, CodeDType, "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) for float inputs. The future addcdiv behavior is just the latter implementation: (input + value * tensor1 / tensor2), for all dtypes.")
			}
			f := a.Scalar("value").Float()
			f32 := float32(f)
			return a.fused(&ternaryKernel{
				name: "addcdiv_cpu_out",
				f32: func(d, a, b, c []float32, sa, sb, sc int) {
					kernel.Map3(d, a, b, c, sa, sb, sc, func(x, y, z float32) float32 { return x + f32*y/z })
				},
				f64: func(d, a, b, c []float64, sa, sb, sc int) {
					kernel.Map3(d, a, b, c, sa, sb, sc, func(x, y, z float64) float64 { return x + f*y/z })
				},
			})
		},
		VJP: []Formula{
			{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad() }},
			{Input: "tensor1", Uses: "tensor2", Of: func(c *Ctx) *Tensor {
				return c.Grad().Mul(numberTensor(c.Args().Scalar("value")).Div(c.Saved("tensor2")))
			}},
			{Input: "tensor2", Uses: "tensor1 tensor2", Of: func(c *Ctx) *Tensor {
				x, y := c.Saved("tensor1"), c.Saved("tensor2")
				return c.Grad().Neg().Mul(x.MulScalar(c.Args().Scalar("value")).Div(y.Mul(y)))
			}},
		},
	},
	{
		Schema: "lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor",
		Node:   "LerpBackward0", InPlace: true, Predicted: ByValues, Attrs: "weight", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			x, y := a.Self(), a.Tensor("end")
			if err := lerpType(x, y, "end"); err != nil {
				return nil, err
			}
			w := filled(nil, Float64, a.Float("weight"))
			k := lerpKernel
			k.name = "lerp_kernel_scalar"
			return a.ternary(x, y, w, x.dtype, &k)
		},
		VJP: []Formula{
			{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad().MulScalar(1 - c.Args().Float("weight")) }},
			{Input: "end", Of: func(c *Ctx) *Tensor { return c.Grad().MulScalar(c.Args().Scalar("weight")) }},
		},
	},
	{
		Schema: "lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor",
		Node:   "LerpBackward1", InPlace: true, Predicted: ByValues, JVP: lerpTangent,
		Forward: func(a *Args) ([]*Tensor, error) {
			x, y, w := a.Self(), a.Tensor("end"), a.Tensor("weight")
			if err := lerpType(x, y, "end"); err != nil {
				return nil, err
			}
			if err := lerpType(x, w, "weight"); err != nil {
				return nil, err
			}
			return a.ternary(x, y, w, x.dtype, &lerpKernel)
		},
		VJP: []Formula{
			{Input: "self", Uses: "weight", Of: func(c *Ctx) *Tensor { return c.Grad().Mul(numberTensor(IntScalar(1)).Sub(c.Saved("weight"))) }},
			{Input: "end", Uses: "weight", Of: func(c *Ctx) *Tensor { return c.Grad().Mul(c.Saved("weight")) }},
			{Input: "weight", Uses: "self end", Of: func(c *Ctx) *Tensor {
				return c.Grad().Mul(c.Saved("end").Sub(c.Saved("self")))
			}},
		},
	},
}

func (a *Args) fused(k *ternaryKernel) ([]*Tensor, error) {
	x, y, z := a.Self(), a.Tensor("tensor1"), a.Tensor("tensor2")
	return a.ternary(x, y, z, resultType(x, y, z), k)
}

func addcmulTangent(c *JCtx) ([]*Tensor, error) {
	v := c.Args().Scalar("value")
	d := addDefined(c.Tangent("self"), scaledTangent(timesTangent(c.Tangent("tensor1"), c.Primal("tensor2")), v))
	d = addDefined(d, scaledTangent(timesTangent(c.Tangent("tensor2"), c.Primal("tensor1")), v))
	return []*Tensor{c.expanded(d)}, nil
}

func addcdivTangent(c *JCtx) ([]*Tensor, error) {
	v, x, y := c.Args().Scalar("value"), c.Primal("tensor1"), c.Primal("tensor2")
	d := c.Tangent("self")
	if dx := c.Tangent("tensor1"); dx != nil {
		d = addDefined(d, scaled(dx.Div(y), v))
	}
	if dy := c.Tangent("tensor2"); dy != nil {
		d = minusTangent(d, scaled(dy.Mul(x.Div(y)).Div(y), v))
	}
	return []*Tensor{c.expanded(d)}, nil
}

func lerpTangent(c *JCtx) ([]*Tensor, error) {
	d := c.TangentOrZeros("self").Lerp(c.TangentOrZeros("end"), c.Primal("weight"))
	if dw := c.Tangent("weight"); dw != nil {
		d = d.Add(dw.Mul(c.Primal("end").Sub(c.Primal("self"))))
	}
	return []*Tensor{d}, nil
}

func lerpType(self, t *Tensor, name string) error {
	if self.dtype != t.dtype {
		return fail(RuntimeError, CodeDType, "expected dtype %s for `%s` but got dtype %s", cTypeNames[self.dtype], name, cTypeNames[t.dtype])
	}
	return nil
}

// lerpKernel computes x + w(y-x), starting from the nearer end.
var lerpKernel = ternaryKernel{
	name: "lerp_kernel_tensor",
	f32: func(d, a, b, c []float32, sa, sb, sc int) {
		kernel.Map3(d, a, b, c, sa, sb, sc, func(x, y, w float32) float32 {
			if w < 0.5 && w > -0.5 {
				return fma32(w, y-x, x)
			}
			return fma32(w-1, y-x, y)
		})
	},
	f64: func(d, a, b, c []float64, sa, sb, sc int) {
		kernel.Map3(d, a, b, c, sa, sb, sc, func(x, y, w float64) float64 {
			if w < 0.5 && w > -0.5 {
				return math.FMA(w, y-x, x)
			}
			return math.FMA(w-1, y-x, y)
		})
	},
}
