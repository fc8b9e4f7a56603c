package autograd

import (
	"math"
	"slices"
)

// partOps return views of a part of a tensor: select, slice, split, unfold,
// diagonal.
var partOps = []Op{
	{
		Schema: "select.int(Tensor self, int dim, int index) -> Tensor", Views: OneView,
		Node: "SelectBackward0", Certain: true, Attrs: "dim index self_sym_sizes", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			d, i, err := selected(t, a.Int("dim"), a.Int("index"))
			if err != nil {
				return nil, err
			}
			return a.view(without(t.sizes, d), without(t.strides, d), t.offset+i*t.strides[d])
		},
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor {
			return c.Grad().SelectBackward(c.Shape("self"), c.Args().Int("dim"), c.Args().Int("index"))
		}}},
	},
	{
		Schema: "select_backward(Tensor grad_output, int[] input_sizes, int dim, int index) -> Tensor", In: Hidden,
		Node: "SelectBackwardBackward0", Attrs: "dim index", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			g := a.Self()
			out := alloc(g.dtype, a.Ints("input_sizes"))
			d, i, err := selected(out, a.Int("dim"), a.Int("index"))
			if err != nil {
				return nil, err
			}
			copyData(out.part(without(out.sizes, d), without(out.strides, d), i*out.strides[d]), g)
			return a.One(out)
		},
		VJP: []Formula{{Input: "grad_output", Of: func(c *Ctx) *Tensor {
			return c.Grad().Select(c.Args().Int("dim"), c.Args().Int("index"))
		}}},
	},
	{
		Schema: "slice.Tensor(Tensor self, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor", In: Hidden, Go: "-", Views: OneView,
		Node: "SliceBackward0", Attrs: "dim end self_sym_sizes start step", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			dim, start, end, step := a.sliceBounds()
			s, err := sliceOf(a.Self(), dim, start, end, step)
			if err != nil {
				return nil, err
			}
			return a.view(s.sizes, s.strides, s.offset)
		},
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor {
			dim, start, end, step := c.Args().sliceBounds()
			return c.Grad().SliceBackward(c.Shape("self"), dim, start, end, step)
		}}},
	},
	{
		Schema: "slice_backward(Tensor grad_output, int[] input_sizes, int dim, int start, int end, int step) -> Tensor", In: Hidden,
		Node: "SliceBackwardBackward0", Attrs: "dim end start step", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			g := a.Self()
			out := alloc(g.dtype, a.Ints("input_sizes"))
			dim, start, end, step := a.sliceBounds()
			s, err := sliceOf(out, dim, start, end, step)
			if err != nil {
				return nil, err
			}
			copyData(s, g)
			return a.One(out)
		},
		VJP: []Formula{{Input: "grad_output", Of: func(c *Ctx) *Tensor {
			dim, start, end, step := c.Args().sliceBounds()
			return c.Grad().slice(dim, start, end, step)
		}}},
	},
	{
		Schema:  "narrow(Tensor self, int dim, int start, int length) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) { return narrowed(a, a.Int("dim"), a.Int("start"), a.Int("length")) },
	},
	{
		Schema: "unfold(Tensor self, int dimension, int size, int step) -> Tensor", In: Method, Views: OneView,
		Node: "UnfoldBackward0", Attrs: "dimension self_sym_sizes size step", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			w, err := windows(a.Self(), a.Int("dimension"), a.Int("size"), a.Int("step"))
			if err != nil {
				return nil, err
			}
			return a.view(w.sizes, w.strides, w.offset)
		},
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor {
			a := c.Args()
			return c.Grad().UnfoldBackward(c.Shape("self"), a.Int("dimension"), a.Int("size"), a.Int("step"))
		}}},
	},
	{
		Schema: "unfold_backward(Tensor grad_in, int[] input_sizes, int dim, int size, int step) -> Tensor", In: Hidden,
		Node: "UnfoldBackwardBackward0", Attrs: "dim size step", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			g := a.Self()
			out := alloc(g.dtype, a.Ints("input_sizes"))
			w, err := windows(out, a.Int("dim"), a.Int("size"), a.Int("step"))
			if err != nil {
				return nil, err
			}
			addData(w, g)
			return a.One(out)
		},
		VJP: []Formula{{Input: "grad_in", Of: func(c *Ctx) *Tensor {
			return c.Grad().Unfold(c.Args().Int("dim"), c.Args().Int("size"), c.Args().Int("step"))
		}}},
	},
}

// part returns a tensor over memory of t for a kernel, outside autograd.
func (t *Tensor) part(sizes, strides []int, offset int) *Tensor {
	return &Tensor{st: t.st, sizes: sizes, strides: strides, offset: offset, dtype: t.dtype}
}

