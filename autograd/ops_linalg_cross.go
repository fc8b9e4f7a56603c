package autograd

import "github.com/gradtui/gradtui/autograd/internal/kernel"

// Structured products: cross products and the bilinear form.

var crossOps = []Op{
	{
		Schema: "linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor", In: Linalg,
		Node: "LinalgCrossBackward0", Attrs: "dim", JVP: multilinear,
		Forward: crossProduct,
		VJP: []Formula{
			{Input: "self", Uses: "other", Of: func(c *Ctx) *Tensor {
				return c.Saved("other").LinalgCross(c.Grad(), Dim(c.Args().Int("dim")))
			}},
			{Input: "other", Uses: "self", Of: func(c *Ctx) *Tensor {
				return c.Grad().LinalgCross(c.Saved("self"), Dim(c.Args().Int("dim")))
			}},
		},
	},
	{
		Schema:   "cross(Tensor self, Tensor other, int? dim=None) -> Tensor",
		OutDType: expectedOutDType,
		Compose: func(a *Args) ([]*Tensor, error) {
			x, y := a.Self(), a.Tensor("other")
			if a.Has("dim") {
				return a.One(x.LinalgCross(y, Dim(a.Int("dim"))))
			}
			warnOnce("./aten/src/ATen/native/Cross.cpp:62", "Using torch.cross without specifying the dim arg is deprecated.\nPlease either pass the dim explicitly or simply use torch.linalg.cross.\nThe default value of dim will change to agree with that of linalg.cross in a future release.")
			for d, n := range x.sizes {
				if n == 3 {
					return a.One(x.LinalgCross(y, Dim(d)))
				}
			}
			return nil, fail(RuntimeError, CodeShape, "no dimension of size 3 in input")
		},
	},
	{
		Schema: "_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, int[] sumdim, int unroll_dim=1) -> Tensor", In: Hidden, Go: "Trilinear",
		Node: "TrilinearBackward0", Attrs: "expand1 expand2 expand3 sumdim", JVP: multilinear,
		Forward: trilinear,
		VJP:     []Formula{{Input: "i1 i2 i3", Uses: "i1 i2 i3", All: trilinearBackward}},
	},
	{
		Schema: "bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor", In: Torch | Functional,
		Compose: bilinear,
	},
}

func crossProduct(a *Args) ([]*Tensor, error) {
	x, y := a.Self(), a.Tensor("other")
	if len(x.sizes) != len(y.sizes) {
		return nil, fail(RuntimeError, CodeShape, "linalg.cross: inputs must have the same number of dimensions.")
	}
	d, err := wrapDim(a.Int("dim"), len(x.sizes))
	if err != nil {
		return nil, err
	}
	if len(x.sizes) == 0 {
		return nil, fail(IndexError, CodeIndex, "Dimension specified as %d but tensor has no dimensions", a.Int("dim"))
	}
	if x.sizes[d] != 3 || y.sizes[d] != 3 {
		return nil, fail(RuntimeError, CodeShape, "linalg.cross: inputs dimension %d must have length 3. Got %d and %d", a.Int("dim"), x.sizes[d], y.sizes[d])
	}
	sizes, err := broadcastSizes(x.sizes, y.sizes)
	if err != nil {
		return nil, err
	}
	if x.dtype != y.dtype {
		return nil, wantScalarType(x.dtype, y.dtype)
	}
	out := alloc(x.dtype, sizes)
	switch classOf(x.dtype) {
	case f32Class:
		crossLines[float32](out, x, y, d)
	case f64Class:
		crossLines[float64](out, x, y, d)
	case i64Class:
		crossLines[int64](out, x, y, d)
	default:
		return nil, undefined("cross", x.dtype)
	}
	return a.One(rounded(out))
}

func crossLines[T number](out, x, y *Tensor, dim int) {
	o, p, q := data[T](out.st), data[T](x.st), data[T](y.st)
	so, sx, sy := out.strides[dim], x.strides[dim], y.strides[dim]
	sizes := append([]int(nil), out.sizes...)
	sizes[dim] = 1
	strides := [][]int{out.strides, kernel.Broadcast(out.sizes, x.sizes, x.strides), kernel.Broadcast(out.sizes, y.sizes, y.strides)}
	kernel.Walk(sizes, []int{out.offset, x.offset, y.offset}, strides, func(r *kernel.Row) {
		for i := range r.N {
			at, b, c := r.At[0]+i*r.Stride[0], r.At[1]+i*r.Stride[1], r.At[2]+i*r.Stride[2]
			x0, x1, x2 := p[b], p[b+sx], p[b+2*sx]
			y0, y1, y2 := q[c], q[c+sy], q[c+2*sy]
			o[at] = T(x1*y2) - T(x2*y1)
			o[at+so] = T(x2*y0) - T(x0*y2)
			o[at+2*so] = T(x0*y1) - T(x1*y0)
		}
	})
}

