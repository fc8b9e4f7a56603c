package nn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/pycall"
)

// A StateDict is the state of a module: its parameters and persistent buffers by
// path, in order. The tensors share memory with the module.
type StateDict []Named[*autograd.Tensor]

// Get returns the tensor with a name, or nil.
func (s StateDict) Get(name string) *autograd.Tensor {
	for _, n := range s {
		if n.Name == name {
			return n.Value
		}
	}
	return nil
}

// Names returns the keys in order.
func (s StateDict) Names() []string {
	names := make([]string, len(s))
	for i, n := range s {
		names[i] = n.Name
	}
	return names
}

// StateDict returns the state of the module and of all modules below it.
// Tensors that are registered twice are listed twice.
func (m *Module) StateDict() StateDict {
	var s StateDict
	if m != nil {
		m.saveState("", &s)
	}
	return s
}

func (m *Module) saveState(prefix string, s *StateDict) {
	for _, t := range m.localState() {
		*s = append(*s, Named[*autograd.Tensor]{prefix + t.name, t.value.Detach()})
	}
	for _, c := range m.children {
		if c.value != nil {
			c.value.saveState(prefix+c.name+".", s)
		}
	}
}

// localState returns the module's own parameters and persistent buffers.
func (m *Module) localState() members[*autograd.Tensor] {
	var list members[*autograd.Tensor]
	for _, p := range m.params {
		if p.value != nil {
			list = append(list, p)
		}
	}
	for _, b := range m.buffers {
		if b.value != nil && !slices.Contains(m.fleeting, b.name) {
			list = append(list, b)
		}
	}
	return list
}

// Incompatible holds the keys that are only in the module (Missing) or only in
// the state dict (Unexpected).
type Incompatible struct{ Missing, Unexpected []string }

// Strict is an option of LoadStateDict: whether the keys must match exactly, by
// default true.
func Strict(on bool) autograd.Option { return autograd.Kw("strict", on) }

// LoadStateDict copies a state into the parameters and buffers, in place.
// Shapes must match; missing and unexpected keys are errors unless
// Strict(false) is given.
func (m *Module) LoadStateDict(s StateDict, opts ...autograd.Option) (Incompatible, error) {
	if err := m.Err(); err != nil {
		return Incompatible{}, err
	}
	l := loader{state: s}
	l.load(m, "")
	strict := true
	for _, o := range opts {
		on, ok := o.Value.(bool)
		if o.Name != "strict" || !ok {
			return l.keys, raise(autograd.TypeError, "Module.load_state_dict() got an unexpected keyword argument '"+o.Name+"'")
		}
		strict = on
	}
	problems := l.problems
	if strict {
		if len(l.keys.Unexpected) > 0 {
			problems = slices.Insert(problems, 0, fmt.Sprintf("Unexpected key(s) in state_dict: %s. ", quotedList(l.keys.Unexpected)))
		}
		if len(l.keys.Missing) > 0 {
			problems = slices.Insert(problems, 0, fmt.Sprintf("Missing key(s) in state_dict: %s. ", quotedList(l.keys.Missing)))
		}
	}
	if len(problems) > 0 {
		return l.keys, raise(autograd.RuntimeError, fmt.Sprintf("Error(s) in loading state_dict for %s:\n\t%s", m.Class(), strings.Join(problems, "\n\t")))
	}
	return l.keys, nil
}

func quotedList(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = `"` + name + `"`
	}
	return strings.Join(quoted, ", ")
}

// A loader collects the problems while a state is copied.
type loader struct {
	state    StateDict
	keys     Incompatible
	problems []string
}

func (l *loader) load(m *Module, prefix string) {
	local := m.localState()
	for _, t := range local {
		key := prefix + t.name
		if i := slices.IndexFunc(l.state, func(n Named[*autograd.Tensor]) bool { return n.Name == key }); i >= 0 {
			l.copy(key, t.value, l.state[i].Value)
		} else {
			l.keys.Missing = append(l.keys.Missing, key)
		}
	}
	for _, n := range l.state {
		rest, ok := strings.CutPrefix(n.Name, prefix)
		if !ok {
			continue
		}
		head, _, below := strings.Cut(rest, ".")
		if below && m.children.index(head) < 0 || !below && local.index(head) < 0 {
			l.keys.Unexpected = append(l.keys.Unexpected, n.Name)
		}
	}
	for _, c := range m.children {
		if c.value != nil {
			l.load(c.value, prefix+c.name+".")
		}
	}
}

func (l *loader) copy(key string, to, from *autograd.Tensor) {
	if from == nil || from.Err() != nil {
		l.problems = append(l.problems, fmt.Sprintf(`While copying the parameter named "%s", expected torch.Tensor or Tensor-like object from checkpoint but received <class 'NoneType'>`, key))
		return
	}
	shape := from.Shape()
	if to.Dim() == 0 && len(shape) == 1 && shape[0] > 0 {
		from, shape = from.Select(0, 0), nil
	}
	if !slices.Equal(shape, to.Shape()) {
		l.problems = append(l.problems, fmt.Sprintf("size mismatch for %s: copying a param with shape %s from checkpoint, the shape in current model is %s.", key, sizeText(shape), sizeText(to.Shape())))
		return
	}
	autograd.NoGrad(func() {
		if err := to.Copy_(from); err != nil {
			l.problems = append(l.problems, fmt.Sprintf(`While copying the parameter named "%s", whose dimensions in the model are %s and whose dimensions in the checkpoint are %s, an exception occurred : (%s,).`, key, sizeText(to.Shape()), sizeText(shape), pycall.Quote(err.Error())))
		}
	})
}

// sizeText formats a shape as torch.Size([2, 3]).
func sizeText(sizes []int) string {
	return "torch.Size([" + strings.Trim(strings.ReplaceAll(fmt.Sprint(sizes), " ", ", "), "[]") + "])"
}