// intOr returns an integer argument, or a default for None.
func (a *Args) intOr(name string, otherwise int) int {
	if !a.Has(name) {
		return otherwise
	}
	return a.Int(name)
}

// sliceBounds returns the arguments of a slice.
func (a *Args) sliceBounds() (dim, start, end, step int) {
	return a.Int("dim"), a.intOr("start", 0), a.intOr("end", math.MaxInt64), a.Int("step")
}

// selected checks a dimension of t and an index into it. Both may be negative.
func selected(t *Tensor, dim, index int) (d, i int, err *Error) {
	if t.Dim() == 0 {
		return 0, 0, fail(IndexError, CodeIndex, "select() cannot be applied to a 0-dim tensor.")
	}
	if d, err = wrapDim(dim, t.Dim()); err != nil {
		return 0, 0, err
	}
	size := t.sizes[d]
	if index < -size || index >= size {
		return 0, 0, fail(IndexError, CodeIndex, "select(): index %d out of range for tensor of size %s at dimension %d", index, shapeText(t.sizes), d)
	}
	if index < 0 {
		index += size
	}
	return d, index, nil
}

// sliceOf returns the part of t from start to end along a dimension, with
// Python's rules: negative bounds count from the end, and bounds are clamped to
// the dimension.
func sliceOf(t *Tensor, dim, start, end, step int) (*Tensor, *Error) {
	if t.Dim() == 0 {
		return nil, fail(IndexError, CodeIndex, "slice() cannot be applied to a 0-dim tensor.")
	}
	d, err := wrapDim(dim, t.Dim())
	if err != nil {
		return nil, err
	}
	if step <= 0 {
		return nil, fail(RuntimeError, CodeArgument, "slice step must be positive")
	}
	start, end = sliceBounds(t.sizes[d], start, end)
	count := 0
	if end > start {
		count = (end-start-1)/step + 1
	}
	return t.part(replaced(t.sizes, d, count), replaced(t.strides, d, t.strides[d]*step), t.offset+start*t.strides[d]), nil
}

func sliceBounds(size, start, end int) (int, int) {
	if start < 0 {
		start += size
	}
	if end < 0 {
		end += size
	}
	start = min(max(start, 0), size)
	return start, min(max(end, start), size)
}

// slice is x[start:end:step] along a dimension.
func (t *Tensor) slice(dim, start, end, step int) *Tensor {
	return fnSliceTensor.single(nil, t, dim, start, end, step)
}

func narrowed(a *Args, dim, start, length int) ([]*Tensor, error) {
	t := a.Self()
	if t.Dim() == 0 {
		return nil, fail(RuntimeError, CodeShape, "narrow() cannot be applied to a 0-dim tensor.")
	}
	if length < 0 {
		return nil, fail(RuntimeError, CodeArgument, "narrow(): length must be non-negative.")
	}
	d, err := wrapDim(dim, t.Dim())
	if err != nil {
		return nil, err
	}
	size := t.sizes[d]
	if start < -size || start > size {
		return nil, fail(IndexError, CodeIndex, "start out of range (expected to be in range of [%d, %d], but got %d)", -size, size, start)
	}
	if start < 0 {
		start += size
	}
	if start > size-length {
		return nil, fail(RuntimeError, CodeIndex, "start (%d) + length (%d) exceeds dimension size (%d).", start, length, size)
	}
	return a.One(t.slice(dim, start, start+length, 1))
}

// windows returns a view of all windows of a given size along a dimension, step
// elements apart, in a new last dimension.
func windows(t *Tensor, dim, size, step int) (*Tensor, *Error) {
	d, err := wrapDim(dim, t.Dim())
	if err != nil {
		return nil, err
	}
	most, stride := 1, 1
	if t.Dim() > 0 {
		most, stride = t.sizes[d], t.strides[d]
	}
	switch {
	case size < 0:
		return nil, fail(RuntimeError, CodeArgument, "size is %d but must be >= 0", size)
	case size > most:
		return nil, fail(RuntimeError, CodeArgument, "maximum size for tensor at dimension %d is %d but size is %d", d, most, size)
	case step <= 0:
		return nil, fail(RuntimeError, CodeArgument, "step is %d but must be > 0", step)
	}
	sizes := append(slices.Clone(t.sizes), size)
	strides := append(slices.Clone(t.strides), stride)
	if t.Dim() > 0 {
		sizes[d], strides[d] = (most-size)/step+1, stride*step
	}
	return t.part(sizes, strides, t.offset), nil
}
