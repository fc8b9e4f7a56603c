package autograd

// Quantiles, covariance and correlation: composed of other operators in
// PyTorch's order, so that the graphs are the same.
var quantileOps = []Op{
	{
		Schema:   "quantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor",
		OutDType: quantileDType,
		Compose:  func(a *Args) ([]*Tensor, error) { return a.quantile(a.Tensor("q"), false) },
	},
	{
		Schema:   "quantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor",
		OutDType: quantileDType,
		Compose:  func(a *Args) ([]*Tensor, error) { return a.quantileOfNumber(false) },
	},
	{
		Schema:   "nanquantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor",
		OutDType: quantileDType,
		Compose:  func(a *Args) ([]*Tensor, error) { return a.quantile(a.Tensor("q"), true) },
	},
	{
		Schema:   "nanquantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor",
		OutDType: quantileDType,
		Compose:  func(a *Args) ([]*Tensor, error) { return a.quantileOfNumber(true) },
	},
	{
		Schema:  "cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) { return a.covariance() },
	},
	{
		Schema: "corrcoef(Tensor self) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			if len(t.sizes) > 2 {
				return nil, fail(RuntimeError, CodeShape, "corrcoef(): expected input to have two or fewer dimensions but got an input with %d dimensions", len(t.sizes))
			}
			c := t.Cov()
			if c.err != nil || len(c.sizes) == 0 {
				return a.One(c.Div(c))
			}
			deviation := c.Diagonal().Sqrt()
			c = c.Div(deviation.View([]int{-1, 1}))
			c = c.Div(deviation.View([]int{1, -1}))
			return a.One(c.Clamp(Kw("min", -1), Kw("max", 1)))
		},
	},
}

// interpolations holds the ways to choose between two neighbours: how the rank
// is rounded, and whether the values are mixed.
var interpolations = map[string]struct {
	round func(ranks *Tensor, opts ...Option) error
	mixed bool
}{
	"linear":   {nil, true},
	"midpoint": {nil, true},
	"lower":    {(*Tensor).Floor_, false},
	"higher":   {(*Tensor).Ceil_, false},
	"nearest":  {(*Tensor).Round_, false},
}

func (a *Args) quantileOfNumber(ignoreNaN bool) ([]*Tensor, error) {
	t, q := a.Self(), a.Float("q")
	if !(q >= 0 && q <= 1) {
		return nil, fail(RuntimeError, CodeArgument, "quantile() q must be in the range [0, 1] but got %s", streamed(FloatScalar(q)))
	}
	return a.quantile(filled(nil, t.dtype, q), ignoreNaN)
}

// quantile sorts and selects by rank (quantile_compute in
// aten/src/ATen/native/Sorting.cpp).
func (a *Args) quantile(q *Tensor, ignoreNaN bool) ([]*Tensor, error) {
	t, how := a.Self(), a.Str("interpolation")
	shape, sorted, err := a.quantileInput(q)
	if err != nil {
		return nil, err
	}
	mode, ok := interpolations[how]
	if !ok {
		return nil, fail(RuntimeError, CodeArgument, "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got %s", how)
	}
	inRange := true
	q.eachFloat(func(x float64) { inRange = inRange && x >= 0 && x <= 1 })
	if !inRange {
		return nil, fail(RuntimeError, CodeArgument, "quantile() q values must be in the range [0, 1]")
	}
	sorted, _ = sorted.Sort()
	if sorted.err != nil {
		return nil, sorted.err
	}
	n := sorted.sizes[len(sorted.sizes)-1]
	sorted = sorted.View(append(append([]int(nil), shape...), n))
	ranks := quantileRanks(q, sorted, n, ignoreNaN)
	if mode.round != nil {
		ranks = mutated(ranks, func(r *Tensor) error { return mode.round(r) })
	}
	below := ranks.To(Int64)
	out := sorted.Gather(-1, below)
	if mode.mixed {
		weights := ranks.Sub(below)
		if how == "midpoint" {
			weights = filled(ranks.sizes, t.dtype, 0.5)
		}
		above := mutated(ranks, func(r *Tensor) error { return r.Ceil_() }).To(Int64)
		upper := sorted.Gather(-1, above)
		out = mutated(out, func(o *Tensor) error { return o.Lerp_(upper, weights) })
	}
	return a.One(mutated(out, func(o *Tensor) error { return quantilesFirst(o, len(q.sizes) > 0) }))
}

// quantilesFirst moves the dimension of the quantiles to the front, or drops it.
func quantilesFirst(t *Tensor, several bool) error {
	if several {
		if err := t.Unsqueeze_(0); err != nil {
			return err
		}
		if err := t.Transpose_(0, -1); err != nil {
			return err
		}
	}
	return t.Squeeze_(Dim(-1))
}

