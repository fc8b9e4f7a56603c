package rules

import (
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// This file says of operations what several rules ask. Names are as on the tape. How operations move
// dimensions is in dimensions.go.

// words returns the words of a text as a set.
func words(text string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(text) {
		set[w] = true
	}
	return set
}

// plain returns the name of an operation without the mark of its form in place.
func plain(op *inspect.Op) string {
	if len(op.Mutated) > 0 && op.Name[len(op.Name)-1] == '_' {
		return op.Name[:len(op.Name)-1]
	}
	return op.Name
}

// shown returns the first of some tensors, at most so many, that is one of a kind: a tensor, what it shows in
// another shape, and so on.
func shown(h *inspect.History, id graph.TensorID, most int, is func(graph.TensorID) bool) (graph.TensorID, bool) {
	for range most {
		if is(id) {
			return id, true
		}
		op := h.Maker(id)
		if op == nil || !sameValues[op.Name] || len(op.Inputs) == 0 {
			break
		}
		id = op.Inputs[0]
	}
	return 0, false
}

// sameValues are the operations whose results hold the values of their first operand, or some
// of them.
var sameValues = words(`view reshape _unsafe_view _reshape_alias flatten squeeze unsqueeze contiguous clone t
	transpose permute movedim getitem select slice index narrow to _to_copy float double expand alias`)

// makesEqual are the operations whose results have equal elements.
var makesEqual = words(`zeros ones full zeros_like ones_like full_like new_zeros new_ones new_full`)

// randomises are the operations in place that write random or given values.
var randomises = words(`uniform_ normal_ bernoulli_ log_normal_ exponential_ cauchy_ geometric_ random_ set_
	masked_scatter_ fill_diagonal_`)

// products are the products with a weight: its place among the inputs, counted from 1, behind the data.
var products = map[string]int{
	"linear": 2, "mm": 2, "matmul": 2, "addmm": 3, "bmm": 2, "convolution": 2,
	"conv1d": 2, "conv2d": 2, "conv3d": 2, "conv_transpose1d": 2, "conv_transpose2d": 2, "conv_transpose3d": 2,
}

// recurrent are the operations of a recurrent layer or cell.
var recurrent = words(`lstm gru rnn_tanh rnn_relu lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell`)

// linearInAll are the operations whose gradient does not depend on the values.
var linearInAll = words(`add sub neg cat stack rsub`)

// reduces are the operations that add up elements.
var reduces = words(`sum mean`)

// pools are the operations that combine neighbours within a channel.
var pools = words(`max_pool1d max_pool2d max_pool3d avg_pool1d avg_pool2d avg_pool3d max_pool2d_with_indices
	adaptive_avg_pool1d adaptive_avg_pool2d adaptive_max_pool2d mean sum amax max cat stack interpolate
	upsample_nearest2d upsample_bilinear2d pad constant_pad_nd`)

// normalises are the operations that treat all channels in one way.
var normalises = words(`batch_norm layer_norm group_norm instance_norm rms_norm native_batch_norm native_layer_norm
	native_group_norm`)

// elementwise are the operations that treat each element in one way, by their names without an
// underscore.
var elementwise = words(`add sub neg rsub mul div pow exp log sqrt rsqrt abs square reciprocal clamp clamp_min
	clamp_max relu relu6 leaky_relu elu selu celu gelu silu mish softplus hardtanh hardswish hardsigmoid tanh sigmoid
	logsigmoid log_sigmoid_forward sin cos tanhshrink softsign threshold maximum minimum prelu where masked_fill lerp
	addcmul addcdiv clip sign sgn round floor ceil trunc erf log1p expm1 sinh cosh tan atan logit`)
