package autograd

import (
	"math"
	"math/bits"
	"slices"
)

// The negative log likelihood loss, after aten/src/ATen/native/LossNLL.cpp and
// LossNLL2d.cpp.

var nllOps = []Op{
	{
		Schema: "nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, int ignore_index) -> (Tensor output, Tensor total_weight)", In: Hidden, Go: "-",
		Node: "NllLossBackward0", Attrs: "reduction ignore_index", Constant: "total_weight",
		Forward: func(a *Args) ([]*Tensor, error) {
			x, y := a.Self(), a.Tensor("target")
			if err := checkNLL(x, y, a.Tensor("weight")); err != nil {
				return nil, err
			}
			return a.nll(x, y)
		},
		VJP: []Formula{{Input: "self", Uses: "self target weight total_weight", Of: func(c *Ctx) *Tensor {
			return nllGrad(c, fnNllLossBackward)
		}}},
		JVP: func(c *JCtx) ([]*Tensor, error) { return nllTangent(c, fnNllLossForward) },
	},
	{
		Schema: "nll_loss_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, int ignore_index, Tensor total_weight) -> Tensor", In: Hidden, Go: "-",
		Node: "NllLossBackwardBackward0", Attrs: "reduction ignore_index",
		Forward: func(a *Args) ([]*Tensor, error) {
			x, y := a.Tensor("self"), a.Tensor("target")
			if err := checkNLL(x, y, a.Tensor("weight")); err != nil {
				return nil, err
			}
			return a.nllBackward(x, y)
		},
		VJP: []Formula{
			{Input: "grad_output", Uses: "target weight", Of: func(c *Ctx) *Tensor { return nllAgain(c, fnNllLossForward) }},
			{Input: "self", Of: flat},
		},
	},
	{
		Schema: "nll_loss2d_forward(Tensor self, Tensor target, Tensor? weight, int reduction, int ignore_index) -> (Tensor output, Tensor total_weight)", In: Hidden, Go: "-",
		Node: "NllLoss2DBackward0", Attrs: "reduction ignore_index", Constant: "total_weight",
		Forward: func(a *Args) ([]*Tensor, error) {
			x, y := a.Self(), a.Tensor("target")
			if err := checkNLL2D(x, y, a.Tensor("weight")); err != nil {
				return nil, err
			}
			return a.nll(x, y)
		},
		VJP: []Formula{{Input: "self", Uses: "self target weight total_weight", Of: func(c *Ctx) *Tensor {
			return nllGrad(c, fnNllLoss2dBackward)
		}}},
		JVP: func(c *JCtx) ([]*Tensor, error) { return nllTangent(c, fnNllLoss2dForward) },
	},
	{
		Schema: "nll_loss2d_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, int ignore_index, Tensor total_weight) -> Tensor", In: Hidden, Go: "-",
		Node: "NllLoss2DBackwardBackward0", Attrs: "reduction ignore_index",
		Forward: func(a *Args) ([]*Tensor, error) {
			x, y := a.Tensor("self"), a.Tensor("target")
			if err := checkNLL2D(x, y, a.Tensor("weight")); err != nil {
				return nil, err
			}
			return a.nllBackward(x, y)
		},
		VJP: []Formula{
			{Input: "grad_output", Uses: "target weight", Of: func(c *Ctx) *Tensor { return nllAgain(c, fnNllLoss2dForward) }},
			{Input: "self", Of: flat},
		},
	},
	{
		Schema: "nn_functional_nll_loss(Tensor input, Tensor target, Tensor? weight=None, bool? size_average=None, int ignore_index=-100, bool? reduce=None, str reduction='mean') -> Tensor",
		In:     Functional, Go: "NLLLoss",
		Compose: func(a *Args) ([]*Tensor, error) {
			reduction, err := a.reduction()
			if err != nil {
				return nil, err
			}
			return nllLoss(a.Tensor("input"), a.Tensor("target"), a.Tensor("weight"), reduction, a.Int("ignore_index"))
		},
	},
}

