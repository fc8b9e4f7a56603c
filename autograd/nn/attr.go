package nn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/pycall"
)

// This file holds the rules for assigning and reading attributes of modules,
// after torch/nn/modules/module.py (PyTorch 2.6).

// SetAttr assigns an attribute, as m.name = value does. It registers a
// parameter or a module. A registered name accepts only a value of its kind or
// nil; other values are TypeErrors. Anything else becomes a plain attribute.
func (m *Module) SetAttr(name string, value any) error {
	if m == nil {
		return m.Err()
	}
	if pycall.IsNone(value) {
		value = nil
	}
	p, isTensor := value.(*autograd.Tensor)
	if isTensor && p.IsParameter() {
		if !m.ready {
			return raise(autograd.AttributeError, "cannot assign parameters before Module.__init__() call")
		}
		m.attrs.remove(name)
		m.removeBuffer(name)
		m.children.remove(name)
		return m.RegisterParameter(name, p)
	}
	if m.params.index(name) >= 0 {
		if value != nil {
			return raise(autograd.TypeError, fmt.Sprintf("cannot assign '%s' as parameter '%s' (torch.nn.Parameter or None expected)", pycall.TypeName(value), name))
		}
		return m.RegisterParameter(name, nil)
	}
	if child, ok := value.(*Module); ok {
		if !m.ready {
			return raise(autograd.AttributeError, "cannot assign module before Module.__init__() call")
		}
		m.attrs.remove(name)
		m.params.remove(name)
		m.removeBuffer(name)
		m.children.set(name, child)
		return nil
	}
	if m.children.index(name) >= 0 {
		if value != nil {
			return raise(autograd.TypeError, fmt.Sprintf("cannot assign '%s' as child module '%s' (torch.nn.Module or None expected)", pycall.TypeName(value), name))
		}
		m.children.set(name, nil)
		return nil
	}
	if m.buffers.index(name) >= 0 {
		if value != nil && !isTensor {
			return raise(autograd.TypeError, fmt.Sprintf("cannot assign '%s' as buffer '%s' (torch.nn.Buffer, torch.Tensor or None expected)", pycall.TypeName(value), name))
		}
		return m.RegisterBuffer(name, p, !slices.Contains(m.fleeting, name))
	}
	if name == "training" {
		on, ok := value.(bool)
		if !ok {
			return raise(autograd.TypeError, fmt.Sprintf("attribute 'training' must be bool, not %s", pycall.TypeName(value)))
		}
		m.training = on
		return nil
	}
	m.attrs.set(name, value)
	return nil
}

// Attr returns an attribute: a plain one, a parameter, a buffer or a child. nil
// stands for None. An unknown name is an AttributeError.
func (m *Module) Attr(name string) (any, error) {
	if v, ok := m.find(name); ok {
		return v, nil
	}
	return nil, raise(autograd.AttributeError, fmt.Sprintf("'%s' object has no attribute '%s'", m.Class(), name))
}

func (m *Module) find(name string) (any, bool) {
	if m == nil {
		return nil, false
	}
	if name == "training" && m.ready {
		return m.training, true
	}
	if v, ok := m.attrs.get(name); ok {
		return v, true
	}
	for _, list := range []members[*autograd.Tensor]{m.params, m.buffers} {
		if t, ok := list.get(name); ok {
			if t == nil {
				return nil, true
			}
			return t, true
		}
	}
	if c, ok := m.children.get(name); ok {
		if c == nil {
			return nil, true
		}
		return c, true
	}
	return nil, false
}

// DelAttr removes an attribute, as del m.name does.
func (m *Module) DelAttr(name string) error {
	if m == nil {
		return m.Err()
	}
	switch {
	case m.params.remove(name), m.removeBuffer(name), m.children.remove(name), m.attrs.remove(name):
		return nil
	}
	return raise(autograd.AttributeError, fmt.Sprintf("'%s' object has no attribute '%s'", m.Class(), name))
}

func (m *Module) removeBuffer(name string) bool {
	m.removeFleeting(name)
	return m.buffers.remove(name)
}

