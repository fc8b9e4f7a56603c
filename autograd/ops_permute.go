package autograd

import (
	"slices"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

// permuteOps change the order of dimensions.
var permuteOps = []Op{
	{
		Schema: "transpose.int(Tensor self, int dim0, int dim1) -> Tensor", Aliases: "swapaxes swapdims", Views: OneView, InPlace: true,
		Node: "TransposeBackward0", InPlaceNode: "TransposeBackward1", Attrs: "dim0 dim1", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return a.swapped(a.Int("dim0"), a.Int("dim1")) },
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor {
			return c.Grad().Transpose(c.Args().Int("dim0"), c.Args().Int("dim1"))
		}}},
	},
	{
		Schema: "t(Tensor self) -> Tensor", Views: OneView, InPlace: true,
		Node: "TBackward0", InPlaceNode: "TBackward1", Certain: true, JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			if n := a.Self().Dim(); n > 2 {
				return nil, fail(RuntimeError, CodeShape, "%s() expects a tensor with <= 2 dimensions, but self is %dD", a.name, n)
			} else if n < 2 {
				return a.swapped(0, 0)
			}
			return a.swapped(0, 1)
		},
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad().T() }}},
	},
	{
		Schema: "permute(Tensor self, int[] dims) -> Tensor", Views: OneView,
		Node: "PermuteBackward0", Attrs: "dims", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			t, dims := a.Self(), a.Ints("dims")
			order, err := permutation(t, dims)
			if err != nil {
				return nil, err
			}
			return a.view(permuted(t.sizes, order), permuted(t.strides, order), t.offset)
		},
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor {
			dims := c.Args().Ints("dims")
			inverse := make([]int, len(dims))
			for i, d := range dims {
				if d < 0 {
					d += len(dims)
				}
				inverse[d] = i
			}
			return c.Grad().Permute(inverse)
		}}},
	},
	{
		Schema: "movedim.intlist(Tensor self, int[1] source, int[1] destination) -> Tensor", Aliases: "moveaxis",
		Compose: func(a *Args) ([]*Tensor, error) { return moveDims(a, a.Ints("source"), a.Ints("destination")) },
	},
	{
		// x.T permutes the dimensions, unlike t().
		Schema: "numpy_T(Tensor self) -> Tensor", In: Property, Go: "-", Aliases: "T",
		Compose: func(a *Args) ([]*Tensor, error) {
			n := a.Self().Dim()
			switch n {
			case 0:
				warnOnce("./aten/src/ATen/native/TensorShape.cpp:3733", "Tensor.T is deprecated on 0-D tensors. This function is the identity in these cases.")
			case 2:
			default:
				warnOnce("./aten/src/ATen/native/TensorShape.cpp:3725", "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will throw an error in a future release. Consider `x.mT` to transpose batches of matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a tensor.")
			}
			dims := make([]int, n)
			for i := range dims {
				dims[i] = n - 1 - i
			}
			return a.One(a.Self().Permute(dims))
		},
	},
	{
		Schema: "mT(Tensor self) -> Tensor", In: Property, Go: "MT",
		Compose: func(a *Args) ([]*Tensor, error) {
			return matrixTranspose(a, "tensor.mT", "Tensor.mT is deprecated on 0-D tensors. This function is the identity in these cases.")
		},
	},
	{
		Schema: "mH(Tensor self) -> Tensor", In: Property, Go: "MH",
		Compose: func(a *Args) ([]*Tensor, error) {
			return matrixTranspose(a, "tensor.mH", "Tensor.mH is deprecated on 0-D tensors. Consider using x.conj().")
		},
	},
	{
		Schema: "adjoint(Tensor self) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) {
			return matrixTranspose(a, "tensor.adjoint()", "adjoint() is deprecated on 0-D tensors. Consider using x.conj().")
		},
	},
	{
		Schema: "H(Tensor self) -> Tensor", In: Property, Go: "H",
		Compose: func(a *Args) ([]*Tensor, error) {
			switch n := a.Self().Dim(); n {
			case 0, 2:
			case 1:
				return nil, fail(RuntimeError, CodeShape, "tensor.H is only supported on matrices (2-D tensors). Got 1-D tensor.")
			default:
				return nil, fail(RuntimeError, CodeShape, "tensor.H is only supported on matrices (2-D tensors). Got %d-D tensor. For batches of matrices, consider using tensor.mH", n)
			}
			return matrixTranspose(a, "tensor.H", "Tensor.H is deprecated on 0-D tensors. Consider using x.conj().")
		},
	},
	{
		Schema: "flip(Tensor self, int[] dims) -> Tensor", Node: "FlipBackward0", Attrs: "dims", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return flipped(a, a.Ints("dims")) },
		VJP:     []Formula{{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad().Flip(c.Args().Ints("dims")) }}},
	},
	{
		Schema: "fliplr(Tensor self) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) {
			if a.Self().Dim() < 2 {
				return nil, fail(RuntimeError, CodeShape, "Input must be >= 2-d.")
			}
			return a.One(a.Self().Flip([]int{1}))
		},
	},
	{
		Schema: "flipud(Tensor self) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) {
			if a.Self().Dim() < 1 {
				return nil, fail(RuntimeError, CodeShape, "Input must be >= 1-d.")
			}
			return a.One(a.Self().Flip([]int{0}))
		},
	},
	{
		Schema: "rot90(Tensor self, int k=1, int[] dims=[0,1]) -> Tensor", Node: "Rot90Backward0", Attrs: "dims k", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return rotated(a, a.Int("k"), a.Ints("dims")) },
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor {
			return c.Grad().Rot90(Kw("k", -c.Args().Int("k")), Kw("dims", c.Args().Ints("dims")))
		}}},
	},
	{
		Schema: "roll(Tensor self, int[1] shifts, int[1] dims=[]) -> Tensor", Node: "RollBackward0", Attrs: "dims shifts", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return rolled(a, a.Ints("shifts"), a.Ints("dims")) },
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor {
			shifts, dims := slices.Clone(c.Args().Ints("shifts")), slices.Clone(c.Args().Ints("dims"))
			for i := range shifts {
				shifts[i] = -shifts[i]
			}
			slices.Reverse(shifts)
			slices.Reverse(dims)
			return c.Grad().Roll(shifts, Kw("dims", dims))
		}}},
	},
}

