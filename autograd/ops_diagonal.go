package autograd

import "slices"

// diagonalOps extract, fill and cut along diagonals.
var diagonalOps = []Op{
	{
		Schema: "diagonal(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor", Views: OneView,
		Node: "DiagonalBackward0", Attrs: "dim1 dim2 offset self_sym_sizes", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			d, err := diagonalOf(a.Self(), a.Int("offset"), a.Int("dim1"), a.Int("dim2"))
			if err != nil {
				return nil, err
			}
			return a.view(d.sizes, d.strides, d.offset)
		},
		VJP: []Formula{{Input: "self", Of: diagonalVJP}},
	},
	{
		Schema: "linalg_diagonal(Tensor A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor", In: Linalg,
		Compose: func(a *Args) ([]*Tensor, error) {
			return single(a.Tensor("A").Diagonal(Kw("offset", a.Int("offset")), Kw("dim1", a.Int("dim1")), Kw("dim2", a.Int("dim2"))))
		},
	},
	{
		Schema: "diagonal_copy(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor", In: Torch,
		Node: "DiagonalBackward0_copy", Attrs: "dim1 dim2 offset self_sym_sizes", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			d, err := diagonalOf(a.Self(), a.Int("offset"), a.Int("dim1"), a.Int("dim2"))
			if err != nil {
				return nil, err
			}
			out := alloc(d.dtype, d.sizes)
			copyData(out, d)
			return a.One(out)
		},
		VJP: []Formula{{Input: "self", Of: diagonalVJP}},
	},
	{
		Schema: "diagonal_backward(Tensor grad_output, int[] input_sizes, int offset, int dim1, int dim2) -> Tensor", In: Hidden,
		Node: "DiagonalBackwardBackward0", Attrs: "dim1 dim2 offset", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			out := alloc(a.Self().dtype, a.Ints("input_sizes"))
			d, err := diagonalOf(out, a.Int("offset"), a.Int("dim1"), a.Int("dim2"))
			if err != nil {
				return nil, err
			}
			copyData(d, a.Self())
			return a.One(out)
		},
		VJP: []Formula{{Input: "grad_output", Of: diagonalOfGrad}},
	},
	{
		Schema: "diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor",
		Node:   "DiagEmbedBackward0", Attrs: "dim1 dim2 offset", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return diagEmbed(a, a.Int("offset"), a.Int("dim1"), a.Int("dim2")) },
		VJP:     []Formula{{Input: "self", Of: diagonalOfGrad}},
	},
	{
		Schema:   "diag(Tensor self, int diagonal=0) -> Tensor",
		OutDType: expectedOutDType,
		Compose: func(a *Args) ([]*Tensor, error) {
			t, offset := a.Self(), Kw("offset", a.Int("diagonal"))
			switch t.Dim() {
			case 1:
				return a.One(t.DiagEmbed(offset))
			case 2:
				return a.One(t.DiagonalCopy(offset))
			}
			return nil, fail(RuntimeError, CodeShape, "diag(): Supports 1D or 2D tensors. Got %dD", t.Dim())
		},
	},
	{
		Schema: "diagflat(Tensor self, int offset=0) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) {
			return a.One(a.Self().Contiguous().View([]int{-1}).Diag(Kw("diagonal", a.Int("offset"))))
		},
	},
	{
		Schema: "tril(Tensor self, int diagonal=0) -> Tensor", InPlace: true, Overlap: OverlapAllowed, OutDType: expectedOutDType,
		Node: "TrilBackward0", Predicted: ByValues, Attrs: "diagonal", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			k := a.Int("diagonal")
			return triangle(a, "tril", func(i, j int) bool { return j <= i+k })
		},
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad().Tril(Kw("diagonal", c.Args().Int("diagonal"))) }}},
	},
	{
		Schema: "triu(Tensor self, int diagonal=0) -> Tensor", InPlace: true, Overlap: OverlapAllowed, OutDType: expectedOutDType,
		Node: "TriuBackward0", Predicted: ByValues, Attrs: "diagonal", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			k := a.Int("diagonal")
			return triangle(a, "triu", func(i, j int) bool { return j >= i+k })
		},
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad().Triu(Kw("diagonal", c.Args().Int("diagonal"))) }}},
	},
	{
		Schema: "fill_diagonal_(Tensor self, Scalar fill_value, bool wrap=False) -> Tensor", In: Method,
		Compose: func(a *Args) ([]*Tensor, error) { return fillDiagonal(a, a.Scalar("fill_value"), a.Bool("wrap")) },
	},
}

