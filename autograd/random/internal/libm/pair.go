package libm

// A pair is the unevaluated sum hi + lo. In pairs that functions and methods
// return, lo is at most half a unit in the last place of hi: the pair has about
// 106 bits, and hi is the float64 nearest to it.
type pair struct{ hi, lo float64 }

// twoSum returns a + b without error.
func twoSum(a, b float64) pair {
	s := a + b
	v := s - a
	return pair{s, (a - (s - v)) + (b - v)}
}

// quickSum is twoSum for |a| >= |b|.
func quickSum(a, b float64) pair {
	s := a + b
	return pair{s, b - (s - a)}
}

// product returns a * b without error.
func product(a, b float64) pair {
	p := float64(a * b)
	return pair{p, fma(a, b, -p)}
}

func (a pair) neg() pair { return pair{-a.hi, -a.lo} }

func (a pair) add(b pair) pair {
	s, t := twoSum(a.hi, b.hi), twoSum(a.lo, b.lo)
	s = quickSum(s.hi, s.lo+t.hi)
	return quickSum(s.hi, s.lo+t.lo)
}

func (a pair) mul(b pair) pair {
	p := product(a.hi, b.hi)
	return quickSum(p.hi, p.lo+fma(a.hi, b.lo, float64(a.lo*b.hi)))
}

// scale returns a * f.
func (a pair) scale(f float64) pair {
	p := product(a.hi, f)
	return quickSum(p.hi, fma(a.lo, f, p.lo))
}

// div returns a / b, by long division with three digits of 53 bits.
func (a pair) div(b pair) pair {
	q1 := a.hi / b.hi
	r := a.add(b.scale(-q1))
	q2 := r.hi / b.hi
	r = r.add(b.scale(-q2))
	return quickSum(q1, q2).add(pair{r.hi / b.hi, 0})
}
