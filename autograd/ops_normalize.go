package autograd

import (
	"fmt"

	"github.com/gradtui/gradtui/autograd/internal/kernel"
)

var normalizeOps = []Op{
	{
		Schema: "layer_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, bool cudnn_enable=True) -> Tensor",
		In:     Torch | Functional, Predicted: ByValues,
		Compose: func(a *Args) ([]*Tensor, error) {
			outs, err := fnNativeLayerNorm.list(nil, a.Tensor("input"), a.Ints("normalized_shape"), a.Tensor("weight"), a.Tensor("bias"), a.Float("eps"))
			return first(outs), err
		},
	},
	{
		Schema: "native_layer_norm(Tensor input, int[] normalized_shape, Tensor? weight, Tensor? bias, float eps) -> (Tensor, Tensor, Tensor)",
		In:     Torch, Go: "-", Node: "NativeLayerNormBackward0", Constant: "result1 result2", Attrs: "normalized_shape", JVP: layerNormJVP,
		Forward: layerNorm,
		VJP: []Formula{{Input: "input weight bias", Uses: "bias input result1 result2 weight", All: func(c *Ctx) []*Tensor {
			if c.Grad() == nil {
				return nil
			}
			return several(fnNativeLayerNormBackward.triple(nil, c.Grad(), c.Saved("input"), c.Args().Ints("normalized_shape"), c.Saved("result1"), c.Saved("result2"), c.Saved("weight"), c.Saved("bias"), c.wanted("input weight bias")))
		}}},
	},
	{
		Schema: "native_layer_norm_backward(Tensor grad_out, Tensor input, int[] normalized_shape, Tensor mean, Tensor rstd, Tensor? weight, Tensor? bias, bool[3] output_mask) -> (Tensor, Tensor, Tensor)",
		In:     Hidden, Go: "-", Node: "NativeLayerNormBackwardBackward0",
		Forward: func(a *Args) ([]*Tensor, error) {
			input, shape := a.Tensor("input"), a.Ints("normalized_shape")
			g := layerGeometry(input.sizes, len(shape))
			return normalizeGradients(g, a.Tensor("grad_out"), input, statistics{a.Tensor("mean"), a.Tensor("rstd")}, a.Tensor("weight"), shape, a.Bools("output_mask"), false), nil
		},
		VJP: []Formula{
			{Input: "grad_out input weight", Uses: "grad_out input mean rstd weight", All: layerNormDoubleBackward},
			{Input: "mean rstd bias", All: func(*Ctx) []*Tensor { return nil }},
		},
	},
	{
		Schema: "batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> Tensor",
		In:     Torch, Go: "-", Compose: batchNorm,
	},
	{
		Schema: "nn_functional_batch_norm(Tensor input, Tensor? running_mean, Tensor? running_var, Tensor? weight=None, Tensor? bias=None, bool training=False, float momentum=0.1, float eps=1e-05) -> Tensor",
		In:     Functional, Go: "BatchNorm",
		Compose: func(a *Args) ([]*Tensor, error) {
			t := a.Tensor("input")
			if a.Bool("training") {
				if t.Dim() == 0 {
					return nil, fail(IndexError, CodeIndex, "tuple index out of range")
				}
				if err := moreThanOne(t.sizes[0]*numel(t.sizes[min(t.Dim(), 2):]), "value per channel", t.sizes); err != nil {
					return nil, err
				}
			}
			return fnBatchNorm.list(nil, t, a.Tensor("weight"), a.Tensor("bias"), a.Tensor("running_mean"), a.Tensor("running_var"), a.Bool("training"), a.Float("momentum"), a.Float("eps"), true)
		},
	},
	{
		Schema: "native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)",
		In:     Hidden, Go: "-", Node: "NativeBatchNormBackward0", Constant: "result1 result2", Attrs: "eps training", JVP: batchNormJVP,
		Forward: batchNormForward,
		VJP: []Formula{{Input: "input weight bias", Uses: "input result1 result2 running_mean running_var weight", All: func(c *Ctx) []*Tensor {
			if c.Grad() == nil {
				return nil
			}
			a := c.Args()
			return several(fnNativeBatchNormBackward.triple(nil, c.Grad(), c.Saved("input"), c.Saved("weight"), c.Saved("running_mean"), c.Saved("running_var"), c.Saved("result1"), c.Saved("result2"), a.Bool("training"), a.Float("eps"), c.wanted("input weight bias")))
		}}},
	},
	{
		Schema: "native_batch_norm_backward(Tensor grad_out, Tensor input, Tensor? weight, Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_invstd, bool train, float eps, bool[3] output_mask) -> (Tensor, Tensor, Tensor)",
		In:     Hidden, Go: "-", Node: "NativeBatchNormBackwardBackward0",
		Forward: func(a *Args) ([]*Tensor, error) {
			input := a.Tensor("input")
			g := batchGeometry(input.sizes)
			return normalizeGradients(g, a.Tensor("grad_out"), input, batchStatistics(a), a.Tensor("weight"), []int{g.Channels}, a.Bools("output_mask"), !a.Bool("train")), nil
		},
		VJP: []Formula{
			{Input: "grad_out input weight", Uses: "grad_out input running_mean running_var save_invstd save_mean weight", All: batchNormDoubleBackward},
			{Input: "save_mean save_invstd", All: func(*Ctx) []*Tensor { return nil }},
		},
	},
	{
		Schema: "nn_functional_instance_norm(Tensor input, Tensor? running_mean=None, Tensor? running_var=None, Tensor? weight=None, Tensor? bias=None, bool use_input_stats=True, float momentum=0.1, float eps=1e-05) -> Tensor",
		In:     Functional, Go: "InstanceNorm",
		Compose: func(a *Args) ([]*Tensor, error) {
			t := a.Tensor("input")
			if a.Bool("use_input_stats") {
				if err := moreThanOne(numel(t.sizes[min(t.Dim(), 2):]), "spatial element", t.sizes); err != nil {
					return nil, err
				}
			}
			return fnInstanceNorm.list(nil, t, a.Tensor("weight"), a.Tensor("bias"), a.Tensor("running_mean"), a.Tensor("running_var"), a.Bool("use_input_stats"), a.Float("momentum"), a.Float("eps"), true)
		},
	},
	{
		Schema: "instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool use_input_stats, float momentum, float eps, bool cudnn_enabled) -> Tensor",
		In:     Torch, Go: "-", Compose: instanceNorm,
	},
}