func diagonalVJP(c *Ctx) *Tensor {
	a := c.Args()
	return c.Grad().DiagonalBackward(c.Shape("self"), a.Int("offset"), a.Int("dim1"), a.Int("dim2"))
}

func diagonalOfGrad(c *Ctx) *Tensor {
	a := c.Args()
	return c.Grad().Diagonal(Kw("offset", a.Int("offset")), Kw("dim1", a.Int("dim1")), Kw("dim2", a.Int("dim2")))
}

// diagonalOf returns a view of the diagonal of two dimensions of t, in a new
// last dimension.
func diagonalOf(t *Tensor, offset, dim1, dim2 int) (*Tensor, *Error) {
	d1, err := wrapDim(dim1, t.Dim())
	if err != nil {
		return nil, err
	}
	d2, err := wrapDim(dim2, t.Dim())
	if err != nil {
		return nil, err
	}
	if d1 == d2 {
		return nil, fail(RuntimeError, CodeArgument, "diagonal dimensions cannot be identical %d, %d", dim1, dim2)
	}
	var n, at int
	if offset >= 0 {
		n, at = max(min(t.sizes[d1], t.sizes[d2]-offset), 0), offset*t.strides[d2]
	} else {
		n, at = max(min(t.sizes[d1]+offset, t.sizes[d2]), 0), -offset*t.strides[d1]
	}
	if n == 0 {
		at = 0
	}
	first, second := max(d1, d2), min(d1, d2)
	sizes := append(without(without(t.sizes, first), second), n)
	strides := append(without(without(t.strides, first), second), t.strides[d1]+t.strides[d2])
	return t.part(sizes, strides, t.offset+at), nil
}

func diagEmbed(a *Args, offset, dim1, dim2 int) ([]*Tensor, error) {
	t := a.Self()
	d1, err := wrapDim(dim1, t.Dim()+1)
	if err != nil {
		return nil, err
	}
	d2, err := wrapDim(dim2, t.Dim()+1)
	if err != nil {
		return nil, err
	}
	if d1 == d2 {
		return nil, fail(RuntimeError, CodeArgument, "diagonal dimensions cannot be identical %d, %d", dim1, dim2)
	}
	n := t.sizes[t.Dim()-1] + max(offset, -offset)
	sizes := slices.Insert(slices.Clone(t.sizes[:t.Dim()-1]), min(d1, d2), n)
	sizes = slices.Insert(sizes, max(d1, d2), n)
	if err := checkSizes(sizes); err != nil {
		return nil, err
	}
	out := alloc(t.dtype, sizes)
	d, err := diagonalOf(out, offset, d1, d2)
	if err != nil {
		return nil, err
	}
	copyData(d, t)
	return a.One(out)
}

// triangle keeps the elements for which keep(row, column) holds and zeroes the
// others, in each matrix.
func triangle(a *Args, name string, keep func(i, j int) bool) ([]*Tensor, error) {
	t := a.Self()
	n := t.Dim()
	if n < 2 {
		return nil, fail(RuntimeError, CodeShape, "%s: input tensor must have at least 2 dimensions", name)
	}
	out := alloc(t.dtype, t.sizes)
	copyData(out, t)
	rows, columns := t.sizes[n-2], t.sizes[n-1]
	zero := FloatScalar(0)
	for p := range out.Numel() {
		if !keep(p/columns%rows, p%columns) {
			out.setElement(p, zero)
		}
	}
	return a.One(out)
}

func fillDiagonal(a *Args, value Scalar, wrap bool) ([]*Tensor, error) {
	t := a.Self()
	n := t.Dim()
	if n < 2 {
		return nil, fail(RuntimeError, CodeShape, "dimensions must larger than 1")
	}
	if n > 2 {
		for _, s := range t.sizes {
			if s != t.sizes[0] {
				return nil, fail(RuntimeError, CodeShape, "all dimensions of input must be of equal length")
			}
		}
	}
	rows, columns, stride := t.sizes[0], t.sizes[1], 0
	for _, s := range t.strides {
		stride += s
	}
	fill := func(size, offset int) error {
		return t.AsStrided([]int{size}, []int{stride}, Kw("storage_offset", offset)).Fill_(value)
	}
	size := min(rows, columns)
	if err := fill(size, t.offset); err != nil {
		return nil, err
	}
	// In a tall matrix the diagonal wraps around, one row below its end.
	if wrap && n == 2 && rows > columns+1 {
		again := (t.Numel()+columns)/(columns+1) - size
		if err := fill(again, t.offset+t.strides[0]*(columns+1)); err != nil {
			return nil, err
		}
	}
	return []*Tensor{t}, nil
}
