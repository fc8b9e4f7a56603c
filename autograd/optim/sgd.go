package optim

import (
	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/pycall"
)

var sgd = rule{
	sig: "SGD(float lr=0.001, float momentum=0, float dampening=0, float weight_decay=0, bool nesterov=False, *, bool maximize=False, bool? foreach=None, bool differentiable=False, bool? fused=None)",
	check: func(a *pycall.Args) error {
		switch {
		case a.Float("lr") < 0:
			return invalid("learning rate", a, "lr")
		case a.Float("momentum") < 0:
			return invalid("momentum value", a, "momentum")
		case a.Float("weight_decay") < 0:
			return invalid("weight_decay value", a, "weight_decay")
		case a.Bool("nesterov") && (a.Float("momentum") <= 0 || a.Float("dampening") != 0):
			return raise(autograd.ValueError, "Nesterov momentum requires a momentum and zero dampening")
		}
		return nil
	},
	update: updateSGD,
}

// updateSGD follows _single_tensor_sgd of torch/optim/sgd.py.
func updateSGD(o *Optimizer, g *Group, list []update) error {
	momentum := g.number("momentum")
	// All buffers are looked up before the first one changes: a parameter that
	// is listed twice has no buffer at either position in the first step.
	buffers := make([]*autograd.Tensor, len(list))
	if momentum != 0 {
		for i, u := range list {
			buffers[i] = o.stateOf(u.param).get("momentum_buffer")
		}
	}
	for i, u := range list {
		d := u.grad
		if g.on("maximize") {
			d = d.Neg()
		}
		if decay := g.number("weight_decay"); decay != 0 {
			d = d.Add(u.param, autograd.Alpha(decay))
		}
		if momentum != 0 {
			if buffers[i] == nil {
				buffers[i] = d.Clone().Detach()
			} else if err := inOrder(
				func() error { return buffers[i].Mul_(momentum) },
				func() error { return buffers[i].Add_(d, autograd.Alpha(1-g.number("dampening"))) },
			); err != nil {
				return err
			}
			if g.on("nesterov") {
				d = d.Add(buffers[i], autograd.Alpha(momentum))
			} else {
				d = buffers[i]
			}
		}
		if err := u.param.Add_(d, autograd.Alpha(-g.LR())); err != nil {
			return err
		}
	}
	for i, u := range list {
		if momentum != 0 {
			o.stateOf(u.param).set("momentum_buffer", buffers[i])
		}
	}
	return nil
}

// inOrder runs the parts of an update and stops at the first error.
func inOrder(parts ...func() error) error {
	for _, f := range parts {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}
