package autograd

func init() { register(viewOps) }

var viewOps = []Op{
	{
		Schema: "view(Tensor self, int[] size) -> Tensor", In: Method, Views: OneView,
		Node: "ViewBackward0", Attrs: "self_sym_sizes", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			sizes, err := inferSize(a.Ints("size"), t.Numel())
			if err != nil {
				return nil, err
			}
			strides, ok := viewStrides(t, sizes)
			if !ok {
				return nil, fail(RuntimeError, CodeShape, "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.")
			}
			return a.One(t.shallow(sizes, strides, t.offset))
		},
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad().Reshape(c.Shape("self")) }}},
	},
	{
		Schema: "view_as(Tensor self, Tensor other) -> Tensor", In: Method,
		Compose: func(a *Args) ([]*Tensor, error) { return a.One(a.Self().View(a.Tensor("other").sizes)) },
	},
	{
		Schema: "reshape(Tensor self, int[] shape) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			sizes, err := inferSize(a.Ints("shape"), t.Numel())
			if err != nil {
				return nil, err
			}
			if _, ok := viewStrides(t, sizes); ok {
				return a.One(t.View(sizes))
			}
			return a.One(t.Clone().View(sizes))
		},
	},
	{
		Schema: "expand(Tensor self, int[] size, *, bool implicit=False) -> Tensor", In: Method, Views: OneView,
		Node: "ExpandBackward0", Attrs: "self_sym_sizes", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			sizes, strides, err := expandStrides(t, a.Ints("size"))
			if err != nil {
				return nil, err
			}
			return a.One(t.shallow(sizes, strides, t.offset))
		},
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor { return sumTo(c.Grad(), c.Shape("self")) }}},
	},
	{
		Schema: "unbind.int(Tensor self, int dim=0) -> Tensor[]", Views: MultiView,
		Node: "UnbindBackward0", Attrs: "dim", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			d, err := wrapDim(a.Int("dim"), t.Dim())
			if err != nil {
				return nil, err
			}
			parts := make([]*Tensor, t.sizes[d])
			sizes, strides := without(t.sizes, d), without(t.strides, d)
			for i := range parts {
				parts[i] = t.shallow(sizes, strides, t.offset+i*t.strides[d])
			}
			return parts, nil
		},
	},
}

// without is a list without its element at d.
func without(list []int, d int) []int {
	out := make([]int, 0, len(list)-1)
	out = append(out, list[:d]...)
	return append(out, list[d+1:]...)
}

// inferSize replaces a -1 in a shape by what is left for n elements.
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

// viewStrides finds strides with which a tensor's memory shows another shape of
// the same number of elements; ok is false when it has to be copied.
func viewStrides(t *Tensor, sizes []int) (strides []int, ok bool) {
	if t.flags&contiguousFlag != 0 {
		return contiguousStrides(sizes), true
	}
	if t.Numel() == 0 {
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

// expandStrides broadcasts a tensor to a shape; -1 keeps a dimension.
func expandStrides(t *Tensor, to []int) (sizes, strides []int, err *Error) {
	if len(to) < len(t.sizes) {
		return nil, nil, fail(RuntimeError, CodeShape, "expand(torch.%s{%s}, size=%s): the number of sizes provided (%d) must be greater or equal to the number of dimensions in the tensor (%d)", typeString(t.dtype)[6:], shapeText(t.sizes), shapeText(to), len(to), len(t.sizes))
	}
	sizes, strides = append([]int(nil), to...), make([]int, len(to))
	lead := len(to) - len(t.sizes)
	for d := range sizes {
		if d < lead {
			if sizes[d] < 0 {
				return nil, nil, fail(RuntimeError, CodeShape, "The expanded size of the tensor (%d) isn't allowed in a leading, non-existing dimension %d", sizes[d], d)
			}
			continue
		}
		have := t.sizes[d-lead]
		switch {
		case sizes[d] == -1 || sizes[d] == have:
			sizes[d], strides[d] = have, t.strides[d-lead]
		case have != 1:
			return nil, nil, fail(RuntimeError, CodeShape, "The expanded size of the tensor (%d) must match the existing size (%d) at non-singleton dimension %d.  Target sizes: %s.  Tensor sizes: %s", sizes[d], have, d, shapeText(to), shapeText(t.sizes))
		}
	}
	return sizes, strides, nil
}
