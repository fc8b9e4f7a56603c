package nn

import (
	"fmt"
	"math"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/pycall"
)

var linearLayers = []class{
	{sig: "Identity()", inputs: "input", forward: func(_ *Module, x []*autograd.Tensor) ([]*autograd.Tensor, error) { return x, nil }},
	{
		sig: "Linear(int in_features, int out_features, bool bias=True, str? device=None, ScalarType? dtype=None)", inputs: "input",
		repr: "in_features={in_features}, out_features={out_features}, bias={has bias}",
		build: func(m *Module, c *pycall.Args) error {
			in, out := c.Int("in_features"), c.Int("out_features")
			m.addParam(c, "weight", out, in)
			m.addBias(c, out)
			return m.resetByFan()
		},
		call: "linear weight bias",
	},
	{
		sig: "Bilinear(int in1_features, int in2_features, int out_features, bool bias=True, str? device=None, ScalarType? dtype=None)", inputs: "input1 input2",
		repr: "in1_features={in1_features}, in2_features={in2_features}, out_features={out_features}, bias={has bias}",
		build: func(m *Module, c *pycall.Args) error {
			m.addParam(c, "weight", c.Int("out_features"), c.Int("in1_features"), c.Int("in2_features"))
			m.addBias(c, c.Int("out_features"))
			if m.err != nil {
				return m.err
			}
			bound := 1 / math.Sqrt(float64(c.Int("in1_features")))
			return m.resetParams(func(p *autograd.Tensor) error { return Uniform_(p, -bound, bound) })
		},
		call: "bilinear weight bias",
	},
	{
		sig: "Flatten(int start_dim=1, int end_dim=-1)", inputs: "input", repr: "start_dim={start_dim}, end_dim={end_dim}",
		call: "flatten start_dim end_dim",
	},
	{
		sig: "Unflatten(int dim, int[] unflattened_size)", inputs: "input", repr: "dim={dim}, unflattened_size={unflattened_size}",
		call: "unflatten dim unflattened_size",
	},
	{
		sig:    "Embedding(int num_embeddings, int embedding_dim, int? padding_idx=None, float? max_norm=None, float norm_type=2.0, bool scale_grad_by_freq=False, bool sparse=False, Tensor? _weight=None, bool _freeze=False, str? device=None, ScalarType? dtype=None)",
		inputs: "input", call: "embedding weight padding_idx max_norm norm_type scale_grad_by_freq sparse",
		build: func(m *Module, c *pycall.Args) error { return m.addTable(c, "Padding_idx", !c.Bool("_freeze")) },
		show:  func(m *Module) string { return describeTable(m, false) },
	},
	{
		sig:    "EmbeddingBag(int num_embeddings, int embedding_dim, float? max_norm=None, float norm_type=2.0, bool scale_grad_by_freq=False, str mode='mean', bool sparse=False, Tensor? _weight=None, bool include_last_offset=False, int? padding_idx=None, str? device=None, ScalarType? dtype=None)",
		inputs: "input offsets? per_sample_weights?",
		build:  func(m *Module, c *pycall.Args) error { return m.addTable(c, "padding_idx", true) },
		show:   func(m *Module) string { return describeTable(m, true) },
		forward: func(m *Module, x []*autograd.Tensor) ([]*autograd.Tensor, error) {
			x = append(x, nil, nil)
			opts := m.keywords("max_norm", "norm_type", "scale_grad_by_freq", "mode", "sparse", "include_last_offset", "padding_idx")
			return call("embedding_bag", []any{x[0], m.Param("weight"), x[1]}, append(opts, autograd.Kw("per_sample_weights", x[2]))...)
		},
	},
}

// keywords returns attributes as options of the same names.
func (m *Module) keywords(names ...string) []autograd.Option {
	var opts []autograd.Option
	for _, name := range names {
		v, _ := m.find(name)
		opts = append(opts, autograd.Kw(name, v))
	}
	return opts
}