// nllLoss selects the operator by the rank of the input (nll_loss_nd).
func nllLoss(x, y, weight *Tensor, reduction, ignore int) ([]*Tensor, error) {
	rank := len(x.sizes)
	batch := 0
	if len(y.sizes) > 0 {
		batch = y.sizes[0]
	}
	switch {
	case rank == 0:
		return nil, fail(ValueError, CodeShape, "Expected 1 or more dimensions (got 0)")
	case rank != 1 && x.sizes[0] != batch:
		return nil, fail(ValueError, CodeShape, "Expected input batch_size (%d) to match target batch_size (%d).", x.sizes[0], batch)
	}
	op := fnNllLossForward
	var shape []int
	switch {
	case rank == 4:
		op = fnNllLoss2dForward
	case rank > 2:
		op = fnNllLoss2dForward
		n, c := x.sizes[0], x.sizes[1]
		shape = append([]int{n}, x.sizes[2:]...)
		if len(y.sizes) == 0 || !slices.Equal(y.sizes[1:], x.sizes[2:]) {
			return nil, fail(RuntimeError, CodeShape, "Expected target size %s, got %s", shapeText(shape), shapeText(y.sizes))
		}
		rows := 1
		if x.Numel() == 0 {
			rows = 0
		}
		places := numel(x.sizes[2:])
		if rows == 0 {
			places = 0
		}
		x = x.Contiguous().View([]int{n, c, rows, places})
		y = y.Contiguous().View([]int{n, rows, places})
	}
	outs, err := op.Call([]any{x, y, weight, reduction, ignore})
	if err != nil {
		return nil, err
	}
	if shape != nil && reduction == noReduction {
		return single(outs[0].View(shape))
	}
	return outs[:1], nil
}

func checkNLL(x, y, weight *Tensor) error {
	rank := len(x.sizes)
	switch {
	case rank < 1 || rank > 2:
		return fail(RuntimeError, CodeShape, "input tensor should be 1D or 2D")
	case len(y.sizes) > 1:
		return fail(RuntimeError, CodeShape, "0D or 1D target tensor expected, multi-target not supported")
	case (rank != 1 || len(y.sizes) != 0) && (len(y.sizes) == 0 || x.sizes[0] != y.sizes[0]):
		return fail(RuntimeError, CodeShape, "size mismatch (got input: %s, target: %s)", shapeText(x.sizes), shapeText(y.sizes))
	}
	classes := x.sizes[rank-1]
	if weight != nil && (len(weight.sizes) != 1 || weight.sizes[0] != classes) {
		return fail(RuntimeError, CodeShape, "weight tensor should be defined either for all %d classes or no classes but got weight tensor of shape: %s", classes, shapeText(weight.sizes))
	}
	return checkNLLTypes(x, y, weight)
}

func checkNLL2D(x, y, weight *Tensor) error {
	switch {
	case len(y.sizes) != 3:
		return fail(RuntimeError, CodeShape, "only batches of spatial targets supported (3D tensors) but got targets of dimension: %d", len(y.sizes))
	case len(x.sizes) != 4:
		return fail(RuntimeError, CodeShape, "only batches of spatial inputs supported (4D tensors), but got input of dimension: %d", len(x.sizes))
	case weight != nil && weight.Numel() != x.sizes[1]:
		return fail(RuntimeError, CodeShape, "weight tensor should be defined either for all or no classes")
	case x.sizes[0] != y.sizes[0] || x.sizes[2] != y.sizes[1] || x.sizes[3] != y.sizes[2]:
		return fail(RuntimeError, CodeShape, "size mismatch (got input: %s , target: %s", shapeText(x.sizes), shapeText(y.sizes))
	}
	return checkNLLTypes(x, y, weight)
}

func checkNLLTypes(x, y, weight *Tensor) error {
	switch {
	case !x.dtype.IsFloat():
		return undefined("nll_loss_out_frame", x.dtype)
	case y.dtype != Int64 && y.dtype != UInt8:
		return wantScalarType(Int64, y.dtype)
	case weight != nil && weight.dtype != x.dtype:
		return wantScalarType(x.dtype, weight.dtype)
	}
	return nil
}

// An nllRun visits the samples of a call, with the position of the likelihood
// of their class.
type nllRun struct {
	x, y, weight      *Tensor
	reduction, ignore int
	classes, inner    int // inner: number of positions in the other dimensions
}

func (a *Args) nllRun(x, y *Tensor) nllRun {
	r := nllRun{x: contiguous(x), y: contiguous(y), reduction: a.Int("reduction"), ignore: a.Int("ignore_index"), inner: 1}
	if w := a.Tensor("weight"); w != nil {
		r.weight = contiguous(w)
	}
	if len(x.sizes) == 1 && r.y.Numel() > 1 { // one sample: only the first target is used
		r.y = r.y.part([]int{1}, unitStride, r.y.offset)
	}
	d := min(len(x.sizes)-1, 1)
	r.classes, r.inner = x.sizes[d], numel(x.sizes[d+1:])
	return r
}

// each calls f for each sample that is not ignored, with its index, the
// position of its class in the input, and the class.
func (r *nllRun) each(f func(i, at, class int)) error {
	for i, class := range elements[int64](r.y) {
		if class == int64(r.ignore) {
			continue
		}
		if class < 0 || class >= int64(r.classes) {
			return fail(IndexError, CodeIndex, "Target %d is out of bounds.", class)
		}
		f(i, (i/r.inner*r.classes+int(class))*r.inner+i%r.inner, int(class))
	}
	return nil
}

