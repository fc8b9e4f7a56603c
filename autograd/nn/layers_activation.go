package nn

import (
	"fmt"
	"strings"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/pycall"
)

var activationLayers = []class{
	{sig: "ReLU(bool inplace=False)", inputs: "input", call: "relu inplace", show: inPlaceOnly},
	{sig: "ReLU6(bool inplace=False)", inputs: "input", call: "relu6 inplace", show: inPlaceOnly, build: setAttrs("min_val", 0.0, "max_val", 6.0)},
	{sig: "SELU(bool inplace=False)", inputs: "input", call: "selu inplace", show: inPlaceOnly},
	{sig: "SiLU(bool inplace=False)", inputs: "input", call: "silu inplace", show: inPlaceOnly},
	{sig: "Mish(bool inplace=False)", inputs: "input", call: "mish inplace", show: inPlaceOnly},
	{sig: "Hardsigmoid(bool inplace=False)", inputs: "input", call: "hardsigmoid inplace"},
	{sig: "Hardswish(bool inplace=False)", inputs: "input", call: "hardswish inplace"},
	{sig: "Sigmoid()", inputs: "input", call: "sigmoid"},
	{sig: "Tanh()", inputs: "input", call: "tanh"},
	{sig: "Softsign()", inputs: "input", call: "softsign"},
	{sig: "Tanhshrink()", inputs: "input", call: "tanhshrink"},
	{sig: "LogSigmoid()", inputs: "input", call: "logsigmoid"},
	{sig: "ELU(float alpha=1.0, bool inplace=False)", inputs: "input", call: "elu alpha inplace", show: withInPlace("alpha={alpha}")},
	{sig: "CELU(float alpha=1.0, bool inplace=False)", inputs: "input", call: "celu alpha inplace", show: withInPlace("alpha={alpha}")},
	{sig: "LeakyReLU(float negative_slope=0.01, bool inplace=False)", inputs: "input", call: "leaky_relu negative_slope inplace", show: withInPlace("negative_slope={negative_slope}")},
	{sig: "Threshold(float threshold, float value, bool inplace=False)", inputs: "input", call: "threshold threshold value inplace", show: withInPlace("threshold={threshold}, value={value}")},
	{sig: "RReLU(float lower=0.125, float upper=0.3333333333333333, bool inplace=False)", inputs: "input", call: "rrelu lower upper training inplace", show: withInPlace("lower={lower}, upper={upper}")},
	{
		sig: "Hardtanh(float min_val=-1.0, float max_val=1.0, bool inplace=False)", inputs: "input", call: "hardtanh min_val max_val inplace",
		show: withInPlace("min_val={min_val}, max_val={max_val}"),
		build: func(m *Module, c *pycall.Args) error {
			if c.Float("max_val") <= c.Float("min_val") {
				return raise(autograd.AssertionError, "")
			}
			return nil
		},
	},
	{sig: "GLU(int dim=-1)", inputs: "input", call: "glu dim", repr: "dim={dim}"},
	{sig: "GELU(str approximate='none')", inputs: "input", call: "gelu approximate=approximate", repr: "approximate={repr approximate}"},
	{sig: "Hardshrink(float lambd=0.5)", inputs: "input", call: "hardshrink lambd", repr: "{lambd}"},
	{sig: "Softshrink(float lambd=0.5)", inputs: "input", call: "softshrink lambd", repr: "{lambd}"},
	{sig: "Softplus(float beta=1.0, float threshold=20.0)", inputs: "input", call: "softplus beta threshold", repr: "beta={beta}, threshold={threshold}"},
	{sig: "Softmax(int? dim=None)", inputs: "input", call: "softmax dim", repr: "dim={dim}"},
	{sig: "LogSoftmax(int? dim=None)", inputs: "input", call: "log_softmax dim", repr: "dim={dim}"},
	{sig: "Softmin(int? dim=None)", inputs: "input", call: "softmin dim", repr: "dim={dim}"},
	{
		sig: "Softmax2d()", inputs: "input",
		forward: func(_ *Module, x []*autograd.Tensor) ([]*autograd.Tensor, error) {
			if rank := x[0].Dim(); rank != 3 && rank != 4 {
				return nil, raise(autograd.ValueError, fmt.Sprintf("Softmax2d: expected input to be 3D or 4D, got %dD instead", rank))
			}
			return call("softmax", []any{x[0], -3})
		},
	},
	{
		sig: "PReLU(int num_parameters=1, float init=0.25, str? device=None, ScalarType? dtype=None)", inputs: "input", call: "prelu weight", repr: "num_parameters={num_parameters}",
		build: func(m *Module, c *pycall.Args) error {
			m.addParam(c, "weight", c.Int("num_parameters"))
			return m.resetParams(func(p *autograd.Tensor) error { return Constant_(p, c.Float("init")) })
		},
	},
}

// inPlaceOnly prints only whether the layer works in place.
func inPlaceOnly(m *Module) string { return strings.TrimPrefix(withInPlace("")(m), ", ") }

// withInPlace prints a template, and whether the layer works in place.
func withInPlace(template string) func(m *Module) string {
	return func(m *Module) string {
		text := m.format(template)
		if m.attr("inplace") == true {
			text += ", inplace=True"
		}
		return text
	}
}

// setAttrs sets attributes that are not arguments.
func setAttrs(pairs ...any) func(m *Module, c *pycall.Args) error {
	return func(m *Module, _ *pycall.Args) error {
		for i := 0; i < len(pairs); i += 2 {
			m.attrs.set(pairs[i].(string), pairs[i+1])
		}
		return nil
	}
}
