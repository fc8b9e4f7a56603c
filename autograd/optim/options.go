package optim

import "github.com/gradtui/gradtui/autograd"

// LR sets the learning rate.
func LR(lr float64) autograd.Option { return autograd.Kw("lr", lr) }

// Momentum sets the share of the previous update that SGD keeps.
func Momentum(share float64) autograd.Option { return autograd.Kw("momentum", share) }

// Dampening sets the share of the gradient that SGD keeps out of the momentum.
func Dampening(share float64) autograd.Option { return autograd.Kw("dampening", share) }

// WeightDecay pulls parameters towards zero: it adds a share of the parameter
// to the gradient, or, in AdamW, shrinks the parameter itself.
func WeightDecay(rate float64) autograd.Option { return autograd.Kw("weight_decay", rate) }

// Nesterov makes SGD look ahead along its momentum.
var Nesterov = autograd.Kw("nesterov", true)

// Maximize makes steps ascend the gradient.
var Maximize = autograd.Kw("maximize", true)

// Betas sets the shares that Adam keeps of its averages of the gradient and of
// the squared gradient. Each is in [0, 1).
func Betas(first, second float64) autograd.Option {
	return autograd.Kw("betas", []float64{first, second})
}

// Eps sets the number that keeps Adam from dividing by zero.
func Eps(eps float64) autograd.Option { return autograd.Kw("eps", eps) }

// AMSGrad makes Adam divide by the largest average so far.
var AMSGrad = autograd.Kw("amsgrad", true)

// SetToNone is an option of ZeroGrad: whether .grad becomes None, which is the
// default, or is filled with zeros.
func SetToNone(on bool) autograd.Option { return autograd.Kw("set_to_none", on) }

// NewSGD returns a stochastic gradient descent optimizer. Options: LR (default
// 0.001), Momentum, Dampening, WeightDecay, Nesterov, Maximize.
func NewSGD(params []*autograd.Tensor, opts ...autograd.Option) (*Optimizer, error) {
	return New("SGD", []Group{{Params: params}}, opts...)
}

// NewAdam returns an Adam optimizer. Options: LR (default 0.001), Betas (0.9,
// 0.999), Eps (1e-8), WeightDecay, AMSGrad, Maximize.
func NewAdam(params []*autograd.Tensor, opts ...autograd.Option) (*Optimizer, error) {
	return New("Adam", []Group{{Params: params}}, opts...)
}

// NewAdamW returns an optimizer for Adam with decoupled weight decay. It has
// the options of NewAdam; the default of WeightDecay is 0.01.
func NewAdamW(params []*autograd.Tensor, opts ...autograd.Option) (*Optimizer, error) {
	return New("AdamW", []Group{{Params: params}}, opts...)
}