// trilinear multiplies three tensors, each expanded at its own dimensions, and
// sums over the dimensions sumdim.
func trilinear(a *Args) ([]*Tensor, error) {
	operands := []*Tensor{a.Tensor("i1"), a.Tensor("i2"), a.Tensor("i3")}
	expand := [][]int{a.Ints("expand1"), a.Ints("expand2"), a.Ints("expand3")}
	rank := len(operands[0].sizes) + len(expand[0])
	sizes, strides := make([]int, rank), make([][]int, 4)
	offsets := make([]int, 4)
	for i, t := range operands {
		steps, at := make([]int, rank), 0
		skipped := setOf(expand[i])
		for d := range rank {
			switch {
			case skipped[d]:
			case at == len(t.sizes) || sizes[d] != 0 && sizes[d] != t.sizes[at]:
				return nil, fail(RuntimeError, CodeShape, "_trilinear: the sizes of the inputs do not match")
			default:
				sizes[d], steps[d] = t.sizes[at], t.strides[at]
				at++
			}
		}
		strides[i+1], offsets[i+1] = steps, t.offset
	}
	summed := setOf(a.Ints("sumdim"))
	var shape []int
	for d, n := range sizes {
		if !summed[d] {
			shape = append(shape, n)
		}
	}
	out := alloc(operands[0].dtype, shape)
	strides[0] = make([]int, rank)
	at := 0
	for d := range sizes {
		if !summed[d] {
			strides[0][d] = out.strides[at]
			at++
		}
	}
	switch classOf(out.dtype) {
	case f32Class:
		addTriples[float32](out, operands, sizes, offsets, strides)
	case f64Class:
		addTriples[float64](out, operands, sizes, offsets, strides)
	case i64Class:
		addTriples[int64](out, operands, sizes, offsets, strides)
	default:
		return nil, undefined("bmm", out.dtype)
	}
	return a.One(rounded(out))
}

// setOf converts a short list of dimensions to a set.
func setOf(dims []int) map[int]bool {
	set := make(map[int]bool, len(dims))
	for _, d := range dims {
		set[d] = true
	}
	return set
}

func addTriples[T number](out *Tensor, operands []*Tensor, sizes, offsets []int, strides [][]int) {
	o, x, y, z := data[T](out.st), data[T](operands[0].st), data[T](operands[1].st), data[T](operands[2].st)
	kernel.Walk(sizes, offsets, strides, func(r *kernel.Row) {
		at, b, c, d := r.At[0], r.At[1], r.At[2], r.At[3]
		for range r.N {
			o[at] += T(T(x[b]*y[c]) * z[d])
			at, b, c, d = at+r.Stride[0], b+r.Stride[1], c+r.Stride[2], d+r.Stride[3]
		}
	})
}

// trilinearBackward is _trilinear_backward: the gradient of an operand is a
// product in which the gradient replaces that operand.
func trilinearBackward(c *Ctx) []*Tensor {
	g, a := c.Grad(), c.Args()
	e1, e2, e3, sum := a.Ints("expand1"), a.Ints("expand2"), a.Ints("expand3"), a.Ints("sumdim")
	grads := make([]*Tensor, 3)
	if c.Needs("i1") {
		grads[0] = Trilinear(g, c.Saved("i2"), c.Saved("i3"), sum, e2, e3, e1)
	}
	if c.Needs("i2") {
		grads[1] = Trilinear(c.Saved("i1"), g, c.Saved("i3"), e1, sum, e3, e2)
	}
	if c.Needs("i3") {
		grads[2] = Trilinear(c.Saved("i1"), c.Saved("i2"), g, e1, e2, sum, e3)
	}
	return grads
}

func bilinear(a *Args) ([]*Tensor, error) {
	x, y, w, bias := a.Tensor("input1"), a.Tensor("input2"), a.Tensor("weight"), a.Tensor("bias")
	last := len(x.sizes) - 1
	if len(x.sizes) != len(y.sizes) {
		return nil, fail(RuntimeError, CodeShape, "bilinear(): input dimensions do not match: got %d and %d", len(x.sizes), len(y.sizes))
	}
	if last < 0 {
		return nil, fail(IndexError, CodeIndex, "Dimension specified as -1 but tensor has no dimensions")
	}
	for d := range last {
		if x.sizes[d] != y.sizes[d] {
			return nil, fail(RuntimeError, CodeShape, "bilinear(): input batch dimensions do not match at dim %d: got %d and %d", d, x.sizes[d], y.sizes[d])
		}
	}
	size := func(d int) (int, *Error) {
		if d >= len(w.sizes) {
			return 0, fail(IndexError, CodeIndex, "Dimension out of range (expected to be in range of [%d, %d], but got %d)", -max(len(w.sizes), 1), max(len(w.sizes), 1)-1, d)
		}
		return w.sizes[d], nil
	}
	for i, t := range []*Tensor{x, y} {
		n, err := size(i + 1)
		if err != nil {
			return nil, err
		}
		if t.sizes[last] != n {
			return nil, fail(RuntimeError, CodeShape, "bilinear(): input%d size does not match weight size: got %d but expected %d", i+1, t.sizes[last], n)
		}
	}
	if bias != nil && (len(bias.sizes) == 0 || bias.sizes[0] != w.sizes[0]) {
		n := 0
		if len(bias.sizes) > 0 {
			n = bias.sizes[0]
		}
		return nil, fail(RuntimeError, CodeShape, "bilinear(): bias size does not match weight size: got %d but expected %d", n, w.sizes[0])
	}
	if x.dtype != y.dtype || x.dtype != w.dtype {
		return nil, fail(RuntimeError, CodeDType, "All tensors must have the same dtype, got input1: %s, input2: %s, weight: %s", cTypeNames[x.dtype], cTypeNames[y.dtype], cTypeNames[w.dtype])
	}
	shape := append(append([]int(nil), x.sizes[:last]...), w.sizes[0])
	flat := func(t *Tensor) *Tensor { return t.Reshape([]int{numel(t.sizes[:last]), t.sizes[last]}) }
	out := Trilinear(flat(x), w, flat(y), []int{1, 3}, []int{0}, []int{1, 2}, []int{2, 3}).Reshape(shape)
	if bias != nil {
		out = out.Add(bias)
	}
	return single(out)
}