// swapped returns self with two dimensions exchanged.
func (a *Args) swapped(d0, d1 int) ([]*Tensor, error) {
	t := a.Self()
	d0, err := wrapDim(d0, t.Dim())
	if err != nil {
		return nil, err
	}
	if d1, err = wrapDim(d1, t.Dim()); err != nil {
		return nil, err
	}
	if d0 == d1 {
		return a.view(t.sizes, t.strides, t.offset)
	}
	n := len(t.sizes)
	both := make([]int, 2*n)
	sizes, strides := both[:n:n], both[n:]
	copy(sizes, t.sizes)
	copy(strides, t.strides)
	sizes[d0], sizes[d1] = sizes[d1], sizes[d0]
	strides[d0], strides[d1] = strides[d1], strides[d0]
	return a.view(sizes, strides, t.offset)
}

// permutation checks an order of the dimensions of t and makes its entries
// non-negative.
func permutation(t *Tensor, dims []int) ([]int, *Error) {
	if len(dims) != t.Dim() {
		return nil, fail(RuntimeError, CodeShape, "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = %d is not equal to len(dims) = %d", t.Dim(), len(dims))
	}
	order := make([]int, len(dims))
	for i, d := range dims {
		d, err := wrapDim(d, len(dims))
		if err != nil {
			return nil, err
		}
		if slices.Contains(order[:i], d) {
			return nil, fail(RuntimeError, CodeArgument, "permute(): duplicate dims are not allowed.")
		}
		order[i] = d
	}
	return order, nil
}

func moveDims(a *Args, from, to []int) ([]*Tensor, error) {
	t := a.Self()
	n := t.Dim()
	if len(from) != len(to) {
		return nil, fail(RuntimeError, CodeArgument, "movedim: Invalid source or destination dims: source (%s dims) should contain the same number of dims as destination (%s dims)", shapeText(from), shapeText(to))
	}
	wrapped := [2][]int{}
	for k, dims := range [2][]int{from, to} {
		for _, d := range dims {
			d, err := wrapDim(d, n)
			if err != nil {
				return nil, err
			}
			wrapped[k] = append(wrapped[k], d)
		}
	}
	for k, which := range [2]string{"source", "destination"} {
		for i, d := range wrapped[k] {
			if slices.Contains(wrapped[k][:i], d) {
				return nil, fail(RuntimeError, CodeArgument, "movedim: repeated dim in `%s` (%s)", which, shapeText([2][]int{from, to}[k]))
			}
		}
	}
	if n == 0 {
		return a.One(t.Alias())
	}
	order := make([]int, n)
	rest := 0
	for i := range order {
		if at := slices.Index(wrapped[1], i); at >= 0 {
			order[i] = wrapped[0][at]
			continue
		}
		for slices.Contains(wrapped[0], rest) {
			rest++
		}
		order[i] = rest
		rest++
	}
	return a.One(t.Permute(order))
}

// matrixTranspose exchanges the last two dimensions.
func matrixTranspose(a *Args, name, deprecated string) ([]*Tensor, error) {
	t := a.Self()
	switch t.Dim() {
	case 0:
		warnOnce("./aten/src/ATen/native/TensorShape.cpp:3774", deprecated)
		return []*Tensor{t}, nil
	case 1:
		return nil, fail(RuntimeError, CodeShape, "%s is only supported on matrices or batches of matrices. Got 1-D tensor.", name)
	}
	return a.One(t.Transpose(-2, -1))
}

