package autograd

// Margin losses over several classes, after
// aten/src/ATen/native/LossMultiMargin.cpp and LossMultiLabelMargin.cpp.

var multiMarginOps = []Op{
	{
		Schema: "multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? weight=None, int reduction=Mean) -> Tensor", In: Hidden, Go: "-",
		Node: "MultiMarginLossBackward0", Attrs: "p margin reduction",
		Forward: multiMargin,
		VJP: []Formula{{Input: "self", Uses: "self target weight", Of: func(c *Ctx) *Tensor {
			a := c.Args()
			return c.Grad().MultiMarginLossBackward(c.Saved("self"), c.Saved("target"), a.Scalar("p"), a.Scalar("margin"), Kw("weight", c.Saved("weight")), Kw("reduction", a.Int("reduction")))
		}}},
	},
	{
		Schema: "multi_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, Scalar p, Scalar margin, Tensor? weight=None, int reduction=Mean) -> Tensor", In: Hidden,
		Node: "NotImplemented",
		Forward: func(a *Args) ([]*Tensor, error) {
			r, err := a.multiMargin()
			if err != nil {
				return nil, err
			}
			return a.slopes(r, multiMarginSlopes[float32], multiMarginSlopes[float64])
		},
	},
	{
		Schema: "multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) -> (Tensor output, Tensor is_target)", In: Hidden, Go: "-",
		Node: "MultilabelMarginLossBackward0", Attrs: "reduction", Constant: "is_target",
		Forward: multilabelMargin,
		VJP: []Formula{{Input: "self", Uses: "self target is_target", Of: func(c *Ctx) *Tensor {
			return c.Grad().MultilabelMarginLossBackward(c.Saved("self"), c.Saved("target"), c.Args().Int("reduction"), c.Saved("is_target"))
		}}},
	},
	{
		Schema: "multilabel_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, Tensor is_target) -> Tensor", In: Hidden,
		Node: "NotImplemented",
		Forward: func(a *Args) ([]*Tensor, error) {
			r, err := a.multilabelMargin()
			if err != nil {
				return nil, err
			}
			return a.slopes(r, multilabelSlopes[float32], multilabelSlopes[float64])
		},
	},
	{
		Schema: "nn_functional_multi_margin_loss(Tensor input, Tensor target, int p=1, float margin=1.0, Tensor? weight=None, bool? size_average=None, bool? reduce=None, str reduction='mean') -> Tensor",
		In:     Functional, Go: "MultiMarginLoss",
		Compose: func(a *Args) ([]*Tensor, error) {
			reduction, err := a.reduction()
			if err != nil {
				return nil, err
			}
			p, w := a.Int("p"), a.Tensor("weight")
			if p != 1 && p != 2 {
				return nil, fail(ValueError, CodeArgument, "only p == 1 and p == 2 supported")
			}
			if w != nil && len(w.sizes) != 1 {
				return nil, fail(ValueError, CodeShape, "weight must be one-dimensional")
			}
			return fnMultiMarginLoss.Call([]any{a.Tensor("input"), a.Tensor("target"), p, a.Float("margin"), w, reduction})
		},
	},
	{
		Schema: "nn_functional_multilabel_margin_loss(Tensor input, Tensor target, bool? size_average=None, bool? reduce=None, str reduction='mean') -> Tensor",
		In:     Functional, Go: "MultilabelMarginLoss",
		Compose: func(a *Args) ([]*Tensor, error) {
			reduction, err := a.reduction()
			if err != nil {
				return nil, err
			}
			outs, err := fnMultilabelMarginLossForward.Call([]any{a.Tensor("input"), a.Tensor("target"), reduction})
			if err != nil {
				return nil, err
			}
			return outs[:1], nil
		},
	},
}

// frames describes the input of a loss over classes: n samples with a number
// for every class.
type frames struct {
	x, y       *Tensor // both row-major
	n, classes int
	reduction  int
	each       bool // the result has one number for each sample
	weight     *Tensor
	p, margin  float64
}