// addParam registers a new parameter. The caller fills it.
func (m *Module) addParam(c *pycall.Args, name string, shape ...int) {
	if m.err == nil {
		p := autograd.NewParameter(autograd.Empty(shape, autograd.WithDType(c.DType())), true)
		if m.err = p.Err(); m.err == nil {
			m.err = m.RegisterParameter(name, p)
		}
	}
}

// addBias registers a bias, or reserves its name if the layer does not have
// one.
func (m *Module) addBias(c *pycall.Args, n int) {
	switch {
	case m.err != nil:
	case c.Bool("bias"):
		m.addParam(c, "bias", n)
	default:
		m.err = m.RegisterParameter("bias", nil)
	}
}

// resetParams fills the module's own parameters, in order.
func (m *Module) resetParams(fill func(p *autograd.Tensor) error) error {
	for _, p := range m.params {
		if p.value == nil {
			continue
		}
		if err := fill(p.value); err != nil {
			return err
		}
	}
	return m.err
}

// resetByFan fills weight and bias as Linear and the convolutions do.
func (m *Module) resetByFan() error {
	if m.err != nil {
		return m.err
	}
	weight, bias := m.Param("weight"), m.Param("bias")
	if err := KaimingUniform_(weight, A(math.Sqrt(5))); err != nil {
		return err
	}
	if bias == nil {
		return nil
	}
	in, _, err := fans(weight)
	if err != nil {
		return err
	}
	bound := 0.0
	if in > 0 {
		bound = 1 / math.Sqrt(float64(in))
	} else if m.class != "Linear" {
		return nil
	}
	return Uniform_(bias, -bound, bound)
}

// addTable registers the weight of an embedding.
func (m *Module) addTable(c *pycall.Args, padding string, requiresGrad bool) error {
	rows, width := c.Int("num_embeddings"), c.Int("embedding_dim")
	if c.Has("padding_idx") {
		i := c.Int("padding_idx")
		if i > 0 && i >= rows || i < -rows {
			return raise(autograd.AssertionError, padding+" must be within num_embeddings")
		}
		if i < 0 {
			m.attrs.set("padding_idx", i+rows)
		}
	}
	given := c.Tensor("_weight")
	if given != nil {
		if s := given.Shape(); len(s) != 2 || s[0] != rows || s[1] != width {
			return raise(autograd.AssertionError, "Shape of weight does not match num_embeddings and embedding_dim")
		}
		return m.RegisterParameter("weight", autograd.NewParameter(given, requiresGrad))
	}
	table := autograd.Empty([]int{rows, width}, autograd.WithDType(c.DType()))
	if err := m.RegisterParameter("weight", autograd.NewParameter(table, requiresGrad)); err != nil {
		return err
	}
	weight := m.Param("weight")
	if err := Normal_(weight, 0, 1); err != nil {
		return err
	}
	if i, ok := m.attr("padding_idx").(int); ok {
		return without(weight, func() error { return weight.Select(0, i).Fill_(0) })
	}
	return nil
}

// attr returns a plain attribute, or nil.
func (m *Module) attr(name string) any {
	v, _ := m.attrs.get(name)
	return v
}

// describeTable prints the attributes of an embedding that differ from the
// defaults.
func describeTable(m *Module, bag bool) string {
	text := m.format("{num_embeddings}, {embedding_dim}")
	note := func(name string) { text += fmt.Sprintf(", %s={repr %s}", name, name) }
	if !bag && m.attr("padding_idx") != nil {
		note("padding_idx")
	}
	if m.attr("max_norm") != nil {
		note("max_norm")
	}
	if number(m.attr("norm_type")) != 2 {
		note("norm_type")
	}
	if m.attr("scale_grad_by_freq") == true {
		note("scale_grad_by_freq")
	}
	if bag {
		note("mode")
		if m.attr("padding_idx") != nil {
			note("padding_idx")
		}
	} else if m.attr("sparse") == true {
		note("sparse")
	}
	return m.format(text)
}
