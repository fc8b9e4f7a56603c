package autograd

import (
	"slices"
)

// Distinct elements. The three results are the distinct elements, the index of
// each element among them, and the number of occurrences. torch.unique returns
// the requested ones.
var uniqueOps = []Op{
	{
		Schema: "unique(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False, int? dim=None) -> Tensor[]",
		Compose: func(a *Args) ([]*Tensor, error) {
			if a.Has("dim") {
				return a.wanted(Call("unique_dim", []any{a.Self(), a.Int("dim")}))
			}
			return a.wanted(Call("_unique2", []any{a.Self()}))
		},
	},
	{
		Schema: "unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None) -> Tensor[]",
		Compose: func(a *Args) ([]*Tensor, error) {
			return a.wanted(Call("unique_consecutive.all", []any{a.Self()}, a.options("dim")...))
		},
	},
	{
		Schema: "_unique2(Tensor self) -> (Tensor, Tensor, Tensor)", In: Hidden, Go: "-", Node: "Unique2Backward0",
		Forward: func(a *Args) ([]*Tensor, error) { return uniqueElements(a.Self(), false) },
		VJP:     []Formula{{Input: "self", Of: noDerivative("_unique2")}},
	},
	{
		Schema: "unique_dim(Tensor self, int dim) -> (Tensor, Tensor, Tensor)", In: Hidden, Go: "-", Node: "UniqueDimBackward0",
		Forward: func(a *Args) ([]*Tensor, error) { return uniqueSlices(a.Self(), a.Int("dim"), false) },
		VJP:     []Formula{{Input: "self", Of: noDerivative("unique_dim")}},
	},
	{
		// The operator itself. The function that programs call returns the
		// requested results.
		Schema: "unique_consecutive.all(Tensor self, int? dim=None) -> (Tensor, Tensor, Tensor)", In: Hidden, Go: "-", Node: "UniqueConsecutiveBackward0",
		Forward: func(a *Args) ([]*Tensor, error) {
			if a.Has("dim") {
				return uniqueSlices(a.Self(), a.Int("dim"), true)
			}
			return uniqueElements(a.Self(), true)
		},
		VJP: []Formula{{Input: "self", Of: noDerivative("unique_consecutive")}},
	},
}

// wanted returns the requested results.
func (a *Args) wanted(outs []*Tensor, err error) ([]*Tensor, error) {
	if err != nil {
		return nil, err
	}
	results := outs[:1:1]
	if a.Bool("return_inverse") {
		results = append(results, outs[1])
	}
	if a.Bool("return_counts") {
		results = append(results, outs[2])
	}
	return results, nil
}

// uniqueElements returns the distinct elements of t, sorted unless only
// adjacent elements are compared.
func uniqueElements(t *Tensor, consecutive bool) ([]*Tensor, error) {
	distinct, inverse, counts := uniqueRows(contiguous(t), t.Numel(), 1, consecutive)
	return []*Tensor{distinct, inverse.shallow(t.sizes, contiguousStrides(t.sizes), 0), counts}, nil
}

// uniqueSlices returns the distinct slices of t along a dimension.
func uniqueSlices(t *Tensor, dim int, consecutive bool) ([]*Tensor, error) {
	rank := len(t.sizes)
	if rank == 0 {
		return nil, fail(IndexError, CodeIndex, "Dimension specified as %d but tensor has no dimensions", dim)
	}
	dim, err := wrapDim(dim, rank)
	if err != nil {
		return nil, err
	}
	if slices.Contains(without(t.sizes, dim), 0) {
		if t.sizes[dim] == 0 {
			return nil, fail(RuntimeError, CodeShape, "Number of zero sized dimensions is more than one, so unique cannot be applied ")
		}
		return nil, fail(RuntimeError, CodeShape, "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied")
	}
	n := t.sizes[dim]
	front := append([]int{dim}, otherDims(rank, dim)...)
	rows := contiguous(t.shallow(permuted(t.sizes, front), permuted(t.strides, front), t.offset))
	distinct, inverse, counts := uniqueRows(rows, n, numel(without(t.sizes, dim)), consecutive)
	sizes := with(without(t.sizes, dim), 0, distinct.sizes[0])
	strides := contiguousStrides(sizes)
	sizes, strides = with(sizes[1:], dim, sizes[0]), with(strides[1:], dim, strides[0])
	return []*Tensor{distinct.shallow(sizes, strides, 0), inverse, counts}, nil
}

// uniqueRows returns the distinct rows of n rows with m elements.
func uniqueRows(t *Tensor, n, m int, consecutive bool) (distinct, inverse, counts *Tensor) {
	switch classOf(t.dtype) {
	case f32Class:
		return distinctRows(elements[float32](t), t.dtype, n, m, consecutive)
	case f64Class:
		return distinctRows(elements[float64](t), t.dtype, n, m, consecutive)
	case i64Class:
		return distinctRows(elements[int64](t), t.dtype, n, m, consecutive)
	}
	distinct, inverse, counts = uniqueRows(as(t, Int64), n, m, consecutive)
	return as(distinct, Bool), inverse, counts
}

func distinctRows[T float32 | float64 | int64](x []T, d DType, n, m int, consecutive bool) (distinct, inverse, counts *Tensor) {
	row := func(i int) []T { return x[i*m : (i+1)*m] }
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	if !consecutive {
		slices.SortStableFunc(order, func(i, j int) int { return compareRows(row(i), row(j)) })
	}
	var rows []T
	var count []int64
	inverse = alloc(Int64, []int{n})
	for k, i := range order {
		if k == 0 || !slices.Equal(row(i), row(order[k-1])) {
			rows, count = append(rows, row(i)...), append(count, 0)
		}
		count[len(count)-1]++
		inverse.st.other.i64[i] = int64(len(count) - 1)
	}
	sizes := []int{len(count), m}
	if m == 1 {
		sizes = sizes[:1]
	}
	distinct, counts = alloc(d, sizes), alloc(Int64, []int{len(count)})
	copy(elements[T](distinct), rows)
	copy(counts.st.other.i64, count)
	return distinct, inverse, counts
}

// compareRows orders rows by the first element that differs. In rows of one
// element NaN is larger than all numbers.
func compareRows[T float32 | float64 | int64](x, y []T) int {
	for i, a := range x {
		b := y[i]
		switch {
		case a < b || a == a && b != b:
			return -1
		case a > b || a != a && b == b:
			return 1
		}
	}
	return 0
}
