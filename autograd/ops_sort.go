package autograd

import (
	"math"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// Sorting, and selection by rank.
var sortOps = []Op{
	{
		Schema: "sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)",
		Node:   "SortBackward0", OutDType: expectedOutDType, Constant: "indices", Attrs: "dim self_sym_sizes", JVP: pickedTangent,
		Forward: (*Args).sorted, VJP: pickedVJP,
	},
	{
		Schema: "sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)",
		Node:   "SortBackward1", OutDType: expectedOutDType, Constant: "indices", Attrs: "dim self_sym_sizes", JVP: pickedTangent,
		Forward: (*Args).sorted, VJP: pickedVJP,
	},
	{
		Schema:   "argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor",
		OutDType: expectedOutDType,
		Compose: func(a *Args) ([]*Tensor, error) {
			_, indices := a.Self().Sort(a.options("dim", "descending")...)
			return a.One(indices)
		},
	},
	{
		Schema:   "argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor",
		OutDType: expectedOutDType,
		Compose: func(a *Args) ([]*Tensor, error) {
			_, indices := a.Self().Sort(a.options("stable", "dim", "descending")...)
			return a.One(indices)
		},
	},
	{
		Schema:   "msort(Tensor self) -> Tensor",
		OutDType: expectedOutDType,
		Compose: func(a *Args) ([]*Tensor, error) {
			values, _ := a.Self().Sort(Dim(0))
			return a.One(values)
		},
	},
	{
		Schema: "topk(Tensor self, int k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor indices)",
		Node:   "TopkBackward0", OutDType: expectedOutDType, Constant: "indices", Attrs: "dim self_sym_sizes", JVP: pickedTangent,
		Forward: (*Args).topK, VJP: pickedVJP,
	},
	{
		Schema: "kthvalue(Tensor self, int k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)",
		Node:   "KthvalueBackward0", OutDType: kthvalueDType, Constant: "indices", Attrs: "dim keepdim self_sym_sizes", JVP: selectedTangent,
		Forward: (*Args).kthValue, VJP: selectedVJP,
	},
	{
		Schema: "mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)",
		Node:   "ModeBackward0", OutDType: modeDType, Constant: "indices", Attrs: "dim keepdim self_sym_sizes", JVP: selectedTangent,
		Forward: (*Args).mode, VJP: selectedVJP,
	},
	{
		Schema: "median(Tensor self) -> Tensor", Node: "MedianBackward0", OutDType: medianDType, JVP: evenRead,
		Forward: func(a *Args) ([]*Tensor, error) { return a.medianOfAll(false) },
		VJP:     evenlyVJP,
	},
	{
		Schema: "median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", Go: "MedianDim",
		Node: "MedianBackward1", OutDType: medianDType, Constant: "indices", Attrs: "dim keepdim self_sym_sizes", JVP: selectedTangent,
		Forward: func(a *Args) ([]*Tensor, error) { return a.median(false) },
		VJP:     selectedVJP,
	},
	{
		Schema: "nanmedian(Tensor self) -> Tensor", Node: "NanmedianBackward0", OutDType: medianDType, JVP: evenRead,
		Forward: func(a *Args) ([]*Tensor, error) { return a.medianOfAll(true) },
		VJP:     evenlyVJP,
	},
	{
		Schema: "nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", Go: "NanmedianDim",
		Node: "NanmedianBackward1", OutDType: medianDType, Constant: "indices", Attrs: "dim keepdim self_sym_sizes", JVP: selectedTangent,
		Forward: func(a *Args) ([]*Tensor, error) { return a.median(true) },
		VJP:     selectedVJP,
	},
}

// pickedVJP is the derivative of operators that select elements along a
// dimension and keep the dimension.
var pickedVJP = []Formula{{Input: "self", Uses: "indices", Of: func(c *Ctx) *Tensor { return scatterSelected(c, true) }}}

func pickedTangent(c *JCtx) ([]*Tensor, error) { return []*Tensor{gatherSelected(c, true)}, nil }

// An arrangement orders the pairs of a line; the first pairs are the result.
type arrangement struct {
	f32 func([]kernel.Pair[float32])
	f64 func([]kernel.Pair[float64])
	i64 func([]kernel.Pair[int64])
}

// arrange stores, for each line of t, the ordered pairs from index first on.
func (r *arrangement) arrange(t, values, indices *Tensor, dim, first int) (*Tensor, *Tensor) {
	switch classOf(t.dtype) {
	case f32Class:
		arrangeLines(t, values, indices, dim, first, r.f32)
	case f64Class:
		arrangeLines(t, values, indices, dim, first, r.f64)
	case i64Class:
		arrangeLines(t, values, indices, dim, first, r.i64)
	default:
		numbers := allocStridedAs(values, Int64)
		r.arrange(as(t, Int64), numbers, indices, dim, first)
		copyData(values, numbers)
	}
	return values, indices
}

func arrangeLines[T element](t, values, indices *Tensor, dim, first int, f func([]kernel.Pair[T])) {
	n, step := lineOf(t, dim)
	count, by := 1, 1
	if len(values.sizes) == len(t.sizes) {
		count, by = lineOf(values, dim)
	}
	x, v, index := data[T](t.st), data[T](values.st), indices.st.other.i64
	buf := make([]kernel.Pair[T], 0, n)
	eachLine(t, dim, func(at *[kernel.Max]int) {
		buf = kernel.Pairs(buf, x, at[0], step, n)
		f(buf)
		for i, p := range buf[first : first+count] {
			v[at[1]+i*by], index[at[1]+i*by] = p.V, p.I
		}
	}, values)
}

var (
	ascending  = arrangement{kernel.Ascending[float32]().Stable, kernel.Ascending[float64]().Stable, kernel.Ascending[int64]().Stable}
	descending = arrangement{kernel.Descending[float32]().Stable, kernel.Descending[float64]().Stable, kernel.Descending[int64]().Stable}
)

// sorted sorts along a dimension. The results have self's layout.
func (a *Args) sorted() ([]*Tensor, error) {
	t := a.Self()
	dim, err := wrapDim(a.Int("dim"), len(t.sizes))
	if err != nil {
		return nil, err
	}
	strides := t.strides
	if !isDense(t.sizes, t.strides) {
		strides = layoutOf(t.sizes, []*Tensor{t})
	}
	values, indices := allocLaidOut(t.dtype, t.sizes, strides), allocLaidOut(Int64, t.sizes, strides)
	r := &ascending
	if a.Bool("descending") {
		r = &descending
	}
	r.arrange(t, values, indices, dim, 0)
	return []*Tensor{values, indices}, nil
}

// topK returns the k largest or smallest elements along a dimension.
func (a *Args) topK() ([]*Tensor, error) {
	t, k := a.Self(), a.Int("k")
	dim, err := wrapDim(a.Int("dim"), len(t.sizes))
	if err != nil {
		return nil, err
	}
	n, _ := lineOf(t, dim)
	if k < 0 || k > n {
		return nil, fail(RuntimeError, CodeArgument, "selected index k out of range")
	}
	if t.dtype == Bool {
		return nil, undefined("topk_cpu", Bool)
	}
	sizes := t.sizes
	if len(sizes) > 0 {
		sizes = with(without(sizes, dim), dim, k)
	}
	values, indices := alloc(t.dtype, sizes), alloc(Int64, sizes)
	largest, ordered := a.Bool("largest"), a.Bool("sorted")
	if t.Numel() > 0 {
		r := arrangement{topPairs[float32](k, largest, ordered), topPairs[float64](k, largest, ordered), topPairs[int64](k, largest, ordered)}
		r.arrange(t, values, indices, dim, 0)
	}
	return []*Tensor{values, indices}, nil
}

// topPairs returns the algorithm that topk_impl_loop chooses.
func topPairs[T float32 | float64 | int64](k int, largest, ordered bool) func([]kernel.Pair[T]) {
	less := kernel.Ascending[T]()
	if largest {
		less = kernel.Descending[T]()
	}
	return func(line []kernel.Pair[T]) {
		switch {
		case k*64 <= len(line):
			less.PartialSort(line, k)
		default:
			less.NthElement(line, k-1)
			if ordered {
				less.Sort(line[:k-1])
			}
		}
	}
}

// kthValue returns the k-th smallest element along a dimension.
func (a *Args) kthValue() ([]*Tensor, error) {
	t, k, keep := a.Self(), a.Int("k"), a.Bool("keepdim")
	dim, err := wrapDim(a.Int("dim"), len(t.sizes))
	if err == nil {
		err = nonEmpty("kthvalue()", t, dim)
	}
	if err != nil {
		return nil, err
	}
	if n, _ := lineOf(t, dim); k < 1 || k > n {
		return nil, fail(RuntimeError, CodeArgument, "kthvalue(): selected number k out of range for dimension %d", dim)
	}
	if t.dtype == Bool {
		return nil, undefined("kthvalue_cpu", Bool)
	}
	values, indices := selection(t, dim, keep)
	r := arrangement{
		func(p []kernel.Pair[float32]) { kernel.Ascending[float32]().QuickSelect(p, k-1) },
		func(p []kernel.Pair[float64]) { kernel.Ascending[float64]().QuickSelect(p, k-1) },
		func(p []kernel.Pair[int64]) { kernel.Ascending[int64]().QuickSelect(p, k-1) },
	}
	r.arrange(t, values, indices, dim, k-1)
	return []*Tensor{values, indices}, nil
}

// selection makes the results of an operator that selects one element of each
// line.
func selection(t *Tensor, dim int, keepDim bool) (values, indices *Tensor) {
	sizes := reducedSizes(t, dim, keepDim)
	return alloc(t.dtype, sizes), alloc(Int64, sizes)
}

// mode returns the most frequent element along a dimension; the smallest if
// there are several.
func (a *Args) mode() ([]*Tensor, error) {
	t := a.Self()
	dim, err := wrapDim(a.Int("dim"), len(t.sizes))
	if err == nil {
		err = nonEmpty("mode()", t, dim)
	}
	if err != nil {
		return nil, err
	}
	values, indices := selection(t, dim, a.Bool("keepdim"))
	r := arrangement{modeFirst[float32], modeFirst[float64], modeFirst[int64]}
	r.arrange(t, values, indices, dim, 0)
	return []*Tensor{values, indices}, nil
}

// modeFirst sorts a line and moves the last of the most frequent elements to
// the front.
func modeFirst[T float32 | float64 | int64](line []kernel.Pair[T]) {
	kernel.Less[T](func(x, y kernel.Pair[T]) bool { return x.V < y.V }).Sort(line)
	var best kernel.Pair[T]
	most, count := 0, 0
	for i, p := range line {
		count++
		if i+1 == len(line) || line[i+1].V != p.V {
			if count > most {
				most, best = count, p
			}
			count = 0
		}
	}
	line[0] = best
}

// median returns the middle element along a dimension, the lower one of two.
// The median of a line with a NaN is NaN, unless NaNs are ignored.
func (a *Args) median(ignoreNaN bool) ([]*Tensor, error) {
	t := a.Self()
	dim, err := a.nonEmptyDim()
	if err != nil {
		return nil, err
	}
	if t.dtype == Bool {
		return nil, undefined("median_cpu", Bool)
	}
	values, indices := selection(t, dim, a.Bool("keepdim"))
	medians(t, values, indices, dim, ignoreNaN)
	return []*Tensor{values, indices}, nil
}

func medians(t, values, indices *Tensor, dim int, ignoreNaN bool) {
	r := arrangement{
		func(p []kernel.Pair[float32]) { medianFirst(p, ignoreNaN) },
		func(p []kernel.Pair[float64]) { medianFirst(p, ignoreNaN) },
		func(p []kernel.Pair[int64]) { medianFirst(p, ignoreNaN) },
	}
	r.arrange(t, values, indices, dim, 0)
}

// medianFirst moves the median of a line to the front. Among equal elements it
// is the one that is the median in a stable order.
func medianFirst[T float32 | float64 | int64](line []kernel.Pair[T], ignoreNaN bool) {
	nans := 0
	for _, p := range line {
		if p.V != p.V {
			if nans++; !ignoreNaN {
				line[0] = p
				return
			}
		}
	}
	nth := max(len(line)-nans-1, 0) / 2
	up := kernel.Ascending[T]()
	less := kernel.Less[T](func(x, y kernel.Pair[T]) bool { return up(x, y) || x.I < y.I && !up(y, x) })
	less.NthElement(line, nth)
	line[0] = line[nth]
}

func (a *Args) medianOfAll(ignoreNaN bool) ([]*Tensor, error) {
	t := a.Self()
	if t.dtype == Bool {
		return nil, undefined("median_cpu", Bool)
	}
	values, indices := alloc(t.dtype, nil), alloc(Int64, nil)
	if n := t.Numel(); n > 0 {
		row := contiguous(t)
		medians(row.shallow([]int{n}, unitStride, row.offset), values, indices, 0, ignoreNaN)
	} else {
		values.setElement(0, FloatScalar(math.NaN()))
	}
	return a.One(values)
}
