package autograd

// matmul, and operators composed of products.

var matmulOps = []Op{
	{
		Schema:   "matmul(Tensor self, Tensor other) -> Tensor",
		OutDType: expectedOutDType, Aliases: "__matmul__ linalg_matmul", Predicted: ByValues,
		Compose: func(a *Args) ([]*Tensor, error) { return matmul(a.Self(), a.Tensor("other")) },
	},
	{
		Schema: "__rmatmul__(Tensor self, Tensor other) -> Tensor", Predicted: ByValues,
		Compose: func(a *Args) ([]*Tensor, error) { return matmul(a.Tensor("other"), a.Self()) },
	},
	{
		Schema: "outer(Tensor self, Tensor vec2) -> Tensor", Aliases: "ger", Predicted: ByValues,
		Compose: func(a *Args) ([]*Tensor, error) {
			x, y := a.Self(), a.Tensor("vec2")
			switch {
			case len(x.sizes) != 1:
				return nil, fail(RuntimeError, CodeShape, "outer: Expected 1-D argument self, but got %d-D", len(x.sizes))
			case len(y.sizes) != 1:
				return nil, fail(RuntimeError, CodeShape, "outer: Expected 1-D argument vec2, but got %d-D", len(y.sizes))
			}
			return a.One(x.Reshape([]int{x.sizes[0], 1}).Mul(y))
		},
	},
	{
		Schema:   "inner(Tensor self, Tensor other) -> Tensor",
		OutDType: tensordotDType, Predicted: ByValues,
		Compose: func(a *Args) ([]*Tensor, error) {
			x, y := a.Self(), a.Tensor("other")
			switch {
			case len(x.sizes) == 0 || len(y.sizes) == 0:
				return a.One(x.Mul(y))
			case x.sizes[len(x.sizes)-1] != y.sizes[len(y.sizes)-1]:
				return nil, fail(RuntimeError, CodeShape, "inner() the last dimension must match on both input tensors but got shapes %s and %s", shapeText(x.sizes), shapeText(y.sizes))
			}
			return tensordot(x, y, []int{-1}, []int{-1})
		},
	},
	{
		Schema: "linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor", In: Functional, Predicted: ByValues,
		Compose: linearLayer,
	},
	{
		Schema:    "chain_matmul(Tensor[] matrices) -> Tensor",
		TakesRest: true,
		Compose: func(a *Args) ([]*Tensor, error) {
			warnOnce("./aten/src/ATen/native/LinearAlgebra.cpp:1107", "torch.chain_matmul is deprecated and will be removed in a future PyTorch release. Use torch.linalg.multi_dot instead, which accepts a list of two or more tensors rather than multiple parameters.")
			list := a.Tensors("matrices")
			for i, t := range list {
				if len(t.sizes) != 2 {
					return nil, fail(RuntimeError, CodeShape, "Expected 2-dimensional tensor, but got %d-dimensional tensor for argument #%d '<unknown>' (while checking arguments for chain_matmul)", len(t.sizes), i)
				}
			}
			switch len(list) {
			case 0:
				return nil, fail(RuntimeError, CodeArgument, "chain_matmul(): Expected one or more matrices")
			case 1:
				return a.One(list[0].Clone())
			}
			return multiDot(list)
		},
	},
	{
		Schema: "linalg_multi_dot(Tensor[] tensors) -> Tensor", In: Linalg,
		Compose: func(a *Args) ([]*Tensor, error) { return multiDot(a.Tensors("tensors")) },
	},
	{
		Schema: "kron(Tensor self, Tensor other) -> Tensor", In: Torch | Method,
		Compose: kron,
	},
	{
		Schema: "linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor", In: Linalg,
		Compose: func(a *Args) ([]*Tensor, error) {
			x, y := a.Tensor("x"), a.Tensor("y")
			return a.One(x.Mul(y).Sum(Dim(a.Int("dim"))))
		},
	},
}

// single wraps the result of a function that calls other operators, or returns
// its error.
func single(t *Tensor) ([]*Tensor, error) {
	if t.err != nil {
		return nil, t.err
	}
	return t.alone(), nil
}

// matmul chooses the product by the ranks of its operands (_matmul_impl).
func matmul(x, y *Tensor) ([]*Tensor, error) {
	switch rank, other := len(x.sizes), len(y.sizes); {
	case rank == 0 || other == 0:
		return nil, fail(RuntimeError, CodeShape, "both arguments to matmul need to be at least 1D, but they are %dD and %dD", rank, other)
	case rank == 1 && other == 1:
		return single(x.Dot(y))
	case rank == 2 && other == 1:
		return single(x.Mv(y))
	case rank == 1 && other == 2:
		row := x.Unsqueeze(0).Mm(y)
		if err := row.Squeeze_(Dim(0)); err != nil {
			return nil, err
		}
		return row.alone(), nil
	case rank == 2 && other == 2:
		return single(x.Mm(y))
	case foldable(x, y):
		return matmulFolded(x, y)
	}
	return matmulBatches(x, y)
}

