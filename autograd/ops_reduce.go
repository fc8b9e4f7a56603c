package autograd

import "github.com/gradtui/gradtui/autograd/internal/kernel"

func init() { register(reduceOps) }

var reduceOps = []Op{
	{
		Schema: "sum(Tensor self, *, ScalarType? dtype=None) -> Tensor", Node: "SumBackward0", Attrs: "self_sym_sizes", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return sumOver(a, nil, false) },
		VJP:     []Formula{{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad().Expand(c.Shape("self")) }}},
	},
	{
		Schema: "sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
		Node:   "SumBackward1", Attrs: "dim keepdim self_sym_sizes", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) { return sumOver(a, a.Ints("dim"), a.Bool("keepdim")) },
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor {
			return unreduce(c.Grad(), c.Shape("self"), c.Args().Ints("dim"), c.Args().Bool("keepdim")).Expand(c.Shape("self"))
		}}},
	},
}

// unreduce gives a reduced gradient its dimensions of size 1 back.
func unreduce(g *Tensor, sizes, dims []int, keepDim bool) *Tensor {
	if keepDim || len(sizes) == 0 {
		return g
	}
	picked, err := wrapDims(dims, len(sizes))
	if err != nil {
		return errTensor(err)
	}
	full := append([]int(nil), sizes...)
	for d := range full {
		if picked[d] {
			full[d] = 1
		}
	}
	return g.View(full)
}

func sumOver(a *Args, dims []int, keepDim bool) ([]*Tensor, error) {
	t := a.Self()
	picked, err := wrapDims(dims, t.Dim())
	if err != nil {
		return nil, err
	}
	d := t.dtype
	if !d.IsFloat() {
		d = Int64
	}
	d = a.DType("dtype", d)
	t = as(t, d)
	var sizes, strides []int
	for i, s := range t.sizes {
		if !picked[i] {
			sizes, strides = append(sizes, s), append(strides, i)
		} else if keepDim {
			sizes = append(sizes, 1)
		}
	}
	_ = strides
	out := alloc(d, sizes)
	steps := make([]int, t.Dim())
	step := 1
	for i := t.Dim() - 1; i >= 0; i-- {
		if !picked[i] {
			steps[i] = step
			step *= t.sizes[i]
		}
	}
	kernel.Walk(t.sizes, []int{t.offset, 0}, [][]int{t.strides, steps}, func(r *kernel.Row) {
		for i, p, q := 0, r.At[0], r.At[1]; i < r.N; i, p, q = i+1, p+r.Stride[0], q+r.Stride[1] {
			out.setElement(q, FloatScalar(out.element(q).Float()+t.element(p).Float()))
		}
	})
	return a.One(out)
}
