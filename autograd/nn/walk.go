package nn

import (
	"slices"
	"strings"

	"github.com/gradtui/gradtui/autograd"
)

// A Named is a value with its path from a module: "encoder.layers.0".
type Named[T any] struct {
	Name  string
	Value T
}

// NamedModules returns the module itself, with an empty name, and all modules
// below it, each once, parents before children.
func (m *Module) NamedModules() []Named[*Module] {
	var list []Named[*Module]
	m.visit("", map[*Module]bool{}, func(path string, m *Module) { list = append(list, Named[*Module]{path, m}) })
	return list
}

func (m *Module) visit(path string, seen map[*Module]bool, f func(path string, m *Module)) {
	if m == nil || seen[m] {
		return
	}
	seen[m] = true
	f(path, m)
	for _, c := range m.children {
		c.value.visit(join(path, c.name), seen, f)
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// Modules returns the module itself and all modules below it.
func (m *Module) Modules() []*Module { return values(m.NamedModules()) }

// NamedChildren returns the module's direct children, each once.
func (m *Module) NamedChildren() []Named[*Module] {
	var list []Named[*Module]
	if m == nil {
		return nil
	}
	for _, c := range m.children {
		if c.value != nil && !slices.ContainsFunc(list, func(n Named[*Module]) bool { return n.Value == c.value }) {
			list = append(list, Named[*Module]{c.name, c.value})
		}
	}
	return list
}

// Children returns the module's direct children.
func (m *Module) Children() []*Module { return values(m.NamedChildren()) }

// NamedParameters returns the parameters of the module and of all modules below
// it, each once: the module's own first, then its children's.
func (m *Module) NamedParameters() []Named[*autograd.Tensor] {
	return m.tensors(func(m *Module) members[*autograd.Tensor] { return m.params })
}

// Parameters returns the parameters of the module and of all modules below it.
func (m *Module) Parameters() []*autograd.Tensor { return values(m.NamedParameters()) }

// NamedBuffers returns the buffers of the module and of all modules below it,
// each once.
func (m *Module) NamedBuffers() []Named[*autograd.Tensor] {
	return m.tensors(func(m *Module) members[*autograd.Tensor] { return m.buffers })
}

// Buffers returns the buffers of the module and of all modules below it.
func (m *Module) Buffers() []*autograd.Tensor { return values(m.NamedBuffers()) }

func (m *Module) tensors(of func(m *Module) members[*autograd.Tensor]) []Named[*autograd.Tensor] {
	var list []Named[*autograd.Tensor]
	seen := map[*autograd.Tensor]bool{}
	for _, at := range m.NamedModules() {
		for _, t := range of(at.Value) {
			if t.value != nil && !seen[t.value] {
				seen[t.value] = true
				list = append(list, Named[*autograd.Tensor]{join(at.Name, t.name), t.value})
			}
		}
	}
	return list
}

func values[T any](list []Named[T]) []T {
	out := make([]T, len(list))
	for i, n := range list {
		out[i] = n.Value
	}
	return out
}

// Submodule returns the module at a path. A path that does not lead to a module
// is an error.
func (m *Module) Submodule(path string) (*Module, error) {
	if path == "" {
		return m, nil
	}
	at := m
	for _, name := range strings.Split(path, ".") {
		v, ok := at.find(name)
		if !ok {
			return nil, raise(autograd.AttributeError, at.Class()+" has no attribute `"+name+"`")
		}
		child, ok := v.(*Module)
		if !ok {
			return nil, raise(autograd.AttributeError, "`"+name+"` is not an nn.Module")
		}
		at = child
	}
	return at, nil
}

// Apply calls f for every module below m, children before parents, and finally
// for m itself. It returns m.
func (m *Module) Apply(f func(m *Module)) *Module {
	if m == nil || f == nil {
		return m
	}
	for _, c := range m.Children() {
		c.Apply(f)
	}
	f(m)
	return m
}

// Train sets training mode, or evaluation mode if on is false, for the module
// and all modules below it. It returns m.
func (m *Module) Train(on bool) *Module {
	if m == nil {
		return m
	}
	m.training = on
	for _, c := range m.Children() {
		c.Train(on)
	}
	return m
}

// Eval sets evaluation mode for the module and all modules below it. It returns
// m.
func (m *Module) Eval() *Module { return m.Train(false) }

// RequiresGrad_ sets requires_grad of the parameters. It returns m.
func (m *Module) RequiresGrad_(on bool) *Module {
	for _, p := range m.Parameters() {
		p.RequiresGrad_(on)
	}
	return m
}

// SetToNone is an option of ZeroGrad: whether .grad becomes None, which is the
// default, or is filled with zeros.
func SetToNone(on bool) autograd.Option { return autograd.Kw("set_to_none", on) }

// ZeroGrad clears the gradients of the parameters. Options: SetToNone.
func (m *Module) ZeroGrad(opts ...autograd.Option) error {
	if err := m.Err(); err != nil {
		return err
	}
	setToNone := true
	for _, o := range opts {
		on, ok := o.Value.(bool)
		if o.Name != "set_to_none" || !ok {
			return raise(autograd.TypeError, "Module.zero_grad() got an unexpected keyword argument '"+o.Name+"'")
		}
		setToNone = on
	}
	return autograd.ZeroGrads(m.Class(), m.Parameters(), setToNone)
}

// To converts the floating-point parameters and buffers to a dtype, as m.to(d)
// does. A parameter remains the same tensor with new data. An error travels in
// the module.
func (m *Module) To(d autograd.DType) *Module {
	if m == nil {
		return m
	}
	if !d.IsFloat() {
		if m.err == nil {
			m.err = raise(autograd.TypeError, "nn.Module.to only accepts floating point or complex dtypes, but got desired dtype=torch."+d.String())
		}
		return m
	}
	for _, at := range m.Modules() {
		for _, p := range at.params {
			at.convert(p.value, d)
		}
		for i, b := range at.buffers {
			if b.value != nil && b.value.DType().IsFloat() {
				at.buffers[i].value = b.value.To(d)
			}
		}
	}
	return m
}

// convert gives a parameter and its gradient data of another dtype.
func (m *Module) convert(p *autograd.Tensor, d autograd.DType) {
	if p == nil || !p.DType().IsFloat() || p.DType() == d {
		return
	}
	autograd.NoGrad(func() {
		var g *autograd.Tensor
		if p.IsLeaf() {
			g = p.Grad()
		}
		if err := p.SetData(p.Detach().To(d)); err != nil && m.err == nil {
			m.err = err
		}
		if g != nil {
			requires := g.RequiresGrad()
			g = g.Detach().To(d).RequiresGrad_(requires)
			if err := p.SetGrad(g); err != nil && m.err == nil {
				m.err = err
			}
		}
	})
}

// Double converts the parameters and buffers to float64.
func (m *Module) Double() *Module { return m.To(autograd.Float64) }

// Float converts the parameters and buffers to float32.
func (m *Module) Float() *Module { return m.To(autograd.Float32) }
