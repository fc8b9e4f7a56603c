package autograd

import (
	"math"
	"slices"
)

// repeatOps repeat the elements of tensors.
var repeatOps = []Op{
	{
		Schema: "repeat(Tensor self, int[] repeats) -> Tensor", In: Method,
		Node: "RepeatBackward0", Attrs: "repeats self_sym_sizes", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return repeatedTensor(a, a.Ints("repeats")) },
		VJP:     []Formula{{Input: "self", Of: repeatBackward}},
	},
	{
		Schema: "tile(Tensor self, int[] dims) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) {
			dims := a.Ints("dims")
			if lead := a.Self().Dim() - len(dims); lead > 0 {
				dims = append(repeated(1, lead), dims...)
			}
			return a.One(a.Self().Repeat(dims))
		},
	},
	{
		Schema:  "repeat_interleave.self_int(Tensor self, int repeats, int? dim=None, *, int? output_size=None) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) { return interleaved(a, a.Int("repeats")) },
	},
	{
		Schema:  "repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, int? output_size=None) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) { return interleavedBy(a, a.Tensor("repeats")) },
	},
	{
		Schema: "repeat_interleave.Tensor(Tensor repeats, *, int? output_size=None) -> Tensor", Go: "-",
		Forward: func(a *Args) ([]*Tensor, error) { return countedIndices(a, a.Self()) },
	},
}

func repeatedTensor(a *Args, repeats []int) ([]*Tensor, error) {
	t := a.Self()
	lead := len(repeats) - t.Dim()
	if lead < 0 {
		return nil, fail(RuntimeError, CodeShape, "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor")
	}
	// The result is walked as pairs of dimensions: the copy, and the position
	// in it.
	sizes := slices.Clone(repeats)
	for d, s := range t.sizes {
		if n := sizes[lead+d]; n > 0 || n == math.MinInt {
			countable([]int{n, s})
		}
		sizes[lead+d] *= s
	}
	if err := checkSizes(sizes); err != nil {
		return nil, err
	}
	out := alloc(t.dtype, sizes)
	if out.Numel() == 0 {
		return a.One(out)
	}
	var pairs, into, from []int
	for d, n := range repeats {
		size, stride := 1, 0
		if d >= lead {
			size, stride = t.sizes[d-lead], t.strides[d-lead]
		}
		pairs = append(pairs, n, size)
		into = append(into, size*out.strides[d], out.strides[d])
		from = append(from, 0, stride)
	}
	copyData(out.part(pairs, into, 0), t.part(pairs, from, t.offset))
	return a.One(out)
}

func repeatBackward(c *Ctx) *Tensor {
	g, repeats, shape := c.Grad(), c.Args().Ints("repeats"), c.Shape("self")
	if slices.Contains(repeats, 0) {
		return atZeros(g.dtype, shape)
	}
	lead := len(g.sizes) - len(shape)
	for range lead {
		g = g.Sum(Dim(0))
	}
	var sizes, dims []int
	for d, s := range shape {
		if n := repeats[lead+d]; n != 1 {
			dims = append(dims, len(sizes))
			sizes = append(sizes, n)
		}
		sizes = append(sizes, s)
	}
	if len(dims) > 0 {
		g = g.Reshape(sizes).Sum(Kw("dim", dims))
	}
	return g
}

// interleaved repeats each element, or each slice along dim, n times.
func interleaved(a *Args, n int) ([]*Tensor, error) {
	t := a.Self()
	if !a.Has("dim") {
		t = t.Flatten()
	}
	d, err := wrapDim(a.intOr("dim", 0), a.Self().Dim())
	if err != nil {
		return nil, err
	}
	if n < 0 {
		return nil, fail(RuntimeError, CodeArgument, "Repeats must be non-negative")
	}
	t = t.Unsqueeze(d + 1)
	if t.err != nil {
		return nil, t.err
	}
	t = t.Expand(replaced(t.sizes, d+1, n))
	if t.err == nil && a.Has("output_size") && a.Int("output_size") != t.sizes[d]*n {
		return nil, fail(RuntimeError, CodeArgument, "repeat_interleave: Invalid output_size, expected %d but got %d", t.sizes[d]*n, a.Int("output_size"))
	}
	return a.One(t.Clone(Kw("memory_format", "contiguous")).Flatten(Kw("start_dim", d), Kw("end_dim", d+1)))
}

// interleavedBy repeats each slice along dim. repeats holds the numbers of
// repetitions.
func interleavedBy(a *Args, repeats *Tensor) ([]*Tensor, error) {
	t := a.Self()
	if !a.Has("dim") {
		t = t.Flatten()
	}
	d, err := wrapDim(a.intOr("dim", 0), t.Dim())
	if err != nil {
		return nil, err
	}
	if t.Dim() == 0 {
		return nil, noDimensions(a.intOr("dim", 0))
	}
	n := t.sizes[d]
	switch {
	case repeats.Dim() > 1:
		return nil, fail(RuntimeError, CodeShape, "repeats must be 0-dim or 1-dim tensor")
	case repeats.Numel() == 1:
		repeats = repeats.Reshape([]int{1}).Expand([]int{n})
	case repeats.sizes[0] != n:
		return nil, fail(RuntimeError, CodeShape, "repeats must have the same size as input along dim, but got repeats.size(0) = %d and input.size(%d) = %d", repeats.sizes[0], d, n)
	}
	opts := []Option(nil)
	if a.Has("output_size") {
		opts = append(opts, Kw("output_size", a.Int("output_size")))
	}
	outs, e := Call("repeat_interleave", []any{repeats}, opts...)
	if e != nil {
		return nil, e
	}
	return a.One(t.IndexSelect(a.intOr("dim", 0), outs[0]))
}

// countedIndices repeats each index i counts[i] times.
func countedIndices(a *Args, counts *Tensor) ([]*Tensor, error) {
	if counts.Dim() != 1 {
		return nil, fail(RuntimeError, CodeShape, "repeat_interleave only accept 1D vector as repeat")
	}
	if counts.dtype != Int64 && counts.dtype != Int32 {
		return nil, undefined("repeat_interleave_cpu", counts.dtype)
	}
	total := 0
	for i := range counts.Numel() {
		n := int(counts.element(counts.at(i)).Int())
		if n < 0 {
			return nil, fail(RuntimeError, CodeArgument, "repeats can not be negative")
		}
		total += n
	}
	if a.Has("output_size") && a.Int("output_size") != total {
		return nil, fail(RuntimeError, CodeArgument, "allocated size does not match required size")
	}
	out := alloc(counts.dtype, []int{total})
	e := elements[int64](out)
	for i := range counts.Numel() {
		n := int(counts.element(counts.at(i)).Int())
		for j := range n {
			e[j] = int64(i)
		}
		e = e[n:]
	}
	return a.One(out)
}
