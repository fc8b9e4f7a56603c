package autograd

import "github.com/gradtui/gradtui/autograd/random"

// Random counts.

var randomCountOps = []Op{
	{
		Schema: "poisson(Tensor self, Generator? generator=None) -> Tensor", In: Torch, Go: "-",
		Node: "PoissonBackward0", JVP: noTangent,
		Forward: func(a *Args) ([]*Tensor, error) {
			x := a.Self()
			if !x.dtype.IsFloat() {
				return nil, undefined("poisson_cpu", x.dtype)
			}
			var err error
			out := drawnBy(x.dtype, x.sizes,
				func(d []float32) {
					err = random.Poisson(a.Generator("generator"), d, elements[float32](copied(x, Float32)))
				},
				func(d []float64) {
					err = random.Poisson(a.Generator("generator"), d, elements[float64](copied(x, Float64)))
				})
			if err != nil {
				return nil, fail(RuntimeError, CodeArgument, "%s", err.Error())
			}
			return a.One(out)
		},
		VJP: ofSelf("", zeroGrad),
	},
	{
		Schema: "binomial(Tensor count, Tensor prob, Generator? generator=None) -> Tensor", In: Torch, Go: "-",
		Node: notImplemented,
		Forward: func(a *Args) ([]*Tensor, error) {
			n, p := a.Tensor("count"), a.Tensor("prob")
			sizes, err := broadcastSizes(n.sizes, p.sizes)
			if err != nil {
				return nil, err
			}
			switch {
			case !n.dtype.IsFloat():
				return nil, undefined("binomial_cpu", n.dtype)
			case n.dtype != p.dtype:
				return nil, fail(RuntimeError, CodeDType, "Found dtype %s but expected %s", scalarTypeName(p.dtype), scalarTypeName(n.dtype))
			}
			n, p = n.broadcastTo(sizes), p.broadcastTo(sizes)
			return a.One(drawnBy(n.dtype, sizes,
				func(d []float32) {
					random.Binomial(a.Generator("generator"), d, elements[float32](copied(n, Float32)), elements[float32](copied(p, Float32)))
				},
				func(d []float64) {
					random.Binomial(a.Generator("generator"), d, elements[float64](copied(n, Float64)), elements[float64](copied(p, Float64)))
				}))
		},
	},
}

// drawnBy makes a tensor of numbers that are drawn as float64, or as float32
// for smaller dtypes.
func drawnBy(d DType, sizes []int, single func(d []float32), double func(d []float64)) *Tensor {
	if d == Float64 {
		out := alloc(d, sizes)
		double(elements[float64](out))
		return out
	}
	out := alloc(Float32, sizes)
	single(elements[float32](out))
	return as(out, d)
}
