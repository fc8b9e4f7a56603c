package autograd

import (
	"math"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// Windows for signal processing.

var windowOps = []Op{
	{
		Schema:  "hann_window(int window_length, bool periodic=True, *, ScalarType? dtype=None, str? device=None, bool requires_grad=False) -> Tensor",
		Forward: func(a *Args) ([]*Tensor, error) { return cosineWindow(a, 0.5, 0.5) },
	},
	{
		Schema:  "hamming_window(int window_length, bool periodic=True, float alpha=0.54, float beta=0.46, *, ScalarType? dtype=None, str? device=None, bool requires_grad=False) -> Tensor",
		Forward: func(a *Args) ([]*Tensor, error) { return cosineWindow(a, a.Float("alpha"), a.Float("beta")) },
	},
	{
		Schema: "blackman_window(int window_length, bool periodic=True, *, ScalarType? dtype=None, str? device=None, bool requires_grad=False) -> Tensor",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.window(func(i, last float64, round func(float64) float64) float64 {
				x := round(i * round(math.Pi/last))
				wide, narrow := round(round(math.Cos(4*x))*round(0.08)), round(round(math.Cos(2*x))*0.5)
				return round(round(wide-narrow) + round(0.42))
			})
		},
	},
	{
		Schema: "bartlett_window(int window_length, bool periodic=True, *, ScalarType? dtype=None, str? device=None, bool requires_grad=False) -> Tensor",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.window(func(i, last float64, round func(float64) float64) float64 {
				x := round(i * round(2/last))
				if i > math.Floor(last/2) {
					return 2 - x
				}
				return x
			})
		},
	},
	{
		Schema: "kaiser_window(int window_length, bool periodic=True, float beta=12, *, ScalarType? dtype=None, str? device=None, bool requires_grad=False) -> Tensor",
		Forward: func(a *Args) ([]*Tensor, error) {
			beta := a.Float("beta")
			return a.window(func(i, last float64, _ func(float64) float64) float64 {
				x := 2*i/last - 1
				return kernel.BesselI0(beta*math.Sqrt(max(0, 1-x*x))) / kernel.BesselI0(beta)
			})
		},
	},
}

// window makes a window. at computes an element from its index and the index of
// the last element, with a function that rounds to the dtype. A periodic window
// is computed with one more element, which is dropped.
func (a *Args) window(at func(i, last float64, round func(float64) float64) float64) ([]*Tensor, error) {
	n := a.Int("window_length")
	d := a.DType("dtype", defaultDType)
	switch {
	case !d.IsFloat():
		return nil, fail(RuntimeError, CodeDType, "%s expects floating point dtypes, got: TensorOptions(dtype=%s, device=cpu, layout=Strided (default), requires_grad=false (default), pinned_memory=false, memory_format=(nullopt))", a.name, cTypeNames[d])
	case n < 0:
		return nil, fail(RuntimeError, CodeArgument, "%s requires non-negative window_length, got window_length=%d", a.name, n)
	}
	t := alloc(d, []int{n})
	if n == 1 {
		t.setElement(0, IntScalar(1))
		return a.created(t)
	}
	last := n - 1
	if a.Bool("periodic") {
		last = n
	}
	round := func(x float64) float64 { return float64(float32(x)) }
	if d == Float64 {
		round = func(x float64) float64 { return x }
	}
	for i := range n {
		t.setElement(i, FloatScalar(at(float64(i), float64(last), round)))
	}
	return a.created(t)
}

// cosineWindow returns the window alpha - beta·cos(2πi/last).
func cosineWindow(a *Args, alpha, beta float64) ([]*Tensor, error) {
	return a.window(func(i, last float64, round func(float64) float64) float64 {
		x := math.Cos(round(i * round(math.Pi*2/last)))
		return round(round(round(x)*round(-beta)) + round(alpha))
	})
}
