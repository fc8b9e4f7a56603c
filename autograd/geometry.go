package autograd

// This file computes the sizes and strides of views.

// inferSize replaces a -1 in a shape so that the shape has n elements.
func inferSize(shape []int, n int) ([]int, *Error) {
	sizes := append([]int(nil), shape...)
	infer, known := -1, 1
	for d, s := range sizes {
		switch {
		case s == -1 && infer >= 0:
			return nil, fail(RuntimeError, CodeShape, "only one dimension can be inferred")
		case s == -1:
			infer = d
		case s < 0:
			return nil, fail(RuntimeError, CodeShape, "invalid shape dimension %d", s)
		default:
			known *= s
		}
	}
	if infer >= 0 && known > 0 && n%known == 0 {
		sizes[infer] = n / known
		return sizes, nil
	}
	if infer < 0 && known == n {
		return sizes, nil
	}
	if infer >= 0 && known == 0 && n == 0 {
		return nil, fail(RuntimeError, CodeShape, "cannot reshape tensor of 0 elements into shape %s because the unspecified dimension size -1 can be any value and is ambiguous", shapeText(shape))
	}
	return nil, fail(RuntimeError, CodeShape, "shape '%s' is invalid for input of size %d", shapeText(shape), n)
}

// viewStrides returns strides that show a tensor's memory with another shape of
// the same number of elements (at::detail::computeStride). ok is false if the
// tensor has to be copied.
func viewStrides(t *Tensor, sizes []int) (strides []int, ok bool) {
	switch {
	case t.Numel() == 0 && sameSizes(t.sizes, sizes):
		return t.strides, true
	case t.flags&contiguousFlag != 0 && rowMajor(t.sizes, t.strides) || t.Numel() == 0:
		return contiguousStrides(sizes), true
	}
	strides = make([]int, len(sizes))
	view := len(sizes) - 1
	chunk, chunkStride, viewed := 1, 1, 1
	if n := len(t.strides); n > 0 {
		chunkStride = t.strides[n-1]
	}
	for d := len(t.sizes) - 1; d >= 0; d-- {
		chunk *= t.sizes[d]
		if d > 0 && (t.sizes[d-1] == 1 || t.strides[d-1] == chunk*chunkStride) {
			continue
		}
		for view >= 0 && (viewed < chunk || sizes[view] == 1) {
			strides[view] = viewed * chunkStride
			viewed *= sizes[view]
			view--
		}
		if viewed != chunk {
			return nil, false
		}
		if d > 0 {
			chunkStride = t.strides[d-1]
			chunk, viewed = 1, 1
		}
	}
	return strides, view < 0
}

// rowMajor reports whether strides are exactly the strides of a new tensor,
// including dimensions of size 1.
func rowMajor(sizes, strides []int) bool {
	step := 1
	for d := len(sizes) - 1; d >= 0; d-- {
		if strides[d] != step {
			return false
		}
		step *= max(sizes[d], 1)
	}
	return true
}

// expandStrides broadcasts a tensor to a shape; -1 keeps the size of a
// dimension.
func expandStrides(t *Tensor, to []int) (sizes, strides []int, err *Error) {
	if len(to) < len(t.sizes) {
		return nil, nil, fail(RuntimeError, CodeShape, "expand(%s{%s}, size=%s): the number of sizes provided (%d) must be greater or equal to the number of dimensions in the tensor (%d)", typeString(t.dtype), shapeText(t.sizes), shapeText(to), len(to), len(t.sizes))
	}
	sizes, strides = append([]int(nil), to...), make([]int, len(to))
	lead := len(to) - len(t.sizes)
	for d := len(to) - 1; d >= 0; d-- {
		if d < lead {
			switch {
			case sizes[d] < 0:
				return nil, nil, fail(RuntimeError, CodeShape, "The expanded size of the tensor (%d) isn't allowed in a leading, non-existing dimension %d", sizes[d], d)
			case sizes[d] == 1 && len(t.sizes) > 0:
				strides[d] = sizes[d+1] * strides[d+1]
			}
			continue
		}
		have := t.sizes[d-lead]
		switch {
		case sizes[d] == -1 || sizes[d] == have:
			sizes[d], strides[d] = have, t.strides[d-lead]
		case have != 1:
			return nil, nil, fail(RuntimeError, CodeShape, "The expanded size of the tensor (%d) must match the existing size (%d) at non-singleton dimension %d.  Target sizes: %s.  Tensor sizes: %s", sizes[d], have, d, shapeText(to), shapeText(t.sizes))
		case sizes[d] < 0:
			return nil, nil, fail(RuntimeError, CodeShape, "Trying to create tensor with negative dimension %d: %s", sizes[d], shapeText(to))
		}
	}
	return sizes, strides, nil
}

// wrapStrictDim is wrapDim, but a 0-d tensor has no valid dimension.
func wrapStrictDim(d, rank int) (int, *Error) {
	d, err := wrapDim(d, rank)
	if err == nil && rank == 0 {
		err = noDimensions(d)
	}
	return d, err
}

func noDimensions(d int) *Error {
	return fail(IndexError, CodeIndex, "Dimension specified as %d but tensor has no dimensions", d)
}
