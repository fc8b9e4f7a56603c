package nn

import (
	"fmt"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/pycall"
)

// batchNormLayers returns the layers that normalize channels, in one to three
// dimensions.
func batchNormLayers() (list []class) {
	for dims := 1; dims <= 3; dims++ {
		list = append(list, batchNormLayer(dims), instanceNormLayer(dims))
	}
	return list
}

var normLayers = []class{
	{
		sig: "LayerNorm(int[1] normalized_shape, float eps=1e-05, bool elementwise_affine=True, bool bias=True, str? device=None, ScalarType? dtype=None)", inputs: "input",
		repr: "{normalized_shape}, eps={eps}, elementwise_affine={elementwise_affine}",
		build: func(m *Module, c *pycall.Args) error {
			shape := c.Ints("normalized_shape", 1)
			m.attrs.set("normalized_shape", shape)
			return m.addAffine(c, c.Bool("elementwise_affine"), c.Bool("bias"), shape...)
		},
		call: "layer_norm normalized_shape weight bias eps",
	},
	{
		sig: "RMSNorm(int[1] normalized_shape, float? eps=None, bool elementwise_affine=True, str? device=None, ScalarType? dtype=None)", inputs: "x",
		repr: "{normalized_shape}, eps={eps}, elementwise_affine={elementwise_affine}",
		build: func(m *Module, c *pycall.Args) error {
			shape := c.Ints("normalized_shape", 1)
			m.attrs.set("normalized_shape", shape)
			if !c.Bool("elementwise_affine") {
				return m.RegisterParameter("weight", nil)
			}
			m.addParam(c, "weight", shape...)
			return m.resetParams(Ones_)
		},
		call: "rms_norm normalized_shape weight eps",
	},
	{
		sig: "GroupNorm(int num_groups, int num_channels, float eps=1e-05, bool affine=True, str? device=None, ScalarType? dtype=None)", inputs: "input",
		repr: "{num_groups}, {num_channels}, eps={eps}, affine={affine}",
		build: func(m *Module, c *pycall.Args) error {
			switch groups := c.Int("num_groups"); {
			case groups == 0:
				return raise(autograd.ZeroDivisionError, "integer modulo by zero")
			case c.Int("num_channels")%groups != 0:
				return raise(autograd.ValueError, "num_channels must be divisible by num_groups")
			}
			return m.addAffine(c, c.Bool("affine"), true, c.Int("num_channels"))
		},
		call: "group_norm num_groups weight bias eps",
	},
	{
		sig: "LocalResponseNorm(int size, float alpha=0.0001, float beta=0.75, float k=1.0)", inputs: "input",
		repr: "{size}, alpha={alpha}, beta={beta}, k={k}", call: "local_response_norm size alpha beta k",
	},
}

// addAffine registers a scale of ones and a shift of zeros, or reserves their
// names.
func (m *Module) addAffine(c *pycall.Args, affine, bias bool, shape ...int) error {
	for _, name := range []string{"weight", "bias"} {
		if affine && (bias || name == "weight") {
			m.addParam(c, name, shape...)
		} else if m.err == nil {
			m.err = m.RegisterParameter(name, nil)
		}
	}
	if w := m.Param("weight"); m.err == nil && w != nil {
		m.err = Ones_(w)
	}
	if b := m.Param("bias"); m.err == nil && b != nil {
		m.err = Zeros_(b)
	}
	return m.err
}

// rankError returns the error for an input with the wrong number of dimensions.
func rankError(want string, x *autograd.Tensor) error {
	return raise(autograd.ValueError, fmt.Sprintf("expected %s input (got %dD input)", want, x.Dim()))
}

// addStatistics registers the parameters and buffers of batch norm and instance
// norm.
func (m *Module) addStatistics(c *pycall.Args) error {
	n := c.Int("num_features")
	for _, name := range []string{"weight", "bias"} {
		if c.Bool("affine") {
			m.addParam(c, name, n)
		} else if m.err == nil {
			m.err = m.RegisterParameter(name, nil)
		}
	}
	if m.err != nil {
		return m.err
	}
	buffers := []Named[*autograd.Tensor]{{Name: "running_mean"}, {Name: "running_var"}, {Name: "num_batches_tracked"}}
	if c.Bool("track_running_stats") {
		d := autograd.WithDType(c.DType())
		buffers[0].Value, buffers[1].Value, buffers[2].Value = autograd.Zeros([]int{n}, d), autograd.Ones([]int{n}, d), autograd.New(0)
	}
	for _, b := range buffers {
		if err := m.RegisterBuffer(b.Name, b.Value, true); err != nil {
			return err
		}
	}
	if err := m.resetStatistics(); err != nil {
		return err
	}
	if w := m.Param("weight"); w != nil {
		if err := Ones_(w); err != nil {
			return err
		}
		return Zeros_(m.Param("bias"))
	}
	return nil
}