// first returns the first result only.
func first(outs []*Tensor) []*Tensor { return outs[:min(len(outs), 1)] }

// moreThanOne returns an error for statistics of a single value.
func moreThanOne(n int, what string, sizes []int) error {
	if n == 1 {
		return fail(ValueError, CodeShape, "Expected more than 1 %s when training, got input size %s", what, torchSize(sizes))
	}
	return nil
}

// torchSize formats a shape as Python prints a torch.Size.
func torchSize(sizes []int) string { return fmt.Sprintf("torch.Size(%s)", shapeText(sizes)) }

func layerNorm(a *Args) ([]*Tensor, error) {
	input, shape, weight, bias := a.Tensor("input"), a.Ints("normalized_shape"), a.Tensor("weight"), a.Tensor("bias")
	if err := checkNormalizedShape(input, shape, map[string]*Tensor{"weight": weight, "bias": bias}); err != nil {
		return nil, err
	}
	if err := checkMixed(input, weight, bias); err != nil {
		return nil, err
	}
	if !input.dtype.IsFloat() {
		return nil, undefined("LayerNormKernelImpl", input.dtype)
	}
	t := contiguous(input)
	kept := append([]int(nil), t.sizes...)
	for d := len(kept) - len(shape); d < len(kept); d++ {
		kept[d] = 1
	}
	g := layerGeometry(t.sizes, len(shape))
	s, _, _ := measure(g, t, kept, a.Float("eps"))
	saved := s.as(t.dtype)
	return []*Tensor{normalized(g, t, s, weight, bias), saved.mean, saved.inverse}, nil
}

