package optim

import (
	"slices"

	"github.com/gradtui/gradtui/autograd"
)

// A Value is a part of the state of a parameter, such as its "momentum_buffer".
type Value struct {
	Name   string
	Tensor *autograd.Tensor
}

// paramState is the state that an optimizer keeps for a parameter.
type paramState struct {
	param  *autograd.Tensor
	values []Value
}

func (s *paramState) get(name string) *autograd.Tensor {
	for _, v := range s.values {
		if v.Name == name {
			return v.Tensor
		}
	}
	return nil
}

func (s *paramState) set(name string, t *autograd.Tensor) {
	for i := range s.values {
		if s.values[i].Name == name {
			s.values[i].Tensor = t
			return
		}
	}
	s.values = append(s.values, Value{name, t})
}

// stateOf returns the state of a parameter, to be read and changed.
func (o *Optimizer) stateOf(p *autograd.Tensor) *paramState {
	if s := o.byParam[p]; s != nil {
		return s
	}
	return o.remember(&paramState{param: p})
}

func (o *Optimizer) remember(s *paramState) *paramState {
	if o.byParam == nil {
		o.byParam = map[*autograd.Tensor]*paramState{}
	}
	o.state, o.byParam[s.param] = append(o.state, s), s
	return s
}

// State returns the state of a parameter, in order.
func (o *Optimizer) State(p *autograd.Tensor) []Value {
	if o == nil || o.byParam[p] == nil {
		return nil
	}
	return slices.Clone(o.byParam[p].values)
}

// A StateDict is the state of an optimizer without its parameters. It
// identifies parameters by their index in the list of all groups' parameters.
// The tensors are shared with the optimizer.
type StateDict struct {
	State  []ParamState
	Groups []GroupState
}

// ParamState is the state of one parameter.
type ParamState struct {
	Param  int
	Values []Value
}

// GroupState holds the settings and the parameters of a group.
type GroupState struct {
	Settings []autograd.Option
	Params   []int
}

// StateDict returns the state of the optimizer.
func (o *Optimizer) StateDict() StateDict {
	var s StateDict
	if o == nil {
		return s
	}
	number := map[*autograd.Tensor]int{}
	for _, g := range o.groups {
		packed := GroupState{Settings: slices.Clone(g.Settings)}
		start := 0
		for _, before := range s.Groups {
			start += len(before.Params)
		}
		for i, p := range g.Params {
			number[p] = start + i // for a parameter that is listed twice, the later index
		}
		for _, p := range g.Params {
			packed.Params = append(packed.Params, number[p])
		}
		s.Groups = append(s.Groups, packed)
	}
	for _, state := range o.state {
		s.State = append(s.State, ParamState{number[state.param], slices.Clone(state.values)})
	}
	return s
}

// LoadStateDict replaces the settings and the state with the contents of s.
// Its groups must have the same numbers of parameters. Tensors are converted to
// the dtype of their parameter; if they have it already, they are shared, not
// copied. State of unknown parameters is ignored.
func (o *Optimizer) LoadStateDict(s StateDict) error {
	if !o.made() {
		return errNone()
	}
	if len(o.groups) != len(s.Groups) {
		return raise(autograd.ValueError, "loaded state dict has a different number of parameter groups")
	}
	param := map[int]*autograd.Tensor{}
	groups := make([]*Group, len(o.groups))
	for i, g := range o.groups {
		saved := s.Groups[i]
		if len(g.Params) != len(saved.Params) {
			return raise(autograd.ValueError, "loaded state dict contains a parameter group that doesn't match the size of optimizer's group")
		}
		for j, n := range saved.Params {
			param[n] = g.Params[j]
		}
		groups[i] = &Group{Params: g.Params, rule: o.rule}
		if err := groups[i].Set(saved.Settings...); err != nil {
			return err
		}
		groups[i].fill(o.defaults)
	}
	var state []*paramState
	for _, saved := range s.State {
		p := param[saved.Param]
		if p == nil {
			continue
		}
		loaded := &paramState{param: p}
		for _, v := range saved.Values {
			t := v.Tensor
			if v.Name != "step" && p.DType().IsFloat() {
				t = t.To(p.DType())
			}
			if err := t.Err(); err != nil {
				return err
			}
			loaded.set(v.Name, t)
		}
		state = append(state, loaded)
	}
	for i, g := range o.groups {
		*g = *groups[i]
	}
	o.state, o.byParam = nil, nil
	for _, s := range state {
		o.remember(s)
	}
	return nil
}
