package random

import (
	"errors"
	"math"

	"github.com/gradtui/gradtui/autograd/random/internal/libm"
)

// Poisson fills dst with counts of events, one for each rate: torch.poisson. It
// fails if a rate is negative or NaN.
func Poisson[T Float](g *Generator, dst, rates []T) error {
	for i, rate := range rates {
		r := float64(rate)
		if !(r >= 0) {
			return errors.New("invalid Poisson rate, expected rate to be non-negative")
		}
		dst[i] = fromFloat[T](g.poisson(r))
	}
	return nil
}

func (g *Generator) poisson(rate float64) float64 {
	switch {
	case rate == 0:
		return 0
	case rate >= 10:
		return g.poissonByRejection(rate)
	}
	// Count events until the product of uniforms falls below exp(-rate).
	limit, product, n := libm.Exp(-rate), 1.0, 0.0
	for {
		if product *= g.Uniform64(); product <= limit {
			return n
		}
		n++
	}
}

// poissonByRejection is the algorithm PTRS of W. Hörmann, "The transformed
// rejection method for generating Poisson random variables", 1993.
func (g *Generator) poissonByRejection(rate float64) float64 {
	root, logRate := math.Sqrt(rate), libm.Log(rate)
	b := 0.931 + 2.53*root
	a := -0.059 + 0.02483*b
	inverseAlpha := 1.1239 + 1.1328/(b-3.4)
	accept := 0.9277 - 3.6224/(b-2)
	for {
		u := g.Uniform64() - 0.5
		v := g.Uniform64()
		s := 0.5 - math.Abs(u)
		k := math.Floor((2*a/s+b)*u + rate + 0.43)
		if s >= 0.07 && v <= accept {
			return k
		}
		if k < 0 || s < 0.013 && v > s {
			continue
		}
		factorial, _ := math.Lgamma(k + 1)
		if libm.Log(v)+libm.Log(inverseAlpha)-libm.Log(a/(s*s)+b) <= -rate+k*logRate-factorial {
			return k
		}
	}
}

// Binomial fills dst with numbers of successes in counts[i] trials with success
// probability probs[i]: torch.binomial.
func Binomial[T Float](g *Generator, dst, counts, probs []T) {
	for i := range dst {
		dst[i] = fromFloat[T](g.binomial(float64(counts[i]), float64(probs[i])))
	}
}

func (g *Generator) binomial(count, p float64) float64 {
	switch {
	case count <= 0 || p <= 0:
		return 0
	case p >= 1:
		return count
	case p <= 0.5:
		return g.binomialBelowHalf(count, p)
	case p > 0.5:
		return count - g.binomialBelowHalf(count, 1-p)
	}
	return math.NaN()
}

func (g *Generator) binomialBelowHalf(count, p float64) float64 {
	if count*p >= 10 {
		return g.binomialByRejection(count, p)
	}
	// Sum the waiting times between successes until they exceed the number of
	// trials.
	failure, waited, n := libm.Log1p(-p), 0.0, 0.0
	for {
		if waited += math.Ceil(libm.Log(g.Uniform64()) / failure); waited > count {
			return n
		}
		n++
	}
}

// binomialByRejection is the algorithm BTRS of W. Hörmann, "The generation of
// binomial random variates", 1993.
func (g *Generator) binomialByRejection(count, p float64) float64 {
	deviation := math.Sqrt(count * p * (1 - p))
	b := 1.15 + 2.53*deviation
	a := -0.0873 + 0.0248*b + 0.01*p
	c := count*p + 0.5
	accept := 0.92 - 4.2/b
	r := p / (1 - p)
	alpha := (2.83 + 5.1/b) * deviation
	m := math.Floor((count + 1) * p)
	for {
		u := g.Uniform64() - 0.5
		v := g.Uniform64()
		s := 0.5 - math.Abs(u)
		k := math.Floor((2*a/s+b)*u + c)
		if k < 0 || k > count {
			continue
		}
		if s >= 0.07 && v <= accept {
			return k
		}
		v = libm.Log(v * alpha / (a/(s*s) + b))
		bound := (m+0.5)*libm.Log((m+1)/(r*(count-m+1))) +
			(count+1)*libm.Log((count-m+1)/(count-k+1)) +
			(k+0.5)*libm.Log(r*(count-k+1)/(k+1)) +
			stirlingTail(m) + stirlingTail(count-m) - stirlingTail(k) - stirlingTail(count-k)
		if v <= bound {
			return k
		}
	}
}

// stirlingTail returns the difference between log(k!) and Stirling's formula.
func stirlingTail(k float64) float64 {
	if k <= 9 {
		factorial, _ := math.Lgamma(k + 1)
		return factorial - (0.5*math.Log(2*math.Pi) + (k+0.5)*math.Log(k+1) - (k + 1))
	}
	square := (k + 1) * (k + 1)
	return (1./12 - (1./360-1./1260/square)/square) / (k + 1)
}
