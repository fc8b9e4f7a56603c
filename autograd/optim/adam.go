package optim

import (
	"math"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/pycall"
)

var adam = rule{
	sig:   "Adam(float lr=0.001, float[2] betas=[0.9, 0.999], float eps=1e-08, float weight_decay=0, bool amsgrad=False, *, bool? foreach=None, bool maximize=False, bool capturable=False, bool differentiable=False, bool? fused=None)",
	order: []string{"lr", "betas", "eps", "weight_decay", "amsgrad", "maximize", "foreach", "capturable", "differentiable", "fused"},
	check: checkAdam, update: updateAdam(false),
}

var adamW = rule{
	sig:   "AdamW(float lr=0.001, float[2] betas=[0.9, 0.999], float eps=1e-08, float weight_decay=0.01, bool amsgrad=False, *, bool maximize=False, bool? foreach=None, bool capturable=False, bool differentiable=False, bool? fused=None)",
	order: []string{"lr", "betas", "eps", "weight_decay", "amsgrad", "foreach", "maximize", "capturable", "differentiable", "fused"},
	check: checkAdam, update: updateAdam(true),
}

func checkAdam(a *pycall.Args) error {
	betas, _ := a.Value("betas").([]float64)
	if len(betas) != 2 {
		return raise(autograd.ValueError, "betas must be two floats, not %s", pycall.Repr(a.Value("betas")))
	}
	switch {
	case !(a.Float("lr") >= 0):
		return invalid("learning rate", a, "lr")
	case !(a.Float("eps") >= 0):
		return invalid("epsilon value", a, "eps")
	case !(betas[0] >= 0 && betas[0] < 1):
		return raise(autograd.ValueError, "Invalid beta parameter at index 0: %s", pycall.Repr(betas[0]))
	case !(betas[1] >= 0 && betas[1] < 1):
		return raise(autograd.ValueError, "Invalid beta parameter at index 1: %s", pycall.Repr(betas[1]))
	case !(a.Float("weight_decay") >= 0):
		return invalid("weight_decay value", a, "weight_decay")
	}
	return nil
}

// updateAdam follows _single_tensor_adam and _single_tensor_adamw of
// torch/optim/adam.py and adamw.py. decoupled selects AdamW.
func updateAdam(decoupled bool) func(o *Optimizer, g *Group, list []update) error {
	return func(o *Optimizer, g *Group, list []update) error {
		for _, u := range list {
			if err := startAdam(o.stateOf(u.param), u.param, g.on("amsgrad")); err != nil {
				return err
			}
		}
		for _, u := range list {
			if err := adamStep(g, o.stateOf(u.param), u, decoupled); err != nil {
				return err
			}
		}
		return nil
	}
}

// startAdam makes the state of a parameter without one.
func startAdam(s *paramState, p *autograd.Tensor, amsgrad bool) error {
	if len(s.values) == 0 {
		stepType := autograd.Float32
		if autograd.DefaultDType() == autograd.Float64 {
			stepType = autograd.Float64
		}
		s.set("step", autograd.New(0.0, autograd.WithDType(stepType)))
		names := []string{"exp_avg", "exp_avg_sq"}
		if amsgrad {
			names = append(names, "max_exp_avg_sq")
		}
		for _, name := range names {
			s.set(name, p.ZerosLike())
		}
	}
	if amsgrad && s.get("max_exp_avg_sq") == nil {
		return raise(autograd.KeyError, "'max_exp_avg_sq'")
	}
	return nil
}

// adamStep updates one parameter. The bias corrections are computed in float64,
// as in Python.
func adamStep(g *Group, s *paramState, u update, decoupled bool) error {
	d, lr, decay := u.grad, g.LR(), g.number("weight_decay")
	betas, _ := g.Get("betas").([]float64)
	if len(betas) != 2 {
		return raise(autograd.ValueError, "betas must be two floats, not %s", pycall.Repr(g.Get("betas")))
	}
	step, mean, square := s.get("step"), s.get("exp_avg"), s.get("exp_avg_sq")
	if g.on("maximize") {
		d = d.Neg()
	}
	if err := step.Add_(1); err != nil {
		return err
	}
	switch {
	case decoupled:
		if err := u.param.Mul_(1 - lr*decay); err != nil {
			return err
		}
	case decay != 0:
		d = d.Add(u.param, autograd.Alpha(decay))
	}
	if err := inOrder(
		func() error { return mean.Lerp_(d, 1-betas[0]) },
		func() error { return square.Mul_(betas[1]) },
		func() error { return square.Addcmul_(d, d, autograd.Kw("value", 1-betas[1])) },
	); err != nil {
		return err
	}
	n := step.Float()
	stepSize := lr / (1 - power(betas[0], n))
	correction := math.Sqrt(1 - power(betas[1], n))
	if g.on("amsgrad") {
		largest := s.get("max_exp_avg_sq")
		if err := largest.Maximum(square, autograd.Out(largest)).Err(); err != nil {
			return err
		}
		square = largest
	}
	denominator := square.Sqrt().Div(correction)
	if err := denominator.Add_(g.number("eps")); err != nil {
		return err
	}
	return u.param.Addcdiv_(mean, denominator, autograd.Kw("value", -stepSize))
}
