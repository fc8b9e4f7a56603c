package optim

import (
	"github.com/gradtui/gradtui/autograd"
)

// A Scheduler changes the learning rates of an optimizer's groups in each
// epoch, after torch/optim/lr_scheduler.py.
type Scheduler struct {
	optimizer *Optimizer
	epoch     int
	base      []float64 // the initial learning rates
	// rate returns the learning rate of a group in this epoch. keep says that
	// the rate does not change.
	rate func(s *Scheduler, group int) (lr float64, keep bool, err error)
}

// NewStepLR multiplies the learning rates by gamma every given number of
// epochs.
func NewStepLR(o *Optimizer, every int, gamma float64) (*Scheduler, error) {
	return schedule(o, func(s *Scheduler, group int) (float64, bool, error) {
		switch {
		case s.epoch == 0:
			return 0, true, nil
		case every == 0:
			return 0, true, raise(autograd.ZeroDivisionError, "integer modulo by zero")
		}
		return s.optimizer.groups[group].LR() * gamma, s.epoch%every != 0, nil
	})
}

// NewExponentialLR multiplies the learning rates by gamma after every epoch.
func NewExponentialLR(o *Optimizer, gamma float64) (*Scheduler, error) {
	return schedule(o, func(s *Scheduler, group int) (float64, bool, error) {
		return s.optimizer.groups[group].LR() * gamma, s.epoch == 0, nil
	})
}

// NewLambdaLR sets the learning rates to the initial rates times a function of
// the epoch: one function for all groups, or one for each.
func NewLambdaLR(o *Optimizer, factors ...func(epoch int) float64) (*Scheduler, error) {
	if n := len(o.Groups()); len(factors) != 1 && len(factors) != n {
		return nil, raise(autograd.ValueError, "Expected %d lr_lambdas, but got %d", n, len(factors))
	}
	return schedule(o, func(s *Scheduler, group int) (float64, bool, error) {
		f := factors[min(group, len(factors)-1)]
		if f == nil {
			return 0, true, raise(autograd.TypeError, "'NoneType' object is not callable")
		}
		return s.base[group] * f(s.epoch), false, nil
	})
}

// schedule makes a scheduler and sets the learning rates of epoch 0. Groups
// store their first learning rate as the setting initial_lr.
func schedule(o *Optimizer, rate func(s *Scheduler, group int) (float64, bool, error)) (*Scheduler, error) {
	if !o.made() {
		return nil, raise(autograd.TypeError, "NoneType is not an Optimizer")
	}
	s := &Scheduler{optimizer: o, rate: rate}
	for _, g := range o.groups {
		g.fill([]autograd.Option{autograd.Kw("initial_lr", g.Get("lr"))})
		s.base = append(s.base, g.number("initial_lr"))
	}
	o.scheduled = true
	return s, s.set()
}

// Step begins the next epoch. Call it after the optimizer's steps.
func (s *Scheduler) Step() error {
	if s == nil || s.optimizer == nil {
		return errNone()
	}
	if s.epoch == 0 && !s.optimizer.stepped {
		autograd.Warn("UserWarning", "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, you should call them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  Failure to do this will result in PyTorch skipping the first value of the learning rate schedule. See more details at https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate")
	}
	s.epoch++
	return s.set()
}

// set sets the learning rates of the epoch. Groups that were added after the
// scheduler keep theirs.
func (s *Scheduler) set() error {
	for i := range s.base {
		lr, keep, err := s.rate(s, i)
		if err != nil {
			return err
		}
		if keep {
			continue
		}
		if err := s.optimizer.groups[i].Set(LR(lr)); err != nil {
			return err
		}
	}
	return nil
}

// Epoch returns the number of completed epochs.
func (s *Scheduler) Epoch() int {
	if s == nil {
		return 0
	}
	return s.epoch
}

// LastLR returns the present learning rates of the optimizer's groups.
func (s *Scheduler) LastLR() []float64 {
	if s == nil {
		return nil
	}
	var rates []float64
	for _, g := range s.optimizer.Groups() {
		rates = append(rates, g.LR())
	}
	return rates
}
