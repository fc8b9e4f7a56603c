package autograd

import "github.com/gradtui/gradtui/autograd/internal/kernel"

// Incomplete gamma functions and the zeta function.

var (
	igammaKernel  = floatPairs("igamma_cpu", kernel.GammaP)
	igammacKernel = floatPairs("igammac_cpu", kernel.GammaQ)
	zetaKernel    = floatPairs("zeta_cpu", kernel.Zeta)
)

func floatPairs(name string, f func(x, y float64) float64) binaryKernel {
	return numberKernel(name, func(x, y float32) float32 { return float32(f(float64(x), float64(y))) }, f, nil)
}

var gammaOps = []Op{
	{
		Schema: "igamma(Tensor self, Tensor other) -> Tensor", Aliases: "special_gammainc",
		Node: "IgammaBackward0", Forward: promoting(&igammaKernel),
		VJP: []Formula{
			{Input: "other", Uses: "self other", Of: func(c *Ctx) *Tensor { return c.Grad().Mul(gammaDensity(c)) }},
			{Input: "self", Uses: "self other", Of: noDerivative("igamma: input")},
		},
	},
	{
		Schema: "igammac(Tensor self, Tensor other) -> Tensor", Aliases: "special_gammaincc",
		Node: "IgammacBackward0", Forward: promoting(&igammacKernel),
		VJP: []Formula{
			{Input: "other", Uses: "self other", Of: func(c *Ctx) *Tensor { return c.Grad().Neg().Mul(gammaDensity(c)) }},
			{Input: "self", Uses: "self other", Of: noDerivative("igammac: input")},
		},
	},
	{
		Schema: "special_zeta(Tensor self, Tensor other) -> Tensor", In: Special, Node: "SpecialZetaBackward0",
		Forward: func(a *Args) ([]*Tensor, error) { return a.floatBinary(a.Self(), a.Tensor("other"), &zetaKernel) },
		VJP: []Formula{
			{Input: "other", Uses: "self other", Of: func(c *Ctx) *Tensor {
				s := c.Saved("self")
				return c.Grad().Mul(s.Neg()).Mul(fnSpecialZeta.single(nil, s.AddScalar(1), c.Saved("other")))
			}},
			{Input: "self", Of: noDerivative("zeta")},
		},
	},
	{
		Schema: "special_zeta.self_scalar(Scalar self, Tensor other) -> Tensor", In: Special, Node: "SpecialZetaBackward1", Attrs: "self", Go: "-",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.floatBinary(a.operand("self"), a.Tensor("other"), &zetaKernel)
		},
		VJP: []Formula{{Input: "other", Uses: "other", Of: func(c *Ctx) *Tensor {
			s := c.Args().Scalar("self").Float()
			return c.Grad().MulScalar(-s).Mul(fnSpecialZeta.single(nil, s+1, c.Saved("other")))
		}}},
	},
	{
		Schema: "special_zeta.other_scalar(Tensor self, Scalar other) -> Tensor", In: Special, Node: "SpecialZetaBackward2", Go: "-",
		Forward: func(a *Args) ([]*Tensor, error) { return a.floatBinary(a.Self(), a.operand("other"), &zetaKernel) },
		VJP:     ofSelf("", noDerivative("zeta")),
	},
}

// gammaDensity returns xᵃ⁻¹·e⁻ˣ/Γ(a), the derivative of igamma with respect to
// x = other.
func gammaDensity(c *Ctx) *Tensor {
	a, x := c.Saved("self"), c.Saved("other")
	return a.SubScalar(1).Mul(x.Log()).Sub(x).Sub(a.Lgamma()).Exp()
}
