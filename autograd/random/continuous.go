package random

import (
	"fmt"
	"math"

	"github.com/gradtui/gradtui/autograd/random/internal/libm"
)

// Exponential fills dst with exponentially distributed numbers of the given
// rate: Tensor.exponential_(lambda). It draws two words for each element. It
// fails if the rate is not positive.
func Exponential[T Float](g *Generator, dst []T, rate float64) error {
	if !(rate > 0) {
		return fmt.Errorf("exponential_ expects lambda > 0.0, but found lambda=%v", number(rate))
	}
	fillExponential(g, dst, rate)
	return nil
}

func fillExponential[T Float](g *Generator, dst []T, rate float64) {
	for i := range dst {
		dst[i] = T(-1 / rate * libm.Log1p(-g.Uniform64()))
	}
}

// Geometric fills dst with the number of trials up to the first success, each
// trial succeeding with probability p: Tensor.geometric_(p). It draws two words
// for each element. It fails if p is outside (0, 1).
func Geometric[T Number](g *Generator, dst []T, p float64) error {
	if !(p > 0 && p < 1) {
		return fmt.Errorf("geometric_ expects p to be in (0, 1), but got p=%v", number(p))
	}
	failure := libm.Log1p(-p)
	for i := range dst {
		dst[i] = fromFloat[T](math.Ceil(libm.Log(g.Uniform64()) / failure))
	}
	return nil
}

// Cauchy fills dst with numbers of the Cauchy distribution around median with
// half-width sigma: Tensor.cauchy_(median, sigma). It draws two words for each
// element. It fails if sigma is not positive.
func Cauchy[T Float](g *Generator, dst []T, median, sigma float64) error {
	if !(sigma > 0) {
		return fmt.Errorf("cauchy_ expects sigma > 0.0, but found sigma=%v", number(sigma))
	}
	for i := range dst {
		t := libm.Tan(math.Pi * (g.Uniform64() - 0.5))
		dst[i] = T(math.FMA(sigma, t, median))
	}
	return nil
}

// LogNormal fills dst with numbers whose logarithm is normally distributed with
// the given mean and standard deviation: Tensor.log_normal_(mean, std). It draws
// as [NormalStrided] does, cached value included, whatever the length. It fails
// if std is not positive.
func LogNormal[T Float](g *Generator, dst []T, mean, std float64) error {
	if !(std > 0) {
		return fmt.Errorf("log_normal_ expects std > 0.0, but found std=%v", number(std))
	}
	for i := range dst {
		dst[i] = T(libm.Exp(math.FMA(g.standardNormal(), std, mean)))
	}
	return nil
}
