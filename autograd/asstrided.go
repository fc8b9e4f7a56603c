package autograd

import "slices"

// asStridedBackward adds each element of the gradient to the element of the
// input that has the same position in the storage (as_strided_backward and the
// notes there in FunctionsManual.cpp, PyTorch 2.6).
func asStridedBackward(c *Ctx) *Tensor {
	a, g := c.Args(), c.Grad()
	from := a.Extra.(geometry)
	in := from.sizes
	size, stride, offset := a.Ints("size"), a.Ints("stride"), a.intOr("storage_offset", from.offset)
	if slices.Contains(size, 0) || slices.Contains(in, 0) {
		return atZeros(g.dtype, in)
	}
	var sizes, strides []int
	for d := len(size) - 1; d >= 0; d-- {
		switch {
		case size[d] == 1:
			g = g.Squeeze(Dim(d))
		case stride[d] == 0:
			g = g.Sum(Dim(d))
		default:
			sizes, strides = inserted(sizes, 0, size[d]), inserted(strides, 0, stride[d])
		}
	}
	shared := min(offset, from.offset)
	outAt, inAt := offset-shared, from.offset-shared
	outShared, inShared := mayOverlap(sizes, strides), mayOverlap(in, from.strides)
	storage := alloc(g.dtype, []int{max(extent(in, from.strides)+inAt, extent(sizes, strides)+outAt)})
	var err error
	if outShared {
		err = storage.IndexAdd_(0, placesTensor(sizes, strides, outAt), g.Reshape([]int{-1}))
	} else {
		err = storage.AsStrided(sizes, strides, Kw("storage_offset", outAt)).Copy_(g)
	}
	if err == nil && inShared {
		// Elements that share a position share its gradient.
		count := alloc(g.dtype, storage.sizes)
		index := placesTensor(in, from.strides, inAt)
		if err = count.IndexAdd_(0, index, filled(index.sizes, g.dtype, 1)); err == nil {
			err = storage.Div_(count)
		}
	}
	if err != nil {
		return errTensor(err)
	}
	return storage.AsStrided(in, from.strides, Kw("storage_offset", inAt))
}

// placesTensor returns the positions of the elements as an index tensor.
func placesTensor(sizes, strides []int, offset int) *Tensor {
	places := (&Tensor{sizes: sizes, strides: strides, offset: offset}).places()
	t := alloc(Int64, []int{len(places)})
	for i, p := range places {
		t.st.other.i64[i] = int64(p)
	}
	return t
}

// extent returns how many elements of memory the tensor spans.
func extent(sizes, strides []int) int {
	n := 1
	for d, s := range sizes {
		n += (s - 1) * strides[d]
	}
	return n
}

// mayOverlap reports whether two elements might have the same position. It may
// report true for a tensor without overlap, never false for one with overlap.
// Dimensions of size 1 do not count.
func mayOverlap(sizes, strides []int) bool {
	order := make([]int, 0, len(sizes))
	for d, s := range sizes {
		if s != 1 {
			order = append(order, d)
		}
	}
	slices.SortStableFunc(order, func(x, y int) int { return strides[x] - strides[y] })
	last := 0
	for _, d := range order {
		if strides[d] <= last {
			return true
		}
		last += strides[d] * (sizes[d] - 1)
	}
	return false
}

// allocExtent makes a tensor with the given strides, which may leave gaps in
// its memory (new_empty_strided).
func allocExtent(d DType, sizes, strides []int) *Tensor {
	t := alloc(d, []int{extentLength(d, sizes, strides)})
	t.setGeometry(sizes, strides, 0)
	return t
}
