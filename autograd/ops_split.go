package autograd

// splitOps cut a tensor into several views.
var splitOps = []Op{
	{
		Schema: "split.Tensor(Tensor self, int split_size, int dim=0) -> Tensor[]", Views: MultiView,
		Node: "SplitBackward0", Attrs: "dim self_sym_sizes split_size", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return splitEvenly(a, a.Int("split_size"), a.Int("dim")) },
		VJP:     []Formula{{Input: "self", Of: catGrads}},
	},
	{
		Schema: "split.sizes(Tensor self, int[] split_size, int dim=0) -> Tensor[]",
		Compose: func(a *Args) ([]*Tensor, error) {
			return a.Self().SplitWithSizes(a.Ints("split_size"), Kw("dim", a.Int("dim")))
		},
	},
	{
		Schema: "split_with_sizes(Tensor self, int[] split_sizes, int dim=0) -> Tensor[]", Views: MultiView,
		Node: "SplitWithSizesBackward0", Attrs: "dim self_sym_sizes split_sizes", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return splitBySizes(a, a.Ints("split_sizes"), a.Int("dim")) },
		VJP:     []Formula{{Input: "self", Of: catGrads}},
	},
	{
		Schema:  "chunk(Tensor self, int chunks, int dim=0) -> Tensor[]",
		Compose: func(a *Args) ([]*Tensor, error) { return chunked(a, fnSplit, fnSplitWithSizes) },
	},
	{
		Schema: "unsafe_split.Tensor(Tensor self, int split_size, int dim=0) -> Tensor[]",
		Node:   "UnsafeSplitBackward0", Attrs: "dim self_sym_sizes split_size", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			return withOwnVersions(splitEvenly(a, a.Int("split_size"), a.Int("dim")))
		},
		VJP: []Formula{{Input: "self", Of: catGrads}},
	},
	{
		Schema: "unsafe_split_with_sizes(Tensor self, int[] split_sizes, int dim=0) -> Tensor[]",
		Node:   "UnsafeSplitWithSizesBackward0", Attrs: "dim self_sym_sizes split_sizes", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			return withOwnVersions(splitBySizes(a, a.Ints("split_sizes"), a.Int("dim")))
		},
		VJP: []Formula{{Input: "self", Of: catGrads}},
	},
	{
		Schema:  "unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]",
		Compose: func(a *Args) ([]*Tensor, error) { return chunked(a, fnUnsafeSplit, fnUnsafeSplitWithSizes) },
	},
	{
		Schema: "unbind.int(Tensor self, int dim=0) -> Tensor[]", Views: MultiView,
		Node: "UnbindBackward0", Attrs: "dim", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			d, err := wrapStrictDim(a.Int("dim"), t.Dim())
			if err != nil {
				return nil, err
			}
			listable(t.sizes[d], tensorBytes)
			parts := make([]*Tensor, t.sizes[d])
			sizes, strides := without(t.sizes, d), without(t.strides, d)
			for i := range parts {
				parts[i] = t.shallow(sizes, strides, t.offset+i*t.strides[d])
			}
			return parts, nil
		},
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor {
			return Stack(c.allGrads(), Kw("dim", c.Args().Int("dim")))
		}}},
	},
	{
		Schema: "tensor_split.sections(Tensor self, int sections, int dim=0) -> Tensor[]",
		Compose: func(a *Args) ([]*Tensor, error) {
			t, sections := a.Self(), a.Int("sections")
			d, err := splitDim(t, a.Int("dim"))
			if err != nil {
				return nil, err
			}
			if sections <= 0 {
				return nil, fail(RuntimeError, CodeArgument, "number of sections must be larger than 0, got %d", sections)
			}
			listable(sections, tensorBytes)
			ends := make([]int, sections)
			size, longer, end := t.sizes[d]/sections, t.sizes[d]%sections, 0
			for i := range ends {
				end += size
				if i < longer {
					end++
				}
				ends[i] = end
			}
			return slicesUpTo(t, d, ends), nil
		},
	},
	{
		Schema: "tensor_split.indices(Tensor self, int[] indices, int dim=0) -> Tensor[]",
		Compose: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			d, err := splitDim(t, a.Int("dim"))
			if err != nil {
				return nil, err
			}
			return slicesUpTo(t, d, append(append([]int(nil), a.Ints("indices")...), t.sizes[d])), nil
		},
	},
	{
		Schema: "tensor_split.tensor_indices_or_sections(Tensor self, Tensor tensor_indices_or_sections, int dim=0) -> Tensor[]",
		Compose: func(a *Args) ([]*Tensor, error) {
			where := a.Tensor("tensor_indices_or_sections")
			switch {
			case where.dtype != Int64:
				return nil, fail(RuntimeError, CodeDType, "tensor_split expected tensor_indices_or_sections to have dtype of long, but got %s", cTypeNames[where.dtype])
			case len(where.sizes) > 1:
				return nil, fail(RuntimeError, CodeShape, "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor, but got a tensor with %d dims", len(where.sizes))
			}
			f := declare("tensor_split")
			if len(where.sizes) == 0 {
				return f.list(nil, a.Self(), int(where.element(where.offset).Int()), a.Int("dim"))
			}
			return f.list(nil, a.Self(), infoOf(where), a.Int("dim"))
		},
	},
	{
		Schema:  "hsplit.int(Tensor self, int sections) -> Tensor[]",
		Compose: func(a *Args) ([]*Tensor, error) { return splitAlong(a, "hsplit", 1) },
	},
	{
		Schema:  "hsplit.array(Tensor self, int[] indices) -> Tensor[]",
		Compose: func(a *Args) ([]*Tensor, error) { return splitAlong(a, "hsplit", 1) },
	},
	{
		Schema:  "vsplit.int(Tensor self, int sections) -> Tensor[]",
		Compose: func(a *Args) ([]*Tensor, error) { return splitAlong(a, "vsplit", 2) },
	},
	{
		Schema:  "vsplit.array(Tensor self, int[] indices) -> Tensor[]",
		Compose: func(a *Args) ([]*Tensor, error) { return splitAlong(a, "vsplit", 2) },
	},
	{
		Schema:  "dsplit.int(Tensor self, int sections) -> Tensor[]",
		Compose: func(a *Args) ([]*Tensor, error) { return splitAlong(a, "dsplit", 3) },
	},
	{
		Schema:  "dsplit.array(Tensor self, int[] indices) -> Tensor[]",
		Compose: func(a *Args) ([]*Tensor, error) { return splitAlong(a, "dsplit", 3) },
	},
}