// flipped returns a copy with the elements in reverse order along dims.
func flipped(a *Args, dims []int) ([]*Tensor, error) {
	t := a.Self()
	picked := make([]bool, t.Dim())
	if len(dims) > 0 {
		var err *Error
		if picked, err = wrapDims(dims, t.Dim()); err != nil {
			return nil, err
		}
	}
	strides := slices.Clone(t.strides)
	offset := t.offset
	for d := range strides {
		if picked[d] && t.sizes[d] > 0 {
			offset += (t.sizes[d] - 1) * strides[d]
			strides[d] = -strides[d]
		}
	}
	out := allocPreserving(t)
	moveBlocks(out, t, &kernel.Blocks{
		DstBlock: out.places(), SrcBlock: kernel.Places(t.sizes, strides, offset),
		DstElement: kernel.Single, SrcElement: kernel.Single,
	})
	return a.One(out)
}

// allocPreserving makes a tensor of zeros like t: with t's strides if t is
// dense, otherwise with contiguous strides in the order of t's strides
// (empty_like).
func allocPreserving(t *Tensor) *Tensor { return allocPreservingAs(t, t.dtype) }

func allocPreservingAs(t *Tensor, d DType) *Tensor {
	switch {
	case rowMajor(t.sizes, t.strides):
		return alloc(d, t.sizes)
	case isDense(t.sizes, t.strides):
		return allocStridedAs(t, d)
	}
	return allocLaidOut(d, t.sizes, layoutOf(t.sizes, []*Tensor{t}))
}

func rotated(a *Args, k int, dims []int) ([]*Tensor, error) {
	t := a.Self()
	n := t.Dim()
	switch {
	case len(dims) != 2:
		return nil, fail(RuntimeError, CodeArgument, "expected total rotation dims == 2, but got dims = %d", len(dims))
	case n < 2:
		return nil, fail(RuntimeError, CodeShape, "expected total dims >= 2, but got total dims = %d", n)
	case dims[0] == dims[1] || max(dims[0]-dims[1], dims[1]-dims[0]) == n:
		return nil, fail(RuntimeError, CodeArgument, "expected rotation dims to be different, but got dim0 = %d and dim1 = %d", dims[0], dims[1])
	}
	for i, d := range dims {
		if d < -n || d >= n {
			return nil, fail(RuntimeError, CodeIndex, "Rotation dim%d out of range, dim%d = %d", i, i, d)
		}
	}
	turned := dims[1:] // a quarter turn: flip one dimension, then transpose
	switch (k%4 + 4) % 4 {
	case 0:
		return a.One(copied(t, t.dtype))
	case 2:
		return flipped(a, dims)
	case 3:
		turned = dims[:1]
	}
	outs, err := flipped(a, turned)
	if err != nil {
		return nil, err
	}
	d0, d1 := (dims[0]+n)%n, (dims[1]+n)%n
	out := outs[0]
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	order[d0], order[d1] = d1, d0
	out.setGeometry(permuted(out.sizes, order), permuted(out.strides, order), out.offset)
	return a.One(out)
}

// setGeometry changes the sizes, strides and offset of t, in place.
func (t *Tensor) setGeometry(sizes, strides []int, offset int) {
	t.sizes, t.strides, t.offset = sizes, strides, offset
	t.flags &^= contiguousFlag
	if isContiguous(sizes, strides) {
		t.flags |= contiguousFlag
	}
	recordReshaped(t)
}

func rolled(a *Args, shifts, dims []int) ([]*Tensor, error) {
	t := a.Self()
	switch {
	case len(shifts) == 0:
		return nil, fail(RuntimeError, CodeArgument, "`shifts` required")
	case len(dims) == 0 && len(shifts) == 1:
		n := t.Numel()
		if n == 0 {
			return a.One(copied(t, t.dtype))
		}
		rows := contiguous(t)
		out := rolledOnce(&Tensor{st: rows.st, sizes: []int{n}, strides: unitStride, offset: rows.offset, dtype: t.dtype}, shifts[0], 0)
		out.setGeometry(t.sizes, contiguousStrides(t.sizes), 0)
		return a.One(out)
	case len(shifts) != len(dims):
		return nil, fail(RuntimeError, CodeArgument, "shifts and dimensions must align. shifts: %d, dims:%d", len(shifts), len(dims))
	}
	for i, d := range dims {
		if t.Dim() == 0 {
			return nil, noDimensions(d)
		}
		d, err := wrapDim(d, t.Dim())
		if err != nil {
			return nil, err
		}
		if t.Numel() == 0 {
			return a.One(copied(t, t.dtype))
		}
		t = rolledOnce(t, shifts[i], d)
	}
	return a.One(t)
}

// rolledOnce returns a copy with the elements shifted along a dimension.
func rolledOnce(t *Tensor, shift, d int) *Tensor {
	out := alloc(t.dtype, t.sizes)
	n := t.sizes[d]
	start := ((n-shift)%n + n) % n
	move := func(from, to, count int) {
		sizes := replaced(t.sizes, d, count)
		copyData(
			&Tensor{st: out.st, sizes: sizes, strides: out.strides, offset: to * out.strides[d], dtype: t.dtype},
			&Tensor{st: t.st, sizes: sizes, strides: t.strides, offset: t.offset + from*t.strides[d], dtype: t.dtype})
	}
	move(start, 0, n-start)
	move(0, n-start, start)
	return out
}
