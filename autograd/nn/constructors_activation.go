package nn

import "github.com/gradtui/gradtui/autograd"

// ReLU is max(x, 0). Options: inplace.
func ReLU(opts ...autograd.Option) *Module { return Make("ReLU", nil, opts...) }

// ReLU6 is min(max(x, 0), 6). Options: inplace.
func ReLU6(opts ...autograd.Option) *Module { return Make("ReLU6", nil, opts...) }

// LeakyReLU is x, or negative_slope*x below zero. Options: negative_slope,
// inplace.
func LeakyReLU(opts ...autograd.Option) *Module { return Make("LeakyReLU", nil, opts...) }

// PReLU is LeakyReLU with a learned slope. Options: num_parameters, init.
func PReLU(opts ...autograd.Option) *Module { return Make("PReLU", nil, opts...) }

// ELU is x, or alpha*(exp(x)-1) below zero. Options: alpha, inplace.
func ELU(opts ...autograd.Option) *Module { return Make("ELU", nil, opts...) }

// SELU returns the self-normalizing ELU. Options: inplace.
func SELU(opts ...autograd.Option) *Module { return Make("SELU", nil, opts...) }

// GELU is x*Φ(x). Options: approximate ("none" or "tanh").
func GELU(opts ...autograd.Option) *Module { return Make("GELU", nil, opts...) }

// SiLU is x*sigmoid(x). Options: inplace.
func SiLU(opts ...autograd.Option) *Module { return Make("SiLU", nil, opts...) }

// Mish is x*tanh(softplus(x)). Options: inplace.
func Mish(opts ...autograd.Option) *Module { return Make("Mish", nil, opts...) }

// Hardtanh clamps to [min_val, max_val]. Options: min_val, max_val, inplace.
func Hardtanh(opts ...autograd.Option) *Module { return Make("Hardtanh", nil, opts...) }

// Sigmoid is 1/(1+exp(-x)).
func Sigmoid() *Module { return Make("Sigmoid", nil) }

// Tanh returns the hyperbolic tangent.
func Tanh() *Module { return Make("Tanh", nil) }

// Softplus is log(1+exp(beta*x))/beta. Options: beta, threshold.
func Softplus(opts ...autograd.Option) *Module { return Make("Softplus", nil, opts...) }

// Softmax normalizes to probabilities along a dimension.
func Softmax(dim int) *Module { return Make("Softmax", []any{dim}) }

// LogSoftmax returns the logarithm of Softmax.
func LogSoftmax(dim int) *Module { return Make("LogSoftmax", []any{dim}) }

// CELU is ELU with a continuous derivative for each alpha. Options: alpha,
// inplace.
func CELU(opts ...autograd.Option) *Module { return Make("CELU", nil, opts...) }

// RReLU is LeakyReLU with a random slope in training mode. Options: lower,
// upper, inplace.
func RReLU(opts ...autograd.Option) *Module { return Make("RReLU", nil, opts...) }

// Threshold is x above a threshold, and a fixed value otherwise. Options:
// inplace.
func Threshold(threshold, value float64, opts ...autograd.Option) *Module {
	return Make("Threshold", []any{threshold, value}, opts...)
}

// Hardsigmoid is a piecewise linear sigmoid. Options: inplace.
func Hardsigmoid(opts ...autograd.Option) *Module { return Make("Hardsigmoid", nil, opts...) }

// Hardswish is x*Hardsigmoid(x). Options: inplace.
func Hardswish(opts ...autograd.Option) *Module { return Make("Hardswish", nil, opts...) }

// Hardshrink is x, or zero in [-lambd, lambd]. Options: lambd.
func Hardshrink(opts ...autograd.Option) *Module { return Make("Hardshrink", nil, opts...) }

// Softshrink moves x towards zero by lambd. Options: lambd.
func Softshrink(opts ...autograd.Option) *Module { return Make("Softshrink", nil, opts...) }

// Tanhshrink is x-tanh(x).
func Tanhshrink() *Module { return Make("Tanhshrink", nil) }

// Softsign is x/(1+|x|).
func Softsign() *Module { return Make("Softsign", nil) }

// LogSigmoid returns the logarithm of Sigmoid.
func LogSigmoid() *Module { return Make("LogSigmoid", nil) }

// GLU multiplies one half of a dimension by the sigmoid of the other. Options:
// dim.
func GLU(opts ...autograd.Option) *Module { return Make("GLU", nil, opts...) }

// Softmin is Softmax of -x.
func Softmin(dim int) *Module { return Make("Softmin", []any{dim}) }

// Softmax2d normalizes the channels of images.
func Softmax2d() *Module { return Make("Softmax2d", nil) }
