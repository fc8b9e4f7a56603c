package autograd

import (
	"math"
	"slices"
)

var groupNormOps = []Op{
	{
		Schema:  "group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, bool cudnn_enabled=True) -> Tensor",
		In:      Torch,
		Compose: groupNorm,
	},
	{
		Schema: "nn_functional_group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-05) -> Tensor",
		In:     Functional, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) {
			t, groups := a.Tensor("input"), a.Int("num_groups")
			switch {
			case t.Dim() < 2:
				return nil, fail(RuntimeError, CodeShape, "Expected at least 2 dimensions for input tensor but received %d", t.Dim())
			case groups == 0:
				return nil, fail(ZeroDivisionError, CodeArgument, "integer division or modulo by zero")
			}
			// Python's division rounds down.
			perGroup := int(math.Floor(float64(t.sizes[0]*t.sizes[1]) / float64(groups)))
			shape := append([]int{perGroup, groups}, t.sizes[2:]...)
			if err := moreThanOne(shape[0]*numel(shape[2:]), "value per channel", shape); err != nil {
				return nil, err
			}
			return groupNorm(a)
		},
	},
	{
		Schema: "native_group_norm(Tensor input, Tensor? weight, Tensor? bias, int N, int C, int HxW, int group, float eps) -> (Tensor, Tensor, Tensor)",
		In:     Hidden, Go: "-", Node: "NativeGroupNormBackward0", Attrs: "C HxW N eps group", JVP: groupNormJVP,
		Forward: func(a *Args) ([]*Tensor, error) {
			input, n, groups := a.Tensor("input"), a.Int("N"), a.Int("group")
			if err := checkMixed(input, a.Tensor("weight"), a.Tensor("bias")); err != nil {
				return nil, err
			}
			if !input.dtype.IsFloat() {
				return nil, undefined("GroupNormKernelImpl", input.dtype)
			}
			t := contiguous(input)
			g := groupGeometry(n, a.Int("C"), a.Int("HxW"), groups)
			s, _, _ := measure(g, t, []int{n, groups}, a.Float("eps"))
			saved := s.as(t.dtype)
			return []*Tensor{normalized(g, t, s, a.Tensor("weight"), a.Tensor("bias")), saved.mean, saved.inverse}, nil
		},
		VJP: []Formula{{Input: "input weight bias", Uses: "input result1 result2 weight", All: groupNormBackward}},
	},
	{
		Schema: "native_group_norm_backward(Tensor grad_out, Tensor input, Tensor mean, Tensor rstd, Tensor? weight, int N, int C, int HxW, int group, bool[3] output_mask) -> (Tensor, Tensor, Tensor)",
		In:     Hidden, Go: "-",
		Forward: func(a *Args) ([]*Tensor, error) {
			g := groupGeometry(a.Int("N"), a.Int("C"), a.Int("HxW"), a.Int("group"))
			return normalizeGradients(g, a.Tensor("grad_out"), a.Tensor("input"), statistics{a.Tensor("mean"), a.Tensor("rstd")}, a.Tensor("weight"), []int{a.Int("C")}, a.Bools("output_mask"), false), nil
		},
	},
	{
		Schema: "rms_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, float? eps=None) -> Tensor", In: Torch | Functional,
		Compose: rmsNorm,
	},
	{
		Schema: "nn_functional_local_response_norm(Tensor input, int size, float alpha=0.0001, float beta=0.75, float k=1.0) -> Tensor", In: Functional, Go: "LocalResponseNorm",
		Compose: localResponseNorm,
	},
}

func groupNorm(a *Args) ([]*Tensor, error) {
	t, groups, weight, bias := a.Tensor("input"), a.Int("num_groups"), a.Tensor("weight"), a.Tensor("bias")
	if t.Dim() < 2 {
		return nil, fail(RuntimeError, CodeShape, "Expected at least 2 dimensions for input tensor but received %d", t.Dim())
	}
	n, c := t.sizes[0], t.sizes[1]
	switch {
	case groups <= 0:
		return nil, fail(RuntimeError, CodeArgument, "Expected num groups to be greater than 0, got %d", groups)
	case c%groups != 0:
		return nil, fail(RuntimeError, CodeShape, "Expected number of channels in input to be divisible by num_groups, but got input of shape %s and num_groups=%d", shapeText(t.sizes), groups)
	}
	for _, name := range []string{"weight", "bias"} {
		if p := a.Tensor(name); p != nil && !slices.Equal(p.sizes, []int{c}) {
			shown := p
			if name == "bias" && weight != nil {
				shown = weight // PyTorch's message shows the weight here
			}
			return nil, fail(RuntimeError, CodeShape, "Expected %s to be a vector of size equal to the number of channels in input, but got %s of shape %s and input of shape %s", name, name, shapeText(shown.sizes), shapeText(t.sizes))
		}
	}
	outs, err := fnNativeGroupNorm.list(nil, t.Contiguous(), weight, bias, n, c, numel(t.sizes[2:]), groups, a.Float("eps"))
	return first(outs), err
}

