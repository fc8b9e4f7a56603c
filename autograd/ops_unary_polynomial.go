package autograd

import "github.com/gradtui/gradtui/autograd/internal/kernel"

// Orthogonal polynomials by their recurrences, which PyTorch does not
// differentiate.

func linearIn(slope, offset float64) func(x float64) float64 {
	return func(x float64) float64 { return slope*x + offset }
}

// chebyshev returns the recurrence of all four kinds, in x or in 2x - 1.
func chebyshev(first func(x float64) float64, shifted bool) kernel.Recurrence {
	argument := linearIn(1, 0)
	if shifted {
		argument = linearIn(2, -1)
	}
	return kernel.Recurrence{
		First: func(x float64) float64 { return first(argument(x)) },
		Next:  func(_, x, p, before float64) float64 { return 2*argument(x)*p - before },
	}
}

var polynomials = []struct {
	name       string
	recurrence kernel.Recurrence
}{
	{"chebyshev_polynomial_t", chebyshev(linearIn(1, 0), false)},
	{"chebyshev_polynomial_u", chebyshev(linearIn(2, 0), false)},
	{"chebyshev_polynomial_v", chebyshev(linearIn(2, -1), false)},
	{"chebyshev_polynomial_w", chebyshev(linearIn(2, 1), false)},
	{"shifted_chebyshev_polynomial_t", chebyshev(linearIn(1, 0), true)},
	{"shifted_chebyshev_polynomial_u", chebyshev(linearIn(2, 0), true)},
	{"shifted_chebyshev_polynomial_v", chebyshev(linearIn(2, -1), true)},
	{"shifted_chebyshev_polynomial_w", chebyshev(linearIn(2, 1), true)},
	{"hermite_polynomial_h", kernel.Recurrence{
		First: linearIn(2, 0), Next: func(k, x, p, before float64) float64 { return 2*x*p - 2*k*before },
	}},
	{"hermite_polynomial_he", kernel.Recurrence{
		First: linearIn(1, 0), Next: func(k, x, p, before float64) float64 { return x*p - k*before },
	}},
	{"laguerre_polynomial_l", kernel.Recurrence{
		First: linearIn(-1, 1), Next: func(k, x, p, before float64) float64 { return ((2*k+1-x)*p - k*before) / (k + 1) },
	}},
	{"legendre_polynomial_p", kernel.Recurrence{
		First: linearIn(1, 0), Next: func(k, x, p, before float64) float64 { return ((2*k+1)*x*p - k*before) / (k + 1) },
	}},
}

func polynomialOps() (ops []Op) {
	for _, p := range polynomials {
		at := p.recurrence.At
		k := numberKernel(p.name+"_cpu", func(x, n float32) float32 { return float32(at(float64(x), float64(n))) }, at, nil)
		for _, types := range [][3]string{{"", "Tensor", "Tensor"}, {".x_scalar", "Scalar", "Tensor"}, {".n_scalar", "Tensor", "Scalar"}} {
			ops = append(ops, Op{
				Schema: "special_" + p.name + types[0] + "(" + types[1] + " x, " + types[2] + " n) -> Tensor", In: Special, Go: "-",
				Forward: func(a *Args) ([]*Tensor, error) { return a.floatBinary(a.operand("x"), a.operand("n"), &k) },
			})
		}
	}
	return ops
}

// operand returns a tensor argument, or a number argument as a tensor.
func (a *Args) operand(name string) *Tensor {
	if t := a.Tensor(name); t != nil {
		return t
	}
	return numberTensor(a.Scalar(name))
}
