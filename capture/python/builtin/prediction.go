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

// predictorOf returns the predictor of a function, or nil.
func predictorOf(name string) predictor {
	if f, ok := predictors[name]; ok {
		return f
	}
	by, changes := autograd.PredictionOf(name)
	f := operatorPredictors[by]
	if f != nil && changes {
		return inPlace(f)
	}
	return f
}

// operatorPredictors are the predictors of operators, by what decides about a call.
var operatorPredictors = map[autograd.Prediction]predictor{
	autograd.ByValues:     fresh,
	autograd.ByTypes:      arithmetic,
	autograd.ByFloatTypes: division,
}

// predictors are the predictors of functions that are not operators.
var predictors = predictorTable()

func predictorTable() map[string]predictor {
	predictors := map[string]predictor{
		"set.grad": other, "set.requires_grad": requiring, "Tensor.requires_grad_": requiring, "torch.numel": always,
	}
	for _, name := range strings.Fields("shape dtype ndim itemsize nbytes is_cpu is_cuda is_sparse") {
		predictors["get."+name] = always
	}
	for _, name := range strings.Fields("size stride dim ndimension numel nelement element_size is_contiguous __len__") {
		predictors["Tensor."+name] = always
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

// fresh is the predictor of functions that return a new tensor which is not a view, because
// grad mode counts for views, or a bool.
func fresh(_ *message, kind protocol.Reply, _ any) protocol.Reply {
	if kind != protocol.ReplyTensor && kind != protocol.ReplyPlain {
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
// without gradients, where no history forbids it. f is the predictor of the function that
// returns the same in a new tensor.
func inPlace(f predictor) predictor {
	return func(m *message, kind protocol.Reply, result any) protocol.Reply {
		if kind != protocol.ReplySelf || autograd.GradEnabled() {
			return 0
		}
		changed := m.args[0].(*autograd.Tensor)
		together := func(v any) bool {
			t, ok := v.(*autograd.Tensor)
			return ok && !autograd.Apart(changed, t)
		}
		if slices.ContainsFunc(m.args[1:], together) || slices.ContainsFunc(m.opts, func(o autograd.Option) bool { return together(o.Value) }) {
			return 0
		}
		if n := f(m, protocol.ReplyTensor, result); n != 0 {
			return n | protocol.AdviceGradOff
		}
		return 0
	}
}
