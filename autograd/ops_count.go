package autograd

import (
	"math"
	"sort"
)

// Histograms, and positions in sorted tensors.
var countOps = []Op{
	{
		Schema: "bincount(Tensor self, Tensor? weights=None, int minlength=0) -> Tensor", Node: "NotImplemented",
		Forward: func(a *Args) ([]*Tensor, error) { return a.bincount() },
	},
	{
		Schema:   "histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor",
		OutDType: histcDType,
		Forward:  func(a *Args) ([]*Tensor, error) { return a.histc() },
	},
	{
		Schema: "histogram.bin_ct(Tensor self, int bins=100, *, float[]? range=None, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges)",
		Node:   "NotImplemented",
		Forward: func(a *Args) ([]*Tensor, error) {
			low, high, err := a.histogramRange()
			if err != nil {
				return nil, err
			}
			return a.histogram(evenEdges(low, high, a.Int("bins"), a.Self().dtype))
		},
	},
	{
		Schema: "histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges)", Go: "-",
		Node: "NotImplemented",
		Forward: func(a *Args) ([]*Tensor, error) {
			bins := a.Tensor("bins")
			if len(bins.sizes) != 1 {
				return nil, fail(RuntimeError, CodeShape, "torch.histogramdd: bins tensor should have one dimension, but got %d dimensions in the bins tensor for dimension 0", len(bins.sizes))
			}
			return a.histogram(copied(bins, bins.dtype))
		},
	},
	{
		Schema: "searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.searchSorted(a.Tensor("sorted_sequence"), a.Tensor("self"))
		},
	},
	{
		Schema: "searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor",
		Forward: func(a *Args) ([]*Tensor, error) {
			return a.searchSorted(a.Tensor("sorted_sequence"), a.numberLike("self", "sorted_sequence"))
		},
	},
	{
		Schema:  "bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor",
		Forward: func(a *Args) ([]*Tensor, error) { return a.bucketize(a.Tensor("self")) },
	},
	{
		Schema:  "bucketize.Scalar(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor",
		Go:      "-",
		Forward: func(a *Args) ([]*Tensor, error) { return a.bucketize(a.numberLike("self", "boundaries")) },
	},
}

// numberLike returns a number argument as a 0-d tensor.
func (a *Args) numberLike(name, like string) *Tensor { return numberTensor(a.Scalar(name)) }

// bincount counts the occurrences of each number, or sums their weights.
func (a *Args) bincount() ([]*Tensor, error) {
	t, weights, n := a.Self(), a.Tensor("weights"), a.Int("minlength")
	if !t.dtype.IsInteger() {
		return nil, undefined("bincount_cpu", t.dtype)
	}
	if n < 0 {
		return nil, fail(RuntimeError, CodeArgument, "minlength should be >= 0")
	}
	if len(t.sizes) == 1 && t.sizes[0] == 0 {
		return a.One(alloc(Int64, []int{n}))
	}
	values := contiguous(t)
	x := elements[int64](values)
	largest := int64(0)
	ok := len(t.sizes) == 1
	for _, v := range x {
		ok, largest = ok && v >= 0, max(largest, v)
	}
	switch {
	case !ok:
		return nil, fail(RuntimeError, CodeArgument, "bincount only supports 1-d non-negative integral inputs.")
	case weights != nil && (len(weights.sizes) != 1 || weights.sizes[0] != len(x)):
		return nil, fail(RuntimeError, CodeShape, "weights should be 1-d and have the same length as input")
	case largest == math.MaxInt64:
		return nil, fail(RuntimeError, CodeArgument, "maximum value of input overflowed, it should be < %d but got %d", int64(math.MaxInt64), largest)
	}
	n = max(n, int(largest)+1)
	d := Int64
	switch {
	case weights == nil:
		out := alloc(d, []int{n})
		for _, v := range x {
			out.st.other.i64[v]++
		}
		return a.One(out)
	case weights.dtype == Float32:
		d = Float32
	default:
		d = Float64
	}
	out, w := alloc(d, []int{n}), contiguous(as(weights, d))
	if d == Float32 {
		addAt(out.st.f32, x, elements[float32](w))
	} else {
		addAt(out.st.other.f64, x, elements[float64](w))
	}
	return a.One(out)
}

func addAt[T float32 | float64](out []T, at []int64, w []T) {
	for i, v := range at {
		out[v] += w[i]
	}
}

