package autograd

import (
	"strings"

	"github.com/gradtui/gradtui/inspect/formula"
)

// A kernelFormula says what an operator computes that exists only for derivatives, where it is short, in terms of the
// operator's parameters. A test compares each with the kernel.
type kernelFormula struct {
	op   string
	out  int    // which result
	when string // values of parameters for which it holds: train=True weight=given
	text string
}

// The gradient of an element that is normalized, and the parts of it. mean and rstd are of the elements that are
// normalized together, weight is broadcast.
const (
	layerHat    = "mul(sub(input, mean), rstd)"
	batchHat    = "mul(sub(input, per_channel(save_mean, input)), per_channel(save_invstd, input))"
	layerDims   = "last_dims(normalized_shape)"
	batchDims   = "batch_dims(shape(input))"
	ofLayer     = "mul(rstd, sub(sub($g, mean($g, dim=" + layerDims + ", keepdim=True)), mul(" + layerHat + ", mean(mul($g, " + layerHat + "), dim=" + layerDims + ", keepdim=True))))"
	ofBatch     = "sub(sub(grad_out, mean(grad_out, dim=" + batchDims + ", keepdim=True)), mul(" + batchHat + ", mean(mul(grad_out, " + batchHat + "), dim=" + batchDims + ", keepdim=True)))"
	runningHat  = "mul(sub(input, per_channel(running_mean, input)), rsqrt(add.Scalar(per_channel(running_var, input), other=eps)))"
	isTarget    = "logical_and(eq(arange(end=size(self, -1)), unsqueeze(target, dim=-1)), ne(unsqueeze(target, dim=-1), other=ignore_index))"
	nothing     = "const(0, size=[])"
	likeResult  = "const(0, size=shape(result))"
	ofEmbedding = "index_put(" + likeResult + ", indices=[indices], $g, accumulate=True)"
)

var kernelFormulas = []kernelFormula{
	{"sigmoid_backward", 0, "", "mul(grad_output, mul(output, sub(1, output)))"},
	{"tanh_backward", 0, "", "mul(grad_output, sub(1, pow(output, exponent=2)))"},
	{"threshold_backward", 0, "", "where(gt(self, other=threshold), grad_output, " + nothing + ")"},
	{"leaky_relu_backward", 0, "", "where(gt(self, other=0), grad_output, mul.Scalar(grad_output, other=negative_slope))"},
	{"hardtanh_backward", 0, "", "where(logical_and(gt(self, other=min_val), lt(self, other=max_val)), grad_output, " + nothing + ")"},
	{"softplus_backward", 0, "", "where(gt(mul.Scalar(self, other=beta), other=threshold), grad_output, mul(grad_output, sigmoid(mul.Scalar(self, other=beta))))"},
	{"_softmax_backward_data", 0, "", "mul(output, sub(grad_output, sum(mul(grad_output, output), dim=dim, keepdim=True)))"},
	{"_log_softmax_backward_data", 0, "", "sub(grad_output, mul(exp(output), sum(grad_output, dim=dim, keepdim=True)))"},
	{"mse_loss_backward", 0, "reduction=1", "div.Scalar(mul(grad_output, mul.Scalar(sub(self, target), other=2)), other=numel(self))"},
	{"mse_loss_backward", 0, "", "mul(grad_output, mul.Scalar(sub(self, target), other=2))"},
	{"slice_backward", 0, "", "slice_scatter(" + likeResult + ", grad_output, dim=dim, start=start, end=end, step=step)"},
	{"select_backward", 0, "", "select_scatter(" + likeResult + ", grad_output, dim=dim, index=index)"},
	{"embedding_dense_backward", 0, "scale_grad_by_freq=False padding_idx=-1", strings.ReplaceAll(ofEmbedding, "$g", "grad_output")},
	{"embedding_dense_backward", 0, "scale_grad_by_freq=False", strings.ReplaceAll(ofEmbedding, "$g", "masked_fill(grad_output, unsqueeze(eq(indices, other=padding_idx), dim=-1), value=0)")},
	{"nll_loss_backward", 0, "reduction=1 weight=None", "where(" + isTarget + ", div(neg(grad_output), total_weight), " + nothing + ")"},
	{"nll_loss_backward", 0, "reduction=2 weight=None", "where(" + isTarget + ", neg(grad_output), " + nothing + ")"},
	{"nll_loss_backward", 0, "reduction=0 weight=None", "where(" + isTarget + ", neg(unsqueeze(grad_output, dim=-1)), " + nothing + ")"},
	{"nll_loss_backward", 0, "reduction=2 weight=given", "where(" + isTarget + ", mul(neg(grad_output), weight), " + nothing + ")"},
	{"nll_loss_backward", 0, "reduction=0 weight=given", "where(" + isTarget + ", mul(neg(unsqueeze(grad_output, dim=-1)), weight), " + nothing + ")"},
	{"nll_loss_backward", 0, "reduction=1 weight=given", "where(" + isTarget + ", mul(neg(grad_output), div(weight, total_weight)), " + nothing + ")"},
	{"native_layer_norm_backward", 0, "weight=given", strings.ReplaceAll(ofLayer, "$g", "mul(grad_out, weight)")},
	{"native_layer_norm_backward", 0, "weight=None", strings.ReplaceAll(ofLayer, "$g", "grad_out")},
	{"native_layer_norm_backward", 1, "", "sum_to_size(mul(grad_out, " + layerHat + "), size=shape(result))"},
	{"native_layer_norm_backward", 2, "", "sum_to_size(grad_out, size=shape(result))"},
	{"native_batch_norm_backward", 0, "train=True weight=given", "mul(mul(per_channel(weight, input), per_channel(save_invstd, input)), " + ofBatch + ")"},
	{"native_batch_norm_backward", 0, "train=True weight=None", "mul(per_channel(save_invstd, input), " + ofBatch + ")"},
	{"native_batch_norm_backward", 0, "train=False weight=given", "mul(mul(grad_out, per_channel(weight, input)), rsqrt(add.Scalar(per_channel(running_var, input), other=eps)))"},
	{"native_batch_norm_backward", 0, "train=False weight=None", "mul(grad_out, rsqrt(add.Scalar(per_channel(running_var, input), other=eps)))"},
	{"native_batch_norm_backward", 1, "train=True", "sum(mul(grad_out, " + batchHat + "), dim=" + batchDims + ")"},
	{"native_batch_norm_backward", 1, "train=False", "sum(mul(grad_out, " + runningHat + "), dim=" + batchDims + ")"},
	{"native_batch_norm_backward", 2, "", "sum(grad_out, dim=" + batchDims + ")"},
	{"convolution_backward", 2, "", "sum(grad_output, dim=batch_dims(shape(grad_output)))"},
}

