package nn

import "github.com/gradtui/gradtui/autograd"

// NoBias makes a layer without a bias.
var NoBias = autograd.Kw("bias", false)

// Sizes is a number, for all dimensions, or an []int with a number for each.
type Sizes any

// Identity returns its argument.
func Identity() *Module { return Make("Identity", nil) }

// Linear computes x @ weight.T + bias, from [..., in] to [..., out]. Options:
// bias, dtype.
func Linear(in, out int, opts ...autograd.Option) *Module {
	return Make("Linear", []any{in, out}, opts...)
}

// Bilinear computes x1.T @ weight @ x2 + bias for each output, from [..., in1]
// and [..., in2] to [..., out]. Options: bias, dtype.
func Bilinear(in1, in2, out int, opts ...autograd.Option) *Module {
	return Make("Bilinear", []any{in1, in2, out}, opts...)
}

// Flatten merges dimensions, by default all but the first. Options: start_dim,
// end_dim.
func Flatten(opts ...autograd.Option) *Module { return Make("Flatten", nil, opts...) }

// Unflatten splits a dimension into the given sizes.
func Unflatten(dim int, sizes []int) *Module { return Make("Unflatten", []any{dim, sizes}) }

// Embedding looks up rows of a table: from integers of any shape to [...,
// width]. Options: padding_idx, max_norm, norm_type, scale_grad_by_freq,
// sparse, _weight, _freeze, dtype.
func Embedding(rows, width int, opts ...autograd.Option) *Module {
	return Make("Embedding", []any{rows, width}, opts...)
}

// EmbeddingBag combines the rows of bags of indices, to [bags, width]. Options:
// the options of Embedding, mode and include_last_offset.
func EmbeddingBag(rows, width int, opts ...autograd.Option) *Module {
	return Make("EmbeddingBag", []any{rows, width}, opts...)
}

// Conv1d convolves [batch, in, length] or [in, length]. Options: stride,
// padding (a number, sizes, "same" or "valid"), dilation, groups, bias,
// padding_mode, dtype.
func Conv1d(in, out int, kernel Sizes, opts ...autograd.Option) *Module {
	return Make("Conv1d", []any{in, out, kernel}, opts...)
}

// Conv2d convolves images [batch, in, height, width] or [in, height, width].
// Options: see Conv1d.
func Conv2d(in, out int, kernel Sizes, opts ...autograd.Option) *Module {
	return Make("Conv2d", []any{in, out, kernel}, opts...)
}

// Conv3d convolves volumes [batch, in, depth, height, width] or [in, depth,
// height, width]. Options: see Conv1d.
func Conv3d(in, out int, kernel Sizes, opts ...autograd.Option) *Module {
	return Make("Conv3d", []any{in, out, kernel}, opts...)
}

// ConvTranspose1d is a transposed convolution of sequences. Options: stride,
// padding, output_padding, groups, bias, dilation, dtype.
func ConvTranspose1d(in, out int, kernel Sizes, opts ...autograd.Option) *Module {
	return Make("ConvTranspose1d", []any{in, out, kernel}, opts...)
}

// ConvTranspose2d is a transposed convolution of images. Options: see
// ConvTranspose1d.
func ConvTranspose2d(in, out int, kernel Sizes, opts ...autograd.Option) *Module {
	return Make("ConvTranspose2d", []any{in, out, kernel}, opts...)
}

// ConvTranspose3d is a transposed convolution of volumes. Options: see
// ConvTranspose1d.
func ConvTranspose3d(in, out int, kernel Sizes, opts ...autograd.Option) *Module {
	return Make("ConvTranspose3d", []any{in, out, kernel}, opts...)
}

// BatchNorm1d normalizes each feature over the batch, for [batch, features] or
// [batch, features, length]. Options: eps, momentum, affine,
// track_running_stats, dtype.
func BatchNorm1d(features int, opts ...autograd.Option) *Module {
	return Make("BatchNorm1d", []any{features}, opts...)
}

// BatchNorm2d is batch norm for images [batch, features, height, width].
// Options: see BatchNorm1d.
func BatchNorm2d(features int, opts ...autograd.Option) *Module {
	return Make("BatchNorm2d", []any{features}, opts...)
}

// BatchNorm3d is batch norm for volumes [batch, features, depth, height,
// width]. Options: see BatchNorm1d.
func BatchNorm3d(features int, opts ...autograd.Option) *Module {
	return Make("BatchNorm3d", []any{features}, opts...)
}

// InstanceNorm1d normalizes each channel of each sample. Options: eps,
// momentum, affine, track_running_stats, dtype.
func InstanceNorm1d(features int, opts ...autograd.Option) *Module {
	return Make("InstanceNorm1d", []any{features}, opts...)
}

