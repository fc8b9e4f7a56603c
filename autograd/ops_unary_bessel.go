package autograd

import (
	"math"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// Bessel and Airy functions, which PyTorch does not differentiate.

var besselFunctions = []struct {
	name string
	f    func(x float64) float64
}{
	{"airy_ai", kernel.AiryAi},
	{"bessel_j0", math.J0},
	{"bessel_j1", math.J1},
	{"bessel_y0", math.Y0},
	{"bessel_y1", math.Y1},
	{"modified_bessel_i0", kernel.BesselI0},
	{"modified_bessel_i1", kernel.BesselI1},
	{"modified_bessel_k0", func(x float64) float64 { return math.Exp(-x) * kernel.BesselKe(0, x) }},
	{"modified_bessel_k1", func(x float64) float64 { return math.Exp(-x) * kernel.BesselKe(1, x) }},
	{"scaled_modified_bessel_k0", func(x float64) float64 { return kernel.BesselKe(0, x) }},
	{"scaled_modified_bessel_k1", func(x float64) float64 { return kernel.BesselKe(1, x) }},
	{"spherical_bessel_j0", kernel.SphericalJ0},
}

func besselOps() (ops []Op) {
	for _, b := range besselFunctions {
		k := floatUnary(b.name+"_cpu", b.f)
		argument := "self"
		if b.name == "airy_ai" || b.name == "spherical_bessel_j0" || b.name[:6] == "scaled" {
			argument = "x"
		}
		ops = append(ops, Op{
			Schema: "special_" + b.name + "(Tensor " + argument + ") -> Tensor", In: Special, Go: "-",
			Forward: func(a *Args) ([]*Tensor, error) {
				x := a.Tensor(argument)
				return a.unary(x, floatType(x.dtype), &k)
			},
		})
	}
	return ops
}