// histc counts the elements in bins of equal width.
func (a *Args) histc() ([]*Tensor, error) {
	t, bins := a.Self(), a.Int("bins")
	if bins <= 0 {
		return nil, noBins(bins)
	}
	if !t.dtype.IsFloat() {
		return nil, undefined("histogram_cpu", t.dtype)
	}
	low, high := a.Float("min"), a.Float("max")
	if low == high && t.Numel() > 0 {
		low, high = extremesOf(t)
	}
	if low == high {
		low, high = low-1, high+1
	}
	switch {
	case !finite(low) || !finite(high):
		return nil, fail(RuntimeError, CodeArgument, "torch.histc: range of [%s, %s] is not finite", streamed(FloatScalar(low)), streamed(FloatScalar(high)))
	case low >= high:
		return nil, fail(RuntimeError, CodeArgument, "torch.histc: max must be larger than min")
	}
	allocatable(t.dtype, bins+1)
	counts := make([]float64, bins)
	t.eachFloat(func(x float64) {
		if x >= low && x <= high {
			counts[min(max(int((x-low)*float64(bins)/(high-low)), 0), bins-1)]++
		}
	})
	return a.One(fromFloats(counts, t.dtype))
}

func noBins(bins int) *Error {
	return fail(RuntimeError, CodeArgument, "torch.histogram(): bins must be > 0, but got %d for dimension 0", bins)
}

func finite(x float64) bool { return x-x == 0 }

// extremesOf returns the smallest and the largest element, or NaN if there is a
// NaN.
func extremesOf(t *Tensor) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	t.eachFloat(func(x float64) {
		low, high = math.Min(low, x), math.Max(high, x)
	})
	return low, high
}

func fromFloats(x []float64, d DType) *Tensor {
	out := alloc(d, []int{len(x)})
	for i, v := range x {
		out.setElement(i, FloatScalar(v))
	}
	return out
}

// histogramRange returns the range of evenly spaced bins: the argument, or the
// range of the elements.
func (a *Args) histogramRange() (low, high float64, err *Error) {
	t := a.Self()
	if bins := a.Int("bins"); bins <= 0 {
		return 0, 0, noBins(bins)
	}
	if !t.dtype.IsFloat() {
		return 0, 0, undefined("histogramdd", t.dtype)
	}
	given, _ := a.value("range").x.([]float64)
	switch {
	case len(given) == 2:
		low, high = given[0], given[1]
	case a.Has("range"):
		return 0, 0, fail(RuntimeError, CodeArgument, "torch.histogramdd: for a 1-dimensional histogram range should have 2 elements, but got %d", len(given))
	case t.Numel() == 0:
		low, high = 0, 1
	default:
		low, high = extremesOf(t)
	}
	switch {
	case !finite(low) || !finite(high):
		return 0, 0, fail(RuntimeError, CodeArgument, "torch.histogramdd: dimension 0's range [%s, %s] is not finite", streamed(FloatScalar(low)), streamed(FloatScalar(high)))
	case low > high:
		return 0, 0, fail(RuntimeError, CodeArgument, "torch.histogramdd: min should not exceed max, but got min %s max %s for dimension 0", streamed(FloatScalar(low)), streamed(FloatScalar(high)))
	case low == high:
		low, high = low-0.5, high+0.5
	}
	return low, high, nil
}

// evenEdges returns the edges of bins of equal width, computed from both ends.
func evenEdges(low, high float64, bins int, d DType) *Tensor {
	allocatable(d, bins+1)
	edges := make([]float64, bins+1)
	step := (high - low) / float64(bins)
	for i := range edges {
		if i <= bins/2 {
			edges[i] = low + step*float64(i)
		} else {
			edges[i] = high - step*float64(bins-i)
		}
	}
	return fromFloats(edges, d)
}

// histogram counts the elements between the edges, or sums their weights. The
// last bin includes its right edge.
func (a *Args) histogram(edges *Tensor) ([]*Tensor, error) {
	t, weight := contiguous(a.Self()), a.Tensor("weight")
	if weight != nil && !sameSizes(weight.sizes, t.sizes) {
		return nil, fail(RuntimeError, CodeShape, "torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor excluding its innermost dimension, but got input with shape %s and weight with shape %s", shapeText([]int{t.Numel(), 1}), shapeText(weight.sizes))
	}
	n := edges.Numel() - 1
	if n < 0 {
		return nil, noBins(n)
	}
	edge := make([]float64, n+1)
	for i := range edge {
		edge[i] = edges.float(edges.offset + i)
	}
	counts, total := make([]float64, n), 0.0
	for i := range t.Numel() {
		x := t.float(t.offset + i)
		if !(x >= edge[0] && x <= edge[n]) || n == 0 {
			continue
		}
		w := 1.0
		if weight != nil {
			w = weight.float(weight.at(i))
		}
		bin := sort.Search(n+1, func(k int) bool { return edge[k] > x }) - 1
		counts[min(bin, n-1)] += w
		total += w
	}
	if a.Bool("density") {
		for i := range counts {
			counts[i] /= total * (edge[i+1] - edge[i])
		}
	}
	return []*Tensor{fromFloats(counts, t.dtype), edges}, nil
}