// framesOf checks the input of the losses.
func (a *Args) framesOf() (*frames, error) {
	x, y := a.Tensor("self"), a.Tensor("target")
	rank := len(x.sizes)
	if rank > 2 || rank > 0 && x.sizes[rank-1] == 0 {
		return nil, fail(RuntimeError, CodeShape, "Expected non-empty vector or matrix with optional 0-dim batch size, but got: %s", shapeText(x.sizes))
	}
	r := &frames{x: contiguous(x), y: contiguous(y), n: 1, classes: 1, reduction: a.Int("reduction")}
	if rank > 0 {
		r.classes = x.sizes[rank-1]
	}
	if rank > 1 {
		r.n = x.sizes[0]
	}
	return r, nil
}

func (a *Args) multiMargin() (*frames, error) {
	r, err := a.framesOf()
	if err != nil {
		return nil, err
	}
	r.p, r.margin = a.Scalar("p").Float(), a.Scalar("margin").Float()
	if r.p != 1 && r.p != 2 {
		return nil, fail(RuntimeError, CodeArgument, "only p == 1 and p == 2 supported")
	}
	y, w := a.Tensor("target"), a.Tensor("weight")
	if len(y.sizes) > 1 || y.Numel() != r.n {
		return nil, fail(RuntimeError, CodeShape, "inconsistent target size, expected %d but got %s", r.n, shapeText(y.sizes))
	}
	if w != nil {
		if len(w.sizes) > 1 || w.Numel() != r.classes {
			return nil, fail(RuntimeError, CodeShape, "inconsistent weight size, expected %d but got %s", r.classes, shapeText(w.sizes))
		}
		r.weight = contiguous(as(w, r.x.dtype))
	}
	r.each = r.reduction == noReduction && len(y.sizes) > 0
	if !r.x.dtype.IsFloat() {
		return nil, undefined("multi_margin_loss_cpu_kernel", r.x.dtype)
	}
	if y.dtype != Int64 {
		return nil, wantScalarType(Int64, y.dtype)
	}
	for _, class := range elements[int64](r.y) {
		if class < 0 || class >= int64(r.classes) {
			return nil, fail(RuntimeError, CodeIndex, "target out of range")
		}
	}
	return r, nil
}

func (a *Args) multilabelMargin() (*frames, error) {
	r, err := a.framesOf()
	if err != nil {
		return nil, err
	}
	y := a.Tensor("target")
	fits := sameSizes(r.x.sizes, y.sizes)
	if len(r.x.sizes) < 2 {
		fits = len(y.sizes) < 2 && y.Numel() == r.classes
	}
	if !fits {
		return nil, fail(RuntimeError, CodeShape, "inconsistent target size: %s for input of size: %s", shapeText(y.sizes), shapeText(r.x.sizes))
	}
	r.each = r.reduction == noReduction && len(y.sizes) > 1
	if y.dtype != Int64 {
		return nil, wantScalarType(Int64, y.dtype)
	}
	for _, class := range elements[int64](r.y) {
		if class < -1 || class >= int64(r.classes) {
			return nil, fail(RuntimeError, CodeIndex, "argument #2 'target' is out of range")
		}
	}
	if !r.x.dtype.IsFloat() {
		return nil, undefined("multilabel_margin_loss_forward_out_frame", r.x.dtype)
	}
	return r, nil
}

// output makes the result without values.
func (r *frames) output() *Tensor {
	if r.each {
		return alloc(r.x.dtype, []int{r.n})
	}
	return alloc(r.x.dtype, nil)
}

// storeLosses stores the losses of the samples in the result: each of them, or
// their sum or mean, accumulated in float64.
func storeLosses[T float](r *frames, out *Tensor, loss func(i int) T) {
	o := elements[T](out)
	sum := 0.0
	for i := range r.n {
		l := loss(i)
		sum += float64(l)
		if r.each {
			o[i] = l
		}
	}
	if r.each {
		return
	}
	if r.reduction == meanReduction {
		sum /= float64(r.n)
	}
	o[0] = T(sum)
}

// slopes computes the gradient with respect to the input. f32 and f64 fill in
// the slopes of a sample, scaled by factor, which are then multiplied with the
// gradient.
func (a *Args) slopes(r *frames, f32 func(r *frames, i int, factor float32, d []float32), f64 func(r *frames, i int, factor float64, d []float64)) ([]*Tensor, error) {
	out, g := alloc(r.x.dtype, r.x.sizes), contiguous(as(a.Tensor("grad_output"), r.x.dtype))
	if g.Numel() != 1 && g.Numel() != r.n {
		return nil, fail(RuntimeError, CodeShape, "inconsistent gradient size, expected %d but got %s", r.n, shapeText(g.sizes))
	}
	factor := 1 / float64(r.classes)
	if r.reduction == meanReduction {
		factor /= float64(r.n)
	}
	if classOf(r.x.dtype) == f64Class {
		fillSlopes(r, out, g, factor, f64)
	} else {
		fillSlopes(r, out, g, float32(factor), f32)
	}
	return a.One(rounded(out))
}

