package autograd

import "github.com/gradtui/gradtui/autograd/internal/kernel"

func init() { register(reduceOps) }

// Sums. What all reductions share is in reduce.go.
var reduceOps = []Op{
	{
		Schema: "sum(Tensor self, *, ScalarType? dtype=None) -> Tensor", Node: "SumBackward0", Attrs: "self_sym_sizes", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			dims, err := pickDims(nil, len(t.sizes))
			if err != nil {
				return nil, err
			}
			return a.One(sumOf(as(t, a.sumType(t)), dims, false))
		},
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor { return c.Grad().Expand(c.Shape("self")) }}},
	},
	{
		Schema: "sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
		Node:   "SumBackward1", Attrs: "dim keepdim self_sym_sizes", JVP: linear,
		Forward: func(a *Args) ([]*Tensor, error) {
			t := a.Self()
			dims, err := pickDims(a.Ints("dim"), len(t.sizes))
			if err != nil {
				return nil, err
			}
			return a.One(sumOf(as(t, a.sumType(t)), dims, a.Bool("keepdim")))
		},
		VJP: []Formula{{Input: "self", Of: func(c *Ctx) *Tensor {
			sizes := c.Shape("self")
			return unreduce(c.Grad(), sizes, c.Args().Ints("dim"), c.Args().Bool("keepdim")).Expand(sizes)
		}}},
	},
}

// sumType is the dtype in which integers are added up: int64.
func (a *Args) sumType(t *Tensor) DType {
	d := t.dtype
	if !d.IsFloat() {
		d = Int64
	}
	return a.DType("dtype", d)
}

// A dimSet is a set of dimensions.
type dimSet uint64

const everyDim dimSet = 1<<64 - 1

func (s dimSet) has(d int) bool { return s&(1<<d) != 0 }

// pickDims checks a list of dimensions; none means all of them.
func pickDims(dims []int, rank int) (dimSet, *Error) {
	if rank > 64 {
		return 0, fail(RuntimeError, CodeShape, "only tensors with up to 64 dims are supported")
	}
	if len(dims) == 0 {
		return everyDim, nil
	}
	var set dimSet
	for _, d := range dims {
		d, err := wrapDim(d, rank)
		if err != nil {
			return 0, err
		}
		if set.has(d) {
			return 0, fail(RuntimeError, CodeArgument, "dim %d appears multiple times in the list of dims", d)
		}
		set |= 1 << d
	}
	return set, nil
}

// unreduce gives a reduced gradient its dimensions of size 1 back.
func unreduce(g *Tensor, sizes, dims []int, keepDim bool) *Tensor {
	if keepDim || len(sizes) == 0 || len(dims) == 0 {
		return g
	}
	picked, err := pickDims(dims, len(sizes))
	if err != nil {
		return errTensor(err)
	}
	full := append([]int(nil), sizes...)
	for d := range full {
		if picked.has(d) {
			full[d] = 1
		}
	}
	return g.View(full)
}

// reduction makes the result of reducing dimensions of t, and the plan for the
// loop.
func reduction(t *Tensor, dims dimSet, keepDim bool, d DType, p *kernel.Plan) *Tensor {
	n := len(t.sizes)
	sizes, steps := make([]int, 0, n), make([]int, n)
	for i, s := range t.sizes {
		if !dims.has(i) {
			sizes = append(sizes, s)
		} else if keepDim {
			sizes = append(sizes, 1)
		}
	}
	out := alloc(d, sizes)
	at := 0
	for i := range steps {
		if !dims.has(i) {
			steps[i] = out.strides[at]
		}
		if keepDim || !dims.has(i) {
			at++
		}
	}
	p.Init(t.sizes, t.strides, steps, t.offset, out.offset)
	return out
}

// sumOf adds up the elements of some dimensions.
func sumOf(t *Tensor, dims dimSet, keepDim bool) *Tensor {
	all := everyDim >> (64 - len(t.sizes))
	if dims&all == all && !keepDim && t.flags&contiguousFlag != 0 {
		return sumAll(t)
	}
	var p kernel.Plan
	out := reduction(t, dims, keepDim, t.dtype, &p)
	switch classOf(t.dtype) {
	case f32Class:
		kernel.Sum(&p, out.st.f32, t.st.f32)
	case f64Class:
		kernel.Sum(&p, out.st.other.f64, t.st.other.f64)
	case i64Class:
		kernel.SumInt(&p, out.st.other.i64, t.st.other.i64)
	default:
		kernel.Fold(&p, out.st.other.b, t.st.other.b, kernel.Any)
	}
	return rounded(out)
}

// sumAll is the sum of a contiguous tensor.
func sumAll(t *Tensor) *Tensor {
	out := alloc(t.dtype, nil)
	b := kernel.Block{In: t.offset, N0: numel(t.sizes), N1: 1, In0: 1}
	switch classOf(t.dtype) {
	case f32Class:
		kernel.SumBlock(&b, out.st.f32, t.st.f32)
	case f64Class:
		kernel.SumBlock(&b, out.st.other.f64, t.st.other.f64)
	case i64Class:
		kernel.SumIntBlock(&b, out.st.other.i64, t.st.other.i64)
	default:
		out.st.other.b[0] = kernel.Any.Row(false, t.st.other.b, t.offset, 1, b.N0)
	}
	return rounded(out)
}