// quantileInput checks the arguments. It returns the shape of the result
// without the quantiles, and the tensor with the reduced dimension last.
func (a *Args) quantileInput(q *Tensor) (shape []int, t *Tensor, err *Error) {
	t = a.Self()
	dim := 0
	if a.Has("dim") {
		if dim, err = wrapDim(a.Int("dim"), len(t.sizes)); err != nil {
			return nil, nil, err
		}
	}
	switch {
	case t.Numel() == 0:
		return nil, nil, fail(RuntimeError, CodeShape, "quantile() input tensor must be non-empty")
	case len(q.sizes) > 1:
		return nil, nil, fail(RuntimeError, CodeShape, "quantile() q must be a scalar or 1D tensor")
	case t.dtype != Float32 && t.dtype != Float64:
		return nil, nil, fail(RuntimeError, CodeDType, "quantile() input tensor must be either float or double dtype")
	case t.dtype != q.dtype:
		return nil, nil, fail(RuntimeError, CodeDType, "quantile() q tensor must be same dtype as the input tensor")
	}
	keep := a.Bool("keepdim")
	switch {
	case a.Has("dim") && len(t.sizes) > 0:
		shape = reducedSizes(t, dim, keep)
	case keep:
		shape = repeated(1, len(t.sizes))
	}
	switch {
	case !a.Has("dim"):
		return shape, t.Flatten(), nil
	case dim == len(t.sizes)-1:
		return shape, t, nil
	}
	return shape, t.Unsqueeze(-1).Transpose(dim, -1), nil
}

// quantileRanks returns the ranks of the quantiles in sorted rows of n
// elements. The quantiles of a row with a NaN are NaN, unless NaNs are ignored.
func quantileRanks(q, sorted *Tensor, n int, ignoreNaN bool) *Tensor {
	if ignoreNaN {
		ranks := q.Mul(sorted.Isnan().LogicalNot().Sum(Dim(-1), KeepDim).Sub(1))
		return mutated(ranks, func(r *Tensor) error { return r.MaskedFill_(r.Lt(0), 0) })
	}
	last := n - 1
	return q.Mul(last).MaskedFill(sorted.Isnan().Any(Dim(-1), KeepDim), last)
}

// covariance is torch.cov.
func (a *Args) covariance() ([]*Tensor, error) {
	t, correction := a.Self(), a.Int("correction")
	switch {
	case len(t.sizes) > 2:
		return nil, fail(RuntimeError, CodeShape, "cov(): expected input to have two or fewer dimensions but got an input with %d dimensions", len(t.sizes))
	case t.dtype == Bool:
		return nil, fail(RuntimeError, CodeDType, "cov(): bool dtype is not supported for input")
	}
	if len(t.sizes) < 2 {
		t = t.View([]int{1, -1})
	}
	n := t.sizes[1]
	w, err := a.covarianceWeights(n)
	if err != nil {
		return nil, err
	}
	total, weighted := fromSlice([]int64{int64(n)}, Int64, nil), func(t *Tensor) *Tensor { return t }
	if w != nil {
		total, weighted = w.Sum(), func(t *Tensor) *Tensor { return t.Mul(w) }
		if total.float(total.offset) == 0 {
			return nil, fail(RuntimeError, CodeArgument, "cov(): weights sum to zero, can't be normalized")
		}
	}
	mean := weighted(t).Sum(Dim(1)).Div(total)
	free := total.Sub(correction)
	if aweights := a.Tensor("aweights"); aweights != nil && correction != 0 {
		free = total.Sub(w.Mul(aweights).Sum().Mul(correction).Div(total))
	}
	if free.err == nil && free.float(free.offset) <= 0 {
		warnFrom("./aten/src/ATen/native/Correlation.cpp:116", "cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of observations.")
		free = mutated(free, func(f *Tensor) error { return f.Zero_() })
	}
	t = t.Sub(mean.Unsqueeze(1))
	return a.One(t.Mm(weighted(t).T()).Div(free).Squeeze())
}

// covarianceWeights returns the weights of the n observations, or nil.
func (a *Args) covarianceWeights(n int) (*Tensor, *Error) {
	var w *Tensor
	for _, name := range []string{"fweights", "aweights"} {
		t := a.Tensor(name)
		if t == nil {
			continue
		}
		negative := false
		t.eachFloat(func(x float64) { negative = negative || x < 0 })
		kind, fits := "integral", t.dtype.IsInteger()
		if name == "aweights" {
			kind, fits = "floating point", t.dtype.IsFloat()
		}
		switch {
		case len(t.sizes) > 1:
			return nil, fail(RuntimeError, CodeShape, "cov(): expected %s to have one or fewer dimensions but got %[1]s with %d dimensions", name, len(t.sizes))
		case !fits:
			return nil, fail(RuntimeError, CodeDType, "cov(): expected %s to have %s dtype but got %[1]s with %s dtype", name, kind, scalarTypeName(t.dtype))
		case t.Numel() != n:
			return nil, fail(RuntimeError, CodeShape, "cov(): expected %s to have the same numel as there are observations in the input but got %d != %d", name, t.Numel(), n)
		case negative:
			return nil, fail(RuntimeError, CodeArgument, "cov(): %s cannot be negative", name)
		}
		if w == nil {
			w = t
		} else {
			w = w.Mul(t)
		}
	}
	return w, nil
}