func fillSlopes[T float](r *frames, out, g *Tensor, factor T, f func(r *frames, i int, factor T, d []T)) {
	o, grads := elements[T](out), elements[T](g)
	for i := range r.n {
		d := o[i*r.classes:][:r.classes]
		f(r, i, factor, d)
		for j := range d {
			d[j] *= grads[min(i, len(grads)-1)]
		}
	}
}

func multiMargin(a *Args) ([]*Tensor, error) {
	r, err := a.multiMargin()
	if err != nil {
		return nil, err
	}
	out := r.output()
	if classOf(r.x.dtype) == f64Class {
		storeLosses(r, out, func(i int) float64 { return multiMarginOf[float64](r, i) })
	} else {
		storeLosses(r, out, func(i int) float32 { return multiMarginOf[float32](r, i) })
	}
	return a.One(rounded(out))
}

// sample returns a row of the input, its class and the weight of its class.
func sample[T float](r *frames, i int) (x []T, class int, weight T) {
	x, class, weight = elements[T](r.x)[i*r.classes:][:r.classes], int(elements[int64](r.y)[i]), 1
	if r.weight != nil {
		weight = elements[T](r.weight)[class]
	}
	return x, class, weight
}

func multiMarginOf[T float](r *frames, i int) T {
	x, class, weight := sample[T](r, i)
	var sum T
	for j, v := range x {
		z := T(r.margin) - x[class] + v
		if j == class || !(z > 0) {
			continue
		}
		if r.p == 2 {
			z *= z
		}
		sum += z * weight
	}
	return sum / T(r.classes)
}

func multiMarginSlopes[T float](r *frames, i int, factor T, d []T) {
	x, class, weight := sample[T](r, i)
	for j, v := range x {
		z := T(r.margin) - x[class] + v
		if j == class || !(z > 0) {
			continue
		}
		h := factor
		if r.p == 2 {
			h = 2 * factor * z
		}
		h *= weight
		d[j] = h
		d[class] -= h
	}
}

func multilabelMargin(a *Args) ([]*Tensor, error) {
	r, err := a.multilabelMargin()
	if err != nil {
		return nil, err
	}
	out, isTarget := r.output(), alloc(r.x.dtype, r.y.sizes)
	if classOf(r.x.dtype) == f64Class {
		storeLosses(r, out, func(i int) float64 { return multilabelOf(r, i, elements[float64](isTarget)) })
	} else {
		storeLosses(r, out, func(i int) float32 { return multilabelOf(r, i, elements[float32](isTarget)) })
	}
	return []*Tensor{rounded(out), isTarget}, nil
}

// labels returns the classes of a sample, up to the first negative number.
func (r *frames) labels(i int) []int64 {
	labels := elements[int64](r.y)[i*r.classes:][:r.classes]
	for n, class := range labels {
		if class < 0 {
			return labels[:n]
		}
	}
	return labels
}

func multilabelOf[T float](r *frames, i int, isTarget []T) T {
	x, is := elements[T](r.x)[i*r.classes:][:r.classes], isTarget[i*r.classes:][:r.classes]
	for _, class := range r.labels(i) {
		is[class] = 1
	}
	sum := 0.0
	for _, class := range r.labels(i) {
		for j, v := range x {
			if z := 1 - x[class] + v; is[j] == 0 && z > 0 {
				sum += float64(z)
			}
		}
	}
	return T(sum) / T(r.classes)
}

func multilabelSlopes[T float](r *frames, i int, factor T, d []T) {
	x := elements[T](r.x)[i*r.classes:][:r.classes]
	labels := r.labels(i)
	is := make([]bool, r.classes)
	for _, class := range labels {
		is[class] = true
	}
	for _, class := range labels {
		for j, v := range x {
			if !is[j] && 1-x[class]+v > 0 {
				d[class] -= factor
				d[j] += factor
			}
		}
	}
}