// splitEvenly cuts t into pieces of one size. The last piece may be smaller.
func splitEvenly(a *Args, size, dim int) ([]*Tensor, error) {
	t := a.Self()
	if t.Dim() == 0 {
		return nil, fail(RuntimeError, CodeShape, "split expects at least a 1-dimensional tensor")
	}
	if size < 0 {
		return nil, fail(RuntimeError, CodeArgument, "split expects split_size be non-negative, but got split_size=%d", size)
	}
	d, err := wrapDim(dim, t.Dim())
	if err != nil {
		return nil, err
	}
	n := t.sizes[d]
	if size == 0 && n > 0 {
		return nil, fail(RuntimeError, CodeArgument, "split_size can only be 0 if dimension size is 0, but got dimension size of %d", n)
	}
	count := 1
	if size > 0 {
		count = max((n+size-1)/size, 1)
	}
	listable(count, tensorBytes)
	sizes := repeated(size, count)
	sizes[count-1] = n - size*(count-1)
	return cut(t, d, sizes), nil
}

func splitBySizes(a *Args, sizes []int, dim int) ([]*Tensor, error) {
	t := a.Self()
	if t.Dim() == 0 {
		return nil, fail(RuntimeError, CodeShape, "split expects at least a 1-dimensional tensor")
	}
	d, err := wrapDim(dim, t.Dim())
	if err != nil {
		return nil, err
	}
	sum := 0
	for _, s := range sizes {
		if s < 0 {
			return nil, fail(RuntimeError, CodeArgument, "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes=%s", shapeText(sizes))
		}
		sum += s
	}
	if sum != t.sizes[d] {
		return nil, fail(RuntimeError, CodeArgument, "split_with_sizes expects split_sizes to sum exactly to %d (input tensor's size at dimension %d), but got split_sizes=%s", t.sizes[d], d, shapeText(sizes))
	}
	return cut(t, d, sizes), nil
}