// groupNormBackward uses a kernel if its result will not be differentiated, and
// otherwise the same formula composed of operators.
func groupNormBackward(c *Ctx) []*Tensor {
	a := c.Args()
	if gradMode() || c.GradAt(1) != nil || c.GradAt(2) != nil {
		return groupNormDifferentiable(c)
	}
	if c.Grad() == nil {
		return nil
	}
	return several(fnNativeGroupNormBackward.triple(nil, c.Grad(), c.Saved("input"), c.Saved("result1"), c.Saved("result2"), c.Saved("weight"), a.Int("N"), a.Int("C"), a.Int("HxW"), a.Int("group"), c.wanted("input weight bias")))
}

// groupNormDifferentiable follows
// infinitely_differentiable_native_group_norm_backward in
// torch/csrc/autograd/FunctionsManual.cpp.
func groupNormDifferentiable(c *Ctx) []*Tensor {
	a := c.Args()
	n, groups, hw := a.Int("N"), a.Int("group"), a.Int("HxW")
	each := a.Int("C") / groups
	results := make([]*Tensor, 3)
	input, weight := c.Saved("input"), c.Saved("weight")
	x := input.Reshape([]int{n, groups, each, hw})
	mean, rstd := c.Saved("result1").Reshape([]int{n, groups, 1, 1}), c.Saved("result2").Reshape([]int{n, groups, 1, 1})
	cube := rstd.Mul(rstd).Mul(rstd)
	var dx *Tensor
	if grad := c.Grad(); grad != nil {
		dy := grad.Reshape([]int{n, groups, each, hw})
		ds, db := sumInto(dy.Mul(x), 3, -1), sumInto(dy, 3, -1)
		if c.Needs("input") {
			scale, b, s := rstd, ds, db
			if weight != nil {
				w := weight.Reshape([]int{1, groups, each, 1})
				scale, b, s = rstd.Mul(w), ds.Mul(w), db.Mul(w)
			}
			b, s = sumInto(b, 2, -2), sumInto(s, 2, -2)
			part := FloatScalar(1 / float64(each*hw))
			b = s.Mul(mean).Sub(b).Mul(cube).MulScalar(part)
			s = b.Neg().Mul(mean).Sub(s.Mul(rstd).MulScalar(part))
			dx = scale.Mul(dy).Add(b.Mul(x)).Add(s)
		}
		if c.Needs("weight") {
			results[1] = ds.Sub(db.Mul(mean)).Mul(rstd).Sum(Dim(0)).Reshape(c.Shape("weight"))
		}
		if c.Needs("bias") {
			results[2] = db.Sum(Dim(0)).Reshape(c.Shape("bias"))
		}
	}
	if c.Needs("input") {
		dx = addDefined(dx, momentsBackward(c, x, cube))
		if dx != nil {
			results[0] = dx.Reshape(input.sizes)
		}
	}
	return results
}

// momentsBackward returns the gradient of x [N, groups, ...] through the mean
// and the inverse deviation that group norm returns.
func momentsBackward(c *Ctx, x, cube *Tensor) *Tensor {
	dMean, dInverse := c.GradAt(1), c.GradAt(2)
	shape := []int{x.sizes[0], x.sizes[1], 1, 1}
	count := x.sizes[2] * x.sizes[3]
	var dx *Tensor
	if dInverse != nil {
		dVariance := cube.MulScalar(-0.5).Mul(dInverse.View(shape))
		centred := x.Sub(fnMean.single([]Option{Dim(2, 3), KeepDim}, x))
		dx = dVariance.MulScalar(2 / float64(count)).Mul(centred)
	}
	if dMean != nil {
		dx = addDefined(dx, dMean.View(shape).Expand(x.sizes).Div(count))
	}
	return dx
}

