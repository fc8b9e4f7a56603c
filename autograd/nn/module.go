package nn

import (
	"slices"

	"github.com/gradtui/gradtui/autograd"
)

// A Module is a part of a network: parameters, buffers and child modules,
// registered by name and in order, and a forward pass.
//
// The zero Module is a module whose __init__ has not run: parameters and
// modules cannot be assigned to it before [Module.Init].
type Module struct {
	class   string
	ready   bool // Init has been called
	err     error
	forward Forward
	inputs  []string // names of the forward pass's arguments; "hx?" is optional
	extra   func() string
	listing func() string // returns the whole text, for containers of parameters

	params   members[*autograd.Tensor]
	buffers  members[*autograd.Tensor]
	children members[*Module]
	attrs    members[any]
	fleeting []string // names of buffers that are not in the state dict
	training bool
	hooks    hooks
}

// A Forward computes the results of a module from its arguments.
type Forward func(x []*autograd.Tensor) ([]*autograd.Tensor, error)

// members are values by name, in the order in which they were added.
type members[T any] []member[T]

type member[T any] struct {
	name  string
	value T
}

func (l members[T]) index(name string) int {
	return slices.IndexFunc(l, func(m member[T]) bool { return m.name == name })
}

func (l members[T]) get(name string) (value T, ok bool) {
	if i := l.index(name); i >= 0 {
		return l[i].value, true
	}
	return value, false
}

func (l *members[T]) set(name string, value T) {
	if i := l.index(name); i >= 0 {
		(*l)[i].value = value
		return
	}
	*l = append(*l, member[T]{name, value})
}

func (l *members[T]) remove(name string) bool {
	i := l.index(name)
	if i >= 0 {
		*l = slices.Delete(*l, i, i+1)
	}
	return i >= 0
}

// Init makes m an empty module of a class, as super().__init__() does.
func (m *Module) Init(class string) {
	if m == nil {
		return
	}
	*m = Module{class: class, ready: true, training: true, attrs: m.attrs}
}

// A Member is a value for New to register.
type Member struct {
	name  string
	value any
}

// Child is a module for New to register under a name.
func Child(name string, m *Module) Member { return Member{name, m} }

// Param is a parameter for New to register under a name; nil reserves the name.
func Param(name string, p *autograd.Tensor) Member { return Member{name, parameter{p}} }

// Buffer is a tensor for New to register that is part of the state but not a
// parameter.
func Buffer(name string, t *autograd.Tensor) Member { return Member{name, buffer{t}} }

type (
	parameter struct{ *autograd.Tensor }
	buffer    struct{ *autograd.Tensor }
)

// New makes a custom module. forward computes its result; it is nil for a
// module that only contains others.
func New(class string, forward func(x ...*autograd.Tensor) *autograd.Tensor, list ...Member) *Module {
	m := new(Module)
	m.Init(class)
	if forward != nil {
		m.forward = func(x []*autograd.Tensor) ([]*autograd.Tensor, error) { return one(forward(x...)) }
	}
	for _, entry := range list {
		var err error
		switch v := entry.value.(type) {
		case parameter:
			err = m.RegisterParameter(entry.name, v.Tensor)
		case buffer:
			err = m.RegisterBuffer(entry.name, v.Tensor, true)
		case *Module:
			err = m.AddModule(entry.name, v)
		}
		if err != nil && m.err == nil {
			m.err = err
		}
	}
	return m
}

// SetForward replaces the forward pass, for modules with several results.
func (m *Module) SetForward(f Forward) {
	if m != nil {
		m.forward = f
	}
}

// SetExtraRepr sets the text in the parentheses of the printed module.
func (m *Module) SetExtraRepr(f func() string) {
	if m != nil {
		m.extra = f
	}
}

// one returns the single result of a forward pass.
func one(t *autograd.Tensor) ([]*autograd.Tensor, error) {
	if t == nil {
		return []*autograd.Tensor{nil}, nil
	}
	if err := t.Err(); err != nil {
		return nil, err
	}
	return []*autograd.Tensor{t}, nil
}

// Err returns the error of a module that could not be made, or nil.
func (m *Module) Err() error {
	if m == nil {
		return raise(autograd.AttributeError, "'NoneType' object has no attribute 'forward'")
	}
	return m.err
}

// Class returns the name of the module's class.
func (m *Module) Class() string {
	if m == nil {
		return "NoneType"
	}
	if m.class == "" {
		return "Module"
	}
	return m.class
}

// Training reports whether the module is in training mode.
func (m *Module) Training() bool { return m != nil && m.training }

// Param returns the parameter with the given name, or nil.
func (m *Module) Param(name string) *autograd.Tensor {
	if m == nil {
		return nil
	}
	p, _ := m.params.get(name)
	return p
}

// Buffer returns the buffer with the given name, or nil.
func (m *Module) Buffer(name string) *autograd.Tensor {
	if m == nil {
		return nil
	}
	b, _ := m.buffers.get(name)
	return b
}

// Child returns the child module with the given name, or nil.
func (m *Module) Child(name string) *Module {
	if m == nil {
		return nil
	}
	c, _ := m.children.get(name)
	return c
}

// raise makes an error of this package and records it on the tape.
func raise(t autograd.ErrorType, text string) error {
	return autograd.Raise(&autograd.Error{Type: t, Code: autograd.CodeModule, Text: text})
}