// resetStatistics is reset_running_stats of PyTorch's norms.
func (m *Module) resetStatistics() error {
	if m.Buffer("running_mean") == nil {
		return nil
	}
	if err := m.Buffer("running_mean").Zero_(); err != nil {
		return err
	}
	if err := m.Buffer("running_var").Fill_(1); err != nil {
		return err
	}
	return m.Buffer("num_batches_tracked").Zero_()
}

const statisticsSig = "(int num_features, float eps=1e-05, float? momentum=0.1, bool affine=%s, bool track_running_stats=%s, str? device=None, ScalarType? dtype=None)"
const statisticsRepr = "{num_features}, eps={eps}, momentum={momentum}, affine={affine}, track_running_stats={track_running_stats}"

// batchNormLayer returns BatchNorm1d, BatchNorm2d or BatchNorm3d.
func batchNormLayer(dims int) class {
	return class{
		sig:    fmt.Sprintf("BatchNorm%dd"+statisticsSig, dims, "True", "True"),
		inputs: "input", repr: statisticsRepr,
		build: func(m *Module, c *pycall.Args) error { return m.addStatistics(c) },
		forward: func(m *Module, x []*autograd.Tensor) ([]*autograd.Tensor, error) {
			rank := x[0].Dim()
			if dims == 1 && rank != 2 && rank != 3 {
				return nil, rankError("2D or 3D", x[0])
			}
			if dims > 1 && rank != dims+2 {
				return nil, rankError(fmt.Sprintf("%dD", dims+2), x[0])
			}
			return m.batchNorm(x[0])
		},
	}
}

// batchNorm counts the batch and normalizes it. It uses the statistics of the
// batch in training mode, or if there are no running statistics.
func (m *Module) batchNorm(x *autograd.Tensor) ([]*autograd.Tensor, error) {
	momentum := number(m.attr("momentum"))
	if m.attr("momentum") == nil {
		momentum = 0
	}
	tracking := m.attr("track_running_stats") == true
	if count := m.Buffer("num_batches_tracked"); m.training && tracking && count != nil {
		if err := count.Add_(1); err != nil {
			return nil, err
		}
		if m.attr("momentum") == nil {
			momentum = 1 / count.Float()
		}
	}
	mean, variance := m.Buffer("running_mean"), m.Buffer("running_var")
	own := m.training || mean == nil && variance == nil
	if m.training && !tracking {
		mean, variance = nil, nil
	}
	return call("batch_norm", []any{x, mean, variance, m.Param("weight"), m.Param("bias"), own, momentum, number(m.attr("eps"))})
}

// instanceNormLayer returns InstanceNorm1d, InstanceNorm2d or InstanceNorm3d.
func instanceNormLayer(dims int) class {
	return class{
		sig:    fmt.Sprintf("InstanceNorm%dd"+statisticsSig, dims, "False", "False"),
		inputs: "input", repr: statisticsRepr,
		build: func(m *Module, c *pycall.Args) error { return m.addStatistics(c) },
		forward: func(m *Module, x []*autograd.Tensor) ([]*autograd.Tensor, error) {
			input, rank := x[0], x[0].Dim()
			if rank != dims+1 && rank != dims+2 {
				return nil, rankError(fmt.Sprintf("%dD or %dD", dims+1, dims+2), input)
			}
			at, n := rank-dims-1, m.attr("num_features")
			if size := input.Shape()[at]; size != n {
				if m.attr("affine") == true {
					return nil, raise(autograd.ValueError, fmt.Sprintf("expected input's size at dim=%d to match num_features (%v), but got: %d.", at, n, size))
				}
				autograd.Warn("UserWarning", fmt.Sprintf("input's size at dim=%d does not match num_features. You can silence this warning by not passing in num_features, which is not used because affine=False", at))
			}
			if rank == dims+1 {
				outs, err := m.instanceNorm(input.Unsqueeze(0))
				if err != nil {
					return nil, err
				}
				return one(call1("squeeze", outs[0], 0))
			}
			return m.instanceNorm(input)
		},
	}
}

func (m *Module) instanceNorm(x *autograd.Tensor) ([]*autograd.Tensor, error) {
	momentum := number(m.attr("momentum"))
	if m.attr("momentum") == nil {
		momentum = 0
	}
	own := m.training || m.attr("track_running_stats") != true
	return call("instance_norm", []any{x, m.Buffer("running_mean"), m.Buffer("running_var"), m.Param("weight"), m.Param("bias"), own, momentum, number(m.attr("eps"))})
}