func layerNormJVP(c *JCtx) ([]*Tensor, error) {
	dims := []int{}
	rank := c.Primal("input").Dim()
	for d := rank - len(c.Args().Ints("normalized_shape")); d < rank; d++ {
		dims = append(dims, d)
	}
	return []*Tensor{normalizeJVP(c.Primal("input"), c.Tangent("input"), c.Out(1), c.Out(2), dims, c.Primal("weight"), c.Tangent("weight"), c.Tangent("bias"))}, nil
}

// batchNorm makes the checks of PyTorch's _batch_norm_impl_index.
func batchNorm(a *Args) ([]*Tensor, error) {
	t := a.Tensor("input")
	if t.Dim() < 2 {
		_, err := wrapDim(1, t.Dim())
		return nil, err
	}
	weight, bias := a.Tensor("weight"), a.Tensor("bias")
	if t.Numel() == 0 {
		out := t.Clone()
		if weight != nil && weight.Numel() > 0 {
			out = out.Mul(fnSelect.single(nil, weight, 0, 0))
		}
		if bias != nil && bias.Numel() > 0 {
			out = out.Add(fnSelect.single(nil, bias, 0, 0))
		}
		return a.One(out)
	}
	for _, name := range []string{"running_mean", "running_var", "weight", "bias"} {
		p := a.Tensor(name)
		if p != nil && p.Numel() != t.sizes[1] {
			return nil, fail(RuntimeError, CodeShape, "%s should contain %d elements not %d", name, t.sizes[1], p.Numel())
		}
		if p == nil && name[0] == 'r' && !a.Bool("training") {
			return nil, fail(RuntimeError, CodeArgument, "%s must be defined in evaluation mode", name)
		}
		if p != nil && name[0] == 'r' && p.requiresGrad() && gradMode() {
			return nil, fail(RuntimeError, CodeArgument, "The function 'native_batch_norm' is not differentiable with respect to argument '%s'. This input cannot have requires_grad True.", name)
		}
	}
	outs, err := fnNativeBatchNorm.list(nil, t, weight, bias, a.Tensor("running_mean"), a.Tensor("running_var"), a.Bool("training"), a.Float("momentum"), a.Float("eps"))
	return first(outs), err
}

func batchNormForward(a *Args) ([]*Tensor, error) {
	input, weight, bias := a.Tensor("input"), a.Tensor("weight"), a.Tensor("bias")
	mean, variance := a.Tensor("running_mean"), a.Tensor("running_var")
	switch {
	case input.Dim() < 2:
		_, err := wrapDim(1, input.Dim())
		return nil, err
	case !input.dtype.IsFloat():
		return nil, undefined("batch_norm", input.dtype)
	}
	if err := checkMixed(input, weight, bias, mean, variance); err != nil {
		return nil, err
	}
	t := contiguous(input)
	g := batchGeometry(t.sizes)
	if !a.Bool("training") {
		none := alloc(input.dtype, []int{0})
		s := runningStatistics(mean, variance, a.Float("eps"))
		return []*Tensor{normalized(g, t, s, weight, bias), none, alloc(input.dtype, []int{0})}, nil
	}
	s, means, squares := measure(g, t, []int{g.Channels}, a.Float("eps"))
	s = s.as(t.dtype)
	if n := t.Numel() / max(g.Channels, 1); mean != nil && variance != nil {
		m := a.Float("momentum")
		for c := range means {
			update(mean, c, m, means[c])
			update(variance, c, m, squares[c]/float64(n-1))
		}
	}
	return []*Tensor{normalized(g, t, s, weight, bias), s.mean, s.inverse}, nil
}

