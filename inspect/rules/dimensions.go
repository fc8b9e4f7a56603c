package rules

import (
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// This file follows single dimensions of tensors through operations. It needs shapes and arguments
// only, which both engines record. Where an operation is unknown, the dimension is lost.

// An outcome is what an operation does with a dimension of an operand.
type outcome uint8

const (
	lost       outcome = iota // the operation is unknown, or takes the dimension apart
	kept                      // dimensions of the results are the same one
	reduced                   // one value is left of all positions
	totalled                  // one value is left of the whole tensor
	picked                    // a position was taken
	contracted                // a matrix product or a layer has combined all positions
	batched                   // a matrix product for each position
	normalized                // each value was normalized by the values at the other positions
	gone                      // the operation reads the tensor for its shape or kind only
)

// An arrival is where an operation takes a dimension of an operand.
type arrival struct {
	outcome
	dims []int // of the first result, or of each of several parts of the operand
	less []int // other dimensions of the operand, with more than one position, that are not in the result
}

// A call is an operation with what its results depend on.
type call struct {
	check *inspect.Checker
	e     *graph.OpRan
	name  string
	out   []int // shape of the first result
}

func newCall(check *inspect.Checker, e *graph.OpRan) (c call, ok bool) {
	if len(e.Outputs) == 0 {
		return c, false
	}
	name := check.Tape().String(e.Op)
	if len(e.Mutated) > 0 || strings.HasPrefix(name, "_") {
		name = strings.TrimPrefix(strings.TrimSuffix(name, "_"), "_")
	}
	return call{check, e, name, check.Tensor(e.Outputs[0]).Shape}, true
}

func (c call) in(i int) []int {
	if i >= len(c.e.Inputs) || c.e.Inputs[i] == 0 {
		return nil
	}
	return c.check.Tensor(c.e.Inputs[i]).Shape
}

// ints returns the integers of an argument, by its name or by its position among the arguments that
// are not tensors; rest: and of all integers that follow at once.
func (c call) ints(name string, position int, rest bool) (found []int) {
	at := 0
	for _, a := range c.e.Attrs {
		whole := a.Type == graph.AttrInt || a.Type == graph.AttrUint || a.Type == graph.AttrInts || a.Type == graph.AttrUints
		switch {
		case a.Name != 0 && c.check.Tape().String(a.Name) == name && whole:
			return wholeNumbers(a.Ints)
		case a.Name != 0:
			continue
		case at == position || rest && at > position && len(found) > 0:
			if !whole {
				return found
			}
			found = append(found, wholeNumbers(a.Ints)...)
			if !rest {
				return found
			}
		}
		at++
	}
	return found
}

func wholeNumbers(ints []int64) (n []int) {
	for _, i := range ints {
		n = append(n, int(i))
	}
	return n
}

// dim returns the argument that names a dimension of a tensor with a rank.
func (c call) dim(name string, position, rank, otherwise int) int {
	d := otherwise
	if found := c.ints(name, position, false); len(found) == 1 {
		d = found[0]
	}
	return fromFirst(d, rank)
}

// fromFirst returns a dimension counted from the first one.
func fromFirst(d, rank int) int {
	if d < 0 {
		return d + rank
	}
	return d
}

// alignedOps are the operations whose operands are broadcast against each other, and operations
// that leave the shape as it is.
var alignedOps = words(`add sub rsub mul div true_divide pow exp expm1 log log1p log2 sqrt rsqrt square neg abs reciprocal relu
	gelu silu mish elu celu selu leaky_relu prelu hardtanh relu6 hardswish hardsigmoid sigmoid log_sigmoid tanh softplus softsign
	tanhshrink clamp clamp_min clamp_max clip dropout native_dropout feature_dropout alpha_dropout where masked_fill maximum
	minimum to to_copy clone contiguous detach alias float double half bfloat16 type_as lerp addcmul addcdiv sin cos tan atan
	atan2 sign round floor ceil erf nan_to_num xlogy positive requires_grad fmod remainder cumsum flip roll masked_scatter
	sgn tril triu threshold logit sinc expand expand_as broadcast_to batch_norm native_batch_norm cudnn_batch_norm instance_norm
	group_norm native_group_norm layer_norm native_layer_norm rms_norm softmax log_softmax safe_softmax normalize pad
	constant_pad_nd reflection_pad1d reflection_pad2d replication_pad1d replication_pad2d sort index_fill index_add
	max_pool1d max_pool2d max_pool3d max_pool2d_with_indices avg_pool1d avg_pool2d avg_pool3d adaptive_avg_pool1d
	adaptive_avg_pool2d adaptive_max_pool1d adaptive_max_pool2d upsample_nearest1d upsample_nearest2d upsample_bilinear2d
	interpolate slice narrow eq ne lt le gt ge logical_and logical_or logical_not bitwise_and repeat_interleave`)

// regrouping are the operations whose results hold the elements of their operand in the same
// order, in another shape.
var regrouping = words(`view reshape view_as reshape_as unsafe_view reshape_alias flatten unflatten squeeze unsqueeze ravel`)

// reducing are the operations that reduce dimensions.
var reducing = words(`sum mean nansum nanmean amax amin max min std var median prod logsumexp norm linalg_vector_norm all any
	argmax argmin count_nonzero`)

// recurrentOps are the operations of a recurrent layer, and of one time step of it.
var (
	recurrentOps   = words(`lstm gru rnn_tanh rnn_relu mkldnn_rnn_layer cudnn_rnn`)
	cells          = words(`lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell thnn_fused_gru_cell thnn_fused_lstm_cell`)
	convolutionOps = words(`conv1d conv2d conv3d convolution conv_transpose1d conv_transpose2d conv_transpose3d mkldnn_convolution
		cudnn_convolution slow_conv2d_forward thnn_conv2d`)
	losses = words(`mse_loss l1_loss smooth_l1_loss huber_loss binary_cross_entropy binary_cross_entropy_with_logits kl_div
		soft_margin_loss poisson_nll_loss hinge_embedding_loss margin_ranking_loss multilabel_margin_loss multi_margin_loss
		nll_loss nll_loss_nd nll_loss2d nll_loss_forward nll_loss2d_forward cross_entropy_loss ctc_loss`)
)

// arrival follows dimension d of an operand.
func (c call) arrival(operand, d int) arrival {
	in := c.in(operand)
	rank := len(in)
	switch {
	case d >= rank:
		return arrival{}
	case regrouping[c.name] && operand == 0 && numel(in) == numel(c.out):
		return arrival{outcome: kept, dims: regrouped(in, c.out, d)}
	case c.name == "layer_norm" || c.name == "native_layer_norm" || c.name == "rms_norm":
		if operand == 0 && d >= rank-len(c.ints("normalized_shape", 0, false)) {
			return arrival{outcome: normalized, dims: []int{d}}
		}
		return c.aligned(in, d)
	case (c.name == "softmax" || c.name == "log_softmax" || c.name == "safe_softmax") && d == c.dim("dim", 0, rank, -1):
		return arrival{outcome: normalized, dims: []int{d}}
	case strings.HasSuffix(c.name, "batch_norm") && d == 1 && operand == 0:
		return arrival{outcome: normalized, dims: []int{d}}
	case losses[c.name]:
		return c.judged(in, d)
	case alignedOps[c.name]:
		return c.aligned(in, d)
	case reducing[c.name]:
		return c.reduces(in, operand, d)
	case recurrentOps[c.name] || cells[c.name] || convolutionOps[c.name] || c.name == "linear":
		return c.layer(rank, operand, d)
	}
	switch {
	case matrixProducts[c.name]:
		return c.product(operand, rank, d)
	case c.name == "scaled_dot_product_attention":
		return attends(operand, rank, d)
	}
	return c.moved(in, operand, d)
}

// aligned follows a dimension into a result of the same shape, or of the shape that operands are
// broadcast to.
func (c call) aligned(in []int, d int) arrival {
	to := d + len(c.out) - len(in)
	if to < 0 || to >= len(c.out) {
		return arrival{}
	}
	return arrival{outcome: kept, dims: []int{to}}
}

// judged follows a dimension into a loss, which may reduce it.
func (c call) judged(in []int, d int) arrival {
	if slices.Equal(in, c.out) {
		return arrival{outcome: kept, dims: []int{d}}
	}
	return arrival{outcome: totalled}
}

// reduces follows a dimension into a reduction.
func (c call) reduces(in []int, operand, d int) arrival {
	if operand > 0 {
		return c.aligned(in, d)
	}
	position := 0
	if c.name == "norm" || c.name == "linalg_vector_norm" {
		position = 1
	}
	dims := c.ints("dim", position, true)
	if len(dims) == 0 {
		switch {
		case len(c.out) == 0:
			return arrival{outcome: totalled}
		case len(c.e.Inputs) > 1: // of two tensors
			return c.aligned(in, d)
		}
		return arrival{}
	}
	over := make([]bool, len(in))
	for _, x := range dims {
		if x = fromFirst(x, len(in)); x >= 0 && x < len(in) {
			over[x] = true
		}
	}
	if over[d] {
		return arrival{outcome: reduced}
	}
	w := arrival{outcome: kept}
	to := d
	for x := range in {
		if over[x] {
			if x < d && len(c.out) < len(in) {
				to--
			}
			if in[x] > 1 {
				w.less = append(w.less, x)
			}
		}
	}
	w.dims = []int{to}
	return w
}

// layer follows a dimension into a layer with weights.
func (c call) layer(rank, operand, d int) arrival {
	channel := rank - 1
	if convolutionOps[c.name] {
		channel = rank - 2 // for a signal without a batch dimension
		if rank == len(c.in(1)) {
			channel = 1
		}
	}
	switch {
	case operand > 0 && cells[c.name] && d == 0:
		return arrival{outcome: kept, dims: []int{0}}
	case operand > 0:
		return arrival{}
	case d == channel:
		return arrival{outcome: contracted}
	}
	return arrival{outcome: kept, dims: []int{d}, less: []int{channel}}
}

// matrixProducts are the operations that multiply matrices.
var matrixProducts = words("mm bmm matmul addmm baddbmm mv dot addmv")

// product follows a dimension into a product of matrices.
func (c call) product(operand, rank, d int) arrival {
	if strings.HasPrefix(c.name, "add") || c.name == "baddbmm" {
		if operand == 0 { // what is added
			return c.aligned(c.in(0), d)
		}
		operand--
	}
	if operand > 1 {
		return arrival{}
	}
	switch left := operand == 0; {
	case rank == 1, left && d == rank-1, !left && d == rank-2:
		return arrival{outcome: contracted}
	case d < rank-2:
		if to := d + len(c.out) - rank; to >= 0 {
			return arrival{outcome: batched, dims: []int{to}}
		}
		return arrival{}
	case left:
		if len(c.out) < rank { // a product with a vector
			return arrival{outcome: kept, dims: []int{d}, less: []int{rank - 1}}
		}
		return arrival{outcome: kept, dims: []int{len(c.out) - 2}, less: []int{rank - 1}}
	default:
		return arrival{outcome: kept, dims: []int{len(c.out) - 1}, less: []int{rank - 2}}
	}
}

// attends follows a dimension into attention: of a query, a key or a value.
func attends(operand, rank, d int) arrival {
	switch {
	case operand > 2:
		return arrival{}
	case d < rank-2:
		return arrival{outcome: batched, dims: []int{d}}
	case d == rank-2 && operand > 0, d == rank-1 && operand < 2:
		return arrival{outcome: contracted}
	}
	return arrival{outcome: kept, dims: []int{d}}
}

// moved follows a dimension into an operation that changes the order or the number of dimensions.
func (c call) moved(in []int, operand, d int) arrival {
	rank := len(in)
	to := d
	switch c.name {
	case "transpose", "swapaxes", "swapdims":
		to = swapped(d, c.dim("dim0", 0, rank, 0), c.dim("dim1", 1, rank, 0))
	case "t", "T", "numpy_T":
		to = rank - 1 - d
	case "mT", "adjoint", "H":
		to = swapped(d, rank-2, rank-1)
	case "permute":
		order := c.ints("dims", 0, true)
		to = slices.IndexFunc(order, func(x int) bool { return fromFirst(x, rank) == d })
	case "select":
		at := c.dim("dim", 0, rank, 0)
		switch {
		case d == at:
			return arrival{outcome: picked}
		case d > at:
			to--
		}
		return arrival{outcome: kept, dims: []int{to}, less: []int{at}}
	case "unbind":
		at := c.dim("dim", 0, rank, 0)
		if d == at {
			return arrival{outcome: picked}
		} else if d > at {
			to--
		}
	case "split", "chunk", "unsafe_split", "unsafe_chunk", "split_with_sizes", "tensor_split":
		if d == c.dim("dim", 1, rank, 0) {
			return arrival{}
		}
	case "stack":
		if at := c.dim("dim", 0, rank+1, 0); d >= at {
			to++
		}
	case "cat", "concat", "concatenate", "hstack":
	case "index", "index_select", "getitem":
		return c.indexed(in, operand, d)
	case "gather", "take_along_dim":
		if operand > 0 {
			return arrival{}
		} else if at := c.dim("dim", 0, rank, 0); at == d {
			return arrival{outcome: lost}
		}
	default:
		return arrival{}
	}
	if to < 0 || to >= len(c.out) {
		return arrival{}
	}
	return arrival{outcome: kept, dims: []int{to}}
}

func swapped(d, a, b int) int {
	switch d {
	case a:
		return b
	case b:
		return a
	}
	return d
}

// indexed follows a dimension into x[...].
func (c call) indexed(in []int, operand, d int) arrival {
	if operand > 0 {
		return arrival{}
	}
	if len(c.e.Inputs) > 1 { // by a tensor: rows of the first dimension
		if len(c.e.Inputs) == 2 && len(c.in(1)) == 1 && len(c.out) == len(in) && slices.Equal(in[1:], c.out[1:]) {
			return arrival{outcome: kept, dims: []int{d}}
		}
		return arrival{}
	}
	if c.name != "getitem" {
		return arrival{}
	}
	at, to := 0, 0 // of the operand, of the result
	for _, a := range c.e.Attrs {
		switch a.Type {
		case graph.AttrNone:
			to++
			continue
		case graph.AttrInt:
			if at == d {
				return arrival{outcome: picked}
			}
			at++
			continue
		case graph.AttrText:
			if !strings.Contains(a.Text, ":") {
				return arrival{}
			}
		default:
			return arrival{}
		}
		if at == d {
			break
		}
		at, to = at+1, to+1
	}
	if to += d - at; to < 0 || to >= len(c.out) {
		return arrival{}
	}
	return arrival{outcome: kept, dims: []int{to}}
}

// regrouped returns the dimensions of a shape that hold parts of dimension d of another shape
// with as many elements.
func regrouped(from, to []int, d int) (dims []int) {
	low, high := span(from, d)
	for i, size := range to {
		if l, h := span(to, i); size > 1 && max(low, l) < min(high, h) {
			dims = append(dims, i)
		}
	}
	return dims
}

// span returns the distance of neighbours along a dimension, in elements, and the number of
// elements that it spans.
func span(shape []int, d int) (low, high int) {
	low = numel(shape[d+1:])
	return low, low * shape[d]
}

// A mark is a dimension that a rule follows.
type mark struct {
	dim   int
	from  int   // the rule's number for where it began
	state uint8 // what the rule has seen on the way
}

// marks are the dimensions that a rule follows, by tensor. The tensors that the program has
// released are not among them.
type marks map[graph.TensorID][]mark

const maxMarks = 6 // of a tensor

func (m marks) add(t graph.TensorID, new mark) {
	at := slices.IndexFunc(m[t], func(x mark) bool { return x.dim == new.dim && x.from == new.from })
	switch {
	case at >= 0:
		m[t][at].state |= new.state
	case len(m[t]) < maxMarks:
		m[t] = append(m[t], new)
	}
}

// follow takes the marks of the operands of an operation to its results. look sees each mark and
// where it goes, and returns the mark that goes on.
func (m marks) follow(c call, look func(operand int, x mark, w arrival) (mark, bool)) {
	type found struct {
		t graph.TensorID
		x mark
	}
	var add []found
	for i, in := range c.e.Inputs {
		for _, x := range m[in] {
			w := c.arrival(i, x.dim)
			x, on := look(i, x, w)
			if !on {
				continue
			}
			for _, o := range c.e.Outputs {
				shape := c.check.Tensor(o).Shape
				for _, d := range w.dims {
					if d < len(shape) && shape[d] > 1 {
						add = append(add, found{o, mark{d, x.from, x.state}})
					}
				}
			}
		}
	}
	for _, o := range c.e.Outputs {
		delete(m, o) // changed in place
	}
	for _, f := range add {
		m.add(f.t, f.x)
	}
}

// learned reports whether a tensor is a parameter, or a view of one.
func learned(check *inspect.History, id graph.TensorID) bool {
	t := check.Tensor(id)
	if t.Base != 0 {
		t = check.Tensor(t.Base)
	}
	return t.Known() && t.Flags&graph.FlagParameter != 0
}
