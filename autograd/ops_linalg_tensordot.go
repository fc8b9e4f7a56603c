package autograd

// Contractions over chosen dimensions: tensordot, and the special cases that
// are operators of their own.

var contractionOps = []Op{
	{
		Schema:   "tensordot(Tensor a, Tensor b, int dims=2) -> Tensor",
		OutDType: tensordotDType,
		Compose: func(a *Args) ([]*Tensor, error) {
			x, y, n := a.Tensor("a"), a.Tensor("b"), a.Int("dims")
			switch {
			case n < 0:
				return nil, fail(RuntimeError, CodeArgument, "tensordot expects dims >= 0, but got dims=%d", n)
			case n > min(len(x.sizes), len(y.sizes)):
				return nil, fail(RuntimeError, CodeArgument, "tensordot expects dims < ndim_a or ndim_b, but got dims=%d", n)
			}
			left, right := make([]int, n), make([]int, n)
			for i := range n {
				left[i], right[i] = i-n, i
			}
			return tensordot(x, y, left, right)
		},
	},
	{
		Schema:   "tensordot.lists(Tensor a, Tensor b, Index dims) -> Tensor",
		OutDType: tensordotDType, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			var lists []any
			switch dims := a.value("dims").x.(type) {
			case Tuple:
				lists = dims
			case []any:
				lists = dims
			default:
				return nil, fail(RuntimeError, CodeArgument, "tensordot expects dims to be int or Tuple[List[int], List[int]] or List[List[int]] containing two lists, but got dims=%v", dims)
			}
			if len(lists) != 2 {
				return nil, fail(ValueError, CodeArgument, "not enough values to unpack (expected 2, got %d)", len(lists))
			}
			left, ok := toInts(lists[0])
			right, ok2 := toInts(lists[1])
			if !ok || !ok2 {
				return nil, fail(TypeError, CodeArgument, "tensordot(): argument 'dims_self' (position 3) must be tuple of ints, not %s", pythonTypeOf(lists[0]))
			}
			return tensordot(a.Tensor("a"), a.Tensor("b"), left, right)
		},
	},
}

// tensordot contracts pairs of dimensions: it multiplies the tensors and sums
// over the pairs.
func tensordot(x, y *Tensor, left, right []int) ([]*Tensor, error) {
	switch {
	case len(left) != len(right):
		return nil, fail(RuntimeError, CodeArgument, "both dimension lists should have same length")
	case x.dtype != y.dtype:
		return nil, fail(RuntimeError, CodeDType, "both inputs should have same dtype")
	}
	inner := 1
	t, u := x, y
	for i := range left {
		d, err := wrapDim(left[i], len(x.sizes))
		if err != nil {
			return nil, err
		}
		e, err := wrapDim(right[i], len(y.sizes))
		if err != nil {
			return nil, err
		}
		switch m, n := x.sizes[d], y.sizes[e]; {
		case n == 1:
			t = t.Sum(Dim(d), KeepDim, WithDType(t.dtype))
		case m == 1:
			u = u.Sum(Dim(e), KeepDim, WithDType(u.dtype))
		case m != n:
			return nil, fail(RuntimeError, CodeShape, "contracted dimensions need to match, but first has size %d in dim %d and second has size %d in dim %d", m, left[i], n, right[i])
		default:
			inner *= m
		}
	}
	kept, contracted, err := splitDims(len(x.sizes), left)
	if err != nil {
		return nil, err
	}
	others, contracted2, err := splitDims(len(y.sizes), right)
	if err != nil {
		return nil, err
	}
	shape, rows := sizesAt(x.sizes, kept)
	tail, cols := sizesAt(y.sizes, others)
	t = t.Permute(append(kept, contracted...)).Reshape([]int{rows, inner})
	u = u.Permute(append(contracted2, others...)).Reshape([]int{inner, cols})
	return single(t.Mm(u).Reshape(append(shape, tail...)))
}

// splitDims separates the listed dimensions from the others. Listed dimensions
// may be negative.
func splitDims(rank int, dims []int) (others, listed []int, err error) {
	seen := make([]bool, rank)
	for _, d := range dims {
		d, err := wrapDim(d, rank)
		if err != nil {
			return nil, nil, err
		}
		if rank == 0 {
			continue
		}
		if seen[d] {
			return nil, nil, fail(RuntimeError, CodeArgument, "dim %d appears multiple times in the list of dims", d)
		}
		seen[d] = true
		listed = append(listed, d)
	}
	for d := range seen {
		if !seen[d] {
			others = append(others, d)
		}
	}
	return others, listed, nil
}

// sizesAt returns the sizes of some dimensions, and their product.
func sizesAt(sizes, dims []int) (picked []int, product int) {
	picked = make([]int, len(dims))
	for i, d := range dims {
		picked[i] = sizes[d]
	}
	return picked, numel(picked)
}
