package nn

import "github.com/gradtui/gradtui/autograd"

// NoBias makes a layer without a bias.
var NoBias = autograd.Kw("bias", false)

// Sizes are a number, for all dimensions, or an []int with one for each.
type Sizes any

// Identity returns its argument.
func Identity() *Module { return Make("Identity", nil) }

// Linear is x @ weight.T + bias. Options: bias, dtype.
func Linear(in, out int, opts ...autograd.Option) *Module {
	return Make("Linear", []any{in, out}, opts...)
}

// Bilinear is x1.T @ weight @ x2 + bias for each output. Options: bias, dtype.
func Bilinear(in1, in2, out int, opts ...autograd.Option) *Module {
	return Make("Bilinear", []any{in1, in2, out}, opts...)
}

// Flatten joins dimensions. Options: start_dim, end_dim.
func Flatten(opts ...autograd.Option) *Module { return Make("Flatten", nil, opts...) }

// Unflatten splits a dimension.
func Unflatten(dim int, sizes []int) *Module { return Make("Unflatten", []any{dim, sizes}) }

// Embedding returns a table of vectors. Options: padding_idx, max_norm, norm_type,
// scale_grad_by_freq, sparse, _weight, _freeze, dtype.
func Embedding(rows, width int, opts ...autograd.Option) *Module {
	return Make("Embedding", []any{rows, width}, opts...)
}

// EmbeddingBag combines the vectors of bags of indices. Options: those of
// Embedding, mode and include_last_offset.
func EmbeddingBag(rows, width int, opts ...autograd.Option) *Module {
	return Make("EmbeddingBag", []any{rows, width}, opts...)
}

// Conv1d returns a convolution. Options: stride, padding (a number, sizes, "same" or
// "valid"), dilation, groups, bias, padding_mode, dtype.
func Conv1d(in, out int, kernel Sizes, opts ...autograd.Option) *Module {
	return Make("Conv1d", []any{in, out, kernel}, opts...)
}

// Conv2d returns a convolution in two dimensions. Options: see Conv1d.
func Conv2d(in, out int, kernel Sizes, opts ...autograd.Option) *Module {
	return Make("Conv2d", []any{in, out, kernel}, opts...)
}

// Conv3d returns a convolution in three dimensions. Options: see Conv1d.
func Conv3d(in, out int, kernel Sizes, opts ...autograd.Option) *Module {
	return Make("Conv3d", []any{in, out, kernel}, opts...)
}

// ConvTranspose1d returns a transposed convolution. Options: stride, padding,
// output_padding, groups, bias, dilation, dtype.
func ConvTranspose1d(in, out int, kernel Sizes, opts ...autograd.Option) *Module {
	return Make("ConvTranspose1d", []any{in, out, kernel}, opts...)
}

// ConvTranspose2d returns a transposed convolution in two dimensions.
func ConvTranspose2d(in, out int, kernel Sizes, opts ...autograd.Option) *Module {
	return Make("ConvTranspose2d", []any{in, out, kernel}, opts...)
}

// ConvTranspose3d returns a transposed convolution in three dimensions.
func ConvTranspose3d(in, out int, kernel Sizes, opts ...autograd.Option) *Module {
	return Make("ConvTranspose3d", []any{in, out, kernel}, opts...)
}

// BatchNorm1d normalises each feature over the batch. Options: eps, momentum,
// affine, track_running_stats, dtype.
func BatchNorm1d(features int, opts ...autograd.Option) *Module {
	return Make("BatchNorm1d", []any{features}, opts...)
}

// BatchNorm2d is batch norm for images. Options: see BatchNorm1d.
func BatchNorm2d(features int, opts ...autograd.Option) *Module {
	return Make("BatchNorm2d", []any{features}, opts...)
}

// BatchNorm3d is batch norm for volumes. Options: see BatchNorm1d.
func BatchNorm3d(features int, opts ...autograd.Option) *Module {
	return Make("BatchNorm3d", []any{features}, opts...)
}

// InstanceNorm1d normalises each channel of each sample. Options: eps, momentum,
// affine, track_running_stats, dtype.
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