// conditions yields the values of parameters for which the formula holds.
func (k *kernelFormula) conditions(yield func(param, value string) bool) {
	for _, fact := range strings.Fields(k.when) {
		if param, value, _ := strings.Cut(fact, "="); !yield(param, value) {
			return
		}
	}
}

// written returns a call of a kernel that computes t by what the kernel computes, if the table above says so.
func (s *sampleTrace) written(c *sketch, t *Tensor, args []sketchArg) *sketch {
	byName := map[string]*sketch{}
	values := map[string]string{}
	for _, a := range args {
		byName[a.param], values[a.param] = a.sketch, a.number
	}
	for i := range kernelFormulas {
		k := &kernelFormulas[i]
		holds := k.op == c.op && k.out == c.out
		for param, value := range k.conditions {
			holds = holds && values[param] == value
		}
		if holds {
			e, err := formula.Parse(k.text)
			if err != nil {
				panic(err)
			}
			w := s.substituted(e, byName, t)
			if w.size > maxSketch && len(w.args) > 0 { // a formula that is written on purpose
				w.size = maxSketch
			}
			return w
		}
	}
	return c
}

// substituted returns an expression over the parameters of a kernel, and its result, as a sketch.
func (s *sampleTrace) substituted(e *formula.Expr, args map[string]*sketch, result *Tensor) *sketch {
	if a := args[e.Leaf]; a != nil {
		return a
	}
	switch e.Op {
	case "shape":
		if e.Args[0].Leaf == "result" {
			return s.literal("size", formula.Ints(result.sizes))
		}
		fallthrough
	case "numel", "size", "last_dims", "batch_dims":
		inner := s.substituted(e.Args[0].Expr, args, result)
		c := &sketch{size: 1}
		for _, from := range inner.from {
			if x := e.String(); formula.Leaf(from).IsName() {
				c.from = append(c.from, strings.Replace(x, e.Args[0].Expr.String(), from, 1))
			}
		}
		if c.from == nil {
			return &sketch{op: "…", size: maxSketch + 1}
		}
		return c
	}
	if e.Leaf != "" {
		return &sketch{from: []string{e.Leaf}, size: 1}
	}
	if e.IsList() && len(e.Args) == 0 {
		return &sketch{from: []string{e.String()}, size: 1}
	}
	c := &sketch{op: e.Op, size: 1}
	for _, a := range e.Args {
		x := s.substituted(a.Expr, args, result)
		c.args = append(c.args, sketchArg{name: a.Name, sketch: x})
		c.size += x.size
	}
	return c
}
