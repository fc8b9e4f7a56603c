package optim

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/pycall"
)

// An Optimizer updates parameters using their gradients.
type Optimizer struct {
	class    string
	number   uint32 // counted from 1
	rule     *rule
	defaults []autograd.Option
	groups   []*Group
	state    []*paramState // in order of creation
	byParam  map[*autograd.Tensor]*paramState

	scheduled bool // the optimizer has a Scheduler
	stepped   bool // Step was called since then
}

// A Group is a list of parameters with their own settings. A setting that is
// not in Settings has the value given to the optimizer's constructor.
type Group struct {
	Params   []*autograd.Tensor
	Settings []autograd.Option

	rule *rule
}

// made is the number of optimizers made so far.
var made atomic.Uint32

// New makes an optimizer by the name of its class: "SGD", "Adam", "AdamW". The
// options are the settings for groups that do not set them. It fails for
// unknown classes, bad settings, and parameters that are not leaves.
func New(class string, groups []Group, opts ...autograd.Option) (*Optimizer, error) {
	r := rules[class]
	if r == nil {
		return nil, raise(autograd.AttributeError, "module 'torch.optim' has no attribute '%s'", class)
	}
	defaults, err := r.defaults(opts)
	if err != nil {
		return nil, err
	}
	o := &Optimizer{class: class, number: made.Add(1), rule: r, defaults: defaults}
	if len(groups) == 0 || len(groups) == 1 && len(groups[0].Params) == 0 && groups[0].Settings == nil {
		return nil, raise(autograd.ValueError, "optimizer got an empty parameter list")
	}
	for _, g := range groups {
		if err := o.AddParamGroup(g); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// Class returns the name of the optimizer's class.
func (o *Optimizer) Class() string {
	if o == nil {
		return "NoneType"
	}
	return o.class
}

// made reports whether the optimizer comes from a constructor that succeeded.
func (o *Optimizer) made() bool { return o != nil && o.rule != nil }

// errNone returns the error for the result of a constructor that failed.
func errNone() error {
	return raise(autograd.AttributeError, "'NoneType' object is not an optimizer; its constructor returned an error")
}

// Groups returns the groups in order. Their settings may be changed between
// steps.
func (o *Optimizer) Groups() []*Group {
	if o == nil {
		return nil
	}
	return slices.Clone(o.groups)
}

// AddParamGroup adds a group of parameters. The parameters must be leaves and
// must not be in another group.
func (o *Optimizer) AddParamGroup(g Group) error {
	if !o.made() {
		return errNone()
	}
	added := &Group{Params: slices.Clone(g.Params), rule: o.rule}
	for _, p := range added.Params {
		switch {
		case p == nil:
			return raise(autograd.TypeError, "optimizer can only optimize Tensors, but one of the params is NoneType")
		case p.Err() != nil:
			return p.Err()
		case !p.IsLeaf() && !p.RetainsGrad():
			return raise(autograd.ValueError, "can't optimize a non-leaf Tensor")
		}
	}
	if err := added.Set(g.Settings...); err != nil {
		return err
	}
	added.fill(o.defaults)
	seen := map[*autograd.Tensor]bool{}
	for _, p := range added.Params {
		seen[p] = true
	}
	if len(seen) < len(added.Params) {
		autograd.Warn("UserWarning", "optimizer contains a parameter group with duplicate parameters; in future, this will cause an error; see github.com/pytorch/pytorch/issues/40967 for more information")
	}
	for _, other := range o.groups {
		for _, p := range other.Params {
			if seen[p] {
				return raise(autograd.ValueError, "some parameters appear in more than one parameter group")
			}
		}
	}
	o.groups = append(o.groups, added)
	return nil
}

// fill adds the missing settings of the group.
func (g *Group) fill(defaults []autograd.Option) {
	for _, d := range defaults {
		if g.index(d.Name) < 0 {
			g.Settings = append(g.Settings, d)
		}
	}
}

func (g *Group) index(name string) int {
	if g == nil {
		return -1
	}
	return slices.IndexFunc(g.Settings, func(o autograd.Option) bool { return o.Name == name })
}

// Get returns a setting: a float64 or int, a bool, a []float64 for betas, or
// nil for None. An unknown setting is nil as well.
func (g *Group) Get(name string) any {
	if i := g.index(name); i >= 0 {
		return g.Settings[i].Value
	}
	return nil
}

// Set changes settings, as in group.Set(optim.LR(0.01)).
func (g *Group) Set(opts ...autograd.Option) error {
	if g == nil {
		return raise(autograd.AttributeError, "no such parameter group")
	}
	for _, o := range opts {
		if g.rule != nil {
			var err error
			if o, err = g.rule.fit(o); err != nil {
				return err
			}
		}
		if i := g.index(o.Name); i >= 0 {
			g.Settings[i] = o
		} else {
			g.Settings = append(g.Settings, o)
		}
	}
	return nil
}

// LR returns the group's learning rate.
func (g *Group) LR() float64 { return g.number("lr") }

func (g *Group) number(name string) float64 {
	switch v := g.Get(name).(type) {
	case int:
		return float64(v)
	case float64:
		return v
	}
	return 0
}

func (g *Group) on(name string) bool { return g.Get(name) == true }

// Params returns the parameters of all groups.
func (o *Optimizer) Params() []*autograd.Tensor {
	var all []*autograd.Tensor
	for _, g := range o.Groups() {
		all = append(all, g.Params...)
	}
	return all
}

// Step updates the parameters that have gradients, with grad mode off.
func (o *Optimizer) Step() error {
	if !o.made() {
		return errNone()
	}
	o.stepped = o.scheduled
	work := make([][]update, len(o.groups))
	rates := make([]float64, len(o.groups))
	var params []*autograd.Tensor
	for i, g := range o.groups {
		rates[i] = math.NaN()
		if g.Get("lr") != nil {
			rates[i] = g.LR()
		}
		for _, p := range g.Params {
			if err := p.Err(); err != nil {
				return err
			}
			grad := p.Grad()
			if grad == nil {
				continue
			}
			if err := grad.Err(); err != nil {
				return err
			}
			work[i] = append(work[i], update{p, grad})
			params = append(params, p)
		}
	}
	defer autograd.StepOptimizer(autograd.Stepping{Class: o.class, Params: params, Number: o.number, Rates: rates})()
	return autograd.WithoutGrad(func() error {
		for i, g := range o.groups {
			if err := o.rule.update(o, g, work[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// StepWith calls closure, which computes the loss and its gradients, and then
// updates the parameters. It returns the loss. closure runs with grad mode on;
// it may be nil.
func (o *Optimizer) StepWith(closure func() (*autograd.Tensor, error)) (loss *autograd.Tensor, err error) {
	if !o.made() {
		return nil, errNone()
	}
	if closure != nil {
		autograd.EnableGrad(func() { loss, err = closure() })
	}
	if err != nil {
		return nil, err
	}
	return loss, o.Step()
}

// ZeroGrad clears the gradients of the parameters. Options: SetToNone.
func (o *Optimizer) ZeroGrad(opts ...autograd.Option) error {
	if !o.made() {
		return errNone()
	}
	setToNone := true
	for _, opt := range opts {
		on, ok := opt.Value.(bool)
		if opt.Name != "set_to_none" || !ok {
			return raise(autograd.TypeError, "Optimizer.zero_grad() got an unexpected keyword argument '%s'", opt.Name)
		}
		setToNone = on
	}
	return autograd.ZeroGrads(o.class, o.Params(), setToNone)
}

// String returns the optimizer as PyTorch prints it: the settings of its
// groups, sorted.
func (o *Optimizer) String() string {
	if o == nil {
		return "None"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s (", o.class)
	for i, g := range o.groups {
		fmt.Fprintf(&b, "\nParameter Group %d\n", i)
		sorted := slices.SortedFunc(slices.Values(g.Settings), func(a, b autograd.Option) int { return strings.Compare(a.Name, b.Name) })
		for _, s := range sorted {
			fmt.Fprintf(&b, "    %s: %s\n", s.Name, pycall.Str(s.Value))
		}
	}
	b.WriteString(")")
	return b.String()
}