// sumInto sums over a dimension and inserts a dimension of size 1 elsewhere, in
// place as PyTorch's formula does.
func sumInto(t *Tensor, dim, at int) *Tensor {
	s := t.Sum(Dim(dim))
	if s.err != nil {
		return s
	}
	if err := fnUnsqueeze_.inPlace(nil, s, at); err != nil {
		return errTensor(err)
	}
	return s
}

func groupNormJVP(c *JCtx) ([]*Tensor, error) {
	a := c.Args()
	x := c.Primal("input")
	n, groups, hw := a.Int("N"), a.Int("group"), a.Int("HxW")
	each := a.Int("C") / groups
	shape, scale := []int{n, groups, each, hw}, []int{1, groups, each, 1}
	as := func(t *Tensor, shape []int) *Tensor {
		if t == nil {
			return nil
		}
		return t.Reshape(shape)
	}
	mean, rstd := c.Out(1).Reshape([]int{n, groups, 1, 1}), c.Out(2).Reshape([]int{n, groups, 1, 1})
	cells, dx := as(x, shape), as(c.Tangent("input"), shape)
	d := normalizeJVP(cells, dx, mean, rstd, []int{2, 3}, as(c.Primal("weight"), scale), as(c.Tangent("weight"), scale), as(c.Tangent("bias"), scale))
	results := []*Tensor{d.Reshape(x.sizes), nil, nil}
	if dx != nil {
		over := []Option{Dim(2, 3), KeepDim}
		slope := fnMean.single(over, cells.Sub(mean).Mul(dx))
		results[1] = fnMean.single(over, dx).Reshape(c.Out(1).sizes)
		results[2] = slope.Mul(rstd.Pow(3)).Neg().Reshape(c.Out(2).sizes)
	}
	return results, nil
}

// rmsNorm divides by the root mean square.
func rmsNorm(a *Args) ([]*Tensor, error) {
	t, shape, weight := a.Tensor("input"), a.Ints("normalized_shape"), a.Tensor("weight")
	if err := checkNormalizedShape(t, shape, map[string]*Tensor{"weight": weight}); err != nil {
		return nil, err
	}
	if !t.dtype.IsFloat() {
		return nil, undefined("rms_norm", t.dtype)
	}
	eps := math.Nextafter(1, 2) - 1
	if t.dtype != Float64 {
		eps = float64(math.Nextafter32(1, 2) - 1)
	}
	if a.Has("eps") {
		eps = a.Float("eps")
	}
	dims := make([]int, len(shape))
	for i := range dims {
		dims[i] = t.Dim() - i - 1
	}
	wide := t
	if t.dtype == Float16 || t.dtype == BFloat16 {
		wide = t.To(Float32)
	}
	square := fnMean.single([]Option{Kw("dim", dims), KeepDim}, wide.Pow(2))
	out := wide.Mul(square.AddScalar(eps).Rsqrt())
	if out.dtype != t.dtype {
		out = out.To(t.dtype)
	}
	if weight != nil {
		out = out.Mul(weight)
	}
	return a.One(out)
}

// localResponseNorm follows torch.nn.functional.local_response_norm.
func localResponseNorm(a *Args) ([]*Tensor, error) {
	t, size := a.Tensor("input"), a.Int("size")
	if t.Dim() < 3 {
		return nil, fail(ValueError, CodeShape, "Expected 3D or higher dimensionality                          input (got %d dimensions)", t.Dim())
	}
	if t.Numel() == 0 {
		return []*Tensor{t}, nil
	}
	before, after := size/2, int(math.Floor(float64(size-1)/2))
	div := t.Mul(t)
	if t.Dim() == 3 {
		div = fnUnsqueeze.single(nil, div, 1).ConstantPadNd([]int{0, 0, before, after})
		div = fnSqueeze.single(nil, fnAvgPool2d.single(nil, div, []int{size, 1}, 1), 1)
	} else {
		div = div.View([]int{t.sizes[0], 1, t.sizes[1], t.sizes[2], -1}).ConstantPadNd([]int{0, 0, 0, 0, before, after})
		div = fnSqueeze.single(nil, fnAvgPool3d.single(nil, div, []int{size, 1, 1}, 1), 1).View(t.sizes)
	}
	return a.One(t.Div(div.Mul(a.Float("alpha")).Add(a.Float("k")).Pow(a.Float("beta"))))
}