// nll computes the loss and the total weight of all samples.
func (a *Args) nll(x, y *Tensor) ([]*Tensor, error) {
	r := a.nllRun(x, y)
	var sizes []int
	if r.reduction == noReduction && len(x.sizes) > 1 {
		sizes = y.sizes
	}
	out, total := alloc(x.dtype, sizes), alloc(x.dtype, nil)
	var err error
	if classOf(x.dtype) == f64Class {
		err = runNLL[float64](&r, out, total, sizes != nil)
	} else {
		err = runNLL[float32](&r, out, total, sizes != nil)
	}
	if err != nil {
		return nil, err
	}
	return []*Tensor{rounded(out), rounded(total)}, nil
}

func runNLL[T float](r *nllRun, out, total *Tensor, each bool) error {
	x, o := elements[T](r.x), elements[T](out)
	var weights []T
	if r.weight != nil {
		weights = elements[T](r.weight)
	}
	weightOf := func(class int) T {
		if weights == nil {
			return 1
		}
		return weights[class]
	}
	if each {
		return r.each(func(i, at, class int) { o[i] = -x[at] * weightOf(class) })
	}
	n := numel(r.y.sizes)
	if n == 0 {
		if r.reduction == meanReduction {
			o[0] = T(math.NaN())
		}
		return nil
	}
	losses, sum := newCascade[T](n), newCascade[T](n)
	err := r.each(func(i, at, class int) {
		w := weightOf(class)
		losses.add(i, -x[at]*w)
		sum.add(i, w)
	})
	w := sum.sum()
	elements[T](total)[0], o[0] = w, losses.sum()
	if r.reduction == meanReduction {
		o[0] /= w
	}
	return err
}

// A cascade sums numbers in levels, as the loops of nll_loss do.
type cascade[T float] struct {
	levels [8]T
	power  int
}

func newCascade[T float](n int) *cascade[T] {
	return &cascade[T]{power: max(5, bits.Len(uint(n-1))/8)}
}

// add adds the number x of sample i.
func (c *cascade[T]) add(i int, x T) {
	c.levels[0] += x
	mask := 1<<c.power - 1
	for j := range len(c.levels) - 1 {
		if i&(mask<<(j*c.power)) != 0 {
			return
		}
		c.levels[j+1] += c.levels[j]
		c.levels[j] = 0
	}
}

func (c *cascade[T]) sum() T {
	var s T
	for _, x := range c.levels {
		s += x
	}
	return s
}

// nllBackward distributes the gradient to the likelihoods of the classes.
func (a *Args) nllBackward(x, y *Tensor) ([]*Tensor, error) {
	r := a.nllRun(x, y)
	out := alloc(x.dtype, x.sizes)
	var err error
	if classOf(x.dtype) == f64Class {
		err = spreadNLL[float64](&r, out, a.Tensor("grad_output"), a.Tensor("total_weight"))
	} else {
		err = spreadNLL[float32](&r, out, a.Tensor("grad_output"), a.Tensor("total_weight"))
	}
	if err != nil {
		return nil, err
	}
	return a.One(rounded(out))
}

func spreadNLL[T float](r *nllRun, out, g, total *Tensor) error {
	each := r.reduction == noReduction && len(r.x.sizes) > 1
	want := 1
	if each {
		want = numel(r.y.sizes)
	}
	if g.dtype != r.x.dtype {
		return wantScalarType(r.x.dtype, g.dtype)
	}
	if g.Numel() != want {
		return fail(RuntimeError, CodeShape, "Expected a single element grad_output tensor, but got: %s", shapeText(g.sizes))
	}
	grads, o := elements[T](contiguous(g)), elements[T](out)
	var weights []T
	if r.weight != nil {
		weights = elements[T](r.weight)
	}
	return r.each(func(i, at, class int) {
		j := 0
		if each {
			j = i
		}
		d := -grads[j]
		if r.reduction == meanReduction {
			d /= elements[T](total)[0]
		}
		if weights != nil {
			d *= weights[class]
		}
		o[at] = d
	})
}

func nllGrad(c *Ctx, op *Operator) *Tensor {
	a := c.Args()
	return op.single(nil, c.Grad(), c.Saved("self"), c.Saved("target"), c.Saved("weight"), a.Int("reduction"), a.Int("ignore_index"), c.Saved("total_weight"))
}

func nllAgain(c *Ctx, op *Operator) *Tensor {
	a := c.Args()
	outs, err := op.Call([]any{c.Grad(), c.Saved("target"), c.Saved("weight"), a.Int("reduction"), a.Int("ignore_index")})
	if err != nil {
		return errTensor(err)
	}
	return outs[0]
}

func nllTangent(c *JCtx, op *Operator) ([]*Tensor, error) {
	a := c.Args()
	outs, err := op.Call([]any{c.Tangent("self"), c.Primal("target"), c.Primal("weight"), a.Int("reduction"), a.Int("ignore_index")})
	if err != nil {
		return nil, err
	}
	return outs[:1], nil
}