// LayerNorm normalises the last dimensions. Options: eps, elementwise_affine,
// bias, dtype.
func LayerNorm(shape Sizes, opts ...autograd.Option) *Module {
	return Make("LayerNorm", []any{shape}, opts...)
}

// RMSNorm divides by the root mean square of the last dimensions. Options: eps,
// elementwise_affine, dtype.
func RMSNorm(shape Sizes, opts ...autograd.Option) *Module {
	return Make("RMSNorm", []any{shape}, opts...)
}

// GroupNorm normalises groups of channels. Options: eps, affine, dtype.
func GroupNorm(groups, channels int, opts ...autograd.Option) *Module {
	return Make("GroupNorm", []any{groups, channels}, opts...)
}

// LocalResponseNorm normalises over neighbouring channels. Options: alpha, beta,
// k.
func LocalResponseNorm(size int, opts ...autograd.Option) *Module {
	return Make("LocalResponseNorm", []any{size}, opts...)
}

// Dropout sets random elements to zero in training. Options: inplace.
func Dropout(p float64, opts ...autograd.Option) *Module { return Make("Dropout", []any{p}, opts...) }

// Dropout1d drops channels. Options: inplace.
func Dropout1d(p float64, opts ...autograd.Option) *Module {
	return Make("Dropout1d", []any{p}, opts...)
}

// Dropout2d drops channels of images. Options: inplace.
func Dropout2d(p float64, opts ...autograd.Option) *Module {
	return Make("Dropout2d", []any{p}, opts...)
}

// Dropout3d drops channels of volumes. Options: inplace.
func Dropout3d(p float64, opts ...autograd.Option) *Module {
	return Make("Dropout3d", []any{p}, opts...)
}

// AlphaDropout keeps mean and variance, for SELU.
func AlphaDropout(p float64, opts ...autograd.Option) *Module {
	return Make("AlphaDropout", []any{p}, opts...)
}

// FeatureAlphaDropout drops whole channels, keeping mean and variance.
func FeatureAlphaDropout(p float64, opts ...autograd.Option) *Module {
	return Make("FeatureAlphaDropout", []any{p}, opts...)
}

// RNN returns a recurrent network of tanh or relu cells. [Module.Run] takes a sequence
// [time, batch, features] and, if wanted, initial states [layers, batch, hidden];
// it returns the outputs of all steps and the last states. Options: num_layers,
// nonlinearity, bias, batch_first, dropout, bidirectional, dtype.
func RNN(in, hidden int, opts ...autograd.Option) *Module {
	return Make("RNN", []any{in, hidden}, opts...)
}

// GRU returns a recurrent network of gated units. Options: those of RNN but
// nonlinearity.
func GRU(in, hidden int, opts ...autograd.Option) *Module {
	return Make("GRU", []any{in, hidden}, opts...)
}

// LSTM returns a recurrent network of long short-term memory cells. Its states are two
// tensors, h and c, so that Run takes up to three arguments and returns output, h
// and c. Options: those of GRU, and proj_size.
func LSTM(in, hidden int, opts ...autograd.Option) *Module {
	return Make("LSTM", []any{in, hidden}, opts...)
}

// RNNCell returns one step of an RNN: it takes an input [batch, features] and, if
// wanted, a state [batch, hidden], and returns the next state. Options: bias,
// nonlinearity, dtype.
func RNNCell(in, hidden int, opts ...autograd.Option) *Module {
	return Make("RNNCell", []any{in, hidden}, opts...)
}

// GRUCell returns one step of a GRU. Options: bias, dtype.
func GRUCell(in, hidden int, opts ...autograd.Option) *Module {
	return Make("GRUCell", []any{in, hidden}, opts...)
}

// LSTMCell returns one step of an LSTM: Run takes an input and, if wanted, h and c, and
// returns the next h and c. Options: bias, dtype.
func LSTMCell(in, hidden int, opts ...autograd.Option) *Module {
	return Make("LSTMCell", []any{in, hidden}, opts...)
}
