package nn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/pycall"
	"github.com/gradtui/gradtui/autograd/internal/schema"
)

// A class declares a layer: its constructor, its parameters, its computation
// and its text.
type class struct {
	// sig is the signature of the constructor, in the notation of package
	// schema. The arguments become attributes of the module.
	sig string
	// inputs are the arguments of the forward pass, separated by spaces.
	// Optional arguments end in a question mark.
	inputs string
	// build checks the arguments and registers parameters, buffers and
	// children. It may be nil.
	build func(m *Module, c *pycall.Args) error
	// forward computes the results. Simple layers set call instead: the
	// operator to call and, separated by spaces, the attributes to pass after
	// the inputs. "name=attribute" passes an attribute by keyword; "training"
	// is the module's mode.
	forward func(m *Module, x []*autograd.Tensor) ([]*autograd.Tensor, error)
	call    string
	// repr is the text in the parentheses when the module is printed, with
	// attributes in braces. show replaces it if that is not enough.
	repr string
	show func(m *Module) string

	schema   *schema.Schema
	operator string
	names    []string
}

// classes is the catalogue of layers by name, from the tables in layers_*.go.
var classes = catalogue(
	linearLayers, convLayers(), imageLayers, windowLayers(), normLayers, batchNormLayers(), recurrentLayers,
	activationLayers, lossLayers,
)

func catalogue(tables ...[]class) map[string]*class {
	all := map[string]*class{}
	for _, table := range tables {
		for i := range table {
			c := &table[i]
			c.schema = schema.MustParse(c.sig + " -> Module")
			if fields := strings.Fields(c.call); len(fields) > 0 {
				c.operator, c.names = fields[0], fields[1:]
			}
			all[c.schema.Name] = c
		}
	}
	return all
}

// Classes returns the sorted names of the layers that Make supports.
func Classes() []string {
	var names []string
	for name := range classes {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// notAttributes are the arguments of constructors that do not become
// attributes.
var notAttributes = []string{"device", "dtype", "bias"}

// Make makes a layer by the name of its class, for front ends. An error travels
// in the module.
func Make(name string, args []any, opts ...autograd.Option) *Module {
	c := classes[name]
	if c == nil {
		return &Module{class: name, err: raise(autograd.AttributeError, fmt.Sprintf("module 'torch.nn' has no attribute '%s'", name))}
	}
	m := new(Module)
	m.Init(name)
	config, err := pycall.Bind(name+".__init__", c.schema, args, opts)
	if err != nil {
		m.err = err
		return m
	}
	for _, p := range c.schema.Params {
		if v := config.Value(p.Name); p.Type != schema.Tensor && !slices.Contains(notAttributes, p.Name) {
			m.attrs.set(p.Name, v)
		}
	}
	if device := config.Value("device"); device != nil && device != "cpu" {
		m.err = autograd.Raise(&autograd.Error{Type: autograd.RuntimeError, Code: autograd.CodeUnsupported, Text: fmt.Sprintf("this engine does not support the device '%v', only 'cpu'", device)})
		return m
	}
	m.inputs = strings.Fields(c.inputs)
	if c.forward != nil || c.operator != "" {
		m.forward = func(x []*autograd.Tensor) ([]*autograd.Tensor, error) { return c.compute(m, x) }
	}
	m.extra = func() string { return c.describe(m) }
	if c.build != nil {
		if err := c.build(m, config); err != nil && m.err == nil {
			m.err = err
		}
	}
	return m
}

func (c *class) describe(m *Module) string {
	if c.show != nil {
		return c.show(m)
	}
	return m.format(c.repr)
}

func (c *class) compute(m *Module, x []*autograd.Tensor) ([]*autograd.Tensor, error) {
	if c.forward != nil {
		return c.forward(m, x)
	}
	args := make([]any, 0, len(x)+len(c.names))
	for _, t := range x {
		args = append(args, t)
	}
	var opts []autograd.Option
	for _, name := range c.names {
		key, attr, keyword := strings.Cut(name, "=")
		if !keyword {
			attr = name
		}
		v, _ := m.find(attr)
		if keyword {
			opts = append(opts, autograd.Kw(key, v))
		} else {
			args = append(args, v)
		}
	}
	return call(c.operator, args, opts...)
}

// call runs an operator by its name in torch.nn.functional or torch.
func call(name string, args []any, opts ...autograd.Option) ([]*autograd.Tensor, error) {
	for _, full := range []string{"nn_functional_" + name, name} {
		if f, ok := autograd.Lookup(full); ok {
			return f.Call(args, opts...)
		}
	}
	return nil, raise(autograd.AttributeError, fmt.Sprintf("module 'torch.nn.functional' has no attribute '%s'", name))
}

// call1 is call for an operator with one result. An error travels in it.
func call1(name string, args ...any) *autograd.Tensor {
	outs, err := call(name, args)
	if err != nil {
		return autograd.Failed(err)
	}
	return outs[0]
}
