package autograd

import (
	"math"
	"slices"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// Error functions, gamma functions, Bessel functions and related functions.

var (
	erfKernel     = exactUnary("erf_vml_cpu", erf32, math.Erf)
	erfcKernel    = floatUnary("erfc_vml_cpu", math.Erfc)
	erfinvKernel  = floatUnary("erfinv_vml_cpu", math.Erfinv)
	erfcxKernel   = floatUnary("erfcx_cpu", kernel.Erfcx)
	lgammaKernel  = floatUnary("lgamma_vml_cpu", kernel.LogGamma)
	digammaKernel = floatUnary("digamma", kernel.Digamma)
	// The trigamma function is computed in the precision of its argument, which
	// matters near its poles.
	trigammaKernel = unaryKernel{
		name: "trigamma",
		f32:  func(d, a []float32, sa int) { kernel.Map1(d, a, sa, kernel.Trigamma[float32]) },
		f64:  func(d, a []float64, sa int) { kernel.Map1(d, a, sa, kernel.Trigamma[float64]) },
	}
	i0Kernel      = floatUnary("i0_cpu", kernel.BesselI0)
	i0eKernel     = floatUnary("i0e_cpu", kernel.BesselI0e)
	i1Kernel      = floatUnary("i1_cpu", kernel.BesselI1)
	i1eKernel     = floatUnary("i1e_cpu", kernel.BesselI1e)
	entrKernel    = floatUnary("entr_cpu", kernel.Entr)
	logNdtrKernel = floatUnary("log_ndtr_cpu", kernel.LogNdtr)
	ndtriKernel   = floatUnary("ndtri_cpu", kernel.Ndtri)
)

var specialOps = []Op{
	{
		Schema: "erf(Tensor self) -> Tensor", Aliases: "special_erf", Node: "ErfBackward0", InPlace: true, Predicted: ByValues, JVP: elementwise,
		Forward: floats(&erfKernel),
		VJP: ofSelf("self", func(c *Ctx) *Tensor {
			return c.Saved("self").Pow(2).Neg().Exp().MulScalar(2 / math.SqrtPi).Mul(c.Grad())
		}),
	},
	{
		Schema: "erfc(Tensor self) -> Tensor", Aliases: "special_erfc", Node: "ErfcBackward0", InPlace: true, Predicted: ByValues, JVP: elementwise,
		Forward: floats(&erfcKernel),
		VJP: ofSelf("self", func(c *Ctx) *Tensor {
			return c.Saved("self").Pow(2).Neg().Exp().MulScalar(-2 / math.SqrtPi).Mul(c.Grad())
		}),
	},
	{
		Schema: "erfinv(Tensor self) -> Tensor", Aliases: "special_erfinv", Node: "ErfinvBackward0", InPlace: true, JVP: elementwise,
		Forward: floats(&erfinvKernel),
		VJP: ofSelf("self", func(c *Ctx) *Tensor {
			return c.Saved("self").Erfinv().Pow(2).Exp().MulScalar(0.5 * math.SqrtPi).Mul(c.Grad())
		}),
	},
	{
		Schema: "special_erfcx(Tensor self) -> Tensor", In: Special, Node: "SpecialErfcxBackward0", JVP: elementwise,
		Forward: floats(&erfcxKernel),
		VJP: ofSelf("self result", func(c *Ctx) *Tensor {
			return c.Saved("self").MulScalar(2).Mul(c.Saved("result")).SubScalar(2 / math.SqrtPi).Mul(c.Grad())
		}),
	},
	{
		Schema: "special_ndtr(Tensor self) -> Tensor", In: Special,
		Compose: func(a *Args) ([]*Tensor, error) {
			x := a.Self()
			if !x.dtype.IsFloat() {
				x = x.To(defaultDType)
			}
			return a.One(x.MulScalar(math.Sqrt2 / 2).Erf().AddScalar(1).MulScalar(0.5))
		},
	},
	{
		Schema: "special_log_ndtr(Tensor self) -> Tensor", In: Special, Node: "SpecialLogNdtrBackward0", JVP: elementwise,
		Forward: floats(&logNdtrKernel),
		VJP: ofSelf("self result", func(c *Ctx) *Tensor {
			y := c.Saved("result").Add(c.Saved("self").Pow(2).DivScalar(2)).Neg().Exp()
			return c.Grad().DivScalar(math.Sqrt(2 * math.Pi)).Mul(y)
		}),
	},
	{
		Schema: "special_ndtri(Tensor self) -> Tensor", In: Special, Node: "SpecialNdtriBackward0", JVP: elementwise,
		Forward: floats(&ndtriKernel),
		VJP: ofSelf("result", func(c *Ctx) *Tensor {
			return c.Grad().MulScalar(math.Sqrt(2 * math.Pi)).Mul(c.Saved("result").Square().DivScalar(2).Exp())
		}),
	},
	{
		Schema: "special_entr(Tensor self) -> Tensor", In: Special, Node: "SpecialEntrBackward0", JVP: elementwise,
		Forward: floats(&entrKernel),
		VJP:     ofSelf("self", func(c *Ctx) *Tensor { return c.Grad().Mul(c.Saved("self").Log().AddScalar(1).Neg()) }),
	},
	{
		Schema: "lgamma(Tensor self) -> Tensor", Aliases: "special_gammaln", Node: "LgammaBackward0", InPlace: true, JVP: elementwise,
		Forward: floats(&lgammaKernel),
		VJP:     ofSelf("self", func(c *Ctx) *Tensor { return c.Grad().Mul(c.Saved("self").Digamma()) }),
	},
	{
		Schema: "digamma(Tensor self) -> Tensor", Aliases: "special_digamma special_psi", Node: "DigammaBackward0", InPlace: true, JVP: elementwise,
		Forward: floats(&digammaKernel),
		VJP:     ofSelf("self", func(c *Ctx) *Tensor { return c.Grad().Mul(Polygamma(1, c.Saved("self"))) }),
	},
	{
		Schema: "polygamma(int n, Tensor self) -> Tensor", In: Torch | Method, Aliases: "special_polygamma",
		Node: "PolygammaBackward0", Attrs: "n", JVP: elementwise,
		Forward: polygamma, VJP: polygammaGrad,
	},
	{
		Schema: "polygamma_(Tensor self, int n) -> Tensor", In: Method, Node: "PolygammaBackward1", Attrs: "n", JVP: elementwise,
		Forward: polygamma, Mutate: storeForward, VJP: polygammaGrad,
	},
	{
		Schema: "mvlgamma(Tensor self, int p) -> Tensor", Aliases: "special_multigammaln",
		Node: "MvlgammaBackward0", InPlace: true, Attrs: "p", JVP: elementwise,
		Forward: mvLogGamma,
		VJP: ofSelf("self", func(c *Ctx) *Tensor {
			x := c.Saved("self")
			steps := alloc(x.dtype, []int{c.Args().Int("p")})
			for i := range steps.Numel() {
				steps.setElement(i, FloatScalar(float64(i+1-steps.Numel())/2))
			}
			return c.Grad().Mul(steps.Add(one(Call("unsqueeze", []any{x, -1}))).Digamma().Sum(Dim(-1)))
		}),
	},
	{
		Schema: "i0(Tensor self) -> Tensor", Aliases: "special_i0", Node: "I0Backward0", InPlace: true, JVP: elementwise,
		Forward: floats(&i0Kernel),
		VJP:     ofSelf("self", func(c *Ctx) *Tensor { return c.Grad().Mul(c.Saved("self").I1()) }),
	},
	{
		Schema: "special_i0e(Tensor self) -> Tensor", In: Special, Node: "SpecialI0EBackward0", JVP: elementwise,
		Forward: floats(&i0eKernel),
		VJP: ofSelf("self result", func(c *Ctx) *Tensor {
			x := c.Saved("self")
			return c.Grad().Mul(x.I1e().Sub(x.Sgn().Mul(c.Saved("result"))))
		}),
	},
	{
		Schema: "special_i1(Tensor self) -> Tensor", In: Special, Node: "SpecialI1Backward0", JVP: elementwise,
		Forward: floats(&i1Kernel),
		VJP: ofSelf("self result", func(c *Ctx) *Tensor {
			return besselGrad(c, func(x, y *Tensor) *Tensor { return x.I0().Sub(y.Mul(x.Reciprocal())) })
		}),
	},
	{
		Schema: "special_i1e(Tensor self) -> Tensor", In: Special, Node: "SpecialI1EBackward0", JVP: elementwise,
		Forward: floats(&i1eKernel),
		VJP: ofSelf("self result", func(c *Ctx) *Tensor {
			return besselGrad(c, func(x, y *Tensor) *Tensor {
				return x.I0e().Sub(y.Mul(x.Sgn().Add(x.Reciprocal())))
			})
		}),
	},
}

// besselGrad applies a derivative that divides by self, and uses 1/2 near 0.
func besselGrad(c *Ctx, of func(x, y *Tensor) *Tensor) *Tensor {
	x := c.Saved("self")
	eps := 0x1p-23
	if x.dtype == Float64 {
		eps = 0x1p-52
	}
	away := x.Abs().Gt(eps)
	safe := Where(away, x, filled(nil, x.dtype, eps))
	return c.Grad().Mul(Where(away, of(safe, c.Saved("result")), filled(nil, x.dtype, 0.5)))
}

func polygamma(a *Args) ([]*Tensor, error) {
	n, t := a.Int("n"), a.Tensor("self")
	if n < 0 {
		return nil, fail(RuntimeError, CodeArgument, "polygamma(n, x) does not support negative n.")
	}
	k := floatUnary("polygamma", func(x float64) float64 { return kernel.Polygamma(n, x) })
	if n == 1 {
		k = trigammaKernel
	}
	return a.unary(t, floatType(t.dtype), &k)
}

var polygammaGrad = ofSelf("self", func(c *Ctx) *Tensor {
	return c.Grad().Mul(Polygamma(c.Args().Int("n")+1, c.Saved("self")))
})

// mvLogGamma computes the logarithm of the multivariate gamma function of
// dimension p.
func mvLogGamma(a *Args) ([]*Tensor, error) {
	p := a.Int("p")
	if p < 1 {
		return nil, fail(RuntimeError, CodeArgument, "p has to be greater than or equal to 1")
	}
	// PyTorch makes a tensor of the p arguments for each element.
	d := floatType(a.Self().dtype)
	allocatable(d, p)
	storageLength(d, append(slices.Clone(a.Self().sizes), p))
	k := floatUnary("mvlgamma", func(x float64) float64 {
		sum := float64(p) * float64(p-1) / 4 * math.Log(math.Pi)
		for i := range p {
			sum += kernel.LogGamma(x - float64(i)/2)
		}
		return sum
	})
	return floats(&k)(a)
}
