package builtin

import (
	"slices"
	"strings"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture/python/protocol"
)

// A predictor says whether Python can predict the next call of a function like this one:
// whether the layouts of its tensors decide, with the types or the values of its other
// arguments, whether it succeeds and what it returns. It is asked after a call that
// succeeded, and is nil for functions whose success depends on elements, on the graph, or
// on anything else.
type predictor func(m *message, kind protocol.Reply, result any) protocol.Reply

// predictors are the predictors of functions, by name; most functions have none.
var predictors = predictorTable()

func predictorTable() map[string]predictor {
	predictors := map[string]predictor{}
	for _, list := range []struct {
		predictor predictor
		places    string
		names     string
	}{
		{always, "get.", "shape dtype ndim itemsize nbytes is_cpu is_cuda is_sparse"},
		{always, "Tensor.", "size stride dim ndimension numel nelement element_size is_floating_point is_contiguous __len__"},
		{always, "torch.", "numel is_floating_point"},
		{other, "set.", "grad"},
		{requiring, "set.", "requires_grad"},
		{requiring, "Tensor.", "requires_grad_"},
		{fresh, "torch.", "zeros ones full empty rand randn arange eye linspace"},
		{fresh, "Tensor.", "new_zeros new_ones new_full new_empty"},
		{fresh, "torch. Tensor. torch.nn.functional. torch.special.", `
			abs neg positive sign sgn exp exp2 expm1 log log2 log10 log1p sqrt rsqrt square reciprocal sin cos tan asin acos
			atan sinh cosh tanh asinh acosh atanh erf erfc sigmoid logit ceil floor round trunc frac relu relu6 gelu silu elu
			celu selu leaky_relu softplus hardtanh hardsigmoid hardswish mish logsigmoid tanhshrink softsign softmax
			log_softmax softmin clamp clamp_min clamp_max clip maximum minimum fmax fmin where lerp atan2 hypot
			eq ne lt le gt ge isnan isinf isfinite logical_and logical_or logical_not logical_xor
			sum mean prod std var amax amin argmax argmin all any logsumexp cumsum cumprod norm dist
			clone detach zeros_like ones_like full_like empty_like rand_like randn_like
			matmul mm bmm mv dot outer inner addmm addmv baddbmm linear conv1d conv2d layer_norm
			mse_loss l1_loss smooth_l1_loss huber_loss triu tril float double contiguous`},
		{fresh, "Tensor.", "__neg__ __pos__ __abs__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __matmul__ __rmatmul__"},
		{arithmetic, "torch. Tensor.", "add sub mul rsub subtract multiply"},
		{arithmetic, "Tensor.", "__add__ __radd__ __sub__ __rsub__ __mul__ __rmul__"},
		{division, "torch. Tensor.", "div true_divide divide floor_divide remainder fmod pow"},
		{division, "Tensor.", "__truediv__ __rtruediv__ __floordiv__ __rfloordiv__ __mod__ __rmod__ __pow__ __rpow__"},
		{inPlace(fresh), "Tensor.", "zero_ fill_ copy_ clamp_ addcmul_ addcdiv_ lerp_ sqrt_ exp_ neg_ sigmoid_ tanh_ relu_"},
		{inPlace(arithmetic), "Tensor.", "add_ sub_ mul_ __iadd__ __isub__ __imul__"},
		{inPlace(division), "Tensor.", "div_ __itruediv__"},
	} {
		for _, place := range strings.Fields(list.places) {
			for _, name := range strings.Fields(list.names) {
				predictors[place+name] = list.predictor
			}
		}
	}
	return predictors
}

// counts reports whether an argument is a tensor that may stand for an integer, such
// as a size or a dimension: then its element decides, too.
func counts(m *message) bool {
	one := func(v any) bool {
		t, ok := v.(*autograd.Tensor)
		return ok && !t.DType().IsFloat() && t.Numel() == 1
	}
	return slices.ContainsFunc(m.args, one) ||
		slices.ContainsFunc(m.opts, func(o autograd.Option) bool { return one(o.Value) })
}

// always is the predictor of functions that return a part of the layout.
func always(*message, protocol.Reply, any) protocol.Reply { return protocol.AdviceValuesDecide }

// fresh is the predictor of functions that return a new tensor which is not a view; grad
// mode counts for views.
func fresh(_ *message, kind protocol.Reply, _ any) protocol.Reply {
	if kind != protocol.ReplyTensor {
		return 0
	}
	return protocol.AdviceValuesDecide
}

// other is the predictor of the assignment of another tensor.
func other(m *message, _ protocol.Reply, _ any) protocol.Reply {
	if m.args[0] == m.args[1] {
		return 0
	}
	return protocol.AdviceValuesDecide
}

// requiring is the predictor of functions that make a tensor require grad. If the tensor
// has views, other operators may refuse them from then on.
func requiring(m *message, _ protocol.Reply, _ any) protocol.Reply {
	if len(m.args) > 1 && m.args[1] != true || len(m.opts) > 0 {
		return 0
	}
	return protocol.AdviceValuesDecide | protocol.AdviceNoViews
}

// arithmetic is the predictor of functions that accept all floating-point numbers.
func arithmetic(m *message, kind protocol.Reply, result any) protocol.Reply {
	if kind != protocol.ReplyTensor {
		return 0
	}
	for _, v := range m.args {
		switch v.(type) {
		case *autograd.Tensor, float64:
		default:
			return protocol.AdviceValuesDecide
		}
	}
	if len(m.args) != 2 || len(m.opts) > 0 { // alpha must fit
		return protocol.AdviceValuesDecide
	}
	return protocol.AdviceTypesDecide
}

// division is the predictor of functions that fail if an integer in a tensor is 0.
func division(m *message, kind protocol.Reply, result any) protocol.Reply {
	if kind != protocol.ReplyTensor || !result.(*autograd.Tensor).DType().IsFloat() {
		return 0
	}
	return arithmetic(m, kind, result)
}

// inPlace is the predictor of functions that change their first argument, in a block
// without gradients, where no history stands against that. f is that of the functions
// that return the same in a new tensor.
func inPlace(f predictor) predictor {
	return func(m *message, kind protocol.Reply, result any) protocol.Reply {
		if kind != protocol.ReplySelf || autograd.GradEnabled() {
			return 0
		}
		changed := m.args[0].(*autograd.Tensor)
		for _, v := range m.args[1:] {
			if t, ok := v.(*autograd.Tensor); ok && !autograd.Apart(changed, t) {
				return 0
			}
		}
		if n := f(m, protocol.ReplyTensor, result); n != 0 {
			return n | protocol.AdviceGradOff
		}
		return 0
	}
}