// foldable reports whether the batch dimensions of the larger operand become
// rows of one matrix (should_fold): always if this avoids a gradient of the
// smaller operand for each element of the batch, otherwise if it needs no copy.
func foldable(x, y *Tensor) bool {
	large, small := x, y
	if len(x.sizes) < len(y.sizes) {
		large, small = y, x
	}
	if len(large.sizes) < 3 || len(small.sizes) > 2 {
		return false
	}
	if small.RequiresGrad() {
		return true
	}
	if len(x.sizes) == 2 {
		return false
	}
	if large.Numel() == 0 {
		return true
	}
	sizes, strides := large.sizes, large.strides
	if large == y { // y.mT
		n := len(sizes)
		sizes = append(append([]int(nil), sizes[:n-2]...), sizes[n-1], sizes[n-2])
		strides = append(append([]int(nil), strides[:n-2]...), strides[n-1], strides[n-2])
	}
	for d := range len(sizes) - 2 {
		if strides[d] != sizes[d+1]*strides[d+1] {
			return false
		}
	}
	return true
}

// matmulFolded multiplies all rows of the larger operand in one product.
func matmulFolded(x, y *Tensor) ([]*Tensor, error) {
	turned := len(y.sizes) > len(x.sizes)
	if turned {
		x, y = y.MT(), x
		if len(y.sizes) == 2 {
			y = y.T()
		}
	}
	if x.err != nil {
		return nil, x.err
	}
	last := len(x.sizes) - 1
	shape, rows := append([]int(nil), x.sizes[:last]...), numel(x.sizes[:last])
	folded := x.Reshape([]int{rows, x.sizes[last]})
	if len(y.sizes) != 2 {
		return single(folded.Mv(y).UnsafeView(shape))
	}
	out := folded.Mm(y).UnsafeView(append(shape, y.sizes[1]))
	if turned {
		out = out.MT().Contiguous()
	}
	return single(out)
}

// matmulBatches broadcasts the batch dimensions and multiplies with bmm.
func matmulBatches(x, y *Tensor) ([]*Tensor, error) {
	rank, other := len(x.sizes), len(y.sizes)
	if rank == 3 && other == 3 && x.sizes[0] != y.sizes[0] {
		if x.sizes[0] == 1 && x.RequiresGrad() {
			return matmul(x.Squeeze(Dim(0)), y)
		}
		if y.sizes[0] == 1 && y.RequiresGrad() {
			return matmul(x, y.Squeeze(Dim(0)))
		}
	}
	rows, inner := 1, x.sizes[rank-1]
	if rank > 1 {
		rows = x.sizes[rank-2]
	}
	right := y.sizes[max(other-2, 0):]
	batch, err := broadcastSizes(x.sizes[:max(rank-2, 0)], y.sizes[:max(other-2, 0)])
	if err != nil {
		return nil, err
	}
	n := numel(batch)
	shape := func(tail ...int) []int { return append(append([]int(nil), batch...), tail...) }
	x = x.Expand(shape(rows, inner)).Reshape([]int{n, rows, inner})
	y = y.Expand(shape(right...))
	if len(right) == 1 {
		y = y.Reshape([]int{n, right[0]}).Unsqueeze(2)
	} else {
		y = y.Reshape([]int{n, right[0], right[1]})
	}
	out := x.Bmm(y)
	var tail []int
	if rank > 1 {
		tail = append(tail, rows)
	}
	if other > 1 {
		tail = append(tail, right[1])
	} else {
		out = out.Squeeze(Dim(-1))
	}
	return single(out.UnsafeView(shape(tail...)))
}

// linearLayer computes input·weightᵀ + bias.
func linearLayer(a *Args) ([]*Tensor, error) {
	x, w, bias := a.Tensor("input"), a.Tensor("weight"), a.Tensor("bias")
	rank := len(x.sizes)
	switch {
	case rank == 0 || len(w.sizes) == 0:
		return nil, fail(RuntimeError, CodeShape, "both arguments to linear need to be at least 1D, but they are %dD and %dD", rank, len(w.sizes))
	case bias == nil:
		return matmul(x, w.T())
	case rank == 2:
		return single(bias.Addmm(x, w.T()))
	case x.flags&contiguousFlag != 0 && (rank == 3 || len(bias.sizes) == 1):
		rows, last := numel(x.sizes[:rank-1]), x.sizes[rank-1]
		out := bias.Addmm(x.Reshape([]int{rows, last}), w.T())
		if out.err != nil {
			return nil, out.err
		}
		return single(out.View(append(append([]int(nil), x.sizes[:rank-1]...), out.sizes[1])))
	}
	outs, err := matmul(x, w.T())
	if err != nil {
		return nil, err
	}
	if tangentOf(bias) != nil {
		return single(outs[0].Add(bias))
	}
	return outs, outs[0].Add_(bias)
}

