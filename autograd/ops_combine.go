package autograd

// Matrices composed of vectors and other matrices: combinations, Cartesian
// products, powers, blocks.

var combineOps = []Op{
	{
		Schema: "block_diag(Tensor[] tensors) -> Tensor",
		Node:   "BlockDiagBackward0", TakesRest: true, JVP: linear, Forward: blockDiag,
		VJP: []Formula{{Input: "tensors", All: blockDiagBackward}},
	},
	{
		Schema:    "cartesian_prod(Tensor[] tensors) -> Tensor",
		TakesRest: true,
		Compose: func(a *Args) ([]*Tensor, error) {
			list := a.Tensors("tensors")
			for _, t := range list {
				if len(t.sizes) != 1 {
					return nil, fail(RuntimeError, CodeShape, "Expect a 1D vector, but got shape %s", shapeText(t.sizes))
				}
			}
			if len(list) == 1 {
				return list, nil
			}
			grids, err := meshgrid(list, true, "ij")
			if err != nil {
				return nil, err
			}
			for i, g := range grids {
				grids[i] = g.Flatten()
			}
			return single(Stack(grids, Dim(1)))
		},
	},
	{
		Schema:  "combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor",
		In:      Torch,
		Compose: combinations,
	},
	{
		Schema:  "vander(Tensor x, int? N=None, bool increasing=False) -> Tensor",
		Compose: vander,
	},
}

// blockSizes returns the rows and columns of a block. A vector is a row.
func blockSizes(sizes []int) (rows, cols int) {
	rows, cols = 1, 1
	switch len(sizes) {
	case 1:
		cols = sizes[0]
	case 2:
		rows, cols = sizes[0], sizes[1]
	}
	return rows, cols
}

func blockDiag(a *Args) ([]*Tensor, error) {
	list := a.Tensors("tensors")
	rows, cols := 0, 0
	var shapes [][]int
	for i, t := range list {
		if len(t.sizes) > 2 {
			return nil, fail(RuntimeError, CodeShape, "torch.block_diag: Input tensors must have 2 or fewer dimensions. Input %d has %d dimensions", i, len(t.sizes))
		}
		r, c := blockSizes(t.sizes)
		rows, cols = rows+r, cols+c
		shapes = append(shapes, t.sizes)
	}
	a.Extra = shapes
	if len(list) == 0 {
		return a.One(alloc(defaultDType, []int{1, 0}))
	}
	out := alloc(resultType(list...), []int{rows, cols})
	row, col := 0, 0
	for _, t := range list {
		r, c := blockSizes(t.sizes)
		block := out.shallow([]int{r, c}, out.strides, row*out.strides[0]+col*out.strides[1])
		if r*c > 0 {
			copyData(block, t)
		}
		row, col = row+r, col+c
	}
	return a.One(out)
}

// blockDiagBackward is block_diag_backward: it returns the blocks of the
// gradient.
func blockDiagBackward(c *Ctx) []*Tensor {
	shapes := c.Args().Extra.([][]int)
	grads := make([]*Tensor, len(shapes))
	row, col := 0, 0
	for i, sizes := range shapes {
		r, n := blockSizes(sizes)
		if c.Grad() != nil {
			g := c.Grad().slice(0, row, row+r, 1).slice(1, col, col+n, 1)
			for range 2 - len(sizes) {
				g = g.Squeeze(Dim(0))
			}
			grads[i] = g
		}
		row, col = row+r, col+n
	}
	return grads
}

// combinations returns the r-element subsets of a vector, in order.
func combinations(a *Args) ([]*Tensor, error) {
	t, r := a.Self(), a.Int("r")
	switch {
	case len(t.sizes) != 1:
		return nil, fail(RuntimeError, CodeShape, "Expect a 1D vector, but got shape %s", shapeText(t.sizes))
	case r < 0:
		return nil, fail(RuntimeError, CodeArgument, "Expect a non-negative number, but got %d", r)
	case r == 0:
		return []*Tensor{alloc(t.dtype, []int{0})}, nil
	}
	listable(r, 8)
	vectors, indices := make([]*Tensor, r), make([]*Tensor, r)
	for i := range r {
		vectors[i], indices[i] = t, Arange(t.sizes[0])
	}
	grids, err := meshgrid(vectors, true, "ij")
	if err != nil {
		return nil, err
	}
	order, err := meshgrid(indices, true, "ij")
	if err != nil {
		return nil, err
	}
	mask := filled(grids[0].sizes, Bool, 1)
	for i := 1; i < r; i++ {
		if a.Bool("with_replacement") {
			mask = mask.LogicalAnd(order[i-1].Le(order[i]))
		} else {
			mask = mask.LogicalAnd(order[i-1].Lt(order[i]))
		}
	}
	for i := range grids {
		grids[i] = grids[i].MaskedSelect(mask)
	}
	return single(Stack(grids, Dim(1)))
}

// vander returns the Vandermonde matrix: the powers of each element.
func vander(a *Args) ([]*Tensor, error) {
	x := a.Tensor("x")
	if len(x.sizes) != 1 {
		return nil, fail(RuntimeError, CodeShape, "x must be a one-dimensional tensor.")
	}
	n := x.sizes[0]
	if a.Has("N") {
		n = a.Int("N")
	}
	if n < 0 {
		return nil, fail(RuntimeError, CodeArgument, "N must be non-negative.")
	}
	sizes := []int{x.sizes[0], n}
	if err := checkSizes(sizes); err != nil {
		return nil, err
	}
	powers := filled(sizes, x.dtype, 0)
	if n > 0 {
		if err := powers.Select(1, 0).Fill_(1); err != nil {
			return nil, err
		}
	}
	if n > 1 {
		beyond := func() *Tensor { return powers.slice(1, 1, n, 1) }
		if err := beyond().Copy_(x.Unsqueeze(1)); err != nil {
			return nil, err
		}
		if err := beyond().Copy_(beyond().Cumprod(1)); err != nil {
			return nil, err
		}
	}
	if a.Bool("increasing") {
		return single(powers)
	}
	return single(powers.Flip([]int{1}))
}