// cut returns views of consecutive parts of t along d.
func cut(t *Tensor, d int, sizes []int) []*Tensor {
	parts := make([]*Tensor, len(sizes))
	at := t.offset
	for i, s := range sizes {
		parts[i] = t.shallow(replaced(t.sizes, d, s), t.strides, at)
		at += s * t.strides[d]
	}
	return parts
}

// withOwnVersions makes views that autograd treats as independent tensors.
func withOwnVersions(parts []*Tensor, err error) ([]*Tensor, error) {
	for _, p := range parts {
		p.version = new(counter)
	}
	return parts, err
}

func chunked(a *Args, split, splitWithSizes *Operator) ([]*Tensor, error) {
	t, chunks, dim := a.Self(), a.Int("chunks"), Kw("dim", a.Int("dim"))
	if t.Dim() == 0 {
		return nil, fail(RuntimeError, CodeShape, "chunk expects at least a 1-dimensional tensor")
	}
	if chunks <= 0 {
		return nil, fail(RuntimeError, CodeArgument, "chunk expects `chunks` to be greater than 0, got: %d", chunks)
	}
	d, err := wrapDim(a.Int("dim"), t.Dim())
	if err != nil {
		return nil, err
	}
	size := (t.sizes[d] + chunks - 1) / chunks
	if size == 0 {
		listable(chunks, tensorBytes)
		return splitWithSizes.list([]Option{dim}, t, make([]int, chunks))
	}
	return split.list([]Option{dim}, t, size)
}

// allGrads returns the gradients of all results, with zeros for undefined ones.
func (c *Ctx) allGrads() []*Tensor {
	grads := make([]*Tensor, len(c.grads))
	for i := range grads {
		grads[i] = c.GradOrZeros(i)
	}
	return grads
}

func catGrads(c *Ctx) *Tensor { return Cat(c.allGrads(), Kw("dim", c.Args().Int("dim"))) }

func splitDim(t *Tensor, dim int) (int, *Error) {
	if t.Dim() == 0 {
		return 0, fail(RuntimeError, CodeShape, "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims")
	}
	return wrapDim(dim, t.Dim())
}

// slicesUpTo returns slices that end at the given positions.
func slicesUpTo(t *Tensor, d int, ends []int) []*Tensor {
	parts := make([]*Tensor, len(ends))
	start := 0
	for i, end := range ends {
		parts[i] = t.slice(d, start, end, 1)
		start = end
	}
	return parts
}

// splitAlong is tensor_split for tensors of at least the given rank: hsplit
// splits columns, or the elements of a vector; vsplit splits rows; dsplit
// splits depth.
func splitAlong(a *Args, name string, rank int) ([]*Tensor, error) {
	t := a.Self()
	if t.Dim() < rank {
		return nil, fail(RuntimeError, CodeShape, "torch.%s requires a tensor with at least %d dimension, but got a tensor with %d dimensions!", name, rank, t.Dim())
	}
	d := [...]int{1, 0, 2}[rank-1]
	if t.Dim() == 1 {
		d = 0
	}
	dim := Kw("dim", d)
	if a.op.param("indices") >= 0 {
		return t.TensorSplit(a.Ints("indices"), dim)
	}
	n := a.Int("sections")
	if n != 0 && t.sizes[d]%n == 0 {
		return t.TensorSplit(n, dim)
	}
	return nil, fail(RuntimeError, CodeShape, "torch.%s attempted to split along dimension %d, but the size of the dimension %d is not divisible by the split_size %d!", name, d, t.sizes[d], n)
}
