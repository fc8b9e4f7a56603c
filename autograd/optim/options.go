package optim

import "github.com/gradtui/gradtui/autograd"

// LR returns the learning rate.
func LR(lr float64) autograd.Option { return autograd.Kw("lr", lr) }

// Momentum makes SGD keep a share of the update before.
func Momentum(share float64) autograd.Option { return autograd.Kw("momentum", share) }

// Dampening keeps a share of the gradient out of the momentum.
func Dampening(share float64) autograd.Option { return autograd.Kw("dampening", share) }

// WeightDecay pulls parameters towards zero: by adding to the gradient, in AdamW
// by shrinking the parameter.
func WeightDecay(rate float64) autograd.Option { return autograd.Kw("weight_decay", rate) }

// Nesterov makes SGD look ahead along its momentum.
var Nesterov = autograd.Kw("nesterov", true)

// Maximize makes steps go up the gradient.
var Maximize = autograd.Kw("maximize", true)

// Betas returns the shares that Adam keeps of its averages of the gradient and of its
// square.
func Betas(first, second float64) autograd.Option {
	return autograd.Kw("betas", []float64{first, second})
}

// Eps keeps Adam from dividing by zero.
func Eps(eps float64) autograd.Option { return autograd.Kw("eps", eps) }

// AMSGrad makes Adam divide by the largest average so far.
var AMSGrad = autograd.Kw("amsgrad", true)

// SetToNone returns the option of ZeroGrad that says whether .grad becomes None, which
// is the default, or is filled with zeros.
func SetToNone(on bool) autograd.Option { return autograd.Kw("set_to_none", on) }

// NewSGD is stochastic gradient descent. Options: LR (default 0.001), Momentum,
// Dampening, WeightDecay, Nesterov, Maximize.
func NewSGD(params []*autograd.Tensor, opts ...autograd.Option) (*Optimizer, error) {
	return New("SGD", []Group{{Params: params}}, opts...)
}

// NewAdam is Adam. Options: LR (default 0.001), Betas (0.9, 0.999), Eps (1e-8),
// WeightDecay, AMSGrad, Maximize.
func NewAdam(params []*autograd.Tensor, opts ...autograd.Option) (*Optimizer, error) {
	return New("Adam", []Group{{Params: params}}, opts...)
}

// NewAdamW is Adam with decoupled weight decay. Options: those of NewAdam; the
// default of WeightDecay is 0.01.
func NewAdamW(params []*autograd.Tensor, opts ...autograd.Option) (*Optimizer, error) {
	return New("AdamW", []Group{{Params: params}}, opts...)
}