// kron computes the Kronecker product.
func kron(a *Args) ([]*Tensor, error) {
	x, y := a.Self(), a.Tensor("other")
	n := max(len(x.sizes), len(y.sizes))
	left, right, out := make([]int, 2*n), make([]int, 2*n), make([]int, n)
	for d := range n {
		left[2*d], left[2*d+1], right[2*d], right[2*d+1] = 1, 1, 1, 1
		if at := d - n + len(x.sizes); at >= 0 {
			left[2*d] = x.sizes[at]
		}
		if at := d - n + len(y.sizes); at >= 0 {
			right[2*d+1] = y.sizes[at]
		}
		out[d] = left[2*d] * right[2*d+1]
	}
	return a.One(x.UnsafeView(left).Mul(y.UnsafeView(right)).UnsafeView(out))
}

// multiDot multiplies a chain of matrices in the cheapest order. The first and
// the last operand may be vectors.
func multiDot(list []*Tensor) ([]*Tensor, error) {
	n := len(list)
	if n < 2 {
		return nil, fail(RuntimeError, CodeArgument, "multi_dot(): expected at least 2 tensors but got %d", n)
	}
	chain := append([]*Tensor(nil), list...)
	var shape []int
	switch first := list[0]; len(first.sizes) {
	case 1:
		chain[0] = first.Unsqueeze(0)
	case 2:
		shape = append(shape, first.sizes[0])
	default:
		return nil, fail(RuntimeError, CodeShape, "multi_dot(): the first tensor must be 1D or 2D but got %dD", len(first.sizes))
	}
	switch last := list[n-1]; len(last.sizes) {
	case 1:
		chain[n-1] = last.Unsqueeze(-1)
	case 2:
		shape = append(shape, last.sizes[1])
	default:
		return nil, fail(RuntimeError, CodeShape, "multi_dot(): the last tensor must be 1D or 2D but got %dD", len(last.sizes))
	}
	for i := 1; i < n-1; i++ {
		if len(list[i].sizes) != 2 {
			return nil, fail(RuntimeError, CodeShape, "multi_dot(): tensor %d must be 2D but got %dD", i, len(list[i].sizes))
		}
	}
	for i := 1; i < n; i++ {
		if chain[i].dtype != chain[0].dtype {
			return nil, fail(RuntimeError, CodeDType, "multi_dot(): all tensors must have be the same dtype but tensor 0 is %s and tensor %d %s", cTypeNames[chain[0].dtype], i, cTypeNames[chain[i].dtype])
		}
		if chain[i-1].sizes[1] != chain[i].sizes[0] {
			return nil, fail(RuntimeError, CodeShape, "multi_dot(): tensors %d and %d with shapes %s and %s cannot be multiplied", i-1, i, shapeText(list[i-1].sizes), shapeText(list[i].sizes))
		}
	}
	return single(chainProduct(chain, chainOrder(chain), 0, n-1).View(shape))
}

// chainOrder finds the splits of the products of matrices i to j with the
// fewest multiplications. Among equal splits it takes the first; for three
// matrices it takes the last, which PyTorch tries first.
func chainOrder(chain []*Tensor) [][]int {
	n := len(chain)
	size := func(i int) int {
		if i == n {
			return chain[n-1].sizes[1]
		}
		return chain[i].sizes[0]
	}
	cost, split := make([][]int, n), make([][]int, n)
	for i := range n {
		cost[i], split[i] = make([]int, n), make([]int, n)
	}
	for span := 1; span < n; span++ {
		for i := 0; i+span < n; i++ {
			j := i + span
			best := -1
			for k := i; k < j; k++ {
				c := cost[i][k] + cost[k+1][j] + size(i)*size(k+1)*size(j+1)
				if best < 0 || c < best || c == best && n == 3 {
					best, split[i][j] = c, k
				}
			}
			cost[i][j] = best
		}
	}
	return split
}

func chainProduct(chain []*Tensor, split [][]int, i, j int) *Tensor {
	if i == j {
		return chain[i]
	}
	k := split[i][j]
	return chainProduct(chain, split, i, k).Mm(chainProduct(chain, split, k+1, j))
}