// InstanceNorm2d is instance norm for images. Options: see InstanceNorm1d.
func InstanceNorm2d(features int, opts ...autograd.Option) *Module {
	return Make("InstanceNorm2d", []any{features}, opts...)
}

// InstanceNorm3d is instance norm for volumes. Options: see InstanceNorm1d.
func InstanceNorm3d(features int, opts ...autograd.Option) *Module {
	return Make("InstanceNorm3d", []any{features}, opts...)
}

// LayerNorm normalizes over the last dimensions, which must have the given
// shape. Options: eps, elementwise_affine, bias, dtype.
func LayerNorm(shape Sizes, opts ...autograd.Option) *Module {
	return Make("LayerNorm", []any{shape}, opts...)
}

// RMSNorm divides by the root mean square over the last dimensions, which must
// have the given shape. Options: eps, elementwise_affine, dtype.
func RMSNorm(shape Sizes, opts ...autograd.Option) *Module {
	return Make("RMSNorm", []any{shape}, opts...)
}

// GroupNorm normalizes each of the given number of groups of channels. Options:
// eps, affine, dtype.
func GroupNorm(groups, channels int, opts ...autograd.Option) *Module {
	return Make("GroupNorm", []any{groups, channels}, opts...)
}

// LocalResponseNorm normalizes over size adjacent channels. Options: alpha,
// beta, k.
func LocalResponseNorm(size int, opts ...autograd.Option) *Module {
	return Make("LocalResponseNorm", []any{size}, opts...)
}

// Dropout zeroes elements with probability p in training mode. Options:
// inplace.
func Dropout(p float64, opts ...autograd.Option) *Module { return Make("Dropout", []any{p}, opts...) }

// Dropout1d zeroes channels of sequences. Options: inplace.
func Dropout1d(p float64, opts ...autograd.Option) *Module {
	return Make("Dropout1d", []any{p}, opts...)
}

// Dropout2d zeroes channels of images. Options: inplace.
func Dropout2d(p float64, opts ...autograd.Option) *Module {
	return Make("Dropout2d", []any{p}, opts...)
}

// Dropout3d zeroes channels of volumes. Options: inplace.
func Dropout3d(p float64, opts ...autograd.Option) *Module {
	return Make("Dropout3d", []any{p}, opts...)
}

// AlphaDropout is dropout that keeps mean and variance, for SELU.
func AlphaDropout(p float64, opts ...autograd.Option) *Module {
	return Make("AlphaDropout", []any{p}, opts...)
}

// FeatureAlphaDropout is AlphaDropout of whole channels.
func FeatureAlphaDropout(p float64, opts ...autograd.Option) *Module {
	return Make("FeatureAlphaDropout", []any{p}, opts...)
}

// RNN returns a recurrent network of tanh or relu cells. [Module.Run] takes a
// sequence [time, batch, features] and optional initial states [layers, batch,
// hidden]. It returns the outputs of all steps, [time, batch, hidden], and the
// last states. Options: num_layers, nonlinearity, bias, batch_first, dropout,
// bidirectional, dtype.
func RNN(in, hidden int, opts ...autograd.Option) *Module {
	return Make("RNN", []any{in, hidden}, opts...)
}

// GRU is a recurrent network of gated units. Options: the options of RNN except
// nonlinearity.
func GRU(in, hidden int, opts ...autograd.Option) *Module {
	return Make("GRU", []any{in, hidden}, opts...)
}

// LSTM returns a recurrent network of long short-term memory cells. Its state
// is two tensors, h and c: Run takes up to three arguments and returns output,
// h and c. Options: the options of GRU, and proj_size.
func LSTM(in, hidden int, opts ...autograd.Option) *Module {
	return Make("LSTM", []any{in, hidden}, opts...)
}

// RNNCell returns one step of an RNN: it takes an input [batch, features] and
// an optional state [batch, hidden], and returns the next state. Options: bias,
// nonlinearity, dtype.
func RNNCell(in, hidden int, opts ...autograd.Option) *Module {
	return Make("RNNCell", []any{in, hidden}, opts...)
}

// GRUCell returns one step of a GRU. Options: bias, dtype.
func GRUCell(in, hidden int, opts ...autograd.Option) *Module {
	return Make("GRUCell", []any{in, hidden}, opts...)
}

// LSTMCell returns one step of an LSTM: Run takes an input and optionally h and
// c, and returns the next h and c. Options: bias, dtype.
func LSTMCell(in, hidden int, opts ...autograd.Option) *Module {
	return Make("LSTMCell", []any{in, hidden}, opts...)
}
