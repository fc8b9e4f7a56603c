package nn

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/autograd"
)

// Sequential calls modules one after the other. Their names are their indices.
func Sequential(modules ...*Module) *Module {
	m := container("Sequential", modules)
	m.inputs = []string{"input"}
	m.forward = func(x []*autograd.Tensor) ([]*autograd.Tensor, error) {
		for _, c := range m.children {
			var err error
			if x, err = c.value.Run(x...); err != nil {
				return nil, err
			}
		}
		return x, nil
	}
	return m
}

// SequentialOf is Sequential with names.
func SequentialOf(list ...Member) *Module {
	m := Sequential()
	for _, entry := range list {
		child, _ := entry.value.(*Module)
		if err := m.AddModule(entry.name, child); err != nil && m.err == nil {
			m.err = err
		}
	}
	return m
}

// ModuleList holds modules in a list. It does not have a forward pass.
func ModuleList(modules ...*Module) *Module {
	m := container("ModuleList", modules)
	m.listing = func() string { return describeModules(m) }
	return m
}

// ModuleDict holds modules by name. It does not have a forward pass.
func ModuleDict(list ...Member) *Module {
	m := SequentialOf(list...)
	m.class, m.forward, m.inputs = "ModuleDict", nil, nil
	return m
}

func container(class string, modules []*Module) *Module {
	m := new(Module)
	m.Init(class)
	m.Append(modules...)
	return m
}

// Append adds modules to a Sequential or a ModuleList.
func (m *Module) Append(modules ...*Module) *Module {
	for _, c := range modules {
		if err := m.AddModule(strconv.Itoa(len(m.children)), c); err != nil && m.err == nil {
			m.err = err
		}
	}
	return m
}

// Len returns the number of direct children, or of the parameters in a
// ParameterList.
func (m *Module) Len() int {
	if m == nil {
		return 0
	}
	if len(m.children) == 0 {
		return len(m.params)
	}
	return len(m.children)
}

// At returns child i. Negative i count from the end. If there is no such child,
// the returned module carries the error.
func (m *Module) At(i int) *Module {
	at := i
	if i < 0 {
		at += m.Len()
	}
	if m == nil || at < 0 || at >= len(m.children) {
		return &Module{err: raise(autograd.IndexError, fmt.Sprintf("index %d is out of range", i))}
	}
	return m.children[at].value
}

// Key returns the child with a name, as in a ModuleDict. If there is no such
// child, the returned module carries the error.
func (m *Module) Key(name string) *Module {
	if c := m.Child(name); c != nil {
		return c
	}
	return &Module{err: keyError(name)}
}

// Slice is m[from:to]: a container of the same kind with these children. Both
// bounds may be negative.
func (m *Module) Slice(from, to int) *Module {
	n := m.Len()
	place := func(i int) int {
		if i < 0 {
			i += n
		}
		return min(max(i, 0), n)
	}
	from, to = place(from), place(to)
	part := Sequential()
	if m.Class() == "ModuleList" {
		part = ModuleList()
	}
	if m == nil || from >= to || len(m.children) == 0 {
		return part
	}
	for _, c := range m.children[from:to] {
		if m.Class() == "ModuleList" {
			part.Append(c.value)
		} else {
			part.children.set(c.name, c.value)
		}
	}
	return part
}

// describeModules prints a ModuleList. Adjacent equal modules are printed once.
func describeModules(m *Module) string {
	if len(m.children) == 0 {
		return m.Class() + "()"
	}
	var lines []string
	for i := 0; i < len(m.children); {
		text, last := m.children[i].value.String(), i
		for last+1 < len(m.children) && m.children[last+1].value.String() == text {
			last++
		}
		line := fmt.Sprintf("(%d): %s", i, text)
		if last > i {
			line = fmt.Sprintf("(%d-%d): %d x %s", i, last, last-i+1, text)
		}
		lines = append(lines, indent(line))
		i = last + 1
	}
	return m.Class() + "(\n  " + strings.Join(lines, "\n  ") + "\n)"
}

// ParameterList holds parameters in a list.
func ParameterList(params ...*autograd.Tensor) *Module {
	m := new(Module)
	m.Init("ParameterList")
	for i, p := range params {
		if p != nil && p.Err() == nil && !p.IsParameter() {
			p = autograd.NewParameter(p, true)
		}
		if err := m.RegisterParameter(strconv.Itoa(i), p); err != nil && m.err == nil {
			m.err = err
		}
	}
	m.extra = func() string {
		return describeParams(m, func(p *autograd.Tensor) string { return "torch." + p.DType().String() })
	}
	return m
}

// ParameterDict holds parameters by name.
func ParameterDict(list ...Member) *Module {
	m := New("ParameterDict", nil, list...)
	m.extra = func() string { return describeParams(m, (*autograd.Tensor).Type) }
	return m
}

func describeParams(m *Module, typ func(p *autograd.Tensor) string) string {
	var lines []string
	for _, p := range m.params {
		if p.value == nil {
			lines = append(lines, "  ("+p.name+"): Object of type: NoneType")
			continue
		}
		sizes := make([]string, p.value.Dim())
		for d, n := range p.value.Shape() {
			sizes[d] = strconv.Itoa(n)
		}
		lines = append(lines, fmt.Sprintf("  (%s): Parameter containing: [%s of size %s]", p.name, typ(p.value), strings.Join(sizes, "x")))
	}
	return strings.Join(lines, "\n")
}