// RegisterParameter registers a parameter; nil reserves the name.
func (m *Module) RegisterParameter(name string, p *autograd.Tensor) error {
	if m == nil {
		return m.Err()
	}
	if !m.ready {
		return raise(autograd.AttributeError, "cannot assign parameter before Module.__init__() call")
	}
	if err := m.checkName("parameter", name, m.params.index(name) >= 0); err != nil {
		return err
	}
	if p != nil {
		if err := p.Err(); err != nil {
			return err
		}
		if !p.IsParameter() {
			return raise(autograd.TypeError, fmt.Sprintf("cannot assign '%s' object to parameter '%s' (torch.nn.Parameter or None required)", pycall.TypeName(p), name))
		}
		if fn, err := p.GradFn(); err != nil || fn != nil {
			return raise(autograd.ValueError, fmt.Sprintf("Cannot assign non-leaf Tensor to parameter '%[1]s'. Model parameters must be created explicitly. To express '%[1]s' as a function of another Tensor, compute the value in the forward() method.", name))
		}
	}
	m.params.set(name, p)
	return nil
}

// RegisterBuffer registers a tensor that belongs to the module's state but is
// not a parameter. The state dict includes it if it is persistent.
func (m *Module) RegisterBuffer(name string, t *autograd.Tensor, persistent bool) error {
	if m == nil {
		return m.Err()
	}
	if !m.ready {
		return raise(autograd.AttributeError, "cannot assign buffer before Module.__init__() call")
	}
	if err := m.checkName("buffer", name, m.buffers.index(name) >= 0); err != nil {
		return err
	}
	if t != nil {
		if err := t.Err(); err != nil {
			return err
		}
	}
	m.removeFleeting(name)
	if !persistent {
		m.fleeting = append(m.fleeting, name)
	}
	m.buffers.set(name, t)
	return nil
}

func (m *Module) removeFleeting(name string) {
	if i := slices.Index(m.fleeting, name); i >= 0 {
		m.fleeting = slices.Delete(m.fleeting, i, i+1)
	}
}

// AddModule registers a child; nil reserves the name.
func (m *Module) AddModule(name string, child *Module) error {
	if m == nil {
		return m.Err()
	}
	if !m.ready {
		return raise(autograd.AttributeError, "cannot assign module before Module.__init__() call")
	}
	taken := m.children.index(name) >= 0
	if _, exists := m.find(name); (exists || reserved[name]) && !taken {
		return keyError(fmt.Sprintf("attribute '%s' already exists", name))
	}
	switch {
	case strings.Contains(name, "."):
		return keyError(`module name can't contain ".", got: ` + name)
	case name == "":
		return keyError(`module name can't be empty string ""`)
	}
	if child != nil && child.err != nil {
		return child.err
	}
	m.children.set(name, child)
	return nil
}

// checkName returns an error for a name that cannot be registered.
func (m *Module) checkName(what, name string, taken bool) error {
	_, exists := m.find(name)
	switch {
	case strings.Contains(name, "."):
		return keyError(what + ` name can't contain "."`)
	case name == "":
		return keyError(what + ` name can't be empty string ""`)
	case (exists || reserved[name]) && !taken:
		return keyError(fmt.Sprintf("attribute '%s' already exists", name))
	}
	return nil
}

// reserved holds the names of methods of torch.nn.Module. They cannot be
// registered.
var reserved = func() map[string]bool {
	names := map[string]bool{}
	for _, name := range strings.Fields(`add_module apply bfloat16 buffers call_super_init children compile cpu cuda
		double dump_patches eval extra_repr float forward get_buffer get_extra_state get_parameter get_submodule half
		ipu load_state_dict modules mtia named_buffers named_children named_modules named_parameters parameters
		register_backward_hook register_buffer register_forward_hook register_forward_pre_hook
		register_full_backward_hook register_full_backward_pre_hook register_load_state_dict_post_hook
		register_load_state_dict_pre_hook register_module register_parameter register_state_dict_post_hook
		register_state_dict_pre_hook requires_grad_ set_extra_state set_submodule share_memory state_dict to to_empty
		train type xpu zero_grad`) {
		names[name] = true
	}
	return names
}()

// keyError returns a KeyError. Python prints its message in quotes.
func keyError(text string) error { return raise(autograd.KeyError, pycall.Quote(text)) }