// update moves an element of a running statistic towards a new value. Like
// PyTorch it does not count the change.
func update(t *Tensor, i int, momentum, x float64) {
	p := t.at(i)
	t.setElement(p, FloatScalar(momentum*x+(1-momentum)*t.float(p)))
}

// runningStatistics computes statistics from running averages.
func runningStatistics(mean, variance *Tensor, eps float64) statistics {
	inverse := allocLike(variance, variance.dtype)
	for i := range variance.Numel() {
		inverse.setElement(i, FloatScalar(kernel.InverseDeviation(variance.float(variance.at(i)), eps)))
	}
	return statistics{mean, inverse}
}

// batchStatistics returns the statistics that native_batch_norm used.
func batchStatistics(a *Args) statistics {
	if a.Bool("train") {
		return statistics{a.Tensor("save_mean"), a.Tensor("save_invstd")}
	}
	return runningStatistics(a.Tensor("running_mean"), a.Tensor("running_var"), a.Float("eps"))
}

func batchNormJVP(c *JCtx) ([]*Tensor, error) {
	if c.Tangent("input") != nil && (c.Tangent("running_mean") != nil || c.Tangent("running_var") != nil) {
		return nil, fail(RuntimeError, CodeArgument, "batch_norm is not differentiable wrt running_mean and running_var, they cannot have forward grad defined")
	}
	x := c.Primal("input")
	channels := func(t *Tensor) *Tensor { return alongChannels(t, x.Dim()) }
	s, dims := statistics{c.Out(1), c.Out(2)}, []int{0}
	for d := 2; d < x.Dim(); d++ {
		dims = append(dims, d)
	}
	if !c.Args().Bool("training") {
		s, dims = runningStatistics(c.Primal("running_mean"), c.Primal("running_var"), c.Args().Float("eps")), nil
	}
	return []*Tensor{normalizeJVP(x, c.Tangent("input"), channels(s.mean), channels(s.inverse), dims, channels(c.Primal("weight")), channels(c.Tangent("weight")), channels(c.Tangent("bias")))}, nil
}

// alongChannels reshapes a vector to broadcast along dimension 1.
func alongChannels(t *Tensor, rank int) *Tensor {
	if t == nil {
		return nil
	}
	shape := repeated(1, rank)
	shape[1] = t.Numel()
	return t.Reshape(shape)
}

// instanceNorm runs a batch norm in which each sample has its own channels.
func instanceNorm(a *Args) ([]*Tensor, error) {
	t := a.Tensor("input")
	mean, variance := a.Tensor("running_mean"), a.Tensor("running_var")
	if !a.Bool("use_input_stats") && (mean == nil || variance == nil) {
		return nil, fail(RuntimeError, CodeArgument, "Expected running_mean and running_var to be defined when use_input_stats is false")
	}
	if t.Dim() < 2 {
		_, err := wrapDim(1, t.Dim())
		return nil, err
	}
	n, channels := t.sizes[0], t.sizes[1]
	each := func(name string) *Tensor {
		if p := a.Tensor(name); p != nil {
			return fnRepeat.single(nil, p, []int{n})
		}
		return nil
	}
	shape := append([]int{1, n * channels}, t.sizes[2:]...)
	eachMean, eachVariance := each("running_mean"), each("running_var")
	out := fnBatchNorm.single(nil, t.Contiguous().View(shape), each("weight"), each("bias"), eachMean, eachVariance, a.Bool("use_input_stats"), a.Float("momentum"), a.Float("eps"), true)
	if out.err != nil {
		return nil, out.err
	}
	for _, pair := range [][2]*Tensor{{mean, eachMean}, {variance, eachVariance}} {
		if pair[0] == nil {
			continue
		}
		average := fnMean.single(nil, pair[1].View([]int{n, channels}), []int{0}, false)
		if err := pair[0].Alias().Copy_(average); err != nil {
			return nil, err
		}
	}
	return a.One(out.View(t.sizes))
}
