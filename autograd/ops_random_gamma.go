package autograd

import (
	"github.com/gradtui/gradtui/autograd/internal/kernel"
	"github.com/gradtui/gradtui/autograd/random"
)

// Random numbers with gamma and Dirichlet distributions. Gradients flow to the
// parameters.

var gammaGradKernel = floatPairs("_standard_gamma_grad", kernel.GammaGrad)

var randomGammaOps = []Op{
	{
		Schema: "_standard_gamma(Tensor self, Generator? generator=None) -> Tensor", In: Torch, Go: "-",
		Node: "StandardGammaBackward0",
		Forward: func(a *Args) ([]*Tensor, error) {
			x := a.Self()
			if !x.dtype.IsFloat() {
				return nil, undefined("gamma", x.dtype)
			}
			return a.One(drawnBy(x.dtype, x.sizes,
				func(d []float32) {
					random.Gamma(a.Generator("generator"), d, elements[float32](copied(x, Float32)))
				},
				func(d []float64) {
					random.Gamma(a.Generator("generator"), d, elements[float64](copied(x, Float64)))
				}))
		},
		VJP: ofSelf("self result", func(c *Ctx) *Tensor {
			return c.Grad().Mul(c.Saved("self").StandardGammaGrad(c.Saved("result")))
		}),
	},
	{
		Schema: "_standard_gamma_grad(Tensor self, Tensor output) -> Tensor", In: Torch, Go: "StandardGammaGrad",
		Node: notImplemented,
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.floatBinary(a.Self(), a.Tensor("output"), &gammaGradKernel)
		},
	},
	{
		Schema: "_sample_dirichlet(Tensor self, Generator? generator=None) -> Tensor", In: Torch, Go: "-",
		Node: notImplemented,
		Forward: func(a *Args) ([]*Tensor, error) {
			x := a.Self()
			if !x.dtype.IsFloat() {
				return nil, undefined("dirichlet", x.dtype)
			}
			size := 1
			if x.Dim() > 0 {
				size = x.sizes[x.Dim()-1]
			}
			return a.One(drawnBy(x.dtype, x.sizes,
				func(d []float32) {
					random.Dirichlet(a.Generator("generator"), d, elements[float32](copied(x, Float32)), size)
				},
				func(d []float64) {
					random.Dirichlet(a.Generator("generator"), d, elements[float64](copied(x, Float64)), size)
				}))
		},
	},
	{
		Schema: "_dirichlet_grad(Tensor x, Tensor alpha, Tensor total) -> Tensor", In: Torch, Go: "-",
		Node: notImplemented,
		Forward: func(a *Args) ([]*Tensor, error) {
			x := a.Tensor("x")
			if !x.dtype.IsFloat() {
				return nil, undefined("_dirichlet_grad_cpu", x.dtype)
			}
			sizes, err := broadcastSizes(x.sizes, a.Tensor("alpha").sizes)
			if err == nil {
				sizes, err = broadcastSizes(sizes, a.Tensor("total").sizes)
			}
			if err != nil {
				return nil, err
			}
			out := alloc(x.dtype, sizes)
			wide := func(t *Tensor) *Tensor { return contiguous(t.broadcastTo(sizes)) }
			xs, alphas, totals := wide(x), wide(a.Tensor("alpha")), wide(a.Tensor("total"))
			for i := range out.Numel() {
				out.setElement(i, FloatScalar(kernel.DirichletGrad(xs.float(i), alphas.float(i), totals.float(i), x.dtype != Float64)))
			}
			return a.One(out)
		},
	},
}