// bucketize returns the index of the bucket of each element.
func (a *Args) bucketize(t *Tensor) ([]*Tensor, error) {
	bounds := a.Tensor("boundaries")
	if len(bounds.sizes) != 1 {
		return nil, fail(RuntimeError, CodeShape, "boundaries tensor must be 1 dimension, but got dim(%d)", len(bounds.sizes))
	}
	return a.One(places(bounds, t, nil, a.Bool("right"), a.placeType()))
}

func (a *Args) placeType() DType {
	if a.Bool("out_int32") {
		return Int32
	}
	return Int64
}

// searchSorted returns the index at which each element would be inserted in the
// last dimension of a sorted tensor.
func (a *Args) searchSorted(bounds, t *Tensor) ([]*Tensor, error) {
	side, right, sorter := a.Str("side"), a.Bool("right"), a.Tensor("sorter")
	n := len(bounds.sizes)
	switch {
	case a.Has("side") && side != "left" && side != "right":
		return nil, fail(RuntimeError, CodeArgument, "torch.searchsorted(): side can only be 'left' or 'right' but got %s", side)
	case right && side == "left":
		return nil, fail(RuntimeError, CodeArgument, "torch.searchsorted(): side and right can't be set to opposites, got side of left while right was True")
	case sorter != nil && !sameSizes(sorter.sizes, bounds.sizes):
		return nil, fail(RuntimeError, CodeShape, "torch.searchsorted(): boundary and sorter must have the same size, but got boundary tensor %sand got sorter tensor %s", shapeText(bounds.sizes), shapeText(sorter.sizes))
	case sorter != nil && sorter.dtype != Int64:
		return nil, fail(RuntimeError, CodeDType, "torch.searchsorted(): sorter must be a tensor of long dtype but got dtype %s", scalarTypeName(sorter.dtype))
	case n != 1 && len(t.sizes) == 0:
		return nil, fail(RuntimeError, CodeShape, "torch.searchsorted(): input value can be a scalar only when boundaries tensor dimension is 1, but we got boundaries tensor dim(%d) and input value's dim(%d) numel(%d)", n, len(t.sizes), t.Numel())
	case n == 0:
		return nil, fail(RuntimeError, CodeShape, "torch.searchsorted(): boundaries tensor should have positive dimension, but got 0 dimension")
	case n != 1 && (n != len(t.sizes) || !sameSizes(bounds.sizes[:n-1], t.sizes[:n-1])):
		return nil, fail(RuntimeError, CodeShape, "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and input value tensor must match, but we got boundaries tensor %s and input value tensor %s", shapeText(bounds.sizes), shapeText(t.sizes))
	}
	if sorter != nil {
		for _, i := range elements[int64](contiguous(sorter)) {
			if i < 0 || i >= int64(bounds.sizes[n-1]) {
				return nil, fail(RuntimeError, CodeIndex, "torch.searchsorted(): sorter index out of range")
			}
		}
	}
	return a.One(places(bounds, t, sorter, right || side == "right", a.placeType()))
}

// places returns the index of each element of t among the boundaries: before
// equal boundaries, or after them if right is set.
func places(bounds, t, sorter *Tensor, right bool, d DType) *Tensor {
	common := resultType(bounds, t)
	b, x := contiguous(as(bounds, common)), contiguous(as(t, common))
	out := alloc(d, t.sizes)
	n := b.sizes[len(b.sizes)-1]
	perRow := max(x.Numel(), 1)
	if len(b.sizes) > 1 {
		perRow = max(x.sizes[len(x.sizes)-1], 1)
	}
	var order []int64
	if sorter != nil {
		order = elements[int64](contiguous(sorter))
	}
	for i := range x.Numel() {
		row := 0
		if len(b.sizes) > 1 {
			row = i / perRow * n
		}
		value := x.float(x.offset + i)
		place := sort.Search(n, func(k int) bool {
			if order != nil {
				k = int(order[row+k])
			}
			e := b.float(b.offset + row + k)
			if right {
				return e > value
			}
			return e >= value
		})
		out.setElement(i, IntScalar(int64(place)))
	}
	return out
}
