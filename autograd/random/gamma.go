package random

import (
	"math"

	"github.com/gradtui/gradtui/autograd/random/internal/libm"
)

// The smallest positive normal numbers, which bound samples from below.
const (
	tiny32 = 0x1p-126
	tiny64 = 0x1p-1022
)

// Gamma fills dst with gamma-distributed numbers of rate 1, one for each shape
// parameter: torch._standard_gamma.
func Gamma[T Float](g *Generator, dst, shapes []T) {
	for i, shape := range shapes {
		if is32[T]() {
			dst[i] = T(max(tiny32, float32(g.gamma32(float32(shape)))))
		} else {
			dst[i] = T(max(tiny64, g.gamma64(float64(shape))))
		}
	}
}

// Dirichlet fills dst with points of the simplex, one for each row of size
// concentrations: torch._sample_dirichlet.
func Dirichlet[T Float](g *Generator, dst, concentrations []T, size int) {
	gammas := make([]float64, len(concentrations))
	for i, c := range concentrations {
		gammas[i] = max(tiny64, g.gamma64(float64(c)))
	}
	least, most := T(tiny64), T(math.Nextafter(1, 0))
	if is32[T]() {
		least, most = T(tiny32), T(math.Nextafter32(1, 0))
	}
	for at := 0; at < len(gammas); at += size {
		sum := 0.0
		for _, v := range gammas[at : at+size] {
			sum += v
		}
		for i, v := range gammas[at : at+size] {
			dst[at+i] = min(most, max(least, T(v/sum)))
		}
	}
}

// gamma32 is gamma64 for a single-precision parameter. Some constants are
// computed in single precision.
func (g *Generator) gamma32(shape float32) float64 {
	scale := 1.0
	if shape < 1 {
		if shape == 0 {
			return 0
		}
		scale = math.Pow(1-g.Uniform64(), float64(1/shape))
		shape++
	}
	return scale * g.gammaAbove(float64(shape-float32(1)/3))
}

func (g *Generator) gamma64(shape float64) float64 {
	scale := 1.0
	if shape < 1 {
		if shape == 0 {
			return 0
		}
		scale = math.Pow(1-g.Uniform64(), 1/shape)
		shape++
	}
	return scale * g.gammaAbove(shape-float64(float32(1)/3))
}

// gammaAbove is the method of G. Marsaglia and W. Tsang, "A simple method for
// generating gamma variables", 2000. d is the shape parameter, at least 1,
// minus a third.
func (g *Generator) gammaAbove(d float64) float64 {
	c := 1 / math.Sqrt(9*d)
	for {
		x := g.standardNormal()
		y := 1 + c*x
		for y <= 0 {
			x = g.standardNormal()
			y = 1 + c*x
		}
		v := y * y * y
		u := 1 - g.Uniform64()
		square := x * x
		if u < 1-float64(float32(0.0331))*square*square {
			return d * v
		}
		if libm.Log(u) < 0.5*square+d*(1-v+libm.Log(v)) {
			return d * v
		}
	}
}
